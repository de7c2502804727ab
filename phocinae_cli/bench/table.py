"""The figures of a run as rows of text, which the terminal, Markdown and HTML lay out in their own way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHORT = {
    "recall": "caught",
    "denied": "denied",
    "risky_caught": "risky caught",
    "false_alarm": "false alarms",
    "wrong_denial": "wrong denials",
    "purity": "purity",
}
"""The measures of the main table, with their headings."""

EXPLAINED = (
    "caught: destructive rows not allowed; denied: destructive rows denied; risky caught: risky rows not allowed; "
    "false alarms: harmless rows not allowed; wrong denials: harmless rows denied; purity: of what passes, harmless"
)


def percent(value: float | None) -> str:
    """Return a share as a person reads it; what is not quite 0 % or 100 % never reads as if it were."""
    if value is None:
        return "-"
    text = f"{value:.1%}"
    if (text == "100.0%" and value < 1) or (text == "0.0%" and value > 0):
        text = f"{value:.2%}"
    return "100%" if value == 1 else "0%" if value == 0 else text


def cell(share: Mapping[str, Any] | None, interval: bool = False) -> str:
    """Return a share of a summary, with its interval if wanted; a dash where it has no rows."""
    if share is None or share["value"] is None:
        return "-"
    text = percent(share["value"])
    return f"{text} ({percent(share['low'])} to {percent(share['high'])})" if interval else text


def milliseconds(value: float | None) -> str:
    """Return a time as a person reads it."""
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def main_table(
    summary: Mapping[str, Any], timing: Mapping[str, Any], interval: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows: each judge on all rows, and on each set where there are several.

    A single judge is shown on each split of a set too.
    """
    heads = ["judge", "rows from", "rows", *SHORT.values(), "p50 ms"]
    rows = []
    for name, judge in summary["judges"].items():
        parts = sets_of(judge, len(summary["judges"]) == 1)
        for source, part in parts.items():
            rows.append([name, source, f"{part['rows']:,}", *_cells(part["measures"], interval), ""])
        p50 = milliseconds(timing.get("judges", {}).get(name, {}).get("p50_ms"))
        where = "all" if parts else ", ".join(judge["groups"]["source"])
        rows.append([name, where, f"{judge['rows']:,}", *_cells(judge["measures"], interval), p50])
    return heads, rows


def sets_of(judge: Mapping[str, Any], with_splits: bool = False) -> dict[str, Any]:
    """Return the groups that rows come from: each set, and its splits where it has several; none for one set alone."""
    found = {}
    for source, part in judge["groups"]["source"].items():
        found[source] = part
        splits = {name: each for name, each in judge["groups"]["split"].items() if name.startswith(f"{source} ")}
        if with_splits and len(splits) > 1:
            found.update({f"{source}, {name.removeprefix(source).strip()}": each for name, each in splits.items()})
    return found if len(found) > 1 else {}


def group_table(judge: Mapping[str, Any], kind: str) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows for one kind of group of a judge: source, shell, split or tag."""
    heads = [kind, "rows", *SHORT.values()]
    return heads, [
        [name, f"{part['rows']:,}", *_cells(part["measures"], True)] for name, part in judge["groups"][kind].items()
    ]


def calibration_table(summary: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows: how well the confidences of each judge fit. Without any confidence there is no row."""
    heads = [
        "judge",
        "answers",
        "right",
        "mean confid.",
        "ECE",
        "95% interval",
        "noise floor",
        "Brier",
        "sharpness",
    ]
    rows = []
    for name, judge in summary["judges"].items():
        if fit := judge["calibration"]:
            row = [name, f"{fit['rows']:,}", percent(fit["accuracy"]), f"{fit['confidence']:.3f}", f"{fit['ece']:.3f}"]
            row += [f"{fit['low']:.3f} to {fit['high']:.3f}", f"{fit['floor']:.3f}"]
            rows.append([*row, f"{fit['brier']:.3f}", f"{fit['sharpness']:.4f}"])
    return heads, rows


def timing_lines(timing: Mapping[str, Any]) -> list[str]:
    """Return sentences on how fast the run was, and what an answer costs by each way to get it."""
    found = []
    if timing.get("rows_per_s"):
        found.append(
            f"{timing['rows_per_s']:,.0f} rows/s, {timing['rows_per_s_per_core']:,.0f} for each of {timing['jobs']} "
            f"process{'es' if timing['jobs'] > 1 else ''}"
        )
    for name, times in (*timing.get("judges", {}).items(), *timing.get("ways", {}).items()):
        if times["count"]:
            figures = (f"{word[:3]} {milliseconds(times[word])}" for word in ("p50_ms", "p95_ms", "p99_ms"))
            found.append(f"{name}: {', '.join(figures)} ms ({times['count']:,} times)")
    return found


def other_lines(summary: Mapping[str, Any]) -> list[str]:
    """Return sentences on what stands in no table: invariance, order flips, failures, rows nobody was asked about."""
    found = []
    for name, judge in summary["judges"].items():
        measures = judge["measures"]
        if same := (judge.get("invariance") or {}).get("same"):
            found.append(f"{name}: same verdict on {cell(same)} of {same['rows']:,} pairs of spellings")
        if measures["flipped"]["rows"]:
            found.append(f"{name}: {cell(measures['flipped'])} of answers change with the order of the options")
        if measures["escalated"]["hits"]:
            found.append(f"{name}: {cell(measures['escalated'])} should go to a person or a larger model")
        if measures["failed"]["hits"]:
            errors = ", ".join(f"{code} {count:,} times" for code, count in list(judge["errors"].items())[:3])
            found.append(f"{name}: no answer on {measures['failed']['hits']:,} rows, which counts as ask ({errors})")
        if judge["skipped"]:
            found.append(f"{name}: {judge['skipped']:,} rows are of a shell that it does not speak for")
    return found


def _cells(measures: Mapping[str, Any], interval: bool) -> list[str]:
    return [cell(measures.get(name), interval) for name in SHORT]
