"""The small model of the extra `phocinae[general]`: it answers anything, none of it well, and never the gate."""

from __future__ import annotations

from typing import Any

from phocinae_cli.backends import typed
from phocinae_cli.backends.answer import Answer
from phocinae_cli.backends.question import CHOICE, NOUL, SCORE_LOWEST, Question
from phocinae_cli.backends.typed import PLAIN_LEVELS
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError


class General:
    """Sparrow Decider, its weights shipped in its package; loading takes about a tenth of a second."""

    def __init__(self) -> None:
        try:
            from sparrow_decider import Decider
        except ImportError:
            raise PhocinaeError(
                INVALID_ARGUMENTS,
                "--general needs a model that is not installed",
                do="pip install 'phocinae[general]'",
            ) from None
        self._model: Any = Decider.load()
        self.name = str(self._model.name)

    def answer(self, question: Question, state: object) -> Answer:
        """Return the model's answer; its confidence is above chance, and its name stands in the answer."""
        names, asked = _as_typed(question)
        if len(names) < 2:
            return Answer(question.id, question.type, names[0], 0.0, (1.0,), by=self.name)
        _, _, _, shares = self._model.probs(state, asked)
        vector = tuple(float(share) for share in shares)
        best = max(range(len(vector)), key=vector.__getitem__)
        value: bool | str | int | float
        if question.type == NOUL:
            value = vector[1] >= question.threshold
            confidence = typed.noul_confidence(vector[1], value)
        elif question.type == CHOICE:
            value, confidence = names[best], typed.choice_confidence(vector, best)
        else:
            expected = sum(level * share for level, share in enumerate(vector))
            value = expected if question.levels else round(expected) + SCORE_LOWEST
            confidence = typed.score_confidence(vector)
        return Answer(question.id, question.type, value, confidence, vector, by=self.name)


def _as_typed(question: Question) -> tuple[tuple[str, ...], dict[str, object]]:
    said = question.instructions or question.id
    if question.type == NOUL:
        criteria = dict(question.descriptions) or None
        return ("false", "true"), {"type": NOUL, "instructions": said, "criteria": criteria}
    if question.type == CHOICE:
        described = {name: question.described(name) for name in question.options}
        return question.options, {"type": CHOICE, "instructions": said, "criteria": described}
    levels = question.levels or PLAIN_LEVELS
    return levels, {"type": question.type, "instructions": said, "criteria": list(levels)}
