"""The hook beside others: prompt tools, traps, plugins, options, in either order; and shells that must not have it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.shell.conftest import Open, write_hook
from tests.shell.terminal import ENTER, PASTE_OFF, PASTE_ON, Terminal

pytestmark = pytest.mark.shell

# In the manner of bash-preexec: a DEBUG trap installed at the first prompt, PROMPT_COMMAND rewritten, HISTCONTROL bent.
PREEXEC = r"""
__pe_trap() { [[ -n ${COMP_LINE-} || -n ${READLINE_POINT-} ]] && return; [[ -n $__pe_ready ]] || return
  __pe_ready=; echo "preexec $(HISTTIMEFORMAT= history 1 | sed 's/^ *[0-9]* *//')" >>$HOME/marks/preexec; }
__pe_precmd() { local status=$?; __pe_ready=; return $status; }
__pe_done() { __pe_ready=on; }
__pe_install() { trap '__pe_trap "$_"' DEBUG; HISTCONTROL=${HISTCONTROL//ignorespace}
  PROMPT_COMMAND="__pe_precmd"$'\n'"${PROMPT_COMMAND//__pe_install/:}"$'\n'"__pe_done"; }
PROMPT_COMMAND="${PROMPT_COMMAND:+$PROMPT_COMMAND;}__pe_install"
"""

BASH = {
    "in the manner of bash-preexec": PREEXEC,
    "PROMPT_COMMAND as an array": "PROMPT_COMMAND=('one=1' 'two=2')\n",
    "PROMPT_COMMAND with a semicolon at its end": "PROMPT_COMMAND='one=1; '\n",
    "PROMPT_COMMAND with a comment at its end": "PROMPT_COMMAND='one=1 # last'\n",
    "PROMPT_COMMAND empty": "PROMPT_COMMAND=\n",
    "PROMPT_COMMAND exported": "export PROMPT_COMMAND='one=1'\n",
    "a DEBUG trap": "trap 'debugged=yes' DEBUG\n",
    "a DEBUG trap under extdebug": "shopt -s extdebug; trap 'debugged=yes' DEBUG\n",
    "set -u": "set -u\n",
    "set -e": "set -e\n",
    "set -eu and pipefail": "set -euo pipefail\n",
    "an ignored INT": "trap '' INT\n",
    "a trapped INT": "trap 'true mine' INT\n",
    "functrace": "set -T; trap 'debugged=yes' DEBUG RETURN ERR\n",
    "nocasematch and failglob": "shopt -s nocasematch failglob\n",
    "posix mode": "set -o posix\n",
    "noclobber and noglob": "set -o noclobber; set -f\n",
    "an odd IFS": "IFS=ao:\n",
    "aliases of builtins": "alias local=false printf=false read=false bind=false test=false exec=false\n",
    "a broken PATH": "PATH=/nonexistent:$PATH\n",
    "TMOUT": "TMOUT=100\n",
}

ZSH = {
    "autosuggestions, then highlighting": (
        ". /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh\n"
        ". /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh\n"
    ),
    "highlighting, then autosuggestions": (
        ". /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh\n"
        "ZSH_AUTOSUGGEST_MANUAL_REBIND=1\n. /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh\n"
    ),
    "vi mode set at the first prompt": "late() { bindkey -v }\nprecmd_functions+=(late)\n",
    "widgets wiped": 'for w in zle-line-init zle-keymap-select; do eval "$w() { : }"; zle -N $w; done\n',
    "preexec_functions replaced": "other() { : }\npreexec_functions+=(other)\n",
    "errexit": "setopt errexit\n",
    "errreturn and nounset": "setopt errreturn nounset\n",
    "ksharrays": "setopt ksharrays\n",
    "ksh emulation": "emulate ksh\nPS1='$ '\n",
    "no history": "HISTSIZE=0\n",
    "no bang history": "setopt nobanghist\n",
    "a trapped INT": "trap 'true mine' INT\n",
    "an ignored INT": "trap '' INT\n",
    "TRAPINT that goes on": "TRAPINT() { return 0 }\n",
    "extendedglob and globsubst": "setopt extendedglob globsubst shwordsplit\n",
    "noclobber": "setopt noclobber appendcreate\n",
    "aliases of builtins": "alias local=false print=false read=false kill=false exec=false\n",
    "no multios, no monitor": "unsetopt multios monitor\n",
}

FZF = {"bash": "/usr/share/doc/fzf/examples/key-bindings.bash", "zsh": "/usr/share/doc/fzf/examples/key-bindings.zsh"}
DIRENV = {"bash": 'eval "$(direnv hook bash)"\n', "zsh": 'eval "$(direnv hook zsh)"\n'}


def holds(one: Terminal) -> None:
    """Hold that denied lines are stopped, typed and pasted, asked ones ask, allowed ones run once; without noise."""
    one.line(one.touch() + " DENYME")
    one.see("phocinae: deny")
    one.alive()
    assert not one.ran(), one.shown()
    one.forget()
    one.send(PASTE_ON + "\n".join((one.touch("one"), one.touch("two") + " DENYME")) + PASTE_OFF)
    one.settle()
    one.send(ENTER)
    one.see("phocinae: deny")
    one.prompt()
    one.line(one.touch() + " ASKME")
    one.see("run it?")
    one.settle()
    one.send("n")
    one.prompt()
    one.line(f"echo x >>{one.marks}/count")
    assert one.wait(lambda: one.ran("count"))
    one.alive()
    assert (one.marks / "count").read_text() == "x\n"
    assert not one.ran(), one.shown()
    assert not one.ran("one")
    for noise in ("unbound variable", "syntax error", "command not found", "maximum nested", "widgets can only"):
        assert noise not in one.plain(), one.shown()


BOTH_ORDERS = {
    "in the manner of bash-preexec",
    "PROMPT_COMMAND as an array",
    "PROMPT_COMMAND empty",
    "a DEBUG trap under extdebug",
    "set -eu and pipefail",
    "an odd IFS",
    "autosuggestions, then highlighting",
    "highlighting, then autosuggestions",
    "vi mode set at the first prompt",
    "preexec_functions replaced",
    "ksh emulation",
}
"""Where it may matter who comes first. Everything else is in force before the hook is loaded, which is harder."""


def orders(companies: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (name, order) for name in companies for order in ("before", "after") if order == "before" or name in BOTH_ORDERS
    ]


@pytest.mark.parametrize(("company", "order"), orders(BASH))
def test_bash_lines_are_stopped_beside(terminal: Open, company: str, order: str) -> None:
    holds(terminal("bash", **{order: BASH[company]}))


@pytest.mark.parametrize(("company", "order"), orders(ZSH))
def test_zsh_lines_are_stopped_beside(terminal: Open, company: str, order: str) -> None:
    if "autosuggestions" in company:
        for line in ZSH[company].splitlines():
            if line.startswith(". ") and not Path(line[2:]).exists():
                pytest.skip(f"{line[2:]} is not installed")
    holds(terminal("zsh", **{order: ZSH[company]}))


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize("order", ["before", "after"])
def test_beside_fzf_and_direnv(terminal: Open, program: Callable[[str], str], shell: str, order: str) -> None:
    program("fzf")
    program("direnv")
    rc = DIRENV[shell]
    if Path(FZF[shell]).exists():
        rc += f". {FZF[shell]}\n"
    holds(terminal(shell, **{order: rc}))


def test_foreign_elements_of_prompt_command_keep_their_order(terminal: Open) -> None:
    one = terminal("bash", before="PROMPT_COMMAND=('one=1' 'two=2')\n")
    for _ in range(10):
        one.alive()
    assert one.output('printf "%s|" "${PROMPT_COMMAND[@]}"').startswith("one=1|two=2|")
    holds(one)


def test_a_child_that_inherits_prompt_command_finds_nothing_missing(terminal: Open) -> None:
    one = terminal("bash", before="export PROMPT_COMMAND='one=1'\n")
    one.alive()
    one.line("bash --noprofile --norc -i")
    one.settle(0.3)
    one.forget()
    one.send(ENTER)
    one.settle()
    assert "command not found" not in one.plain(), one.shown()


def test_history_control_stays_and_a_spaced_line_is_seen_but_not_kept(terminal: Open) -> None:
    one = terminal("bash", before="HISTCONTROL=ignoreboth\n")
    one.line(" echo secret")
    one.settle()
    assert one.output("echo $HISTCONTROL").strip() == "ignoreboth"
    assert "echo secret" not in one.output("history")
    assert any("echo secret" in entry for entry in one.judged())


def test_the_prompt_sees_the_status_of_the_command(terminal: Open) -> None:
    one = terminal("bash", after="PS1='[$?] $ '\n")
    one.line("false")
    one.see("[1] $")
    one.forget()
    one.send(ENTER)
    one.see("[1] $")
    one.line("(exit 7)")
    one.see("[7] $")
    assert one.output("echo $?").strip() == "7"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_phocinae_off_puts_everything_back(terminal: Open, shell: str) -> None:
    show = (
        'bind -p; bind -s; bind -X; printf "%s|" "${PROMPT_COMMAND[@]}"'
        if shell == "bash"
        else "bindkey; echo $preexec_functions $precmd_functions; trap; setopt"
    )
    bare = terminal(shell, False).output(show)
    one = terminal(shell)
    one.line("phocinae_off")
    one.settle()
    told = "\n".join(line for line in one.output(show).splitlines() if "\\C-x\\C-_P" not in line)
    assert told.rstrip("|\n") == bare.rstrip("|\n")
    one.line(one.touch() + " DENYME")
    assert one.wait(one.ran)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_without_a_person_loads_nothing_and_says_nothing(
    tmp_path: Path, program: Callable[[str], str], shell: str
) -> None:
    program(shell)
    hook = write_hook(tmp_path, shell)
    ran = subprocess.run(
        [shell, "-c", f". {hook}; touch {tmp_path}/ran DENYME; echo done"],
        capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr, ran.returncode) == ("done\n", "", 0)
    assert (tmp_path / "ran").exists()


def test_a_bash_without_line_editing_is_left_alone(tmp_path: Path) -> None:
    hook = write_hook(tmp_path, "bash")
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "--noediting", "-i"], input=f". {hook}\necho done\n",
        capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PS1": ""},
    )  # fmt: skip
    assert "done" in ran.stdout
    assert "bind" not in ran.stderr
    assert "phocinae" not in ran.stderr.replace(str(hook), "")


def test_an_eval_without_quotes_fails_loudly_and_leaves_the_shell_usable(terminal: Open) -> None:
    one = terminal("bash", False)
    hook = write_hook(one.home, "bash")
    one.forget()
    one.line(f"eval $(cat {hook})")
    one.see("needs double quotes")
    one.alive()


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_persons_own_setting_wins(terminal: Open, shell: str) -> None:
    one = terminal(shell, before="PHOCINAE_OFF=1\n")
    one.line(one.touch() + " DENYME")
    assert one.wait(one.ran)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_output_that_the_rc_sends_away_and_a_stdin_from_nowhere_do_not_switch_it_off(
    terminal: Open, shell: str
) -> None:
    # As the instant prompt of a zsh theme does while the rc file runs.
    one = terminal(shell, before="exec 9<&0 </dev/null\n", after="exec <&9 9<&-\n")
    holds(one)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_in_tmux(tmp_path: Path, program: Callable[[str], str], shell: str) -> None:
    program("tmux")
    program(shell)
    home = tmp_path / "home"
    hook = write_hook(home, shell)
    rc = home / (".bashrc" if shell == "bash" else ".zshrc")
    rc.write_text(f"PS1='$ '\n. {hook}\n")
    start = f"bash --noprofile --rcfile {rc} -i" if shell == "bash" else "zsh -d -i"
    one = Terminal(shell, home, argv=["tmux", "-S", str(tmp_path / "socket"), "-f", "/dev/null", "new-session", start])
    try:
        one.settle(0.5)
        tmux = ["tmux", "-S", str(tmp_path / "socket")]
        block = (("one", "echo fine"), ("two", "true DENYME"), ("three", "echo fine"))
        (home / "paste").write_text("".join(f"{text}; touch {one.marks}/{name}\n" for name, text in block))
        subprocess.run([*tmux, "load-buffer", str(home / "paste")], check=True)
        subprocess.run([*tmux, "paste-buffer", "-p"], check=True)
        one.settle(0.3)
        subprocess.run([*tmux, "send-keys", "Enter"], check=True)
        one.see("phocinae: deny")
        one.alive()
        assert not any(one.ran(name) for name in ("one", "two", "three"))
        subprocess.run([*tmux, "send-keys", one.touch() + " ASKME", "Enter"], check=True)
        one.see("run it?")
        one.settle(0.3)
        subprocess.run([*tmux, "send-keys", "y"], check=True)
        assert one.wait(one.ran)
    finally:
        subprocess.run(["tmux", "-S", str(tmp_path / "socket"), "kill-server"], check=False, capture_output=True)
        one.close()


def test_where_lines_can_not_be_stopped_it_says_so_at_the_start(terminal: Open) -> None:
    one = terminal("bash", before="BLE_VERSION=0.4\n")
    one.see("ble.sh is not supported: lines are not checked")
    one.line(one.touch() + " DENYME")
    assert one.wait(one.ran)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_nothing_is_started_before_the_first_line(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.send(ENTER)
    one.settle(0.3)
    assert list((one.home / "tmp").iterdir()) == []
    one.alive()
    assert len(list((one.home / "tmp").iterdir())) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_long_paste_takes_no_longer_with_the_hook(terminal: Open, shell: str) -> None:
    # Nothing of the hook's runs for a key, so it can't be asked anything before Enter.
    one = terminal(shell)
    one.alive()
    asked = len(one.judged())
    one.send(PASTE_ON + ": " + "word " * 400 + PASTE_OFF)
    one.settle(0.3)
    assert len(one.judged()) == asked
    one.send(ENTER)
    assert one.wait(lambda: len(one.judged()) > asked)
