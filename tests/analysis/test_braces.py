"""Brace expansion: what a word with braces stands for, held against what bash prints, and its cost."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from phocinae_cli.analysis.braces import expand_braces
from phocinae_cli.analysis.syntax import Literal, Part
from phocinae_cli.analysis.values import TooMuch
from tests.judging import decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import TraceFunction

TEN_THOUSAND = 10_000


def words(*texts: str) -> list[str]:
    """Return the words for a word of unquoted texts; one in quotes, as in `'"{"'`, is a quoted part."""
    parts: tuple[Part, ...] = tuple(
        Literal(text.strip('"'), text.startswith('"'), at, at + 1) for at, text in enumerate(texts)
    )
    return ["".join(part.text for part in word if isinstance(part, Literal)) for word in expand_braces(parts)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["x{a,b}y"], ["xay", "xby"]),
        (["{a,b}{c,d}"], ["ac", "ad", "bc", "bd"]),
        (["{a,{b,c}d}"], ["a", "bd", "cd"]),
        (["{,a}"], ["", "a"]),
        (["{1..3}"], ["1", "2", "3"]),
        (["{c..a}"], ["c", "b", "a"]),
        (["{{1..2},x}"], ["1", "2", "x"]),
        (["{a}"], ["{a}"]),
        (["{}"], ["{}"]),
        (["{{a,b}}"], ["{a}", "{b}"]),
        (["{{..}}"], ["{{..}}"]),
        (["x{{a,b}"], ["x{a", "x{b"]),
        (["{a,b"], ["{a,b"]),
        (["a}{b,c}"], ["a}b", "a}c"]),
        (["{a,", '"}"', ",b}"], ["a", "}", "b"]),
        (["{1..", '"3"', "}"], ["{1..3}"]),
    ],
)
def test_a_word_stands_for_what_bash_makes_of_it(texts: list[str], expected: list[str]) -> None:
    assert words(*texts) == expected


def test_too_many_words_or_parts_are_refused() -> None:
    with pytest.raises(TooMuch):
        words("{a,b}" * 11)
    with pytest.raises(TooMuch):
        words("{a,b}" * 10, *["{c,d", '"x"', "}"] * 100)


def steps(word: str) -> int:
    """Return how many lines of Python it takes to find that a word's braces mean themselves."""
    taken = 0

    def count(_frame: FrameType, _event: str, _given: object) -> TraceFunction:
        nonlocal taken
        taken += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        found = words(word)
    finally:
        sys.settrace(before)
    assert found == [word]
    return taken


@pytest.mark.parametrize("piece", ["{", "{a,", "{a}", "}"])
def test_twice_the_braces_take_twice_the_steps(piece: str) -> None:
    assert steps(piece * 400) < 2.5 * steps(piece * 200)


def test_nested_braces_that_mean_themselves_take_twice_the_steps_too() -> None:
    assert steps("{" * 400 + "}" * 400) < 2.5 * steps("{" * 200 + "}" * 200)


@pytest.mark.parametrize("word", ["{a," * TEN_THOUSAND, "{a," * TEN_THOUSAND + "b" + "}" * TEN_THOUSAND])
def test_deep_braces_are_never_allowed_unread(word: str) -> None:
    assert decision(f"rm -rf {word}/") in ("ask", "deny")
