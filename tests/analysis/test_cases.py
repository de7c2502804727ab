"""The tables of tests/cases: a line, and what the judge must say of it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.judging import decision

TABLES = sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))


def cases() -> list[Any]:
    found = []
    for path in TABLES:
        for row in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            if "expect" in row:
                found.append(pytest.param(row, id=f"{path.stem}: {row['line'][:50]!r}"))
    return found


@pytest.mark.parametrize("row", cases())
def test_the_line_gets_the_expected_decision(row: dict[str, Any]) -> None:
    found = decision(row["line"], row.get("shell", "bash"), comments=row.get("comments", True))
    assert found == row["expect"], row.get("note", "")
