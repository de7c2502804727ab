"""How cmd text is read: words, operators, blocks, loops, and what percent signs stand for."""

from __future__ import annotations

import pytest

from phocinae_cli.analysis.windows.batch_syntax import Block, CmdFault, Command, For, If, Joined, read, split_words
from tests.judging import decision


def names(text: str) -> list[str]:
    """Return the names of all commands of a text, in order."""
    found: list[str] = []
    waiting: list[object] = list(read(text))
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, Command):
            found.append(item.name)
        elif isinstance(item, Joined):
            waiting[:0] = item.parts
        elif isinstance(item, Block):
            waiting[:0] = item.body
        elif isinstance(item, If):
            waiting[:0] = [item.body, *([item.otherwise] if item.otherwise is not None else [])]
        elif isinstance(item, For):
            waiting.insert(0, item.body)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dir", ["dir"]),
        ("a & b && c || d | e", ["a", "b", "c", "d", "e"]),
        ("a ^& b", ["a"]),
        ('a "x & y" & b', ["a", "b"]),
        ("(a & b) & c", ["a", "b", "c"]),
        ("a\nb\r\nc", ["a", "b", "c"]),
        ("a ^\nb", ["a"]),
        ("if exist x (a) else b", ["a", "b"]),
        ('if "%x%"=="" a', ["a"]),
        ("if not defined X a & b", ["a", "b"]),
        ("if errorlevel 1 a", ["a"]),
        ("for %i in (1 2) do a %i", ["a"]),
        ("for /f \"tokens=1,2 delims=,\" %%a in ('dir /b') do a & b", ["a", "b"]),
        (":label\na", ["", "a"]),
        ("@a", ["a"]),
        ("d^e^l x", ["del"]),
        ("a > b.txt 2>&1", ["a"]),
        (">b.txt a", ["a"]),
    ],
)
def test_the_commands_of_a_text(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_a_redirection_is_no_word() -> None:
    item = read('echo hi >> "a b.txt" 2>nul')[0]
    assert isinstance(item, Command)
    assert item.redirects == [(">>", '"a b.txt"'), ("2>", "nul")]


@pytest.mark.parametrize("text", ["(a", "for %i in (1) a", "for", "a &&", "(" * 500])
def test_what_cmd_would_not_take_is_a_fault(text: str) -> None:
    with pytest.raises(CmdFault):
        read(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('a "b c" d', ["a", "b c", "d"]),
        ('"" x', ["", "x"]),
        ('-c "say \\"hi\\""', ["-c", 'say "hi"']),
        ("a,b;c", ["a,b;c"]),
    ],
)
def test_a_program_parts_its_command_line_at_blanks_outside_quotes(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_a_value_that_holds_an_operator_ends_the_command() -> None:
    assert decision('set "X=a & rd /s /q C:\\Users"\necho %X%', "cmd") == "deny"
    assert decision('set "X=dir & rd /s /q C:\\Users"\n%X%', "cmd") == "deny"
    assert decision('set "X=a and b"\necho %X%', "cmd") == "allow"


def test_parts_of_a_variable_are_cut_out() -> None:
    assert decision("set X=xrdx\n%X:~1,2% /s /q C:\\Users", "cmd") == "deny"
    assert decision("set X=rZd\n%X:Z=% /s /q C:\\Users", "cmd") == "deny"
