"""Laws that hold for every line: there is a verdict, more never loosens, and spelling does not matter."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phocinae_cli.analysis.parse import parse
from phocinae_cli.bench.spellings import spellings
from phocinae_cli.core.verdict import DECISION_RANK
from tests.judging import decision, judged

DATASETS = Path(__file__).parents[2] / "bench" / "datasets"


def labelled(count: int) -> list[dict[str, str]]:
    rows = [json.loads(line) for line in (DATASETS / "own" / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    posix = [row for row in rows if row["shell"] in ("bash", "zsh")]
    return random.Random(7).sample(posix, count)


# --- totality --------------------------------------------------------------------------------------------------------

WORDS = (
    "rm", "-rf", "/", "~", "$(", "${", "<<EOF\n", "if ", "then ", "fi", "do ", "done", "case ", "esac", "for ",
    "in ", "x=", "eval ", "sh -c ", "[[ ", "]]", "((", "))", ";;", "&&", "||", "function ", "select ",
)  # fmt: skip
PIECES = st.one_of(
    st.sampled_from(list(" \t\n;&|<>(){}[]$`'\"\\*?~!#=-/.,:@%^+")),
    st.sampled_from(WORDS),
    st.characters(),
)
SHELLISH = st.lists(PIECES, max_size=40).map("".join)


@given(SHELLISH, st.sampled_from(["bash", "zsh", "sh"]))
@settings(max_examples=1500)
def test_any_text_gets_a_decision(text: str, shell: str) -> None:
    assert decision(text, shell) in DECISION_RANK


@given(st.binary(max_size=80))
@settings(max_examples=300)
def test_any_bytes_get_a_decision(data: bytes) -> None:
    assert decision(data.decode("utf-8", "surrogateescape")) in DECISION_RANK


@pytest.mark.parametrize(
    "opening", ["(", "$(", "${x:-", '"$(', "`", "<(", "if ", "{ ", "((", "$((", "eval '", "f() { ", "case x in x) "]
)
@pytest.mark.parametrize("depth", [50, 10_000])
def test_deep_nesting_is_never_allowed_unread(opening: str, depth: int) -> None:
    assert decision(opening * depth + "rm -rf /") in ("ask", "deny")


def test_a_text_over_the_limit_asks() -> None:
    assert decision("echo " + "a" * 70_000) == "ask"


# --- monotonicity ----------------------------------------------------------------------------------------------------


def standing_alone(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the rows behind which a further line really is a further command."""
    return [
        row for row in rows
        if not any(mark in row["command"] for mark in ("<<", "#"))
        and parse(row["command"], row["shell"]).fault is None
    ]  # fmt: skip


@pytest.mark.parametrize("row", standing_alone(labelled(160)), ids=lambda row: row["id"])
def test_one_more_command_never_loosens_the_line(row: dict[str, str]) -> None:
    line, shell = row["command"], row["shell"]
    before = DECISION_RANK[decision(line, shell)]
    for more in ("true", "rm -rf /", "git status", "unknown-program --x"):
        assert DECISION_RANK[decision(f"{line.rstrip(' ;&')}\n{more}", shell)] >= before, more
        assert DECISION_RANK[decision(f"{more}\n{line}", shell)] >= before, more


# --- invariance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", labelled(250), ids=lambda row: row["id"])
def test_the_spelling_does_not_matter(row: dict[str, str]) -> None:
    line, shell = row["command"], row["shell"]
    harm = judged(line, shell).harm
    for spelling in spellings(line, shell):
        assert judged(spelling.line, shell).harm == harm, spelling


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("rm -rf ./build", "rm -rf . /build"),
        ("rm -rf /tmp/work", "rm -rf /tmp/work /"),
        ("rm -rf node_modules", "rm -rf node_modules/../.git"),
        ("echo 'rm -rf /'", "echo $(rm -rf /)"),
        ("cat <<'EOF'\n$(rm -rf /)\nEOF", "cat <<EOF\n$(rm -rf /)\nEOF"),
        ("echo rm -rf / '|' sh", "echo rm -rf / | sh"),
        ("find . -name '*.pyc' -delete", "find . -delete -name '*.pyc' -o -name '*'"),
        ("chmod 600 ~/.ssh/id_rsa", "chmod 666 ~/.ssh/id_rsa"),
        ("rm -rf \"$HOME/x/node_modules\"", "rm -rf \"$HOME/x\" node_modules"),
        ("cd /tmp/x && rm -rf *", "cd /tmp/x; cd; rm -rf *"),
        ("f() { rm -rf /; }", "f() { rm -rf /; }; f"),
        ("dd if=/dev/sda of=/dev/null", "dd if=/dev/null of=/dev/sda"),
        ("mv notes.txt /tmp/", "mv notes.txt /dev/null"),
        ("tee out.log < in", "tee /etc/passwd < in"),
    ],
)  # fmt: skip
def test_near_identical_text_with_another_effect_differs(line: str, near: str) -> None:
    assert DECISION_RANK[decision(near)] > DECISION_RANK[decision(line)]
