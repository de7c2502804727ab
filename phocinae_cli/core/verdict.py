"""Decisions, harm, findings and the verdict that carries them.

The two scales are plain strings with a rank, since an enum costs more to import than a whole check.
"""

from __future__ import annotations

HARMLESS = "harmless"
RISKY = "risky"
DESTRUCTIVE = "destructive"
HARM_RANK = {HARMLESS: 0, RISKY: 1, DESTRUCTIVE: 2}

ALLOW = "allow"
ASK = "ask"
DENY = "deny"
DECISION_RANK = {ALLOW: 0, ASK: 1, DENY: 2}
DECISION_OF_HARM = {HARMLESS: ALLOW, RISKY: ASK, DESTRUCTIVE: DENY}

EXIT_STATUS = {ALLOW: 0, ASK: 10, DENY: 20}
"""What `check` exits with. 1 is never used on purpose, so that a crash can't be read as a verdict."""
EXIT_USAGE = 2
EXIT_FAILURE = 3


class Finding:
    """One reason why a line is not harmless.

    `code` can be read in a log (`git.clean-force`); `effect` is the kind of effect, `target` what it happens
    to as a person would write it; `start`, `end` mark the guilty part in the text that was checked; `why` and
    `instead` are one clause each; `via` is the chain of wrappers in front (`sudo`, `bash -c`); `place` says
    where in a read file it was found (`Makefile:12`) or is empty. `certain` is False for what is unknown,
    unreadable or low in confidence: that asks everybody, whoever the audience is.
    """

    __slots__ = (
        "certain", "code", "effect", "end", "harm", "instead", "place", "start", "target", "undo", "via", "why",
    )  # fmt: skip

    def __init__(
        self,
        code: str,
        effect: str,
        target: str,
        harm: str,
        why: str,
        instead: str = "",
        undo: str = "none",
        start: int = 0,
        end: int = 0,
        via: tuple[str, ...] = (),
        place: str = "",
        certain: bool = True,
    ) -> None:
        self.code = code
        self.effect = effect
        self.target = target
        self.harm = harm
        self.why = why
        self.instead = instead
        self.undo = undo
        self.start = start
        self.end = end
        self.via = via
        self.place = place
        self.certain = certain


class Verdict:
    """The decision on a line, with everything that led to it.

    `reason` is one of the codes of `core.reasons`; `confidence` is a calibrated probability in 0..1 of the
    harm named, `confidence_kind` says what kind of number it is (`calibrated`, `certain`, `none`); `trail`
    lists the stages of the gate up to the one that answered; `note` is the dim line shown when a risky
    line passes at a person's prompt.
    """

    __slots__ = (
        "confidence",
        "confidence_kind",
        "decision",
        "engine",
        "escalate",
        "findings",
        "harm",
        "message",
        "model_decision",
        "note",
        "reason",
        "trail",
    )

    def __init__(
        self,
        decision: str,
        reason: str,
        message: str = "",
        harm: str | None = None,
        confidence: float = 0.0,
        confidence_kind: str = "none",
        findings: tuple[Finding, ...] = (),
        escalate: bool = False,
        model_decision: str | None = None,
        engine: str = "",
        trail: tuple[str, ...] = (),
        note: str = "",
    ) -> None:
        self.decision = decision
        self.reason = reason
        self.message = message
        self.harm = harm
        self.confidence = confidence
        self.confidence_kind = confidence_kind
        self.findings = findings
        self.escalate = escalate
        self.model_decision = model_decision
        self.engine = engine
        self.trail = trail
        self.note = note


def stricter(left: str, right: str) -> str:
    """Return the stricter of two decisions (allow < ask < deny)."""
    return left if DECISION_RANK[left] >= DECISION_RANK[right] else right


def worse(left: str, right: str) -> str:
    """Return the worse of two harms (harmless < risky < destructive)."""
    return left if HARM_RANK[left] >= HARM_RANK[right] else right
