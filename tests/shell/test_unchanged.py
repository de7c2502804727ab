"""Everything a person or a script could notice stays as it is without the hook: compared with a bare shell."""

from __future__ import annotations

import pytest

from tests.shell.conftest import Open
from tests.shell.terminal import ENTER, ESC, Terminal, ctrl

pytestmark = pytest.mark.shell

BOTH = pytest.mark.parametrize("shell", ["bash", "zsh"])

PROBE = {
    "bash": r"""
echo "status $P0"; echo "last $P1"; echo "pipe $P2"
echo "background ${!:+set} $([ "$(jobs -p)" = "$!" ] && echo same)"
jobs | sed 's/^/job /'
echo "control $HISTCONTROL"; shopt; set -o; trap; pwd; stty -a; echo /proc/$$/fd/*
env | grep -v '^_=' | sort; echo "prompt ${PS1@Q} ${PS0@Q} ${PS2@Q}"
type -t precmd; fc -l -20 | sed 's/^[0-9]*/history/'
""",
    "zsh": r"""
echo "status $P0"; echo "last $P1"; echo "pipe $P2"
jobs | sed 's/^/job /'
setopt; trap; pwd; stty -a; echo /proc/$$/fd/*(:t)
env | grep -v '^_=' | sort; bindkey -M emacs | sort; bindkey -M viins | sort; zle -l | sort; echo "prompt $PS1 $PS2"
echo "trapint ${+functions[TRAPINT]}"; fc -l -20 | sed 's/^ *[0-9]*/history/'
""",
}

SAVE = {
    "bash": 'P0=$? P1="$_" P2="${PIPESTATUS[*]}"',
    "zsh": 'P0=$? P2="$pipestatus" P1=',
}

LINES = [
    "false",
    "(exit 7)",
    "true | false | true",
    "false | true",
    ": one two three",
    "! true",
    "sleep 60 &",
    "kill %1; wait",
    "cd /; cd -",
    " echo leading space",
    "# a comment",
    "",
    "   ",
    "nosuchcommand",
    "for i in 1 2; do echo $i; done",
    "trap 'echo trapped' INT",
    "trap - INT",
    "f() { return 3; }; f",
    "x='a",
    "b'; echo $x",
    "cat <<EOF | tr a-z A-Z",
    "here",
    "EOF",
    "exec 5</dev/null; exec 5<&-",
    "stty -echoe; stty echoe",
    "export NEW=value",
    "shopt -s nocaseglob 2>/dev/null || setopt extendedglob",
]


def probe(terminal: Terminal, number: int) -> str:
    out, done = f"$HOME/marks/p{number}", f"$HOME/marks/d{number}"
    terminal.line(f"{SAVE[terminal.shell]}; . $HOME/probe >{out} 2>&1; touch {done}")
    assert terminal.wait(lambda: terminal.ran(f"d{number}")), terminal.shown()
    terminal.settle()
    text = (terminal.marks / f"p{number}").read_text(errors="replace")
    hidden = [str(terminal.home), str(terminal.child.pid)]
    for each in hidden:
        text = text.replace(each, "@")
    return text


def pair(terminal: Open, shell: str, **given: object) -> tuple[Terminal, Terminal]:
    both = terminal(shell, False, name="one", **given), terminal(shell, True, name="two", **given)
    for each in both:
        (each.home / "probe").write_text(PROBE[shell])
    return both


def same(bare: Terminal, hooked: Terminal, number: int) -> None:
    without, found = probe(bare, number), probe(hooked, number)
    if bare.shell == "zsh" and found != without:
        found = "\n".join(line for line in found.splitlines() if "phocinae" not in line) + "\n"
    assert found == without


@BOTH
def test_status_jobs_traps_options_terminal_and_history_are_those_of_a_bare_shell(terminal: Open, shell: str) -> None:
    bare, hooked = pair(
        terminal, shell, before="HISTCONTROL=ignoreboth; HISTFILE=\n" if shell == "bash" else "HISTSIZE=100\n"
    )
    for each in (bare, hooked):
        each.line(": start")  # whatever an rc file did last
        each.settle()
    same(bare, hooked, 0)
    waiting = ("x='a", "cat <<EOF | tr a-z A-Z", "here")  # nothing can be probed in the middle of these
    for number, line in enumerate(LINES, 1):
        for each in (bare, hooked):
            each.line(line)
            each.settle()
        if line not in waiting:
            same(bare, hooked, number)


@BOTH
@pytest.mark.parametrize("answer", ["deny", "n", "y"])
def test_a_question_and_a_denial_leave_everything_else_as_it_was(terminal: Open, shell: str, answer: str) -> None:
    bare, hooked = pair(
        terminal, shell, before="HISTCONTROL=ignoreboth; HISTFILE=\n" if shell == "bash" else "HISTSIZE=100\n"
    )
    for each in (bare, hooked):
        each.line("trap 'true trap of mine' INT")
        each.settle()
    text = ": DENYME" if answer == "deny" else ": ASKME"
    for each in (bare, hooked):
        each.line(text)
        each.settle()
    if answer == "deny":
        hooked.see("phocinae: deny")
    else:
        hooked.see("run it?")
        hooked.settle()
        hooked.send(answer)
    hooked.settle(0.3)
    if shell == "zsh" and answer != "y":
        hooked.line(":")  # an interrupted line has status 130 there, as after Ctrl-C
        bare.line(":")
        hooked.settle()
    if shell == "bash" and answer != "y":
        bare.line(": back to the status of before")
        hooked.line(": back to the status of before")
        hooked.settle()
    same(bare, hooked, 1)


@pytest.mark.parametrize("state", ["on", "off"])
def test_history_is_as_it_was_after_a_denial(terminal: Open, state: str) -> None:
    one = terminal("bash", after=f"set {'-' if state == 'on' else '+'}o history\n")
    one.line("echo before")
    one.line(one.touch() + " DENYME")
    one.see("phocinae: deny")
    one.settle()
    assert one.output("set -o | grep history").split() == ["history", state]
    told = one.output("history")
    assert ("echo before" in told) is (state == "on")
    assert ("DENYME" in told) is (state == "on")


PROMPTS = {
    "plain": "PS1='$ '\n",
    "two lines": "PS1=$'first line\\n$ '\n",
    "long": "PS1='a-prompt-that-is-quite-long-and-takes-most-of-the-line $ '\n",
}


@BOTH
@pytest.mark.parametrize("columns", [40, 120])
@pytest.mark.parametrize("prompt", PROMPTS)
def test_an_allowed_line_leaves_the_screen_of_a_bare_shell(
    terminal: Open, shell: str, prompt: str, columns: int
) -> None:
    screens = []
    for hooked in (False, True):
        one = terminal(shell, hooked, name=str(hooked), after=PROMPTS[prompt], columns=columns)
        for line in ("echo one", "echo " + "long " * 20, "", "false", "for i in 1 2; do", "echo $i; done", "# comment"):
            one.send(line)
            one.settle()
            one.send(ENTER)
            assert one.wait(lambda shell=one: shell.shown().endswith(("$", ">")))  # type: ignore[misc]
            one.settle()
        screens.append(one.shown())
    assert screens[1] == screens[0]


@BOTH
def test_ctrl_c_at_an_empty_prompt_runs_the_persons_own_trap_once_and_checks_nothing(
    terminal: Open, shell: str
) -> None:
    one = terminal(shell, after="trap 'echo x >>$HOME/marks/trapped' INT\n")
    one.alive()
    asked = len(one.judged())
    for presses in range(1, 4):
        one.send(ctrl("c"))
        one.settle()
        assert len(one.judged()) == asked, presses
    one.alive()
    expected = "x\n" * 3 if shell == "bash" else (one.marks / "trapped").read_text()
    assert (one.marks / "trapped").read_text() == expected


@BOTH
def test_a_key_that_runs_a_function_is_not_checked_as_a_line(terminal: Open, shell: str) -> None:
    bind = (
        "picker() { READLINE_LINE+=picked; READLINE_POINT=${#READLINE_LINE}; }\nbind -x '\"\\C-t\": picker'\n"
        if shell == "bash"
        else "picker() { LBUFFER+=picked; }\nzle -N picker\nbindkey '^T' picker\n"
    )
    one = terminal(shell, after=bind)
    one.alive()
    asked = len(one.judged())
    one.send(f"echo >{one.marks}/" + ctrl("t"))
    one.settle()
    assert len(one.judged()) == asked
    one.send(ENTER)
    assert one.wait(lambda: one.ran("picked"))
    assert len(one.judged()) == asked + 1


@BOTH
def test_a_program_gets_a_terminal_that_echoes_and_ends_lines_with_enter(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.line("read answer; echo got-$answer")
    one.settle(0.3)
    one.send("typed")
    one.see("typed")
    one.send(ENTER)
    one.see("got-typed")


@BOTH
def test_nothing_is_printed_while_loading_and_loading_twice_changes_nothing(terminal: Open, shell: str) -> None:
    bare = terminal(shell, False)
    once = terminal(shell)
    assert once.shown() == bare.shown()
    twice = terminal(shell, after=". $HOME/hook." + shell + "\n")
    assert twice.shown() == bare.shown()
    kinds = 'echo "${PROMPT_COMMAND[@]}"' if shell == "bash" else "echo $preexec_functions $precmd_functions"
    assert once.output(kinds) == twice.output(kinds)
    asked = len(twice.judged())
    twice.line(": once")
    twice.settle()
    assert len(twice.judged()) == asked + 1


@BOTH
def test_a_resize_during_the_question_leaves_it_usable(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.line(one.touch() + " ASKME")
    one.see("run it?")
    one.settle()
    one.child.setwinsize(30, 90)
    one.settle(0.2)
    one.send("y")
    assert one.wait(one.ran), one.shown()
    assert "widgets can only be called" not in one.plain()


@BOTH
def test_the_hook_adds_nothing_to_the_environment_of_programs(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    told = one.output("env")
    assert "phocinae_" not in told.replace("XDG", "").lower().replace(str(one.home).lower(), "")
    assert "READLINE" not in told


def test_vi_mode_status_survives_an_escape(terminal: Open) -> None:
    one = terminal("bash", before="set -o vi\n")
    one.line("false")
    one.settle()
    one.send(f"echo $? >{one.marks}/status" + ESC)
    one.settle(0.25)
    one.send(ENTER)
    assert one.wait(lambda: one.ran("status"))
    one.settle()
    assert (one.marks / "status").read_text() == "1\n"
