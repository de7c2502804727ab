"""Cmdlets that no row can describe: what they pass on, what they run, what they do to piped objects."""

from __future__ import annotations

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known
from phocinae_cli.analysis.windows import code, dotnet, leaving, provider, schedule, sources, web
from phocinae_cli.analysis.windows.machine import processes, services, stop_process, wmi, wmi_call, wmi_remove
from phocinae_cli.analysis.windows.pipes import (
    content,
    drives,
    each,
    here,
    item,
    joined,
    listing,
    objects,
    passing,
    passing_text,
    rows,
    searched,
    service_list,
    split_path,
    store,
    temporary,
    written,
)
from phocinae_cli.analysis.windows.things import NONE, Thing, from_stream, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

    Handler = Callable[[WindowsInvocation], Thing | None]


def expression(invocation: WindowsInvocation) -> Thing:
    """`Invoke-Expression`: its text runs here and now."""
    things = [entry.thing for entry in invocation.given if entry.thing is not NONE]
    if not things and invocation.piped is not NONE:
        things = [invocation.piped]
    out = NONE
    for thing in things:
        value = thing.one("\n")
        out = out.also(
            code.run_code(invocation.walker, invocation, "powershell", value, invocation.scope, "Invoke-Expression")
        )
    return out


def blocks(invocation: WindowsInvocation) -> Thing:
    """`Start-Job`, `Measure-Command`, `Invoke-Command`: their blocks run, `Invoke-Command` on other machines."""
    remote = any(
        invocation.named(name) is not None
        for name in ("-computername", "-session", "-vmname", "-hostname", "-cn", "-connectionuri")
    )
    if invocation.arguments.operands and not invocation.blocks() and not invocation.arguments.has("-filepath"):
        remote = remote or invocation.name in ("invoke-command", "icm")
    scope = invocation.scope
    context = invocation.context.inside(invocation.name)
    if context.span is None:
        context.span = (invocation.action.start, invocation.action.end)
    if remote:
        context.remote = True
        kept = scope.things
        scope = scope.elsewhere()  # type: ignore[assignment]
        scope.things = kept.copy()
    out = NONE
    arguments = invocation.named("-argumentlist", "-args")
    for block in invocation.blocks():
        out = out.also(invocation.walker.run_block(block, scope, context, invocation.piped, _spread(arguments)))
    for entry in invocation.given:
        if entry.thing.kind == "code":
            out = out.also(
                code.run_code(invocation.walker, invocation, "powershell", entry.thing.one(), scope, invocation.name)
            )
    path = invocation.arguments.value("-filepath")
    if path is not None:
        from phocinae_cli.analysis import scripts

        if leaving.is_foreign(invocation.scope, path):
            return from_stream(runs.unseen(invocation, Stream(None, frozenset(("network",))), path.text))
        out = out.also(from_stream(scripts.run_file(invocation, "powershell", path, ())))
    if not invocation.blocks() and path is None and not any(entry.thing.kind == "code" for entry in invocation.given):
        named = invocation.named("-scriptblock", "-command")
        if named is not None and named.values:
            code.unread(invocation, named.one().text)
    return out


def _spread(thing: Thing | None) -> tuple[Thing, ...]:
    return tuple(Thing((value,)) for value in thing.values) if thing is not None else ()


def start(invocation: WindowsInvocation) -> Thing:
    """`Start-Process`: another program, its arguments in one text or in a list."""
    from phocinae_cli.analysis.windows import cmdlets

    operands = list(invocation.arguments.operands)
    listed = invocation.named("-argumentlist", "-args")
    if not operands:
        return NONE
    program = operands[0]
    words: list[Value] = []
    for value in listed.values if listed is not None else operands[1:]:
        words.extend(words_in(value))
    shown = program.exact or ""
    if "://" in shown or shown.lower().startswith(("ms-settings:", "shell:", "mailto:")):
        return NONE
    context = invocation.context.inside("Start-Process")
    context.span = context.span or (invocation.action.start, invocation.action.end)
    name = known(program.text, program.taint) if program.known else program
    low = program.text.lower()
    if program.known and low.endswith(
        (".md", ".txt", ".html", ".pdf", ".csv", ".log", ".png", ".docx", ".xlsx", ".json")
    ):
        return NONE
    verb = invocation.named("-verb")
    if (
        verb is not None
        and (verb.exact or "").lower() == "runas"
        and not words
        and low.removesuffix(".exe") in ("powershell", "pwsh", "cmd")
    ):
        invocation.effect(
            "root-shell", program.text, "start-process.elevated", "whatever is typed there has full rights"
        )
        return NONE
    return cmdlets.run_words(invocation.walker, [name, *words], invocation.scope, context, NONE, EMPTY)


def words_in(value: Value) -> list[Value]:
    """Return the words that an argument of `-ArgumentList` becomes; unknown parts stay in theirs."""
    from phocinae_cli.analysis.windows.batch_syntax import split_words

    if value.exact is not None:
        return [known(word, value.taint) for word in split_words(value.text)]
    first = value.parts[0]
    if isinstance(first, str) and " " in first.strip():
        head, _, rest = first.lstrip().partition(" ")
        return [known(head), *words_in(Value((rest, *value.parts[1:]), False, value.taint))]
    return [value]


def task(invocation: WindowsInvocation) -> Thing:
    """`New-ScheduledTaskAction`, `New-Service`, …: a program and its arguments that run later."""
    from phocinae_cli.analysis.windows import cmdlets

    program = invocation.named("-execute", "-binarypathname", "-binarypath")
    if program is None and invocation.arguments.operands and invocation.name.endswith("taskaction"):
        program = Thing((invocation.arguments.operands[0],))
    words = (
        [known(program.one().text, program.taint) if program.one().known else program.one()]
        if program is not None
        else []
    )
    argument = invocation.named("-argument")
    if argument is not None:
        words.extend(words_in(argument.one()))
    before = len(invocation.walker.collector.effects)
    if words:
        split = (
            words_in(words[0])
            if invocation.name == "new-service" and not words[0].text.lower().startswith("c:\\program files")
            else [words[0]]
        )
        context = invocation.context.inside(invocation.name)
        context.span = context.span or (invocation.action.start, invocation.action.end)
        cmdlets.run_words(invocation.walker, [*split, *words[1:]], invocation.scope, context, NONE, EMPTY)
        effects = invocation.walker.collector.effects
        effects[before:] = [effect for effect in effects[before:] if effect.certain]
    return rows(invocation)


def make(invocation: WindowsInvocation) -> Thing:
    """`New-Object`: an object of a type."""
    com = invocation.named("-comobject", "-com")
    if com is not None:
        return Thing((known(com.one().text),), (com.exact or "").lower())
    positional = [entry.thing for entry in invocation.given if not entry.name]
    named = invocation.named("-typename")
    kind = named.exact if named is not None else (positional[0].exact if positional else None)
    listed = invocation.named("-argumentlist", "-args")
    made = (
        _spread(listed)
        if listed is not None
        else tuple(Thing((value,), thing.kind) for thing in positional[1:] for value in thing.values)
    )
    if kind is None:
        return unsure("an object", invocation.piped.taint)
    if "(" in kind:
        kind = kind.partition("(")[0]
    return dotnet.construct(invocation.walker, kind, list(made), here(), invocation.scope, invocation.context)


# --- the session ---------------------------------------------------------------------------------------------------


def location(invocation: WindowsInvocation) -> Thing:
    """`Set-Location`: paths behind it are read from there."""
    operands = invocation.arguments.operands
    value = operands[0].readings()[0] if operands and operands[0].known else None
    if operands and value is None:
        invocation.scope.cwd = None
    elif value is not None and value != "-":
        invocation.scope.cwd = invocation.scope.resolve(value)
    elif not operands:
        invocation.scope.cwd = invocation.scope.home
    return NONE


def set_variable(invocation: WindowsInvocation) -> Thing:
    """`Set-Variable`, `New-Variable`."""
    positional = [entry.thing for entry in invocation.given if not entry.name]
    named = invocation.named("-name")
    name = (named if named is not None else positional.pop(0) if positional else NONE).exact
    value = invocation.named("-value")
    if name is not None:
        invocation.scope.things[name.lower()] = (
            value if value is not None else positional[0] if positional else invocation.piped
        )
    return NONE


def get_variable(invocation: WindowsInvocation) -> Thing:
    """`Get-Variable`."""
    name = invocation.arguments.operands[0].exact if invocation.arguments.operands else None
    return invocation.scope.things.get(name.lower(), NONE) if name is not None else NONE


def alias(invocation: WindowsInvocation) -> Thing:
    """`Set-Alias`, `New-Alias`: another name for a command, seen when it is called."""
    operands = [value.exact for value in invocation.arguments.operands]
    name = (invocation.named("-name") or Thing((known(operands[0] or ""),) if operands else ())).exact
    value = (invocation.named("-value") or Thing((known(operands[1] or ""),) if len(operands) > 1 else ())).exact
    if name and value:
        from phocinae_cli.analysis.windows.tree import parse_powershell

        parsed = parse_powershell(f"function {name} {{ & '{value}' @args }}")
        node = parsed.root
        while node.type != "function_statement" and node.named_children:
            node = node.named_children[0]
        if node.type == "function_statement":
            invocation.scope.blocks[name.lower()] = (node, parsed.source)
    return NONE


def unseen_block(invocation: WindowsInvocation) -> Thing | None:
    """`Register-…Event`, `New-PSSessionOption` …: blocks that run later count as run."""
    for block in invocation.blocks():
        invocation.walker.run_block(block, invocation.scope, invocation.context)
    return None


def module(invocation: WindowsInvocation) -> Thing | None:
    """`Import-Module`: what another machine holds or sent runs here as it is loaded."""
    from phocinae_cli.analysis.windows import files
    from phocinae_cli.analysis.windows.paths import located

    scope = invocation.scope
    named = invocation.named("-name")
    for value in [*invocation.arguments.operands, *(named.values if named is not None else ())]:
        path = located(value, scope.home)
        if leaving.is_foreign(scope, path) or (path.exact is not None and files.was_fetched(scope, path.exact)):
            return from_stream(runs.unseen(invocation, Stream(None, frozenset(("network",))), value.text))
    return None


def add_type(invocation: WindowsInvocation) -> Thing:
    """`Add-Type`: a library of the framework, or source code that nobody reads here."""
    source = invocation.named("-typedefinition", "-memberdefinition", "-path", "-literalpath")
    shown = [entry.thing for entry in invocation.given if not entry.name]
    if source is None and invocation.named("-assemblyname") is None and shown:
        source = shown[0]
    if source is not None and source.values:
        if "network" in source.taint or any(leaving.is_foreign(invocation.scope, value) for value in source.values):
            taint = frozenset(("network",))
            return from_stream(runs.unseen(invocation, Stream(None, taint), "source code from the network"))
        invocation.effect(
            "run-unknown-code", "C#", "code.unread-language", "nobody reads this language here", certain=False
        )
    return NONE


HANDLERS: dict[str, Handler] = {
    "ps-objects": objects, "ps-pass": passing, "ps-each": each, "ps-list": listing, "ps-item": item,
    "ps-content": content, "ps-search": searched, "ps-write": written, "ps-store": store,
    "ps-expression": expression, "ps-blocks": blocks,
    "ps-start": start, "ps-task": task, "ps-task-action": schedule.action, "ps-task-object": schedule.task,
    "ps-register-task": schedule.register, "ps-source": sources.registered, "ps-install": sources.installed,
    "ps-rename": provider.rename, "ps-make": make, "ps-location": location, "ps-set-variable": set_variable,
    "ps-get-variable": get_variable, "ps-alias": alias, "ps-join": joined, "ps-split": split_path,
    "ps-text": passing_text, "ps-processes": processes, "ps-stop-process": stop_process, "ps-services": services,
    "ps-wmi": wmi, "ps-wmi-remove": wmi_remove, "ps-wmi-call": wmi_call,
    "ps-drives": drives, "ps-temporary": temporary, "ps-service-list": service_list, "ps-later": unseen_block,
    "ps-add-type": add_type, "ps-import": module, "ps-policy-value": provider.policy_value,
    "ps-web": web.request, "ps-download": web.download, "ps-mail": web.mail,
    "ps-copy": provider.copy, "ps-new": provider.new_item, "ps-set-property": provider.set_property,
    "ps-remove-property": provider.remove_property, "ps-acl": provider.set_acl, "ps-remove": provider.remove,
    "ps-member": provider.add_member,
}  # fmt: skip
