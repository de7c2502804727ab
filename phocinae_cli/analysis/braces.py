"""Brace expansion: `{a,b}` and `{1..3}` in the unquoted text of a word, before everything else is expanded."""

from __future__ import annotations

from phocinae_cli.analysis.syntax import Literal, Part
from phocinae_cli.analysis.values import TooMuch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_WORDS = 2000
MAX_PARTS = 100_000
"""How many parts all words of one word may have together."""
MAX_RANGE = 8
"""A range longer than this is cut: its members are numbers or letters, so the first ones stand for the rest."""

Parts = tuple[Part, ...]
Place = tuple[int, int | None]
"""The number of a part and an offset in its text, None for its end."""


class Stretch:
    """A piece of a word without the braces and commas around it, and the groups in it that stand for several words."""

    __slots__ = ("end", "groups", "start")

    def __init__(self, start: Place) -> None:
        self.start = start
        self.end = start
        self.groups: list[Group] = []


class Group:
    """A pair of braces that stands for several words, one a choice, and where the word goes on behind it."""

    __slots__ = ("choices", "end", "start")

    def __init__(self, choices: list[Stretch] | list[Literal], start: Place, end: Place) -> None:
        self.choices = choices
        self.start = start
        self.end = end


def expand_braces(parts: Parts) -> list[Parts]:
    """Return the words that a word with braces stands for, the word itself when no brace is complete.

    Raises TooMuch when they are more than MAX_WORDS, or have more than MAX_PARTS parts.
    """
    whole = _read(parts)
    return _words(parts, whole) if whole.groups else [parts]


def _read(parts: Parts) -> Stretch:
    """Return the word as a stretch; every character is looked at twice, however deep and incomplete the braces are."""
    complete = _complete(parts)
    opened = [[Stretch((0, 0))]]  # the word, and the choices so far of each brace in it that will be closed
    latest: Place | None = None  # behind the last such brace of either kind
    for number, at, char in _marks(parts) if complete else ():
        behind = (number, at + 1)
        if char == "{" and (number, at) in complete:
            opened.append([Stretch(behind)])
            latest = behind
        elif char == "," and len(opened) > 1:
            opened[-1][-1].end = (number, at)
            opened[-1].append(Stretch(behind))
        elif char == "}" and len(opened) > 1:
            choices = opened.pop()
            choices[-1].end = (number, at)
            _close(parts, choices, opened[-1][-1], innermost=choices[0].start == latest)
            latest = behind
    whole = opened[0][0]
    whole.end = (len(parts) - 1, None)
    return whole


def _complete(parts: Parts) -> set[Place]:
    """Return where the braces open that are closed; one that is not closed lies in none of them."""
    opened: list[Place] = []
    complete: set[Place] = set()
    for number, at, char in _marks(parts):
        if char == "{":
            opened.append((number, at))
        elif char == "}" and opened:
            complete.add(opened.pop())
    return complete


def _marks(parts: Parts) -> Iterator[tuple[int, int, str]]:
    """Yield each brace and comma that no quotes take the meaning from: the part, the offset in it, the character."""
    for number, part in enumerate(parts):
        if isinstance(part, Literal) and not part.quoted:
            for at, char in enumerate(part.text):
                if char in "{,}":
                    yield number, at, char


def _close(parts: Parts, choices: list[Stretch], around: Stretch, innermost: bool) -> None:
    """Add to the stretch around it the group that closes here, or what is in it where the braces mean themselves."""
    only = choices[0]
    start, end = _shifted(only.start, -1), _shifted(choices[-1].end, 1)
    if len(choices) > 1:
        around.groups.append(Group(choices, start, end))
    elif innermost and (numbered := _numbered(_slice(parts, only.start, only.end))):
        around.groups.append(Group(numbered, start, end))
    else:
        around.groups = around.groups + only.groups if around.groups else only.groups


def _shifted(place: Place, by: int) -> Place:
    number, at = place
    return number, None if at is None else at + by


def _words(parts: Parts, stretch: Stretch) -> list[Parts]:
    """Return the words that a stretch stands for."""
    words: list[Parts] = [()]
    between: Parts = ()
    at = stretch.start
    for group in stretch.groups:
        between += _slice(parts, at, group.start)
        at = group.end
        middles: list[Parts] = []
        for choice in group.choices:
            if isinstance(choice, Literal):
                middles.append((choice,))
            else:
                middles.extend(_words(parts, choice))
        if len(middles) == 1:
            between += middles[0]
        else:
            words = _product(words, between, middles)
            between = ()
    return _product(words, between + _slice(parts, at, stretch.end), [()])


def _product(words: list[Parts], between: Parts, middles: list[Parts]) -> list[Parts]:
    count = len(words) * len(middles)
    size = count * len(between) + len(middles) * sum(map(len, words)) + len(words) * sum(map(len, middles))
    if count > MAX_WORDS or size > MAX_PARTS:
        raise TooMuch
    return [(*word, *between, *middle) for word in words for middle in middles]


def _slice(parts: Parts, start: Place, end: Place) -> Parts:
    first, last = start[0], end[0]
    if first == last:
        return _cut(parts[first], start[1], end[1])
    return (*_cut(parts[first], start[1], None), *parts[first + 1 : last], *_cut(parts[last], 0, end[1]))


def _cut(part: Part, start: int | None, end: int | None) -> Parts:
    if (not start and end is None) or not isinstance(part, Literal):
        return (part,)
    text = part.text[start:end]
    return (Literal(text, part.quoted, part.start, part.end),) if text else ()


def _numbered(inside: Parts) -> list[Literal]:
    """Return the members of the range that stands between two braces, none where it is something else."""
    if len(inside) != 1:
        return []
    only = inside[0]
    if not isinstance(only, Literal) or only.quoted:
        return []
    return [Literal(text, False, only.start, only.end) for text in _range(only.text)]


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
