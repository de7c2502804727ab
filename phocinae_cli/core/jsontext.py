"""JSON text from plain values, for the places that run before every command and can't afford `import json`."""

from __future__ import annotations

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_TABLE = str.maketrans({chr(code): f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0))} | _SHORT)


def encode(value: object) -> str:
    """Return the value as JSON text on one line.

    Takes None, bool, int, float, str, lists, tuples and dicts with text keys; anything else raises TypeError. A
    float that JSON has no number for (NaN, infinities) becomes null. Whatever a terminal would not show (controls,
    bidirectional marks, lone surrogates) is escaped, so that the result can be printed and encodes as UTF-8.
    """
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0.0 else "null"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([encode(item) for item in value]) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join([_key(key) + ": " + encode(item) for key, item in value.items()]) + "}"
    raise TypeError(f"{type(value).__name__} has no JSON form here")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a JSON key is text, not {type(key).__name__}")
    return _text(key)


def _text(text: str) -> str:
    if text.isprintable():
        if '"' in text or "\\" in text:
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'
    text = text.translate(_TABLE)
    if not text.isprintable():
        text = "".join([char if char.isprintable() else _escape(ord(char)) for char in text])
    return f'"{text}"'


def _escape(code: int) -> str:
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
