"""What a PowerShell expression gives: texts as far as they are known, and what kind of object they stand for."""

from __future__ import annotations

from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Unknown, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node


class Thing:
    """A PowerShell value: `values` are its elements as text (a file object is its path).

    `kind` says what the objects are where it matters (`files`, `processes`, `all-processes`, `net.webclient`,
    a WMI class ...); `block` is the syntax of a script block with the text it points into, `table` the entries of
    a hashtable, `made` what a constructor was given.
    """

    __slots__ = ("block", "kind", "made", "source", "table", "values")

    def __init__(self, values: tuple[Value, ...] = (), kind: str = "") -> None:
        self.values = values
        self.kind = kind
        self.block: Node | None = None
        self.source = ""
        self.table: dict[str, Thing] | None = None
        self.made: tuple[Thing, ...] = ()

    @property
    def taint(self) -> frozenset[str]:
        """What its elements came from."""
        found = NOTHING
        for value in self.values:
            found |= value.taint
        return found

    @property
    def exact(self) -> str | None:
        """Its text when it is one known element, else None."""
        return self.values[0].exact if len(self.values) == 1 else None

    def one(self, glue: str = " ") -> Value:
        """Return it as one word, its elements joined."""
        if len(self.values) == 1:
            return self.values[0]
        parts: list[str | Unknown] = []
        for number, value in enumerate(self.values):
            if number and glue:
                parts.append(glue)
            parts.extend(value.parts)
        return join(parts, self.taint)

    def also(self, other: Thing) -> Thing:
        """Return the elements of both."""
        both = Thing((*self.values, *other.values)[:MOST], self.kind or other.kind)
        both.block = self.block or other.block
        both.source = self.source or other.source
        return both

    def stream(self) -> Stream:
        """Return what a program would read of it."""
        if not self.values:
            return EMPTY
        if all(value.known for value in self.values):
            return Stream("\n".join(value.text for value in self.values) + "\n", self.taint)
        return HereText(self.values, True)


MOST = 400
NONE = Thing()


def join(parts: list[str | Unknown], taint: frozenset[str] = NOTHING) -> Value:
    """Return one word of parts, neighbouring texts made one."""
    flat: list[str | Unknown] = []
    for part in parts:
        if isinstance(part, str) and flat and isinstance(flat[-1], str):
            flat[-1] += part
        elif part != "":
            flat.append(part)
    return Value(tuple(flat) or ("",), False, taint)


def text(content: str, taint: frozenset[str] = NOTHING, kind: str = "") -> Thing:
    """Return the thing that is exactly this text."""
    return Thing((known(content, taint),), kind)


def unsure(why: str, taint: frozenset[str] = NOTHING, kind: str = "", name_only: bool = False) -> Thing:
    """Return a thing of which nothing but the reason is known."""
    return Thing((unknown(why, taint, name_only=name_only),), kind)


def from_stream(stream: Stream) -> Thing:
    """Return what a program printed as a thing, one element a line when it is known."""
    if stream is EMPTY:
        return NONE
    if isinstance(stream, HereText):
        return Thing(tuple(_line(value) for value in stream.values), "")
    if stream.text is not None:
        lines = stream.text.rstrip("\r\n").split("\n")
        return Thing(tuple(known(line.rstrip("\r"), stream.taint) for line in lines[:MOST]))
    return unsure(stream.why or "the output of a command", stream.taint, name_only="name" in stream.taint)


def _line(value: Value) -> Value:
    parts = list(value.parts)
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip("\n")
    return Value(tuple(part for part in parts if part != ""), value.globs, value.taint)
