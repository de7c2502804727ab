"""Members of .NET types and objects: which only compute, which touch files, the network, other programs, the guard."""

from __future__ import annotations

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.arguments import Arguments
from phocinae_cli.analysis.hosts import host_of
from phocinae_cli.analysis.infer import data_place
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import code
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import MOST, NONE, Thing, from_stream, join, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.evaluate import Context
    from phocinae_cli.analysis.windows.cmdlets import WindowsInvocation
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
FILES = {  # member: what happens to which argument
    "delete": ("delete", 0), "writealltext": ("overwrite", 0), "writeallbytes": ("overwrite", 0),
    "writealllines": ("overwrite", 0), "appendalltext": ("append", 0), "appendalllines": ("append", 0),
    "create": ("overwrite", 0), "createtext": ("overwrite", 0), "appendtext": ("append", 0), "openwrite": ("write", 0),
    "copy": ("create", 1), "move": ("move", 0), "replace": ("overwrite", 1), "encrypt": ("write", 0),
    "setattributes": ("permissions", 0), "setaccesscontrol": ("permissions", 0), "createdirectory": ("create", 0),
}  # fmt: skip
READING = frozenset(("readalltext", "readallbytes", "readalllines", "readlines", "openread", "opentext", "open"))
ENCODINGS = {
    "unicode": "utf-16-le",
    "utf8": "utf-8",
    "ascii": "ascii",
    "utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "default": "utf-8",
}
RISKY_TYPES = (
    "system.reflection", "reflection.assembly", "microsoft.win32", "system.runtime.interopservices",
    "system.management",
    "management.", "system.serviceprocess", "system.codedom", "system.security.accesscontrol", "system.net",
    "system.io.pipes", "system.threading.thread", "system.appdomain", "appdomain", "wmi", "adsi",
    "system.directoryservices",
)  # fmt: skip


KNOWN_FOLDERS = {
    "mydocuments": "\\Documents", "desktop": "\\Desktop", "userprofile": "", "applicationdata": "\\AppData\\Roaming",
    "localapplicationdata": "\\AppData\\Local",
    "startup": "\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup",
}  # fmt: skip
WEB_MEMBERS = frozenset(
    (
        "downloadstring", "downloaddata", "downloadfile", "downloadstringasync", "openread", "getstringasync",
        "getasync", "uploadstring", "uploadfile", "uploaddata", "uploadvalues", "postasync", "putasync", "send",
    )
)  # fmt: skip


def type_name(written: str) -> str:
    """Return a type's name in lower case, without brackets and without `System.` in front."""
    return (
        written.strip().lower().removeprefix("[").removesuffix("]").removesuffix("[]").strip().removeprefix("system.")
    )


def _invocation(
    walker: Walker, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> WindowsInvocation:
    """Return an invocation that stands for a call of a member, so that its effects have an action."""
    from phocinae_cli.analysis.windows.cmdlets import WindowsInvocation

    argv = (known(name), *(argument.one() for argument in arguments))
    spot = walker.span(node, context)
    found = WindowsInvocation(walker, name, None, argv, Arguments("words"), scope, spot, NONE, EMPTY)
    found.action.described = True
    return found


# --- types -------------------------------------------------------------------------------------------------------


def call_static(
    walker: Walker, kind: str, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    """Judge `[Type]::Member(...)` and return what it gives."""
    low = name.lower()
    if kind in ("io.file", "io.directory"):
        return _files(walker, kind, low, arguments, node, scope, context)
    if kind == "convert" and low == "frombase64string" and arguments:
        value = arguments[0].one()
        return Thing((value,), "base64")
    if kind == "convert" and low in ("tochar", "tostring") and arguments:
        return cast(walker, "char", arguments[0], node, scope, context) if low == "tochar" else arguments[0]
    if kind == "io.path":
        if low in ("combine", "join") and arguments:
            return _combined(arguments)
        if low in ("gettemppath", "gettempfilename"):
            return scope.environment("TEMP") if low == "gettemppath" else text("C:\\Windows\\Temp\\x.tmp")
        return arguments[0] if arguments else unsure("a path")
    if kind == "environment":
        return _environment(walker, low, arguments, node, scope, context)
    if kind == "string" and low in ("join", "concat", "format") and arguments:
        return _string(low, arguments)
    if kind == "scriptblock" and low == "create" and arguments:
        return Thing(arguments[0].values, "code")
    if kind == "diagnostics.process" and low == "start" and arguments:
        return _start(walker, arguments, node, scope, context)
    if kind == "guid" or kind in (
        "math",
        "datetime",
        "timespan",
        "regex",
        "char",
        "int",
        "string",
        "bool",
        "xml",
        "enum",
    ):
        return unsure(f"[{kind}]::{name}", _taint(arguments), name_only=True)
    if low == "new":
        return construct(walker, kind, arguments, node, scope, context)
    taint = _taint(arguments)
    if kind.startswith(("reflection.assembly", "appdomain")) and low.startswith("load"):
        invocation = _invocation(walker, f"[{kind}]::{name}", arguments, node, scope, context)
        if "network" in taint:
            return from_stream(runs.unseen(invocation, Stream(None, taint), "a library from the network"))
        if low not in ("loadwithpartialname",):
            return code.unread(invocation, "the library that is loaded")
    if "system." + kind in _DANGEROUS or kind.startswith(tuple(_short(RISKY_TYPES))):
        return _unsure_member(walker, kind, name, arguments, node, scope, context)
    return unsure(f"[{kind}]::{name}", taint)


_DANGEROUS = frozenset(("system.runtime.interopservices.marshal",))


def _short(names: tuple[str, ...]) -> list[str]:
    return [name.removeprefix("system.") for name in names]


HARMLESS_MEMBERS = frozenset(
    ("securestringtobstr", "ptrtostringauto", "ptrtostringbstr", "zerofreebstr", "loadwithpartialname",
    "getassemblies", "currentdomain", "gethostname", "gethostentry",
     "gethostaddresses", "getfolderpath", "getcurrent", "gettype", "getprocesses", "getservices", "getvalue",
     "isosplatform",
     "urlencode", "htmlencode", "urldecode", "parse", "tryparse", "getmethods", "getallnetworkinterfaces",
     "todatetime", "todmtfdatetime")
)  # fmt: skip


def _unsure_member(
    walker: Walker, kind: str, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    if name.lower() not in HARMLESS_MEMBERS:
        invocation = _invocation(walker, f"[{kind}]::{name}", arguments, node, scope, context)
        invocation.effect(
            "run-unknown-code",
            f"[{kind}]::{name}",
            "dotnet.undescribed",
            "nobody has described what this member does",
            certain=False,
        )
    return unsure(f"[{kind}]::{name}", _taint(arguments))


def _files(
    walker: Walker, kind: str, low: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    if low in READING and arguments:
        return _read(walker, arguments[0], scope)
    if low in ("getfiles", "getdirectories", "enumeratefiles", "getfilesystementries") and arguments:
        folder = arguments[0].one()
        return Thing((join([*folder.parts, "\\*"]),), "files")
    deed = FILES.get(low)
    if deed is None or len(arguments) <= deed[1]:
        return unsure(f"[{kind}]::{low}", _taint(arguments), name_only=low == "exists")
    invocation = _invocation(walker, f"[{kind}]::{low}", arguments, node, scope, context)
    value = arguments[deed[1]].one()
    wide = kind == "io.directory" and low == "delete" and len(arguments) > 1
    invocation.path_effect(deed[0], value, wide, code=f"dotnet.{low}", why="a call of .NET asks no questions")
    if (
        low in ("copy", "move")
        and "secret" in walker.collector.content(located(arguments[0].one(), scope.home), scope).taint
    ):
        invocation.path_effect("show-secret", arguments[0].one(), code="copy.secret", why="a copy of a secret")
    if low.startswith(("write", "append")) and len(arguments) > 1:
        path = scope.resolve(located(value, scope.home).exact or "") if value.known else None
        if path is not None:
            scope.files[path] = (
                arguments[1].stream()
                if arguments[1].kind != "base64"
                else Stream(None, arguments[1].taint, "decoded data")
            )
            code.planted(walker, path, scope.files[path], scope, invocation.action, invocation.context)
    if low == "move" and len(arguments) > 1:
        invocation.path_effect("create", arguments[1].one(), code="dotnet.move", why="")
    return NONE


def _read(walker: Walker, thing: Thing, scope: WindowsScope) -> Thing:
    stream = walker.collector.content(located(thing.one(), scope.home), scope)
    if stream.text is not None:
        return text(stream.text.rstrip("\n"), stream.taint)
    return unsure(stream.why or "the content of a file", stream.taint)


def _combined(arguments: list[Thing]) -> Thing:
    from phocinae_cli.analysis.values import Unknown

    parts: list[str | Unknown] = []
    taint = NOTHING
    for number, argument in enumerate(arguments):
        value = argument.one()
        if number:
            parts.append("\\")
        parts.extend(value.parts)
        taint |= value.taint
    return Thing((join(parts, taint),))


def _environment(
    walker: Walker, low: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    if low == "getenvironmentvariable" and arguments:
        return scope.environment(arguments[0].exact or "?")
    if low == "getfolderpath" and arguments:
        folder = (arguments[0].exact or "").lower()
        if folder in ("system", "windows"):
            return text("C:\\Windows" + ("\\System32" if folder == "system" else ""))
        return text((scope.environment("USERPROFILE").exact or "~") + KNOWN_FOLDERS.get(folder, "\\Documents"))
    if low == "setenvironmentvariable" and len(arguments) > 1:
        name = arguments[0].exact or "?"
        scope.things["env:" + name.lower()] = arguments[1]
        if len(arguments) > 2 and (arguments[2].exact or "").lower().rpartition(".")[2] in ("user", "machine"):
            invocation = _invocation(walker, "[Environment]::SetEnvironmentVariable", arguments, node, scope, context)
            invocation.effect(
                "system-config", name, "environment.lasting", "every program started from now on sees it", undo="easy"
            )
        return NONE
    if low == "getenvironmentvariables":
        return unsure("the environment", frozenset(("environment",)))
    if low in ("exit", "failfast"):
        return NONE
    return unsure(f"[Environment]::{low}", name_only=True)


def _string(low: str, arguments: list[Thing]) -> Thing:
    if low == "join":
        rest = NONE
        for argument in arguments[1:]:
            rest = rest.also(argument)
        return Thing((rest.one(arguments[0].exact or ""),))
    if low == "format":
        from phocinae_cli.analysis.windows.expressions import formatted

        return formatted(arguments[0], tuple(argument.one() for argument in arguments[1:]))
    rest = NONE
    for argument in arguments:
        rest = rest.also(argument)
    return Thing((rest.one(""),))


def _start(walker: Walker, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context) -> Thing:
    from phocinae_cli.analysis.windows import cmdlets
    from phocinae_cli.analysis.windows.batch_syntax import split_words

    words = [arguments[0].one()]
    for argument in arguments[1:]:
        value = argument.one()
        words.extend(known(word) for word in split_words(value.exact)) if value.exact is not None else words.append(
            value
        )
    return cmdlets.run_words(walker, words, scope, walker.span(node, context), NONE, EMPTY)


def static_property(kind: str, name: str, scope: WindowsScope) -> Thing:
    """Return a static property: an encoding by its name, the current directory, else something plain."""
    low = name.lower()
    if kind == "text.encoding":
        return Thing((known(low),), "encoding")
    if kind == "environment":
        folder = {
            "currentdirectory": scope.cwd,
            "username": scope.user,
            "systemdirectory": "C:\\Windows\\System32",
            "newline": "\n",
        }.get(low)
        return text(folder) if folder is not None else unsure(f"[Environment]::{name}", name_only=True)
    if kind == "io.path" and low.endswith("separatorchar"):
        return text("\\")
    return unsure(f"[{kind}]::{name}", kind=f"type:{kind}", name_only=True)


def cast(walker: Walker, kind: str, thing: Thing, node: Node, scope: WindowsScope, context: Context) -> Thing:
    """Return a thing as another type: numbers become characters, text becomes a script block or an XML document."""
    if kind == "char" and thing.values and all((value.exact or "x").isdigit() for value in thing.values):
        chars = [chr(int(value.text)) for value in thing.values if int(value.text) < 0x110000]
        return Thing(tuple(known(char, thing.taint) for char in chars[:MOST]), "chars")
    if kind == "char" and thing.exact is not None and len(thing.exact) > 1:
        return Thing(tuple(known(char, thing.taint) for char in thing.exact[:MOST]), "chars")
    if kind == "scriptblock":
        return Thing(thing.values, "code") if thing.block is None else thing
    if kind == "string":
        return Thing((thing.one(),))
    if kind in ("wmiclass", "wmi", "adsi", "wmisearcher", "adsisearcher"):
        return Thing(thing.values, f"{kind}:{(thing.exact or '').lower()}")
    if kind in ("pscustomobject", "ordered", "hashtable", "psobject"):
        return thing
    if kind.rpartition(".")[2] in ("webclient", "process", "httpclient"):
        return construct(walker, kind, [thing], node, scope, context)
    if kind in ("void",):
        return NONE
    return thing


# --- objects ---------------------------------------------------------------------------------------------------------


def construct(
    walker: Walker, kind: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    """Return a new object of a type; one whose making matters is judged."""
    kind = type_name(kind)
    taint = _taint(arguments)
    if kind in ("net.sockets.tcpclient", "net.sockets.udpclient", "net.sockets.socket", "net.sockets.tcplistener"):
        invocation = _invocation(walker, f"New-Object {kind}", arguments, node, scope, context)
        host = arguments[0].exact if arguments else None
        if host not in ("localhost", "127.0.0.1", "::1"):
            invocation.effect("tunnel", host or kind, "dotnet.socket", "opens a connection that carries anything")
        return unsure("what the other side sends", frozenset(("network",)), kind)
    made = Thing((known(kind, taint),), kind)
    made.made = tuple(arguments)
    if kind in ("io.streamreader", "io.fileinfo", "io.directoryinfo") and arguments:
        if kind == "io.streamreader":
            return (
                Thing(_read(walker, arguments[0], scope).values, kind)
                if arguments[0].kind != "base64"
                else arguments[0]
            )
        return Thing(arguments[0].values, "files")
    if (
        kind in ("io.memorystream", "io.compression.gzipstream", "io.compression.deflatestream", "io.stringreader")
        and arguments
    ):
        return Thing(arguments[0].values, "packed")
    if kind in ("string", "uri", "version", "text.stringbuilder") and arguments:
        return arguments[0]
    return made


def property_of(thing: Thing, name: str) -> Thing:
    """Return a property of a thing."""
    low = name.lower()
    if thing.table is not None and low in thing.table:
        return thing.table[low]
    if low in ("length", "count") and thing.exact is not None and thing.kind != "files":
        return text(str(len(thing.exact))) if low == "length" else unsure("a number", name_only=True)
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
        invocation = _invocation(walker, "[scriptblock]", arguments, node, scope, context)
        return code.run_code(walker, invocation, "powershell", thing.one(), scope, "scriptblock")
    if low in WEB_MEMBERS:
        return _web(walker, thing, low, arguments, node, scope, context)
    if kind == "encoding" and low in ("getstring", "getbytes") and arguments:
        return _encoded(thing, low, arguments[0])
    if low in ("delete", "remove", "delete_") and kind.startswith(
        ("win32_shadow", "wmi:win32_shadow", "wmiclass:win32_shadow")
    ):
        invocation = _invocation(walker, "Win32_ShadowCopy.Delete", arguments, node, scope, context)
        invocation.effect(
            "backup-destroy", "shadow copies", "shadowcopy.delete", "nothing can be restored from them any more"
        )
        return NONE
    if low == "clearlog":
        invocation = _invocation(walker, "ClearLog", arguments, node, scope, context)
        invocation.effect("evidence", "an event log", "eventlog.clear", "what happened here can't be seen any more")
        return NONE
    if kind == "files" and low in ("delete", "moveto", "copyto"):
        invocation = _invocation(walker, f"FileInfo.{name}", arguments, node, scope, context)
        for value in thing.values:
            if low != "copyto":
                invocation.path_effect(
                    "delete" if low == "delete" else "move", value, bool(arguments), code=f"dotnet.{low}", why=""
                )
        return NONE
    if low in ("setvalue",) and ("type:" in kind or "amsi" in thing.one().text.lower()):
        joined = thing.one().text.lower()
        invocation = _invocation(walker, "SetValue", arguments, node, scope, context)
        if "amsi" in joined:
            invocation.effect("security-off", "AMSI", "amsi.bypass", "scripts are no longer scanned")
        else:
            invocation.effect(
                "run-unknown-code",
                joined[:60],
                "dotnet.reflection",
                "sets something inside a type by reflection",
                certain=False,
            )
        return NONE
    if low in ("gettype", "getfield", "getmethod", "getproperty") and arguments:
        member = arguments[0].one()
        return Thing((join(["type ", *thing.one().parts, " ", *member.parts]),), kind or "type:")
    if low in ("create", "invokemethod", "execquery") and kind.startswith(
        ("wmiclass:win32_process", "management.managementclass")
    ):
        invocation = _invocation(walker, "Win32_Process.Create", arguments, node, scope, context)
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
        return code.unread(
            _invocation(walker, "Process.Start", arguments, node, scope, context), "the program that is started"
        )
    if low in ("invokescript", "invokecommand") and arguments:
        invocation = _invocation(walker, "InvokeScript", arguments, node, scope, context)
        return code.run_code(walker, invocation, "powershell", arguments[0].one(), scope, "InvokeScript")
    if low in ("addscript", "addcommand") and arguments:
        return Thing(arguments[0].values, "code")
    if low in ("foreach", "where") and arguments and arguments[0].block is not None:
        out = walker.run_block(arguments[0], scope, context, thing)
        return out if low == "foreach" else thing
    for argument in arguments:
        if argument.block is not None:
            walker.run_block(argument, scope, context)
    return unsure(thing.one().unknown_why() or f"what {name} gives", thing.taint | _taint(arguments), kind)


def _taint(arguments: list[Thing]) -> frozenset[str]:
    found = NOTHING
    for argument in arguments:
        found |= argument.taint
    return found


def _web(
    walker: Walker, thing: Thing, low: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    invocation = _invocation(walker, f"WebClient.{low}", arguments, node, scope, context)
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
        return Thing(argument.values, "bytes")
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
        invocation = _invocation(walker, f"{thing.kind}.{low}", arguments, node, scope, context)
        words = Thing(tuple(argument.one() for argument in arguments if argument.exact != "0" and argument.values))
        return code.run_code(walker, invocation, "cmd", words.one(), scope.copy(), thing.kind)
    if low in ("regwrite", "regdelete") and arguments:
        from phocinae_cli.analysis.windows import registry

        invocation = _invocation(walker, f"{thing.kind}.{low}", arguments, node, scope, context)
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
    invocation = _invocation(walker, f"{thing.kind or 'object'}.{low}", arguments, node, scope, context)
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
