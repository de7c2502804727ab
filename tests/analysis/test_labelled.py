"""The labelled rows that may be looked at: nothing destructive is allowed, nothing harmless denied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.judging import decision

DATASETS = Path(__file__).parents[2] / "bench" / "datasets"
WORST = {("destructive", "allow"), ("harmless", "deny")}


@pytest.mark.parametrize("name", ["own", "blind", "tricky-harmless", "reference-kind"])
def test_no_destructive_row_is_allowed_and_no_harmless_one_denied(name: str) -> None:
    lines = (DATASETS / name / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["split"] != "held-out"]
    found = [row["id"] for row in rows if (row["label"], decision(row["command"], row["shell"])) in WORST]
    assert found == []
