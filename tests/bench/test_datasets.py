"""The labelled rows keep their promises: legal fields, no line twice, no program on both sides of the split."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

DATASETS = Path(__file__).parents[2] / "bench" / "datasets"
PREFIX = {"own": "own-", "tricky-harmless": "th-", "reference-kind": "rk-", "blind": "bl-"}
FIELDS = {"id", "command", "shell", "label", "why", "tags", "program", "split"}
SHELLS = {"bash", "zsh", "fish", "powershell", "cmd"}
POSIX = {"bash", "zsh"}
LABELS = {"harmless", "risky", "destructive"}
SPLITS = {"fit", "held-out", "seen"}

Row = dict[str, Any]


def read(name: str) -> list[Row]:
    lines = (DATASETS / name / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_all() -> list[Row]:
    return [row for name in PREFIX for row in read(name)]


def documented_tags() -> set[str]:
    _, tags = (DATASETS / "own" / "SOURCE.md").read_text(encoding="utf-8").split("## Tags", 1)
    return set(re.findall(r"`([a-z-]+)`", tags))


@pytest.mark.parametrize("name", PREFIX)
def test_each_row_has_exactly_the_documented_fields(name: str) -> None:
    wrong = [row.get("id", row) for row in read(name) if set(row) != FIELDS]
    assert wrong == []


@pytest.mark.parametrize("name", PREFIX)
def test_values_are_legal(name: str) -> None:
    tags = documented_tags()
    for row in read(name):
        assert re.fullmatch(rf"{PREFIX[name]}\d{{4,}}", row["id"]), row
        assert row["label"] in LABELS, row
        assert row["shell"] in SHELLS, row
        assert row["split"] in SPLITS, row
        assert row["command"].strip(), row
        assert "\0" not in row["command"], row
        assert row["program"], row
        assert " " not in row["program"], row
        assert row["tags"], row
        assert len(set(row["tags"])) == len(row["tags"]), row
        assert set(row["tags"]) <= tags, row


@pytest.mark.parametrize("name", PREFIX)
def test_the_reason_is_one_clause(name: str) -> None:
    for row in read(name):
        assert 5 <= len(row["why"]) <= 120, row
        assert "\n" not in row["why"], row
        assert not row["why"].endswith("."), row


def test_ids_are_unique() -> None:
    counted = Counter(row["id"] for row in read_all())
    assert [id_ for id_, times in counted.items() if times > 1] == []


def test_no_command_stands_twice() -> None:
    def family(row: Row) -> str:
        return "posix" if row["shell"] in POSIX else str(row["shell"])

    counted = Counter((family(row), " ".join(row["command"].split())) for row in read_all())
    assert [line for line, times in counted.items() if times > 1] == []


def test_no_program_is_both_fitted_on_and_held_out() -> None:
    sides: dict[str, set[str]] = defaultdict(set)
    for row in read_all():
        sides[row["program"]].add(row["split"])
    assert sorted(program for program, found in sides.items() if {"fit", "held-out"} <= found) == []


@pytest.mark.parametrize("shells", [POSIX, {"powershell", "cmd"}], ids=["posix", "windows"])
@pytest.mark.parametrize("label", ["harmless", "destructive"])
def test_enough_rows_are_held_out(label: str, shells: set[str]) -> None:
    held = [row for row in read_all() if row["split"] == "held-out" and row["label"] == label]
    assert sum(row["shell"] in shells for row in held) >= (80 if shells is POSIX else 20)


@pytest.mark.parametrize(("label", "least"), [("harmless", 550), ("risky", 350), ("destructive", 400)])
def test_there_are_enough_rows_of_each_label(label: str, least: int) -> None:
    assert sum(row["label"] == label and row["shell"] in POSIX for row in read("own")) >= least


@pytest.mark.parametrize(
    ("shell", "label", "least"),
    [
        ("powershell", "harmless", 150),
        ("powershell", "risky", 70),
        ("powershell", "destructive", 90),
        ("cmd", "harmless", 80),
        ("cmd", "risky", 40),
        ("cmd", "destructive", 60),
    ],
)
def test_there_are_enough_rows_for_the_shells_of_windows(shell: str, label: str, least: int) -> None:
    assert sum(row["label"] == label and row["shell"] == shell for row in read("own")) >= least


def test_the_reference_kind_is_31_destructive_and_22_routine_lines_over_three_shells() -> None:
    rows = read("reference-kind")
    assert Counter(row["label"] for row in rows) == {"destructive": 31, "harmless": 22}
    assert {row["shell"] for row in rows} == {"bash", "powershell", "cmd"}


def test_rows_that_only_look_dangerous_are_all_harmless() -> None:
    rows = read("tricky-harmless")
    assert len(rows) >= 200
    assert {row["label"] for row in rows} == {"harmless"}


def test_every_documented_tag_is_used() -> None:
    assert documented_tags() == {tag for row in read_all() for tag in row["tags"]}


@pytest.mark.parametrize("name", PREFIX)
def test_the_source_names_a_licence(name: str) -> None:
    assert "Licence: Apache-2.0" in (DATASETS / name / "SOURCE.md").read_text(encoding="utf-8")
