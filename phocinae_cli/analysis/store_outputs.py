"""What a row can't say of what database programs print: a dump that drops first, a list of every key."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.values import NOTHING, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

DROPPING = ("-c", "--clean", "--add-drop-database")
EVERY_KEY = "every key of a store"
"""Why a list of keys is not known; what deletes them empties the store."""


def dump(invocation: Invocation) -> Stream:
    """Return the dump that a program prints; with `--clean` it is known to drop what it makes anew."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    if not invocation.arguments.has(*DROPPING):
        return out
    return Stream(None, out.taint, out.why, seen="DROP TABLE what_the_dump_holds;")


def keys(invocation: Invocation) -> Stream:
    """Return what a Redis client prints: `--scan` and `KEYS *` list every key."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    arguments = invocation.arguments
    words = [value.text.lower() for value in arguments.operands]
    pattern = arguments.value("--pattern", "--quoted-pattern")
    scans = arguments.has("--scan") and (pattern is None or pattern.text == "*")
    return Stream(None, NOTHING, EVERY_KEY) if scans or words == ["keys", "*"] else out


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"dump": dump, "redis-keys": keys}
