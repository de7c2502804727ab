"""Where a piece of text stands: how it came to run, which file it is from, and what its spans mean."""

from __future__ import annotations

from phocinae_cli.analysis.values import TooMuch

MAX_DEPTH = 40


class Context:
    """Where a piece of text stands: how it came to run, and what its spans mean.

    `via` is the chain of wrappers; `span` the span in the checked text that stands for all of this text, None
    for the checked text itself; `file` the file it was read from and `first_line` the line there that it starts
    on; `place` the file and line of the command at hand; `remote` whether it runs elsewhere;
    `captured` whether what it prints goes into a variable or a word, not to a screen;
    `text`, `dialect` the text that the spans point into, `comments` whether it may hold any; `depth` how deep texts
    are nested; `calling` the names of the functions being run; `spawning` says that one of them was started by a
    pipe or in the background.
    """

    __slots__ = (
        "calling",
        "captured",
        "comments",
        "depth",
        "dialect",
        "file",
        "first_line",
        "place",
        "remote",
        "span",
        "spawning",
        "text",
        "via",
    )

    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.dialect = dialect
        self.comments = True
        self.via: tuple[str, ...] = ()
        self.span: tuple[int, int] | None = None
        self.file = ""
        self.place = ""
        self.first_line = 1
        self.remote = False
        self.captured = False
        self.depth = 0
        self.calling: tuple[str, ...] = ()
        self.spawning = False

    def inside(self, via: str = "", span: tuple[int, int] | None = None) -> Context:
        """Return a context one level further in; `span` is the part of this text that stands for it."""
        twin = Context.__new__(Context)
        twin.text, twin.dialect, twin.via, twin.span = self.text, self.dialect, self.via, self.span
        twin.file, twin.place, twin.first_line, twin.remote = self.file, self.place, self.first_line, self.remote
        twin.captured = self.captured
        twin.calling, twin.spawning, twin.comments = self.calling, self.spawning, self.comments
        twin.depth = self.depth + 1
        if twin.depth > MAX_DEPTH:
            raise TooMuch
        if via:
            twin.via = (*self.via, via)
        if span is not None:
            twin.span = self.spot(*span)
        return twin

    def spot(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the checked text for a span in this text."""
        return self.span if self.span is not None else (start, end)

    def where(self, start: int) -> str:
        """Return `FILE:LINE` for an offset in this text, when it was read from a file."""
        if not self.file:
            return self.place
        return f"{self.file}:{self.text.count(chr(10), 0, start) + self.first_line}"

    def becomes(self, text: str, file: str = "", line: int = 1) -> None:
        """Make this the context of another text, read from a file or not; only what is typed may lack comments."""
        self.text, self.file, self.first_line, self.comments = text, file, line, True
