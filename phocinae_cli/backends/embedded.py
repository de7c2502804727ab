"""The embedded judge: effects and facts to a harm, a calibrated confidence and findings a person can read."""

from __future__ import annotations

from phocinae_cli.backends import policy
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.verdict import DESTRUCTIVE, HARM_RANK, HARMLESS, RISKY, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Analysis, Effect
    from phocinae_cli.core.request import Request

NAME = "phocinae-embedded-1"
CONFIDENCE = {HARMLESS: 0.97, RISKY: 0.9, DESTRUCTIVE: 0.97}
UNSURE = 0.3
UNDESCRIBED = "program.undescribed"


def judge(analysis: Analysis, request: Request) -> Judgement:
    """Return the worst harm that any effect of the line does, with its findings, worst first.

    `harm` is None when nothing is known to be harmful but something is not known at all: that is no claim of
    harmless, so the gate asks.
    """
    findings: list[Finding] = []
    unsure = False
    confidence = CONFIDENCE[HARMLESS]
    for effect in analysis.effects:
        harm = policy.harm_of(effect, request.audience)
        if harm == HARMLESS:
            continue
        if effect.kind == "unknown" and effect.code == UNDESCRIBED:
            chance = _learned(effect)
            if chance:
                confidence = min(confidence, chance)
                continue
        if not effect.certain and harm != DESTRUCTIVE:
            unsure = True
        findings.append(_finding(effect, harm))
    findings.sort(key=_order)
    worst = findings[0].harm if findings else HARMLESS
    certain = [finding for finding in findings if finding.certain]
    if worst == DESTRUCTIVE:
        return Judgement(DESTRUCTIVE, CONFIDENCE[DESTRUCTIVE], tuple(_distinct(findings)), NAME)
    if unsure and not certain:
        return Judgement(None, UNSURE, tuple(_distinct(findings)), NAME)
    if worst == HARMLESS:
        return Judgement(HARMLESS, confidence, (), NAME)
    return Judgement(worst, CONFIDENCE[worst], tuple(_distinct(findings)), NAME)


def _learned(effect: Effect) -> float:
    """Return the probability with which the learned model claims harmless; 0 when it makes no claim."""
    action = effect.action
    if not all(action.known) or not action.program or action.remote:
        return 0.0
    from phocinae_cli.backends import unknown  # only a program that nobody described needs it

    chances = unknown.probabilities(action.program, action.argv[1:])
    return chances[0] if chances is not None and chances[0] >= unknown.FLOOR else 0.0


def _order(finding: Finding) -> tuple[int, int]:
    return (-HARM_RANK[finding.harm], 0 if finding.certain else 1)


def _distinct(findings: list[Finding]) -> list[Finding]:
    seen: set[tuple[str, str, str]] = set()
    kept = []
    for finding in findings:
        key = (finding.code, finding.effect, finding.target)
        if key not in seen:
            seen.add(key)
            kept.append(finding)
    return kept


def _finding(effect: Effect, harm: str) -> Finding:
    action = effect.action
    return Finding(
        effect.code,
        effect.kind,
        effect.target.text,
        harm,
        policy.why(effect),
        effect.instead,
        policy.undo_of(effect),
        action.start,
        action.end,
        action.via,
        action.place,
        effect.certain or harm == DESTRUCTIVE,
    )
