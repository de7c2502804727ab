"""Requirements on figures, each held against the right one."""

from __future__ import annotations

from typing import Any

import pytest

from phocinae_cli.bench.gates import held, requirements
from phocinae_cli.errors import PhocinaeError


def judge(recall: float | None, false_alarm: float, ece: float | None = None) -> dict[str, Any]:
    measures = {"recall": {"value": recall}, "false_alarm": {"value": false_alarm}}
    return {
        "measures": measures,
        "calibration": None if ece is None else {"ece": ece},
        "groups": {"source": {"own": {"measures": {"recall": {"value": 0.5}}}}, "shell": {}, "split": {}, "tag": {}},
        "invariance": {"same": {"value": 0.75}},
    }


SUMMARY = {"judges": {"embedded": judge(0.99, 0.03, 0.02), "service harm": judge(None, 0.5)}}
TIMING = {"judges": {"embedded": {"p95_ms": 1.5}}}


@pytest.mark.parametrize(
    ("text", "met", "figure"),
    [
        ("recall>=0.99", True, 0.99),
        ("recall >= 0.991", False, 0.99),
        ("recall>0.99", False, 0.99),
        ("false_alarm<=0.03", True, 0.03),
        ("false_alarm<0.03", False, 0.03),
        ("embedded:recall@own>=0.6", False, 0.5),
        ("recall@nowhere>=0", False, None),
        ("service harm:false_alarm<=0.5", True, 0.5),
        ("service harm:recall>=0", False, None),
        ("ece<=0.03", True, 0.02),
        ("service harm:ece<=1", False, None),
        ("p95_ms<2", True, 1.5),
        ("p50_ms<2", False, None),
        ("invariance>=1", False, 0.75),
    ],
)
def test_a_requirement_is_held_against_its_figure(text: str, met: bool, figure: float | None) -> None:
    (found,) = held(requirements([text]), SUMMARY, TIMING)
    assert (found.met, found.figure) == (met, figure)
    assert text in str(found)
    assert ("MISSED" in str(found)) is not met


@pytest.mark.parametrize(("before", "met"), [(0.98, True), (0.99, True), (0.995, False), (None, False)])
def test_a_figure_can_be_held_against_that_of_a_baseline(before: float | None, met: bool) -> None:
    baseline: tuple[dict[str, Any], dict[str, Any]] = ({"judges": {"embedded": judge(before, 0)}}, {})
    (found,) = held(requirements(["recall>=baseline"]), SUMMARY, TIMING, baseline)
    assert (found.met, found.bound) == (met, before)


def test_what_can_not_be_read_is_told_together() -> None:
    with pytest.raises(PhocinaeError) as caught:
        requirements(["recall", "glory>=1", "recall>=much", "ece@own<=1", "recall<=nan"])
    assert caught.value.details == (
        "'recall': no comparison",
        "'glory>=1': no measure is called 'glory'",
        "'recall>=much': 'much' is no number",
        "'ece@own<=1': ece is not known by group",
        "'recall<=nan': no number is less or more than nan",
    )


def test_a_judge_that_was_not_measured_and_a_missing_baseline_are_told() -> None:
    with pytest.raises(PhocinaeError, match="'oracle' was not measured"):
        held(requirements(["oracle:recall>=1"]), SUMMARY, TIMING)
    with pytest.raises(PhocinaeError, match="there is no baseline"):
        held(requirements(["recall>=baseline"]), SUMMARY, TIMING)
