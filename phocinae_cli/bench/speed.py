"""How long answers take: counted in steps of a few percent, so that any number of them takes the same memory."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections import Counter

from phocinae_cli.errors import INVALID_CONFIG, PhocinaeError

STEP = 1.02
PERCENTILES = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
ONE_SHOT = "git status && ls -la build | head"


class Times:
    """Times in nanoseconds; a percentile is told to within 2 %."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.total_ns = 0

    def add(self, taken_ns: int) -> None:
        """Count one."""
        self.counts[math.ceil(math.log(max(taken_ns, 1), STEP))] += 1
        self.total_ns += taken_ns

    def merge(self, other: Times) -> None:
        """Count in others."""
        self.counts.update(other.counts)
        self.total_ns += other.total_ns

    def percentile_ms(self, share: float) -> float | None:
        """Return a time that at least this share (0 to 1) of them does not exceed, in ms; None without any."""
        wanted = max(1, math.ceil(share * self.counts.total()))
        seen = 0
        for step in sorted(self.counts):
            seen += self.counts[step]
            if seen >= wanted:
                return float(STEP**step / 1e6)
        return None

    def as_object(self) -> dict[str, object]:
        """Return count and percentiles as plain values for JSON."""
        found: dict[str, object] = {"count": self.counts.total()}
        for name, share in PERCENTILES.items():
            value = self.percentile_ms(share)
            found[name] = None if value is None else round(value, 4)
        return found


def times_of(taken_ms: list[float]) -> Times:
    """Return times given in ms."""
    times = Times()
    for each in taken_ms:
        times.add(round(each * 1e6))
    return times


def one_shot(count: int, line: str = ONE_SHOT) -> Times:
    """Return the times of `check` as a process of its own, its start included.

    Raises PhocinaeError when one of them ends without a verdict.
    """
    times = Times()
    env = {name: value for name, value in os.environ.items() if not name.startswith("PHOCINAE_")}
    env["PHOCINAE_GATE_AUDIT"] = "false"
    argv = [sys.executable, "-m", "phocinae_cli", "check", "--quiet", line]
    for _ in range(count):
        began = time.perf_counter_ns()
        done = subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        times.add(time.perf_counter_ns() - began)
        if done.returncode not in (0, 10, 20):
            raise PhocinaeError(INVALID_CONFIG, f"`check` ended with {done.returncode}: {json.dumps(str(done.stderr))}")
    return times
