"""Requests to `phocinae serve` read into questions, in both dialects; errors are in the dialect's own shape."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from phocinae_cli.backends.question import CHOICE, MAX_OPTIONS, MAX_QUESTIONS, NOUL, SCORE, TYPES, Question
from phocinae_cli.backends.statetext import as_text
from phocinae_cli.backends.strictjson import NotJson, parse, printable
from phocinae_cli.backends.wire import FLAT, TYPED

MAX_BATCH = 64
MAX_LEVELS = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its dialect, the model it names, the state, and the questions in their order."""

    dialect: str
    model: str
    state: object
    questions: tuple[Question, ...]


class Invalid(Exception):
    """A body that can't be answered. `detail` is what the response carries under that name."""

    def __init__(self, detail: object, status: int = 422) -> None:
        super().__init__(str(detail))
        self.detail = detail
        self.status = status


Place = tuple[str | int, ...]


def read_json(data: bytes) -> object:
    """Return the value of a body; raises Invalid."""
    try:
        return parse(data)
    except NotJson as error:
        raise _wrong((), f"the body can't be read: {error}", "json_invalid") from None


def read(body: object, place: Place = ()) -> Asked:
    """Return one request of either dialect: an array of questions is flat, an object typed. Raises Invalid."""
    if not isinstance(body, dict):
        raise _wrong(place, "Input should be an object", "dict_type")
    for name in ("model", "state", "questions"):
        if name not in body:
            raise _wrong((*place, name), "Field required", "missing")
    if not isinstance(body["model"], str):
        raise _wrong((*place, "model"), "Input should be a valid string", "string_type")
    if isinstance(body["questions"], list):
        return Asked(FLAT, body["model"], _flat_state(body["state"], place), _flat(body["questions"], place))
    if isinstance(body["questions"], dict):
        if body.get("assets"):
            raise Invalid(_usage("this server reads text only: assets can't be used"), 400)
        return Asked(TYPED, body["model"], _typed_state(body["state"], place), _typed(body["questions"], place))
    raise _wrong((*place, "questions"), "Input should be an array or an object", "type_error")


def read_batch(body: object) -> list[Asked]:
    """Return the requests of a batch: an array, or an object with `requests`. Raises Invalid naming the item."""
    items = body.get("requests") if isinstance(body, dict) else body
    if not isinstance(items, list):
        raise _wrong((), "Input should be an array of requests", "list_type")
    if not 1 <= len(items) <= MAX_BATCH:
        raise Invalid(f"a batch holds 1 to {MAX_BATCH} requests, not {len(items)}")
    return [read(item, (number,)) for number, item in enumerate(items)]


# --- flat -------------------------------------------------------------------------------------------------------------


def _flat_state(state: object, place: Place) -> str:
    if not isinstance(state, str):
        raise _wrong((*place, "state"), "Input should be a valid string", "string_type")
    return state


def _flat(items: list[object], place: Place) -> tuple[Question, ...]:
    if not 1 <= len(items) <= MAX_QUESTIONS:
        raise Invalid(f"a request holds 1 to {MAX_QUESTIONS} questions, not {len(items)}")
    found = tuple(_flat_question(item, (*place, "questions", number)) for number, item in enumerate(items))
    seen: set[str] = set()
    for question in found:
        if question.id in seen:
            raise Invalid(f"duplicate question id {printable(question.id, 60)!r}")
        seen.add(question.id)
    return found


def _flat_question(item: object, place: Place) -> Question:
    if not isinstance(item, dict):
        raise _wrong(place, "Input should be an object", "dict_type")
    name, kind = _named(item.get("id"), item, place)
    options = item.get("options")
    if options is not None and not (isinstance(options, list) and all(isinstance(each, str) for each in options)):
        raise _wrong((*place, "options"), "Input should be an array of strings", "list_type")
    shown = printable(name, 60)
    if kind == CHOICE:
        if not options or len(options) > MAX_OPTIONS:
            raise Invalid(f"question {shown!r}: a choice has 1 to {MAX_OPTIONS} options, not {len(options or ())}")
        return Question(name, CHOICE, tuple(options))
    if kind == SCORE:
        if options is not None:
            raise Invalid(f"question {shown!r}: score questions must not carry options")
        return Question(name, SCORE)
    return Question(name, NOUL, threshold=_threshold(item.get("threshold"), place))


def _named(name: object, item: dict[str, Any], place: Place) -> tuple[str, str]:
    if not isinstance(name, str) or not name:
        raise _wrong((*place, "id"), "Input should be a non-empty string", "string_type")
    kind = item.get("type")
    if kind not in TYPES:
        raise _wrong((*place, "type"), "Input should be 'noul', 'choice' or 'score'", "literal_error")
    return name, str(kind)


def _threshold(value: object, place: Place) -> float:
    if value is None:
        return 0.5
    try:
        found = math.nan if isinstance(value, bool) or not isinstance(value, (int, float, str)) else float(value)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 1:
        raise _wrong((*place, "threshold"), "Input should be a number within 0 and 1", "number_range")
    return found


# --- typed ------------------------------------------------------------------------------------------------------------


def _typed_state(state: object, place: Place) -> object:
    if not isinstance(state, (str, dict, list)):
        raise _wrong((*place, "state"), "Input should be a string, an object or an array", "type_error")
    return state


def _typed(items: dict[str, object], place: Place) -> tuple[Question, ...]:
    if not items:
        raise _wrong((*place, "questions"), "Object should have at least 1 entry", "too_short")
    return tuple(_typed_question(name, item, (*place, "questions", name)) for name, item in items.items())


def _typed_question(name: str, item: object, place: Place) -> Question:
    if not isinstance(item, dict):
        raise _wrong(place, "Input should be an object", "dict_type")
    name, kind = _named(name, item, place)
    said = _text(item.get("instructions"), (*place, "instructions"))
    criteria, where = item.get("criteria"), (*place, "criteria")
    if kind == NOUL:
        described = _descriptions({} if criteria is None else criteria, where)
        if not said and not described:
            raise _wrong(place, "instructions or criteria must say something", "missing")
        return Question(name, NOUL, instructions=said, descriptions=described)
    if kind == CHOICE:
        described = _descriptions(criteria, where)
        assert isinstance(criteria, dict)
        if not 1 <= len(criteria) <= MAX_OPTIONS:
            raise _wrong(where, f"Object should have 1 to {MAX_OPTIONS} entries", "too_long")
        return Question(name, CHOICE, tuple(criteria), instructions=said, descriptions=described)
    if not isinstance(criteria, list):
        raise _wrong(where, "Input should be an array of levels", "list_type")
    if not 1 <= len(criteria) <= MAX_LEVELS:
        raise _wrong(where, f"Array should have 1 to {MAX_LEVELS} levels", "too_long")
    if any(level is None for level in criteria):
        raise _wrong(where, "A level should say something", "string_type")
    levels = tuple(_text(level, (*where, number)) for number, level in enumerate(criteria))
    return Question(name, SCORE, instructions=said, levels=levels)


def _descriptions(criteria: object, place: Place) -> tuple[tuple[str, str], ...]:
    if not isinstance(criteria, dict):
        raise _wrong(place, "Input should be an object", "dict_type")
    texts = ((name, _text(said, (*place, name))) for name, said in criteria.items())
    return tuple((name, said) for name, said in texts if said)


def _text(value: object, place: Place) -> str:
    """Return a text that may be an object or an array; both are written as JSON, always the same way."""
    if value is None:
        return ""
    if not isinstance(value, (str, dict, list)):
        raise _wrong(place, "Input should be a string, an object or an array", "type_error")
    return as_text(value)


# --- errors -----------------------------------------------------------------------------------------------------------


def _wrong(place: Place, message: str, kind: str) -> Invalid:
    return Invalid([{"loc": ["body", *place], "msg": message, "type": kind}])


def _usage(message: str) -> dict[str, str]:
    return {"error_type": "api_usage_error", "message": message}
