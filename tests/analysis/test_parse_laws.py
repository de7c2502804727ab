"""Laws of the parser that hold for any text: an answer, sane spans, bounded depth, and time in proportion to length."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phocinae_cli.analysis.parse import MAX_DEPTH, parse
from phocinae_cli.analysis.syntax import Redirect, Tree
from tests.analysis.trees import nodes

DIALECTS = st.sampled_from(["bash", "zsh", "sh"])
PIECES = st.sampled_from(
    [
        *"abx01 \t\n;|&()<>'\"\\$`{}[]!#*?@=~+-^%/:,.\0\r\x01é\ud800\U0001f600",
        *(
            "if ",
            "then ",
            "else ",
            "elif ",
            "fi",
            "do ",
            "done",
            "for x in ",
            "while ",
            "case ",
            " in ",
            "esac",
            "{ ",
            "; }",
        ),
        *(
            "[[ ",
            " ]]",
            "((",
            "))",
            "$((",
            "$(",
            "${",
            "${x:-",
            "&&",
            "||",
            ";;",
            "<<E\n",
            "\nE\n",
            "<<-E",
            "<(",
            "=(",
            "$'",
        ),
        *(
            "@(",
            "!(",
            "() ",
            "function ",
            "coproc ",
            "time ",
            "repeat 2 ",
            "always ",
            "2>&1",
            ">|",
            "x=",
            "x=(",
            "declare ",
        ),
    ]
)
TEXTS = st.one_of(
    st.text(st.characters(codec=None, categories=None), max_size=60),
    st.lists(PIECES, max_size=25).map("".join),
)

# What opens something, and what closes it.
OPENERS = [
    ("(", ")"),
    ("$(", ")"),
    ('"$(', ')"'),
    ("`", "`"),
    ("\\`", "\\`"),
    ("${x:-", "}"),
    ('"${x:-', '}"'),
    ("${x[", "]}"),
    ("${x/", "}"),
    ("${ ", "; }"),
    ("$((", "))"),
    ("((", "))"),
    ("$[", "]"),
    ("<(", ")"),
    ("a <(", ")"),
    ("@(", ")"),
    ("a @(", ")"),
    ("!(", ")"),
    ("a !(b|", ")"),
    ("{ ", "; }"),
    ("if ", "; then a; fi"),
    ("if a; then ", "; fi"),
    ("while ", "; do a; done"),
    ("for x in a; do ", "; done"),
    ("case a in a) ", ";; esac"),
    ("[[ ( ", " ) ]]"),
    ("[[ ! ", " ]]"),
    ("f() { ", "; }"),
    ("f() ", ""),
    ("function f ", ""),
    ("coproc ", ""),
    ("! ", ""),
    ("time ", ""),
    ("a && (", ")"),
    ("a=(", ")"),
    ('declare a=("$(', ')")'),
    ("a[", "]=b"),
    ("$x[", "]"),
    ("a <<E && \n$(", "\nE\n"),
    ("=(", ")"),
    ("() { ", " }"),
    ("repeat 2 ", ""),
    ("for x (a) ", ""),
    ("if [[ a ]] { ", " }"),
    ("${${", "}}"),
    ("(a|", ")"),
    ("'", "'"),
    ('"', '"'),
    ("$'", "'"),
    ("{", "}"),
    ("[", "]"),
]
# What may stand in a text very often.
REPEATED = [
    *(
        "a",
        "a;",
        "a ",
        "$a",
        "'a'",
        '"a"',
        "((",
        "$((",
        "$[",
        "`a`",
        "`",
        "\\a",
        "\\\n",
        "a\n",
        "a|",
        "a&&",
        "a <<E\nE\n",
    ),
    *(
        "a <<E\n",
        "$(a)",
        "${a}",
        "${a",
        "<(a)",
        "@(",
        "@(a)",
        "a=b ",
        "a[",
        "a[b]=c ",
        "a=(b) ",
        "{",
        "}",
        "{ a;}",
        "(a);",
    ),
    *(
        "((a));",
        "((a);(b));",
        "((a) )",
        '"$a',
        '"`a`',
        '"',
        "'",
        "$'\\n'",
        "if ",
        "!(a) ",
        "!(",
        "${a[",
        "${ a;}",
        "${ ",
    ),
    *(
        "[[ a ]];",
        "[[ a && ",
        "case a in b) c;; esac;",
        "f() { a; };",
        "declare a=(b);",
        "=",
        "$x[",
        "$x[1]",
        "(a|b)",
        "<1-9>",
    ),
    *(
        "=(a)",
        "${(f)a}",
        "${(",
        "${a//",
        "\"${a:-'b'}\"",
        "a }",
        "{a,b}",
        "`\\`a\\``",
        "$(a <<E)\n",
        "a <<E\n$(b)\nE\n",
        "#",
        "<",
    ),
]


@settings(max_examples=1500)
@given(TEXTS, DIALECTS)
def test_any_text_gets_a_tree(text: str, dialect: str) -> None:
    tree = parse(text, dialect)
    assert isinstance(tree, Tree)
    assert tree.text == text
    assert tree.fault is None or tree.fault.code in ("syntax", "unfinished", "too-deep")


@settings(max_examples=800)
@given(TEXTS, DIALECTS)
def test_spans_lie_within_the_text_and_within_each_other(text: str, dialect: str) -> None:
    tree = parse(text, dialect)
    for node, above, field in nodes(tree.body):
        start, end = node.start, node.end  # type: ignore[attr-defined]
        assert 0 <= start <= end <= len(text), (node, start, end)
        # A here-document lies on other lines than the redirection that announces it.
        if above is not None and not (isinstance(above, Redirect) and field == "body"):
            assert above.start <= start, (above, node)  # type: ignore[attr-defined]
            assert end <= above.end, (above, node)  # type: ignore[attr-defined]


@settings(max_examples=300)
@given(TEXTS, st.sampled_from(["bash", "zsh"]))
def test_a_command_in_front_is_never_lost(text: str, dialect: str) -> None:
    tree = parse("first x\n" + text, dialect)
    assert tree.body.items
    node = tree.body.items[0][0]
    assert (node.start, node.end) == (0, 7)


def under(frames: int, call: Callable[[], Tree]) -> Tree:
    """Return what `call` returns when it is called from so many frames deep."""
    return call() if frames == 0 else under(frames - 1, call)


@pytest.mark.parametrize("dialect", ["bash", "zsh"])
@pytest.mark.parametrize(("opener", "closer"), OPENERS)
def test_ten_thousand_openers_get_an_answer(opener: str, closer: str, dialect: str) -> None:
    for times in (10_000 // len(opener), MAX_DEPTH + 1, MAX_DEPTH, MAX_DEPTH // 2, MAX_DEPTH // 2 - 2, 25):
        for text in (opener * times, opener * times + "x" + closer * times):
            tree = under(100, lambda text=text: parse(text, dialect))  # type: ignore[misc]
            assert tree.fault is None or tree.fault.message != "nested too deep"  # that is the backstop's


def steps(text: str, dialect: str) -> int:
    """Return how many lines of Python it takes to parse the text."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        parse(text, dialect)
    finally:
        sys.settrace(before)
    return count


# Places where a text is read a second time when the first reading fails, and what can stand between them.
DOUBTFUL = [
    "${ ",
    "!(",
    "a[",
    "((",
    "$((",
    "`a ",
    "a <<E\n",
    "a\\\n",
    "$(",
    '"$(',
    "x=(",
    "case x in (",
    "coproc ",
    "${x[",
    "$x[",
]


@pytest.mark.parametrize("dialect", ["bash", "zsh"])
@pytest.mark.parametrize("outer", DOUBTFUL)
def test_readings_that_are_tried_in_vain_do_not_multiply(outer: str, dialect: str) -> None:
    for inner in DOUBTFUL:
        for tail in ("", "x)", "x) y;"):
            small = steps((outer + inner) * 8 + tail, dialect)
            large = steps((outer + inner) * 16 + tail, dialect)
            assert large <= 8 * small, (inner, tail, small, large)  # doubling on every level would be 256 times


@pytest.mark.parametrize("dialect", ["bash", "zsh"])
@pytest.mark.parametrize("unit", REPEATED)
def test_the_work_grows_as_the_text_does(unit: str, dialect: str) -> None:
    times = 1200 // len(unit)
    for front in ("", "a "):
        small = steps(front + unit * times, dialect)
        large = steps(front + unit * times * 2, dialect)
        assert large <= 2.6 * small + 500, (small, large)
