"""`phocinae stats`: what the audit log adds up to."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from typing import Annotated

import typer

from phocinae_cli.cli.log import Since, codes_of, from_time, kept_history, tell_state, text_of
from phocinae_cli.cli.screen import show
from phocinae_cli.core.verdict import DECISION_RANK
from phocinae_cli.render.marks import clean
from phocinae_cli.state.history import Entry

TOP = 10
"""How many codes are shown."""


class Totals:
    """Counts over entries; `taken_ms` are the times they took, `first` and `last` when they were written."""

    def __init__(self, rows: Iterable[Entry]) -> None:
        self.decisions: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.audiences: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.taken_ms: list[float] = []
        self.first = self.last = ""
        for row in rows:
            self.decisions[text_of(row, "decision")] += 1
            self.reasons[text_of(row, "reason")] += 1
            self.audiences[text_of(row, "audience")] += 1
            self.codes.update(codes_of(row))
            taken = row.get("taken_ms")
            if isinstance(taken, (int, float)) and math.isfinite(taken):
                self.taken_ms.append(taken)
            self.last = text_of(row, "ts")
            self.first = self.first or self.last
        self.taken_ms.sort()

    @property
    def count(self) -> int:
        """How many verdicts there are."""
        return self.decisions.total()


def command(
    since: Since = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Print how many verdicts there were, by decision and reason, the commonest findings, and how long they took."""
    history = kept_history()
    totals = Totals(from_time(history, since))
    if as_json:
        show(json.dumps(as_data(totals)))
    elif totals.count:
        show("\n".join(as_lines(totals)))
    tell_state(history, totals.count > 0)
    return 0


def percentile(ordered: list[float], share: float) -> float | None:
    """Return the smallest of the ordered values that at least this share (0..1) of them does not exceed."""
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else None


def as_data(totals: Totals) -> dict[str, object]:
    """Return the totals as `--json` prints them."""
    return {
        "schema": 1,
        "count": totals.count,
        "first": totals.first or None,
        "last": totals.last or None,
        "decisions": {word: totals.decisions[word] for word in DECISION_RANK},
        "audiences": dict(totals.audiences.most_common()),
        "reasons": dict(totals.reasons.most_common()),
        "codes": dict(totals.codes.most_common()),
        "taken_ms": {"p50": percentile(totals.taken_ms, 0.5), "p95": percentile(totals.taken_ms, 0.95)},
    }


def as_lines(totals: Totals) -> list[str]:
    """Return the totals as a person reads them."""
    lines = [f"{totals.count:,} verdicts, from {clean(totals.first)} to {clean(totals.last)}"]
    for title, counts in (
        ("decisions", [(word, totals.decisions[word]) for word in DECISION_RANK]),
        ("for whom", totals.audiences.most_common()),
        ("reasons", totals.reasons.most_common()),
        ("commonest findings", totals.codes.most_common(TOP)),
    ):
        if counts:
            lines += ["", title]
            lines += [f"{count:>9,}  {count / totals.count:>6.1%}  {clean(name) or '?'}" for name, count in counts]
    p50, p95 = percentile(totals.taken_ms, 0.5), percentile(totals.taken_ms, 0.95)
    if p50 is not None and p95 is not None:
        lines += ["", f"half of them took at most {p50:.1f} ms, 95 % at most {p95:.1f} ms"]
    return lines
