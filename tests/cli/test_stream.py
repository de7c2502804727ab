"""`check --jsonl`: one object in, one out, in order and at once; a bad line spoils none of the others."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from phocinae_cli.cli.stream import LONGEST, lines
from tests.cli.conftest import ROOT, Run


def answers(run: Run, *rows: object, argv: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
    """The status and the objects printed for rows; bytes are sent as they are."""
    stdin = b"".join(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows)
    done = run("check", "--jsonl", *argv, stdin=stdin)
    assert b"Traceback" not in done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_answers_come_in_order_with_what_was_not_ours(run: Run) -> None:
    status, told = answers(
        run,
        {"id": 7, "command": "ls", "note": {"a": [1, None, "é"]}},
        {"command": "rm -rf ~", "id": "x"},
        {"command": ["echo", "rm -rf ~"], "decision": "mine", "schema": 9},
    )
    assert status == 20
    assert [each["decision"] for each in told] == ["allow", "deny", "allow"]
    assert [list(each)[:2] for each in told] == [["id", "note"], ["id", "schema"], ["schema", "decision"]]
    assert told[0]["note"] == {"a": [1, None, "é"]}
    assert "command" not in told[0]
    assert (told[2]["schema"], told[2]["decision"]) == (1, "allow")


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        (b"not json\n", "not JSON"),
        (b"[1]\n", "not a JSON object"),
        (b"{}\n", "`command`"),
        (b'{"command": 1}\n', "`command`"),
        (b'{"command": []}\n', "`command`"),
        (b'{"command": ["ls", 1]}\n', "`command`"),
        (b'{"command": "ls", "shell": "tcsh"}\n', "`shell`"),
        (b'{"command": "ls", "cwd": 3}\n', "`cwd`"),
        (b'{"command": "ls", "env": {"A": 1}}\n', "`env`"),
        (b'{"command": "ls", "audience": "boss"}\n', "`audience`"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"command": "' + b"a" * LONGEST + b'"}\n', "longer than"),
        (b"\x80\n", "not JSON"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_line_is_an_error_in_its_place(run: Run, bad: bytes, part: str) -> None:
    status, told = answers(run, {"command": "ls", "id": 1}, bad, {"command": "ls", "id": 3})
    assert status == 3
    assert [each["decision"] for each in told] == ["allow", "ask", "allow"]
    assert told[1]["error"]["code"] == "PHOCINAE_INVALID_ARGUMENTS"
    assert part in told[1]["error"]["message"]
    assert "line 2" in told[1]["error"]["message"]
    assert [each["error"] for each in (told[0], told[2])] == [None, None]


def test_an_error_keeps_the_id(run: Run) -> None:
    assert answers(run, {"id": "x", "shell": "bash"})[1][0]["id"] == "x"


@pytest.mark.parametrize(
    ("rows", "argv", "status"),
    [
        ([], (), 0),
        ([{"command": "ls"}, {"command": "git push"}], (), 10),
        ([{"command": "ls"}, {"command": "git push"}], ("--fail-on", "deny"), 0),
        ([{"command": "rm -rf ~"}, {"command": "git push"}], ("--fail-on", "deny"), 20),
        ([b"\n", {"command": "ls"}, b"\r\n"], (), 0),
        ([b'{"command": "ls"}'], (), 0),
    ],
    ids=repr,
)
def test_the_status_is_the_strictest(run: Run, rows: list[object], argv: tuple[str, ...], status: int) -> None:
    assert answers(run, *rows, argv=argv)[0] == status


def test_what_an_object_says_outranks_the_options(run: Run) -> None:
    rows = [
        {"command": "rm -rf x"},
        {"command": "rm -rf x", "cwd": "/srv/job"},
        {"command": "ls", "shell": "zsh"},
        {"command": "ls", "tool": ""},
        {"command": "ls", "tool": None},
        {"command": "hello", "aliases": {"hello": "rm -rf ~"}},
        {"command": 'rm -rf "$D/x"', "env": {"D": "/etc"}},
        {"command": "bye", "functions": {"bye": "rm -rf ~"}},
    ]
    _, told = answers(run, *rows, argv=("--cwd", "/etc", "--shell", "sh"))
    assert [each["decision"] for each in told] == ["deny", "ask", "allow", "ask", "ask", "deny", "deny", "deny"]
    assert [each["shell"] for each in told[:3]] == ["sh", "sh", "zsh"]
    assert [each["cwd"] for each in told[:2]] == ["/etc", "/srv/job"]


def test_each_project_has_its_own_rules(run: Run, project: Path) -> None:
    for name, text in (
        ("strict", '[[rules]]\ndecision = "deny"\nprogram = "ls"\n'),
        ("broken", "nonsense = 1\n"),
        ("plain", ""),
    ):
        (project / name).mkdir()
        (project / name / ".git").mkdir()
        (project / name / ".phocinae.toml").write_text(text)
    rows = [{"command": "ls", "cwd": str(project / name)} for name in ("strict", "broken", "plain", "strict")]
    status, told = answers(run, {"command": "ls"}, *rows)
    assert status == 3
    assert [each["decision"] for each in told] == ["allow", "deny", "ask", "allow", "deny"]
    assert told[2]["error"]["code"] == "PHOCINAE_INVALID_CONFIG"
    assert "nonsense" in told[2]["error"]["message"]


def test_each_answer_comes_before_the_next_question(home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "phocinae_cli", "check", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"HOME": str(home), "PYTHONPATH": str(ROOT)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for command, decision in (("ls", "allow"), ("rm -rf ~", "deny")):
        process.stdin.write(json.dumps({"command": command}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["decision"] == decision
    process.stdin.close()
    assert process.wait(timeout=30) == 20
    process.stdout.close()


def test_a_reader_who_has_seen_enough_ends_the_stream(run: Run, home: Path) -> None:
    command = f'yes \'{{"command": "ls"}}\' | "{sys.executable}" -m phocinae_cli check --jsonl | head -1'
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        env={"HOME": str(home), "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def test_a_line_is_never_held_beyond_its_limit() -> None:
    stream = BytesIO(b"a\n" + b"b" * (3 * LONGEST) + b"\nc\n" + b"d" * (LONGEST - 1) + b"\n\ne")
    assert list(lines(stream)) == [b"a\n", None, b"c\n", b"d" * (LONGEST - 1) + b"\n", b"\n", b"e"]
