"""Processes by number: what `kill` ends is told by where its numbers come from.

`kill $(pidof sshd)` is `pkill sshd`: programs that look up process numbers mark what they print with the name
they were asked for, and `kill` is judged as the `pkill` of that name as well.
"""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.collect import PID_OF
from phocinae_cli.analysis.values import Stream, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

TABLE = "process-table"
"""The mark of what `ps` prints of more than one process."""
EVERY = "."
CHOOSERS = frozenset("pCuUgGtq")


def listed(invocation: Invocation) -> Stream | None:
    """`pgrep`, `pidof`: the numbers of the processes with these names."""
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    names = [value.exact for value in invocation.arguments.operands if value.exact]
    return Stream(None, frozenset(PID_OF + name for name in names), f"the output of {invocation.name}")


def table(invocation: Invocation) -> Stream | None:
    """`ps`: the table of processes, or their bare numbers."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    words = [value.text for value in invocation.words]
    if _chosen(words):
        return out
    return Stream(None, out.taint | {PID_OF + EVERY if _bare_numbers(words) else TABLE}, out.why)


def _chosen(words: list[str]) -> bool:
    """Return whether an option picks processes by number, command, user or terminal."""
    for word in words:
        if word.startswith(("--pid", "--user", "--ppid", "--group", "--tty", "--sid", "--quick-pid")):
            return True
        if word[:1] == "-" and word[:2] != "--" and not CHOOSERS.isdisjoint(word[1:].partition("o")[0]):
            return True
    return False


def _bare_numbers(words: list[str]) -> bool:
    return any(word.removeprefix("-").endswith(("pid", "pid=")) and "," not in word for word in words) and any(
        word.startswith("-") and word[1:].strip("eAaxo") in ("", "pid", "pid=") for word in words
    )


def narrowed(invocation: Invocation, table: Stream) -> Stream:
    """Return what a search leaves of a process table: the rows of the pattern."""
    words = [value.exact for value in invocation.arguments.operands if value.exact]
    if invocation.arguments.has("-v", "--invert-match") or not words:
        return table
    mark = PID_OF + words[0].replace("[", "").replace("]", "")  # `grep [s]shd` does not find itself
    return Stream(None, table.taint - {TABLE} | {mark}, table.why)


def column(program: str, table: Stream) -> Stream:
    """Return what an awk program leaves of a process table: every number, unless it picks some rows."""
    if TABLE not in table.taint:
        return table
    head, brace, body = program.strip().partition("{")
    every = brace and head.replace(" ", "") in ("", "NR>1", "NR!=1", "NR>=2") and "if" not in body
    return Stream(None, table.taint - {TABLE} | ({PID_OF + EVERY} if every else frozenset()), table.why)


def kill(invocation: Invocation) -> Stream | None:
    """`kill`: by number; numbers that were looked up by name are judged as `pkill` judges the name."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    signals = tuple(value for value in invocation.words if value.head().startswith("-") and value.exact != "--")
    for value in invocation.arguments.operands:
        for name in _names(value):
            invocation.run((known("pkill"), *signals, known(name)))
    return out


def _names(value: Value) -> list[str]:
    return sorted(mark[len(PID_OF) :] for mark in value.taint if mark.startswith(PID_OF))


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"listed": listed, "ps": table, "kill": kill}
