"""What the operators of a parameter expansion make of a value: cutting, replacing, case, parts, zsh's flags."""

from __future__ import annotations

from phocinae_cli.analysis.values import Unknown, Value, known, unknown
from phocinae_cli.kb.schema import glob_match


def transform(value: Value, op: str, argument: Value, second: Value) -> Value:
    """Return a value with one operator of `${name...}` applied."""
    text, pattern = value.exact, argument.exact
    if op == "@" and pattern in ("Q", "E", "P", "A", "a", "K", "k", None):
        return value
    if text is None or pattern is None:
        name_only = all(isinstance(part, str) or part.name_only for part in value.parts)
        if op in ("##",) and pattern == "*/":
            name_only = True
        return unknown(value.unknown_why() or argument.unknown_why() or "an expansion", value.taint, True, name_only)
    if op in ("^^", ",,", "^", ","):
        changed = _case(text, op)
    elif op in ("#", "##"):
        changed = _cut_front(text, pattern, longest=op == "##")
    elif op in ("%", "%%"):
        changed = _cut_back(text, pattern, longest=op == "%%")
    elif op in ("/", "//", "/#", "/%"):
        replacement = second.exact
        if replacement is None or "*" in pattern or "?" in pattern or "[" in pattern:
            return unknown("a replacement in a parameter", value.taint)
        changed = _replace(text, pattern, replacement, op)
    elif op == ":":
        return _substring(value, text, pattern, second)
    else:
        return unknown("an expansion", value.taint)
    return Value((changed,), value.globs, value.taint)


def _case(text: str, op: str) -> str:
    if op == "^^":
        return text.upper()
    if op == ",,":
        return text.lower()
    return (text[:1].upper() if op == "^" else text[:1].lower()) + text[1:]


def _replace(text: str, pattern: str, replacement: str, op: str) -> str:
    if not pattern:
        return text
    if op == "//":
        return text.replace(pattern, replacement)
    if op == "/#":
        return replacement + text[len(pattern) :] if text.startswith(pattern) else text
    if op == "/%":
        return text[: -len(pattern)] + replacement if text.endswith(pattern) else text
    return text.replace(pattern, replacement, 1)


def _substring(value: Value, text: str, start: str, length: Value) -> Value:
    size = length.exact
    if start in ("A", "a", "P"):
        return value  # zsh: as an absolute path; bash: from an unset variable on, which is 0
    try:
        begin = int(start.strip() or "0")
        count = int(size.strip()) if size and size.strip() else None
    except ValueError:
        return unknown("a part of a parameter", value.taint)
    begin = max(len(text) + begin, 0) if begin < 0 else begin
    end = len(text) if count is None else begin + count if count >= 0 else len(text) + count
    return Value((text[begin:end],), value.globs, value.taint)


def _cut_front(text: str, pattern: str, longest: bool) -> str:
    lengths = range(min(len(text), 4096) + 1)
    for size in reversed(lengths) if longest else lengths:
        if glob_match(pattern, text[:size]):
            return text[size:]
    return text


def _cut_back(text: str, pattern: str, longest: bool) -> str:
    lengths = range(min(len(text), 4096) + 1)
    for size in reversed(lengths) if longest else lengths:
        if glob_match(pattern, text[len(text) - size :]):
            return text[: len(text) - size]
    return text


def span(size: int, start: str | None, length: str | None) -> tuple[int, int] | None:
    """Return first and end of what `${array[@]:start:length}` takes of so many elements; None when not known."""
    try:
        begin = int((start or "").strip() or "0")
        count = int(length.strip()) if length and length.strip() else size
    except ValueError:
        return None
    begin = max(size + begin, 0) if begin < 0 else begin
    return begin, (begin + count if count >= 0 else size + count)


def zsh_span(size: int, index: str) -> tuple[int, int] | None:
    """Return first and end of what zsh's `[3]`, `[2,-1]` takes, counted from 1; None when not known."""
    first, comma, last = index.partition(",")
    try:
        begin, end = int(first), int(last if comma else first)
    except ValueError:
        return None
    begin = size + begin if begin < 0 else begin - 1
    end = size + end + 1 if end < 0 else end
    return (begin, end) if begin >= 0 else (0, 0)


def flagged(fields: tuple[Value, ...], flags: str) -> tuple[Value, ...]:
    """Return fields with zsh's flags applied: case, joining and splitting; of what is not known nothing is told."""
    at = 0
    flags = flags.strip("()")
    while at < len(flags):
        flag = flags[at]
        at += 1
        argument = ""
        if flag in "jsglrIZ" and at < len(flags):
            close = flags.find(flags[at], at + 1)
            close = close if close > 0 else len(flags)
            argument, at = flags[at + 1 : close], close + 1
        if flag == "L":
            fields = tuple(_lettered(field, ",,") for field in fields)
        elif flag == "U":
            fields = tuple(_lettered(field, "^^") for field in fields)
        elif flag in "jF" and len(fields) > 1:
            fields = (_joined(fields, "\n" if flag == "F" else argument),)
        elif flag in "sfz0" and all(field.known for field in fields):
            fields = tuple(
                Value((text,), field.globs, field.taint)
                for field in fields
                for text in _pieces(field.text, flag, argument)
            )
        elif flag == "#" and all(field.known for field in fields):
            fields = tuple(_character(field) for field in fields)
    return fields


def _lettered(value: Value, op: str) -> Value:
    return Value((_case(value.text, op),), value.globs, value.taint) if value.known else value


def _pieces(text: str, flag: str, mark: str) -> list[str]:
    if flag == "z":
        return text.split()
    mark = {"f": "\n", "0": "\0"}.get(flag, mark)
    return [piece for piece in text.split(mark) if piece] if mark else list(text)


def _joined(fields: tuple[Value, ...], mark: str) -> Value:
    parts: list[str | Unknown] = []
    taint = fields[0].taint
    for number, field in enumerate(fields):
        parts.extend([mark, *field.parts] if number else field.parts)
        taint |= field.taint
    if all(isinstance(part, str) for part in parts):
        return known("".join(part for part in parts if isinstance(part, str)), taint)
    return Value(tuple(parts), False, taint)


def _character(value: Value) -> Value:
    try:
        return known(chr(int(value.text, 0)), value.taint)
    except (ValueError, OverflowError):
        return unknown("a character", value.taint)
