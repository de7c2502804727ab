"""An answer that was read in full, and the reply that carries a set of them."""

from __future__ import annotations

from dataclasses import dataclass, field

TOP_PROBABILITY = "top_probability"
CHANCE_CORRECTED = "chance_corrected"
NO_CONFIDENCE = "none"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer.

    `value` is a bool (`noul`), the name of the option (`choice`), or a number (`score`: 2 to 10, or the expected
    level counted from 0 where the question has levels of its own); it is None where the judge left the question
    open, which it never fills with a guess. `confidence` is that of the answer given, 0 to 1, and None when it is
    unknown, which is never a reason to go on. `scores` are the probabilities behind it, in the order of the options
    (`noul`: no, yes), or None. `flipped` says that the option order changed the answer; None means that no other
    order was tried. `by` names the model when it is another than the reply's.
    """

    id: str
    type: str
    value: bool | str | int | float | None
    confidence: float | None = None
    scores: tuple[float, ...] | None = None
    flipped: bool | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back on one set of questions.

    `model` is the name that the service gave itself, `asked_model` the one that was asked for. `usage` holds the
    tokens read and written, or None. `truncated` says that the judge can't have seen the whole state.
    """

    answers: dict[str, Answer]
    model: str
    asked_model: str
    confidence_kind: str
    dialect: str
    usage: tuple[int, int] | None = None
    truncated: bool = False
    notes: tuple[str, ...] = field(default=())
