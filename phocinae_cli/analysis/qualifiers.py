"""zsh's glob qualifiers: `*.log(.om[1,3])`. They narrow what a pattern matches; `(e:CODE:)` and `(+NAME)` run code.

See zshexpn, "Glob Qualifiers".
"""

from __future__ import annotations

from phocinae_cli.analysis.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = frozenset("/F.@=p*%rwxARWXEUGNDTnMYFlsStdaLmcoOHk0123456789+-^,:[]#qui bh")
"""The characters of qualifiers that only choose and sort; `e` and a `+` in front of a name run code."""
CLOSING = {"[": "]", "{": "}", "<": ">", "(": ")"}


def without_qualifiers(value: Value, run: Callable[[str], object]) -> Value:
    """Return a pattern without its glob qualifiers; the code in them is given to `run`."""
    text = value.exact
    if text is None or not text.endswith(")") or not (value.globs or "(" in text):
        return value
    start = _opening(text)
    inside = text[start + 1 : -1]
    if start <= 0 or not inside:
        return value
    code = _code(inside)
    if code is not None:
        run(code)
    elif not PLAIN.issuperset(inside):
        return value  # a group: `*.(jpg|png)`
    return Value((text[:start],), True, value.taint)


def _opening(text: str) -> int:
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return at
    return -1


def _code(inside: str) -> str | None:
    """Return what the qualifiers run: the text between the marks behind `e`, or the command behind `+`."""
    for at, char in enumerate(inside):
        before = inside[at - 1 : at]
        if char == "e" and at + 1 < len(inside) and not inside[at + 1].isalnum():
            opener = inside[at + 1]
            end = inside.rfind(CLOSING.get(opener, opener))
            return inside[at + 2 : end] if end > at + 1 else inside[at + 2 :]
        if char == "+" and before not in ("L", "m", "a", "c", "l") and inside[at + 1 : at + 2].isalpha():
            return inside[at + 1 :]
    return None
