"""Other guards: how they are called, how their verdicts read, and what their failures count as."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from phocinae_cli.bench.adapters import Guard, load_adapter, read_verdict, version_of
from phocinae_cli.bench.outcome import Row
from phocinae_cli.errors import PhocinaeError

SHIPPED = sorted((Path(__file__).parents[2] / "bench" / "adapters").glob("*.toml"))

HOOK = """
import json, sys
call = json.load(sys.stdin)
command = call["tool_input"]["command"]
if command == "quiet":
    sys.exit()
if command == "crash":
    sys.exit(1)
if command == "brake":
    print("no", file=sys.stderr)
    sys.exit(2)
if command == "talk":
    print("this is no JSON")
    sys.exit()
word = {"rm": "block", "odd": "perhaps"}.get(command.split()[0], "go")
print(json.dumps({"out": {"word": word, "saw": [call["tool_name"], call["hook_event_name"], call["cwd"]]}}))
"""


def adapter(folder: Path, body: str) -> str:
    path = folder / "guard.toml"
    path.write_text(f'name = "guard"\n{body}')
    return str(path)


@pytest.fixture
def hook(tmp_path: Path) -> Guard:
    program = tmp_path / "hook.py"
    program.write_text(HOOK)
    body = f'command = ["{sys.executable}", "{program}"]\n[exit]\n2 = "deny"\n'
    body += '[json]\npath = "out.word"\nallow = ["go"]\ndeny = ["block", "stop"]\nmissing = "allow"\n'
    return Guard(load_adapter(adapter(tmp_path, body)))


@pytest.mark.parametrize(
    ("command", "decision", "error"),
    [
        ("ls", "allow", ""),
        ("rm x", "deny", ""),
        ("quiet", "allow", ""),
        ("brake", "deny", ""),
        ("crash", "ask", "exit-1"),
        ("talk", "ask", "exit-0"),
        ("odd", "ask", "exit-0"),
    ],
)
def test_a_hook_is_read_by_its_json_and_its_status(hook: Guard, command: str, decision: str, error: str) -> None:
    found = hook(Row("1", command, "harmless"))
    assert found is not None
    assert (found.decision, found.error) == (decision, error)


def test_a_guard_is_not_asked_about_shells_it_does_not_speak_for(hook: Guard) -> None:
    assert hook(Row("1", "ls", "harmless", shell="powershell")) is None


@pytest.mark.parametrize("way", ["stdin", "argument"])
def test_the_line_arrives_whole(tmp_path: Path, way: str) -> None:
    source = "sys.stdin.read()" if way == "stdin" else "sys.argv[1]"
    program = tmp_path / "guard.py"
    program.write_text(f"import sys\nsys.exit(7 if {source} == 'a  b;\\nc' else 1)\n")
    body = f"command = ['{sys.executable}', '{program}']\ninput = '{way}'\n[exit]\n7 = 'deny'\n"
    found = Guard(load_adapter(adapter(tmp_path, body)))(Row("1", "a  b;\nc", "harmless"))
    assert found is not None
    assert found.decision == "deny"


def test_a_guard_that_hangs_or_is_no_program_asks(tmp_path: Path) -> None:
    body = (
        f'command = ["{sys.executable}", "-c", "import time; time.sleep(60)"]\ntimeout_s = 0.2\n[exit]\n0 = "allow"\n'
    )
    found = Guard(load_adapter(adapter(tmp_path, body)))(Row("1", "ls", "harmless"))
    assert found is not None
    assert (found.decision, found.error) == ("ask", "TimeoutExpired")


def test_a_guard_that_is_not_installed_is_told_before_anything_is_measured(tmp_path: Path) -> None:
    path = adapter(tmp_path, 'command = ["no-such-guard-here"]\n[exit]\n0 = "allow"\n')
    with pytest.raises(PhocinaeError, match="no-such-guard-here is not installed"):
        Guard(load_adapter(path))


def test_every_fault_of_an_adapter_is_told_together(tmp_path: Path) -> None:
    path = adapter(tmp_path, 'command = []\ninput = "telepathy"\ncolour = 1\n[exit]\n0 = "perhaps"\n')
    with pytest.raises(PhocinaeError) as caught:
        load_adapter(path)
    assert caught.value.details == (
        "there is no key called 'colour'",
        "`command` must be a list of words",
        "`input` must be one of stdin, argument, hook",
        "[exit]: 'perhaps' is no decision",
    )
    with pytest.raises(PhocinaeError, match="no adapter"):
        load_adapter(str(tmp_path / "absent.toml"))


def test_the_version_is_the_first_word_with_a_digit(tmp_path: Path) -> None:
    version = f"version = ['{sys.executable}', '-c', 'print(\"guard 1.2\"); print(3)']\n"
    found = load_adapter(adapter(tmp_path, f'command = ["x"]\n{version}[exit]\n0 = "allow"\n'))
    assert version_of(found) == "1.2"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_adapters_that_come_along_can_be_read(path: Path) -> None:
    found = load_adapter(str(path))
    assert found.name == path.stem
    said = b'{"hookSpecificOutput": {"permissionDecision": "%s"}}'
    assert [read_verdict(found, 0, said % word) for word in (b"allow", b"ask", b"deny")] == ["allow", "ask", "deny"]
    assert read_verdict(found, 2, b"") == "deny"
    assert read_verdict(found, 0, b"") == "allow"
    assert read_verdict(found, 1, b"") is None


def test_three_guards_come_along() -> None:
    assert len(SHIPPED) >= 3
