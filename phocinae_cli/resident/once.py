"""One question of the hook answered by a process of its own: for long lines, and when no worker answers."""

from __future__ import annotations

import faulthandler
import os
import sys

from phocinae_cli.resident import protocol
from phocinae_cli.resident.protocol import Malformed, Query, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[Query], Reply]

LIMIT_S = 1.7
"""After this the process ends without an answer, which asks. fish can't limit the time it waits by itself."""


def main(argv: list[str], answer: Answer | None = None) -> int:
    """Answer the request on standard input; argv is `once` or `words`, and the verb. Return 1 without an answer."""
    if len(argv) != 2 or argv[0] not in ("once", "words") or argv[1] not in protocol.VERBS:
        return 1
    with open(os.devnull, "w") as silence:
        faulthandler.dump_traceback_later(LIMIT_S, exit=True, file=silence)
        raw = sys.stdin.buffer.read(protocol.MAX_BODY + 1)
        try:
            found = protocol.fields(raw) if argv[0] == "once" else words(raw)
        except Malformed:
            return 1
        settle: Callable[[], None] | None = None
        if answer is None:
            from phocinae_cli.resident.question import Desk

            desk = Desk.from_environment()
            answer, settle = desk.answer, desk.settle
        sys.stdout.buffer.write(protocol.answer("0", answer(Query("0", argv[1], found))))
        sys.stdout.buffer.flush()
        if settle is not None:
            settle()
        faulthandler.cancel_dump_traceback_later()
    return 0


def words(raw: bytes) -> list[tuple[str, str]]:
    """Return the fields of a body in which each is a letter and its text, ended by a NUL. May raise Malformed."""
    if raw and not raw.endswith(b"\0"):
        raise Malformed("cut off")
    items = raw.split(b"\0")[:-1]
    return [(chr(item[0]), item[1:].decode("utf-8", "surrogateescape")) for item in items if item]
