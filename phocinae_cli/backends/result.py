"""What a caller gets for its questions: the answers, how sure they are, and which of them somebody else should see."""

from __future__ import annotations

from dataclasses import dataclass

from phocinae_cli.backends.answer import Answer, Reply
from phocinae_cli.backends.question import CHOICE, NOUL, Question
from phocinae_cli.core.settings import Settings

SCHEMA = 1

TRUNCATED = "state-truncated"
NOT_ANSWERED = "not-answered"
UNKNOWN = "confidence-unknown"
FLIPPED = "option-order-flips-it"
BELOW = "confidence-below-threshold"
REASONS = (TRUNCATED, NOT_ANSWERED, UNKNOWN, FLIPPED, BELOW)
"""Why an answer should be put to a person or a larger model, the gravest first."""


@dataclass(frozen=True, slots=True)
class Bars:
    """The confidence below which an answer is escalated, by type: a score has nine levels and is rarely above 0.3."""

    noul: float
    choice: float
    score: float

    def of(self, type_: str) -> float:
        """Return the bar for a type of question."""
        return {NOUL: self.noul, CHOICE: self.choice}.get(type_, self.score)


def bars(settings: Settings) -> Bars:
    """Return the bars that the settings name; a type without one of its own takes the overall one."""
    overall = settings.escalate_at
    own = (settings.escalate_at_noul, settings.escalate_at_choice, settings.escalate_at_score)
    return Bars(*(overall if bar is None else bar for bar in own))


@dataclass(frozen=True, slots=True)
class Result:
    """Answers by question id, in the order asked, with everything that says how far they carry.

    `confidence` is None where it is unknown. `escalate` is set as soon as one answer falls short; `escalated_ids`
    lists those, and `escalation_reason` is the gravest reason (one of REASONS) or None. `engine` is `service`,
    `embedded` or `general`, `answered_by` the model behind each answer, `flipped` the ids whose answer changes with
    the order of its options (None when only one order was asked).
    """

    answers: dict[str, bool | str | int | float | None]
    confidence: dict[str, float | None]
    confidence_kind: str
    option_scores: dict[str, list[float] | None]
    escalate: bool
    escalated_ids: tuple[str, ...]
    escalation_reason: str | None
    escalate_at: dict[str, float]
    usage: dict[str, int] | None
    model: str
    asked_model: str
    answered_by: dict[str, str]
    engine: str
    dialect: str | None
    truncated: bool
    flipped: tuple[str, ...] | None

    def as_object(self) -> dict[str, object]:
        """Return the result as plain values for JSON, versioned."""
        return {
            "schema": SCHEMA,
            "answers": self.answers,
            "confidence": self.confidence,
            "confidence_kind": self.confidence_kind,
            "option_scores": self.option_scores,
            "escalate": self.escalate,
            "escalated_ids": list(self.escalated_ids),
            "escalation_reason": self.escalation_reason,
            "escalate_at": self.escalate_at,
            "usage": self.usage,
            "model": self.model,
            "asked_model": self.asked_model,
            "answered_by": self.answered_by,
            "engine": self.engine,
            "dialect": self.dialect,
            "truncated": self.truncated,
            "flipped": None if self.flipped is None else list(self.flipped),
            "error": None,
        }


def weigh(reply: Reply, questions: tuple[Question, ...], at: Bars, engine: str, cut: bool = False) -> Result:
    """Return the result that a reply amounts to; `cut` says that the state was shortened before it was sent."""
    answers = [reply.answers[question.id] for question in questions]
    truncated = cut or reply.truncated
    reasons = {answer.id: TRUNCATED if truncated else reason_of(answer, at) for answer in answers}
    escalated = tuple(answer.id for answer in answers if reasons[answer.id])
    flips = [answer for answer in answers if answer.flipped is not None]
    return Result(
        answers={answer.id: answer.value for answer in answers},
        confidence={answer.id: _rounded(answer.confidence) for answer in answers},
        confidence_kind=reply.confidence_kind,
        option_scores={
            answer.id: None if answer.scores is None else [round(share, 4) for share in answer.scores]
            for answer in answers
        },
        escalate=bool(escalated),
        escalated_ids=escalated,
        escalation_reason=next((reason for reason in REASONS if reason in reasons.values()), None),
        escalate_at={"noul": at.noul, "choice": at.choice, "score": at.score},
        usage=None if reply.usage is None else {"input_tokens": reply.usage[0], "output_tokens": reply.usage[1]},
        model=reply.model,
        asked_model=reply.asked_model,
        answered_by={answer.id: answer.by or reply.model for answer in answers},
        engine=engine,
        dialect=reply.dialect or None,
        truncated=truncated,
        flipped=tuple(answer.id for answer in flips if answer.flipped) if flips else None,
    )


def reason_of(answer: Answer, at: Bars) -> str | None:
    """Return why one answer should be escalated, or None when it carries."""
    if answer.value is None:
        return NOT_ANSWERED
    if answer.confidence is None:
        return UNKNOWN
    if answer.flipped:
        return FLIPPED
    return BELOW if answer.confidence < at.of(answer.type) else None


def _rounded(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 4)
