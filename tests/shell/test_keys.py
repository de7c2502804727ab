"""Other ways into the shell than a typed line and Enter, each with its control; and the answers to the question."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.shell.terminal import ENTER, ESC, PASTE_OFF, PASTE_ON, Terminal, ctrl

pytestmark = pytest.mark.shell

Open = Callable[..., Terminal]

QUESTION = "run it?"


def control_ran(terminal: Terminal, keys: list[str]) -> None:
    play(terminal, keys)
    assert terminal.wait(terminal.ran), f"the control did not run: the case proves nothing\n{terminal.shown()}"
    terminal.alive()


def play(terminal: Terminal, keys: list[str]) -> None:
    """Send each group of keys when the shell has digested the one before."""
    for group in keys:
        terminal.send(group)
        terminal.settle()


def stopped(terminal: Terminal, keys: list[str]) -> None:
    play(terminal, keys)
    terminal.see("phocinae: deny")
    terminal.alive()
    assert not terminal.ran(), terminal.shown()


# --- keys -------------------------------------------------------------------------------------------------------------

# {T} makes the marker. Each group is sent after the one before has been digested.
BASH_KEYS = {
    "PS2": ["{T}\\", ENTER, "; : DENYME", ENTER],
    "here-document": ["sh <<EOF", ENTER, "{T}", ENTER, ": DENYME", ENTER, "EOF", ENTER],
    "token split over two lines": ["{T}; : DEN\\", ENTER, "YME", ENTER],
    "loop typed line by line": ["for i in 1; do", ENTER, ": DENYME", ENTER, "{T}; done", ENTER],
    "C-j": ["{T}; : DENYME" + ctrl("j")],
    "C-o": ["{T}; : DENYME" + ctrl("o")],
    "history search": [ctrl("r") + "DENYM", ctrl("e"), ctrl("a") + ctrl("d"), ENTER],
    "a substitution in the line before": ["^#^ ^", ENTER],
    "an event by what it holds": ["!?marks?:s/#/ /", ENTER],
    "keypad Enter": ["{T}; : DENYME\x1bOM"],
}


@pytest.mark.parametrize("name", BASH_KEYS)
def test_bash_stops_it_however_the_line_is_accepted(terminal: Open, name: str) -> None:
    bind = "bind '\"\\eOM\": accept-line'\n" if name == "keypad Enter" else ""
    for hooked in (False, True):
        # In the history already: a line that would be denied, made harmless by a comment sign.
        shell = terminal("bash", hooked, before=bind, after='history -s "#touch $HOME/marks/ran; : DENYME"\n')
        keys = [group.replace("{T}", shell.touch()) for group in BASH_KEYS[name]]
        (stopped if hooked else control_ran)(shell, keys)


ZSH_KEYS = {
    "PS2": ["{T}\\", ENTER, "; : DENYME", ENTER],
    "here-document": ["sh <<EOF", ENTER, "{T}", ENTER, ": DENYME", ENTER, "EOF", ENTER],
    "token split over two lines": ["{T}; : DEN\\", ENTER, "YME", ENTER],
    "C-j": ["{T}; : DENYME" + ctrl("j")],
    "accept-and-hold": ["{T}; : DENYME" + ESC + "a"],
    "accept-line-and-down-history": ["{T}; : DENYME" + ctrl("o")],
    "!!": [": {T}; : DENYME", ENTER, "!!:1* && {T} DENYME", ENTER],
}


@pytest.mark.parametrize("name", ZSH_KEYS)
def test_zsh_stops_it_however_the_line_is_accepted(terminal: Open, name: str) -> None:
    for hooked in (False, True):
        shell = terminal("zsh", hooked, before="bindkey -e\n")
        keys = [group.replace("{T}", shell.touch()) for group in ZSH_KEYS[name]]
        if name == "!!":
            keys = [f"touch {shell.marks}/DENYME", ENTER, "!!", ENTER]
            play(shell, keys[:2])
            if not hooked:
                assert shell.wait(lambda s=shell: s.ran("DENYME"))  # type: ignore[misc]
                shell.clear()
                play(shell, keys[2:])
                assert shell.wait(lambda s=shell: s.ran("DENYME"))  # type: ignore[misc]
                continue
            shell.see("phocinae: deny")
            shell.alive()
            shell.send("touch " + str(shell.marks / "DENYME") + ENTER)
            shell.settle()
            shell.forget()
            play(shell, keys[2:])
            shell.see("phocinae: deny")
            shell.alive()
            assert not shell.ran("DENYME")
            continue
        (stopped if hooked else control_ran)(shell, keys)


VI = {"bash": "set -o vi\n", "zsh": "bindkey -v\nKEYTIMEOUT=5\n", "fish": "fish_vi_key_bindings\n"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_vi_mode_stops_it_from_insert_and_from_command_mode(terminal: Open, shell: str) -> None:
    for hooked in (False, True):
        for place in ("before", "after"):
            one = terminal(shell, hooked, name=f"{shell}-{hooked}-{place}", **{place: VI[shell]})
            text = one.touch() + " DENYME"
            (stopped if hooked else control_ran)(one, [text + ENTER])
            one.clear()
            one.forget()
            play(one, ["i"] if shell == "fish" else [])
            play(one, [ctrl("u") + text, ESC])
            one.settle(0.25)
            (stopped if hooked else control_ran)(one, [ENTER])


def test_after_vi_command_mode_the_next_prompt_is_in_insert_mode(terminal: Open) -> None:
    shell = terminal("bash", before="set -o vi\n")
    for text in (": fine", ": DENYME"):
        play(shell, [text, ESC])
        shell.settle(0.25)
        play(shell, [ENTER])
        shell.forget()
        shell.send(shell.touch("typed") + ENTER)  # in command mode these letters would be commands
        assert shell.wait(lambda: shell.ran("typed")), shell.shown()
        shell.clear()


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_an_alias_is_seen_through(terminal: Open, shell: str) -> None:
    for hooked in (False, True):
        one = terminal(shell, hooked, after="alias harmless='touch DENYME'\nalias more=harmless\n")
        one.line(f"more {one.marks}/ran")
        if hooked:
            one.see("phocinae: deny")
            one.alive()
            assert not one.ran()
        else:
            assert one.wait(one.ran)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_function_and_a_variable_that_the_line_names_are_shown_to_the_judge(terminal: Open, shell: str) -> None:
    define = (
        "function harmless; touch DENYME $argv; end\n" if shell == "fish" else 'harmless() { touch DENYME "$1"; }\n'
    )
    setting = "set -g word DENYME\n" if shell == "fish" else "word=DENYME\n"
    for text in ("harmless {M}", "touch $word {M}"):
        for hooked in (False, True):
            one = terminal(shell, hooked, after=define + setting, name=f"{text[0]}{hooked}")
            one.line(text.replace("{M}", str(one.marks / "ran")))
            if hooked:
                one.see("phocinae: deny")
                one.alive()
                assert not one.ran()
            else:
                assert one.wait(one.ran)


@pytest.mark.parametrize("keys", [ctrl("x") + ctrl("e"), "v"])
def test_the_editor_of_bash_brings_the_text_back_to_the_prompt(terminal: Open, keys: str) -> None:
    for hooked in (False, True):
        shell = terminal("bash", hooked, before="set -o vi\n" if keys == "v" else "")
        editor = shell.home / "editor"
        editor.write_text(f"#!/bin/sh\necho '{shell.touch()} DENYME' >\"$1\"\n")
        editor.chmod(0o755)
        shell.line(f"EDITOR={editor} VISUAL={editor}")
        shell.settle()
        play(shell, [": x"] + ([ESC] if keys == "v" else []))
        shell.settle(0.25 if keys == "v" else 0.1)
        shell.send(keys)
        if hooked:
            shell.see("DENYME")
            shell.settle()
            assert not shell.ran()
            shell.send(ENTER)
            shell.see("phocinae: deny")
            shell.alive()
            assert not shell.ran()
        else:
            assert shell.wait(shell.ran), shell.shown()


def test_a_macro_that_goes_on_behind_its_enter_still_works(terminal: Open) -> None:
    # The way of fzf's Alt-C: take the line away, run a cd, bring the line back.
    macro = 'bind \'"\\ec": "\\C-e\\C-ucd /\\C-m\\C-y"\'\n'
    for hooked in (False, True):
        shell = terminal("bash", hooked, after=macro)
        play(shell, [shell.touch("kept"), ESC + "c"])
        shell.settle(0.3)
        shell.send("; pwd >" + str(shell.marks / "where") + ENTER)
        assert shell.wait(lambda s=shell: s.ran("where") and s.ran("kept")), shell.shown()  # type: ignore[misc]
        shell.settle()
        assert (shell.marks / "where").read_text() == "/\n"


def test_insert_comment_can_not_be_used_to_take_a_comment_sign_away(terminal: Open) -> None:
    for hooked in (False, True):
        shell = terminal("bash", hooked)
        play(shell, ["#" + shell.touch() + " DENYME", ESC + "1", ESC + "#"])
        if hooked:
            shell.alive()
            assert not shell.ran()
        else:
            assert shell.wait(shell.ran)


def test_fish_takes_enter_on_an_unfinished_block_as_a_new_line(terminal: Open) -> None:
    shell = terminal("fish")
    play(shell, ["if true", ENTER, shell.touch() + " DENYME", ENTER])
    assert "phocinae" not in shell.plain()
    stopped(shell, ["end" + ENTER])


def test_fish_judges_the_text_with_its_abbreviations_expanded(terminal: Open) -> None:
    for hooked in (False, True):
        shell = terminal("fish", hooked, before="abbr -a zz touch DENYME\n")
        shell.line(f"zz {shell.marks}/ran")
        if hooked:
            shell.see("phocinae: deny")
            shell.alive()
            assert not shell.ran()
        else:
            assert shell.wait(shell.ran)


def test_fish_takes_a_buffer_as_one_text(terminal: Open) -> None:
    shell = terminal("fish")
    shell.send(PASTE_ON + "--option\n" + shell.touch() + " DENYME" + PASTE_OFF)
    shell.settle()
    stopped(shell, [ENTER])
    assert "unknown option" not in shell.plain()


# --- answers ----------------------------------------------------------------------------------------------------------

ANSWERS = {
    "y": True,
    "Y": True,
    "n": False,
    ENTER: False,
    ctrl("c"): False,
    ctrl("d"): False,
    ESC: False,
    "x": False,
    "\x1b[A": False,
}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda key: repr(key))
def test_only_y_lets_an_asked_line_run(shared: Open, shell: str, answer: str) -> None:
    bare = shared(shell, hooked=False)
    bare.line(bare.touch() + " ASKME")
    assert bare.wait(bare.ran)
    hooked = shared(shell)
    hooked.line(hooked.touch() + " ASKME")
    hooked.see(QUESTION)
    hooked.settle()
    hooked.send(answer)
    if ANSWERS[answer]:
        assert hooked.wait(hooked.ran), hooked.shown()
    hooked.alive()
    assert hooked.ran() is ANSWERS[answer]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_ctrl_c_at_the_question_brings_the_prompt_back_beside_a_trap_of_the_persons_own(
    terminal: Open, shell: str
) -> None:
    one = terminal(shell, after="trap 'true mine' INT\n")
    one.line(one.touch() + " ASKME")
    one.see(QUESTION)
    one.settle()
    one.send(ctrl("c"))
    one.settle(0.3)
    one.forget()
    one.send(one.touch("typed") + ENTER)  # typed once: a question that is still open would swallow the first letter
    assert one.wait(lambda: one.ran("typed")), one.shown()
    assert not one.ran()
    assert "true mine" in one.output("trap")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_was_typed_ahead_answers_nothing(shared: Open, shell: str) -> None:
    terminal = shared(shell)
    terminal.send(terminal.touch() + " ASKME" + ENTER + "yyyy")
    terminal.see(QUESTION)
    terminal.settle(0.3)
    assert not terminal.ran()
    terminal.send("n")
    terminal.alive()
    assert not terminal.ran()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_e_brings_the_line_back_for_editing(shared: Open, shell: str) -> None:
    terminal = shared(shell)
    terminal.line(terminal.touch() + " ASKME")
    terminal.see(QUESTION)
    terminal.settle()
    terminal.send("e")
    terminal.settle()
    terminal.send("\x7f" * 6 + "x" + ENTER)
    assert terminal.wait(lambda: terminal.ran("ranx")), terminal.shown()
    assert not terminal.ran()
    terminal.alive()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_question_mark_explains_and_asks_again(shared: Open, shell: str) -> None:
    terminal = shared(shell)
    terminal.line(terminal.touch() + " ASKME")
    terminal.see(QUESTION)
    terminal.settle()
    terminal.send("?")
    terminal.see("trail")
    assert terminal.wait(lambda: terminal.plain().count(QUESTION) >= 2)
    terminal.settle()
    terminal.send("y")
    assert terminal.wait(terminal.ran), terminal.shown()
    terminal.alive()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_approves_exactly_this_line_in_this_directory(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    text = one.touch() + " ASKME"
    one.line(text)
    one.see(QUESTION)
    one.settle()
    one.send("a")
    assert one.wait(one.ran), one.shown()
    one.alive()
    one.clear()
    one.forget()
    one.line(text)
    assert one.wait(one.ran)
    assert QUESTION not in one.plain()
    one.alive()
    one.clear()
    one.line(text + "x")
    one.see(QUESTION)
    one.settle()
    one.send("n")
    one.alive()
    assert not one.ran()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_p_is_on_offer_only_for_a_program_that_nobody_described(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.line(one.touch() + " ASKME")
    one.see(QUESTION)
    one.settle()
    assert "[p]rogram" not in one.plain()
    one.send("p")  # not on offer: a no
    one.alive()
    assert not one.ran()
    one.forget()
    one.line(one.touch() + " ASKME NOBODY")
    one.see("[p]rogram")
    one.settle()
    one.send("p")
    assert one.wait(one.ran)
    one.alive()
    assert "program|prog" in (one.home / "approvals").read_text()


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_yes_to_the_first_lines_is_not_asked_again_unless_there_is_more_to_say(terminal: Open, shell: str) -> None:
    if shell == "zsh":
        one = terminal(shell)  # preexec sees the whole construct at once: one question
        play(one, ["for i in 1; do : ASKME", ENTER, one.touch() + "; done", ENTER])
        one.see(QUESTION)
        one.settle()
        one.send("y")
        assert one.wait(one.ran)
        return
    one = terminal(shell)
    play(one, ["for i in 1; do : ASKME", ENTER])
    one.see(QUESTION)
    one.settle()
    one.send("y")
    one.settle()
    one.forget()
    play(one, [one.touch() + "; done", ENTER])
    assert one.wait(one.ran)
    assert QUESTION not in one.plain()
    one.alive()
    play(one, ["for i in 1; do : ASKME", ENTER])
    one.see(QUESTION)
    one.settle()
    one.send("y")
    one.settle()
    one.forget()
    play(one, [": ASKME2; done", ENTER])
    one.see(QUESTION)
    one.settle()
    one.send("n")
    one.alive()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_line_that_passes_as_risky_shows_one_dim_line(terminal: Open, shell: str) -> None:
    one = terminal(shell)
    one.line(one.touch() + " NOTEME")
    assert one.wait(one.ran)
    one.see("phocinae: it can be undone")
