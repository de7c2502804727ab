"""Results on disk: the rows, the summary, the times and the machine of a run, and what changed since another one."""

from __future__ import annotations

import datetime
import itertools
import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO

from phocinae_cli import __version__
from phocinae_cli.bench.adapters import load_adapter, version_of
from phocinae_cli.bench.judges import ADAPTER, Spec
from phocinae_cli.bench.outcome import Outcome, Row
from phocinae_cli.bench.run import Plan, from_line
from phocinae_cli.core.verdict import DECISION_RANK, DESTRUCTIVE, HARMLESS
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.state import places

ROWS, SUMMARY, TIMING, MACHINE, PLAN = "rows.jsonl", "summary.json", "timing.json", "machine.json", "plan.json"
OPTIONAL_PARTS = ("tree-sitter", "tree-sitter-pwsh")
"""Packages that change what the engine reads."""

Judged = tuple[Row, dict[str, Outcome | None]]


def default_folder(env: Mapping[str, str]) -> Path:
    """Return where results are kept unless somebody says otherwise; raises PhocinaeError without a home."""
    state = places.state_dir(env)
    if state is None:
        raise PhocinaeError(INVALID_ARGUMENTS, "there is no home to keep results in", do="name a folder with --results")
    return Path(state, "bench")


def fresh(base: Path, label: str, today: datetime.date | None = None) -> Path:
    """Make and return the folder of a new run: the date and a label, numbered where that is taken.

    Raises PhocinaeError for a label that is no plain word, OSError when it can't be made.
    """
    if not label or not all(char.isalnum() or char in "-_." for char in label) or label.startswith("."):
        raise PhocinaeError(INVALID_ARGUMENTS, f"--label takes letters, digits, - and _, not {label!r}")
    base.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = f"{today or datetime.date.today():%Y-%m-%d}-{label}"
    for number in itertools.count(1):
        folder = base / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return folder
    raise AssertionError("unreachable")


def drop_empty(folder: Path) -> None:
    """Remove the folder of a run that failed before its first row."""
    rows = folder / ROWS
    if not (folder / SUMMARY).exists() and (not rows.exists() or not rows.stat().st_size):
        shutil.rmtree(folder)


def open_rows(folder: Path) -> BinaryIO:
    """Return the file of rows opened to add to it, readable by its owner only: commands are private."""
    descriptor = os.open(folder / ROWS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    return os.fdopen(descriptor, "ab")


def write(folder: Path, name: str, found: Mapping[str, object]) -> None:
    """Write one of the JSON files of a run, whole or not at all."""
    path = folder / name
    part = path.with_suffix(".new")
    part.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    part.chmod(0o600)
    part.replace(path)


def load(folder: Path, name: str) -> dict[str, Any]:
    """Return one of the JSON files of a run; raises PhocinaeError (INVALID_ARGUMENTS) when it is none."""
    path = folder / name
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"{path}: no result of a run: {getattr(error, 'strerror', None) or error}",
            do="name a folder that `phocinae bench` wrote",
        ) from None
    if not isinstance(found, dict):
        raise PhocinaeError(INVALID_ARGUMENTS, f"{path}: no result of a run")
    return found


def plan_object(plan: Plan, surveys: Mapping[str, Any]) -> dict[str, object]:
    """Return what a run measures as plain values for JSON: equal plans can be resumed and compared."""
    return {
        "schema": 1,
        "sources": [
            {"name": source.name, "rows": surveys[source.path].rows, "sha256": surveys[source.path].sha256}
            for source in plan.sources
        ],
        "split": plan.split,
        "shells": list(plan.shells),
        "limit": plan.limit,
        "judges": [spec.as_object() for spec in plan.specs],
    }


def machine(specs: tuple[Spec, ...]) -> dict[str, object]:
    """Return when and on what a run was made, and the versions of what was measured."""
    versions = {"phocinae": __version__}
    for name in OPTIONAL_PARTS:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    for spec in specs:
        if spec.kind == ADAPTER:
            versions[spec.name] = version_of(load_adapter(spec.path))
    return {
        "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}",
        "python": sys.version.split()[0],
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": versions,
    }


def resumed(folder: Path, names: list[str]) -> Iterator[Judged]:
    """Yield the rows that an interrupted run kept; a last line that was not finished is cut off first."""
    path = folder / ROWS
    if not path.exists():
        return
    with open(path, "rb+") as file:
        good = 0
        for line in file:
            if not line.endswith(b"\n"):
                break
            good += len(line)
        file.truncate(good)
    yield from judged(folder, names)


def judged(folder: Path, names: list[str]) -> Iterator[Judged]:
    """Yield the rows of a run with their outcomes; raises PhocinaeError (INVALID_ARGUMENTS) for a broken file."""
    path = folder / ROWS
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield from_line(line, names)
                except ValueError:
                    raise PhocinaeError(INVALID_ARGUMENTS, f"{path}: line {number} is no row of a run") from None
    except OSError as error:
        raise PhocinaeError(INVALID_ARGUMENTS, f"{path}: {error.strerror}") from None


def changes(before: Iterator[Judged], after: Iterator[Judged], old: str, new: str, most: int = 500) -> dict[str, Any]:
    """Return what changed from a judge of one run to a judge of another, command by command, what got worse first.

    Rows are matched by source and id, in one pass when both runs have them in the same order. `most` are listed.
    """
    waiting: tuple[dict[tuple[str, str], Judged], dict[tuple[str, str], Judged]] = ({}, {})
    both = worse = better = 0
    listed: list[tuple[int, dict[str, Any]]] = []

    def match(one: Judged, two: Judged) -> None:
        nonlocal both, worse, better
        was, now = one[1][old], two[1][new]
        if was is None or now is None:
            return
        both += 1
        if was.decision == now.decision:
            return
        change = step_of(two[0], was.decision, now.decision)
        worse, better = worse + (change > 0), better + (change < 0)
        if two[0].listed and (len(listed) < most or change > 0):
            listed.append((-change, {**two[0].as_object(), "was": was.decision, "is": now.decision}))
            if len(listed) > 4 * most:
                listed.sort(key=lambda each: each[0])
                del listed[most:]

    for pair in itertools.zip_longest(before, after):
        keys = [None if each is None else (each[0].source, each[0].id) for each in pair]
        if keys[0] == keys[1] and pair[0] is not None and pair[1] is not None:
            match(pair[0], pair[1])
            continue
        for side, each in enumerate(pair):
            key = keys[side]
            if each is None or key is None:
                continue
            other = waiting[1 - side].pop(key, None)
            if other is None:
                waiting[side][key] = each
            else:
                match(*((other, each) if side else (each, other)))
    listed.sort(key=lambda each: each[0])
    return {
        "judges": [old, new],
        "rows": both,
        "worse": worse,
        "better": better,
        "only_before": len(waiting[0]),
        "only_after": len(waiting[1]),
        "changed": [found for _, found in listed[:most]],
    }


def step_of(row: Row, was: str, now: str) -> int:
    """Return how a changed decision stands to the label: above 0 worse, below 0 better, by the size of the step."""
    step = DECISION_RANK[now] - DECISION_RANK[was]
    if row.label == HARMLESS:
        return step
    if row.label == DESTRUCTIVE:
        return -step
    return abs(DECISION_RANK[now] - 1) - abs(DECISION_RANK[was] - 1)
