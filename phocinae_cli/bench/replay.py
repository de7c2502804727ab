"""A shell history put before the gate: how often its owner would have been interrupted, and by what."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from phocinae_cli.app import Checker
from phocinae_cli.bench.history import Typed
from phocinae_cli.core.report import Report
from phocinae_cli.core.verdict import ALLOW, ASK, DENY

DAY_S = 86_400
KEPT = 20_000
"""So many lines' verdicts are remembered: people type the same things again and again."""

EXAMPLES = 3


@dataclass(slots=True)
class Cause:
    """One reason for interruptions: how often, in words, and the latest lines it was about."""

    count: int = 0
    decision: str = ASK
    why: str = ""
    examples: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class Replay:
    """What the gate would have said. `days` are those on which anything was typed, where the history has times."""

    lines: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    noted: int = 0
    causes: dict[str, Cause] = field(default_factory=dict)
    days: set[int] = field(default_factory=set)
    timed: int = 0

    @property
    def interrupted(self) -> int:
        """How many lines would have been held up."""
        return self.decisions[ASK] + self.decisions[DENY]

    @property
    def per_day(self) -> float | None:
        """Interruptions on a day at the shell, or None where the history has no times."""
        return self.interrupted * self.timed / self.lines / len(self.days) if self.days and self.lines else None

    def commonest(self, count: int = 20) -> list[tuple[str, Cause]]:
        """Return the commonest causes by code."""
        return sorted(self.causes.items(), key=lambda pair: (-pair[1].count, pair[0]))[:count]

    def as_object(self) -> dict[str, object]:
        """Return the figures as plain values for JSON; no line of the history is among them."""
        return {
            "schema": 1,
            "lines": self.lines,
            "days": len(self.days) or None,
            "decisions": {word: self.decisions[word] for word in (ALLOW, ASK, DENY)},
            "interrupted_per_day": None if self.per_day is None else round(self.per_day, 3),
            "passed_with_a_note": self.noted,
            "causes": [
                {"code": code, "decision": cause.decision, "count": cause.count, "why": cause.why}
                for code, cause in self.commonest()
            ],
        }


def replay(checker: Checker, typed: Iterable[Typed], shell: str, audience: str, into: Replay) -> None:
    """Count what the gate says of each line into `into`. Nothing is run, written or sent."""
    seen: OrderedDict[str, tuple[str, bool, str, str]] = OrderedDict()
    for entry in typed:
        said = seen.get(entry.line)
        if said is None:
            said = _said(checker.check(checker.request(entry.line, shell=shell, audience=audience)))
            seen[entry.line] = said
            if len(seen) > KEPT:
                seen.popitem(last=False)
        decision, noted, code, why = said
        into.lines += 1
        into.decisions[decision] += 1
        into.noted += noted
        if entry.at:
            into.timed += 1
            into.days.add(entry.at // DAY_S)
        if decision != ALLOW:
            _count(into.causes.setdefault(code, Cause()), decision, why, entry.line)


def _said(report: Report) -> tuple[str, bool, str, str]:
    verdict = report.verdict
    first = verdict.findings[0] if verdict.findings else None
    code = first.code if first is not None else verdict.reason
    return verdict.decision, bool(verdict.note), code, first.why if first is not None else verdict.message


def _count(cause: Cause, decision: str, why: str, line: str) -> None:
    cause.count += 1
    cause.decision = DENY if DENY in (cause.decision, decision) else ASK
    cause.why = cause.why or why
    cause.examples.pop(line, None)
    cause.examples[line] = None
    if len(cause.examples) > EXAMPLES:
        del cause.examples[next(iter(cause.examples))]
