"""Shares and their intervals, held against sums done by hand and against resampling in earnest."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.bench.shares import Share, binomial, poisson, resampled


def test_two_rows_one_hit_can_come_out_either_way() -> None:
    # Drawn with replacement: no hit 1/4, one 1/2, two 1/4, so 2.5 % and 97.5 % are 0 and 1.
    assert resampled(1, 2) == (0.0, 1.0)


def test_five_of_ten_by_hand() -> None:
    # P(X <= 1) = 11/1024 = 0.0107, P(X <= 2) = 56/1024 = 0.0547; and the other end mirrors it.
    assert resampled(5, 10) == (0.2, 0.8)


def test_where_all_rows_are_alike_the_exact_bound_stands() -> None:
    low, high = resampled(30, 30)
    assert high == 1.0
    assert low == pytest.approx(0.025 ** (1 / 30))
    assert resampled(0, 30) == pytest.approx((0.0, 1 - 0.025 ** (1 / 30)))


def test_a_share_of_nothing_has_no_value() -> None:
    share = Share(0, 0)
    assert (share.value, share.interval) == (None, None)
    assert share.as_object() == {"value": None, "hits": 0, "rows": 0, "low": None, "high": None}


def test_the_interval_is_that_of_resampling() -> None:
    dice = random.Random(7)
    rows = [1] * 87 + [0] * 13
    means = sorted(sum(dice.choices(rows, k=100)) / 100 for _ in range(4000))
    low, high = resampled(87, 100)
    assert low == pytest.approx(means[100], abs=0.011)
    assert high == pytest.approx(means[3899], abs=0.011)


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.floats(0.001, 0.999))
def test_the_binomial_quantile_is_the_least_that_reaches(count: int, chance: float, quantile: float) -> None:
    def cumulated(most: int) -> float:
        return sum(math.comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(most + 1))

    found = binomial(count, chance, quantile)
    assert cumulated(found) >= quantile - 1e-9
    assert found == 0 or cumulated(found - 1) < quantile + 1e-9


def test_a_million_throws_stay_near_their_mean() -> None:
    low, high = binomial(1_000_000, 0.3, 0.025), binomial(1_000_000, 0.3, 0.975)
    deviation = math.sqrt(1_000_000 * 0.3 * 0.7)
    assert low == pytest.approx(300_000 - 1.96 * deviation, abs=2)
    assert high == pytest.approx(300_000 + 1.96 * deviation, abs=2)


@pytest.mark.parametrize(
    ("mean", "quantile", "count"), [(1, 0.36, 0), (1, 0.37, 1), (1, 0.73, 1), (1, 0.74, 2), (0, 0.5, 0)]
)
def test_the_poisson_quantile_by_hand(mean: float, quantile: float, count: int) -> None:
    # For a mean of 1: P(0) = 0.368, P(<= 1) = 0.736.
    assert poisson(mean, quantile) == count


def test_certain_throws() -> None:
    assert binomial(5, 0.0, 0.9) == 0
    assert binomial(5, 1.0, 0.1) == 5
    assert [binomial(1, 0.4, quantile) for quantile in (0.5, 0.7)] == [0, 1]
