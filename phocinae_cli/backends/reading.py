"""What both dialects read the same way: the envelope of a response, numbers, distributions."""

from __future__ import annotations

import math
from collections.abc import Iterable

from phocinae_cli.backends.strictjson import printable


class Malformed(ValueError):
    """A response that is not a complete, in-range, well-typed answer; the message says in what way."""


def envelope(body: object, ids: set[str]) -> tuple[dict[str, object], dict[str, object], tuple[int, int] | None]:
    """Return the fields of a response, its answers by id, and the tokens used; raises Malformed.

    There must be exactly one answer for each id: answers are never found by position.
    """
    if not isinstance(body, dict):
        raise Malformed("the body is no object")
    model = body.get("model")
    if not isinstance(model, str):
        raise Malformed("it names no model")
    answers = body.get("answers")
    if not isinstance(answers, dict):
        raise Malformed("answers is no object")
    missing, extra = sorted(ids - set(answers)), sorted(set(answers) - ids)
    if missing:
        raise Malformed(f"there is no answer to {_names(missing)}")
    if extra:
        raise Malformed(f"there is an answer to {_names(extra)}, which nobody asked")
    return {**body, "model": printable(model)}, answers, _usage(body.get("usage"))


def number(value: object) -> float | None:
    """Return a JSON number as a float, and None for anything else: a boolean is an int in Python, but no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def is_probability(value: float | None) -> bool:
    """Return whether the value is a number from 0 to 1."""
    return value is not None and 0 <= value <= 1


def shares(values: Iterable[object], what: str, tolerance: float) -> tuple[float, ...]:
    """Return a distribution as floats; raises Malformed unless each is in 0..1 and they add up to 1."""
    found: list[float] = []
    for value in values:
        share = number(value)
        if share is None or not is_probability(share):
            raise Malformed(f"{what} holds something else than probabilities")
        found.append(share)
    if abs(math.fsum(found) - 1) > tolerance:
        raise Malformed(f"{what} adds up to {math.fsum(found):.4g}, not to 1")
    return tuple(found)


def _names(ids: list[str]) -> str:
    shown = ", ".join(repr(printable(name, 60)) for name in ids[:3])
    return shown + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")


def _usage(found: object) -> tuple[int, int] | None:
    if found is None:
        return None
    if not isinstance(found, dict):
        raise Malformed("usage is no object")
    counts = [found.get(name) for name in ("input_tokens", "output_tokens")]
    for count in counts:
        if type(count) is not int or count < 0:
            raise Malformed("usage holds something else than token counts")
    read, written = counts
    assert isinstance(read, int)
    assert isinstance(written, int)
    return read, written
