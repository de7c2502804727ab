"""The settings as a Markdown reference, written from the table of keys."""

from __future__ import annotations

from phocinae_cli.config.keys import ADD, INTEGER, KEYS, LEAVE_OFF, NOTHING, NUMBER, RAISE, SHORTEN, Key, Value
from phocinae_cli.config.load import OTHER_VARIABLES
from phocinae_cli.gate.autoallow import NAMES_ANOTHER

START, END = "<!-- settings -->\n", "<!-- end of settings -->\n"
"""What stands around the reference in the page on configuration."""


def reference() -> str:
    """Return every setting: a table, the built-in lists, and the names in the environment."""
    rows = [
        "| key | default | values | a project's file may | what it does |",
        "|---|---|---|---|---|",
        *(f"| `{key.name}` | {_default(key)} | {_values(key)} | {_project(key)} | {key.doc} |" for key in KEYS),
    ]
    parts = [
        "\n".join(rows),
        "The variable of a key is its name in capitals, with `_` for the dot: `PHOCINAE_GATE_MODE`. "
        f"These names belong to other parts and are no settings: {_names(OTHER_VARIABLES)}.",
        *(f"Built into `{key.name}`: {_names(key.default)}." for key in KEYS if _is_long(key)),
        f"Programs that can't be a prefix: {_names(tuple(sorted(NAMES_ANOTHER)))}.",
    ]
    return "\n\n".join(parts) + "\n"


def _default(key: Key) -> str:
    if _is_long(key):
        return "below"
    return "unset" if key.default is None else f"`{as_toml(key.default)}`"


def _is_long(key: Key) -> bool:
    return isinstance(key.default, tuple) and len(key.default) > 3


def _values(key: Key) -> str:
    if key.choices:
        return _names(key.choices)
    return f"{key.kind} from {int(key.low)} to {int(key.high)}" if key.kind in (INTEGER, NUMBER) else key.kind


def _project(key: Key) -> str:
    words = {NOTHING: "not set it", RAISE: "raise it", ADD: "add to it", SHORTEN: "take entries out"}
    words[LEAVE_OFF] = "set it where it is `off`"
    return words.get(key.project) or "set " + " or ".join(f"`{as_toml(value)}`" for value in key.strict)


def _names(names: Value) -> str:
    return ", ".join(f"`{name}`" for name in names) if isinstance(names, tuple) else ""


def as_toml(value: Value) -> str:
    """Return a value as it is written in a file; an unset one is empty."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(as_toml(entry) for entry in value) + "]"
    return "" if value is None else str(value)
