"""What the engine says of commands that people write down: false alarms on everyday ones, attention to abusable ones.

The corpora are no part of the project and carry no labels: `everyday.jsonl` and `abusable.jsonl` in a folder that
`--corpus` names. Nothing in them is ever executed. Without the folder nothing is measured, and this says so.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from phocinae_cli.bench.judges import EMBEDDED, Spec, checker_of, request_of  # noqa: E402
from phocinae_cli.bench.outcome import Row  # noqa: E402
from phocinae_cli.bench.run import cores  # noqa: E402
from phocinae_cli.core.verdict import ALLOW, ASK, DENY  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus"
EVERYDAY, ABUSABLE = "everyday.jsonl", "abusable.jsonl"
AUDIENCES = ("agent", "person")
CHUNK = 200
CAUSES = 20
ROWS = 60
"""Groups that a table shows, the largest ones."""
EXAMPLES = 3
SHELL_OF = {"posix": "bash"}


@dataclass
class Count:
    """Decisions on lines, and how many lines were read without a fault."""

    lines: int = 0
    parsed: int = 0
    failed: int = 0
    decisions: Counter[str] = field(default_factory=Counter)

    def add(self, decision: str, parsed: bool, failed: bool) -> None:
        """Count one line."""
        self.lines += 1
        self.parsed += parsed
        self.failed += failed
        self.decisions[decision] += 1

    def merge(self, other: Count) -> None:
        """Count in others."""
        self.lines += other.lines
        self.parsed += other.parsed
        self.failed += other.failed
        self.decisions.update(other.decisions)

    def as_object(self) -> dict[str, object]:
        """Return counts and shares as plain values for JSON."""
        shares = {word: round(self.decisions[word] / self.lines, 6) for word in (ALLOW, ASK, DENY)}
        return {"lines": self.lines, **shares, "parsed": round(self.parsed / self.lines, 6), "failed": self.failed}


@dataclass
class Cause:
    """One cause of alarms: how often, and a few of its lines."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def merge(self, other: Cause) -> None:
        """Count in others; the first examples stay."""
        self.count += other.count
        self.examples = (self.examples + other.examples)[:EXAMPLES]


@dataclass
class Found:
    """Counts by (audience, kind of group, name), and the causes of alarms by (audience, decision, code)."""

    counts: dict[tuple[str, str, str], Count] = field(default_factory=dict)
    causes: dict[tuple[str, str, str], Cause] = field(default_factory=dict)

    def merge(self, other: Found) -> None:
        """Count in another part."""
        for key, count in other.counts.items():
            self.counts.setdefault(key, Count()).merge(count)
        for name, cause in other.causes.items():
            self.causes.setdefault(name, Cause()).merge(cause)


def groups(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the groups that a line counts in: kind and name."""
    shell = item["shell"]
    if "category" in item:
        yield "abusable", "all"
        parts = item["category"].split("/")
        yield from dict.fromkeys((("category", parts[0]), ("category", "/".join(parts[:2]))))
        return
    if item.get("hints"):
        yield "with hints", "all"
        return
    yield "everyday", "all"
    yield "shell", shell
    yield "source", item["source"].partition(":")[0]


_CHECKERS: list[Any] = []


def begin() -> None:
    """Make the engine of this process."""
    _CHECKERS.append(checker_of(Spec(EMBEDDED, EMBEDDED)))


def vet(items: list[dict[str, Any]]) -> Found:
    """Return what the engine says of some lines, for each audience."""
    found = Found()
    checker = _CHECKERS[0]
    for item in items:
        row = Row("", item["command"], "harmless", SHELL_OF.get(item["shell"], item["shell"]))
        for audience in AUDIENCES:
            request = request_of(row, audience)
            report = checker.check(request)
            verdict = report.verdict
            parsed = report.error is None and verdict.reason != "line-not-readable"
            for kind, name in groups(item):
                count = found.counts.setdefault((audience, kind, name), Count())
                count.add(verdict.decision, parsed, report.error is not None)
            if verdict.decision != ALLOW and "category" not in item and not item.get("hints"):
                first = verdict.findings[0] if verdict.findings else None
                code = f"{first.code} {first.target}".strip() if first is not None else verdict.reason
                if first is not None and first.code != "program.undescribed":
                    code = first.code
                cause = found.causes.setdefault((audience, verdict.decision, code), Cause())
                cause.merge(Cause(1, [item["command"]]))
    return found


def chunks(files: Iterable[Path], limit: int | None) -> Iterator[list[dict[str, Any]]]:
    """Yield the lines of the files in small lists."""

    def items() -> Iterator[dict[str, Any]]:
        for path in files:
            with open(path, encoding="utf-8") as file:
                yield from (json.loads(line) for line in islice(file, limit))

    found = items()
    while chunk := list(islice(found, CHUNK)):
        yield chunk


def table(title: str, found: Found, kind: str) -> Iterator[str]:
    """Yield the lines of one table: each group with the shares for both audiences."""
    names = [name for audience, of, name in found.counts if of == kind and audience == AUDIENCES[0]]
    if not names:
        return
    yield f"\n{title:<44} {'lines':>7} {'deny':>7} {'ask':>7} {'person: ask':>12} {'deny':>7} {'parsed':>8}"
    names.sort(key=lambda each: -found.counts[AUDIENCES[0], kind, each].lines)
    for name in names[:ROWS]:
        agent, person = (found.counts[audience, kind, name] for audience in AUDIENCES)
        yield (
            f"{name[:44]:<44} {agent.lines:>7,} {agent.decisions[DENY] / agent.lines:>7.2%}"
            f" {agent.decisions[ASK] / agent.lines:>7.2%} {person.decisions[ASK] / person.lines:>12.2%}"
            f" {person.decisions[DENY] / person.lines:>7.2%} {agent.parsed / agent.lines:>8.2%}"
        )


def causes(found: Found, audience: str, decision: str) -> list[tuple[str, Cause]]:
    """Return the commonest causes of a decision."""
    rows = [(code, cause) for (of, what, code), cause in found.causes.items() if (of, what) == (audience, decision)]
    return sorted(rows, key=lambda each: (-each[1].count, each[0]))[:CAUSES]


def as_object(found: Found) -> dict[str, object]:
    """Return everything as plain values for JSON, without any line of the corpora."""
    return {
        "schema": 1,
        "counts": [
            {"audience": audience, "kind": kind, "name": name, **count.as_object()}
            for (audience, kind, name), count in sorted(found.counts.items())
        ],
        "causes": [
            {"audience": audience, "decision": decision, "code": code, "lines": cause.count}
            for audience in AUDIENCES
            for decision in (DENY, ASK)
            for code, cause in causes(found, audience, decision)
        ],
    }


def show(found: Found) -> None:
    """Print the tables, and the commonest causes with a few lines each."""
    for title, kind in (
        ("everyday lines without hints", "everyday"),
        ("by shell", "shell"),
        ("by source", "source"),
        ("lines with hints (may be right to alarm)", "with hints"),
        ("abusable lines", "abusable"),
        ("abusable, by category", "category"),
    ):
        for line in table(title, found, kind):
            print(line)
    for audience in AUDIENCES:
        for decision in (DENY, ASK):
            rows = causes(found, audience, decision)
            if rows:
                print(f"\ncommonest causes of {decision} ({audience})")
            for code, cause in rows:
                print(f"{cause.count:>7,}  {code[:60]}")
                for line in cause.examples:
                    print(f"{'':>10}{line[:110]!r}")


def main() -> int:
    """Vet the corpora and print what was said of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="the folder of both files (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=cores(), help="processes (default: one for each core)")
    parser.add_argument("--limit", type=int, help="only the first so many lines of each file")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the figures as JSON, without any line")
    args = parser.parse_args()
    files = [args.corpus / name for name in (EVERYDAY, ABUSABLE) if (args.corpus / name).is_file()]
    if not files:
        print(f"SKIPPED: there is no corpus at {args.corpus}, so NOTHING WAS MEASURED; --corpus DIR names one")
        return 0
    for name in [name for name in os.environ if name.startswith("PHOCINAE_")]:
        del os.environ[name]
    found = Found()
    with multiprocessing.get_context("spawn").Pool(args.jobs, begin) as pool:
        for part in pool.imap(vet, chunks(files, args.limit)):
            found.merge(part)
    show(found)
    if args.save:
        args.save.write_text(json.dumps(as_object(found), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
