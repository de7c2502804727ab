"""The embedded judge: effects and facts to a harm, a calibrated confidence and findings a person can read."""

from __future__ import annotations

from phocinae_cli.backends import policy
from phocinae_cli.backends.confidence import UNSURE, confidence_of
from phocinae_cli.core.questions import ENGINE, Judgement
from phocinae_cli.core.verdict import DESTRUCTIVE, HARM_RANK, HARMLESS, Finding
from phocinae_cli.kb.schema import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Analysis, Effect
    from phocinae_cli.core.request import Request

UNDESCRIBED = "program.undescribed"
FETCHERS = frozenset(("npx", "pnpx", "bunx", "uvx", "pipx", "npm", "pnpm", "yarn", "bun", "uv", "deno", "dlx"))


def judge(analysis: Analysis, request: Request) -> Judgement:
    """Return the worst harm that any effect of the line does, with its findings, worst first.

    `harm` is None when nothing is known to be harmful but something is not known at all: that is no claim of
    harmless, so the gate asks.
    """
    found: list[tuple[Finding, str]] = []
    unsure = False
    ground = "plain"
    learned = 1.0
    for effect in analysis.effects:
        harm = policy.harm_of(effect, request.audience)
        kind = KINDS[effect.kind][0] if effect.kind in KINDS else "name"
        if harm == HARMLESS:
            ground = kind
            continue
        if effect.kind == "unknown" and effect.code == UNDESCRIBED:
            chance = _learned(effect)
            if chance:
                learned = min(learned, chance)
                continue
        if not effect.certain and harm != DESTRUCTIVE:
            unsure = True
        found.append((_finding(effect, harm), kind))
    if not found:
        return Judgement(HARMLESS, min(confidence_of(HARMLESS, ground), learned), (), ENGINE)
    found.sort(key=_order)
    worst, ground = found[0]
    findings = tuple(_distinct([finding for finding, _ in found]))
    if unsure and not worst.certain:
        return Judgement(None, UNSURE, findings, ENGINE)
    return Judgement(worst.harm, confidence_of(worst.harm, "mixed" if unsure else ground), findings, ENGINE)


def _learned(effect: Effect) -> float:
    """Return the probability with which the learned model claims harmless; 0 when it makes no claim."""
    action = effect.action
    if not all(action.known) or not action.program or action.remote:
        return 0.0
    if all(word.startswith("-") for word in action.argv[1:]):  # a name and options say too little
        return 0.0
    if not FETCHERS.isdisjoint(action.via):  # what a package runner fetches is not a program somebody installed
        return 0.0
    from phocinae_cli.backends import unknown  # only a program that nobody described needs it

    chances = unknown.probabilities(action.program, action.argv[1:])
    return chances[0] if chances is not None and chances[0] >= unknown.FLOOR else 0.0


def _order(found: tuple[Finding, str]) -> tuple[int, int]:
    finding = found[0]
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
