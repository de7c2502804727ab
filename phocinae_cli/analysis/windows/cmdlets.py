"""Judge one PowerShell command: whose name it is, how its parameters bind, what the knowledge base says of it."""

from __future__ import annotations

from phocinae_cli.analysis import commands, infer
from phocinae_cli.analysis.arguments import Arguments, read_arguments
from phocinae_cli.analysis.commands import Invocation
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows.paths import Located, is_windows, located
from phocinae_cli.analysis.windows.things import NONE, Thing, from_stream, unsure
from phocinae_cli.core.effects import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.evaluate import Context
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.core.effects import Action
    from phocinae_cli.kb.lookup import Knowledge, Tool

COMMON_VALUES = frozenset(
    (
        "-erroraction", "-ea", "-errorvariable", "-ev", "-warningaction", "-wa", "-warningvariable", "-wv",
        "-informationaction", "-infa", "-informationvariable", "-iv", "-outvariable", "-ov", "-outbuffer", "-ob",
        "-pipelinevariable", "-pv", "-progressaction", "-credential", "-computername", "-cn", "-cimsession",
        "-session", "-encoding",
        "-filter", "-include", "-exclude", "-throttlelimit", "-vmname", "-scope",
    )
)  # fmt: skip
SLOT_ONE = ("-path", "-literalpath", "-pspath", "-lp", "-filepath")
SLOT_TWO = ("-destination", "-destinationpath", "-newname")
SWITCHES = frozenset(
    (
        "-force", "-recurse", "-verbose", "-debug", "-passthru", "-raw", "-confirm", "-whatif", "-asjob", "-file",
        "-directory", "-hidden", "-nonewline", "-append", "-noclobber", "-wait", "-usebasicparsing", "-autosize",
        "-wrap", "-descending", "-unique", "-sum", "-line", "-word", "-character", "-average", "-maximum", "-minimum",
        "-notypeinformation", "-noninteractive", "-full", "-examples", "-detailed", "-online", "-all", "-list",
        "-listavailable", "-quiet", "-simplematch", "-casesensitive", "-allmatches", "-compress", "-asstring",
        "-hashtable", "-asplaintext", "-assecurestring", "-noenumerate", "-parallel", "-stream", "-nolegend",
        "-nonewwindow", "-useculture", "-includeusername", "-module", "-name",
    )
)  # fmt: skip


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


def run(
    walker: Walker,
    named: Thing,
    operator: str,
    given: list[Argument],
    scope: WindowsScope,
    context: Context,
    piped: Thing,
    fed: bool,
) -> Thing:
    """Judge a command by what its name evaluates to: a script block, a name, or something unknown."""
    if named.block is not None:
        return walker.run_block(named, scope, context, piped, tuple(item.thing for item in given if not item.name))
    name = named.exact
    if name is None:
        words = words_of(named, given)
        stdin = piped.stream() if fed else EMPTY
        return from_stream(commands._unknown_program(walker.evaluator, words, scope, context)).also(
            from_stream(stdin) if stdin.taint else NONE
        )
    low = name.lower()
    if low in scope.blocks:
        walker.collector.action(words_of(named, given), scope, context, name).described = True
        return walker.call(low, given, piped, scope, context)
    tool, base, external = find(walker.collector.knowledge, name, given)
    if external or (tool is None and not is_cmdlet(base)):
        return run_words(walker, list(words_of(named, given)), scope, context, piped, piped.stream() if fed else EMPTY)
    return _cmdlet(walker, base, tool, words_of(named, given), given, scope, context, piped, fed)


def find(knowledge: Knowledge, name: str, given: list[Argument]) -> tuple[Tool | None, str, bool]:
    """Return what is known of a command, its base name in lower case, and whether it is a program, not a cmdlet."""
    base = name.replace("/", "\\").rpartition("\\")[2].lower()
    if base.endswith((".exe", ".com", ".cmd", ".bat", ".msc", ".cpl")):
        return None, base, True
    if base in ("curl", "wget") and not any(_web_parameter(item.name.lower()) for item in given):
        return None, base, True
    tool = knowledge.find("powershell:" + base)
    if tool is None and ("\\" in name or "/" in name) and not name.lower().startswith("microsoft.powershell"):
        return None, base, True
    return tool, base, False


def _web_parameter(name: str) -> bool:
    return len(name) > 3 and any(
        full.startswith(name)
        for full in ("-uri", "-outfile", "-usebasicparsing", "-method", "-headers", "-body", "-infile")
    )


def is_cmdlet(name: str) -> bool:
    """Return whether a name has the form of a cmdlet: a verb, a hyphen and a noun."""
    verb, dash, noun = name.partition("-")
    return bool(dash) and verb.isalpha() and noun[:1].isalpha() and verb.lower() in VERBS


VERBS = frozenset(
    [
        "add",
        "approve",
        "assert",
        "backup",
        "block",
        "build",
        "checkpoint",
        "clear",
        "close",
        "compare",
        "complete",
        "compress",
        "confirm",
        "connect",
        "convert",
        "convertfrom",
        "convertto",
        "copy",
        "debug",
        "deny",
        "deploy",
        "disable",
        "disconnect",
        "dismount",
        "edit",
        "enable",
        "enter",
        "exit",
        "expand",
        "export",
        "find",
        "foreach",
        "format",
        "get",
        "grant",
        "group",
        "hide",
        "import",
        "initialize",
        "install",
        "invoke",
        "join",
        "limit",
        "lock",
        "measure",
        "merge",
        "mount",
        "move",
        "new",
        "open",
        "optimize",
        "out",
        "ping",
        "pop",
        "protect",
        "publish",
        "push",
        "read",
        "receive",
        "redo",
        "register",
        "remove",
        "rename",
        "repair",
        "request",
        "reset",
        "resize",
        "resolve",
        "restart",
        "restore",
        "resume",
        "revoke",
        "save",
        "search",
        "select",
        "send",
        "set",
        "show",
        "skip",
        "sort",
        "split",
        "start",
        "step",
        "stop",
        "submit",
        "suspend",
        "switch",
        "sync",
        "tee",
        "test",
        "trace",
        "unblock",
        "undo",
        "uninstall",
        "unlock",
        "unprotect",
        "unpublish",
        "unregister",
        "update",
        "use",
        "wait",
        "watch",
        "where",
        "write",
        "unregister",
        "pause",
        "dump",
        "mount",
    ]
)


def words_of(named: Thing, given: list[Argument]) -> tuple[Value, ...]:
    """Return the argv that a program would get: arrays spread, parameters as they were written."""
    words = [named.one()]
    for item in given:
        if item.name:
            if item.bound and item.thing.values:
                value = item.thing.one()
                words.append(Value((item.name + ":", *value.parts), False, value.taint))
                continue
            words.append(known(item.name))
        words.extend(item.thing.values)
    return tuple(words)


def _cmdlet(
    walker: Walker,
    base: str,
    tool: Tool | None,
    argv: tuple[Value, ...],
    given: list[Argument],
    scope: WindowsScope,
    context: Context,
    piped: Thing,
    fed: bool,
) -> Thing:
    if tool is None:
        tool = walker.collector.knowledge.find(f"powershell:{base.partition('-')[0]}-*")
    arguments = bind(tool, given, scope)
    invocation = WindowsInvocation(
        walker, base, tool, argv, arguments, scope, context, piped, piped.stream() if fed else EMPTY
    )
    invocation.given = given
    if tool is None:
        why = f"nobody has described what `{base}` does"
        invocation.effect("unknown", base, "cmdlet.undescribed", why, certain=False)
        return unsure(f"the output of {base}", piped.taint)
    if _only_shows(given):
        invocation.action.notes.append("only shows what it would do")
        return unsure(f"the output of {base}")
    if tool.special:
        from phocinae_cli.analysis.windows import specials

        handler = specials.HANDLERS.get(tool.special)
        if handler is not None:
            found = handler(invocation)
            if found is not None:
                return found
    return from_stream(infer.apply_rows(invocation, tool))


def _only_shows(given: list[Argument]) -> bool:
    for item in given:
        name = item.name.lower()
        if name in ("-?", "-wi") or (len(name) > 2 and "-whatif".startswith(name)):
            return (item.thing.exact or "true").lower() not in ("false", "0", "$false")
    return False


def bind(tool: Tool | None, given: list[Argument], scope: WindowsScope) -> Arguments:
    """Bind parameters: names cut short, values behind them, paths by their names as well as by position."""
    arguments = Arguments("powershell")
    owned = frozenset(name.lower() for name in tool.values) if tool is not None else NOTHING
    first: list[Value] = []
    second: list[Value] = []
    positional: list[Value] = []
    index = 0
    while index < len(given):
        item = given[index]
        index += 1
        if not item.name:
            positional.extend(located(value, scope.home) for value in item.thing.values)
            continue
        name, thing, bound = item.name.lower(), item.thing, item.bound
        if "=" in name:
            name = name.partition("=")[0]
        if not bound and index < len(given) and not given[index].name and _takes_value(name, owned):
            thing, bound = given[index].thing, True
            item.thing = thing  # the handlers look parameters up by name
            index += 1
        values = [located(value, scope.home) for value in thing.values]
        if bound and _is(name, SLOT_ONE):
            first.extend(values)
        elif bound and _is(name, SLOT_TWO):
            second.extend(values)
        if bound and len(values) == 1 and _false(values[0]) and not _takes_value(name, owned):
            continue  # `-Force:$false`
        if not values:
            arguments.flags.append((name, None))
        arguments.flags.extend((name, value) for value in values)
    arguments.operands = [*first, *positional, *second] if first or second else positional
    if second and not first and positional:
        arguments.operands = [*positional, *second]
    first_word = arguments.operands[0].text.lower() if arguments.operands else ""
    if tool is not None and tool.knows_verb(first_word):
        fold_verbs(arguments, tool)
    return arguments


def _false(value: Value) -> bool:
    return (value.exact or "").lower() in ("false", "$false")


def _is(name: str, full: tuple[str, ...]) -> bool:
    return name in full or (len(name) > 2 and any(item.startswith(name) for item in full))


def _takes_value(name: str, owned: frozenset[str]) -> bool:
    if name in owned or name in COMMON_VALUES:
        return True
    if _is(name, SLOT_ONE) or _is(name, SLOT_TWO):
        return True
    if any(item.startswith(name) for item in owned):
        return not any(item.startswith(name) for item in ("-force", "-recurse", "-whatif", "-confirm"))
    return len(name) > 3 and any(item.startswith(name) for item in COMMON_VALUES)


def run_words(
    walker: Walker, argv: list[Value], scope: WindowsScope, context: Context, piped: Thing, stdin: Stream
) -> Thing:
    """Judge a program with its words, as PowerShell and cmd start one."""
    from phocinae_cli.analysis.windows import files

    first = argv[0] if argv else known("")
    name = first.exact
    if name is None:
        return from_stream(commands._unknown_program(walker.evaluator, tuple(argv), scope, context))
    name = name.strip('"')
    knowledge = walker.collector.knowledge
    base = name.replace("/", "\\").rpartition("\\")[2].lower()
    for ending in (".exe", ".com"):
        base = base.removesuffix(ending)
    if base == "py":  # the launcher: `py -3.12 script.py`
        base, name = "python", "python"
        argv = [argv[0], *argv[2:]] if len(argv) > 1 and argv[1].head()[:2] in ("-2", "-3", "-V") else argv
    tool = knowledge.find("cmd:" + base)
    if tool is None:
        tool, base, found = commands.find(knowledge, base, tuple(argv), scope)
        argv = list(found)
    words = tuple(located(value, scope.home) for value in argv[1:])
    own_path = "\\" in name or "/" in name or ":" in name
    if own_path and _is_own(name, scope) and (tool is None or files.was_fetched(scope, name)):
        return files.run_path(walker, located(known(name), scope.home), words, tool, base, scope, context, piped, stdin)
    arguments = read_slash(words, tool) if tool is not None and tool.style == "slash" else read_arguments(words, tool)
    if tool is not None and tool.style in ("slash", "words"):
        fold_verbs(arguments, tool)
    invocation = WindowsInvocation(
        walker, base, tool, (argv[0], *words) if argv else (), arguments, scope, context, piped, stdin
    )
    invocation.given = [Argument("", Thing((value,))) for value in words]
    if tool is None:
        return files.undescribed(invocation, name)
    if tool.special:
        from phocinae_cli.analysis.windows import programs, specials

        handler = programs.HANDLERS.get(tool.special) or specials.HANDLERS.get(tool.special)
        if handler is not None:
            out = handler(invocation)
            if out is not None:
                return out
    if any(value.exact in ("/?", "-?") for value in words):
        return unsure(f"the help of {base}")
    return from_stream(commands.described(invocation))


def fold_verbs(arguments: Arguments, tool: Tool | None) -> Arguments:
    """Write verbs in lower case, as the rows do: Windows does not tell them apart."""
    if tool is not None:
        for number, value in enumerate(arguments.operands[:5]):
            low = value.text.lower()
            if value.known and low != value.text and low.isalpha() and (number or tool.knows_verb(low)):
                arguments.operands[number] = known(low, value.taint)
    return arguments


def read_slash(words: tuple[Value, ...], tool: Tool) -> Arguments:
    """Read switches as programs of Windows do: `/f/s/q`, `/t:10`, `-t 10`; a path is no switch."""
    arguments = Arguments("slash")
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        text = word.text if word.known else word.head()
        if text[:1] not in ("/", "-") or len(text) < 2:
            arguments.operands.append(word)
            continue
        name, colon, _ = text.partition(":")
        if colon:
            arguments.flags.append(
                (
                    "/" + name[1:].lower(),
                    word.cut(len(name) + 1) if not isinstance(word, Located) else known(text[len(name) + 1 :]),
                )
            )
            continue
        pieces = text[1:].split("/")
        if len(pieces) > 1 and any(len(piece) > 3 for piece in pieces):
            arguments.operands.append(word)
            continue
        for piece in pieces:
            flag = "/" + piece.lower()
            if flag in tool.values and index < len(words) and piece == pieces[-1]:
                arguments.flags.append((flag, words[index]))
                index += 1
            else:
                arguments.flags.append((flag, None))
    return arguments


SYSTEM_FOLDERS = (
    "\\windows\\",
    "\\program files\\",
    "\\program files (x86)\\",
    "\\sysinternals",
    "\\windowspowershell\\",
)


def _is_own(name: str, scope: WindowsScope) -> bool:
    low = name.lower().replace("/", "\\")
    if any(folder in low for folder in SYSTEM_FOLDERS) and "\\temp\\" not in low and "\\tasks\\" not in low:
        return False
    return commands._is_own_script(
        name.replace("\\", "/") if not is_windows(Located(known(name), scope.home).exact or "") else "./x", scope
    )
