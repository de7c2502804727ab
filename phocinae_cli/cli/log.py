"""`phocinae log`: the last verdicts from the audit log."""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from phocinae_cli.cli.screen import screen_width, show, tell, wants_color
from phocinae_cli.core.verdict import DECISION_RANK
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.render.marks import clean, cut
from phocinae_cli.render.text import STYLES, paint
from phocinae_cli.state.history import Entry, History
from phocinae_cli.state.places import audit_file

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
SINCE_HELP = "Only from this time on: 30m, 2h, 7d, 2w, 2026-05-01, 2026-05-01T14:00 (local, or with an offset)."

Since = Annotated[str, typer.Option("--since", metavar="WHEN", help=SINCE_HELP)]


def command(
    last: Annotated[int, typer.Option("--last", "-n", min=0, help="How many; 0 for all.")] = 20,
    decision: Annotated[str, typer.Option("--decision", metavar="WORD", help="Only allow, ask or deny.")] = "",
    since: Since = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the entries as they are kept, one a line.")] = False,
) -> int:
    """Print the last verdicts from the audit log, the newest at the end."""
    if decision and decision not in DECISION_RANK:
        raise PhocinaeError(INVALID_ARGUMENTS, f"{decision!r} is no decision", "use allow, ask or deny")
    history = kept_history()
    found = (row for row in from_time(history, since) if not decision or row.get("decision") == decision)
    rows = deque(found, last or None)
    color, width = wants_color(sys.stdout, os.environ), screen_width(sys.stdout) if sys.stdout.isatty() else 0
    for row in rows:
        if not show(json.dumps(row) if as_json else as_line(row, color, width)):
            return 0
    tell_state(history, bool(rows))
    return 0


def kept_history() -> History:
    """Return the history of this user; raises PhocinaeError where none can be kept."""
    place = audit_file(os.environ)
    if place is None:
        raise PhocinaeError(INVALID_CONFIG, "there is no home directory that an audit log is kept in", "set HOME")
    return History(place)


def from_time(history: History, since: str) -> Iterator[Entry]:
    """Yield the entries from a time on, written as `--since` takes it; all of them for an empty one."""
    start = parse_since(since, datetime.now(UTC)) if since else ""
    return (row for row in history if text_of(row, "ts") >= start)


def parse_since(text: str, now: datetime) -> str:
    """Return a time as the log writes it; raises PhocinaeError for what is no time.

    `text` is a number with a unit of UNITS, counted back from `now`, or a date or time as ISO 8601 has it.
    """
    number, unit = text[:-1], text[-1:]
    try:
        if number.isdecimal() and unit in UNITS:
            time = now - timedelta(seconds=int(number) * UNITS[unit])
        else:
            time = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise PhocinaeError(INVALID_ARGUMENTS, f"--since {text!r} is no time", SINCE_HELP) from error
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"


def text_of(row: Entry, name: str) -> str:
    """Return a field of an entry as text, empty where it is missing or something else."""
    value = row.get(name)
    return value if isinstance(value, str) else ""


def codes_of(row: Entry) -> list[str]:
    """Return the codes of an entry's findings."""
    codes = row.get("codes")
    return [code for code in codes if isinstance(code, str)] if isinstance(codes, list) else []


def as_line(row: Entry, color: bool, width: int) -> str:
    """Return an entry on one line, at most `width` cells wide (0: as wide as it is)."""
    decision = text_of(row, "decision")
    why = ", ".join(codes_of(row)) or text_of(row, "reason")
    head = f"{_local(text_of(row, 'ts'))}  "
    rest = f"  {clean(text_of(row, 'text'))}  [{clean(why)}]"
    if width:
        rest = cut(rest, max(width - len(head) - 5, 20))
    word = f"{clean(decision):<5}"
    return head + (paint(word, decision, color) if decision in STYLES else word) + rest


def tell_state(history: History, has_rows: bool) -> None:
    """Tell what the rows themselves don't say: that there are none, or that lines could not be read."""
    if not has_rows:
        tell("phocinae: the audit log has no such entry")
    if history.unreadable:
        tell(f"phocinae: {history.unreadable} lines of {clean(history.path)} can't be read and were passed over")


def _local(timestamp: str) -> str:
    try:
        return datetime.fromisoformat(timestamp).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return f"{clean(timestamp):<19}"
