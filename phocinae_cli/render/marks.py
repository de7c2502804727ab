"""A piece of the checked text with the guilty part underlined, safe to print and as wide as the terminal allows."""

from __future__ import annotations

from phocinae_cli.core.redact import printable, redact

MORE = "..."
TAB = "    "


def clean(text: str) -> str:
    """Return text that may be hostile on one line: secrets hidden, control characters shown escaped."""
    return printable(redact(text))


def excerpt(text: str, start: int, end: int, width: int) -> tuple[str, str]:
    """Return the line that holds `start`, at most `width` cells wide, and carets that stand under the span.

    Blanks in front are left out. A span over several lines is marked on its first. The carets are empty where there
    is nothing to mark, or where hiding a secret moved what they would stand under.
    """
    start = min(max(start, 0), len(text))
    begin = text.rfind("\n", 0, start) + 1
    while begin < start and text[begin] in " \t":
        begin += 1
    stop = text.find("\n", start)
    stop = len(text) if stop < 0 else stop
    stop = stop - 1 if text[stop - 1 : stop] == "\r" and stop > begin else stop
    end = min(end, stop)
    parts = (text[begin:start], text[start:end], text[end:stop])
    whole = text[begin:stop]
    if end <= start or redact(whole) != "".join(redact(part) for part in parts):
        return cut(_shown(redact(whole)), width), ""
    before, span, after = (_shown(redact(part)) for part in parts)
    if cells(before + span + after) > width:
        before = _tail(before, max(width - cells(span) - len(MORE), width // 3))
    marks = " " * cells(before) + "^" * cells(span)
    return cut(before + span + after, width), marks[:width]


def line_number(text: str, at: int) -> int:
    """Return the number of the line that holds an offset, counted from 1."""
    return text.count("\n", 0, max(at, 0)) + 1


def cut(text: str, width: int) -> str:
    """Return the text, cut at a character where it takes more than `width` cells, the cut marked."""
    if cells(text) <= width:
        return text
    kept, room = 0, width - len(MORE)
    for char in text:
        room -= cells(char)
        if room < 0:
            break
        kept += 1
    return text[:kept] + MORE


def cells(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    import unicodedata  # only for the few lines that need it

    total = 0
    for char in text:
        if not unicodedata.combining(char):
            total += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return total


def _shown(text: str) -> str:
    return printable(text.replace("\t", TAB))


def _tail(text: str, room: int) -> str:
    """Return the end of the text in `room` cells, the cut marked."""
    if cells(text) <= room:
        return text
    at, room = len(text), room - len(MORE)
    while at and room >= cells(text[at - 1]):
        at -= 1
        room -= cells(text[at])
    return MORE + text[at:]
