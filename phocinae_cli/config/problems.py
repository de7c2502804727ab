"""What is wrong with a configuration: where, which key, what, and what to write instead."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Problem:
    """One fault, or one entry of a project's file that is refused.

    `where` is a path, the name of a variable or `flag`; `line` counts from 1, 0 when it is not known.
    """

    __slots__ = ("key", "line", "remedy", "what", "where")

    def __init__(self, where: str, key: str, what: str, remedy: str, line: int = 0) -> None:
        self.where = where
        self.key = key
        self.what = what
        self.remedy = remedy
        self.line = line

    def __str__(self) -> str:
        place = f"{self.where}:{self.line}" if self.line else self.where
        key = f"{self.key}: " if self.key and self.key != self.where else ""
        return f"{place}: {key}{self.what}; {self.remedy}"


def line_of(text: str, key: str, nth: int = 0) -> int:
    """Return the line on which a key of a TOML text stands, or 0 when a plain search does not find it.

    `nth` picks one of several tables of the same name: `line_of(text, "rules.flags", 2)` looks into the third
    `[[rules]]`. The line of a table's header stands in for a key that is missing from it.
    """
    table, _, name = key.rpartition(".")
    current, seen, header = "", -1, 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith("["):
            current = _plain(line.strip("[]").split("]")[0])
            if current == (table or key):
                seen += 1
                header = number if seen == nth else header
            continue
        if "=" not in line:
            continue
        written = _plain(line.split("=", 1)[0])
        full = f"{current}.{written}" if current else written
        if full == key and (not table or seen == nth or current != table):
            return number
        if current == table and written == name and seen in (nth, -1):
            return number
    return header


def _plain(name: str) -> str:
    return name.replace('"', "").replace("'", "").replace(" ", "")


def summary(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return the problems as lines, in the order in which they were found, each once."""
    return tuple(dict.fromkeys(str(problem) for problem in problems))
