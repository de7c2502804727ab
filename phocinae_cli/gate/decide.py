"""The decision: the first stage that answers, and the trail that led to it."""

from __future__ import annotations

from phocinae_cli.core import reasons
from phocinae_cli.core.verdict import ASK, DECISION_RANK, Verdict
from phocinae_cli.gate.stages import STAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from phocinae_cli.gate.case import Ask, Case


def decide(case: Case, ask: Ask) -> Verdict:
    """Return the first stage's answer, with the trail of stages up to it; with no answer at all, ASK."""
    trail: list[str] = []
    for stage in STAGES:
        trail.append(stage.__name__)
        verdict = stage(case, ask)
        if verdict is not None:
            break
    else:
        verdict = Verdict(ASK, reasons.INTERNAL_ERROR, "no stage of the gate answered")
    verdict.trail = tuple(trail)
    return verdict


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest verdict; of equals, the first. No verdict at all is ASK: silence is not consent."""
    found: Verdict | None = None
    for verdict in verdicts:
        if found is None or DECISION_RANK[verdict.decision] > DECISION_RANK[found.decision]:
            found = verdict
    return found if found is not None else Verdict(ASK, reasons.LINE_NOT_READABLE, "there was nothing to judge")
