"""Sessions of file transfer whose commands are known: `sftp -b`, `lftp -e`, `smbclient -c`, or fed in."""

from __future__ import annotations

from phocinae_cli.analysis import runs, targets
from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.scripts import STANDARD_INPUT
from phocinae_cli.analysis.values import NOTHING, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

LANGUAGE = "transfer"


def session(invocation: Invocation) -> Stream | None:
    """Judge the commands that a session is given; one without any is a person's, and the rows speak of it."""
    arguments = invocation.arguments
    batch = arguments.value("-b") if invocation.name.endswith("sftp") else arguments.value("-f")
    texts = [] if invocation.name.endswith("sftp") else arguments.values("-e", "-c", "--command")
    if invocation.name.endswith("tftp") and texts:
        texts = [runs.spaced(targets.select(invocation, "after -c", 0))]
    for value in texts:
        runs.code_of_value(invocation, LANGUAGE, value, False, ())
    if batch is not None and batch.exact not in STANDARD_INPUT:
        stream = invocation.evaluator.collector.content(batch, invocation.scope)
        if stream.text is None:
            return None
        runs.code(invocation, LANGUAGE, stream, False, batch.text)
    elif invocation.fed and invocation.stdin.text is None and not isinstance(invocation.stdin, HereText):
        why = "copies and deletes on another machine as its input says, which can't be seen here"
        invocation.effect("unknown", invocation.stdin.why, invocation.name + ".unseen", why, certain=False)
    elif invocation.fed:
        runs.code(invocation, LANGUAGE, invocation.stdin, False, "what is fed in")
    elif not texts:
        return None
    return Stream(None, NOTHING, "the course of a session")


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"session": session}
