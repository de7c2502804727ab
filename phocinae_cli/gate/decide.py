"""The decision: the first stage that answers, and the trail that led to it."""

from __future__ import annotations

from phocinae_cli.core import reasons
from phocinae_cli.core.verdict import ASK, Verdict
from phocinae_cli.gate.stages import STAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.gate.case import Ask, Case

TRAIL = tuple(stage.__name__ for stage in STAGES)


def decide(case: Case, ask: Ask) -> Verdict:
    """Return the first stage's answer, with the trail of stages up to it; with no answer at all, ASK."""
    for number, stage in enumerate(STAGES, 1):
        verdict = stage(case, ask)
        if verdict is not None:
            verdict.trail = TRAIL[:number]
            return verdict
    return Verdict(ASK, reasons.INTERNAL_ERROR, "no stage of the gate answered", trail=TRAIL)
