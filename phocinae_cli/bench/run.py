"""A run: rows in as a stream, judged by any number of processes, counted and kept in the order of the input."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import BinaryIO

from phocinae_cli.bench import rows as rows_of
from phocinae_cli.bench.judges import ANSWERS, Judge, Spec, make
from phocinae_cli.bench.outcome import Outcome, Row
from phocinae_cli.bench.rows import Source
from phocinae_cli.bench.score import Differences, Tally
from phocinae_cli.bench.speed import Times
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

CHUNK = 250
"""Rows that go to a process together."""

AHEAD = 3
"""Chunks for each process that are read ahead: more would only fill the memory."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: sources, judges, and which rows of the sources (`split`, `shells`, the first `limit`)."""

    sources: tuple[Source, ...]
    specs: tuple[Spec, ...]
    jobs: int = 1
    split: str = ""
    limit: int | None = None
    shells: tuple[str, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all sources in order."""
        found = (row for source in self.sources for row in rows_of.read(source))
        return itertools.islice(filter(self._wants, found), self.limit)

    def _wants(self, row: Row) -> bool:
        return (not self.split or row.split == self.split) and (not self.shells or row.shell in self.shells)


@dataclass(slots=True)
class Measured:
    """Everything that was counted, for each judge by its name."""

    tallies: dict[str, Tally]
    differences: list[Differences]
    times: dict[str, Times]
    rows: int = 0
    fresh: int = 0
    wall_s: float = 0.0
    stopped: bool = False

    @classmethod
    def of(cls, names: list[str]) -> Measured:
        """Return the counts of nothing yet."""
        return cls(
            tallies={name: Tally() for name in names},
            differences=[Differences(names[0], other) for other in names[1:]],
            times={name: Times() for name in names},
        )

    def add(self, row: Row, outcomes: dict[str, Outcome | None]) -> None:
        """Count one row."""
        for name, outcome in outcomes.items():
            self.tallies[name].add(self.rows, row, outcome)
        for each in self.differences:
            each.add(self.rows, row, outcomes)
        self.rows += 1

    def merge(self, other: Measured) -> None:
        """Count in another part of the run."""
        for name, tally in other.tallies.items():
            self.tallies[name].merge(tally)
            self.times[name].merge(other.times[name])
        for mine, theirs in zip(self.differences, other.differences, strict=True):
            mine.merge(theirs)
        self.rows += other.rows


@dataclass(slots=True)
class Part:
    """What a process gives back: the counts of a chunk, and its rows as JSON lines where they are kept."""

    measured: Measured
    lines: bytes


@dataclass(slots=True)
class Desk:
    """The judges of one process."""

    judges: dict[str, Judge]
    keep: bool = True

    def measure(self, place: int, chunk: list[Row]) -> Part:
        """Return what the judges make of a chunk whose first row is the run's row number `place`."""
        measured = Measured.of(list(self.judges))
        measured.rows = place
        lines = []
        for row in chunk:
            outcomes: dict[str, Outcome | None] = {}
            for name, judge in self.judges.items():
                began = time.perf_counter_ns()
                outcome = judge(row)
                if outcome is not None:
                    measured.times[name].add(time.perf_counter_ns() - began)
                outcomes[name] = outcome
            measured.add(row, outcomes)
            if self.keep:
                lines.append(as_line(row, outcomes))
        measured.rows = len(chunk)
        return Part(measured, b"".join(lines))


def as_line(row: Row, outcomes: dict[str, Outcome | None]) -> bytes:
    """Return a row with its outcomes as one JSON line."""
    found = {
        **row.as_object(),
        "judges": {name: None if outcome is None else outcome.as_object() for name, outcome in outcomes.items()},
    }
    return json.dumps(found, ensure_ascii=True).encode("ascii") + b"\n"


def from_line(line: bytes, names: list[str]) -> tuple[Row, dict[str, Outcome | None]]:
    """Return what `as_line` wrote; raises ValueError for anything else."""
    try:
        found = json.loads(line)
        judged = found["judges"]
        outcomes = {name: None if judged[name] is None else Outcome.from_object(judged[name]) for name in names}
        return Row.from_object(found), outcomes
    except (KeyError, TypeError) as error:
        raise ValueError("no row of a run") from error


def measure(
    plan: Plan,
    kept: BinaryIO | None = None,
    done: Iterable[tuple[Row, dict[str, Outcome | None]]] = (),
    progress: Callable[[int], None] = lambda count: None,
) -> Measured:
    """Return what the judges of a plan made of its rows.

    `kept` takes each row as a JSON line, in the order of the input and as soon as its chunk is through; `done` are
    rows of an earlier run, which are counted and not judged again; `progress` is told how many rows are through.
    Ctrl-C ends the run in good order: what was measured so far is returned, with `stopped` set. Raises PhocinaeError.
    """
    names = [spec.name for spec in plan.specs]
    whole = Measured.of(names)
    rows = plan.rows()
    for row, outcomes in done:
        fresh = next(rows, None)
        if fresh is None or (fresh.id, fresh.command) != (row.id, row.command):
            raise PhocinaeError(
                INVALID_ARGUMENTS, f"row {row.id!r} of the earlier run is not where it was", do="start a fresh run"
            )
        whole.add(row, outcomes)
        progress(1)
    began = time.perf_counter()
    parts = _alone(plan, rows, whole.rows, kept is not None)
    if plan.jobs > 1 and not any(spec.replaying for spec in plan.specs):  # one reader, so that it is read in order
        parts = _together(plan, rows, whole.rows, kept is not None)
    try:
        for part in parts:
            if kept is not None:
                kept.write(part.lines)
                kept.flush()
            whole.merge(part.measured)
            whole.fresh += part.measured.rows
            progress(part.measured.rows)
    except KeyboardInterrupt:
        whole.stopped = True
    finally:
        parts.close()
    whole.wall_s = time.perf_counter() - began
    return whole


def _chunks(rows: Iterator[Row], place: int, size: int = CHUNK) -> Iterator[tuple[int, list[Row]]]:
    while chunk := list(itertools.islice(rows, size)):
        yield place, chunk
        place += len(chunk)


def chunk_size(specs: tuple[Spec, ...]) -> int:
    """Return how many rows go together: few where each takes long, so that Ctrl-C loses little."""
    return CHUNK if all(spec.in_process or spec.kind == ANSWERS for spec in specs) else 10


def _alone(plan: Plan, rows: Iterator[Row], place: int, keep: bool) -> Generator[Part, None, None]:
    desk = Desk({spec.name: make(spec) for spec in plan.specs}, keep)
    for at, chunk in _chunks(rows, place, chunk_size(plan.specs)):
        yield desk.measure(at, chunk)


def _together(plan: Plan, rows: Iterator[Row], place: int, keep: bool) -> Generator[Part, None, None]:
    for spec in plan.specs:
        make(spec)  # what can't be had is told before any process starts
    # A process of its own from the start: a fork would take over the threads that draw the progress bar.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(plan.jobs, context, _open, (plan.specs, keep))
    waiting: deque[Future[Part]] = deque()
    try:
        for at, chunk in _chunks(rows, place, chunk_size(plan.specs)):
            waiting.append(pool.submit(_measure, at, chunk))
            if len(waiting) >= AHEAD * plan.jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_DESK: list[Desk] = []


def _open(specs: tuple[Spec, ...], keep: bool) -> None:
    """Make the judges of this process. Ctrl-C is the parent's to handle: chunks that are begun are finished."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _DESK.append(Desk({spec.name: make(spec) for spec in specs}, keep))


def _measure(place: int, chunk: list[Row]) -> Part:
    return _DESK[0].measure(place, chunk)


def cores() -> int:
    """Return how many processes this machine can run side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
