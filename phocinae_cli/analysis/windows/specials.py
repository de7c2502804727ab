"""Cmdlets that no row can describe: what they pass on, what they run, what they do to piped objects."""

from __future__ import annotations

from phocinae_cli.analysis import infer, runs
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import code, members, provider, web
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import MOST, NONE, Thing, from_stream, join, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.windows.cmdlets import WindowsInvocation

    Handler = Callable[[WindowsInvocation], Thing | None]


def rows(invocation: WindowsInvocation) -> Thing:
    """Return what the rows of the knowledge base give for an invocation."""
    assert invocation.tool is not None
    return from_stream(infer.apply_rows(invocation, invocation.tool))


# --- what flows through a pipe ---------------------------------------------------------------------------------


def objects(invocation: WindowsInvocation) -> Thing | None:
    """Piped objects are what the cmdlet works on, unless it is told otherwise."""
    if not invocation.arguments.operands and invocation.piped.values:
        invocation.arguments.operands = [located(value, invocation.scope.home) for value in invocation.piped.values]
    return None


def passing(invocation: WindowsInvocation) -> Thing:
    """Filters pass on what they get; the blocks they are given run with `$_` set."""
    piped = invocation.piped
    given = invocation.named("-inputobject")
    source = given if given is not None else piped
    for block in invocation.blocks():
        invocation.walker.run_block(block, invocation.scope, invocation.context, source)
    for item in invocation.given:
        if item.thing.table is not None:
            for entry in item.thing.table.values():
                if entry.block is not None:
                    invocation.walker.run_block(entry, invocation.scope, invocation.context, source)
    if source.kind == "services" and not any(value.known for value in source.values) and invocation.name[0] in "w?":
        source = Thing(tuple(known(found) for found in _literals(invocation)) or source.values, "services")
    kind = source.kind.removeprefix("all-") if invocation.name.startswith(("where", "?", "select")) else source.kind
    found = Thing(source.values, kind)
    found.table = source.table
    return found


def _literals(invocation: WindowsInvocation) -> list[str]:
    """Return the texts that a filter compares with."""
    found: list[str] = []
    for item in invocation.given:
        if item.thing.block is not None:
            text = item.thing.exact or ""
            for mark in "'\"":
                found.extend(text.split(mark)[1::2])
        elif item.thing.exact is not None:
            found.append(item.thing.exact)
    return [
        text for text in found if len(text.strip("*")) > 3 and text.lower() not in ("name", "status", "displayname")
    ]


def each(invocation: WindowsInvocation) -> Thing:
    """`ForEach-Object`: the blocks run for every object; a bare word is a member."""
    out = NONE
    item = invocation.piped
    given = invocation.named("-inputobject")
    item = given if given is not None else item
    blocks = invocation.blocks()
    for block in blocks:
        out = out.also(
            invocation.walker.run_block(
                block,
                invocation.scope,
                invocation.context,
                item if item is not NONE else unsure("what flows through the pipe"),
            )
        )
    if not blocks and invocation.given:
        name = next((entry.thing.exact for entry in invocation.given if not entry.name and entry.thing.exact), None)
        name = name or (invocation.named("-membername") or NONE).exact
        if name is not None and name.lower() in ("delete", "kill", "terminate"):
            return members.call(
                invocation.walker, item, name, [], _node(invocation), invocation.scope, invocation.context
            )
        return members.property_of(item, name) if name is not None else item
    return out


def _node(invocation: WindowsInvocation):  # type: ignore[no-untyped-def]
    return _Spot()


class _Spot:
    """Stands for a node where the span is known already."""

    start_byte = 0
    text = b""


def listing(invocation: WindowsInvocation) -> Thing:
    """`Get-ChildItem`: the files below what it is given, as far as a pattern can say."""
    invocation.action.notes.append("lists")
    operands = invocation.arguments.operands or list(invocation.piped.values)
    first = operands[0] if operands else known(".")
    head = first.text.lower()
    if head.startswith("env:"):
        return unsure("the environment", frozenset(("environment",)), name_only=False)
    pattern = invocation.arguments.value("-include", "-filter")
    name = (
        pattern.text
        if pattern is not None
        else (
            operands[1].text if len(operands) > 1 and invocation.tool is not None and "*" in operands[1].text else "*"
        )
    )
    wanted = invocation.arguments.values("-include") or [known(name)]
    folders = [value for value in operands if value.text != name] or [known(".")]
    found: list[Value] = []
    for folder in folders[:MOST]:
        shown = folder.text
        if "*" in shown.replace("\\", "/").rpartition("/")[2] and pattern is None:
            found.append(folder)
            continue
        for part in wanted:
            found.append(join([*_plain_parts(folder), "\\", *part.parts], folder.taint))
    return Thing(tuple(found[:MOST]), "files")


def _plain_parts(value: Value) -> tuple:  # type: ignore[type-arg]
    return (value.text.rstrip("\\/"),) if value.known else value.parts


def item(invocation: WindowsInvocation) -> Thing:
    """`Get-Item`, `Resolve-Path`, `Convert-Path`: the thing that is named."""
    operands = invocation.arguments.operands or list(invocation.piped.values)
    return Thing(tuple(known(value.text, value.taint) if value.known else value for value in operands), "files")


def drives(invocation: WindowsInvocation) -> Thing:
    """`Get-PSDrive`, `Get-Volume`: the system's drive among others, unless one is named."""
    named = invocation.arguments.operands or invocation.arguments.values("-name", "-driveletter")
    shown = [value.text.rstrip(":\\") + ":\\" for value in named if value.known] or ["C:\\"]
    return Thing(tuple(known(text) for text in shown), "files")


def temporary(invocation: WindowsInvocation) -> Thing:
    """`New-TemporaryFile`: a new file where temporary work is written."""
    folder = invocation.scope.environment("TEMP").exact or "C:\\Windows\\Temp"
    return Thing((known(folder + "\\tmp1A2B.tmp"),), "files")


def service_list(invocation: WindowsInvocation) -> Thing:
    """`Get-Service`: the services that are named, or all."""
    named = invocation.arguments.operands or invocation.arguments.values("-name", "-displayname")
    return (
        Thing(tuple(known(value.text) for value in named), "services")
        if named
        else unsure("a service", kind="services")
    )


def content(invocation: WindowsInvocation) -> Thing:
    """`Get-Content`: what the files hold."""
    collector = invocation.walker.collector
    operands = invocation.arguments.operands or [
        located(value, invocation.scope.home) for value in invocation.piped.values
    ]
    out = NONE
    rows(invocation)
    for value in operands:
        path = invocation.scope.resolve(value.readings()[0]) if value.readings() and value.known else None
        stream = invocation.scope.files.get(path) if path is not None else None
        if stream is None:
            stream = collector.content(value, invocation.scope)
        found = (
            from_stream(stream)
            if stream.text is not None
            else unsure(stream.why or "the content of a file", stream.taint)
        )
        out = found if out is NONE else out.also(found)
    return out


def written(invocation: WindowsInvocation) -> Thing:
    """`Write-Output`: passes on what it is given."""
    out = NONE
    for entry in invocation.given:
        if not entry.name:
            out = entry.thing if out is NONE else out.also(entry.thing)
    given = invocation.named("-inputobject")
    return given if given is not None else out if out is not NONE else invocation.piped


def store(invocation: WindowsInvocation) -> Thing:
    """`Set-Content`, `Add-Content`, `Out-File`, `Tee-Object`: what is written may be run later."""
    operands = invocation.arguments.operands
    value = (invocation.named("-value", "-inputobject") or NONE) if invocation.given else NONE
    if value is NONE and len(operands) > 1 and not invocation.name.startswith(("out", "tee", "export")):
        value = Thing(tuple(operands[1:]))
        invocation.arguments.operands = operands[:1]
    data = value if value is not NONE else invocation.piped
    target = invocation.arguments.operands[:1]
    registry = target and target[0].text.lower().startswith(("env:", "function:", "alias:", "variable:"))
    if registry:
        invocation.scope.things[target[0].text.lower().replace("variable:", "").replace("\\", "")] = data
        return NONE
    for path_value in target:
        path = invocation.scope.resolve(path_value.readings()[0]) if path_value.known else None
        if path is not None:
            invocation.scope.files[path] = data.stream() if data is not NONE else Stream(None)
    rows(invocation)
    for path_value in target:
        path = invocation.scope.resolve(path_value.readings()[0]) if path_value.known else None
        if path is not None:
            code.planted(
                invocation.walker,
                path,
                invocation.scope.files[path],
                invocation.scope,
                invocation.action,
                invocation.context,
            )
    return data if invocation.name.startswith("tee") else NONE


# --- what runs something -----------------------------------------------------------------------------------------


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
        words.extend(_words(value))
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


def _words(value: Value) -> list[Value]:
    """Return the words that an argument of `-ArgumentList` becomes; unknown parts stay in theirs."""
    from phocinae_cli.analysis.windows.batch_syntax import split_words

    if value.exact is not None:
        return [known(word, value.taint) for word in split_words(value.text)]
    first = value.parts[0]
    if isinstance(first, str) and " " in first.strip():
        head, _, rest = first.lstrip().partition(" ")
        return [known(head), *_words(Value((rest, *value.parts[1:]), False, value.taint))]
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
        words.extend(_words(argument.one()))
    before = len(invocation.walker.collector.effects)
    if words:
        split = (
            _words(words[0])
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
    return members.construct(invocation.walker, kind, list(made), _Spot(), invocation.scope, invocation.context)  # type: ignore[arg-type]


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


def joined(invocation: WindowsInvocation) -> Thing:
    """`Join-Path`: a path of parts."""
    operands = [
        *(invocation.piped.values if invocation.piped is not NONE and len(invocation.arguments.operands) < 2 else ()),
        *invocation.arguments.operands,
    ]
    child = invocation.named("-childpath")
    values = [*operands, *(child.values if child is not None else ())]
    parts: list[object] = []
    taint = NOTHING
    for number, value in enumerate(values):
        if number:
            parts.append("\\")
        parts.extend(
            [value.text.rstrip("\\/")] if value.known and not number else [value.text] if value.known else value.parts
        )
        taint |= value.taint
    return Thing((join(parts, taint),)) if parts else unsure("a path")  # type: ignore[arg-type]


def split_path(invocation: WindowsInvocation) -> Thing:
    """`Split-Path`: a part of a path."""
    operands = invocation.arguments.operands or list(invocation.piped.values)
    if not operands or not operands[0].known:
        return unsure("part of a path", operands[0].taint if operands else NOTHING)
    shown = operands[0].text.replace("/", "\\").rstrip("\\")
    head, _, tail = shown.rpartition("\\")
    return text(tail if invocation.arguments.has("-leaf", "-leafbase") else head, operands[0].taint)


def passing_text(invocation: WindowsInvocation) -> Thing:
    """`Out-String`, `ConvertTo-Json`, `Out-Host`, …: the same content in another form."""
    given = invocation.named("-inputobject", "-string")
    source = given if given is not None else invocation.piped
    if not source.values and invocation.arguments.operands:
        source = Thing(tuple(invocation.arguments.operands))
    rows(invocation)
    if invocation.name.startswith(
        ("out-string", "convertfrom-json", "convertfrom-securestring", "convertto-securestring")
    ):
        return Thing(source.values, source.kind)
    taint = source.taint
    return unsure(source.one().unknown_why() or f"the output of {invocation.name}", taint) if source.values else NONE


# --- processes, services, WMI --------------------------------------------------------------------------------------


def processes(invocation: WindowsInvocation) -> Thing:
    """`Get-Process`: all of them, unless some are named."""
    named = invocation.arguments.operands or invocation.named("-name", "-id")
    if isinstance(named, Thing):
        return Thing(named.values, "processes")
    if named:
        return Thing(tuple(named), "processes")
    return unsure("every process", kind="all-processes")


VITAL_PROCESSES = frozenset(("lsass", "csrss", "wininit", "winlogon", "services", "smss", "svchost", "system"))


def stop_process(invocation: WindowsInvocation) -> Thing:
    """`Stop-Process`: one's own is risky, every one or one that Windows needs takes the machine down."""
    operands = invocation.arguments.operands
    named = invocation.named("-name", "-id", "-inputobject")
    things = named if named is not None else Thing(tuple(operands)) if operands else invocation.piped
    kind = things.kind or invocation.piped.kind
    names = [value.text.lower().removesuffix(".exe") for value in things.values]
    if kind == "all-processes" or "*" in names:
        invocation.effect(
            "kill-all",
            "every process",
            "process.kill-all",
            "the session ends with unsaved work",
            instead="name the process",
        )
    elif any(name in VITAL_PROCESSES for name in names):
        invocation.effect("power", " ".join(names), "process.kill-vital", "Windows stops without it")
    else:
        invocation.effect("kill", " ".join(names) or "a process", "process.kill", "unsaved work in it is lost")
    return NONE


def services(invocation: WindowsInvocation) -> Thing:
    """Services: one is risky; a guard of the system is not to be stopped."""
    named = invocation.named("-name", "-displayname", "-inputobject")
    things = (
        named
        if named is not None
        else Thing(tuple(invocation.arguments.operands))
        if invocation.arguments.operands
        else invocation.piped
    )
    names = [value.text for value in things.values] or ["a service"]
    provider.judge_service(invocation, names, _service_deed(invocation))
    return NONE


def _service_deed(invocation: WindowsInvocation) -> str:
    name = invocation.name
    if name.startswith(("stop", "remove", "suspend", "spsv")):
        return "remove" if name.startswith("remove") else "stop"
    if name.startswith("set"):
        kind = (invocation.named("-startuptype", "-startmode") or NONE).exact or ""
        status = (invocation.named("-status") or NONE).exact or ""
        return "disable" if kind.lower() == "disabled" else "stop" if status.lower() == "stopped" else "set"
    return "start"


def wmi(invocation: WindowsInvocation) -> Thing:
    """`Get-WmiObject`, `Get-CimInstance`: objects of a class."""
    named = invocation.named("-class", "-classname", "-query")
    kind = (
        named.exact
        if named is not None
        else (invocation.arguments.operands[0].exact if invocation.arguments.operands else None)
    )
    kind = (kind or "").lower()
    if kind.startswith("select"):
        kind = kind.partition(" from ")[2].split()[0] if " from " in kind else ""
    return unsure(kind or "an object", kind=kind)


def wmi_remove(invocation: WindowsInvocation) -> Thing:
    """`Remove-WmiObject`, `Remove-CimInstance`: what the object stands for goes."""
    named = invocation.named("-class", "-classname", "-query", "-inputobject", "-ciminstance")
    kind = invocation.piped.kind or (named.kind or named.one().text.lower() if named is not None else "")
    if "shadow" in kind:
        invocation.effect(
            "backup-destroy", "shadow copies", "shadowcopy.delete", "nothing can be restored from them any more"
        )
    else:
        invocation.effect("change", kind or "an object", "wmi.remove", "removes what the object stands for")
    return NONE


def wmi_call(invocation: WindowsInvocation) -> Thing:
    """`Invoke-WmiMethod`, `Invoke-CimMethod`: a method of a class or an object."""
    named = invocation.named("-class", "-classname", "-path", "-query")
    kind = ((named.one().text if named is not None else "") or invocation.piped.kind).lower()
    operands = [value.text for value in invocation.arguments.operands]
    method = ((invocation.named("-name", "-methodname") or NONE).exact or (operands[-1] if operands else "")).lower()
    arguments = invocation.named("-argumentlist", "-arguments", "-property", "-args")
    joined_text = " ".join([kind, *operands, method]).lower()
    if "win32_process" in joined_text and "create" in joined_text:
        if arguments is not None and arguments.values:
            found = (arguments.table or {}).get("commandline", arguments)
            value = found.values[0]
        else:
            candidates = [
                value
                for value in invocation.arguments.operands
                if value.text.lower() not in ("win32_process", "create")
            ]
            if not candidates:
                return NONE
            value = candidates[-1]
        scope = invocation.scope.copy()
        return code.run_code(
            invocation.walker,
            invocation,
            "cmd",
            known(value.text, value.taint) if value.known else value,
            scope,
            "Win32_Process",
        )
    if "shadow" in joined_text and method == "delete":
        invocation.effect(
            "backup-destroy", "shadow copies", "shadowcopy.delete", "nothing can be restored from them any more"
        )
    elif "win32shutdown" in joined_text or method in ("reboot", "shutdown"):
        invocation.effect("power", "the machine", "power.call", "everything that runs here stops")
    elif "msft_mppreference" in joined_text:
        invocation.effect("security-off", "Defender", "defender.settings", "Defender no longer sees what it should")
    elif method.startswith("get"):
        return unsure("an object", kind=kind)
    else:
        invocation.effect("change", f"{kind} {method}".strip(), "wmi.call", "calls a method that may change anything")
    return NONE


def unseen_block(invocation: WindowsInvocation) -> Thing | None:
    """`Register-…Event`, `New-PSSessionOption` …: blocks that run later count as run."""
    for block in invocation.blocks():
        invocation.walker.run_block(block, invocation.scope, invocation.context)
    return None


def add_type(invocation: WindowsInvocation) -> Thing:
    """`Add-Type`: a library of the framework, or source code that nobody reads here."""
    source = invocation.named("-typedefinition", "-memberdefinition", "-path", "-literalpath")
    shown = [entry.thing for entry in invocation.given if not entry.name]
    if source is None and invocation.named("-assemblyname") is None and shown:
        source = shown[0]
    if source is not None and source.values:
        if "network" in source.taint:
            return from_stream(runs.unseen(invocation, Stream(None, source.taint), "source code from the network"))
        invocation.effect(
            "run-unknown-code", "C#", "code.unread-language", "nobody reads this language here", certain=False
        )
    return NONE


def encoded_shell(invocation: WindowsInvocation) -> Thing:
    """`powershell`, `pwsh`, `cmd` called from here."""
    from phocinae_cli.analysis.windows.programs import run_shell

    return run_shell(invocation.walker, invocation, invocation.name, invocation.words, invocation.scope)


HANDLERS: dict[str, Handler] = {
    "ps-objects": objects, "ps-pass": passing, "ps-each": each, "ps-list": listing, "ps-item": item,
    "ps-content": content, "ps-write": written, "ps-store": store, "ps-expression": expression, "ps-blocks": blocks,
    "ps-start": start, "ps-task": task, "ps-make": make, "ps-location": location, "ps-set-variable": set_variable,
    "ps-get-variable": get_variable, "ps-alias": alias, "ps-join": joined, "ps-split": split_path,
    "ps-text": passing_text, "ps-processes": processes, "ps-stop-process": stop_process, "ps-services": services,
    "ps-wmi": wmi, "ps-wmi-remove": wmi_remove, "ps-wmi-call": wmi_call, "ps-drives": drives, "ps-temporary": temporary, "ps-service-list": service_list, "ps-later": unseen_block,
    "ps-add-type": add_type, "ps-web": web.request, "ps-download": web.download, "ps-mail": web.mail,
    "ps-copy": provider.copy, "ps-new": provider.new_item, "ps-set-property": provider.set_property,
    "ps-remove-property": provider.remove_property, "ps-acl": provider.set_acl, "ps-remove": provider.remove,
    "ps-member": provider.add_member,
}  # fmt: skip
