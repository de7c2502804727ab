"""Tokens of the scripting languages, and how each language writes strings, comments and variables."""

from __future__ import annotations

TYPE_CHECKING = False

ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "s": " ",
}


class Token:
    """A token: `kind` is `str`, `cmd` (a backtick), `name`, `num`, `op`, `re` or `end`.

    `parts` are the texts of a string and, as one-element tuples, the code of what is interpolated.
    """

    __slots__ = ("kind", "parts", "spaced", "text")

    def __init__(self, kind: str, text: str, parts: tuple[str | tuple[str], ...] = (), spaced: bool = False) -> None:
        self.kind = kind
        self.text = text
        self.parts = parts
        self.spaced = spaced


class Grammar:
    """How a language writes what matters here.

    `comments` start a comment to the end of the line; `fills` are the double-quote interpolations (`$` for
    `$x`, `#{` and `${` for code in braces); `sigils` start a variable's name; `regexes` says that `/` may open
    one; `commands` are quotes that run a command; `joins` the operators that put texts together.
    """

    __slots__ = (
        "block",
        "commands",
        "comments",
        "fills",
        "joins",
        "long_strings",
        "quotes",
        "regexes",
        "sigils",
        "words",
    )

    def __init__(
        self,
        comments: tuple[str, ...],
        block: tuple[str, str] | None = None,
        quotes: str = "\"'",
        fills: tuple[str, ...] = (),
        sigils: str = "",
        regexes: bool = False,
        commands: str = "",
        joins: tuple[str, ...] = ("+",),
        words: bool = False,
        long_strings: str = "",
    ) -> None:
        self.comments = comments
        self.block = block
        self.quotes = quotes
        self.fills = fills
        self.sigils = sigils
        self.regexes = regexes
        self.commands = commands
        self.joins = joins
        self.words = words
        self.long_strings = long_strings


GRAMMARS = {
    "perl": Grammar(("#",), fills=("$", "@"), sigils="$@%&", regexes=True, commands="`", joins=(".",), words=True),
    "ruby": Grammar(("#",), fills=("#{",), sigils="@$", regexes=True, commands="`", joins=("+", "<<"), words=True),
    "node": Grammar(("//",), ("/*", "*/"), "\"'`", fills=("${",), sigils="$", regexes=True, joins=("+",)),
    "php": Grammar(("//", "#"), ("/*", "*/"), fills=("$", "{$"), sigils="$", commands="`", joins=(".",)),
    "lua": Grammar(("--",), ("--[[", "]]"), joins=("..",), long_strings="[["),
    "r": Grammar(("#",), joins=(",",)),
    "python": Grammar(("#",), joins=("+",)),
    "mongo": Grammar(("//",), ("/*", "*/"), "\"'`", fills=("${",), sigils="$", regexes=True, joins=("+",)),
}


class Unreadable(Exception):
    """A string or a comment that does not end."""


def unescaped(text: str) -> str:
    """Return a text with the escapes of a double-quoted string resolved."""
    if "\\" not in text:
        return text
    done: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char != "\\" or at + 1 >= len(text):
            done.append(char)
            at += 1
            continue
        following = text[at + 1]
        at += 2
        if following in "xu":
            braced = text[at : at + 1] == "{"
            end = text.find("}", at) if braced else at + (2 if following == "x" else 4)
            digits = text[at + braced : max(end, at)]
            try:
                done.append(chr(int(digits, 16)))
            except (ValueError, OverflowError):
                done.append(following)
                continue
            at = end + braced
        elif following in "01234567":
            end = at
            while end < len(text) and end < at + 2 and text[end] in "01234567":
                end += 1
            done.append(chr(int(text[at - 1 : end], 8)))
            at = end
        else:
            done.append(ESCAPES.get(following, following))
    return "".join(done)
