"""Members of .NET types and objects: which only compute, which touch files, the network, other programs, the guard."""

from __future__ import annotations

from phocinae_cli.analysis.arguments import Arguments
from phocinae_cli.analysis.hosts import host_of
from phocinae_cli.analysis.sending import data_place
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import code, guards
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import MOST, NONE, Thing, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

PATH_MEMBERS = frozenset(
    ("fullname", "name", "path", "pspath", "basename", "directoryname", "providerpath", "pschildname", "directory",
     "parent", "source", "definition", "value", "providername", "logname", "log", "deviceid", "displayname", "root")
)  # fmt: skip
NUMBERS = frozenset(
    ("length", "count", "id", "pid", "statuscode", "owningprocess", "handle", "handles", "cpu", "year", "day", "month",
     "hour", "ticks", "size", "freespace", "exitcode", "status", "state", "enabled", "lastwritetime", "creationtime")
)  # fmt: skip
ENCODINGS = {
    "unicode": "utf-16-le",
    "utf8": "utf-8",
    "ascii": "ascii",
    "utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "default": "utf-8",
}
PROFILES = {
    "currentusercurrenthost": "~\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1",
    "currentuserallhosts": "~\\Documents\\PowerShell\\profile.ps1",
    "alluserscurrenthost": "C:\\Program Files\\PowerShell\\7\\Microsoft.PowerShell_profile.ps1",
    "allusersallhosts": "C:\\Program Files\\PowerShell\\7\\profile.ps1",
}
"""The scripts that PowerShell runs first, by the properties of `$PROFILE`."""
WEB_MEMBERS = frozenset(
    (
        "downloadstring", "downloaddata", "downloadfile", "downloadstringasync", "openread", "getstringasync",
        "getasync", "uploadstring", "uploadfile", "uploaddata", "uploadvalues", "postasync", "putasync", "send",
    )
)  # fmt: skip


def stand_in(
    walker: Walker, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> WindowsInvocation:
    """Return an invocation that stands for a call of a member, so that its effects have an action."""
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

    argv = (known(name), *(argument.one() for argument in arguments))
    spot = walker.span(node, context)
    found = WindowsInvocation(walker, name, None, argv, Arguments("words"), scope, spot, NONE, EMPTY)
    found.action.described = True
    return found


# --- types -------------------------------------------------------------------------------------------------------


def property_of(thing: Thing, name: str) -> Thing:
    """Return a property of a thing."""
    low = name.lower()
    if thing.table is not None and low in thing.table:
        return thing.table[low]
    if low in ("length", "count") and thing.exact is not None and thing.kind != "files":
        return text(str(len(thing.exact))) if low == "length" else unsure("a number", name_only=True)
    if low in PROFILES and thing.one().text.lower().endswith("profile.ps1"):
        return text(PROFILES[low])
    if low == "historysavepath":
        return text("~\\AppData\\Roaming\\Microsoft\\Windows\\PowerShell\\PSReadLine\\ConsoleHost_history.txt")
    if low == "standardinput":
        return Thing((known("standard input"),), "process-input")
    if low == "basestream":
        return thing
    if low in NUMBERS:
        return unsure(f"a {low}", NOTHING, thing.kind, name_only=True)
    if low in PATH_MEMBERS:
        return Thing(thing.values, thing.kind)
    if low in ("windows", "shell"):
        return Thing(thing.values, thing.kind)
    if thing.kind.startswith("type:") or low == "assembly":
        return unsure(f"{thing.one().text}.{name}", thing.taint, thing.kind or "type:")
    if thing.table is not None:
        return NONE
    return unsure(thing.one().unknown_why() or f"the property {name}", thing.taint, thing.kind)


def set_member(walker: Walker, node: Node, value: Thing, scope: WindowsScope, context: Context) -> None:
    """Judge `$object.Member = value`."""
    from phocinae_cli.analysis.windows import expressions
    from phocinae_cli.analysis.windows.tree import content

    if not node.named_children:
        return
    target = expressions.evaluate(walker, node.named_children[0], scope, context)
    name = content(node.named_children[-1]).strip("'\"").lower()
    if name == "commandtext" and target.table is None:  # a command for a database, whoever made it
        target.table = {}
    if node.type == "member_access" and target.table is not None:
        target.table[name] = value
    elif node.type == "element_access" and target.table is not None and len(node.named_children) > 1:
        key = expressions.evaluate(walker, node.named_children[-1], scope, context).exact
        if key is not None:
            target.table[key.lower()] = value


def call(
    walker: Walker, thing: Thing, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    """Judge a method call on a thing and return what it gives."""
    low = name.lower()
    kind = thing.kind
    if thing.block is not None and low in ("invoke", "invokereturnasis", "getnewclosure"):
        return walker.run_block(thing, scope, context, NONE, tuple(arguments)) if low != "getnewclosure" else thing
    if kind == "code" and low.startswith("invoke"):
        invocation = stand_in(walker, "[scriptblock]", arguments, node, scope, context)
        return code.run_code(walker, invocation, "powershell", thing.one(), scope, "scriptblock")
    from phocinae_cli.analysis.windows import machine, objects

    found = objects.call(objects.Call(walker, thing, name, arguments, node, scope, context))
    if found is not None:
        return found
    if low in WEB_MEMBERS:
        return _web(walker, thing, low, arguments, node, scope, context)
    if kind == "encoding" and low in ("getstring", "getbytes") and arguments:
        return _encoded(thing, low, arguments[0])
    if low in ("delete", "remove", "delete_") and kind.startswith(
        ("win32_shadow", "wmi:win32_shadow", "wmiclass:win32_shadow")
    ):
        invocation = stand_in(walker, "Win32_ShadowCopy.Delete", arguments, node, scope, context)
        invocation.effect(
            "backup-destroy", "shadow copies", "shadowcopy.delete", "nothing can be restored from them any more"
        )
        return NONE
    if low in ("createinstance", "spawninstance_", "spawninstance") and machine.runs_on_events(
        f"{kind} {thing.one().text}"
    ):
        machine.subscribed(stand_in(walker, name, arguments, node, scope, context))
        return NONE
    if low == "clearlog":
        invocation = stand_in(walker, "ClearLog", arguments, node, scope, context)
        invocation.effect("evidence", "an event log", "eventlog.clear", "what happened here can't be seen any more")
        return NONE
    if kind == "files" and low in ("delete", "moveto", "copyto"):
        invocation = stand_in(walker, f"FileInfo.{name}", arguments, node, scope, context)
        for value in thing.values:
            if low != "copyto":
                invocation.path_effect(
                    "delete" if low == "delete" else "move", value, bool(arguments), code=f"dotnet.{low}", why=""
                )
        return NONE
    if low == "setvalue" and ("type:" in kind or guards.inside(thing)):
        invocation = stand_in(walker, "SetValue", arguments, node, scope, context)
        guard = guards.inside(thing)
        if guard:
            invocation.effect("security-off", guard, "amsi.bypass", guards.WHY)
        else:
            shown = thing.one().text.lower()[:60]
            why = "sets something inside a type by reflection"
            invocation.effect("run-unknown-code", shown, "dotnet.reflection", why, certain=False)
        return NONE
    if low == "getvalue" and kind.startswith("type:"):
        if guards.inside(thing) == guards.LOGGING:  # what it gives is the policy itself, to be changed in its place
            invocation = stand_in(walker, "GetValue", arguments, node, scope, context)
            invocation.effect("security-off", guards.LOGGING, "amsi.bypass", guards.WHY)
        return thing
    if low in ("gettype", "getfield", "getmethod", "getproperty") and arguments:
        return guards.reflected(thing, low, arguments)
    if low == "invoke" and thing.made and thing.one().text.startswith("type ") and arguments:
        rest = [Thing((value,)) for argument in arguments[1:] for value in argument.values]
        return call(walker, arguments[0], thing.made[0].exact or name, rest, node, scope, context)
    if low in ("create", "invokemethod", "execquery") and kind.startswith(
        ("wmiclass:win32_process", "management.managementclass")
    ):
        invocation = stand_in(walker, "Win32_Process.Create", arguments, node, scope, context)
        return (
            code.run_code(walker, invocation, "cmd", arguments[0].one(), scope.copy(), "Win32_Process")
            if arguments
            else NONE
        )
    if kind.startswith(("wscript.shell", "shell.application", "mmc20.application")) or low in (
        "shellexecute",
        "executeshellcommand",
    ):
        return _com(walker, thing, low, arguments, node, scope, context)
    if low in (
        "kill",
        "terminate",
        "stop",
        "disableuser",
        "shutdown",
        "reboot",
        "win32shutdown",
        "uninstall",
        "stopservice",
        "changestartmode",
    ):
        return _ends(walker, thing, low, arguments, node, scope, context)
    if kind == "net.sockets.tcpclient" and low == "getstream":
        return Thing(thing.values, "net.stream")
    if kind == "net.stream" and low in ("read", "readline", "write", "flush"):
        return NONE if low in ("write", "flush") else thing
    if low == "read" and kind.startswith("net."):
        return thing
    if low in (
        "replace",
        "tolower",
        "toupper",
        "trim",
        "trimend",
        "trimstart",
        "tostring",
        "substring",
        "insert",
        "padleft",
        "remove",
        "split",
        "tochararray",
    ):
        return _text(thing, low, arguments)
    if kind in ("diagnostics.process", "system.diagnostics.process") and low == "start":
        from phocinae_cli.analysis.windows.dotnet import start_process

        return start_process(walker, [(thing.table or {}).get("startinfo", NONE)], node, scope, context)
    if low in ("invokescript", "invokecommand") and arguments:
        invocation = stand_in(walker, "InvokeScript", arguments, node, scope, context)
        return code.run_code(walker, invocation, "powershell", arguments[0].one(), scope, "InvokeScript")
    if low in ("addscript", "addcommand") and arguments:
        return Thing(arguments[0].values, "code")
    if low in ("foreach", "where") and arguments and arguments[0].block is not None:
        out = walker.run_block(arguments[0], scope, context, thing)
        return out if low == "foreach" else thing
    for argument in arguments:
        if argument.block is not None:
            walker.run_block(argument, scope, context)
    return unsure(thing.one().unknown_why() or f"what {name} gives", thing.taint | taint_of(arguments), kind)


def taint_of(arguments: list[Thing]) -> frozenset[str]:
    """Return what the arguments of a call came from."""
    found = NOTHING
    for argument in arguments:
        found |= argument.taint
    return found


def _web(
    walker: Walker, thing: Thing, low: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    invocation = stand_in(walker, f"WebClient.{low}", arguments, node, scope, context)
    address = arguments[0].one() if arguments else known("")
    local = (host_of(address.text) or "") in ("localhost", "127.0.0.1", "::1")
    answer = Thing(
        (
            Value(
                unsure(f"what {address.text} sends").values[0].parts,
                False,
                NOTHING if local else frozenset(("network",)),
            ),
        )
    )
    if low == "downloadfile" and len(arguments) > 1:
        save(invocation, arguments[1].one(), answer.taint, "webclient.download")
        return NONE
    if low.startswith(("upload", "post", "put")) and arguments:
        data = arguments[-1]
        taint = data.taint
        if low == "uploadfile":
            taint |= walker.collector.content(located(data.one(), scope.home), scope).taint
        place = "local" if local else data_place(taint, False)
        invocation.effect("send", data.one().text, "webclient.upload", "data leaves this machine", place=place)
    return answer


def save(invocation: WindowsInvocation, value: Value, taint: frozenset[str], label: str) -> None:
    """Record that a file is written with what another machine sent."""
    scope = invocation.scope
    place = located(value, scope.home)
    invocation.path_effect("create", place, code=label, why="a download is saved there")
    path = scope.resolve(place.readings()[0]) if place.readings() else None
    if path is not None:
        scope.files[path] = Stream(None, taint, f"what was downloaded to {value.text}")
        code.planted(invocation.walker, path, scope.files[path], scope, invocation.action, invocation.context)


def _encoded(thing: Thing, low: str, argument: Thing) -> Thing:
    if low == "getbytes":
        encoded = Thing(argument.values, "bytes")
        encoded.made = (thing,)
        return encoded
    plain = argument.exact
    encoding = ENCODINGS.get((thing.exact or "").lower(), "utf-8")
    if argument.kind == "base64" and plain is not None:
        found = code.from_base64(plain, encoding)
        return text(found, argument.taint) if found is not None else unsure("decoded data", argument.taint)
    if argument.values and all((value.exact or "x").isdigit() and int(value.text) < 256 for value in argument.values):
        try:
            return text(bytes(int(value.text) for value in argument.values).decode(encoding), argument.taint)
        except UnicodeDecodeError:
            return unsure("decoded data", argument.taint)
    return Thing(argument.values) if argument.kind == "bytes" else unsure("decoded data", argument.taint)


def _com(
    walker: Walker, thing: Thing, low: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    if low in ("run", "exec", "shellexecute", "executeshellcommand") and arguments:
        invocation = stand_in(walker, f"{thing.kind}.{low}", arguments, node, scope, context)
        words = Thing(tuple(argument.one() for argument in arguments if argument.exact != "0" and argument.values))
        return code.run_code(walker, invocation, "cmd", words.one(), scope.copy(), thing.kind)
    if low in ("regwrite", "regdelete") and arguments:
        from phocinae_cli.analysis.windows import registry

        invocation = stand_in(walker, f"{thing.kind}.{low}", arguments, node, scope, context)
        key, _, value = arguments[0].one().text.rpartition("\\")
        if low == "regwrite":
            registry.judge_write(invocation, known(key), value, arguments[1].one() if len(arguments) > 1 else known(""))
        else:
            registry.judge_delete(invocation, known(key), value)
        return NONE
    return unsure(f"{thing.kind}.{low}", thing.taint, thing.kind)


def _ends(
    walker: Walker, thing: Thing, low: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    invocation = stand_in(walker, f"{thing.kind or 'object'}.{low}", arguments, node, scope, context)
    if low in ("win32shutdown", "shutdown", "reboot"):
        invocation.effect("power", "the machine", "power.call", "everything that runs here stops")
    elif low == "uninstall":
        invocation.effect("uninstall", thing.one().text, "program.uninstall", "removes a program")
    elif low in ("stopservice", "changestartmode", "stop"):
        invocation.effect("service", thing.one().text, "service.call", "whoever uses the service notices")
    else:
        invocation.effect("kill", thing.one().text, "process.kill", "unsaved work in it is lost")
    return NONE


def _text(thing: Thing, low: str, arguments: list[Thing]) -> Thing:
    found = thing.exact
    exact = [argument.exact for argument in arguments]
    if found is None or None in exact:
        return Thing(thing.values, thing.kind if low in ("trim", "tostring", "tolower") else "")
    words = [item for item in exact if item is not None]
    if low == "replace" and len(words) == 2:
        return text(found.replace(words[0], words[1]) if words[0] else found, thing.taint)
    if low in ("tolower", "toupper"):
        return text(found.lower() if low == "tolower" else found.upper(), thing.taint)
    if low in ("trim", "trimend", "trimstart"):
        return text(found.strip(words[0] if words else None), thing.taint)
    if low == "substring" and words and all(word.isdigit() for word in words):
        start = int(words[0])
        return text(found[start : start + int(words[1])] if len(words) > 1 else found[start:], thing.taint)
    if low == "split" and words and words[0]:
        return Thing(tuple(known(part, thing.taint) for part in found.split(words[0])[:MOST]))
    if low == "tochararray":
        return Thing(tuple(known(char, thing.taint) for char in found[:MOST]), "chars")
    if low == "tostring":
        return thing
    return unsure(f"what {low} gives", thing.taint)
