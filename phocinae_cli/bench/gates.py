"""Requirements on figures: `recall>=0.99`, `embedded:false_alarm@own<=0.03`, `recall>=baseline`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from phocinae_cli.bench.score import GROUPS, MEASURES
from phocinae_cli.bench.speed import PERCENTILES
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

OPERATORS = (">=", "<=", ">", "<")
CALIBRATION = ("ece", "brier", "accuracy")
INVARIANCE = "invariance"
BASELINE = "baseline"
KNOWN = (*MEASURES, *CALIBRATION, INVARIANCE, *PERCENTILES)
SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement; `judge` and `group` may be empty, `bound` is None for the figure of the baseline."""

    text: str
    judge: str
    measure: str
    group: str
    operator: str
    bound: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """A requirement, the figure it was held against, the bound, and whether it is met: no figure never is."""

    requirement: Requirement
    judge: str
    figure: float | None
    bound: float | None
    met: bool

    def as_object(self) -> dict[str, object]:
        """Return the result as plain values for JSON."""
        return {
            "requirement": self.requirement.text,
            "judge": self.judge,
            "figure": self.figure,
            "bound": self.bound,
            "met": self.met,
        }

    def __str__(self) -> str:
        figure = "no figure" if self.figure is None else f"{self.figure:.4g}"
        bound = "no figure" if self.bound is None else f"{self.bound:.4g}"
        word = "met" if self.met else "MISSED"
        return f"{word}: {self.requirement.text} ({self.judge}): {figure}, wanted {self.requirement.operator} {bound}"


def requirements(texts: list[str]) -> tuple[Requirement, ...]:
    """Return what texts require; raises PhocinaeError (INVALID_ARGUMENTS), all faults in one."""
    found, faults = [], []
    for text in texts:
        try:
            found.append(_requirement(text))
        except ValueError as error:
            faults.append(f"{text!r}: {error}")
    if faults:
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"{len(faults)} requirement{'s' if len(faults) > 1 else ''} can't be read",
            do=f"write [JUDGE:]MEASURE[@GROUP]>=NUMBER; the measures are {', '.join(KNOWN)}",
            details=tuple(faults),
        )
    return tuple(found)


def _requirement(text: str) -> Requirement:
    plain = text.replace(" ", "") if ":" not in text else text.strip()
    operator = next((sign for sign in OPERATORS if sign in plain), None)
    if operator is None:
        raise ValueError("no comparison")
    left, _, right = plain.partition(operator)
    judge, colon, rest = left.rpartition(":")
    measure, _, group = (rest if colon else left).strip().partition("@")
    if measure not in KNOWN:
        raise ValueError(f"no measure is called {measure!r}")
    if group and measure not in MEASURES:
        raise ValueError(f"{measure} is not known by group")
    right = right.strip()
    if right == BASELINE:
        return Requirement(text, judge.strip(), measure, group, operator, None)
    try:
        bound = float(right)
    except ValueError:
        raise ValueError(f"{right!r} is no number") from None
    if bound != bound:
        raise ValueError("no number is less or more than nan")
    return Requirement(text, judge.strip(), measure, group, operator, bound)


def held(
    wanted: tuple[Requirement, ...],
    summary: Mapping[str, Any],
    timing: Mapping[str, Any],
    baseline: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None,
) -> list[Result]:
    """Return each requirement held against the figures of a run; one that names no judge is for the first.

    Raises PhocinaeError (INVALID_ARGUMENTS) for a judge that was not measured, or for a missing baseline.
    """
    found = []
    for each in wanted:
        judge = each.judge or next(iter(summary["judges"]))
        if judge not in summary["judges"]:
            raise _wrong(f"{each.text!r}: {judge!r} was not measured", f"there is {', '.join(summary['judges'])}")
        figure = figure_of(summary, timing, judge, each.measure, each.group)
        bound = each.bound
        if bound is None:
            if baseline is None:
                raise _wrong(f"{each.text!r}: there is no baseline", "name one with --baseline")
            judges = baseline[0]["judges"]
            bound = figure_of(*baseline, judge if judge in judges else next(iter(judges)), each.measure, each.group)
        met = figure is not None and bound is not None and _compare(figure, each.operator, bound)
        found.append(Result(each, judge, figure, bound, met))
    return found


def figure_of(
    summary: Mapping[str, Any], timing: Mapping[str, Any], judge: str, measure: str, group: str = ""
) -> float | None:
    """Return one figure of a judge, or None where the run has none."""
    measured = summary["judges"].get(judge)
    if measured is None:
        return None
    if measure in PERCENTILES:
        found = timing.get("judges", {}).get(judge, {}).get(measure)
    elif measure in CALIBRATION:
        found = (measured["calibration"] or {}).get(measure)
    elif measure == INVARIANCE:
        found = (measured.get("invariance") or {}).get("same", {}).get("value")
    elif group:
        kinds = (measured["groups"][kind] for kind in GROUPS)
        part: dict[str, Any] = next((names[group] for names in kinds if group in names), {"measures": {}})
        found = part["measures"].get(measure, {}).get("value")
    else:
        found = measured["measures"][measure]["value"]
    return None if found is None else float(found)


def _compare(figure: float, operator: str, bound: float) -> bool:
    if operator == ">=":
        return figure >= bound - SLACK
    if operator == "<=":
        return figure <= bound + SLACK
    return figure > bound if operator == ">" else figure < bound


def _wrong(message: str, do: str) -> PhocinaeError:
    return PhocinaeError(INVALID_ARGUMENTS, message, do)
