"""The JSON of the decision service: bodies to send, replies read strictly, errors put into a sentence."""

from __future__ import annotations

import json

from phocinae_cli.backends import flat, typed
from phocinae_cli.backends.answer import Reply
from phocinae_cli.backends.question import SCORE, Question
from phocinae_cli.backends.reading import Malformed
from phocinae_cli.backends.strictjson import NotJson, parse, printable
from phocinae_cli.errors import BAD_RESPONSE, INVALID_ARGUMENTS, PhocinaeError

FLAT = "flat"
TYPED = "typed"
DIALECTS = (FLAT, TYPED)
ROUTE = "/v1/systemone"
MODELS_ROUTE = "/v1/models"

Query = tuple[object, tuple[Question, ...]]
"""A state and the questions on it: what one request carries."""


def request(dialect: str, model: str, state: object, questions: tuple[Question, ...]) -> dict[str, object]:
    """Return the body of one request; raises PhocinaeError for what the dialect or JSON can't express."""
    if dialect == FLAT:
        for question in questions:
            if question.type == SCORE and question.levels:
                raise PhocinaeError(
                    INVALID_ARGUMENTS,
                    f"question {question.id!r}: in the flat dialect a score is always rated 2 to 10",
                    do="leave its levels out, or ask for one of them with a choice",
                )
    write = flat.request if dialect == FLAT else typed.request
    try:
        body = write(model, state, questions)
        encode(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise PhocinaeError(
            INVALID_ARGUMENTS, f"the state can't be written as JSON: {error}", do="give a text, an object or an array"
        ) from None
    return body


def encode(body: object) -> bytes:
    """Return a body as the bytes to send; equal bodies give equal bytes."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")


def groups(dialect: str, questions: tuple[Question, ...], most: int) -> list[tuple[Question, ...]]:
    """Return the questions split into requests of at most `most`, in order.

    The flat dialect carries one text for all questions of a request, so only those with the same words share one.
    """
    found: list[list[Question]] = []
    for question in questions:
        last = found[-1] if found else None
        if last and len(last) < most and (dialect == TYPED or flat.heading(last[0]) == flat.heading(question)):
            last.append(question)
        else:
            found.append([question])
    return [tuple(group) for group in found]


def read(dialect: str, data: bytes, query: Query, model: str) -> Reply:
    """Return the reply in the bytes of a response; raises PhocinaeError (BAD_RESPONSE) for anything incomplete."""
    return _read(dialect, _parsed(data), query, model)


def read_batch(dialect: str, data: bytes, queries: list[Query], model: str) -> list[Reply | PhocinaeError]:
    """Return a reply for each query of a batch, in order, or the error of an item that is not a complete answer.

    Raises PhocinaeError unless there is exactly one item for each query: which is whose would be a guess.
    """
    body = _parsed(data)
    if not isinstance(body, list):
        raise bad("a batch was answered with something else than an array")
    if len(body) != len(queries):
        raise bad(f"a batch of {len(queries)} was answered with {len(body)}")
    found: list[Reply | PhocinaeError] = []
    for item, query in zip(body, queries, strict=True):
        try:
            found.append(_read(dialect, item, query, model))
        except PhocinaeError as error:
            found.append(error)
    return found


def dialect_of(data: bytes) -> str | None:
    """Return the dialect that a list of models is written in, or None when it is neither."""
    body = _parsed(data)
    if isinstance(body, dict):
        for name, dialect in (("data", FLAT), ("models", TYPED)):
            if isinstance(body.get(name), list):
                return dialect
    return None


def fault(data: bytes) -> str:
    """Return what an error body says, as one line fit for a terminal; what was sent is never repeated."""
    try:
        body = parse(data)
    except NotJson:
        return printable(" ".join(data[:2000].decode("utf-8", "replace").split()), 200)
    return printable(_said(body), 300)


def bad(message: str) -> PhocinaeError:
    """Return the error for a response that can't be used."""
    return PhocinaeError(
        BAD_RESPONSE,
        f"the decision service gave no usable answer: {message}",
        do="see that endpoint leads to a /v1/systemone service and that dialect fits it",
    )


def _parsed(data: bytes) -> object:
    try:
        return parse(data)
    except NotJson as error:
        raise bad(f"the body can't be read, {error}") from None


def _read(dialect: str, body: object, query: Query, model: str) -> Reply:
    state, questions = query
    try:
        if dialect == TYPED:
            return typed.read(body, questions, model)
        return flat.read(body, state, questions, model)
    except Malformed as error:
        raise bad(str(error)) from None


def _said(body: object) -> str:
    if not isinstance(body, dict):
        return "an error without words"
    for name in ("detail", "error", "message"):
        if said := _words(body.get(name)):
            return said
    return "an error without words"


def _words(said: object) -> str:
    if isinstance(said, str):
        return said
    if isinstance(said, list):
        # Validation errors echo the `input`, which is the command: only where and what is shown.
        return "; ".join(filter(None, (_of_field(item) for item in said[:3])))
    if isinstance(said, dict):
        parts = (said.get("error_type") or said.get("type"), said.get("message"))
        return ": ".join(part for part in parts if isinstance(part, str) and part)
    return ""


def _of_field(item: object) -> str:
    if not isinstance(item, dict) or not isinstance(item.get("msg"), str):
        return ""
    where = item.get("loc")
    place = ".".join(str(part) for part in where if isinstance(part, (str, int))) if isinstance(where, list) else ""
    return f"{place}: {item['msg']}" if place else str(item["msg"])
