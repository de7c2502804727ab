"""Thresholds for a wanted purity, read off the sweep and written as configuration."""

from __future__ import annotations

from dataclasses import dataclass

from phocinae_cli.bench import sweep
from phocinae_cli.bench.judges import Spec
from phocinae_cli.bench.score import Tally
from phocinae_cli.bench.sweep import Advice

KEYS = {"noul": "threshold"}
"""The key of the floor by formulation; every other one has `min_confidence`."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The thresholds for one judge; None where no threshold gives what is wanted."""

    judge: str
    key: str
    wanted: float
    rows: int
    floor: Advice | None
    escalate: Advice | None


def recommend(spec: Spec, tally: Tally, wanted: float) -> Recommendation:
    """Return the least floor whose passes are pure enough, and the least bar above which answers are right enough."""
    mode = str(dict(spec.settings).get("gate_mode", "harm"))
    floor, escalate = sweep.floor_for(tally.sweep, wanted), sweep.escalate_for(tally.sweep, wanted)
    return Recommendation(spec.name, KEYS.get(mode, "min_confidence"), wanted, tally.rows, floor, escalate)


def as_config(found: Recommendation) -> str:
    """Return a recommendation as TOML, with what each threshold gave; one that nothing reaches is a comment."""
    lines = [f"# phocinae bench: {found.judge} on {found.rows:,} rows, for {found.wanted:g} right"]
    lines += _entry("escalate_at", found.escalate, "of the answers above it are right")
    lines += ["", "[gate]", *_entry(found.key, found.floor, "of what passes is harmless")]
    return "\n".join(lines) + "\n"


def _entry(key: str, advice: Advice | None, what: str) -> list[str]:
    if advice is None:
        return [f"# {key}: no threshold reaches it"]
    said = f"# {advice.share:.1%} {what}: {advice.rows:,} rows, no fewer than {advice.low:.1%} to be expected elsewhere"
    return [said, f"{key} = {advice.threshold:g}"]
