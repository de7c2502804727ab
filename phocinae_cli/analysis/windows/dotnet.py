"""Types of .NET by name: static members, casts and constructors."""

from __future__ import annotations

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, known
from phocinae_cli.analysis.windows import code, guards, leaving, opened
from phocinae_cli.analysis.windows.members import ENCODINGS, stand_in, taint_of
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import MOST, NONE, Thing, from_stream, join, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

FILES = {  # member: what happens to which argument
    "delete": ("delete", 0), "writealltext": ("overwrite", 0), "writeallbytes": ("overwrite", 0),
    "writealllines": ("overwrite", 0), "appendalltext": ("append", 0), "appendalllines": ("append", 0),
    "create": ("overwrite", 0), "createtext": ("overwrite", 0), "appendtext": ("append", 0), "openwrite": ("write", 0),
    "copy": ("create", 1), "move": ("move", 0), "replace": ("overwrite", 1), "encrypt": ("write", 0),
    "setattributes": ("permissions", 0), "setaccesscontrol": ("permissions", 0), "createdirectory": ("create", 0),
}  # fmt: skip
READING = frozenset(("readalltext", "readallbytes", "readalllines", "readlines", "openread", "opentext"))
RISKY_TYPES = (
    "system.reflection", "reflection.assembly", "microsoft.win32", "system.runtime.interopservices",
    "system.management",
    "management.", "system.serviceprocess", "system.codedom", "system.security.accesscontrol", "system.net",
    "system.io.pipes", "system.threading.thread", "system.appdomain", "appdomain", "wmi", "adsi",
    "system.directoryservices",
)  # fmt: skip


SAFE_TYPES = (
    "management.automation.language.", "management.automation.psparser", "management.automation.wildcardpattern",
    "net.ipaddress", "net.networkinformation.", "net.webutility", "net.mail.mailaddress", "reflection.assemblyname",
    "runtime.interopservices.runtimeinformation", "management.automation.semanticversion", "collections.",
    "stringcomparison", "net.cookie",
)  # fmt: skip
"""Types whose static members only compute."""
JUDGED_TYPES = (
    "microsoft.win32.registry", "microsoft.win32.registrykey", "net.dns", "security.cryptography.protecteddata",
    "diagnostics.eventlog", "microsoft.visualbasic.fileio.filesystem",
)  # fmt: skip
PLAIN_TYPES = frozenset(
    ("console", "regex", "text.regularexpressions.regex", "string", "io.file", "io.path", "convert")
)
"""Types whose members look at text, whatever it speaks of."""
KNOWN_FOLDERS = {
    "mydocuments": "\\Documents", "desktop": "\\Desktop", "userprofile": "", "applicationdata": "\\AppData\\Roaming",
    "localapplicationdata": "\\AppData\\Local",
    "startup": "\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup",
}  # fmt: skip


def type_name(written: str) -> str:
    """Return a type's name in lower case, without brackets and without `System.` in front."""
    return (
        written.strip().lower().removeprefix("[").removesuffix("]").removesuffix("[]").strip().removeprefix("system.")
    )


def call_static(
    walker: Walker, kind: str, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    """Judge `[Type]::Member(...)` and return what it gives."""
    low = name.lower()
    guard = guards.patched(low, arguments) if kind not in PLAIN_TYPES else ""
    if guard:
        invocation = stand_in(walker, f"[{kind}]::{name}", arguments, node, scope, context)
        invocation.effect("security-off", guard, "amsi.bypass", guards.WHY)
        return NONE
    if low in ("getfield", "getmethod", "getproperty", "getfields") and kind != "type":
        return guards.reflected(Thing((known(kind),), f"type:{kind}"), low, arguments)
    if kind in ("io.file", "io.directory"):
        return _files(walker, kind, low, arguments, node, scope, context)
    if kind == "convert" and low == "frombase64string" and arguments:
        value = arguments[0].one()
        return Thing((value,), "base64")
    if kind == "convert" and low == "tobase64string" and arguments and arguments[0].exact is not None:
        encoding = (arguments[0].made[0].exact if arguments[0].made else None) or "utf-8"
        return text(code.to_base64(arguments[0].exact, ENCODINGS.get(encoding.lower(), "utf-8")), taint_of(arguments))
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
        return start_process(walker, arguments, node, scope, context)
    if kind in JUDGED_TYPES:
        from phocinae_cli.analysis.windows import objects

        made = objects.Call(walker, Thing((known(kind),)), name, arguments, node, scope, context)
        found = objects.call_static(made, kind)
        if found is not None:
            return found
    if kind == "type" and low == "gettype" and arguments:
        return Thing(arguments[0].values, "type")
    if kind == "activator" and low == "createinstance" and arguments and arguments[0].exact is not None:
        return construct(walker, arguments[0].exact, arguments[1:], node, scope, context)
    if kind in ("net.webrequest", "net.httpwebrequest") and low.startswith("create") and arguments:
        return unsure(f"what {arguments[0].one().text} sends", frozenset(("network",)) | arguments[0].taint, kind)
    if kind.startswith(SAFE_TYPES):
        return unsure(f"[{kind}]::{name}", taint_of(arguments), name_only=True)
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
        return unsure(f"[{kind}]::{name}", taint_of(arguments), name_only=True)
    if low == "new":
        return construct(walker, kind, arguments, node, scope, context)
    taint = taint_of(arguments)
    if kind.startswith(("reflection.assembly", "appdomain")) and low.startswith("load"):
        invocation = stand_in(walker, f"[{kind}]::{name}", arguments, node, scope, context)
        if "network" in taint or any(leaving.is_foreign(scope, argument.one()) for argument in arguments):
            taint = frozenset(("network",))
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
        invocation = stand_in(walker, f"[{kind}]::{name}", arguments, node, scope, context)
        invocation.effect(
            "run-unknown-code",
            f"[{kind}]::{name}",
            "dotnet.undescribed",
            "nobody has described what this member does",
            certain=False,
        )
    return unsure(f"[{kind}]::{name}", taint_of(arguments))


def _files(
    walker: Walker, kind: str, low: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    if low == "open" and arguments:
        return opened.stream(walker, f"[{kind}]::{low}", arguments, node, scope, context)
    if low in READING and arguments:
        return _read(walker, arguments[0], scope)
    if low in ("getfiles", "getdirectories", "enumeratefiles", "getfilesystementries") and arguments:
        folder = arguments[0].one()
        return Thing((join([*folder.parts, "\\*"]),), "files")
    deed = FILES.get(low)
    if deed is None or len(arguments) <= deed[1]:
        return unsure(f"[{kind}]::{low}", taint_of(arguments), name_only=low == "exists")
    invocation = stand_in(walker, f"[{kind}]::{low}", arguments, node, scope, context)
    value = arguments[deed[1]].one()
    wide = kind == "io.directory" and low == "delete" and len(arguments) > 1
    invocation.path_effect(deed[0], value, wide, code=f"dotnet.{low}", why="a call of .NET asks no questions")
    if (
        low in ("copy", "move")
        and "secret" in walker.collector.content(located(arguments[0].one(), scope.home), scope).taint
    ):
        invocation.path_effect("show-secret", arguments[0].one(), code="copy.secret", why="a copy of a secret")
    if leaving.is_foreign(scope, value):
        sources = [argument for number, argument in enumerate(arguments) if number != deed[1]]
        taint = taint_of(sources)
        if low in ("copy", "move", "replace"):
            taint |= walker.collector.content(located(arguments[0].one(), scope.home), scope).taint
        leaving.record(invocation, taint)
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
            invocation = stand_in(walker, "[Environment]::SetEnvironmentVariable", arguments, node, scope, context)
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
        from phocinae_cli.analysis.windows.strings import formatted

        return formatted(arguments[0], tuple(argument.one() for argument in arguments[1:]))
    rest = NONE
    for argument in arguments:
        rest = rest.also(argument)
    return Thing((rest.one(""),))


def start_process(walker: Walker, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context) -> Thing:
    """Judge `Process.Start`: a program and its arguments, or a `ProcessStartInfo` that holds both."""
    from phocinae_cli.analysis.windows import cmdlets
    from phocinae_cli.analysis.windows.batch_syntax import split_words

    table = arguments[0].table
    if table is not None:
        arguments = [table[name] for name in ("filename", "arguments") if name in table]
    if not arguments or not arguments[0].values:
        invocation = stand_in(walker, "Process.Start", arguments, node, scope, context)
        return code.unread(invocation, "the program that is started")
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
    if kind == "microsoft.win32.registry":
        from phocinae_cli.analysis.windows import objects

        found = objects.hive(low)
        if found is not None:
            return found
    if kind in ("microsoft.win32.registryhive", "io.filemode", "io.fileaccess"):
        return text(name)
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
    if kind == "type":
        return Thing(thing.values, "type")
    if kind in ("io.fileinfo", "io.directoryinfo"):
        return Thing(thing.values, "files")
    if kind.rpartition(".")[2] in ("webclient", "process", "httpclient", "tcplistener"):
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
    taint = taint_of(arguments)
    if kind in ("net.sockets.tcpclient", "net.sockets.udpclient", "net.sockets.socket", "net.sockets.tcplistener"):
        invocation = stand_in(walker, f"New-Object {kind}", arguments, node, scope, context)
        host = arguments[0].exact if arguments else None
        if host not in ("localhost", "127.0.0.1", "::1"):
            invocation.effect("tunnel", host or kind, "dotnet.socket", "opens a connection that carries anything")
        return unsure("what the other side sends", frozenset(("network",)), kind)
    if kind == "io.filestream" and arguments:
        return opened.stream(walker, f"New-Object {kind}", arguments, node, scope, context)
    if kind == "io.streamwriter" and arguments:
        return opened.writer(walker, f"New-Object {kind}", arguments, node, scope, context)
    made = Thing((known(kind, taint),), kind)
    made.made = tuple(arguments)
    if kind == "diagnostics.processstartinfo":
        made.table = dict(zip(("filename", "arguments"), arguments, strict=False))
    elif kind == "diagnostics.process":
        made.table = {"startinfo": Thing((), "diagnostics.processstartinfo")}
        made.table["startinfo"].table = {}
    elif kind.endswith(("sqlcommand", "odbccommand", "oledbcommand")):
        made.table = {"commandtext": arguments[0]} if arguments else {}
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
