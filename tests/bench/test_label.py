"""Labelling: one key a command, undo, and going on later."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pexpect
import pytest

from phocinae_cli.bench.label import Labelling, commands_of
from phocinae_cli.bench.rows import Source, read
from phocinae_cli.cli import main
from phocinae_cli.errors import PhocinaeError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text("ls\nrm -rf ~\n\nls\ngit push\n")
    return path


def labels(path: Path) -> list[tuple[str, str]]:
    return [(row["command"], row["label"]) for row in map(json.loads, path.read_text().splitlines())]


def keys(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_keys_undo_and_going_on(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = commands.with_suffix(".labels.jsonl")
    keys("hruxdq", monkeypatch)  # harmless, risky, no: undo, a key that means nothing, destructive, quit
    assert main(["bench", "label", str(commands)]) == 0
    assert labels(output) == [("ls", "harmless"), ("rm -rf ~", "destructive")]
    keys("r", monkeypatch)
    assert main(["bench", "label", str(commands)]) == 0
    assert labels(output)[2:] == [("git push", "risky")]
    assert output.stat().st_mode & 0o777 == 0o600
    assert [row.label for row in read(Source("mine", str(output)))] == ["harmless", "destructive", "risky"]


def test_undo_goes_back_over_an_earlier_session(commands: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    Labelling(commands, output, "bash").put("harmless")
    work = Labelling(commands, output, "bash")
    assert work.undo()
    assert work.current == ("bash", "ls")
    assert not work.undo()
    assert output.read_text() == ""


def test_two_labels_leave_risky_out(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys("rdsh", monkeypatch)
    assert main(["bench", "label", "--two", str(commands)]) == 0
    found = labels(commands.with_suffix(".labels.jsonl"))
    assert found == [("ls", "destructive"), ("rm -rf ~", "skipped"), ("git push", "harmless")]


def test_what_was_skipped_is_no_row_of_a_measurement(commands: Path, tmp_path: Path) -> None:
    work = Labelling(commands, tmp_path / "out.jsonl", "bash")
    work.put("skipped")
    work.put("destructive")
    assert [row.command for row in read(Source("out", str(tmp_path / "out.jsonl")))] == ["rm -rf ~"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "command,shell\nls,zsh\n'x',\n"),
        ("a.jsonl", '{"command": "ls", "shell": "zsh"}\n{"cmd": "\'x\'"}\n'),
    ],
)
def test_tables_are_read_too(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert commands_of(tmp_path / name, "bash") == [("zsh", "ls"), ("bash", "'x'")]


def test_a_file_of_something_else_is_not_written_to(commands: Path) -> None:
    with pytest.raises(PhocinaeError, match="no labelled row"):
        Labelling(commands, commands, "bash")


def test_on_a_terminal_one_key_is_enough(commands: Path, home: Path) -> None:
    child = pexpect.spawn(
        sys.executable, ["-m", "phocinae_cli", "bench", "label", str(commands)], cwd=str(ROOT), timeout=30
    )
    child.expect("1/3")
    child.send("h")
    child.expect("2/3")
    child.send("q")
    child.expect("1 of 3 done")
    child.expect(pexpect.EOF)
    child.close()
    assert labels(commands.with_suffix(".labels.jsonl")) == [("ls", "harmless")]
