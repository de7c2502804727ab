"""What breaks: worker, interpreter, places, bytes. Nothing denied runs, the person is told, the shell lives."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.shell.conftest import Open, interpreter, write_hook
from tests.shell.terminal import ENTER, PASTE_OFF, PASTE_ON, Terminal, ctrl

pytestmark = pytest.mark.shell

BOTH = pytest.mark.parametrize("shell", ["bash", "zsh"])
ALL = pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])

WITHIN_S = 2.0
BUSY_S = 2.5
"""Granted on top: starting programs on a busy machine is not the hook's time."""


def worker_of(terminal: Terminal) -> int:
    """Return the process number of the one worker of this terminal's shell."""
    places = list_places(terminal)
    assert len(places) == 1, places
    return int(places[0].name.split(".")[1])


def list_places(terminal: Terminal) -> list[Path]:
    base = terminal.home / "tmp" / f"phocinae-{os.getuid()}"
    return (
        [place for place in base.iterdir() if place.name.startswith(f"{terminal.child.pid}.")] if base.exists() else []
    )


def exists(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def denied(terminal: Terminal, extra: str = "") -> None:
    terminal.forget()
    terminal.line(f"{terminal.touch()} DENYME {extra}")
    terminal.see("phocinae: deny")
    terminal.alive()
    assert not terminal.ran(), terminal.shown()


def asked(terminal: Terminal, keys: str, words: str, checks: bool = True) -> float:
    """Type keys, wait for the question, answer no; return the seconds it took to come.

    Without `checks` nothing can be checked at all, so the proof of life is a line that is asked about, and a yes.
    """
    terminal.forget()
    began = time.monotonic()
    terminal.send(keys)
    terminal.see("run it?")
    took = time.monotonic() - began
    assert words in terminal.plain(), terminal.shown()
    terminal.settle()
    terminal.send("n")
    if not checks:
        terminal.settle(0.3)
        terminal.forget()
        terminal.line(terminal.touch("yes"))
        terminal.see("run it?")
        terminal.settle()
        terminal.send("y")
        assert terminal.wait(lambda: terminal.ran("yes")), terminal.shown()
        terminal.settle()
    else:
        terminal.alive()
    assert not terminal.ran(), terminal.shown()
    return took


# --- the worker -------------------------------------------------------------------------------------------------------


@BOTH
def test_a_worker_that_was_killed_is_replaced(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    first = worker_of(one)
    os.kill(first, signal.SIGKILL)
    assert one.wait(lambda: not exists(first))
    denied(one)
    assert [place.name.split(".")[1] for place in list_places(one)] != [str(first)]


@BOTH
def test_a_worker_that_stands_still_is_replaced(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    first = worker_of(one)
    os.kill(first, signal.SIGSTOP)
    denied(one)
    assert one.wait(lambda: not exists(first))
    denied(one)


@BOTH
@pytest.mark.parametrize("word", ["WORKERDIE", "WORKERHANG", "GARBAGE1", "GARBAGE2", "GARBAGE3", "WRONGID"])
def test_whatever_the_worker_says_instead_of_an_answer_the_line_is_judged(shared: Open, shell: str, word: str) -> None:
    terminal = shared(shell)
    terminal.alive()
    denied(terminal, word)
    terminal.clear()
    terminal.line(terminal.touch("fine") + f" {terminal.marks}/{word}")
    assert terminal.wait(lambda: terminal.ran("fine")), terminal.shown()  # by a process of its own
    terminal.alive()


@BOTH
def test_when_nothing_answers_the_line_is_asked_about_in_time(shared: Open, shell: str) -> None:
    terminal = shared(shell)
    terminal.alive()
    took = asked(terminal, f"{terminal.touch()} FAILALL" + ENTER, "could not be checked")
    assert took < WITHIN_S + BUSY_S
    denied(terminal)


def test_fish_asks_in_time_when_nothing_answers(shared: Open) -> None:
    terminal = shared("fish")
    took = asked(terminal, f"{terminal.touch()} FAILALL" + ENTER, "could not be checked")
    assert took < WITHIN_S + BUSY_S
    denied(terminal)


@BOTH
def test_a_late_answer_does_not_meet_a_later_question(terminal: Open, shell: str) -> None:
    # Ctrl-C leaves the check of an allowed line behind; its answer must not let the next line pass.
    one = terminal(shell)
    one.alive()
    one.line(": SLOWLY")
    one.settle(0.05)
    one.send(ctrl("c"))
    one.settle(0.05)
    denied(one)
    time.sleep(0.4)
    denied(one)


@BOTH
def test_ctrl_c_gives_a_check_up_and_the_line_does_not_run(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    one.line(one.touch() + " WORKERHANG")
    one.settle(0.2)
    one.send(ctrl("c"))
    one.settle(0.2)
    one.send(ctrl("c"))
    one.alive()
    assert not one.ran(), one.shown()


@BOTH
def test_ctrl_z_in_a_check_does_not_let_the_line_run(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    one.line(one.touch() + " DENYME SLOWLY")
    one.send(ctrl("z"))
    one.settle(0.5)
    one.alive()
    assert not one.ran(), one.shown()
    assert one.output("jobs").strip() == ""


@BOTH
def test_after_three_failures_in_a_row_the_worker_is_left_alone_for_a_while(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    for _ in range(3):
        one.forget()
        one.line(f"{one.touch()} DENYME WORKERDIE")
        one.see("phocinae: deny")
        one.settle(0.3)
    assert "the worker does not answer" in one.plain()
    denied(one)
    assert list_places(one) == [] or not exists(worker_of(one))


@BOTH
def test_the_worker_ends_with_its_shell_and_leaves_nothing(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    process = worker_of(one)
    one.line("exit")
    assert one.wait(lambda: not exists(process))
    assert one.wait(lambda: not list_places(one))


@BOTH
def test_the_worker_ends_when_the_window_is_closed(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    process = worker_of(one)
    one.close()
    until = time.monotonic() + 20
    while exists(process) and time.monotonic() < until:
        time.sleep(0.05)
    assert not exists(process)


@BOTH
def test_an_idle_worker_ends_and_the_next_line_is_judged_by_a_new_one(terminal: Open, shell: str) -> None:
    one = terminal(shell, env={"STANDIN_IDLE_S": "0.3"})
    one.alive()
    assert one.wait(lambda: not list_places(one))
    denied(one)


@BOTH
def test_a_shell_in_place_of_the_old_one_gets_its_own_worker(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    first = worker_of(one)
    again = f"exec bash --noprofile --rcfile {one.home}/.bashrc -i" if shell == "bash" else "exec zsh -d -i"
    one.line(again)
    one.settle(0.3)
    denied(one)
    assert one.wait(lambda: not exists(first))
    assert worker_of(one) != first


@BOTH
def test_a_nested_shell_has_its_own_worker(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.alive()
    one.line(f"bash --noprofile --rcfile {one.home}/.bashrc -i" if shell == "bash" else "zsh -d -i")
    one.settle(0.3)
    denied(one)
    one.line("exit")
    denied(one)


@BOTH
def test_the_worker_holds_no_directory_and_no_descriptor_of_the_shell(terminal: Open, shell: str) -> None:
    one = terminal(shell, before="exec 7</etc/passwd\n")
    one.alive()
    process = worker_of(one)
    assert os.readlink(f"/proc/{process}/cwd") == "/"
    held = {os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd")}
    place = str(list_places(one)[0])
    strange = {each for each in held if each != "/dev/null" and not each.startswith((place, "anon_inode"))}
    assert strange == set()


# --- programs and places ----------------------------------------------------------------------------------------------


@pytest.fixture
def broken(tmp_path: Path, program: Callable[[str], str]) -> Iterator[Callable[..., Terminal]]:
    """Open terminals whose hook was written with something that is not there."""
    opened: list[Terminal] = []

    def start(shell: str, env: dict[str, str] | None = None, **given: str) -> Terminal:
        program(shell)
        home = tmp_path / f"broken{len(opened)}"
        hook = write_hook(home, shell, **given)
        opened.append(Terminal(shell, home, rc=f"source {hook}\n", env=env))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@ALL
def test_without_its_interpreter_the_hook_asks_and_can_be_switched_off(broken: Open, shell: str) -> None:
    one = broken(shell, python="/nonexistent/python")
    took = asked(one, one.touch() + ENTER, "could not be checked", checks=False)
    assert took < WITHIN_S + BUSY_S
    one.line("phocinae_off")
    one.settle()
    one.forget()
    one.line(one.touch("free"))
    assert one.wait(lambda: one.ran("free"))
    assert "phocinae" not in one.plain().replace("phocinae_off", "").replace(str(one.home), "")


@ALL
def test_o_at_the_question_switches_the_hook_off_and_runs_nothing_yet(broken: Open, shell: str) -> None:
    one = broken(shell, python="/nonexistent/python")
    one.line(one.touch())
    one.see("hook [o]ff")
    one.settle()
    one.send("o")
    one.settle()
    assert not one.ran()
    one.send(ENTER)  # the line is still there
    assert one.wait(one.ran), one.shown()


@ALL
@pytest.mark.parametrize("line", ["exit", "phocinae_off", "PHOCINAE_OFF=1"])
def test_nobody_is_locked_in(broken: Open, shell: str, line: str) -> None:
    if shell == "fish" and "=" in line:
        line = "set -g PHOCINAE_OFF 1"
    one = broken(shell, python="/nonexistent/python")
    one.line(line)
    if line == "exit":
        assert one.wait(lambda: not one.child.isalive())
        return
    one.settle()
    one.line(one.touch())
    assert one.wait(one.ran), one.shown()
    assert "run it?" not in one.plain()


@BOTH
@pytest.mark.parametrize("line", ["phocinae_off", "PHOCINAE_OFF=1"])
def test_a_paste_can_not_switch_the_hook_off_for_the_lines_behind(terminal: Open, shell: str, line: str) -> None:
    for hooked in (False, True):
        one = terminal(shell, hooked, name=str(hooked))
        one.send(f"{line}\r{one.touch()} DENYME\r")
        if not hooked:
            assert one.wait(one.ran)
            continue
        one.settle(0.3)
        assert not one.ran()
        one.alive()
        assert not one.ran()
        assert not one.judged()  # it is off by now, and only what was pasted along was thrown away


@BOTH
def test_an_interpreter_that_hangs_costs_no_more_than_the_budget(broken: Open, tmp_path: Path, shell: str) -> None:
    slow = tmp_path / "slow-python"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    one = broken(shell, python=str(slow))
    took = asked(one, one.touch() + ENTER, "could not be checked", checks=False)
    assert took < WITHIN_S + BUSY_S


@BOTH
def test_an_interpreter_that_fails_at_once_asks_at_once(broken: Open, tmp_path: Path, shell: str) -> None:
    failing = tmp_path / "failing-python"
    failing.write_text("#!/bin/sh\nexit 1\n")
    failing.chmod(0o755)
    took = asked(broken(shell, python=str(failing)), ": x" + ENTER, "could not be checked", checks=False)
    assert took < 1.0 + BUSY_S


@BOTH
@pytest.mark.parametrize("temp", ["missing", "a file", "somebody else's"])
def test_without_a_place_for_its_pipes_each_line_is_judged_by_a_process(terminal: Open, shell: str, temp: str) -> None:
    place = {"missing": "/nonexistent", "a file": "/etc/passwd", "somebody else's": ""}[temp]
    one = terminal(shell, before="" if not place else f"export TMPDIR={place}\n")
    if not place:
        taken = one.home / "tmp" / f"phocinae-{os.getuid()}"
        elsewhere = one.home / "elsewhere"
        elsewhere.mkdir()
        taken.symlink_to(elsewhere)
    one.line(one.touch("fine"))
    assert one.wait(lambda: one.ran("fine")), one.shown()
    denied(one)
    if not place:
        assert list((one.home / "elsewhere").iterdir()) == []


@BOTH
def test_a_home_that_can_not_be_written_changes_no_verdict(terminal: Open, shell: str) -> None:
    # STANDIN_DIR is where the stand-in keeps approvals: as on a full disk, no code and no approval can be kept.
    one = terminal(shell, env={"STANDIN_DIR": "/nonexistent"})
    denied(one)
    one.line(one.touch() + " ASKME")
    one.see("run it?")
    one.settle()
    one.send("a")
    assert one.wait(lambda: one.plain().count("run it?") >= 2)  # it could not be kept, so it is asked again
    one.settle()
    one.send("n")
    one.alive()
    assert not one.ran()


@BOTH
def test_a_hook_of_another_version_says_so_once_and_works(broken: Open, shell: str) -> None:
    one = broken(shell, version="0.0.1")
    one.line(": x")
    one.see("the hook is of version 0.0.1")
    one.alive()
    one.forget()
    denied(one)
    assert "0.0.1" not in one.plain()


# --- bytes ------------------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("size", [31_999, 32_000, 32_001, 131_071, 131_072, 131_073])
def test_a_line_around_the_limits_is_judged_whole(terminal: Open, shell: str, size: int) -> None:
    one = terminal(shell)
    one.alive()
    # The body has other fields too, so the sizes around the limit of the pipe are met by a margin of 400 bytes.
    start, end = f"{one.touch()}; : ", " DENYME"
    text = start + "x" * (size - len(start) - len(end)) + end
    one.send(PASTE_ON + text + PASTE_OFF)
    one.settle(0.5)
    one.send(ENTER)
    one.see("phocinae: deny", 60)
    one.settle(0.5)
    one.alive()
    assert not one.ran()


@BOTH
def test_bytes_that_are_no_text_do_not_get_past(terminal: Open, shell: str) -> None:
    one = terminal(shell, env={"LC_ALL": "C", "LANG": "C"})
    one.alive()
    os.write(one.child.fileno(), f"{one.touch()} ".encode() + b"\xff\xfe DENYME\r")
    one.see("phocinae: deny")
    one.alive()
    assert not one.ran()


@BOTH
def test_letters_of_several_bytes_are_counted_as_bytes(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.line(f"printf %s 'åß∂ 日本語' >{one.marks}/text")
    assert one.wait(lambda: one.ran("text"))
    one.alive()
    assert (one.marks / "text").read_text() == "åß∂ 日本語"
    assert any("日本語" in entry for entry in one.judged())


def test_the_interpreter_of_the_tests_is_no_shim() -> None:
    assert "shims" not in interpreter()


def test_a_hook_that_stops_working_lets_no_line_pass(terminal: Open) -> None:
    # The second key of the Enter that is pressed must not still accept lines from the Enter before.
    one = terminal("bash")
    one.alive()
    one.line("unset -f __phocinae_enter")
    one.prompt()
    one.line(one.touch() + " DENYME")
    one.settle(0.5)
    assert not one.ran()


def test_a_prompt_command_that_was_overwritten_is_mended_and_stops_lines_meanwhile(terminal: Open) -> None:
    one = terminal("bash")
    one.line("PROMPT_COMMAND=")
    one.prompt()
    denied(one)
    assert "__phocinae_prompt" in one.output('echo "${PROMPT_COMMAND[@]}"')
    one.line("PROMPT_COMMAND='theirs=1'")
    one.prompt()
    one.send("for i in 1; do" + ENTER)
    one.settle()
    one.forget()
    one.send(f"{one.touch()} DENYME" + ENTER)
    one.see("phocinae: deny")
    one.alive()
    assert not one.ran()
