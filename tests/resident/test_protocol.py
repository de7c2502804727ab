from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.resident import protocol
from phocinae_cli.resident.once import words
from phocinae_cli.resident.protocol import Malformed, Reply

LETTERS = st.sampled_from("shwcdtxoafv")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(LETTERS, TEXTS)), st.integers(1, 10**9), st.binary())
def test_a_request_comes_out_as_it_went_in_whatever_stands_behind_it(
    pairs: list[tuple[str, str]], number: int, rest: bytes
) -> None:
    query, left = protocol.take(protocol.ask(number, "check", protocol.body(pairs)) + rest)
    assert query is not None
    assert (query.number, query.verb, query.fields, left) == (str(number), "check", pairs, rest)


@given(st.lists(st.tuples(LETTERS, TEXTS)), st.data())
def test_a_request_that_is_not_complete_is_waited_for(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    raw = protocol.ask(1, "check", protocol.body(pairs))
    cut = data.draw(st.integers(0, len(raw) - 1))
    assert protocol.take(raw[:cut]) == (None, raw[:cut])


@given(st.binary(max_size=200))
def test_any_bytes_at_all_are_a_request_or_malformed(raw: bytes) -> None:
    try:
        query, left = protocol.take(raw)
    except Malformed:
        return
    assert len(left) <= len(raw)
    assert query is None or query.verb in protocol.VERBS


@pytest.mark.parametrize(
    "raw",
    [
        b"1 check\n",
        b"x check 1\nt",
        b"1 check -1\n",
        b"1 erase 0\n",
        b"1 check 99999999\n",
        b"1 check 0 0\n",
        b"x" * 100,
        b"1 check 5\nt9:ab",
        b"1 check 4\ntx:a",
        b"1 check 2\nt:",
    ],
)
def test_what_is_no_request_is_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        protocol.take(raw)


def test_bytes_that_are_no_text_are_kept() -> None:
    query, _ = protocol.take(b"1 check 5\nt2:\xff\xfe")
    assert query is not None
    assert query.field("t") == "\udcff\udcfe"


def test_fields_are_found_by_letter_and_pairs_by_name() -> None:
    raw = protocol.ask(1, "check", protocol.body([("t", "ls"), ("a", "ll=ls -l"), ("a", "ll=ls"), ("a", "broken")]))
    query, _ = protocol.take(raw)
    assert query is not None
    assert (query.field("t"), query.field("c", "/"), query.pairs("a")) == ("ls", "/", {"ll": "ls"})


def test_a_reply_counts_the_bytes_of_its_message_with_the_carriage_returns() -> None:
    assert protocol.answer("7", Reply("allow")) == b"7 allow 0 - -\n"
    assert protocol.answer("7", Reply("ask", "é\n", "yn", "ab")) == b"7 ask 4 yn ab\n\xc3\xa9\r\n"


def test_words_are_fields_that_end_in_a_nul() -> None:
    assert words(b"sfish\0tls\n-l\0\0") == [("s", "fish"), ("t", "ls\n-l")]
    with pytest.raises(Malformed):
        words(b"tcut off")
