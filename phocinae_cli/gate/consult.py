"""The last stage: what a judge says of the line, held against the floors, and to whom it is put."""

from __future__ import annotations

from phocinae_cli import errors
from phocinae_cli.core import reasons
from phocinae_cli.core.questions import ENGINE
from phocinae_cli.core.verdict import (
    ALLOW,
    ASK,
    DECISION_OF_HARM,
    DECISION_RANK,
    DENY,
    DESTRUCTIVE,
    HARM_RANK,
    HARMLESS,
    RISKY,
    Verdict,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from phocinae_cli.core.questions import Judgement
    from phocinae_cli.core.verdict import Finding
    from phocinae_cli.gate.case import Ask, Case

HARM_OF_DECISION = {ALLOW: HARMLESS, ASK: RISKY, DENY: DESTRUCTIVE}
HARM_OF_NOUL = {ALLOW: HARMLESS, ASK: RISKY, DENY: RISKY}
"""A yes/no question knows no degrees: what is not safe is risky, and gate.risky_decision says what that means."""

SERVICE_CODES = (errors.SERVICE_UNAVAILABLE, errors.SERVICE_ERROR, errors.BAD_RESPONSE)
EMBEDDED = "embedded"
"""The backend that asks nobody else: what fails there is ours."""


def consult(case: Case, ask: Ask) -> Verdict:
    """Return the judge's answer as a verdict; a judge that gives none is an ASK, whatever it died of."""
    try:
        verdict = weigh(case, ask(case))
    except errors.PhocinaeError as error:
        verdict = _unavailable(case, error)
    except Exception as error:  # any failure at all: a judge that crashed has not claimed harmless
        reason = reasons.INTERNAL_ERROR if case.settings.backend == EMBEDDED else reasons.SERVICE_UNAVAILABLE
        verdict = Verdict(ASK, reason, f"the judge failed: {type(error).__name__}", escalate=True)
    return _marked(case, verdict)


def weigh(case: Case, judgement: Judgement) -> Verdict:
    """Return the verdict that a judgement amounts to under the settings and for the audience of the case."""
    noul = judgement.decision is not None and case.settings.gate_mode == "noul"
    harm = claimed_harm(judgement, HARM_OF_NOUL if noul else HARM_OF_DECISION)
    floor = case.settings.gate_threshold if noul else case.settings.gate_min_confidence
    verdict = Verdict(
        ASK,
        reasons.CONFIDENCE_BELOW_THRESHOLD,
        harm=harm,
        confidence=judgement.confidence if _is_probability(judgement.confidence) else 0.0,
        confidence_kind=judgement.confidence_kind,
        findings=judgement.findings,
        model_decision=judgement.decision or (DECISION_OF_HARM[harm] if harm else None),
        engine=judgement.judge,
    )
    if harm == DESTRUCTIVE:
        verdict.decision, verdict.reason = DENY, reasons.CALLED_DESTRUCTIVE
    elif harm == RISKY:
        verdict.decision, verdict.reason = ASK, reasons.CALLED_RISKY
        if person_may_pass(case, judgement):
            verdict.decision = ALLOW
            verdict.note = note_on(judgement.findings) if case.settings.gate_person_notes else ""
        elif noul and judgement.decision != ALLOW:
            verdict.decision = case.settings.gate_risky_decision
    elif harm == HARMLESS and not judgement.truncated and is_confident(judgement, floor):
        verdict.decision, verdict.reason = ALLOW, reasons.CALLED_HARMLESS
    verdict.message = reasons.MESSAGES[verdict.reason]
    verdict.escalate = verdict.reason == reasons.CONFIDENCE_BELOW_THRESHOLD or not is_confident(
        judgement, escalation_bar(case, judgement)
    )
    return verdict


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest verdict; of equals, the first. No verdict at all is ASK: silence is not consent."""
    found: Verdict | None = None
    for verdict in verdicts:
        if found is None or DECISION_RANK[verdict.decision] > DECISION_RANK[found.decision]:
            found = verdict
    return found if found is not None else Verdict(ASK, reasons.LINE_NOT_READABLE, "there was nothing to judge")


def claimed_harm(judgement: Judgement, scale: dict[str, str]) -> str | None:
    """Return the worst harm that the judgement claims in any of its parts, or None when it makes no claim.

    A word that is on neither scale leaves no claim but a destructive one; findings can only make it worse.
    """
    if judgement.decision is None and not judgement.findings:
        return judgement.harm if judgement.harm in HARM_RANK else None
    claims: list[str | None] = []
    if judgement.harm is not None:
        claims.append(judgement.harm if judgement.harm in HARM_RANK else None)
    if judgement.decision is not None:
        claims.append(scale.get(judgement.decision))
    known = [claim for claim in claims if claim is not None]
    known += [finding.harm for finding in judgement.findings if finding.harm in HARM_RANK]
    if DESTRUCTIVE in known:
        return DESTRUCTIVE
    if None in claims or not claims:
        return None
    return RISKY if RISKY in known else HARMLESS


def is_confident(judgement: Judgement, floor: float) -> bool:
    """Return whether the confidence is known and reaches the floor."""
    return (
        judgement.confidence_kind != "none" and _is_probability(judgement.confidence) and judgement.confidence >= floor
    )


def escalation_bar(case: Case, judgement: Judgement) -> float:
    """Return the confidence under which the answer should be put to a person or a larger model."""
    settings = case.settings
    if judgement.judge == ENGINE:  # its confidence is on one scale, whatever a service would have been asked
        return settings.escalate_at
    own = settings.escalate_at_noul if settings.gate_mode == "noul" else settings.escalate_at_choice
    return settings.escalate_at if own is None else own


def _is_probability(number: float) -> bool:
    return 0.0 <= number <= 1.0  # false for NaN too


# --- the audience -----------------------------------------------------------------------------------------------------


def person_may_pass(case: Case, judgement: Judgement) -> bool:
    """Return whether a risky line passes because the person who typed it has reviewed it by typing it.

    It holds only for findings: every one certain, every risky one easily undone, and nothing low in confidence.
    """
    if case.request.audience != "person" or case.settings.gate_person_asks != "irreversible":
        return False
    if judgement.decision is not None or judgement.truncated:
        return False
    if not is_confident(judgement, case.settings.gate_min_confidence):
        return False
    risky = [finding for finding in judgement.findings if finding.harm != HARMLESS]
    return (
        bool(risky)
        and all(finding.certain for finding in judgement.findings)
        and all(finding.undo == "easy" for finding in risky)
    )


def note_on(findings: tuple[Finding, ...]) -> str:
    """Return one line on what passes as risky: the first finding, and how many more there are."""
    risky = [finding for finding in findings if finding.harm != HARMLESS]
    first = risky[0]
    said = first.why or f"{first.effect} {first.target}".strip()
    return f"{said} (and {len(risky) - 1} more)" if len(risky) > 1 else said


# --- what is not an answer --------------------------------------------------------------------------------------------


def _unavailable(case: Case, error: errors.PhocinaeError) -> Verdict:
    is_service = error.code in SERVICE_CODES
    verdict = Verdict(
        ALLOW if is_service and case.settings.gate_fail_mode == "open" else ASK,
        reasons.SERVICE_UNAVAILABLE if is_service else reasons.INTERNAL_ERROR,
        f"{error.message}; {error.do}" if error.do else error.message,
    )
    verdict.escalate = True
    return verdict


def _marked(case: Case, verdict: Verdict) -> Verdict:
    """Return the verdict with what could not be read counted in: a fault asks.

    At a prompt an unfinished line goes on with the next one, so it is judged as it stands and says so; nobody
    finishes the line of a job.
    """
    analysis = case.analysis
    if analysis.unfinished and case.request.audience == "person":
        verdict.message = f"{verdict.message}; the line is unfinished and was judged as it stands"
    elif (analysis.fault or analysis.unfinished) and verdict.decision != DENY:
        verdict.decision, verdict.reason, verdict.note = ASK, reasons.LINE_NOT_READABLE, ""
        verdict.message = f"{reasons.MESSAGES[reasons.LINE_NOT_READABLE]}: {analysis.fault or 'it is unfinished'}"
    return verdict
