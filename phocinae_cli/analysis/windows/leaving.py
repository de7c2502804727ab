"""Private data that is written to a share: the machine that serves it has it from then on."""

from __future__ import annotations

from phocinae_cli.analysis.sending import data_place
from phocinae_cli.analysis.values import NOTHING, Value
from phocinae_cli.analysis.windows.paths import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.core.effects import Action

PRIVATE = frozenset(("secret", "private", "dump", "environment"))
WRITES = frozenset(("create", "overwrite", "append", "write", "scramble"))
WHY = "another machine gets it"


def is_foreign(scope: WindowsScope, value: Value) -> bool:
    """Return whether a path leads to another machine, so that somebody else decides what lies there."""
    path = located(value, scope.home)
    return path.known and scope.where.place(scope.resolve(path.readings()[0]) or "") == "remote"


def judge_written(invocation: WindowsInvocation, before: int) -> None:
    """Record that private data left, if an effect of a command behind number `before` writes to a share."""
    effects = [effect for effect in invocation.walker.collector.effects[before:] if effect.action is invocation.action]
    if any(effect.kind == "send" for effect in effects):
        return
    if any(effect.kind in WRITES and effect.target.place == "remote" for effect in effects):
        record(invocation, _carried(invocation))


def record(invocation: WindowsInvocation, taint: frozenset[str]) -> None:
    """Record that data leaves this machine, if it is private."""
    if taint & PRIVATE:
        shown = " ".join(value.text for value in invocation.words)
        invocation.effect("send", shown, "share.away", WHY, place=data_place(taint, False))


def judge_redirected(walker: Walker, target: Value, taint: frozenset[str], scope: WindowsScope, action: Action) -> None:
    """Record that private data left, if a redirection writes it to a share."""
    if taint & PRIVATE and is_foreign(scope, target):
        walker.collector.effect("send", target.text, action, "share.away", WHY, place=data_place(taint, False))


def _carried(invocation: WindowsInvocation) -> frozenset[str]:
    """Return what a command's inputs hold: what is piped in, its arguments, the files that they name."""
    scope = invocation.scope
    taint = invocation.piped.taint | invocation.stdin.taint
    for item in invocation.given:
        taint |= item.thing.taint
    values = [*invocation.arguments.operands, *(value for _, value in invocation.arguments.flags if value is not None)]
    if not invocation.arguments.operands or len(values) < 2:
        values.extend(invocation.piped.values if invocation.piped.kind == "files" else ())
    for value in values:
        if not is_foreign(scope, value):
            taint |= invocation.walker.collector.content(located(value, scope.home), scope).taint
    return taint if taint else NOTHING
