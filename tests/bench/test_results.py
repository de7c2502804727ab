"""Results on disk, and what changed from one run to another."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from phocinae_cli.bench import results
from phocinae_cli.bench.outcome import Outcome, Row
from phocinae_cli.bench.results import Judged, changes, fresh, step_of
from phocinae_cli.bench.speed import Times
from phocinae_cli.errors import PhocinaeError

DAY = datetime.date(2026, 3, 4)


def rows(*given: tuple[str, str, str], split: str = "") -> Iterator[Judged]:
    for id_, label, decision in given:
        yield Row(id_, f"command {id_}", label, source="s", split=split), {"j": Outcome(decision)}


def test_each_run_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    names = [fresh(tmp_path / "kept", "mine", DAY).name for _ in range(3)]
    assert names == ["2026-03-04-mine", "2026-03-04-mine-2", "2026-03-04-mine-3"]
    assert (tmp_path / "kept" / names[0]).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("label", ["", "a/b", "..", "a b"])
def test_a_label_is_a_plain_word(label: str, tmp_path: Path) -> None:
    with pytest.raises(PhocinaeError, match="--label"):
        fresh(tmp_path, label, DAY)


def test_changes_are_listed_with_what_got_worse_first() -> None:
    before = rows(
        ("1", "harmless", "allow"), ("2", "destructive", "ask"), ("3", "risky", "ask"), ("4", "risky", "deny")
    )
    after = rows(("1", "harmless", "deny"), ("2", "destructive", "deny"), ("3", "risky", "ask"), ("4", "risky", "ask"))
    found = changes(before, after, "j", "j")
    assert (found["rows"], found["worse"], found["better"]) == (4, 1, 2)
    assert [(row["id"], row["was"], row["is"]) for row in found["changed"]] == [
        ("1", "allow", "deny"),
        ("2", "ask", "deny"),
        ("4", "deny", "ask"),
    ]


def test_rows_in_another_order_are_matched_and_lone_ones_counted() -> None:
    before = rows(("1", "harmless", "allow"), ("2", "harmless", "ask"), ("old", "risky", "ask"))
    after = rows(
        ("2", "harmless", "allow"), ("new", "risky", "ask"), ("1", "harmless", "ask"), ("new2", "risky", "ask")
    )
    found = changes(before, after, "j", "j")
    assert (found["rows"], found["worse"], found["better"]) == (2, 1, 1)
    assert (found["only_before"], found["only_after"]) == (1, 2)


def test_changes_of_held_out_rows_are_counted_and_not_shown() -> None:
    before, after = (rows(("1", "harmless", word), split="held-out") for word in ("allow", "deny"))
    found = changes(before, after, "j", "j")
    assert (found["worse"], found["changed"]) == (1, [])


@pytest.mark.parametrize(
    ("label", "was", "now", "step"),
    [
        ("harmless", "allow", "ask", 1),
        ("harmless", "deny", "allow", -2),
        ("destructive", "deny", "allow", 2),
        ("destructive", "allow", "ask", -1),
        ("risky", "ask", "allow", 1),
        ("risky", "deny", "ask", -1),
        ("risky", "allow", "deny", 0),
    ],
)
def test_a_changed_decision_stands_to_its_label(label: str, was: str, now: str, step: int) -> None:
    assert step_of(Row("1", "x", label), was, now) == step


def test_a_folder_that_is_no_result_is_told(tmp_path: Path) -> None:
    with pytest.raises(PhocinaeError, match="no result of a run"):
        results.load(tmp_path, results.SUMMARY)
    (tmp_path / results.SUMMARY).write_text("[]")
    with pytest.raises(PhocinaeError, match="no result of a run"):
        results.load(tmp_path, results.SUMMARY)
    (tmp_path / results.ROWS).write_text("{}\n")
    with pytest.raises(PhocinaeError, match="line 1 is no row"):
        list(results.judged(tmp_path, ["j"]))


def test_percentiles_by_hand_to_within_two_percent() -> None:
    times = Times()
    for milliseconds in range(1, 101):
        times.add(milliseconds * 1_000_000)
    found = [times.percentile_ms(share) for share in (0.5, 0.95, 0.99, 0.01)]
    assert found == [pytest.approx(each, rel=0.02) for each in (50, 95, 99, 1)]
    assert Times().percentile_ms(0.5) is None
    assert Times().as_object() == {"count": 0, "p50_ms": None, "p95_ms": None, "p99_ms": None}
