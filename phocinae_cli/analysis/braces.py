"""Brace expansion: `{a,b}` and `{1..3}` in the unquoted text of a word, before everything else is expanded."""

from __future__ import annotations

from phocinae_cli.analysis.syntax import Literal, Part
from phocinae_cli.analysis.values import TooMuch

MAX_WORDS = 2000
MAX_RANGE = 8
"""A range longer than this is cut: its members are numbers or letters, so the first ones stand for the rest."""


def expand_braces(parts: tuple[Part, ...]) -> list[tuple[Part, ...]]:
    """Return the words that a word with braces stands for, the word itself when no brace is complete.

    Raises TooMuch when they are more than MAX_WORDS.
    """
    found = _first_group(parts)
    if found is None:
        return [parts]
    before, alternatives, after = found
    words: list[tuple[Part, ...]] = []
    for alternative in alternatives:
        for middle in expand_braces(alternative):
            for rest in expand_braces(after):
                words.append((*before, *middle, *rest))
                if len(words) > MAX_WORDS:
                    raise TooMuch
    return words


def _first_group(
    parts: tuple[Part, ...],
) -> tuple[tuple[Part, ...], list[tuple[Part, ...]], tuple[Part, ...]] | None:
    """Return what stands before, in and behind the first complete group of braces."""
    for index, part in enumerate(parts):
        if not (isinstance(part, Literal) and not part.quoted):
            continue
        at = part.text.find("{")
        while at >= 0:
            group = _close(parts, index, at)
            if group is not None:
                alternatives, end_index, end_at = group
                before = (*parts[:index], *_cut(part, 0, at))
                last = parts[end_index]
                after = (*_cut(last, end_at + 1, None), *parts[end_index + 1 :])
                return before, alternatives, after
            at = part.text.find("{", at + 1)
    return None


def _cut(part: Part, start: int, end: int | None) -> tuple[Part, ...]:
    if isinstance(part, Literal):
        text = part.text[start:end]
        return (Literal(text, part.quoted, part.start, part.end),) if text else ()
    return (part,)


def _close(parts: tuple[Part, ...], index: int, at: int) -> tuple[list[tuple[Part, ...]], int, int] | None:
    """Return the alternatives of the group that opens at `parts[index].text[at]`, and where it closes."""
    depth = 0
    items: list[list[Part]] = [[]]
    for number in range(index, len(parts)):
        part = parts[number]
        if not isinstance(part, Literal) or part.quoted:
            items[-1].append(part)
            continue
        start = at + 1 if number == index else 0
        mark = start
        for place in range(start, len(part.text)):
            char = part.text[place]
            if char == "{":
                depth += 1
            elif char == "}":
                if depth == 0:
                    items[-1].extend(_cut(part, mark, place))
                    return _finish(items, number, place)
                depth -= 1
            elif char == "," and depth == 0:
                items[-1].extend(_cut(part, mark, place))
                items.append([])
                mark = place + 1
        items[-1].extend(_cut(part, mark, None))
    return None


def _finish(items: list[list[Part]], number: int, place: int) -> tuple[list[tuple[Part, ...]], int, int] | None:
    if len(items) > 1:
        return [tuple(item) for item in items], number, place
    only = items[0]
    if len(only) == 1 and isinstance(only[0], Literal) and not only[0].quoted:
        texts = _range(only[0].text)
        if texts:
            return [(Literal(text, False, only[0].start, only[0].end),) for text in texts], number, place
    return None


def _range(text: str) -> list[str]:
    pieces = text.split("..")
    if len(pieces) not in (2, 3):
        return []
    first, last = pieces[0], pieces[1]
    try:
        step = abs(int(pieces[2])) or 1 if len(pieces) == 3 else 1
        low, high = int(first), int(last)
        width = (
            max(len(first.lstrip("-")), len(last.lstrip("-"))) if first.startswith("0") or last.startswith("0") else 0
        )
        numbers = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
        return [str(number).zfill(width) for number in numbers[:MAX_RANGE]]
    except ValueError:
        pass
    if len(first) == 1 and len(last) == 1 and len(pieces) == 2 and first.isascii() and last.isascii():
        low, high = ord(first), ord(last)
        codes = range(low, high + 1) if low <= high else range(low, high - 1, -1)
        return [chr(code) for code in codes[:MAX_RANGE]]
    return []
