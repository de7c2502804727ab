"""The typed dialect of `/v1/systemone`: questions as an object, answers that carry their type and probabilities."""

from __future__ import annotations

import math

from phocinae_cli.backends.answer import CHANCE_CORRECTED, Answer, Reply
from phocinae_cli.backends.question import CHOICE, NOUL, SCORE_HIGHEST, SCORE_LOWEST, Question
from phocinae_cli.backends.reading import Malformed, envelope, is_probability, number, shares
from phocinae_cli.backends.statetext import neutral_tree

SUM_TOLERANCE = 0.05
TIE = 0.005
PLAIN_LEVELS = tuple(str(level) for level in range(SCORE_LOWEST, SCORE_HIGHEST + 1))
"""The rungs that stand in for a score without levels of its own, which this dialect doesn't have."""


def request(model: str, state: object, questions: tuple[Question, ...]) -> dict[str, object]:
    """Return the body to send; each question brings its own instructions and descriptions."""
    return {"model": model, "state": neutral_tree(state), "questions": {q.id: _question(q) for q in questions}}


def read(body: object, questions: tuple[Question, ...], model: str) -> Reply:
    """Return the reply in a response body; raises Malformed for whatever is not a complete answer to each question."""
    fields, answers, usage = envelope(body, {question.id for question in questions})
    return Reply(
        answers={question.id: _answer(question, answers[question.id]) for question in questions},
        model=str(fields["model"]),
        asked_model=model,
        confidence_kind=CHANCE_CORRECTED,
        dialect="typed",
        usage=usage,
    )


def choice_confidence(vector: tuple[float, ...], position: int) -> float:
    """Return how far the option at `position` is above chance: 0 at 1/n, 1 when certain."""
    if len(vector) == 1:
        return 1.0
    chance = 1 / len(vector)
    return min(1.0, max(0.0, (vector[position] - chance) / (1 - chance)))


def score_confidence(vector: tuple[float, ...]) -> float:
    """Return how close the levels stand around the most probable one, against an even spread: 0 to 1."""
    count = len(vector)
    if count == 1:
        return 1.0
    mode = max(range(count), key=vector.__getitem__)
    spread = math.fsum(share * abs(level - mode) for level, share in enumerate(vector))
    even = math.fsum(abs(level - (count - 1) / 2) for level in range(count)) / count
    return min(1.0, max(0.0, 1 - spread / even))


def noul_confidence(p_yes: float, given: bool) -> float:
    """Return how far the answer given is above a coin's chance; an answer less likely than the other gives 0."""
    return max(0.0, 2 * (p_yes if given else 1 - p_yes) - 1)


def _question(question: Question) -> dict[str, object]:
    found: dict[str, object] = {"type": question.type}
    # The service never shows the id to the model, so a question without words is named by it here.
    if question.instructions:
        found["instructions"] = neutral_tree(question.instructions)
    elif question.type == NOUL and not question.descriptions:
        found["instructions"] = neutral_tree(question.id)
    if question.type == NOUL:
        if question.descriptions:
            found["criteria"] = {name: neutral_tree(said) for name, said in question.descriptions}
    elif question.type == CHOICE:
        found["criteria"] = {name: neutral_tree(question.described(name)) or None for name in question.options}
    else:
        found["criteria"] = neutral_tree(list(question.levels or PLAIN_LEVELS))
    return found


def _answer(question: Question, given: object) -> Answer:
    if not isinstance(given, dict):
        raise Malformed(f"the answer to {question.id!r} is no object")
    if given.get("type") != question.type:
        raise Malformed(f"the answer to {question.id!r} is not of the type {question.type}")
    if question.type == NOUL:
        return _noul(question, given)
    return _choice(question, given) if question.type == CHOICE else _score(question, given)


def _noul(question: Question, given: dict[str, object]) -> Answer:
    p_yes = number(given.get("noul"))
    if p_yes is None or not is_probability(p_yes):
        raise Malformed(f"the answer to {question.id!r} is no probability")
    value = p_yes >= question.threshold
    return Answer(question.id, NOUL, value, noul_confidence(p_yes, value), (1 - p_yes, p_yes))


def _choice(question: Question, given: dict[str, object]) -> Answer:
    vector = _vector(question, given, question.options)
    chosen = given.get("choice")
    if not isinstance(chosen, str) or chosen not in question.options:
        raise Malformed(f"the answer to {question.id!r} is none of its options")
    position = question.options.index(chosen)
    if vector[position] < max(vector) - TIE:
        raise Malformed(f"the answer to {question.id!r} and its probabilities disagree")
    confidence = choice_confidence(vector, position) if _states_confidence(given) else None
    return Answer(question.id, CHOICE, chosen, confidence, vector)


def _score(question: Question, given: dict[str, object]) -> Answer:
    levels = question.levels or PLAIN_LEVELS
    vector = _vector(question, given, tuple(str(level) for level in range(len(levels))))
    score = number(given.get("score"))
    if score is None or not 0 <= score <= len(levels) - 1:
        raise Malformed(f"the answer to {question.id!r} is no score within its levels")
    expected = math.fsum(level * share for level, share in enumerate(vector))
    if abs(score - expected) > 0.02 + SUM_TOLERANCE * len(levels):
        raise Malformed(f"the answer to {question.id!r} and its probabilities disagree")
    confidence = score_confidence(vector) if _states_confidence(given) else None
    value = score if question.levels else score + SCORE_LOWEST
    return Answer(question.id, question.type, value, confidence, vector)


def _vector(question: Question, given: dict[str, object], names: tuple[str, ...]) -> tuple[float, ...]:
    found = given.get("probabilities")
    if not isinstance(found, dict) or set(found) != set(names):
        raise Malformed(f"the probabilities of {question.id!r} are not those of its options")
    return shares((found[name] for name in names), f"the probabilities of {question.id!r}", SUM_TOLERANCE)


def _states_confidence(given: dict[str, object]) -> bool:
    """A server that states no usable confidence has not said how sure it is, whatever the vector suggests."""
    return is_probability(number(given.get("confidence")))
