"""The parser on tables of lines: what it finds, what it refuses, and what it keeps of a text that is cut short."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from phocinae_cli.analysis.parse import MAX_CHARS, MAX_DEPTH, parse
from phocinae_cli.analysis.syntax import CommandSub, Literal, Param, Redirect, Simple, Tree, Word
from tests.analysis.trees import nodes, programs, written

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parents[1] / "cases" / "parse.toml").read_text(encoding="utf-8")
)
REFUSED = [(group["dialect"], line) for group in CASES["refused"] for line in group["lines"]]


def only(tree: Tree) -> Simple:
    """Return the one simple command of a tree."""
    assert tree.fault is None
    ((command, _),) = tree.body.items
    assert isinstance(command, Simple)
    return command


def first_part(line: str, dialect: str = "bash") -> object:
    """Return the first part of the last word of a line."""
    return only(parse(line, dialect)).words[-1].parts[0]


def redirects(line: str) -> list[Redirect]:
    """Return all redirections of a line, in order."""
    tree = parse(line)
    assert tree.fault is None
    return sorted((node for node, _, _ in nodes(tree.body) if isinstance(node, Redirect)), key=lambda r: r.start)


@pytest.mark.parametrize("case", CASES["valid"], ids=lambda case: case["line"])
def test_every_program_of_a_line_is_found(case: dict[str, Any]) -> None:
    tree = parse(case["line"], case.get("dialect", "bash"), comments=case.get("comments", True))
    assert tree.fault is None, tree.fault.message
    assert programs(tree) == case["programs"]


@pytest.mark.parametrize("case", CASES["tree"], ids=lambda case: case["line"])
def test_a_line_has_the_tree_that_was_reviewed(case: dict[str, Any]) -> None:
    tree = parse(case["line"], case.get("dialect", "bash"))
    assert tree.fault is None, tree.fault.message
    assert written(tree.body.items) == case["tree"]


@pytest.mark.parametrize(("dialect", "line"), REFUSED)
def test_no_malformed_line_is_taken(dialect: str, line: str) -> None:
    fault = parse(line, dialect).fault
    assert fault is not None
    assert fault.code in ("syntax", "unfinished")
    assert 0 <= fault.at <= len(line)


@pytest.mark.parametrize("case", CASES["fault"], ids=lambda case: case["line"])
def test_what_was_read_before_a_fault_is_kept(case: dict[str, Any]) -> None:
    tree = parse(case["line"])
    assert tree.fault is not None
    assert tree.fault.code == case["code"]
    assert programs(tree) == case["programs"]


def test_the_tables_are_as_large_as_promised() -> None:
    assert sum(case.get("dialect", "bash") == "bash" for case in CASES["valid"]) >= 100
    assert sum(dialect == "bash" for dialect, _ in REFUSED) >= 60


def test_a_keyword_in_quotes_is_a_word() -> None:
    assert programs(parse("\\if a; 'then' b; \"fi\"")) == ["if", "then", "fi"]


def test_a_word_knows_that_it_was_quoted() -> None:
    words = only(parse('a \'b\' "" c\\d "$e" $f g')).words
    assert [word.quoted for word in words] == [False, True, True, True, True, False, False]
    assert [word.bare() for word in words] == ["a", None, None, None, None, None, "g"]
    assert words[2].parts == ()


@pytest.mark.parametrize(
    ("written_as", "meant"),
    [
        (r"$'\x72\x6d'", "rm"),
        (r"$'\162\155'", "rm"),
        (r"$'\u0072\U0000006d'", "rm"),
        (r"$'a\tb\n'", "a\tb\n"),
        (r"$'\e[0m\E'", "\x1b[0m\x1b"),
        (r"$'\\\'\"\?'", "\\'\"?"),
        (r"$'\cA\c?'", "\x01\x7f"),
        (r"$'\q'", "\\q"),
        (r"$'\xc3\xa9'", "é"),
        (r"$'rm\0 hidden'", "rm"),
        (r"$'\xzz'", "\\xzz"),
        (r"$'\x{41}'", "A"),
        ("'a'", "a"),
        ("'a\\'", "a\\"),
        ('"a\\"b"', 'a"b'),
        ('"\\a\\$"', "\\a$"),
        ('"a\\\nb"', "ab"),
        ("a\\\nb", "ab"),
        ("\\a\\ ", "a "),
    ],
)
def test_quotes_are_removed_as_the_shell_removes_them(written_as: str, meant: str) -> None:
    word = only(parse(f"x {written_as}")).words[-1]
    assert "".join(part.text for part in word.parts if isinstance(part, Literal)) == meant


@pytest.mark.parametrize(
    ("line", "name", "prefix", "op", "arg"),
    [
        ("a $x", "x", "", "", None),
        ("a $10", "1", "", "", None),
        ("a $@", "@", "", "", None),
        ("a ${10}", "10", "", "", None),
        ("a ${#}", "#", "", "", None),
        ("a ${#x}", "x", "#", "", None),
        ("a ${#:-y}", "#", "", ":-", "y"),
        ("a ${!x}", "x", "!", "", None),
        ("a ${!x*}", "x", "!", "*", ""),
        ("a ${!}", "!", "", "", None),
        ("a ${x-y}", "x", "", "-", "y"),
        ("a ${x:=y z}", "x", "", ":=", "y z"),
        ("a ${x##*/}", "x", "", "##", "*/"),
        ("a ${x%%.*}", "x", "", "%%", ".*"),
        ("a ${x/#b}", "x", "", "/#", "b"),
        ("a ${x^^}", "x", "", "^^", ""),
        ("a ${x,}", "x", "", ",", ""),
        ("a ${x@Q}", "x", "", "@", "Q"),
        ("a ${x: -1}", "x", "", ":", " -1"),
        ("a ${x y}", "x", "", "bad", " y"),
        ("a ${x.y}", "x", "", "bad", ".y"),
    ],
)
def test_a_parameter_is_taken_apart(line: str, name: str, prefix: str, op: str, arg: str | None) -> None:
    part = first_part(line)
    assert isinstance(part, Param)
    found = None if part.arg is None else "".join(p.text for p in part.arg.parts if isinstance(p, Literal))
    assert (part.name, part.prefix, part.op, found) == (name, prefix, op, arg)


def test_single_quotes_in_a_quoted_default_leave_the_command_live() -> None:
    assert programs(parse("""echo "${x:-'$(rm y)'}" """)) == ["echo", "rm"]
    assert programs(parse("""echo ${x:-'$(rm y)'}""")) == ["echo"]


def test_a_pattern_that_may_be_a_negated_subshell_shows_its_commands() -> None:
    assert programs(parse("!(rm -rf x)")) == ["rm"]
    assert programs(parse("!(rm -rf x) y")) == ["!(rm -rf x)"]


@pytest.mark.parametrize(
    ("line", "body", "quoted", "closed"),
    [
        ("a <<E\nx\nE\n", "x\n", False, True),
        ("a <<'E'\n$x\\\nE\n", "$x\\\n", True, True),
        ("a <<E\nx\\\nE\nE\n", "xE\n", False, True),
        ("a <<-E\n\tx\n\t y\n\tE\n", "x\n y\n", False, True),
        ("a <<E\nx", "x", False, False),
        ("a <<E", "", False, False),
        ('a <<E\n\\$ \\` \\\\ \\a "\nE', '$ ` \\ \\a "\n', False, True),
        ('a <<"E F"\nx\nE F', "x\n", True, True),
        ("a <<$'E'\nx\nE", "x\n", True, True),
        ("(a <<E\nx\nE\n)", "x\n", False, True),
        ("a $(b <<E\nx\nE)", "x\n", False, True),
    ],
)
def test_a_here_document_is_read_to_its_delimiter(line: str, body: str, quoted: bool, closed: bool) -> None:
    (redirect,) = redirects(line)
    found = redirect.body.parts if redirect.body else ()
    text = "".join(part.text for part in found if isinstance(part, Literal))
    assert (text, redirect.target.quoted, redirect.closed) == (body, quoted, closed)


def test_a_here_document_that_never_ends_is_not_a_fault() -> None:
    assert parse("a <<E\nb").fault is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a >b", [(">", None, "b")]),
        ("a 2>>b", [(">>", "2", "b")]),
        ("a2>b", [(">", None, "b")]),
        ("a {x}>b", [(">", "x", "b")]),
        ("a >&-", [(">&", None, "-")]),
        ("a 2>&1-", [(">&", "2", "1-")]),
        ("a <>b >|c", [("<>", None, "b"), (">|", None, "c")]),
        ("a &>b &>>c", [("&>", None, "b"), ("&>>", None, "c")]),
        ("{ a; } 2>b", [(">", "2", "b")]),
    ],
)
def test_a_redirection_has_its_operator_and_descriptor(
    line: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert [(r.op, r.fd, r.target.bare()) for r in redirects(line)] == expected


def test_spans_show_the_characters_of_a_node() -> None:
    line = 'a "$(b c)" `d e` <(f) >g'
    shown = {type(n).__name__ + ":" + line[n.start : n.end] for n, _, _ in nodes(parse(line).body) if hasattr(n, "end")}  # type: ignore[attr-defined]
    assert {
        'Word:"$(b c)"',
        "CommandSub:$(b c)",
        "Simple:b c",
        "CommandSub:`d e`",
        "Simple:d e",
        "ProcessSub:<(f)",
        "Simple:f",
        "Redirect:>g",
    } <= shown


def test_spans_inside_escaped_backquotes_are_those_of_the_whole() -> None:
    line = r"a `b \`c\`` d"
    subs = [n for n, _, _ in nodes(parse(line).body) if isinstance(n, CommandSub)]
    assert {line[sub.start : sub.end] for sub in subs} == {r"`b \`c\``"}


def test_a_trailing_backslash_waits_for_more_and_stays_in_the_word() -> None:
    tree = parse("rm x\\")
    assert tree.fault is not None
    assert tree.fault.code == "unfinished"
    assert programs(tree) == ["rm"]


def test_nesting_that_is_too_deep_is_refused_as_such() -> None:
    for text in ("(" * 200, "$(" * 200, "${x:-" * 200, "$((" * 200, "`echo " + "\\" * 50 + "`", "if " * 200):
        fault = parse(text).fault
        assert fault is not None
        assert fault.code in ("too-deep", "syntax", "unfinished")
    assert (parse("$(" * (MAX_DEPTH + 1)).fault or pytest.fail("taken")).code == "too-deep"
    assert parse("$(" * (MAX_DEPTH // 2 - 1) + "a" + ")" * (MAX_DEPTH // 2 - 1)).fault is None


def test_a_text_of_the_largest_size_is_read() -> None:
    tree = parse("a " * (MAX_CHARS // 2))
    assert tree.fault is None
    assert len(only(tree).words) == MAX_CHARS // 2


def test_sh_is_read_as_bash_is() -> None:
    assert programs(parse("a && [ -f b ] || c", "sh")) == ["a", "[", "c"]


def test_zsh_words_keep_what_bash_would_refuse() -> None:
    assert parse("ls x(.N)").fault is not None
    word = only(parse("ls x(.N)", "zsh")).words[-1]
    assert isinstance(word, Word)
    assert word.bare() == "x(.N)"
