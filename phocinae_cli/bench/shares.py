"""Shares of rows and how far chance alone moves them: bootstrap intervals without a single throw of the dice."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

LEVEL = 0.95
NEGLIGIBLE = 1e-12

Dice = Callable[[], float]
"""Returns numbers from 0 up to 1, every one as likely as the next."""


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `rows`; `value` is None where there are no rows, `low` and `high` its bootstrap interval."""

    hits: int
    rows: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1."""
        return self.hits / self.rows if self.rows else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval, or None where there are no rows."""
        return resampled(self.hits, self.rows) if self.rows else None

    def as_object(self) -> dict[str, object]:
        """Return the share as plain values for JSON."""
        low, high = self.interval or (None, None)
        return {
            "value": rounded(self.value),
            "hits": self.hits,
            "rows": self.rows,
            "low": rounded(low),
            "high": rounded(high),
        }


def rounded(number: float | None) -> float | None:
    """Return a figure with the digits that reports carry."""
    return None if number is None else round(number, 6)


def resampled(hits: int, rows: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a share, as infinitely many resamples would give it.

    Drawing `rows` rows with replacement and counting the hits is a binomial draw, so its quantiles are the interval.
    Where every row came out alike a bootstrap can't say anything: there the exact bound (Clopper and Pearson) stands.
    """
    tail = (1 - level) / 2
    if hits == 0:
        return 0.0, 1 - tail ** (1 / rows)
    if hits == rows:
        return tail ** (1 / rows), 1.0
    share = hits / rows
    return binomial(rows, share, tail) / rows, binomial(rows, share, 1 - tail) / rows


def binomial(count: int, chance: float, quantile: float) -> int:
    """Return the least number of hits in `count` throws that is not exceeded with the probability `quantile`."""
    if count == 1:
        return 0 if quantile <= 1 - chance else 1
    if chance <= 0 or count == 0:
        return 0
    if chance >= 1:
        return count
    mode = min(count, int((count + 1) * chance))
    at_mode = math.exp(
        math.lgamma(count + 1)
        - math.lgamma(mode + 1)
        - math.lgamma(count - mode + 1)
        + mode * math.log(chance)
        + (count - mode) * math.log1p(-chance)
    )
    odds = chance / (1 - chance)
    return _inverted(mode, at_mode, count, quantile, lambda k: (count - k) / (k + 1) * odds)


def poisson(mean: float, quantile: float) -> int:
    """Return the least count that is not exceeded with the probability `quantile`, for so many on average."""
    if mean <= 0:
        return 0
    mode = int(mean)
    at_mode = math.exp(mode * math.log(mean) - mean - math.lgamma(mode + 1))
    return _inverted(mode, at_mode, None, quantile, lambda k: mean / (k + 1))


def _inverted(mode: int, at_mode: float, most: int | None, quantile: float, ratio: Callable[[int], float]) -> int:
    """Return the quantile of a distribution with one hump: `ratio(k)` is how much likelier k+1 is than k."""
    left: list[float] = []
    chance, k = at_mode, mode
    while k > 0 and chance > NEGLIGIBLE:
        chance /= ratio(k - 1)
        k -= 1
        left.append(chance)
    total, k = 0.0, mode - len(left)
    for chance in reversed(left):
        total += chance
        if total >= quantile:
            return k
        k += 1
    chance = at_mode
    while True:
        total += chance
        if total >= quantile or chance < NEGLIGIBLE or k == most:
            return k
        chance *= ratio(k)
        k += 1
