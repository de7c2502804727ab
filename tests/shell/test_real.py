"""The hook with the real judge, from installing it to the question: nothing here stands in for anything."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from phocinae_cli.resident.hook import PACKAGE, hook_text
from tests.shell.terminal import ENTER, Terminal

pytestmark = pytest.mark.shell

ALL = pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])

CONFIG = """
[[rules]]
decision = "deny"
program = "wipefs"

[[rules]]
decision = "ask"
program = "tee"
"""
# A command that a rule denies and that harms nothing where it runs: there is no such disk.
DENIED = "wipefs -a /dev/phocinae-no-such-disk"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    config = tmp_path / "home" / ".config" / "phocinae"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(CONFIG)
    return tmp_path / "home"


@pytest.fixture
def one(home: Path, shell: str, program: object) -> Iterator[Terminal]:
    program(shell)  # type: ignore[operator]
    (home / "hook").write_text(hook_text(shell))
    made = Terminal(shell, home, rc=f"source {home}/hook\n")
    yield made
    made.close()


@ALL
def test_a_denied_line_is_stopped_and_an_allowed_one_runs(one: Terminal, shell: str) -> None:
    for text in (f"{one.touch()}; {DENIED}", f"{DENIED}; {one.touch()}"):
        one.forget()
        one.line(text)
        one.see("phocinae: deny")
        one.alive()
        assert not one.ran(), one.shown()


@ALL
def test_an_asked_line_asks_and_always_is_kept_for_this_line(one: Terminal, shell: str) -> None:
    text = f"echo x | tee {one.marks}/ran"
    one.line(text)
    one.see("run it?")
    one.settle()
    one.send("a")
    assert one.wait(one.ran), one.shown()
    one.alive()
    one.clear()
    one.forget()
    one.line(text)
    assert one.wait(one.ran), one.shown()
    assert "run it?" not in one.plain()
    kept = one.home / ".local" / "state" / "phocinae" / "approvals.jsonl"
    assert kept.stat().st_mode & 0o777 == 0o600


@ALL
def test_the_audit_log_has_the_line_with_its_verdict(one: Terminal, shell: str) -> None:
    one.line(DENIED)
    one.see("phocinae: deny")
    one.alive()
    log = one.home / ".local" / "state" / "phocinae" / "audit.jsonl"
    assert one.wait(log.exists)
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert any("wipefs" in json.dumps(entry) and "deny" in json.dumps(entry) for entry in entries)


@ALL
def test_a_configuration_that_breaks_asks_at_the_next_line_and_one_that_is_mended_does_not(
    one: Terminal, shell: str
) -> None:
    one.alive()
    config = one.home / ".config" / "phocinae" / "config.toml"
    config.write_text("[[rules]\n")
    one.forget()
    one.line(one.touch())
    one.see("can't check this line")
    one.see("run it?")
    one.settle()
    one.send("n")
    one.settle(0.3)
    assert not one.ran()
    config.write_text(CONFIG)
    one.alive()


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_value_of_a_variable_counts(one: Terminal, shell: str) -> None:
    one.line("where=/nonexistent-phocinae-test")
    one.alive()
    one.forget()
    one.line('cd "$where" && rm -rf "$where"/../etc')
    one.see("phocinae: ")
    one.settle(0.3)
    if "run it?" in one.plain():
        one.send("n")
    one.alive()


@pytest.mark.parametrize(
    ("shell", "off", "on"),
    [
        ("zsh", "unsetopt interactivecomments", "setopt interactivecomments"),
        ("bash", "shopt -u interactive_comments", "shopt -s interactive_comments"),
    ],
)
def test_a_comment_is_one_only_where_the_prompt_has_comments(one: Terminal, shell: str, off: str, on: str) -> None:
    one.line(off)
    one.alive()
    one.forget()
    one.line(f"# tidy up; {one.touch()}; {DENIED}")
    one.see("phocinae: deny")
    one.alive()
    assert not one.ran(), one.shown()
    one.line(on)
    one.alive()
    one.forget()
    one.line(f"# tidy up; {one.touch()}; {DENIED}")
    one.alive()
    assert "phocinae: deny" not in one.plain()


def test_doctor_sees_what_is_stopped_and_what_is_not(home: Path, program: object) -> None:
    program("bash")  # type: ignore[operator]
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8"}

    def run(*argv: str) -> tuple[int, str]:
        start = (
            "import sys; sys.path.insert(0, sys.argv.pop(1)); from phocinae_cli.cli import doctor, init, install;"
            "shell = [init.Shell('bash')];"
            "sys.exit(install.command(shell) if sys.argv[1] == 'install' else doctor.command(shell, False, True))"
        )
        ran = subprocess.run(
            [sys.executable, "-c", start, str(PACKAGE.parent), *argv],
            capture_output=True, text=True, check=False, env=environment, timeout=110, cwd=home,
        )  # fmt: skip
        return ran.returncode, ran.stdout

    status, told = run("doctor")
    seen = {row["name"]: row for row in json.loads(told)["checks"]}
    assert (status, seen["hook in bash"]["state"]) == (3, "absent")
    assert seen["hook in bash"]["seen"]["denied"] is False
    assert seen["worker"]["state"] == "ok"
    assert run("install")[0] == 0
    status, told = run("doctor")
    seen = {row["name"]: row for row in json.loads(told)["checks"]}
    assert status == 0, told
    assert seen["hook in bash"]["seen"] == {"allowed": True, "denied": True, "several lines": True, "pasted": True}


@ALL
def test_what_a_paste_brings_can_not_answer_the_question(one: Terminal, shell: str) -> None:
    one.send(f"echo x | tee {one.marks}/ran{ENTER}y{ENTER}y")
    one.see("run it?")
    one.settle(0.4)
    assert not one.ran()
    one.send("n")
    one.alive()
    assert not one.ran()


@ALL
def test_a_one_time_code_lets_exactly_this_line_run_once(one: Terminal, shell: str) -> None:
    # Denied by the judge, not by a rule, and harmless: there is no such disk.
    text = f"{one.touch()}; mkfs.ext4 /dev/phocinae-no-such-disk"
    one.line(text)
    one.see("--once ")
    one.settle()
    code = one.plain().rpartition("--once ")[2].partition("`")[0]
    phocinae = Path(sys.executable).with_name("phocinae")
    environment = {"HOME": str(one.home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    subprocess.run([phocinae, "allow", "--once", code], check=True, env=environment, cwd=one.home, timeout=60)
    one.forget()
    one.line(text + "x")
    one.see("phocinae: deny")  # another text
    one.settle()
    assert not one.ran()
    one.line(text)
    assert one.wait(one.ran), one.shown()
    one.alive()
    one.clear()
    one.forget()
    one.line(text)
    one.see("phocinae: deny")
    one.alive()
    assert not one.ran()
