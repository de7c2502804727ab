"""How questions are written: short forms for the command line, and the full form in JSON and TOML."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from phocinae_cli.backends.question import CHOICE, NOUL, SCORE, TYPES, Question, problems
from phocinae_cli.backends.statetext import as_text
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

FIELDS = ("id", "type", "options", "threshold", "instructions", "criteria", "levels")


def short(nouls: Iterable[str], choices: Iterable[str], scores: Iterable[str]) -> list[Question]:
    """Return the questions of `ID[:THRESHOLD]`, `ID:a,b,c` and `ID`; raises PhocinaeError for one that is neither."""
    found = [_noul(text) for text in nouls]
    found += [_choice(text) for text in choices]
    return found + [Question(text, SCORE) for text in scores]


def full(value: object) -> list[Question]:
    """Return the questions of a document: an array, an object by id, or either under `questions`.

    A question has `type` and, as it needs them, `options` (an array, or an object option -> description),
    `threshold`, `instructions`, `criteria` (as the typed dialect has them) and `levels`. Raises PhocinaeError with
    everything that is wrong.
    """
    if isinstance(value, Mapping) and "questions" in value:
        value = value["questions"]
    wrong: list[str] = []
    found: list[Question] = []
    if isinstance(value, Mapping):
        rows = [(key, item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        rows = [(None, item) for item in value]
    else:
        raise _wrong(["questions must be an array or an object"])
    for number, (key, item) in enumerate(rows, 1):
        question = _question(f"question {number}" if key is None else f"question {key!r}", key, item, wrong)
        if question is not None:
            found.append(question)
    wrong.extend(problems(found) if found or not wrong else ())
    if wrong:
        raise _wrong(wrong)
    return found


def _noul(text: str) -> Question:
    name, colon, given = text.rpartition(":")
    if not colon:
        return Question(text, NOUL)
    try:
        threshold = float(given)
    except ValueError:
        threshold = math.nan
    if not 0 <= threshold <= 1:
        raise _wrong([f"--noul takes ID or ID:THRESHOLD with a threshold from 0 to 1, not {text!r}"])
    return Question(name, NOUL, threshold=threshold)


def _choice(text: str) -> Question:
    name, colon, options = text.partition(":")
    if not colon or not options:
        raise _wrong([f"--choice takes ID:a,b,c, not {text!r}"])
    return Question(name, CHOICE, tuple(option.strip() for option in options.split(",")))


def _question(where: str, key: object, item: object, wrong: list[str]) -> Question | None:
    if not isinstance(item, Mapping):
        wrong.append(f"{where} is no object")
        return None
    row = {**item, "id": item.get("id") if key is None else key}
    before = len(wrong)
    wrong.extend(f"{where} has no field called {name!r}" for name in row if name not in FIELDS)
    name, kind = row.get("id"), row.get("type")
    if not isinstance(name, str):
        wrong.append(f"{where}: id must be a text")
    if kind not in TYPES:
        wrong.append(f"{where}: type must be noul, choice or score, not {kind!r}")
    threshold = row.get("threshold", 0.5)
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)):
        wrong.append(f"{where}: threshold must be a number")
        threshold = 0.5
    options, descriptions, levels = _parts(where, str(kind), row, wrong)
    if len(wrong) > before:
        return None
    said = _text(where, "instructions", row.get("instructions"), wrong)
    if len(wrong) > before:
        return None
    return Question(str(name), str(kind), options, float(threshold), said, descriptions, levels)


Pairs = tuple[tuple[str, str], ...]


def _parts(
    where: str, kind: str, row: Mapping[str, object], wrong: list[str]
) -> tuple[tuple[str, ...], Pairs, tuple[str, ...]]:
    """Return options, descriptions and levels, whichever of `options`, `criteria` and `levels` holds them."""
    criteria, given = row.get("criteria"), row.get("levels" if kind == SCORE else "options")
    if criteria is not None and given is not None and not (kind == CHOICE and isinstance(criteria, Mapping)):
        wrong.append(f"{where}: give criteria or {'levels' if kind == SCORE else 'options'}, not both")
        return (), (), ()
    if kind == SCORE:
        return (), (), _names(where, "levels", criteria if given is None else given, wrong)
    if kind == NOUL:
        if given is not None:
            wrong.append(f"{where}: a noul has no options")
        return (), _pairs(where, criteria, wrong, ("true", "false")), ()
    described = _pairs(where, criteria if isinstance(criteria, Mapping) else given, wrong, ())
    if isinstance(given, (list, tuple)):
        return _names(where, "options", given, wrong), described, ()
    if isinstance(criteria, (list, tuple)):
        return _names(where, "criteria", criteria, wrong), (), ()
    source = given if isinstance(given, Mapping) else criteria
    return tuple(str(name) for name in source) if isinstance(source, Mapping) else (), described, ()


def _names(where: str, field: str, value: object, wrong: list[str]) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or any(item is None for item in value):
        wrong.append(f"{where}: {field} must be an array of texts")
        return ()
    return tuple(_text(where, field, item, wrong) for item in value)


def _pairs(where: str, value: object, wrong: list[str], allowed: tuple[str, ...]) -> Pairs:
    if not isinstance(value, Mapping):
        if value is not None and allowed:
            wrong.append(f"{where}: criteria must be an object with `true` and `false`")
        return ()
    wrong.extend(f"{where}: criteria has no field called {name!r}" for name in value if allowed and name not in allowed)
    texts = ((str(name), _text(where, "criteria", said, wrong)) for name, said in value.items())
    return tuple((name, said) for name, said in texts if said)


def _text(where: str, field: str, value: object, wrong: list[str]) -> str:
    """Return a text that may be an object or an array, which is written as JSON."""
    if value is None:
        return ""
    try:
        if isinstance(value, (str, dict, list)):
            return as_text(value)
    except (TypeError, ValueError, RecursionError):
        pass
    wrong.append(f"{where}: {field} must be a text, or an object or array of texts")
    return ""


def _wrong(found: list[str]) -> PhocinaeError:
    return PhocinaeError(
        INVALID_ARGUMENTS,
        found[0],
        do="`phocinae ask --help` shows how questions are written",
        details=tuple(found[1:]),
    )
