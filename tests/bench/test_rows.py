"""Labelled rows of one's own: JSON lines and CSV, two labels or three, and what is told of rows that can't be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from phocinae_cli.bench.rows import Source, read, shipped, sources_of, survey
from phocinae_cli.errors import PhocinaeError


def test_the_shipped_sets_are_found_and_read_whole() -> None:
    sets = shipped()
    assert {"own", "tricky-harmless"} <= set(sets)
    for source in sets.values():
        lines = [line for line in Path(source.path).read_text(encoding="utf-8").splitlines() if line]
        assert survey(source).rows == len(lines) == len(list(read(source)))


def test_json_lines_with_three_labels(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    rows = [
        {"command": "ls", "label": "Harmless", "shell": "zsh", "tags": ["a", "b"], "id": "x", "split": "fit"},
        {"cmd": "git push", "expected": "ask"},
        {"command": "rm -rf ~\n", "verdict": "deny", "shell": "posix"},
    ]
    path.write_text("\n\n".join(json.dumps(row) for row in rows))
    found = list(read(Source("mine", str(path))))
    assert [(row.id, row.command, row.label, row.shell, row.coarse) for row in found] == [
        ("x", "ls", "harmless", "zsh", False),
        ("mine-3", "git push", "risky", "bash", False),
        ("mine-5", "rm -rf ~\n", "destructive", "bash", False),
    ]
    assert (found[0].tags, found[0].split, found[0].source) == (("a", "b"), "fit", "mine")


def test_csv_with_two_labels(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text('Command,Label,Tags\n"echo ""a, b""\nls",safe,"x; y"\nrm -rf /,UNSAFE,\nls,0,\n')
    found = list(read(Source("mine", str(path), "zsh")))
    assert [(row.command, row.label, row.coarse, row.shell) for row in found] == [
        ('echo "a, b"\nls', "harmless", True, "zsh"),
        ("rm -rf /", "destructive", True, "zsh"),
        ("ls", "harmless", True, "zsh"),
    ]
    assert found[0].tags == ("x", "y")


def test_every_row_at_fault_is_named_up_to_ten(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(
        '{"command": "ls", "label": "harmless"}\n{"command": "ls"}\nnonsense\n[1]\n{"label": "safe"}\n'
        '{"command": "ls", "label": "maybe"}\n{"command": "ls", "label": "safe", "shell": "tcsh"}\n' + "{}\n" * 8
    )
    with pytest.raises(PhocinaeError) as caught:
        survey(Source("bad", str(path)))
    told = caught.value.details
    assert caught.value.message.endswith("14 rows can't be used")
    assert told[:6] == (
        "line 2: no label",
        "line 3: no JSON",
        "line 4: no JSON object",
        "line 5: no command",
        "line 6: no label: 'maybe'",
        "line 7: no shell that is known: 'tcsh'",
    )
    assert told[-1] == "and 4 more"


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_no_set(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text(text)
    with pytest.raises(PhocinaeError, match="no rows"):
        survey(Source("empty", str(path)))


def test_a_name_that_is_neither_a_set_nor_a_file(tmp_path: Path) -> None:
    with pytest.raises(PhocinaeError, match=r"neither a file nor a set; the sets are .*own"):
        sources_of([str(tmp_path / "absent.csv")])
