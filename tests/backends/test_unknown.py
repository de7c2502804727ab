"""The learned model: its weights are there, its probabilities are ones, and it only claims what it may."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.backends import unknown
from tests.judging import judged


def test_the_weights_are_shipped_and_small() -> None:
    chances = unknown.probabilities("frobtool", ("--help",))
    assert chances is not None
    with open(unknown.WEIGHTS, "rb") as file:
        assert len(file.read()) <= 64_000


@given(st.text(max_size=30), st.lists(st.text(max_size=20), max_size=8))
def test_probabilities_are_probabilities(program: str, words: list[str]) -> None:
    chances = unknown.probabilities(program, tuple(words))
    assert chances is not None
    assert all(0.0 <= chance <= 1.0 for chance in chances)
    assert abs(sum(chances) - 1.0) < 1e-9


def test_it_tells_listing_from_deleting() -> None:
    reads = unknown.probabilities("frobtool", ("list", "--json"))
    wipes = unknown.probabilities("frobtool", ("delete", "--all", "--force"))
    assert reads is not None
    assert wipes is not None
    assert reads[0] > wipes[0]


def test_it_claims_nothing_for_words_that_are_not_known() -> None:
    assert judged("frobtool list $X").harm is None


def test_it_claims_nothing_on_a_name_and_options_alone() -> None:
    assert judged("no-such-program").harm is None
    assert judged("no-such-program --do-it").harm is None


def test_it_lowers_nothing() -> None:
    assert judged("frobtool list; rm -rf ~").harm == "destructive"
