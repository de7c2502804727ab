"""Words that hold JSON or the shorthand of it: `commands=["df -h","ls"]`, `{"commands":["df -h"]}`."""

from __future__ import annotations

import json

from phocinae_cli.analysis.values import Value, known


def members(value: Value, names: list[str]) -> list[Value]:
    """Return what a JSON object gives these names; nothing where the word is none."""
    found = _decoded(value)
    return [item for name in names for item in _values(found.get(name))] if isinstance(found, dict) else []


def items(value: Value) -> list[Value]:
    """Return the texts of a JSON list, or the value itself where it is none."""
    found = _decoded(value) if value.head().startswith("[") else None
    return _values(found) if isinstance(found, list) else [value]


def _decoded(value: Value) -> object:
    try:
        decoded: object = json.loads(value.readings()[0])
    except (ValueError, RecursionError):
        return None
    return decoded


def _values(found: object) -> list[Value]:
    return [known(item) for item in (found if isinstance(found, list) else [found]) if isinstance(item, str)]
