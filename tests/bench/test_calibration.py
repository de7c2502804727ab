"""Calibration, held against sums done by hand."""

from __future__ import annotations

import random

import pytest

from phocinae_cli.bench.calibration import brier, bucket, calibration, ece, noise_floor, reliability

# Four answers at 0.95 of which three are right, two at 0.55 of which both are, two at 0.15 of which none is.
CELLS = {(9500, True): 3, (9500, False): 1, (5500, True): 2, (1500, False): 2}


def test_ece_by_hand() -> None:
    # |0.95 - 0.75| * 4/8 + |0.55 - 1| * 2/8 + |0.15 - 0| * 2/8
    assert ece(CELLS) == pytest.approx(0.1 + 0.1125 + 0.0375)


def test_brier_by_hand() -> None:
    # 3 * 0.05^2 + 0.95^2 + 2 * 0.45^2 + 2 * 0.15^2, over 8
    assert brier(CELLS) == pytest.approx((0.0075 + 0.9025 + 0.405 + 0.045) / 8)


def test_the_reliability_table_by_hand() -> None:
    found = [(bin_.low, bin_.high, bin_.rows, round(bin_.confidence, 6), bin_.accuracy) for bin_ in reliability(CELLS)]
    assert found == [(0.1, 0.2, 2, 0.15, 0.0), (0.5, 0.6, 2, 0.55, 1.0), (0.9, 1.0, 4, 0.95, 0.75)]


def test_everything_else_by_hand() -> None:
    found = calibration(CELLS, random.Random(1).random)
    assert found is not None
    mean = (4 * 0.95 + 2 * 0.55 + 2 * 0.15) / 8
    assert found.rows == 8
    assert found.accuracy == 5 / 8
    assert found.confidence == pytest.approx(mean)
    variance = (4 * (0.95 - mean) ** 2 + 2 * (0.55 - mean) ** 2 + 2 * (0.15 - mean) ** 2) / 8
    assert found.sharpness == pytest.approx(variance)
    assert found.low <= found.ece <= found.high


def test_the_noise_floor_of_one_answer_by_hand() -> None:
    # Right with 0.8: off by 0.2; wrong with 0.2: off by 0.8. On average 2 * 0.8 * 0.2.
    assert noise_floor({(8000, True): 1}, random.Random(3).random, 20_000) == pytest.approx(0.32, abs=0.01)


def test_a_calibrated_judge_lies_at_its_floor_and_an_overconfident_one_far_above() -> None:
    dice = random.Random(5)
    honest: dict[tuple[int, bool], int] = {}
    boasting: dict[tuple[int, bool], int] = {}
    for _ in range(2000):
        step = dice.randrange(5000, 10_000)
        right = dice.random() < step / 10_000
        for cells, key in ((honest, (step, right)), (boasting, (9900, right))):
            cells[key] = cells.get(key, 0) + 1
    fair, vain = calibration(honest, random.Random(1).random, 50), calibration(boasting, random.Random(1).random, 50)
    assert fair is not None
    assert vain is not None
    assert fair.ece < 2 * fair.floor
    assert vain.low > 10 * vain.floor


def test_no_confidence_no_calibration() -> None:
    assert calibration({}, random.Random(1).random) is None


@pytest.mark.parametrize(("confidence", "step"), [(0.97, 9700), (0.29, 2900), (1.0, 10_000), (0.0, 0), (0.97009, 9700)])
def test_a_confidence_reaches_a_threshold_exactly_when_its_step_does(confidence: float, step: int) -> None:
    assert bucket(confidence) == step


def test_certainty_counts_into_the_last_bin() -> None:
    assert [(bin_.low, bin_.rows) for bin_ in reliability({(10_000, True): 2})] == [(0.9, 2)]
