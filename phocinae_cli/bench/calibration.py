"""Whether "90 % sure" is right nine times in ten: reliability, calibration error with its noise floor, Brier score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from phocinae_cli.bench.shares import Dice, binomial, poisson, rounded

BINS = 10
SCALE = 10_000
"""Confidences are counted in steps of a ten-thousandth, so that any number of rows takes the same memory."""

DRAWS = 200

Cells = Mapping[tuple[int, bool], int]
"""How many answers there were by confidence, in steps of 1/SCALE, and whether the answer was right."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers whose confidence lies from `low` up to `high`: how many, their mean confidence, the share right."""

    low: float
    high: float
    rows: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """`ece` is the expected calibration error over ten bins of equal width, `low` and `high` its bootstrap interval.

    `floor` is the error that a perfectly calibrated judge with the same confidences would show by chance alone: an
    `ece` below it says nothing against the judge. `brier` is the mean squared distance of confidence from right (1)
    or wrong (0), `sharpness` the variance of the confidences: 0 when every answer is given with the same one.
    """

    rows: int
    accuracy: float
    confidence: float
    ece: float
    low: float
    high: float
    floor: float
    brier: float
    sharpness: float
    bins: tuple[Bin, ...]

    def as_object(self) -> dict[str, object]:
        """Return everything as plain values for JSON."""
        figures = ("accuracy", "confidence", "ece", "low", "high", "floor", "brier", "sharpness")
        names = ("low", "high", "confidence", "accuracy")
        bins = [{"rows": each.rows} | {name: rounded(getattr(each, name)) for name in names} for each in self.bins]
        return {"rows": self.rows, **{name: rounded(getattr(self, name)) for name in figures}, "bins": bins}


def bucket(confidence: float) -> int:
    """Return the step a confidence counts in, rounded down: it reaches a threshold exactly when its step does."""
    return int(confidence * SCALE + 1e-6)


def calibration(cells: Cells, dice: Dice, draws: int = DRAWS) -> Calibration | None:
    """Return how well confidences fit, or None where no answer came with one."""
    rows = sum(cells.values())
    if not rows:
        return None
    right = sum(count for (_, correct), count in cells.items() if correct)
    mean = sum(step * count for (step, _), count in cells.items()) / SCALE / rows
    errors = sorted(ece(_resample(cells, dice)) for _ in range(draws))
    return Calibration(
        rows=rows,
        accuracy=right / rows,
        confidence=mean,
        ece=ece(cells),
        low=errors[int(0.025 * draws)],
        high=errors[math.ceil(0.975 * draws) - 1],
        floor=noise_floor(cells, dice, draws),
        brier=brier(cells),
        sharpness=sum(count * (step / SCALE - mean) ** 2 for (step, _), count in cells.items()) / rows,
        bins=reliability(cells),
    )


def reliability(cells: Cells) -> tuple[Bin, ...]:
    """Return the bins that hold any answer, the lowest first."""
    found = []
    for place, (rows, total, right) in sorted(_sums(cells).items()):
        found.append(Bin(place / BINS, (place + 1) / BINS, rows, total / rows, right / rows))
    return tuple(found)


def ece(cells: Cells) -> float:
    """Return the expected calibration error: how far confidence and accuracy are apart, bin by bin, by their rows."""
    sums = _sums(cells)
    rows = sum(count for count, _, _ in sums.values())
    return sum(abs(total - right) for _, total, right in sums.values()) / rows if rows else 0.0


def brier(cells: Cells) -> float:
    """Return the Brier score of "the answer is right"."""
    rows = sum(cells.values())
    return sum(count * (step / SCALE - correct) ** 2 for (step, correct), count in cells.items()) / rows


def noise_floor(cells: Cells, dice: Dice, draws: int = DRAWS) -> float:
    """Return the mean error of a judge that is right exactly as often as it says, over so many draws."""
    counts: dict[int, int] = {}
    for (step, _), count in cells.items():
        counts[step] = counts.get(step, 0) + count
    steps = sorted(counts.items())
    total = 0.0
    for _ in range(draws):
        drawn = {}
        for step, count in steps:
            right = binomial(count, step / SCALE, dice())
            drawn[step, True], drawn[step, False] = right, count - right
        total += ece(drawn)
    return total / draws


def _resample(cells: Cells, dice: Dice) -> Cells:
    """Return a bootstrap resample: each row comes a Poisson number of times, one on average."""
    return {cell: poisson(cells[cell], dice()) for cell in sorted(cells)}


def _sums(cells: Cells) -> dict[int, tuple[int, float, int]]:
    """Return rows, summed confidence and right answers of each bin that holds any."""
    found: dict[int, tuple[int, float, int]] = {}
    for (step, correct), count in cells.items():
        if count:
            place = min(step * BINS // SCALE, BINS - 1)
            rows, total, right = found.get(place, (0, 0.0, 0))
            found[place] = (rows + count, total + count * step / SCALE, right + count * correct)
    return found
