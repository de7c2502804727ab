"""Answers of the engine written in the dialect they were asked in, and what `phocinae serve` says of itself."""

from __future__ import annotations

from phocinae_cli.backends import typed
from phocinae_cli.backends.answer import Answer
from phocinae_cli.backends.question import CHOICE, NOUL, SCORE_LOWEST, Question
from phocinae_cli.backends.statetext import as_text
from phocinae_cli.backends.typed import PLAIN_LEVELS
from phocinae_cli.backends.wire import FLAT
from phocinae_cli.resident.asking import MODEL
from phocinae_cli.resident.httpform import Asked

DIGITS = 4
RELEASED = "2026-11-30"
DESCRIPTION = "Judges shell commands by what they would do; leaves every other question open, with confidence 0"
UNDECIDED = ("risky", "ask", "review", "escalate", "confirm", "unknown", "unsure", "unclear", "other", "none")
"""Options that fit an open question better than the first one, which is often the harmless one."""


def reply(asked: Asked, answers: dict[str, Answer]) -> dict[str, object]:
    """Return the body of the response to one request."""
    write = _flat if asked.dialect == FLAT else _typed
    return write(asked, [(question, answers[question.id]) for question in asked.questions])


def vector_of(question: Question, answer: Answer) -> tuple[float, ...]:
    """Return the probabilities of an answer, rounded as they are sent; an open question has them all alike."""
    count = count_of(question)
    if answer.scores is None:
        return (round(1 / count, DIGITS),) * count
    return tuple(round(share, DIGITS) for share in answer.scores)


def place_of(question: Question, answer: Answer, vector: tuple[float, ...]) -> int:
    """Return which of the possible answers is given; an open question gets the least committal one."""
    if question.type == NOUL:
        return int(answer.value is True)
    if question.type == CHOICE and isinstance(answer.value, str):
        return question.options.index(answer.value)
    if answer.value is not None:
        return max(range(len(vector)), key=vector.__getitem__)
    if question.type == CHOICE:
        names = [option.partition(":")[0].strip().lower() for option in question.options]
        return next((names.index(name) for name in UNDECIDED if name in names), 0)
    return (len(vector) - 1) // 2


def count_of(question: Question) -> int:
    """Return how many answers a question can have."""
    if question.type == NOUL:
        return 2
    return len(question.options) if question.type == CHOICE else len(question.levels or PLAIN_LEVELS)


def _flat(asked: Asked, pairs: list[tuple[Question, Answer]]) -> dict[str, object]:
    answers: dict[str, object] = {}
    confidences: dict[str, float] = {}
    vectors: dict[str, list[float]] = {}
    for question, answer in pairs:
        vector = vector_of(question, answer)
        place = place_of(question, answer, vector)
        if question.type == NOUL:
            answers[question.id] = bool(place)
        else:
            answers[question.id] = place if question.type == CHOICE else place + SCORE_LOWEST
        confidences[question.id] = max(vector)
        vectors[question.id] = list(vector)
    return {
        "model": MODEL,
        "answers": answers,
        "usage": _usage(asked),
        "answer_confidence": confidences,
        "option_scores": vectors,
        "action": {name: {"act_probability": confidence} for name, confidence in confidences.items()},
        "routing": {"model": MODEL, "device": "cpu", "perm": "none", "backend": "phocinae-embedded"},
    }


def _typed(asked: Asked, pairs: list[tuple[Question, Answer]]) -> dict[str, object]:
    answers = {question.id: _typed_answer(question, answer) for question, answer in pairs}
    return {"model": MODEL, "answers": answers, "usage": _usage(asked)}


def _typed_answer(question: Question, answer: Answer) -> dict[str, object]:
    vector = vector_of(question, answer)
    if question.type == NOUL:
        return {"type": NOUL, "noul": vector[1]}
    place = place_of(question, answer, vector)
    if question.type == CHOICE:
        return {
            "type": CHOICE,
            "choice": question.options[place],
            "probabilities": dict(zip(question.options, vector, strict=True)),
            "confidence": round(typed.choice_confidence(vector, place), DIGITS),
        }
    return {
        "type": question.type,
        "score": round(sum(level * share for level, share in enumerate(vector)), DIGITS),
        "legend": {str(level): text for level, text in enumerate(question.levels)},
        "probabilities": {str(level): share for level, share in enumerate(vector)},
        "confidence": round(typed.score_confidence(vector), DIGITS),
    }


def _usage(asked: Asked) -> dict[str, int]:
    """The engine has no tokens: words are counted, the state once for each question, as the others do."""
    words = len(as_text(asked.state).split())
    total = sum(words + len(question.instructions.split()) + count_of(question) for question in asked.questions)
    return {"input_tokens": total, "output_tokens": 0}


def models() -> dict[str, object]:
    """Return the list of models, for both dialects at once."""
    return {
        "object": "list",
        "data": [
            {
                "id": MODEL,
                "object": "model",
                "created": None,
                "owned_by": "phocinae",
                "task": "what a shell command would do",
                "answer_formats": {"noul": "bool", "choice": "option index", "score": "integer 2-10"},
                "extensions": ["answer_confidence", "action", "routing", "option_scores"],
                "perm_avg": "none",
            }
        ],
        "models": [{"name": MODEL, "description": DESCRIPTION, "release_date": RELEASED}],
    }


def health(uptime_s: float) -> dict[str, object]:
    """Return how the server is; it has nothing to load, so once it answers it is ready."""
    return {"status": "ok", "model": MODEL, "model_loaded": True, "device": "cpu", "uptime_s": round(uptime_s, 1)}
