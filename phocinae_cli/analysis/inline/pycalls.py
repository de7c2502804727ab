"""Attributes, methods, indexes and calls of Python code: pure ones are computed, the others are recorded as deeds."""

from __future__ import annotations

from phocinae_cli.analysis.inline import pytext
from phocinae_cli.analysis.inline.deeds import joined
from phocinae_cli.analysis.inline.pyvalues import (
    Bound,
    Either,
    Function,
    Made,
    Ref,
    either,
    is_constant,
    taint_of,
    text_of,
    texts_of,
)
from phocinae_cli.analysis.inline.wordlist import listed
from phocinae_cli.analysis.values import NOTHING, Unknown, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.pywalk import Walker

STANDARD = frozenset(
    listed(
        """
        os sys subprocess shutil pathlib socket json re time math base64 binascii codecs zlib gzip bz2 lzma glob io
        tempfile urllib urllib2 http requests httpx smtplib ftplib pty importlib ctypes shlex platform builtins posix
        commands signal getpass pickle marshal paramiko asyncio string random hashlib itertools functools collections
        datetime sqlite3 boto3 redis
        """
    )
)
STAR = {
    "os": (
        "system",
        "popen",
        "remove",
        "unlink",
        "rmdir",
        "removedirs",
        "rename",
        "environ",
        "path",
        "execv",
        "execvp",
        "execl",
        "kill",
        "listdir",
        "walk",
        "getenv",
        "chmod",
        "makedirs",
        "mkdir",
        "dup2",
        "getcwd",
        "chdir",
    ),
    "subprocess": (
        "run",
        "call",
        "Popen",
        "check_call",
        "check_output",
        "getoutput",
        "getstatusoutput",
        "PIPE",
        "STDOUT",
        "DEVNULL",
    ),
    "shutil": ("rmtree", "move", "copy", "copy2", "copyfile", "copytree", "which"),
    "pathlib": ("Path", "PurePath", "PosixPath"),
    "socket": ("socket", "create_connection", "AF_INET", "SOCK_STREAM"),
}
ALIASES = (
    ("posix.", "os."),
    ("nt.", "os."),
    ("builtins.", ""),
    ("__builtins__.", ""),
    ("__builtin__.", ""),
    ("os.posixpath.", "os.path."),
    ("posixpath.", "os.path."),
    ("ntpath.", "os.path."),
    ("six.moves.", ""),
    ("requests.api.", "requests."),
)
CONSTANTS = {
    "os.sep": "/",
    "os.path.sep": "/",
    "os.linesep": "\n",
    "os.curdir": ".",
    "os.pardir": "..",
    "os.devnull": "/dev/null",
    "string.ascii_lowercase": "abcdefghijklmnopqrstuvwxyz",
    "string.ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "string.digits": "0123456789",
    "sys.executable": "python3",
    "os.name": "posix",
    "sys.platform": "linux",
    "signal.SIGKILL": 9,
    "signal.SIGTERM": 15,
    "__name__": "__main__",
}
BREAKOUTS = ("__subclasses__", "__globals__", "__bases__", "__mro__", "__code__", "f_globals", "f_builtins")


class Calls:
    """What names, attributes and calls mean; `walker` holds the state."""

    def __init__(self, walker: Walker) -> None:
        from phocinae_cli.analysis.inline.pydeeds import Doing

        self.walker = walker
        self.deeds = walker.deeds
        self.doing = Doing(self)
        self.own_modules: list[str] = []

    # --- names -------------------------------------------------------------------------------------------------

    def is_module(self, name: str) -> bool:
        """Return whether a name that nothing assigned is most likely a module somebody forgot to import."""
        return name in STANDARD

    def exported(self, module: str) -> tuple[str, ...]:
        """Return the names that `from module import *` gives, as far as they matter."""
        return STAR.get(module, ())

    def imported(self, module: str) -> None:
        """Note an import; one whose name says that it does more than compute can't be passed over."""
        from phocinae_cli.analysis.scripts import weighty

        if module.partition(".")[0] not in STANDARD and weighty(module.replace(".", "/")):
            self.own_modules.append(module)

    def canonical(self, name: str) -> str:
        """Return the dotted name that a function is best known by."""
        for alias, real in ALIASES:
            if name.startswith(alias):
                name = real + name[len(alias) :]
        return name

    def attribute(self, base: object, name: str) -> object:
        """Return an attribute of a thing."""
        if name in BREAKOUTS:
            self.deeds.unsure(name, "it reaches around the names of the code")
        if isinstance(base, Ref):
            full = self.canonical(f"{base.name}.{name}")
            if full in CONSTANTS:
                return CONSTANTS[full]
            if full == "sys.argv":
                return ["-c", *self.deeds.arguments()]
            return Ref(full)
        if isinstance(base, Made):
            found = self.doing.made_attribute(base, name)
            return found if found is not None else Bound(base, name)
        return Bound(base, name)

    def index(self, base: object, key: object) -> object:
        """Return an element of a thing."""
        if isinstance(base, Either):
            return either([self.index(choice, key) for choice in base.choices])
        if isinstance(base, (list, str, bytes)) and isinstance(key, int):
            return base[key] if -len(base) <= key < len(base) else self.item(base)
        if isinstance(base, dict):
            return (
                base[key]
                if isinstance(key, (str, int)) and key in base
                else unknown("an entry of a table", taint_of(base))
            )
        if isinstance(base, Ref):
            if base.name == "os.environ":
                return self.environment(key)
            if base.name in ("sys.modules", "globals()") and isinstance(key, str):
                return self.walker.names.get(key, Ref(self.canonical(key)))
            if base.name.endswith("__dict__") and isinstance(key, str):
                return self.attribute(Ref(base.name.rpartition(".")[0]), key)
        if isinstance(base, Made) and base.kind in ("response", "some", "path-list"):
            return self.item(base)
        return unknown("an entry of a list or table", taint_of(base))

    def environment(self, key: object) -> object:
        """Return a variable of the environment."""
        if not isinstance(key, str):
            return unknown("a variable of the environment", frozenset(("environment",)))
        fields = self.deeds.scope.variable(key)[0]
        return fields[0] if fields else ""

    def items(self, source: object) -> list[object] | None:
        """Return the elements of a thing when all of them are known."""
        if isinstance(source, list):
            return source
        if isinstance(source, str):
            return list(source)
        if isinstance(source, bytes):
            return list(source)
        if isinstance(source, dict):
            return list(source)
        return None

    def item(self, source: object) -> object:
        """Return what any one element of a thing may be."""
        if isinstance(source, Made) and source.kind == "path-list":
            return source.parts[0] if source.parts else source.value
        if isinstance(source, Made) and source.kind == "some" and source.parts:
            return source.parts[0]
        if isinstance(source, list) and source:
            return either(source)
        if isinstance(source, Value) and source.globs:
            return source
        name_only = isinstance(source, Made) and source.kind == "names"
        return unknown("one of several values", taint_of(source), name_only=name_only)

    # --- calls -------------------------------------------------------------------------------------------------

    def call(self, function: object, arguments: list[object], named: dict[str, object]) -> object:
        """Return what a call gives, recording what it does."""
        if isinstance(function, Ref):
            return self._named(self.canonical(function.name), arguments, named)
        if isinstance(function, Bound):
            return self._method(function, arguments, named)
        if isinstance(function, Made):
            return self.doing.called(function, arguments, named)
        return self._anything(function, arguments, named)

    def _anything(self, function: object, arguments: list[object], named: dict[str, object]) -> object:
        taint = taint_of(arguments) | taint_of(named) | taint_of(function)
        return unknown("the result of a call", taint)

    def _named(self, name: str, arguments: list[object], named: dict[str, object]) -> object:
        if name in PURE and all(is_constant(argument) for argument in arguments) and not named:
            try:
                return PURE[name](*arguments)  # type: ignore[operator]
            except Exception:
                return unknown(f"the result of {name}")
        handler = BUILTIN.get(name)
        if handler is not None:
            return handler(self, arguments, named)
        return self.doing.named(name, arguments, named)

    def _method(self, function: Bound, arguments: list[object], named: dict[str, object]) -> object:
        base, name = function.base, function.name
        if isinstance(base, Either):
            return either([self.call(self.attribute(choice, name), arguments, named) for choice in base.choices])
        if isinstance(base, (str, bytes, bytearray)):
            return pytext.method(self, base, name, arguments, named)
        if isinstance(base, list):
            return self._list_method(base, name, arguments)
        if isinstance(base, dict):
            if name == "get" and arguments and isinstance(arguments[0], (str, int)) and arguments[0] in base:
                return base[arguments[0]]
            if name == "values":
                return list(base.values())
            if name == "items":
                return [[key, value] for key, value in base.items()]
            return unknown("an entry of a table", taint_of(base))
        if isinstance(base, Value) and name in (
            "strip",
            "rstrip",
            "lstrip",
            "encode",
            "decode",
            "read",
            "expanduser",
            "getvalue",
            "read_text",
        ):
            return base
        if isinstance(base, Value) and name == "format":
            return unknown("a formatted text", taint_of(base) | taint_of(arguments))
        return self.doing.method(base, name, arguments, named)

    def _list_method(self, base: list[object], name: str, arguments: list[object]) -> object:
        if name in ("append", "add") and arguments:
            base.append(arguments[0])
        elif name == "extend" and arguments and isinstance(arguments[0], list):
            base.extend(arguments[0])
        elif name == "reverse":
            base.reverse()
        elif name == "pop":
            return base.pop() if base else unknown("nothing")
        return None

    # --- builtins ----------------------------------------------------------------------------------------------

    def path_join(self, parts: list[object]) -> object:
        """Return paths joined by slashes; an absolute one starts anew."""
        done: list[Value] = []
        made = any(isinstance(part, Made) for part in parts)
        for part in parts:
            for value in texts_of(part)[:1]:
                if value.head().startswith("/"):
                    done = []
                if done:
                    done.append(known("/"))
                done.append(value)
        value = joined(done)
        text = value.exact
        if text is not None and not made and not value.globs:
            return text
        return Made("path", value) if made else value

    def percent(self, layout: str | bytes, arguments: object) -> object:
        """Return `layout % arguments`."""
        given = arguments if isinstance(arguments, list) else [arguments]
        if isinstance(arguments, dict) or isinstance(layout, bytes):
            if is_constant(list(arguments.values()) if isinstance(arguments, dict) else given):
                if isinstance(layout, bytes) or pytext.wide(layout):
                    return unknown("a formatted text")
                try:
                    return layout % (arguments if isinstance(arguments, dict) else tuple(given))
                except (TypeError, ValueError, KeyError):
                    return unknown("a formatted text")
            return unknown("a formatted text", taint_of(arguments))
        return pytext.fill(layout, given)


def _open(calls: Calls, arguments: list[object], named: dict[str, object]) -> object:
    return calls.doing.open(arguments, named)


def _exec(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    return calls.doing.execute(arguments[0]) if arguments else None


def _compile(_calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    return arguments[0] if arguments else None


def _print(calls: Calls, arguments: list[object], named: dict[str, object]) -> object:
    target = named.get("file")
    if isinstance(target, Ref) and target.name == "sys.stderr":
        return None
    space = named.get("sep", " ")
    end = named.get("end", "\n")
    parts: list[Value] = []
    for number, argument in enumerate(arguments):
        if number:
            parts.append(text_of(space))
        parts.append(_as_printed(argument))
    value = joined(parts or [known("")])
    if isinstance(target, Made):
        return calls.doing.method(target, "write", [value], {})
    calls.deeds.print(value, end if isinstance(end, str) else "\n")
    return None


def _as_printed(argument: object) -> Value:
    if isinstance(argument, (bytes, bytearray)):
        return known(repr(bytes(argument)))
    if isinstance(argument, list) and is_constant(argument):
        return known(str(argument))
    return text_of(argument)


def _import(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    if arguments and isinstance(arguments[0], str):
        calls.imported(arguments[0])
        return Ref(arguments[0].partition(".")[0])
    calls.deeds.unsure("__import__", "which module it loads is known only once it runs")
    return unknown("a module")


def _import_module(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    if arguments and isinstance(arguments[0], str):
        calls.imported(arguments[0])
        return Ref(arguments[0])
    return _import(calls, [], {})


def _getattr(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    if len(arguments) > 1 and isinstance(arguments[1], str):
        return calls.attribute(arguments[0], arguments[1])
    if arguments and isinstance(arguments[0], Ref):
        calls.deeds.unsure("getattr", "what it calls is known only once it runs")
    return unknown("an attribute")


def _namespace(_calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    if arguments and isinstance(arguments[0], Ref):
        return Ref(arguments[0].name + ".__dict__")
    return Ref("globals()")


def _input(calls: Calls, _arguments: list[object], _named: dict[str, object]) -> object:
    stdin = calls.deeds.invocation.stdin
    if stdin.text:
        return stdin.text.partition("\n")[0]
    return unknown("what is typed or fed in", stdin.taint)


def _map(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    items = calls.items(arguments[1]) if len(arguments) > 1 else None
    if items is None or len(items) > 4096 or len(arguments) != 2:
        return unknown("a list", taint_of(arguments))
    return [calls.walker.call(arguments[0], [item], {}) for item in items]


def _listed(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    if not arguments:
        return []
    items = calls.items(arguments[0])
    return list(items) if items is not None else arguments[0]


def _reversed(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    items = calls.items(arguments[0]) if arguments else None
    return list(reversed(items)) if items is not None else (arguments[0] if arguments else None)


def _enumerate(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    items = calls.items(arguments[0]) if arguments else None
    if items is None:
        return Made(
            "some",
            unknown("a list"),
            ([unknown("a number", name_only=True), calls.item(arguments[0] if arguments else None)],),
        )
    return [[number, item] for number, item in enumerate(items)]


def _str(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    if not arguments:
        return ""
    value = text_of(arguments[0])
    text = value.exact
    return text if text is not None and not value.taint and not value.globs else value


def _bytes(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    first = arguments[0] if arguments else b""
    if isinstance(first, str):
        return first.encode()
    if isinstance(first, bytes):
        return first
    if isinstance(first, list) and all(isinstance(item, int) and 0 <= item < 256 for item in first):
        return bytes([item for item in first if isinstance(item, int)])
    return first if isinstance(first, Value) else unknown("bytes", taint_of(first))


def _range(_calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    numbers = [argument for argument in arguments if isinstance(argument, int)]
    if len(numbers) == len(arguments) and 1 <= len(numbers) <= 3 and (len(numbers) < 3 or numbers[2]):
        found = range(*numbers)
        if len(found) <= 4096:
            return list(found)
    return Made("some", unknown("numbers", name_only=True), (Value((Unknown("a number", False, True),)),))


def _setattr(calls: Calls, arguments: list[object], _named: dict[str, object]) -> object:
    return None


BUILTIN = {
    "open": _open,
    "io.open": _open,
    "file": _open,
    "codecs.open": _open,
    "gzip.open": _open,
    "bz2.open": _open,
    "lzma.open": _open,
    "exec": _exec,
    "eval": _exec,
    "compile": _compile,
    "print": _print,
    "pprint.pprint": _print,
    "__import__": _import,
    "importlib.import_module": _import_module,
    "importlib.__import__": _import,
    "getattr": _getattr,
    "globals": _namespace,
    "locals": _namespace,
    "vars": _namespace,
    "input": _input,
    "raw_input": _input,
    "map": _map,
    "list": _listed,
    "tuple": _listed,
    "set": _listed,
    "sorted": _listed,
    "iter": _listed,
    "reversed": _reversed,
    "enumerate": _enumerate,
    "str": _str,
    "unicode": _str,
    "repr": _str,
    "bytes": _bytes,
    "bytearray": _bytes,
    "range": _range,
    "xrange": _range,
    "setattr": _setattr,
    "types.FunctionType": _exec,
}
PURE = pytext.PURE
__all__ = ["NOTHING", "Calls", "Function"]
