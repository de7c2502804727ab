"""Cmdlets that pass objects on: lists, filters, loops, and what they read and write."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.values import NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import code, leaving, members
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import MOST, NONE, Thing, from_stream, join, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

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
            return members.call(invocation.walker, item, name, [], here(), invocation.scope, invocation.context)
        return members.property_of(item, name) if name is not None else item
    return out


def here() -> Node:
    """Return what stands for a node where the span is known already."""
    return Spot()  # type: ignore[return-value]


class Spot:
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
        if leaving.is_foreign(invocation.scope, value) and stream.text is None:
            stream = Stream(None, stream.taint | {"network"}, stream.why)
        found = (
            from_stream(stream)
            if stream.text is not None
            else unsure(stream.why or "the content of a file", stream.taint)
        )
        out = found if out is NONE else out.also(found)
    return out


def searched(invocation: WindowsInvocation) -> Thing | None:
    """`Select-String`: piped files are searched for what they hold; piped text is passed on."""
    if invocation.piped.kind == "files":
        invocation.arguments.operands.extend(located(value, invocation.scope.home) for value in invocation.piped.values)
    return None


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
            scope = invocation.scope
            code.planted(invocation.walker, path, scope.files[path], scope, invocation.action, invocation.context)
    return data if invocation.name.startswith("tee") else NONE


# --- what runs something -----------------------------------------------------------------------------------------


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
