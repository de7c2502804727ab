from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.core.jsontext import encode

TEXTS = st.text(st.characters(), max_size=40) | st.text(
    st.sampled_from('a"\\/\n\r\t\b\f\0\x1b\x7f\x85\xa0\u200b\u2028\u202e\ud800\udc80\ufeff😀\U000e0041é'), max_size=20
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)


@given(VALUES)
def test_json_reads_back_what_was_encoded(value: object) -> None:
    # Two lone halves that happen to stand side by side are one character to any JSON reader, ours or not.
    assert json.loads(encode(value)) == json.loads(json.dumps(value))


@given(TEXTS)
def test_text_comes_out_as_one_line_that_a_terminal_and_utf8_can_take(text: str) -> None:
    encoded = encode(text)
    assert encoded.isprintable()
    encoded.encode("utf-8")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_float_that_json_lacks_becomes_null(value: float) -> None:
    assert encode(value) == "null"


def test_a_tuple_is_a_list_and_true_is_not_one() -> None:
    assert encode((1, True, False, None, 1.5, "x")) == '[1, true, false, null, 1.5, "x"]'


@pytest.mark.parametrize("value", [{1: "x"}, object(), b"bytes", {"a": {1, 2}}])
def test_what_has_no_json_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)


def test_a_long_text_with_line_ends_takes_no_walk_through_its_letters() -> None:
    assert json.loads(encode("line\n" * 20_000)) == "line\n" * 20_000


@pytest.mark.parametrize("module", ["phocinae_cli.core.jsontext", "phocinae_cli.state.places"])
def test_the_module_loads_nothing_else(module: str) -> None:
    code = f"import sys; before = set(sys.modules); import {module}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name for name in done.stdout.split() if not name.startswith("phocinae_cli")} <= {"__future__"}
