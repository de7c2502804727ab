"""The auto-allow list: plain lines, parsed words, and nothing the engine knows to do more than read."""

from __future__ import annotations

from pathlib import Path

import pytest

from phocinae_cli import kb
from phocinae_cli.analysis.analyze import analyze
from phocinae_cli.core.effects import Action, Analysis
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import AUTO_ALLOW_EXACT, AUTO_ALLOW_PREFIXES, Settings
from phocinae_cli.gate.autoallow import NAMES_ANOTHER, covered_by, on_the_list, refusal
from phocinae_cli.gate.rules import is_quiet
from phocinae_cli.kb.lookup import Knowledge
from tests.gate.fakes import action, analysis, effect, settings


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge((Path(kb.__file__).parent / "kb.txt").read_text("utf-8"))


def listed(of: Analysis, using: Settings | None = None) -> bool:
    return bool(on_the_list(using or Settings(), of))


@pytest.mark.parametrize("entry", AUTO_ALLOW_PREFIXES)
def test_a_prefix_of_the_built_in_list_is_legal_and_allows_arguments(entry: str) -> None:
    assert refusal(entry, exact=False) == ""
    assert listed(analysis(action(entry)))
    assert listed(analysis(action(entry + " more words -x")))
    assert not listed(analysis(action(entry + "x")))


@pytest.mark.parametrize("entry", AUTO_ALLOW_EXACT)
def test_a_whole_command_of_the_built_in_list_is_legal_and_allows_no_argument(entry: str) -> None:
    assert refusal(entry, exact=True) == ""
    assert listed(analysis(action(entry)))
    assert not listed(analysis(action(entry + " destroy-everything")))


@pytest.mark.parametrize(
    "entry",
    [
        "ls; rm", "ls && rm", "ls | sh", "ls > x", "ls < x", "ls & rm", "echo $(rm)", "echo `rm`", "ls\nrm", "ls $X",
        "git 'status'", 'ls "x"', "ls *", "ls \\x", "ls [a]", "ls {a,b}", "ls ~", "ls # x", "", "  ", "X=1 ls", "ls !x",
        "./ls", "/bin/ls", "bin/ls x",
    ],
)  # fmt: skip
def test_an_entry_is_plain_words(entry: str) -> None:
    assert refusal(entry, exact=False)
    assert refusal(entry, exact=True)


@pytest.mark.parametrize("program", sorted(NAMES_ANOTHER))
def test_a_program_that_can_name_a_second_command_is_no_prefix(program: str) -> None:
    assert refusal(program, exact=False)
    assert refusal(f"{program} -x", exact=False)
    assert refusal(program, exact=True) == ""


@pytest.mark.parametrize("entry", ["python3.11", "python -m http.server", "python -m", "python2.7 x", "find . -name x"])
def test_neither_versions_nor_arguments_make_such_a_prefix_legal(entry: str) -> None:
    assert refusal(entry, exact=False)


@pytest.mark.parametrize("program", ["find", "env", "fd", "rg", "xargs", "sudo", "doas", "sh", "bash", "python"])
def test_the_programs_that_the_documentation_names_are_refused(program: str) -> None:
    assert program in NAMES_ANOTHER


def test_what_was_slipped_past_the_check_is_still_not_followed() -> None:
    assert not listed(analysis(action("sudo ls")), settings(gate_auto_allow=("sudo",)))


@pytest.mark.parametrize("plain", [False])
def test_a_line_with_an_operator_is_not_on_the_list(plain: bool) -> None:
    assert not listed(analysis(action("git status"), plain=plain))


def test_a_chain_is_not_on_the_list_by_its_first_command() -> None:
    assert not listed(analysis(action("git status"), action("rm -rf x"), plain=True))


@pytest.mark.parametrize(
    "of",
    [
        action("git status <parameter X>"),
        action("./git status"),
        action("/tmp/ls"),
        action("git status", via=("sudo",)),
        Action("", (), (), 0, 1),
    ],
)
def test_what_runs_must_be_known_and_be_the_program_that_is_named(of: Action) -> None:
    assert not listed(analysis(of, plain=True))


def test_a_program_in_a_standard_folder_is_the_one_that_its_name_means() -> None:
    assert listed(analysis(action("/usr/bin/git status")))


def test_an_alias_counts_as_what_it_stands_for() -> None:
    assert not listed(analysis(action("rm -rf ~")), settings(gate_auto_allow=("ls",)))
    assert listed(analysis(action("git status -sb")))


@pytest.mark.parametrize(
    ("kind", "harm", "applies"),
    [
        ("read", None, True),
        ("run-project-code", None, True),
        ("unknown", None, False),
        ("create", "harmless", True),
        ("create", None, False),
        ("overwrite", None, False),
        ("show-secret", None, False),
        ("run-unknown-code", None, False),
        ("read", "risky", False),
    ],
)
def test_an_effect_beyond_reading_takes_the_line_off_the_list(kind: str, harm: str | None, applies: bool) -> None:
    of = action("git diff --output=x")
    seen = effect(of, kind, "x")
    seen.harm = harm
    assert listed(analysis(of, effects=(effect(of, "read"), seen))) is applies


def test_a_program_nobody_described_is_vouched_for_by_an_entry_of_the_users_own() -> None:
    of = action("mytool list x", described=False)
    line = analysis(of, effects=(effect(of, "unknown", "mytool"),))
    assert listed(line, settings(gate_auto_allow=("mytool list",)))
    assert listed(line, settings(gate_auto_allow_exact=("mytool list x",)))
    known = analysis(of, effects=(effect(of, "unknown", "mytool"), effect(of, "delete", "x")))
    assert not listed(known, settings(gate_auto_allow=("mytool list",)))


@pytest.mark.parametrize("entry", [*AUTO_ALLOW_PREFIXES, *AUTO_ALLOW_EXACT])
def test_the_engine_knows_what_the_built_in_entries_do(entry: str, knowledge: Knowledge) -> None:
    found = analyze(Request(entry), Facts(), knowledge)
    assert [seen.code for seen in found.effects if not is_quiet(seen)] == []


def test_what_a_project_script_does_counts() -> None:
    make, inner = action("make test"), action("rm -rf /home/user/work")
    inner.place = "Makefile:3"
    reads = Analysis((make, inner), (effect(make, "run-project-code"),), plain=True)
    deletes = Analysis((make, inner), (effect(inner, "delete", "work", "home-data"),), plain=True)
    assert listed(reads)
    assert not listed(deletes)


@pytest.mark.parametrize("fault", [{"fault": "odd"}, {"unfinished": True}])
def test_a_line_that_is_not_read_to_its_end_is_not_on_the_list(fault: dict[str, str | bool]) -> None:
    of = analysis(action("git status"))
    for name, value in fault.items():
        setattr(of, name, value)
    assert not listed(of)


@pytest.mark.parametrize(
    ("entry", "whole", "covered"),
    [
        ("git status", False, True), ("git status -s", False, True), ("git", False, False), ("git stat", False, False),
        ("git status", True, True), ("make", True, True), ("make", False, False), ("make x", True, False),
    ],
)  # fmt: skip
def test_an_entry_is_covered_by_a_shorter_prefix_or_by_itself(entry: str, whole: bool, covered: bool) -> None:
    assert covered_by(entry, ("git status",), ("make",), whole) is covered
