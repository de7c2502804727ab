"""`check --file`: every command of a script, on its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phocinae_cli.cli.script import CHUNK, chunks, shell_of
from phocinae_cli.errors import PhocinaeError
from tests.cli.conftest import Run


def told(run: Run, project: Path, text: str | bytes, *argv: str) -> tuple[int, list[dict[str, Any]]]:
    """The status, and an object for each command."""
    (project / "script.sh").write_bytes(text.encode() if isinstance(text, str) else text)
    done = run("check", "--file", "script.sh", "--json", *argv)
    assert b"Traceback" not in done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def decisions(objects: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(each["line"], each["decision"]) for each in objects]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=repr)
def test_each_command_has_its_line(run: Run, project: Path, end: str) -> None:
    text = end.join(["#!/bin/bash", "# rm -rf /", "ls", "", "rm -rf /etc", "echo a; git push", ""])
    status, objects = told(run, project, text)
    assert status == 20
    assert decisions(objects) == [(3, "allow"), (5, "deny"), (6, "allow"), (6, "ask")]
    assert {each["file"] for each in objects} == {"script.sh"}


def test_spans_are_offsets_into_the_script(run: Run, project: Path) -> None:
    text = "ls\ncd /\nrm -rf /etc\n"
    _, objects = told(run, project, text)
    start, end = objects[2]["findings"][0]["span"]
    assert text[start:end] == "rm -rf /etc"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cd /etc\nrm -rf *\n", [(1, "allow"), (2, "deny")]),
        ("D=/etc\nrm -rf $D\n", [(1, "allow"), (2, "deny")]),
        ("D=$(mktemp -d)\nrm -rf $D\n", [(1, "allow"), (2, "allow")]),
        ("clean() {\n  rm -rf /etc\n}\nls\n", [(1, "allow"), (4, "allow")]),
        ("ls() {\n  rm -rf /etc\n}\nif true; then\n  ls\nfi\n", [(1, "deny"), (4, "allow")]),
        ("ls() { rm -rf /etc; }\nls\n", [(1, "deny"), (2, "allow")]),
        ("if true; then\n  ls\n  rm -rf /etc\nfi\nls\n", [(1, "deny"), (5, "allow")]),
        ("cat <<X\nrm -rf /\nX\nls\n", [(1, "allow"), (4, "allow")]),
        ("bash <<X\nrm -rf /etc\nX\n", [(1, "deny")]),
        ("", []),
        ("\n# only words\n\n", []),
    ],
    ids=repr,
)
def test_what_one_command_sets_counts_in_the_next(
    run: Run, project: Path, text: str, expected: list[tuple[int, str]]
) -> None:
    """What a function does is told on the line that does it, once something calls the function."""
    assert decisions(told(run, project, text)[1]) == expected


def test_a_script_that_breaks_off_is_asked_about_where_it_does(run: Run, project: Path) -> None:
    status, objects = told(run, project, "ls\nrm -rf /etc\necho (\nls\n")
    assert status == 20
    assert decisions(objects)[:2] == [(1, "allow"), (2, "deny")]
    assert decisions(objects)[-1] == (3, "ask")


def test_a_person_reads_what_is_not_allowed_and_a_sum(run: Run, project: Path) -> None:
    (project / "deploy.sh").write_text("ls\nls\ngit push\n")
    done = run("check", "--file", "deploy.sh")
    out = done.stdout.decode().splitlines()
    assert done.returncode == 10
    assert out[0].startswith("deploy.sh:3: ask ")
    assert "3 | git push" in out[1]
    assert out[-1] == "deploy.sh: 3 commands: 1 ask, 2 allow"
    assert run("check", "--file", "deploy.sh", "--quiet").stdout == b""
    assert run("check", "--file", "deploy.sh", "--fail-on", "deny").returncode == 0


def test_inside_a_block_the_guilty_line_is_named(run: Run, project: Path) -> None:
    (project / "x.sh").write_text("ls\nfor d in a b; do\n\n  rm -rf /etc/$d\ndone\n")
    out = run("check", "--file", "x.sh").stdout.decode().splitlines()
    assert out[0].startswith("x.sh:4: deny ")
    assert out[1] == "  4 | rm -rf /etc/$d"


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfls\n", b"ls", b"ls\r\n"], ids=repr)
def test_marks_and_line_ends_are_no_commands(run: Run, project: Path, data: bytes) -> None:
    assert decisions(told(run, project, data)[1]) == [(1, "allow")]


def test_bytes_that_are_no_text_ask(run: Run, project: Path) -> None:
    assert decisions(told(run, project, b"ls\necho \x80\n")[1]) == [(1, "ask")]


def test_a_long_script_is_vetted_to_its_end(run: Run, project: Path) -> None:
    text = "".join(f"echo line number {number} of a long script\n" for number in range(4000)) + "rm -rf /etc\n"
    assert len(text) > 2 * CHUNK
    status, objects = told(run, project, text)
    assert (status, len(objects)) == (20, 4001)
    assert decisions(objects)[-1] == (4001, "deny")
    start, end = objects[-1]["findings"][0]["span"]
    assert text[start:end] == "rm -rf /etc"
    assert {each["decision"] for each in objects[:-1]} == {"allow"}


def test_a_text_is_cut_between_commands_only() -> None:
    text = "echo " + "a" * 40_000 + "\nls\necho " + "b" * 40_000 + "\n(\nrm -rf x\n" + "c" * 70_000 + "\n)\nls\n"
    pieces = chunks(text, "bash")
    assert "".join(piece for piece, _ in pieces) == text
    assert [piece.split("\n")[0][:6] for piece, _ in pieces] == ["echo a", "echo b", "(", "ls"]
    assert chunks("ls\n", "bash") == [("ls\n", 0)]


@pytest.mark.parametrize(
    ("path", "first", "shell"),
    [
        ("x.sh", "#!/bin/sh", "sh"),
        ("x", "#!/usr/bin/env -S bash -eu", "bash"),
        ("x", "#!/usr/bin/env A=1 zsh", "zsh"),
        ("x", "#! /usr/bin/fish", "fish"),
        ("x", "#!/bin/dash", "sh"),
        ("x", "ls", "bash"),
        ("x.PS1", "ls", "powershell"),
        ("x.bat", "dir", "cmd"),
        ("x.bat", "#!/bin/zsh", "zsh"),
        ("x", "#!", "sh"),
    ],
)
def test_the_first_line_names_the_shell(path: str, first: str, shell: str) -> None:
    assert shell_of(path, first + "\nls\n") == shell


def test_another_language_is_not_read_as_a_shell(run: Run, project: Path) -> None:
    (project / "x.py").write_text("#!/usr/bin/env python3\nimport os\n")
    done = run("check", "--file", "x.py")
    assert done.returncode == 2
    assert b"python3" in done.stderr
    with pytest.raises(PhocinaeError):
        shell_of("x", "#!/usr/bin/perl -w\n")


@pytest.mark.parametrize("name", ["missing.sh", ".", "a\0b"])
def test_a_file_that_can_not_be_read_is_a_failure(project: Path, name: str) -> None:
    from phocinae_cli.cli.script import read_script

    with pytest.raises(PhocinaeError, match=r"missing|directory|null|embedded"):
        read_script(str(project / name))
