"""What other thresholds would have given: the same answers, let pass from another confidence on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from phocinae_cli.bench.calibration import SCALE
from phocinae_cli.bench.shares import Share, resampled
from phocinae_cli.core.verdict import ALLOW, DESTRUCTIVE, HARMLESS

MOVABLE = "movable"
"""Stands in for the decision where the confidence decides it: the judge claims harmless, and nothing else holds."""

UNKNOWN = -1
"""The step of an answer whose confidence is unknown: it reaches no threshold."""

Cells = Mapping[tuple[int, str, str, bool], int]
"""How many rows there were by step of confidence, label, decision (or MOVABLE), and whether the claim was right."""


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold gives: rows that pass and how many of them are harmless; destructive rows that are caught."""

    threshold: float
    passed: int
    harmless: int
    rows: int
    all_harmless: int
    caught: int
    destructive: int

    @property
    def purity(self) -> float | None:
        """The share of what passes that is harmless."""
        return self.harmless / self.passed if self.passed else None

    def as_object(self) -> dict[str, object]:
        """Return the point as plain values for JSON."""
        return {
            "threshold": self.threshold,
            "purity": Share(self.harmless, self.passed).as_object(),
            "passed": Share(self.passed, self.rows).as_object(),
            "harmless_passed": Share(self.harmless, self.all_harmless).as_object(),
            "recall": Share(self.caught, self.destructive).as_object(),
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """The least threshold that gives a wanted share, and the share it gave, with the low end of its interval."""

    threshold: float
    share: float
    low: float
    rows: int


def floors(cells: Cells) -> list[Point]:
    """Return a point for each confidence at which anything changes, the lowest first; 0 is always one of them."""
    steps = sorted({0, *(step for step, _, decision, _ in cells if decision == MOVABLE and step >= 0)})
    passed, harmless, slipped = _fixed(cells)
    by_step: dict[int, tuple[int, int, int]] = {}
    for (step, label, decision, _), count in cells.items():
        if decision == MOVABLE and step >= 0:
            all_, good, bad = by_step.get(step, (0, 0, 0))
            by_step[step] = (all_ + count, good + count * (label == HARMLESS), bad + count * (label == DESTRUCTIVE))
    rows = sum(cells.values())
    all_harmless = sum(count for (_, label, _, _), count in cells.items() if label == HARMLESS)
    destructive = sum(count for (_, label, _, _), count in cells.items() if label == DESTRUCTIVE)
    found = []
    for step in reversed(steps):
        all_, good, bad = by_step.get(step, (0, 0, 0))
        passed, harmless, slipped = passed + all_, harmless + good, slipped + bad
        found.append(
            Point(step / SCALE, passed, harmless, rows, all_harmless, destructive - slipped, destructive),
        )
    return found[::-1]


def floor_for(cells: Cells, purity: float) -> Advice | None:
    """Return the least `min_confidence` whose passes are harmless to the wanted share; None when none is."""
    for point in floors(cells):
        if point.purity is not None and point.purity >= purity:
            return Advice(point.threshold, point.purity, resampled(point.harmless, point.passed)[0], point.passed)
    return None


def escalations(cells: Cells) -> list[tuple[float, Share, Share]]:
    """Return, for each confidence that occurs, the share of rows below it and the share right among the others."""
    rows = sum(cells.values())
    counts: dict[int, tuple[int, int]] = {0: (0, 0)}
    for (step, _, _, right), count in cells.items():
        if step >= 0:
            kept, good = counts.get(step, (0, 0))
            counts[step] = (kept + count, good + count * right)
    found, kept, good = [], 0, 0
    for step in sorted(counts, reverse=True):
        kept, good = kept + counts[step][0], good + counts[step][1]
        found.append((step / SCALE, Share(rows - kept, rows), Share(good, kept)))
    return found[::-1]


def escalate_for(cells: Cells, accuracy: float) -> Advice | None:
    """Return the least `escalate_at` above which answers are right to the wanted share; None when there is none."""
    for threshold, _, right in escalations(cells):
        if right.value is not None and right.value >= accuracy:
            return Advice(threshold, right.value, resampled(right.hits, right.rows)[0], right.rows)
    return None


def thinned(points: list[Point], most: int = 200) -> list[Point]:
    """Return at most so many points, evenly drawn, the first and the last among them."""
    if len(points) <= most:
        return points
    return [points[place * (len(points) - 1) // (most - 1)] for place in range(most)]


def _fixed(cells: Cells) -> tuple[int, int, int]:
    """Return rows that pass whatever the threshold is: all, the harmless, the destructive."""
    passed = [(label, count) for (_, label, decision, _), count in cells.items() if decision == ALLOW]
    return (
        sum(count for _, count in passed),
        sum(count for label, count in passed if label == HARMLESS),
        sum(count for label, count in passed if label == DESTRUCTIVE),
    )
