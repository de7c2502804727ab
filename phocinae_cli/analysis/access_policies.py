"""Policies of access in JSON, as AWS and its kin write them: whom they let in, and to what."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ANYBODY = ("*", "arn:aws:iam::*:root")
EVERYTHING = ("*", "*:*")


def lets_everybody_in(text: str) -> bool:
    """Return whether a statement allows something to everybody without any condition."""
    return any(not _narrowed(found) and _names(found.get("Principal"), ANYBODY) for found in _allowing(text))


def gives_all_rights(text: str) -> bool:
    """Return whether a statement allows every action on everything."""
    return any(
        not _narrowed(found) and _names(found.get("Action"), EVERYTHING) and _names(found.get("Resource", "*"), ("*",))
        for found in _allowing(text)
    )


def _allowing(text: str) -> Iterator[dict[str, object]]:
    try:
        policy = json.loads(text)
    except (ValueError, RecursionError):
        return
    statements = policy.get("Statement", ()) if isinstance(policy, dict) else ()
    for statement in statements if isinstance(statements, list) else (statements,):
        if isinstance(statement, dict) and statement.get("Effect") == "Allow":
            yield statement


def _narrowed(statement: dict[str, object]) -> bool:
    return bool(statement.get("Condition"))


def _names(value: object, wanted: tuple[str, ...]) -> bool:
    """Return whether a text, a list or the values of an object name one of these."""
    if isinstance(value, dict):
        return any(_names(inner, wanted) for inner in value.values())
    return any(_names(inner, wanted) for inner in value) if isinstance(value, list) else value in wanted
