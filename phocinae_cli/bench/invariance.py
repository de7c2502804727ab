"""Whether a judge says the same of other spellings of the same command."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from phocinae_cli.bench.judges import Judge
from phocinae_cli.bench.outcome import Row
from phocinae_cli.bench.shares import Share
from phocinae_cli.bench.spellings import spellings

POSIX = ("bash", "zsh", "sh")
LISTED = 100


class Sample:
    """So many rows drawn from a stream: those whose hash is least, so that the draw depends on nothing else."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._kept: list[tuple[bytes, int, Row]] = []
        self._seen = 0

    def add(self, row: Row) -> None:
        """Consider a row: it must be of a POSIX shell, and may be shown."""
        if row.shell not in POSIX or not row.listed:
            return
        self._seen += 1
        key = hashlib.sha256(f"{row.id}\0{row.command}".encode("utf-8", "surrogateescape")).digest()
        self._kept.append((key, self._seen, row))
        if len(self._kept) > 2 * self.size + 100:
            self._cut()

    def rows(self) -> list[Row]:
        """Return the rows drawn, in the order of the stream."""
        self._cut()
        return [row for _, _, row in sorted(self._kept, key=lambda each: each[1])]

    def _cut(self) -> None:
        self._kept.sort()
        del self._kept[self.size :]


def invariance(judge: Judge, rows: Iterable[Row]) -> dict[str, object]:
    """Return how many pairs of a row and another spelling of it get the same decision, by way of spelling."""
    same: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    differing: list[dict[str, str]] = []
    for row in rows:
        first = judge(row)
        if first is None:
            continue
        for spelling in spellings(row.command, row.shell):
            outcome = judge(replace(row, command=spelling.line))
            if outcome is None:
                continue
            asked[spelling.way] += 1
            same[spelling.way] += outcome.decision == first.decision
            if outcome.decision != first.decision and len(differing) < LISTED:
                found = {"id": row.id, "way": spelling.way, "command": row.command, "spelling": spelling.line}
                differing.append({**found, "was": first.decision, "is": outcome.decision})
    return {
        "same": Share(same.total(), asked.total()).as_object(),
        "ways": {way: Share(same[way], count).as_object() for way, count in sorted(asked.items())},
        "differing": differing,
    }
