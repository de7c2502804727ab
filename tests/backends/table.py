"""An exchange that is a table, and a flat model that gives every question its last possibility."""

from __future__ import annotations

import json
from collections.abc import Callable

from phocinae_cli.backends.loopback import Deadline
from phocinae_cli.backends.question import CHOICE, Question
from phocinae_cli.backends.systemone import Call, Response
from tests.backends.servers import packed


class Table:
    """An exchange that answers by a function of the request's body and remembers every call."""

    def __init__(self, answer: Callable[[Call, dict[str, object]], object]) -> None:
        self.calls: list[Call] = []
        self._answer = answer

    def __call__(self, call: Call, deadline: Deadline) -> Response:
        self.calls.append(call)
        found = self._answer(call, json.loads(call.body or b"null"))
        if isinstance(found, Exception):
            raise found
        if isinstance(found, Response):
            return found
        return Response(200, "application/json", packed(found))

    def bodies(self) -> list[dict[str, object]]:
        return [json.loads(call.body) for call in self.calls if call.body]


def answer_flat(call: Call, body: object) -> object:
    """Answer every flat question with its last possibility."""
    if isinstance(body, list):
        return [answer_flat(call, item) for item in body]
    assert isinstance(body, dict)
    answers: dict[str, object] = {}
    scores: dict[str, list[float]] = {}
    for question in body["questions"]:
        count = {"noul": 2, "score": 9}.get(question["type"]) or len(question["options"])
        scores[question["id"]] = [0.2 / (count - 1)] * (count - 1) + [0.8] if count > 1 else [1.0]
        answers[question["id"]] = {"noul": True, "score": 10}.get(question["type"], count - 1)
    usage = {"input_tokens": 10 * len(answers), "output_tokens": 0}
    return {"model": body["model"], "answers": answers, "usage": usage, "option_scores": scores}


def choice(name: str = "q", *options: str) -> Question:
    return Question(name, CHOICE, options or ("a", "b"))
