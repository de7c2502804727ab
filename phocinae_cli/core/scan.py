"""A command text read without its grammar: where a word ends, which quote opens, what is only a reference."""

from __future__ import annotations

from phocinae_cli.core.redact import MASK

Span = tuple[int, int]

QUOTES = "\"'"
STOP = " \t\n\r;|&<>()"
"""What ends an unquoted word; `&` also ends a field of a query string."""


class Scan:
    """A text and what is known about its quotes."""

    __slots__ = ("_openers", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._openers: set[int] | None = None

    def opens(self, at: int) -> bool:
        """Return whether the quote at this place opens a string, at the top level or inside another string."""
        if self._openers is None:
            self._openers = _opening_quotes(self.text)
        return at in self._openers

    def value(self, at: int, sure: bool = True) -> Span | None:
        """Return the span of the secret that starts here, or None for an empty value, a reference or a mask.

        Unless it is `sure` that a secret stands here, a path or a small number is none either.
        """
        text = self.text
        if text[at : at + 1] in ("{", "["):
            return None  # an object: its fields are named themselves
        if text.startswith(MASK, at) and not text[at + 3 : at + 4].isalnum():
            return None
        end = self.end(at)
        bare = text[at:end].strip("\"'\\")
        if bare in ("", MASK) or (text[at] != "'" and is_reference(bare)):
            return None
        if not sure and (bare.startswith(("/", "./", "../", "~/", "@")) or (bare.isdigit() and len(bare) < 3)):
            return None
        return at, end

    def end(self, at: int) -> int:
        """Return where the word that starts here ends; a command substitution ends it too."""
        text = self.text
        if text[at : at + 2] in ('\\"', "\\'"):
            close = text.find(text[at : at + 2], at + 2)
            return len(text) if close < 0 else close + 2
        if text.startswith("$'", at):
            return self._unquoted_end(_closing(text, at + 1))
        if text.startswith('$"', at):
            at += 1
        quote = text[at : at + 1]
        # The quotes are miscounted behind an apostrophe in a comment, so a text that follows closely counts as well.
        if quote and quote in QUOTES and (self.opens(at) or text[at + 1 : at + 2].strip(STOP + QUOTES)):
            at = _closing(text, at)
            if text[at : at + 1] in ("}", "]", ","):
                return at  # a field of an object
        return self._unquoted_end(at)

    def _unquoted_end(self, at: int) -> int:
        text = self.text
        size = len(text)
        while at < size:
            char = text[at]
            if char in STOP or char == "`" or (char == "$" and text.startswith("$(", at)):
                break
            if char == "\\":
                if text[at + 1 : at + 2] in ('"', "'"):
                    break  # closes a string within a string: {\"password\": \"x\"}
                at += 2
            elif char not in QUOTES:
                at += 1
            elif self.opens(at):
                at = _closing(text, at)
            else:
                break
        return min(at, size)


def _opening_quotes(text: str) -> set[int]:
    found: set[int] = set()
    outer = ""
    inside = escaped = ansi = False
    for at, char in enumerate(text):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = outer != "'" or ansi
        elif char not in QUOTES:
            continue
        elif not outer:
            outer = char
            ansi = char == "'" and text[at - 1 : at] == "$"
            found.add(at)
        elif char == outer:
            outer = ""
            inside = False
        else:
            inside = not inside
            if inside:
                found.add(at)
    return found


def _closing(text: str, at: int) -> int:
    """Return the place behind the quote that closes the one here, or of a command substitution within it."""
    quote = text[at]
    size = len(text)
    if quote == "'" and text[at - 1 : at] != "$":
        close = text.find("'", at + 1)
        return size if close < 0 else close + 1
    at += 1
    while at < size and text[at] != quote:
        if quote == '"' and (text[at] == "`" or text.startswith("$(", at)):
            return at
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, size)


def is_reference(word: str) -> bool:
    """Return whether a word that is not empty is nothing but `$NAME` or `${NAME}`."""
    name = word[2:-1] if word.startswith("${") and word.endswith("}") else word[1:]
    return word[0] == "$" and name.replace("_", "a").isalnum()


def skip(text: str, at: int, chars: str = " \t") -> int:
    """Return the next place, from `at` on, that holds none of the characters."""
    size = len(text)
    while at < size and text[at] in chars:
        at += 1
    return at


def skip_blanks(text: str, at: int) -> int:
    """Return the next place, from `at` on, that is neither blank nor a joined line end."""
    at = skip(text, at)
    while text.startswith("\\\n", at):
        at = skip(text, at + 2)
    return at
