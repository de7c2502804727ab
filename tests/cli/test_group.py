"""The commands as a whole: the table, help, completion, and how errors are told."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from phocinae_cli import __version__
from phocinae_cli.cli import COMMANDS, failure, main
from phocinae_cli.cli.group import Lazy
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from tests.cli.conftest import ROOT, Run

FOLDER = ROOT / "phocinae_cli" / "cli"


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row[0])
def test_the_line_of_help_is_the_one_of_the_command(row: tuple[str, str, str]) -> None:
    _, module, line = row
    loaded = import_module(f"phocinae_cli.cli.{module}")
    told = loaded.app.info.help if hasattr(loaded, "app") else (inspect.getdoc(loaded.command) or "").split("\n\n")[0]
    assert " ".join(told.split()) == line
    assert line.endswith(".")
    assert len(line) <= 110


def test_no_module_with_a_command_is_left_out() -> None:
    found = {
        path.stem
        for path in FOLDER.glob("*.py")
        if "\ndef command(" in path.read_text() or "\napp = typer.Typer(" in path.read_text()
    }
    assert found == {module for _, module, _ in COMMANDS}


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"Usage: phocinae {name}" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["rules", "approvals", "kb", "config"])
def test_the_help_of_a_group_cuts_no_line_short(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert "..." not in out.partition("Commands:")[2]
    for command in import_module(f"phocinae_cli.cli.{name}").app.registered_commands:
        assert " ".join((inspect.getdoc(command.callback) or "").split()) in " ".join(out.split())


def test_the_help_lists_every_command_without_loading_one(run: Run) -> None:
    out = run("--help").stdout.decode()
    for name, _, line in COMMANDS:
        assert f"  {name} " in out
        assert line.split()[0] in out
    code = "import sys; from phocinae_cli.cli import main; main(['--help']); "
    code += "print([name for name in sys.modules if name.startswith('phocinae_cli.cli.')])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    loaded = done.stdout.strip().splitlines()[-1]
    assert loaded == "['phocinae_cli.cli.screen', 'phocinae_cli.cli.group']"


def test_calling_one_command_builds_no_other() -> None:
    commands = Lazy(COMMANDS)
    assert commands["explain"].name == "explain"
    assert list(commands.built) == ["explain"]
    assert list(commands) == [name for name, _, _ in COMMANDS]
    with pytest.raises(KeyError):
        commands["nonsense"]


@pytest.mark.parametrize("argv", [["check", "--shell", "tcsh", "ls"], ["init", "tcsh"], ["init"]], ids=repr)
def test_what_is_said_of_a_wrong_value_is_plain(run: Run, argv: list[str]) -> None:
    told = run(*argv).stderr.decode().splitlines()
    assert len(told) == 2
    assert "bash" in told[0]
    assert "Value error" not in told[0]
    assert "\\" not in told[0]


@pytest.mark.parametrize("argv", [[], ["chek", "ls"], ["check"], ["--nonsense"], ["explain"]], ids=repr)
def test_wrong_usage_is_told_with_a_way_out(run: Run, argv: list[str]) -> None:
    done = run(*argv)
    assert (done.returncode, done.stdout) == (2, b"")
    lines = done.stderr.decode().splitlines()
    assert lines[0].startswith("phocinae: ")
    assert lines[-1].endswith("[PHOCINAE_INVALID_ARGUMENTS]")
    assert "--help" in done.stderr.decode()


def test_a_typing_error_is_guessed(run: Run) -> None:
    assert b"check" in run("chek", "ls").stderr


def test_the_version_is_told(run: Run) -> None:
    done = run("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"phocinae {__version__}\n")


def test_a_shell_can_complete_commands_and_options(run: Run) -> None:
    def completions(words: str) -> bytes:
        env = {"_PHOCINAE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        return run(env=env).stdout

    assert b"explain" in completions("phocinae ex")
    assert b"--fail-on" in completions("phocinae check --fail")
    assert b"deny" in completions("phocinae check --fail-on de")


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (
            PhocinaeError("some.code", "it broke", "mend it"),
            3,
            "phocinae: it broke\n  mend it  [some.code]\n",
        ),
        (PhocinaeError("some.code", "it broke"), 3, "phocinae: it broke  [some.code]\n"),
        (
            PhocinaeError(INVALID_CONFIG, "2 faults", "mend them", ("one", "two")),
            3,
            "phocinae: 2 faults\n  one\n  two\n  mend them  [PHOCINAE_INVALID_CONFIG]\n",
        ),
        (
            PhocinaeError(INVALID_ARGUMENTS, "2 faults", details=("one", "two")),
            2,
            "phocinae: 2 faults\n  one\n  two  [PHOCINAE_INVALID_ARGUMENTS]\n",
        ),
        (PhocinaeError("c", "one", details=("one",)), 3, "phocinae: one  [c]\n"),
        (PhocinaeError("c", "one", details=("one", "two")), 3, "phocinae: one\n  two  [c]\n"),
        (PhocinaeError("c", "a\x1b[2Jb\nc"), 3, "phocinae: a\\x1b[2Jb\\nc  [c]\n"),
        (FileNotFoundError(2, "No such file", "/x\x1b"), 3, "phocinae: /x\\x1b: No such file  [system]\n"),
        (KeyboardInterrupt(), 130, ""),
        (SystemExit(10), 10, ""),
        (SystemExit(None), 0, ""),
        (SystemExit("text"), 3, ""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_failure_is_told_and_has_a_status(
    error: BaseException, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failure(error) == status
    out = capsys.readouterr()
    assert (out.out, out.err) == ("", told)


def test_a_fault_of_ours_is_named_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(KeyError("x")) == 3
    assert "internal error: KeyError: 'x'" in capsys.readouterr().err


def test_a_fault_anywhere_exits_with_3(home: Path) -> None:
    """A crash would exit with 1, which could be taken for a verdict by a hasty script."""
    code = (
        "import sys; from phocinae_cli import entry; import phocinae_cli.app as app\n"
        "def broken(*args, **named): raise ZeroDivisionError('x')\n"
        "app.Checker.from_environment = broken\n"
        "sys.argv = ['phocinae', *sys.argv[1:]]; sys.exit(entry.main())"
    )
    for argv in (["check", "ls"], ["check", "--jsonl"], ["explain", "ls"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *argv],
            cwd=ROOT,
            env={"HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 3
        assert done.stderr.startswith(b"phocinae: internal error: ZeroDivisionError")


def test_explain_answers_with_0_and_the_reasoning(run: Run) -> None:
    done = run("explain", "sudo rm -rf ~ && ls")
    out = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    for part in ("deny", "step 1", "via", "trail", "rm -rf"):
        assert part in out
    assert run("explain", "-", stdin=b"rm -rf ~").returncode == 0
    assert run("explain", "--json", "ls").returncode == 2


def test_documentation_names_every_field() -> None:
    from phocinae_cli.core.reasons import MESSAGES
    from phocinae_cli.render.json import as_object
    from tests.render.reports import REPORTS

    text = (ROOT / "docs" / "json.md").read_text()
    told = as_object(REPORTS["wrapped"])
    findings = told["findings"]
    assert isinstance(findings, list)
    first = findings[0]
    assert isinstance(first, dict)
    for field in (*told, *first):
        assert f"| `{field}` |" in text
    for reason in MESSAGES:
        assert f"| `{reason}` |" in text
