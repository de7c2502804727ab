"""JSON that two parsers could read differently is no JSON here."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.backends.strictjson import NotJson, parse, printable


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"{",
        b"{}{}",
        b"nul",
        b"NaN",
        b"[Infinity]",
        b"[-Infinity]",
        b"[1e400]",
        b"[-1e400]",
        b"[" + b"9" * 41 + b"]",
        b"[0." + b"1" * 500 + b"]",
        b"[01]",
        b"['a']",
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": 1, "b": 2}}',
        b'{"\\u0061": 1, "a": 2}',
        b'\xef\xbb\xbf{"a": 1}',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        '{"a": 1}'.encode("utf-16"),
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'"\n"',
    ],
)
def test_refused(data: bytes) -> None:
    with pytest.raises(NotJson) as caught:
        parse(data)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b' {"a": [1, -2.5e3, true, null, "\\u00e9\xc3\xa9"]}\n', {"a": [1, -2500.0, True, None, "éé"]}),
        (b'"\\ud800"', "\ud800"),
        (b"[0.1, 1e-400, 12345678901234567890]", [0.1, 0.0, 12345678901234567890]),
        (b"[" * 200 + b"]" * 200, None),
    ],
)
def test_read(data: bytes, value: object) -> None:
    found = parse(data)
    assert found == value or value is None


@given(st.recursive(st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(), lambda x: st.lists(x)))
def test_whatever_json_writes_is_read_back(value: object) -> None:
    assert parse(json.dumps(value).encode()) == value


@given(st.text())
def test_what_is_shown_can_be_shown_anywhere(text: str) -> None:
    shown = printable(text, 40)
    assert shown.isprintable()
    shown.encode("utf-8")
