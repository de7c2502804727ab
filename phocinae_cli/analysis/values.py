"""What a word can be once it is resolved: text, with what is unknown in it kept as a part of its own.

The parts are held apart from the text, so nothing that a line contains can pass for a mark of ours.
"""

from __future__ import annotations

NOTHING: frozenset[str] = frozenset()


STAMPS = frozenset(
    (
        "the output of date", "the output of gdate", "the output of uuidgen", "the output of mktemp",
        "parameter RANDOM", "parameter EPOCHSECONDS", "parameter EPOCHREALTIME", "parameter SRANDOM",
    )
)  # fmt: skip
"""Unknown parts that are different every time."""
PLACE_OF = "where to find "
"""Why a value is unknown that says where a program lies, in front of the program's name."""
EACH_LINE_OF = "each line of"
"""How the reason of an unknown part starts that stands for one of many."""


class TooMuch(Exception):
    """A line that expands to more than can be judged: it is refused as a whole, never cut."""


class Unknown:
    """A part of a word that can't be known, and why.

    `may_be_empty` says that it may expand to nothing; `name_only` that it is one plain name without a slash
    (a date, a count, a host name); `vanishes` that, being empty and unquoted, it would leave no word at all.
    """

    __slots__ = ("may_be_empty", "name_only", "vanishes", "why")

    def __init__(self, why: str, may_be_empty: bool = True, name_only: bool = False, vanishes: bool = False) -> None:
        self.why = why
        self.may_be_empty = may_be_empty
        self.name_only = name_only
        self.vanishes = vanishes


class Value:
    """One resolved word (a field) or the content of a variable.

    `parts` are texts and Unknowns; `globs` is True when unquoted `*`, `?` or `[` stand in it, which `text`
    shows as they are; `taint` says what the content came from (`network`, `secret`, `environment`, `dump`,
    `stdin` ...).
    """

    __slots__ = ("exact", "globs", "known", "parts", "taint", "text")

    def __init__(self, parts: tuple[str | Unknown, ...], globs: bool = False, taint: frozenset[str] = NOTHING) -> None:
        self.parts = parts
        self.globs = globs
        self.taint = taint
        # These are read far more often than values are made: `exact` is the text when it is known, else None;
        # `text` shows each unknown part as `<why>`, for people, never for decisions on unknown words.
        self.exact: str | None
        if len(parts) == 1 and parts[0].__class__ is str:
            self.exact = self.text = parts[0]
            self.known = True
            return
        self.known = True
        text = ""
        for part in parts:
            if isinstance(part, str):
                text += part
            else:
                text += f"<{part.why}>"
                self.known = False
        self.text = text
        self.exact = text if self.known else None

    def readings(self) -> tuple[str, ...]:
        """Return the texts it may stand for: unknowns read as one plain name, and as nothing where they may be."""
        if self.known:
            return (self.text,)
        filled = "".join(part if isinstance(part, str) else "x" for part in self.parts)
        if any(isinstance(part, Unknown) and part.may_be_empty for part in self.parts):
            empty = "".join(
                part if isinstance(part, str) else ("" if part.may_be_empty else "x") for part in self.parts
            )
            return (filled, empty)
        return (filled,)

    def leading_unknown(self) -> bool:
        """Return whether it starts with something that may be any text, so that nothing is known of a path."""
        first = self.parts[0] if self.parts else ""
        return isinstance(first, Unknown) and not first.name_only

    def stamped(self) -> bool:
        """Return whether a part of it is new at every run, such as a date: what bears that name is not there yet."""
        return any(isinstance(part, Unknown) and part.why in STAMPS for part in self.parts)

    def located(self) -> str:
        """Return the program whose place the value is, as of `$(which git)`, or an empty text."""
        why = self.parts[0].why if len(self.parts) == 1 and isinstance(self.parts[0], Unknown) else ""
        return why[len(PLACE_OF) :] if why.startswith(PLACE_OF) else ""

    def one_of_many(self) -> bool:
        """Return whether a part of it is one of what another command lists: a loop over them, or `xargs`."""
        return any(isinstance(part, Unknown) and part.why.startswith(EACH_LINE_OF) for part in self.parts)

    def head(self) -> str:
        """Return the known text in front of the first unknown part."""
        if self.exact is not None:
            return self.exact
        found = ""
        for part in self.parts:
            if not isinstance(part, str):
                break
            found += part
        return found

    def unknown_why(self) -> str:
        """Return why it is not known, of its first unknown part, or an empty text."""
        for part in self.parts:
            if isinstance(part, Unknown):
                return part.why
        return ""

    def cut(self, start: int) -> Value:
        """Return the value without its first `start` characters, which must lie in its known head."""
        first = self.parts[0] if self.parts else ""
        if isinstance(first, str):
            return Value((first[start:], *self.parts[1:]) if first[start:] else self.parts[1:], self.globs, self.taint)
        return self


def known(text: str, taint: frozenset[str] = NOTHING) -> Value:
    """Return a value that is exactly this text."""
    return Value((text,), False, taint)


def unknown(why: str, taint: frozenset[str] = NOTHING, may_be_empty: bool = True, name_only: bool = False) -> Value:
    """Return a value of which nothing but the reason is known."""
    return Value((Unknown(why, may_be_empty, name_only),), False, taint)


class Stream:
    """What flows through a pipe, into a variable or into a file.

    `text` is its content when known, `taint` where it came from (`network`, `secret`, `environment`, `dump`,
    `private`, `name` for one plain name); `why` says why it is not known; `path` is the file whose content it is;
    `seen` is all that is known to be in it, also where the rest is not known.
    """

    __slots__ = ("path", "seen", "taint", "text", "why")

    def __init__(
        self, text: str | None, taint: frozenset[str] = NOTHING, why: str = "", path: str = "", seen: str = ""
    ) -> None:
        self.text = text
        self.seen = seen if text is None else text
        self.taint = taint
        self.why = why
        self.path = path

    def joined(self, other: Stream) -> Stream:
        """Return this stream followed by another."""
        text = None if self.text is None or other.text is None else self.text + other.text
        if text is not None and len(text) > 65536:
            text = None
        seen = (self.seen + other.seen)[:65536]
        return Stream(text, self.taint | other.taint, self.why or other.why, seen=seen)


EMPTY = Stream("")
