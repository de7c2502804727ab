"""One measurement from start to end: rows surveyed, judged, counted, and everything kept in a folder."""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phocinae_cli.bench import results
from phocinae_cli.bench.invariance import Sample, invariance
from phocinae_cli.bench.judges import make
from phocinae_cli.bench.rows import Survey, survey
from phocinae_cli.bench.run import Measured, Plan, measure
from phocinae_cli.bench.speed import Times
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

SEED = 1
"""The dice of every run fall alike, so that equal outcomes give equal figures."""


@dataclass(slots=True)
class Session:
    """What came of a measurement; the three mappings are also files in `folder`."""

    folder: Path
    measured: Measured
    summary: dict[str, Any]
    timing: dict[str, Any]
    machine: dict[str, Any]


def surveys_of(plan: Plan) -> dict[str, Survey]:
    """Return what each source holds, by its path; raises PhocinaeError for rows that can't be used."""
    return {source.path: survey(source) for source in plan.sources}


def check_resumable(folder: Path, plan: dict[str, Any]) -> None:
    """Raise PhocinaeError (INVALID_ARGUMENTS) unless the run in a folder measured exactly this."""
    before = results.load(folder, results.PLAN)
    parts = [name for name in plan if before.get(name) != plan[name]]
    if parts:
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"{folder} holds a run of something else: {', '.join(parts)} differ",
            do="give the options that it was started with, or start a fresh run",
        )


def run(
    plan: Plan,
    folder: Path,
    surveys: dict[str, Survey],
    resume: bool = False,
    spellings_of: int = 0,
    progress: Callable[[int], None] = lambda count: None,
) -> Session:
    """Return what the judges of a plan made of its rows, kept in a folder; Ctrl-C keeps what was measured so far.

    `resume` goes on with what lies in the folder; `spellings_of` is on how many rows other spellings are tried.
    """
    plan_object = results.plan_object(plan, surveys)
    if resume:
        check_resumable(folder, plan_object)
    results.write(folder, results.PLAN, plan_object)
    names = [spec.name for spec in plan.specs]
    done = results.resumed(folder, names) if resume else ()
    with results.open_rows(folder) as kept:
        measured = measure(plan, kept, done, progress)
    judges = {name: tally.as_object(random.Random(SEED).random) for name, tally in measured.tallies.items()}
    if spellings_of and not measured.stopped:
        _try_spellings(plan, spellings_of, judges)
    summary: dict[str, Any] = {**plan_object, "rows": measured.rows, "stopped": measured.stopped}
    summary |= {"specs": plan_object["judges"], "judges": judges}
    summary["differences"] = [each.as_object() for each in measured.differences]
    session = Session(folder, measured, summary, timing_of(measured, plan.jobs), results.machine(plan.specs))
    results.write(folder, results.SUMMARY, session.summary)
    results.write(folder, results.MACHINE, session.machine)
    keep_timing(session)
    return session


def keep_timing(session: Session, ways: dict[str, Times] | None = None) -> None:
    """Write the times of a session, with those of other ways to ask where they were measured."""
    session.timing["ways"] = {name: times.as_object() for name, times in (ways or {}).items()}
    results.write(session.folder, results.TIMING, session.timing)


def timing_of(measured: Measured, jobs: int) -> dict[str, Any]:
    """Return how fast a run was, as plain values for JSON. Rows of an earlier run count for nothing here."""
    per_s = measured.fresh / measured.wall_s if measured.wall_s and measured.fresh else None
    judged_s = sum(times.total_ns for times in measured.times.values()) / 1e9
    return {
        "schema": 1,
        "jobs": jobs,
        "rows": measured.fresh,
        "wall_s": round(measured.wall_s, 3),
        "rows_per_s": None if per_s is None else round(per_s, 1),
        "rows_per_s_per_core": None if per_s is None else round(per_s / jobs, 1),
        "judging_s": round(judged_s, 3),
        "peak_mb": {"parent": _peak_mb(resource.RUSAGE_SELF), "largest_child": _peak_mb(resource.RUSAGE_CHILDREN)},
        "judges": {name: times.as_object() for name, times in measured.times.items()},
    }


def _try_spellings(plan: Plan, count: int, judges: dict[str, Any]) -> None:
    specs = [spec for spec in plan.specs if spec.in_process]
    if not specs:
        return
    sample = Sample(count)
    for row in plan.rows():
        sample.add(row)
    rows = sample.rows()
    for spec in specs:
        judges[spec.name]["invariance"] = invariance(make(spec), rows)


def _peak_mb(who: int) -> float:
    peak = resource.getrusage(who).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)
