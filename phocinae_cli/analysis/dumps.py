"""What a row can't say of programs that dump a database: whether the dump drops first what it makes."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.values import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

DROPPING = ("-c", "--clean", "--add-drop-database")


def dump(invocation: Invocation) -> Stream:
    """Return the dump that a program prints; with `--clean` it is known to drop what it makes anew."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    if not invocation.arguments.has(*DROPPING):
        return out
    return Stream(None, out.taint, out.why, seen="DROP TABLE what_the_dump_holds;")


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"dump": dump}
