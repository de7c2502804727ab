"""Files that .NET opens: for reading, or for writing by the mode and the access that are asked for."""

from __future__ import annotations

from phocinae_cli.analysis.windows.members import stand_in
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import Thing, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

MODES = {"create": "overwrite", "truncate": "overwrite", "append": "append", "createnew": "create"}


def _word(thing: Thing) -> str:
    """Return the name of an enumeration's member, however it is written."""
    return thing.one().text.rpartition("::")[2].rpartition(".")[2].strip("[]'\" ").lower()


def deed(arguments: list[Thing]) -> str:
    """Return the kind of effect of opening `path, mode, access`: without an access it is for writing as well."""
    mode = _word(arguments[1]) if len(arguments) > 1 else "open"
    access = _word(arguments[2]) if len(arguments) > 2 else "readwrite"
    if access == "read":
        return "read"
    return MODES.get(mode, "write")


def stream(
    walker: Walker, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    """Judge `[IO.File]::Open(path, mode, access)` and the like; return the stream, with what the file holds."""
    value = arguments[0].one()
    kind = deed(arguments)
    if kind != "read":
        invocation = stand_in(walker, name, arguments, node, scope, context)
        invocation.path_effect(kind, value, code="dotnet.open", why="it is opened for writing")
    taint = walker.collector.content(located(value, scope.home), scope).taint
    return unsure(f"the content of {value.text}", taint, "io.filestream")


def writer(
    walker: Walker, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    """Judge `[IO.StreamWriter]::new(path, append)`; a stream or a socket in the place of the path is judged already."""
    target = arguments[0]
    if target.kind or target.taint:
        return Thing(target.values, "io.streamwriter")
    adds = len(arguments) > 1 and _word(arguments[1]) in ("true", "1")
    invocation = stand_in(walker, name, arguments, node, scope, context)
    invocation.path_effect(
        "append" if adds else "overwrite", target.one(), code="dotnet.open", why="it is opened for writing"
    )
    return Thing(target.values, "io.streamwriter")
