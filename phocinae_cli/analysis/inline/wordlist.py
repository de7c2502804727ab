"""Long lists of names, written as text: one blank between two of them."""

from __future__ import annotations


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())
