"""Scheduled tasks: what an action says is judged when a task is registered with it, for until then nothing runs."""

from __future__ import annotations

from phocinae_cli.analysis.values import EMPTY, Value, known
from phocinae_cli.analysis.windows.things import NONE, Thing, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

ACTION = "task-action"


def action(invocation: WindowsInvocation) -> Thing:
    """`New-ScheduledTaskAction`: an object in memory, a program with its arguments."""
    operands = invocation.arguments.operands
    program = invocation.named("-execute")
    first = program.one() if program is not None else operands[0] if operands else known("")
    if first.exact is not None and " " in first.exact.strip():
        first = known('"' + first.exact.strip().strip('"') + '"')
    argument = invocation.named("-argument")
    rest = (" ", *argument.one().parts) if argument is not None else ()
    taint = first.taint | (argument.taint if argument is not None else frozenset())
    return Thing((join([*((first.text,) if first.known else first.parts), *rest], taint),), ACTION)


def task(invocation: WindowsInvocation) -> Thing:
    """`New-ScheduledTask`: an object in memory that holds actions."""
    found = NONE
    for thing in (*(item.thing for item in invocation.given), invocation.piped):
        if thing.kind == ACTION:
            found = thing if found is NONE else found.also(thing)
    return found


def register(invocation: WindowsInvocation) -> Thing | None:
    """`Register-ScheduledTask`, `Set-ScheduledTask`: what the actions start runs from now on."""
    from phocinae_cli.analysis.windows import cmdlets
    from phocinae_cli.analysis.windows.specials import words_in

    effects = invocation.walker.collector.effects
    before = len(effects)
    for value in task(invocation).values:
        context = invocation.context.inside(invocation.name)
        context.span = context.span or (invocation.action.start, invocation.action.end)
        words: list[Value] = words_in(value)
        cmdlets.run_words(invocation.walker, words, invocation.scope.copy(), context, NONE, EMPTY)
    effects[before:] = [effect for effect in effects[before:] if effect.certain]
    return None
