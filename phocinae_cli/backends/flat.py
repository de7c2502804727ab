"""The flat dialect of `/v1/systemone`: questions as an array, answers as bare values, probabilities beside them."""

from __future__ import annotations

import math

from phocinae_cli.backends.answer import TOP_PROBABILITY, Answer, Reply
from phocinae_cli.backends.question import CHOICE, NOUL, SCORE, SCORE_HIGHEST, SCORE_LOWEST, Question
from phocinae_cli.backends.reading import Malformed, envelope, is_probability, number, shares
from phocinae_cli.backends.statetext import as_text, neutral

WINDOW_TOKENS = 512
HEAD_TOKENS = 192
"""What the reference model reads of one question, of which HEAD_TOKENS are for the question and its options."""
NEARLY_FULL = WINDOW_TOKENS - 64
ROUNDING = 0.0002
PERMUTED_ROWS = 4


def request(model: str, state: object, questions: tuple[Question, ...]) -> dict[str, object]:
    """Return the body to send. The questions must agree in their instructions: those go in front of the state.

    The server knows neither `instructions` nor descriptions, so both are written where the model reads them.
    """
    return {
        "model": model,
        "state": _head(questions) + neutral(as_text(state)),
        "questions": [_question(q) for q in questions],
    }


def heading(question: Question) -> str:
    """Return the text that has to stand in front of the state for this question; questions of one request share it."""
    lines = [question.instructions] if question.instructions else []
    if question.type == NOUL:
        for name, word in (("true", "yes"), ("false", "no")):
            if said := question.described(name):
                lines.append(f"{word}: {said}")
    return "\n".join(lines)


def read(body: object, state: object, questions: tuple[Question, ...], model: str) -> Reply:
    """Return the reply in a response body; raises Malformed for whatever is not a complete answer to each question."""
    fields, answers, usage = envelope(body, {question.id for question in questions})
    confidences = _map(fields, "answer_confidence")
    scores = _map(fields, "option_scores")
    return Reply(
        answers={q.id: _answer(q, answers[q.id], confidences, scores) for q in questions},
        model=str(fields["model"]),
        asked_model=model,
        confidence_kind=TOP_PROBABILITY,
        dialect="flat",
        usage=usage,
        truncated=_truncated(fields, state, questions, usage),
    )


def _head(questions: tuple[Question, ...]) -> str:
    head = heading(questions[0]) if questions else ""
    return neutral(head) + "\n" if head else ""


def _question(question: Question) -> dict[str, object]:
    found: dict[str, object] = {"id": question.id, "type": question.type}
    if question.type == CHOICE:
        found["options"] = [_option(question, name) for name in question.options]
    elif question.type == NOUL:
        found["threshold"] = question.threshold
    return found


def _option(question: Question, name: str) -> str:
    said = question.described(name)
    return neutral(f"{name}: {said}" if said else name)


def _map(fields: dict[str, object], name: str) -> dict[str, object] | None:
    found = fields.get(name)
    if found is None:
        return None
    if not isinstance(found, dict):
        raise Malformed(f"{name} is no object")
    return found


def _answer(
    question: Question, given: object, confidences: dict[str, object] | None, scores: dict[str, object] | None
) -> Answer:
    position = _position(question, given)
    vector = _vector(question, scores)
    if vector is not None:
        _agree(question, position, vector)
    return Answer(
        id=question.id,
        type=question.type,
        value=_value(question, position),
        confidence=_confidence(question, position, confidences, vector),
        scores=vector,
    )


def _position(question: Question, given: object) -> int:
    """Return which of the possible answers was given; nothing is converted, since `null` and `""` would become 0."""
    if question.type == NOUL:
        if type(given) is not bool:
            raise Malformed(f"the answer to {question.id!r} is no boolean")
        return int(given)
    if type(given) is not int:
        raise Malformed(f"the answer to {question.id!r} is no integer")
    lowest, count = (SCORE_LOWEST, _count(question)) if question.type == SCORE else (0, len(question.options))
    if not 0 <= given - lowest < count:
        raise Malformed(f"the answer to {question.id!r} is {given}, outside the range")
    return given - lowest


def _count(question: Question) -> int:
    if question.type == SCORE:
        return SCORE_HIGHEST - SCORE_LOWEST + 1
    return 2 if question.type == NOUL else len(question.options)


def _value(question: Question, position: int) -> bool | str | int:
    if question.type == NOUL:
        return bool(position)
    return position + SCORE_LOWEST if question.type == SCORE else question.options[position]


def _vector(question: Question, scores: dict[str, object] | None) -> tuple[float, ...] | None:
    if scores is None:
        return None
    if question.id not in scores:
        raise Malformed(f"option_scores has nothing on {question.id!r}")
    found = scores[question.id]
    if not isinstance(found, list) or len(found) != _count(question):
        raise Malformed(f"option_scores of {question.id!r} is no list of {_count(question)} numbers")
    return shares(found, f"option_scores of {question.id!r}", max(0.01, ROUNDING * len(found)))


def _agree(question: Question, position: int, vector: tuple[float, ...]) -> None:
    """A vector that speaks for another answer than the one given shows that one of the two is wrong."""
    if question.type == NOUL:
        short = question.threshold - vector[1]
        agreed = short <= ROUNDING if position else short >= -ROUNDING
    else:
        agreed = vector[position] >= max(vector) - ROUNDING
    if not agreed:
        raise Malformed(f"the answer to {question.id!r} and its option_scores disagree")


def _confidence(
    question: Question, position: int, confidences: dict[str, object] | None, vector: tuple[float, ...] | None
) -> float | None:
    """Return the probability of the answer given, which isn't always the most probable one; None is unknown."""
    stated = None
    if confidences is not None:
        stated = number(confidences.get(question.id))
        if not is_probability(stated):
            return None
    if vector is not None:
        return vector[position]
    if stated is None or question.type != NOUL:
        return stated
    return _of_given(question.threshold, bool(position), stated)


def _of_given(threshold: float, given: bool, top: float) -> float:
    """`top` is the higher of the two probabilities: find out whether it belongs to the answer given."""
    p_yes_if_top = top
    fits_yes = (p_yes_if_top >= threshold) is given
    fits_no = (1 - top >= threshold) is given
    if fits_yes and fits_no:
        # Either side could be the top one: count the answer as the less likely.
        return min(top, 1 - top)
    p_yes = p_yes_if_top if fits_yes else 1 - top
    return p_yes if given else 1 - p_yes


def _truncated(
    fields: dict[str, object], state: object, questions: tuple[Question, ...], usage: tuple[int, int] | None
) -> bool:
    """The server cuts the end of a long state without a word; only the number of tokens shows it."""
    if usage is None:
        # A token is at least one byte, so a state this short fits whatever the tokens are.
        return len(as_text(state).encode("utf-8", "surrogatepass")) > WINDOW_TOKENS - HEAD_TOKENS
    routing = fields.get("routing")
    permuted = isinstance(routing, dict) and str(routing.get("perm", "none")) != "none"
    rows = sum(PERMUTED_ROWS if permuted and q.type == CHOICE and len(q.options) > 1 else 1 for q in questions)
    limit = WINDOW_TOKENS if len(questions) == 1 else NEARLY_FULL
    return math.ceil(usage[0] / rows) >= limit
