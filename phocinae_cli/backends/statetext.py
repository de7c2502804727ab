"""The text that a model is given: hostile characters made visible, marker words taken apart, the head kept when cut."""

from __future__ import annotations

import json
import re

from phocinae_cli.core.redact import printable

CUT_MARK = "\n[cut here]"

# A tokenizer takes `<eos>`, `</s>`, `<|im_end|>`, `[CLS]` for its own markers wherever they stand in the text.
_MARKER = re.compile(r"<(?=[|/]?[\w@.:-]{1,40}\|?>)|\[(?=@?[A-Z]{2,12}(?:_?\d{1,4})?@?\])")


def neutral(text: str) -> str:
    """Return the text with nothing in it that a tokenizer would take for a marker: `<eos>` becomes `< eos>`.

    Lone surrogates, which no UTF-8 can carry, are shown as escapes.
    """
    sendable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return _MARKER.sub(lambda found: found.group() + " ", sendable)


def neutral_tree(value: object) -> object:
    """Return a text, or an object or array of texts, with every text made neutral; keys stay as they are."""
    if isinstance(value, str):
        return neutral(value)
    if isinstance(value, dict):
        return {neutral(str(key)): neutral_tree(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [neutral_tree(item) for item in value]
    return value


def as_text(state: object) -> str:
    """Return a state as text: a text as it is, anything else as JSON with its keys in their order.

    Raises TypeError, ValueError or RecursionError for what JSON can't carry.
    """
    return state if isinstance(state, str) else json.dumps(state, ensure_ascii=False, allow_nan=False)


def field(name: str, value: str) -> str:
    """Return one `name: value` entry. Further lines are indented, so that a value can't pass for another entry."""
    return f"{name}: " + printable(value, multiline=True).replace("\n", "\n  ")


def cut(text: str, limit: int) -> tuple[str, bool]:
    """Return at most `limit` characters from the head, and whether something was lost; a cut is marked."""
    if len(text) <= limit:
        return text, False
    return text[: max(0, limit - len(CUT_MARK))] + CUT_MARK, True
