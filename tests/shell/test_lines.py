"""Compound lines: whatever shape it has, a denied line does not run, not even in part; the bare shell runs each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.shell.terminal import ENTER, PASTE_OFF, PASTE_ON, Terminal

pytestmark = pytest.mark.shell

Open = Callable[..., Terminal]

# {T} makes the marker; each line holds the word that the judge denies, mostly not in the part that would do harm.
LINES = {
    "simple": "{T} # DENYME",
    "sequence, first": ": DENYME; {T}",
    "sequence, second": "{T}; : DENYME",
    "and": ": DENYME && {T}",
    "or": "false DENYME || {T}",
    "pipe, first": "echo DENYME | {T}",
    "pipe, second": "{T} | cat DENYME 2>/dev/null",
    "while": "while ! test -e {M}; do {T}; : DENYME; done",
    "until": "i=0; while ! false DENYME; do {T}; i=$((i+1)); [ $i -ge 3 ] && break; done",
    "for": "for i in 1 2 DENYME; do {T}; done",
    "if": "if : DENYME; then {T}; fi",
    "function": "f() {{ {T}; : DENYME; }}; f",
    "braces": "{{ : DENYME; {T}; }}",
    "subshell": "(: DENYME; {T})",
    "command substitution": "x=$({T}; echo DENYME)",
    "process substitution": "cat <({T}; echo DENYME)",
    "background": "{T} {M}.DENYME & ",
    "subshell in the background": "({T}; : DENYME) &",
    "redirection alone": ">{M} # DENYME",
    "assignment": "DENYME=1; {T}",
    "arithmetic": "(( DENYME = 1 )); {T}",
    "condition": "[[ -n DENYME ]] && {T}",
    "case": "case DENYME in *) {T};; esac",
    "eval": 'eval "{T}; : DENYME"',
    "not": "! : DENYME; {T}",
    "time": "time : DENYME; {T}",
    "command": "command touch {M} {M}DENYME",
    "leading space": " {T}; : DENYME",
}

FISH_LINES = {
    "simple": "{T} # DENYME",
    "sequence, first": "true DENYME; {T}",
    "sequence, second": "{T}; true DENYME",
    "and": "true DENYME; and {T}",
    "pipe": "echo DENYME | {T}",
    "for": "for i in 1 DENYME; {T}; end",
    "if": "if true DENYME; {T}; end",
    "command substitution": "set x ({T}; echo DENYME)",
    "background": "{T} {M}.DENYME &",
    "leading space": " {T}; true DENYME",
}

CASES = [(shell, name) for shell in ("bash", "zsh") for name in LINES] + [("fish", name) for name in FISH_LINES]


def filled(terminal: Terminal, shell: str, name: str) -> str:
    lines = FISH_LINES if shell == "fish" else LINES
    text = lines[name]
    if shell == "zsh" and "# DENYME" in text:
        text = text.replace("# DENYME", "DENYME2=1 {M}.DENYME" if "touch" in text else "DENYME")
    mark = f"{terminal.marks}/ran"
    return text.replace("{T}", f"touch {mark}").replace("{M}", mark).replace("{{", "{").replace("}}", "}")


def denied(terminal: Terminal, keys: str) -> None:
    """Type keys, and hold that the block is told, nothing ran, and the next line works."""
    terminal.send(keys)
    terminal.see("phocinae: deny")
    terminal.alive()
    assert not terminal.ran(), terminal.shown()


@pytest.mark.parametrize(("shell", "name"), CASES)
def test_a_denied_line_does_not_run_in_any_part(shared: Open, shell: str, name: str) -> None:
    bare = shared(shell, hooked=False)
    bare.line(filled(bare, shell, name))
    assert bare.wait(bare.ran), "the control did not run: the case proves nothing"
    hooked = shared(shell)
    denied(hooked, filled(hooked, shell, name) + ENTER)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_of_a_pasted_block_with_a_denied_second_line_nothing_runs(shared: Open, shell: str) -> None:
    for hooked in (False, True):
        terminal = shared(shell, hooked)
        lines = [terminal.touch("one"), terminal.touch("two") + " DENYME", terminal.touch("three")]
        terminal.send(PASTE_ON + "\n".join(lines) + PASTE_OFF)
        terminal.settle()
        terminal.send(ENTER)
        if hooked:
            terminal.see("phocinae: deny")
            terminal.alive()
            assert not any(terminal.ran(name) for name in ("one", "two", "three"))
        else:
            assert terminal.wait(lambda t=terminal: t.ran("three"))  # type: ignore[misc]
            terminal.alive()


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_of_a_raw_paste_the_denied_line_and_all_behind_it_do_not_run(shared: Open, shell: str) -> None:
    for hooked in (False, True):
        terminal = shared(shell, hooked)
        terminal.alive()
        terminal.forget()
        terminal.send(
            "\r".join([terminal.touch("one"), terminal.touch("two") + " DENYME", terminal.touch("three"), ""])
        )
        if hooked:
            terminal.see("phocinae: deny")
            terminal.alive()
            assert terminal.ran("one")
            assert not terminal.ran("two")
            assert not terminal.ran("three")
        else:
            assert terminal.wait(lambda t=terminal: t.ran("three"))  # type: ignore[misc]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_an_allowed_line_runs_exactly_once_and_where_it_should(shared: Open, shell: str) -> None:
    terminal = shared(shell)
    terminal.line(f"cd /; echo x >>{terminal.marks}/count")
    assert terminal.wait(lambda: terminal.ran("count"))
    terminal.alive()
    assert (terminal.marks / "count").read_text() == "x\n"
    assert terminal.output("pwd").strip() == "/"
    terminal.line(f"cd {terminal.home}")
    terminal.alive()
