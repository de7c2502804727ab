"""Pieces of code in any language: strings, names, operators and line ends, with the place of each."""

from __future__ import annotations

from phocinae_cli.analysis.inline.tokens import unescaped

TYPE_CHECKING = False

OPEN, CLOSE = "([{", ")]}"
PAIRED_OPS = ("<>", "++", "..", "->", "=>", "::", "==")


class Piece:
    """One piece: `kind` is `str`, `cmd` (in backquotes), `name`, `op` or `end`; it stands at `start` up to `end`."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end


def pieces(text: str) -> list[Piece]:
    """Return the pieces of a text; comments are left in, since every language marks them its own way."""
    found: list[Piece] = []
    at, size = 0, len(text)
    while at < size:
        char = text[at]
        start = at
        if char == "\n" or char == ";":
            at += 1
            found.append(Piece("end", char, start, at))
        elif char.isspace():
            at += 1
        elif char in "\"'`":
            close = _string_end(text, at)
            if close < 0:
                at += 1
                found.append(Piece("op", char, start, at))
                continue
            at = close + 1
            body = text[start + 1 : close]
            found.append(Piece("cmd" if char == "`" else "str", unescaped(body), start, at))
        elif char.isalpha() or char == "_":
            at = _name_end(text, at)
            found.append(Piece("name", text[start:at], start, at))
        else:
            at += 2 if text[at : at + 2] in PAIRED_OPS else 1
            found.append(Piece("op", text[start:at], start, at))
    return found


def _string_end(text: str, at: int) -> int:
    """Return the place of the mark that closes a string, or -1; a quote of Lisp or an apostrophe opens none."""
    mark = text[at]
    if mark == "'" and (text[at + 1 : at + 2] in ("(", "") or text[at - 1 : at].isalnum()):
        return -1
    end = at + 1
    while end < len(text) and text[end] != mark:
        if mark == "'" and text[end] == "\n":
            return -1
        end += 2 if text[end] == "\\" else 1
    return end if end < len(text) else -1


def _name_end(text: str, at: int) -> int:
    size = len(text)
    while at < size:
        char = text[at]
        follows = text[at + 1 : at + 2]
        if char.isalnum() or char in "_":
            at += 1
        elif (char in "-./" and (follows.isalnum() or follows == "_")) or (char == ":" and follows.isalpha()):
            at += 1
        elif char == ":" and follows == ":" and text[at + 2 : at + 3].isalpha():
            at += 2
        elif char in "!*" and (follows in "( \n" or not follows) and text[at - 1].isalnum():
            at += 1
            break
        else:
            break
    return at


def last_part(name: str) -> str:
    """Return the last part of a dotted, slashed or coloned name in lower case."""
    for mark in (".", "/", ":"):
        name = name.rpartition(mark)[2] or name
    return name.lower()


def argument(found: list[Piece], at: int) -> tuple[int, int]:
    """Return first and end of what a name is called with: in brackets, in a list that it heads, or on its line."""
    if at + 1 < len(found) and found[at + 1].text == "(" and found[at + 1].start == found[at].end:
        return at + 2, closing(found, at)
    return at + 1, _rest(found, at + 1, in_list=at > 0 and found[at - 1].text == "(")


def closing(found: list[Piece], at: int) -> int:
    """Return the end of what a name is called with, where brackets follow it or stand around it."""
    if at + 1 < len(found) and found[at + 1].text == "(":
        return _rest(found, at + 2, in_list=True)
    return _rest(found, at + 1, in_list=True)


def _rest(found: list[Piece], at: int, in_list: bool) -> int:
    depth = 0
    while at < len(found):
        piece = found[at]
        if piece.kind == "op" and piece.text in OPEN:
            depth += 1
        elif piece.kind == "op" and piece.text in CLOSE:
            depth -= 1
            if depth < 0:
                break
        elif piece.kind == "end" and not in_list and depth == 0:
            break
        at += 1
    return at
