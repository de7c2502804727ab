"""The order of the gate: a tuple of stages, each of which answers or passes the case on."""

from __future__ import annotations

from phocinae_cli.core import reasons
from phocinae_cli.core.verdict import ALLOW, ASK, DENY, DESTRUCTIVE, HARMLESS, Finding, Verdict
from phocinae_cli.gate import autoallow
from phocinae_cli.gate.case import Case
from phocinae_cli.gate.consult import consult, strictest
from phocinae_cli.gate.never import first_never
from phocinae_cli.gate.rules import allowing, first_match, only_reads
from phocinae_cli.kb.schema import KINDS, glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Effect
    from phocinae_cli.core.request import Request
    from phocinae_cli.core.settings import Rule
    from phocinae_cli.gate.case import Ask, Stage

COMMENT_SHELLS = ("bash", "zsh", "sh", "fish", "powershell")
"""Shells in which a line that starts with # is a comment, unless the request says otherwise. cmd runs it."""


def off(case: Case, ask: Ask) -> Verdict | None:
    """Nothing is gated while the gate is switched off."""
    if case.settings.gate_enabled and case.settings.gate_mode != "off":
        return None
    return _verdict(ALLOW, reasons.GATE_DISABLED)


def tool_missing(case: Case, ask: Ask) -> Verdict | None:
    """A request that names no tool can't be held against gate.tools, so a person looks at it."""
    tool = case.request.tool
    return _verdict(ASK, reasons.TOOL_NAME_MISSING) if tool is None or not tool.strip() else None


def tool_not_gated(case: Case, ask: Ask) -> Verdict | None:
    """A tool that gate.tools does not cover is none of the gate's business."""
    if "*" in case.settings.gate_tools:
        return None
    tool = (case.request.tool or "").strip().lower()
    if any(glob_match(pattern.lower(), tool) for pattern in case.settings.gate_tools):
        return None
    return _verdict(ALLOW, reasons.TOOL_NOT_GATED)


def unreadable(case: Case, ask: Ask) -> Verdict | None:
    """A text that could not be judged at all is put to a person."""
    why = case.analysis.unreadable
    return _verdict(ASK, reasons.LINE_NOT_READABLE, why) if why else None


def nothing_to_run(case: Case, ask: Ask) -> Verdict | None:
    """Blank lines and comments run nothing, and that is certain from the text alone."""
    analysis = case.analysis
    if analysis.actions or analysis.effects or analysis.fault or not _is_blank(case.request):
        return None
    verdict = _verdict(ALLOW, reasons.CALLED_HARMLESS)
    verdict.message = "there is nothing to run"
    verdict.harm, verdict.confidence, verdict.confidence_kind = HARMLESS, 1.0, "certain"
    return verdict


def user_deny(case: Case, ask: Ask) -> Verdict | None:
    """A rule the user wrote outranks everything below, so no stage can loosen it."""
    rule = first_match(case.settings.rules, DENY, case.request, case.analysis)
    return _verdict(DENY, reasons.DENIED_BY_RULE, _said(rule)) if rule else None


def never(case: Case, ask: Ask) -> Verdict | None:
    """What nobody means to do by a rule or a list is denied before they are looked at."""
    effect = first_never(case.analysis)
    if effect is None:
        return None
    verdict = _verdict(DENY, reasons.NEVER)
    verdict.harm, verdict.confidence, verdict.confidence_kind = DESTRUCTIVE, 1.0, "certain"
    verdict.findings = (_finding(effect),)
    return verdict


def approved(case: Case, ask: Ask) -> Verdict | None:
    """An approval given for exactly this line answers every question about it, an ask rule's included."""
    return _verdict(ALLOW, reasons.APPROVED) if case.approved else None


def user_ask(case: Case, ask: Ask) -> Verdict | None:
    """An ask rule only tightens: no list or allow rule below opens the line, and a judge may still deny it."""
    rule = first_match(case.settings.rules, ASK, case.request, case.analysis)
    if rule is None:
        return None
    verdict = consult(case, ask)
    if verdict.decision != DENY:
        verdict.decision, verdict.reason, verdict.note = ASK, reasons.ASKED_BY_RULE, ""
        verdict.message = f"{reasons.MESSAGES[reasons.ASKED_BY_RULE]}: {_said(rule)}"
    return verdict


def auto_allow(case: Case, ask: Ask) -> Verdict | None:
    """A plain command on the auto-allow list is not put to a judge."""
    entry = autoallow.on_the_list(case.settings, case.analysis)
    return _verdict(ALLOW, reasons.ON_AUTO_ALLOW_LIST, entry) if entry else None


def user_allow(case: Case, ask: Ask) -> Verdict | None:
    """What allow rules cover is allowed; the rest of the line is put to the judge, and the stricter counts."""
    found = allowing(case.settings.rules, case.request, case.analysis)
    if found is None:
        return None
    rule, rest = found
    allowed = _verdict(ALLOW, reasons.ALLOWED_BY_RULE, _said(rule))
    if only_reads(rest):
        return allowed
    judged = consult(Case(case.request, case.settings, rest), ask)
    allowed.note = judged.note
    return strictest((allowed, judged))


STAGES: tuple[Stage, ...] = (
    off,
    tool_missing,
    tool_not_gated,
    unreadable,
    nothing_to_run,
    user_deny,
    never,
    approved,
    user_ask,
    auto_allow,
    user_allow,
    consult,
)


def _verdict(decision: str, reason: str, detail: str = "") -> Verdict:
    message = reasons.MESSAGES[reason]
    return Verdict(decision, reason, f"{message}: {detail}" if detail else message)


def _said(rule: Rule) -> str:
    words = " ".join((rule.program or "*", *rule.subcommand, *rule.flags, *rule.paths))
    said = rule.reason or " ".join(rule.words) or words
    return f"{said} ({rule.origin})" if rule.origin else said


def _finding(effect: Effect) -> Finding:
    action = effect.action
    return Finding(
        effect.code or effect.kind,
        effect.kind,
        effect.target.text,
        DESTRUCTIVE,
        effect.why or f"{KINDS[effect.kind][1]} {effect.target.text}".strip(),
        effect.instead,
        effect.undo or KINDS[effect.kind][3],
        action.start,
        action.end,
        action.via,
        action.place,
    )


def _is_blank(request: Request) -> bool:
    commented = request.comments and request.shell in COMMENT_SHELLS
    for line in request.text.splitlines():
        line = line.strip()
        if line and not (commented and line.startswith("#")):
            return False
    return True
