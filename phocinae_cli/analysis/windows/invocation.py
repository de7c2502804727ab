"""One command of PowerShell or cmd on its way to a verdict, and effects on its paths."""

from __future__ import annotations

from phocinae_cli.analysis.arguments import Arguments
from phocinae_cli.analysis.commands import Invocation
from phocinae_cli.analysis.values import Stream, Value
from phocinae_cli.analysis.windows.paths import is_hive, is_windows, located
from phocinae_cli.analysis.windows.things import Thing, from_stream
from phocinae_cli.core.effects import Effect, Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.core.effects import Action
    from phocinae_cli.kb.lookup import Tool


class Argument:
    """One argument as written: a parameter's name (empty for a positional one) and its value; `bound` by a colon."""

    __slots__ = ("bound", "name", "thing")

    def __init__(self, name: str, thing: Thing, bound: bool = False) -> None:
        self.name = name
        self.thing = thing
        self.bound = bound


class WindowsInvocation(Invocation):
    """A command of PowerShell or cmd: its arguments as things, what was piped in, and the walker that reads on."""

    __slots__ = ("given", "piped", "walker")

    def __init__(
        self,
        walker: Walker,
        name: str,
        tool: Tool | None,
        argv: tuple[Value, ...],
        arguments: Arguments,
        scope: WindowsScope,
        context: Context,
        piped: Thing,
        stdin: Stream,
    ) -> None:
        super().__init__(walker.evaluator, argv, name, tool, scope, context, stdin)
        self.walker = walker
        self.scope: WindowsScope = scope
        self.piped = piped
        self.arguments = arguments
        self.given: list[Argument] = []

    def named(self, *names: str) -> Thing | None:
        """Return what a parameter was given, its name cut short or not; None when it is absent."""
        for item in self.given:
            low = item.name.lower()
            if low and any(name == low or (len(low) > 2 and name.startswith(low)) for name in names):
                return item.thing
        return None

    def blocks(self) -> list[Thing]:
        """Return the script blocks among the arguments, in order."""
        return [item.thing for item in self.given if item.thing.block is not None]

    def path_effect(self, kind: str, value: Value, recursive: bool = False, **more: object) -> None:
        """Record an effect of this command on a path."""
        path_effect(self.walker, kind, located(value, self.scope.home), self.scope, self.action, recursive, **more)

    def run(
        self, argv: tuple[Value, ...], via: str = "", scope: Scope | None = None, stdin: Stream | None = None
    ) -> Stream:
        """Judge another argv that this one runs, as a program started from here."""
        from phocinae_cli.analysis.windows.cmdlets import run_words
        from phocinae_cli.analysis.windows.scope import WindowsScope

        context = self.context.inside(via or self.name)
        context.span = context.span or (self.action.start, self.action.end)
        inner = WindowsScope.of(scope) if scope is not None else self.scope
        flow = self.stdin if stdin is None else stdin
        out = run_words(self.walker, list(argv), inner, context, from_stream(flow), flow)
        return out.stream()

    def describe(self, kind: str, text: str, code: str, why: str, **more: object) -> None:
        """Record an effect that no row can state."""
        self.effect(kind, text, code, why, **more)


def path_effect(
    walker: Walker,
    kind: str,
    value: Value,
    scope: WindowsScope,
    action: Action,
    recursive: bool = False,
    **more: object,
) -> None:
    """Record an effect on a path; nobody but Windows itself can be asked what lies at a path of Windows."""
    collector = walker.collector
    readings = value.readings()
    if not any(is_windows(scope.resolve(reading) or "") for reading in readings):
        collector.path_effect(kind, value, scope, action, recursive, **more)  # type: ignore[arg-type]
        return
    code, why = str(more.get("code") or kind), str(more.get("why") or "")
    seen: set[str] = set()
    for target in collector.targets(value, scope, recursive):
        if kind == "move" and target.place == "secret" and any(is_hive(reading) for reading in readings):
            target = Target(target.text, "vital", target.path, target.known, target.recursive)
        if target.place in seen:
            continue
        seen.add(target.place)
        certain = target.place != "unknown"
        harm = more.get("harm")
        collector.effects.append(
            Effect(
                kind, target, action, code, why, str(more.get("instead") or ""), str(more.get("undo") or ""),
                str(harm) if harm else None, certain,
            )
        )  # fmt: skip
