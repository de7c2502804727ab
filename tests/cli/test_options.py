"""The one table of options, read twice: without imports by `quick`, and by Typer. Both must read alike."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from phocinae_cli.cli import check, table
from phocinae_cli.cli.group import CLI_ERROR
from phocinae_cli.options import CHOICE, FLAG, LIST, OPTIONS, ROW_OF, Values, clash, quick, split

app = typer.Typer(add_completion=False, rich_markup_mode=None)
app.command("check", cls=table.TableCommand)(check.command)
COMMAND: Any = typer.main.get_command(app)


def typers(argv: list[str]) -> Values | None:
    """What Typer makes of the arguments, or None where it refuses them."""
    try:
        context = COMMAND.make_context("check", list(argv), resilient_parsing=False)
    except CLI_ERROR:
        return None
    except typer.Exit:
        return None
    values = table.plain(context.params)
    return None if clash(values) else values


WORDS = st.sampled_from(
    [
        "ls",
        "rm -rf ~",
        "-",
        "--",
        "",
        "-rf",
        "-q",
        "push",
        "--force",
        "a=b",
        "--json=1",
        "--cwd=",
        "--help",
        "\udc80",
        "-h",
    ]
)
VALUES = st.sampled_from(["bash", "zsh", "Bash", "", "ask", "agent", "/tmp", "--json", "--", "a=b", "-"])


@st.composite
def argvs(draw: st.DrawFn) -> list[str]:
    argv: list[str] = []
    for _ in range(draw(st.integers(0, 5))):
        name, _, kind, choices, _ = draw(st.sampled_from(OPTIONS))
        form = draw(st.integers(0, 9))
        if form < 4:
            argv.append(draw(WORDS))
        elif kind == FLAG:
            argv.append(name)
        else:
            value = draw(st.sampled_from(choices) if kind == CHOICE and form < 8 else VALUES)
            argv += [f"{name}={value}"] if form % 2 else [name, value]
    return argv


@settings(max_examples=600)
@given(argvs())
def test_what_quick_takes_typer_reads_alike(argv: list[str]) -> None:
    values = quick(argv)
    if values is not None:
        assert typers(argv) == values


def test_the_property_is_about_many_command_lines() -> None:
    taken: set[tuple[str, ...]] = set()

    @settings(max_examples=600, database=None)
    @given(argvs())
    def collect(argv: list[str]) -> None:
        if quick(argv) is not None:
            taken.add(tuple(argv))

    collect()
    assert len(taken) > 60
    assert any(len(argv) > 2 for argv in taken)


SOURCE: dict[str, Any] = {"words": ["ls"]}


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["ls -la"], {"words": ["ls -la"]}),
        ([""], {"words": [""]}),
        (["ls", "-la"], {"words": ["ls", "-la"]}),
        (["rm", "-rf", "some where"], {"words": ["rm", "-rf", "some where"]}),
        (["--", "ls", "--json"], {"words": ["ls", "--json"]}),
        (["git", "checkout", "--", "x"], {"words": ["git", "checkout", "--", "x"]}),
        (["-"], {"words": ["-"]}),
        (["-", "--json"], {"words": ["-"], "json": True}),
        (["--stdin"], {"words": [], "stdin": True}),
        (["ls", "--json"], {**SOURCE, "json": True}),
        (["--json", "ls"], {**SOURCE, "json": True}),
        (["--shell", "zsh", "ls"], {**SOURCE, "shell": "zsh"}),
        (["--shell=zsh", "--shell=sh", "ls"], {**SOURCE, "shell": "sh"}),
        (["ls", "--cwd", "--json"], {**SOURCE, "cwd": "--json"}),
        (["--tool=", "ls"], {**SOURCE, "tool": ""}),
        (["--alias", "a=b c", "--alias=d=", "ls"], {**SOURCE, "alias": ["a=b c", "d="]}),
        (["rm \udc80"], {"words": ["rm \udc80"]}),
    ],
    ids=repr,
)
def test_plain_forms_are_read_without_typer(argv: list[str], expected: dict[str, Any]) -> None:
    empty: Values = {row[1]: [] if row[2] == LIST else False if row[2] == FLAG else None for row in OPTIONS}
    assert quick(argv) == {**empty, **expected}
    assert typers(argv) == quick(argv)


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["--help"],
        ["-h"],
        ["ls", "--help"],
        ["--jsonl"],
        ["--file", "x.sh"],
        ["--shell", "tcsh", "ls"],
        ["--shell"],
        ["--json=1", "ls"],
        ["--jsn", "ls"],
        ["--stdin", "ls"],
        ["ls", "--stdin"],
        ["--quiet", "--json", "ls"],
        ["-", "ls"],
    ],
    ids=repr,
)
def test_everything_else_is_left_to_typer(argv: list[str]) -> None:
    assert quick(argv) is None


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["git", "push", "--json"], "may be an option of check"),
        (["git", "--json", "push"], "may be an option of check"),
        (["git", "push", "--help"], "may be an option of check"),
        (["rm -rf ~", "--jsno"], "no such option: --jsno"),
        (["-", "ls"], "goes with no other word"),
    ],
    ids=repr,
)
def test_an_option_that_could_belong_to_either_side_is_refused(argv: list[str], part: str) -> None:
    """Dropping a word would vet another command than the one that runs."""
    assert part in split(argv)[2]
    assert typers(argv) is None


def test_no_option_is_lost_or_read_twice_by_typer() -> None:
    names = {name for parameter in COMMAND.params for name in parameter.opts if name.startswith("--")}
    assert names - {"--help"} == set(ROW_OF)
    assert len(ROW_OF) == len(OPTIONS)


def test_no_option_has_one_dash() -> None:
    """In `check rm -rq x` nothing may be taken out of the bundle."""
    assert all(name.startswith("--") for name in ROW_OF)


def test_reading_options_imports_nothing() -> None:
    code = "import sys; before = set(sys.modules); import phocinae_cli.options as o; o.quick(['ls', '--json']); "
    code += "print(sorted(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "['__future__', 'phocinae_cli', 'phocinae_cli.options']"
