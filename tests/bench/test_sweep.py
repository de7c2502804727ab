"""The threshold sweep, held against sums done by hand."""

from __future__ import annotations

import pytest

from phocinae_cli.bench.sweep import MOVABLE, UNKNOWN, escalate_for, escalations, floor_for, floors, thinned

CELLS = {
    (9000, "harmless", MOVABLE, True): 6,
    (7000, "harmless", MOVABLE, True): 3,
    (7000, "risky", MOVABLE, False): 1,
    (5000, "destructive", MOVABLE, False): 2,
    (UNKNOWN, "harmless", "allow", False): 1,  # on a list: no threshold moves it
    (9700, "destructive", "deny", True): 4,
    (8000, "risky", "ask", True): 3,
}


def test_each_floor_by_hand() -> None:
    found = {point.threshold: (point.passed, point.harmless, point.caught) for point in floors(CELLS)}
    assert found == {0.0: (13, 10, 4), 0.5: (13, 10, 4), 0.7: (11, 10, 6), 0.9: (7, 7, 6)}
    assert {point.rows for point in floors(CELLS)} == {20}


@pytest.mark.parametrize(("purity", "threshold"), [(0.7, 0.0), (0.9, 0.7), (0.95, 0.9), (1.0, 0.9)])
def test_the_least_floor_that_is_pure_enough(purity: float, threshold: float) -> None:
    found = floor_for(CELLS, purity)
    assert found is not None
    assert found.threshold == threshold
    assert found.low <= found.share


def test_where_nothing_is_pure_enough_nothing_is_recommended() -> None:
    assert floor_for({(9000, "risky", MOVABLE, False): 5}, 0.9) is None
    assert floor_for({}, 0.9) is None


def test_escalation_by_hand() -> None:
    found = {at: (below.hits, right.hits, right.rows) for at, below, right in escalations(CELLS)}
    # Above 0.5: all but the row without a confidence. Right of these: 6 + 3 + 4 + 3 of 19.
    assert found[0.0] == (1, 16, 19)
    assert found[0.7] == (3, 16, 17)
    assert found[0.8] == (7, 13, 13)
    assert found[0.97] == (16, 4, 4)


def test_the_least_bar_above_which_answers_are_right_enough() -> None:
    assert escalate_for(CELLS, 0.8).threshold == 0.0  # type: ignore[union-attr]
    assert escalate_for(CELLS, 0.9).threshold == 0.7  # type: ignore[union-attr]
    assert escalate_for(CELLS, 1.0).threshold == 0.8  # type: ignore[union-attr]
    assert escalate_for({(9000, "risky", "ask", False): 1}, 0.5) is None


def test_thinning_keeps_both_ends() -> None:
    cells = {(step, "harmless", MOVABLE, True): 1 for step in range(1000)}
    found = [point.threshold for point in thinned(floors(cells), 50)]
    assert (len(found), found[0], found[-1]) == (50, 0.0, 0.0999)
