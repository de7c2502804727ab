"""What `phocinae bench` shows: the progress bar, the tables, and the files of a report."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from phocinae_cli.bench import report, table
from phocinae_cli.bench.gates import Result
from phocinae_cli.bench.recommend import as_config, recommend
from phocinae_cli.bench.run import Plan
from phocinae_cli.bench.session import Session
from phocinae_cli.cli.screen import screen_width, show, tell, wants_color
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

MISTAKES = 10
DIFFERENCES = 5
NARROW = 100


@contextmanager
def progress(rows: int, limit: int | None) -> Iterator[Callable[[int], None]]:
    """Give a function that is told of rows that are through: it moves a bar where a person looks at stderr."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging", total=rows if limit is None else min(rows, limit))
        yield lambda count: bar.advance(task, count)


def recommendations(plan: Plan, found: Session, wanted: float | None) -> list[str]:
    """Return the thresholds recommended for each judge as TOML; none where nobody asked."""
    if wanted is None:
        return []
    return [as_config(recommend(spec, found.measured.tallies[spec.name], wanted)) for spec in plan.specs]


def show_all(found: Session, held: list[Result], advice: list[str], as_json: bool) -> None:
    """Print a measurement: one JSON object, or tables for a person."""
    if as_json:
        whole = {**found.summary, "timing": found.timing, "machine": found.machine}
        whole["requirements"] = [result.as_object() for result in held]
        show(json.dumps(whole))
        return
    summary = found.summary
    parts = [*_tables(found), *(f"  {line}" for line in _lines(found))]
    for name, judge in summary["judges"].items():
        if grave := [row for row in judge["worst"] if row["outcome"]["decision"] != "ask"][:MISTAKES]:
            parts += ["", f"the gravest mistakes of {name}"]
            parts += [f"  {row['label']:<11} {row['outcome']['decision']:<6} {_cut(row['command'])}" for row in grave]
    for difference in summary["differences"]:
        one, two = difference["judges"]
        parts += ["", f"{one} and {two} differ on {difference['differ']:,} of {difference['rows']:,} rows"]
        for row in difference["gravest"][:DIFFERENCES]:
            said = " / ".join(row["outcomes"][name]["decision"] for name in (one, two))
            parts.append(f"  {row['label']:<11} {said:<13} {_cut(row['command'])}")
    if changed := summary.get("baseline"):
        parts += ["", f"since the baseline: {report.changed_line(changed)}"]
        parts += [
            f"  {row['label']:<11} {row['was']} -> {row['is']}: {_cut(row['command'])}" for row in changed["changed"]
        ]
    parts += [""] * bool(held) + [str(result) for result in held]
    parts += ["\n" + text.rstrip() for text in advice]
    show("\n".join(parts))


def write_reports(
    found: Session, held: list[Result], markdown: Path | None, html: Path | None, junit: Path | None
) -> None:
    """Write the reports that were asked for."""
    if markdown is not None:
        write_text(markdown, report.as_markdown(found.summary, found.timing, found.machine, held))
    if junit is not None:
        write_text(junit, report.as_junit(found.summary, held))
    if html is not None:
        from phocinae_cli.bench.page import as_page

        write_text(html, as_page(found.summary, found.timing, found.machine, held, _pictures(found)))


def write_text(path: Path, text: str) -> None:
    """Write a file that somebody named; raises PhocinaeError (INVALID_ARGUMENTS)."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PhocinaeError(INVALID_ARGUMENTS, f"{path}: {error.strerror}") from None


def _pictures(found: Session) -> dict[str, str]:
    try:
        from phocinae_cli.bench.plots import pictures

        return pictures(found.summary, found.timing)
    except ImportError:
        tell("phocinae: the report has no pictures: pip install 'phocinae[plots]' draws them")
        return {}


def _tables(found: Session) -> list[str]:
    parts = [grid(*narrowed(*table.main_table(found.summary, found.timing))), f"  {table.EXPLAINED}"]
    heads, rows = table.calibration_table(found.summary)
    return [*parts, "", grid(heads, rows)] if rows else parts


def narrowed(heads: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return the main table as a terminal has room for it: splits under their sets, and a single judge not repeated."""
    sets = {row[1] for row in rows}
    found = [row.copy() for row in rows]
    for row in found:
        of, comma, split = row[1].rpartition(", ")
        if comma and of in sets:
            row[1] = f"  {split}"
    if len({row[0] for row in rows}) > 1:
        return heads, found
    return [rows[0][0], *heads[2:]], [row[1:] for row in found]


def _lines(found: Session) -> list[str]:
    return [*table.other_lines(found.summary), *table.timing_lines(found.timing)]


def _cut(command: str) -> str:
    from phocinae_cli.render.marks import cut

    return cut(report.quoted(command), max(screen_width(sys.stdout), NARROW) - 30)


def grid(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table for the terminal, as wide as it needs to be where nobody looks at one."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    color = wants_color(sys.stdout, os.environ)
    width = screen_width(sys.stdout) if sys.stdout is not None and sys.stdout.isatty() else 160
    console = Console(file=io.StringIO(), force_terminal=color, no_color=not color, width=width, highlight=False)
    made = Table(box=box.SIMPLE_HEAD if color else box.ASCII2, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for place, head in enumerate(heads):
        numbers = place > 0 and all(row[place][:1] in "0123456789-" for row in rows)
        made.add_column(head.replace(" ", "\n"), justify="right" if numbers else "left", overflow="fold", no_wrap=True)
    for row in rows:
        made.add_row(*row)
    with console.capture() as captured:
        console.print(made)
    return captured.get().rstrip("\n")
