"""WHERE clauses: whether one narrows what a statement touches, or holds for every row."""

from __future__ import annotations

from phocinae_cli.analysis.inline.sqltext import Word


def condition(words: list[Word]) -> list[Word]:
    """Return the words of a WHERE up to the clause behind it."""
    for at, word in enumerate(words):
        if word.upper in ("RETURNING", "ORDER", "OPTION", "ON", "SETTINGS", "FORMAT") and word.depth == words[0].depth:
            return words[:at]
    return words


def always_true(words: list[Word]) -> bool:
    """Return whether a condition holds for every row: `1=1`, `true`, `x = x`, `... or 1=1`."""
    while len(words) > 1 and words[0].text == "(" and _closes(words, 0) == len(words) - 1:
        words = words[1:-1]
    if not words:
        return True
    base = min(word.depth for word in words)
    parts = _split(words, "OR", base)
    return any(all(_trivial(piece) for piece in _split(part, "AND", base)) for part in parts)


def _closes(words: list[Word], at: int) -> int:
    depth = 0
    for number in range(at, len(words)):
        depth += {"(": 1, ")": -1}.get(words[number].text, 0) if words[number].kind == "op" else 0
        if not depth:
            return number
    return len(words)


def _split(words: list[Word], mark: str, depth: int) -> list[list[Word]]:
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.upper == mark and word.depth == depth and "BETWEEN" not in [one.upper for one in parts[-1][-3:]]:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _trivial(words: list[Word]) -> bool:
    """Return whether one comparison is true of every row."""
    if words and words[0].text == "(" and _closes(words, 0) == len(words) - 1:
        return always_true(words)
    texts = [word.text.lower() for word in words]
    if len(words) == 1:
        return texts[0] == "true" or (words[0].kind == "num" and texts[0].strip("0.") != "")
    if len(words) == 2 and texts[0] == "not":
        return texts[1] in ("false", "0")
    if len(words) == 3:
        left, op, right = words
        literals = left.kind in ("num", "str") and right.kind in ("num", "str")
        same = texts[0] == texts[2]
        if op.text in ("=", ">=", "<=", "=="):
            return same
        if op.text in ("<>", "!="):
            return literals and not same
        if op.text in (">", "<") and left.kind == right.kind == "num":
            return (
                (float(texts[0]) > float(texts[2])) == (op.text == ">")
                if _is_number(texts[0]) and _is_number(texts[2])
                else False
            )
        if op.text == ">" and texts[2] in ("0", "-1"):
            return texts[0].endswith("id")
        return op.upper == "LIKE" and texts[2] == "%"
    if texts[-3:] == ["is", "not", "null"]:
        return len(texts) == 4 and texts[0].endswith("id")
    return False


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
