"""JSON read without mercy: what two parsers could understand differently is refused, and nothing can crash it."""

from __future__ import annotations

import json
import math

from phocinae_cli.core import redact

BOM = b"\xef\xbb\xbf"
MAX_DIGITS = 40


class NotJson(ValueError):
    """The bytes are no JSON text that everybody would read alike; the message says why."""


def parse(data: bytes) -> object:
    """Return the value of a JSON text.

    Raises NotJson for invalid UTF-8, a byte-order mark, a repeated key, `NaN` and `Infinity`, numbers that
    overflow, endless digits, and nesting too deep for the stack.
    """
    if data.startswith(BOM):
        raise NotJson("it starts with a byte-order mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"it is not UTF-8 at byte {error.start}") from None
    try:
        value: object = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_constant, parse_int=_integer, parse_float=_real
        )
    except NotJson:
        raise
    except RecursionError:
        raise NotJson("it is nested too deeply") from None
    except ValueError as error:
        raise NotJson(f"it is not JSON: {error}") from None
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            # Most parsers keep the last one, some the first: an answer that depends on the parser is none.
            raise NotJson(f"the key {printable(key, 60)!r} stands twice")
        found[key] = value
    return found


def _constant(name: str) -> object:
    raise NotJson(f"{name} is not JSON")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise NotJson(f"a number has {len(digits)} digits")
    return int(digits)


def _real(digits: str) -> float:
    value = float(digits) if len(digits) <= 10 * MAX_DIGITS else math.inf
    if not math.isfinite(value):
        raise NotJson("a number is too large")
    return value


def printable(text: str, limit: int = 300) -> str:
    """Return foreign text fit for a terminal or a log: cut, and whatever is not print shown escaped."""
    return redact.printable(text if len(text) <= limit else text[: limit - 1] + "…")
