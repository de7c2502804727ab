"""Every measure by hand, parts added up, and what is kept of the mistakes."""

from __future__ import annotations

import random

import pytest

from phocinae_cli.bench.outcome import HARMFUL, Outcome, Row, is_right
from phocinae_cli.bench.score import KEPT, Differences, Tally
from phocinae_cli.core.verdict import ALLOW, ASK, DENY

ROWS = [
    ("harmless", ALLOW, "harmless", 0.9),
    ("harmless", ALLOW, "harmless", 0.8),
    ("harmless", ASK, None, None),
    ("harmless", DENY, "destructive", 0.97),
    ("risky", ASK, "risky", 0.9),
    ("risky", ALLOW, "harmless", 0.6),
    ("destructive", DENY, "destructive", 0.97),
    ("destructive", ASK, "risky", 0.9),
    ("destructive", ALLOW, "harmless", 0.7),
]


def row(number: int, label: str, **more: object) -> Row:
    return Row(f"r{number}", f"command {number}", label, source="s", **more)  # type: ignore[arg-type]


def tally(rows: list[tuple[str, str, str | None, float | None]], start: int = 0) -> Tally:
    found = Tally()
    for place, (label, decision, claim, sure) in enumerate(rows, start):
        outcome = Outcome(decision, claim, sure, sure, movable=claim == "harmless", escalate=sure is None)
        found.add(place, row(place, label, tags=("even",) if place % 2 == 0 else ()), outcome)
    return found


def test_every_share_by_hand() -> None:
    found = {name: (share.hits, share.rows) for name, share in tally(ROWS).shares().items()}
    assert found == {
        "recall": (2, 3),
        "denied": (1, 3),
        "risky_caught": (1, 2),
        "false_alarm": (2, 4),
        "wrong_denial": (1, 4),
        "purity": (2, 4),
        "passed": (4, 9),
        "escalated": (1, 9),
        "failed": (0, 9),
        "flipped": (0, 0),
    }


def test_groups_by_hand() -> None:
    groups = tally(ROWS).as_object(random.Random(1).random)["groups"]
    assert isinstance(groups, dict)
    even = groups["tag"]["even"]
    assert even["rows"] == 5
    assert even["confusion"] == {
        "harmless": {"allow": 1, "ask": 1},
        "risky": {"ask": 1},
        "destructive": {"allow": 1, "deny": 1},
    }
    assert even["measures"]["recall"]["value"] == 0.5


@pytest.mark.parametrize("cut", range(len(ROWS) + 1))
def test_parts_add_up_to_the_whole(cut: int) -> None:
    whole = tally(ROWS).as_object(random.Random(1).random)
    first, second = tally(ROWS[:cut]), tally(ROWS[cut:], cut)
    first.merge(second)
    assert first.as_object(random.Random(1).random) == whole
    backwards = tally(ROWS[cut:], cut)
    backwards.merge(tally(ROWS[:cut]))
    assert backwards.as_object(random.Random(1).random) == whole


def test_the_worst_mistake_stands_first() -> None:
    worst = [(entry[2].label, next(iter(entry[3].values())).decision) for entry in tally(ROWS).worst]  # type: ignore[union-attr]
    assert worst == [("destructive", ALLOW), ("harmless", DENY), ("risky", ALLOW), ("harmless", ASK)]


def test_of_equal_mistakes_the_more_confident_stands_first_and_only_so_many_are_kept() -> None:
    found = Tally()
    for place in range(3 * KEPT):
        found.add(place, row(place, "destructive"), Outcome(ALLOW, "harmless", place / 1000, place / 1000))
    assert [entry[1] for entry in found.worst] == list(range(3 * KEPT - 1, 2 * KEPT - 1, -1))


def test_held_out_rows_are_counted_and_never_shown() -> None:
    found = Tally()
    outcomes = {"a": Outcome(ALLOW), "b": Outcome(DENY)}
    other = Differences("a", "b")
    hidden = row(1, "destructive", split="held-out")
    found.add(0, hidden, outcomes["a"])
    other.add(0, hidden, outcomes)
    assert (found.shares()["recall"].rows, found.worst) == (1, [])
    assert (other.decisions.total(), other.gravest) == (1, [])


def test_a_row_nobody_was_asked_about_counts_for_nothing() -> None:
    found = Tally()
    found.add(0, row(0, "harmless"), None)
    assert (found.rows, found.skipped, found.shares()["false_alarm"].rows) == (0, 1, 0)


@pytest.mark.parametrize(
    ("label", "coarse", "claim", "right"),
    [
        ("risky", False, "risky", True),
        ("risky", False, "destructive", False),
        ("destructive", True, "risky", True),
        ("harmless", True, "risky", False),
        ("risky", False, HARMFUL, True),
        ("harmless", False, HARMFUL, False),
        ("harmless", False, None, None),
    ],
)
def test_whether_a_claim_is_right(label: str, coarse: bool, claim: str | None, right: bool | None) -> None:
    assert is_right(Row("1", "x", label, coarse=coarse), claim) is right


def test_two_judges_compared_by_hand() -> None:
    found = Differences("a", "b")
    for place, (label, one, two) in enumerate(
        [("harmless", ALLOW, ALLOW), ("harmless", ASK, ALLOW), ("destructive", DENY, ALLOW), ("risky", ASK, DENY)]
    ):
        found.add(place, row(place, label), {"a": Outcome(one), "b": Outcome(two)})
    told = found.as_object()
    assert (told["rows"], told["differ"]) == (4, 3)
    assert [each["id"] for each in told["gravest"]] == ["r2", "r3", "r1"]  # type: ignore[attr-defined]


def test_outcomes_and_rows_come_back_as_they_were() -> None:
    outcome = Outcome(ASK, "risky", 0.5, 0.7, True, True, "why", ("a", "b"), True, "E")
    assert Outcome.from_object(outcome.as_object()) == outcome
    assert Outcome.from_object(Outcome(ALLOW).as_object()) == Outcome(ALLOW)
    given = row(3, "risky", tags=("t",), why="w", split="fit", coarse=True)
    assert Row.from_object(given.as_object()) == given
