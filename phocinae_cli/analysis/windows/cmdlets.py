"""Judge one PowerShell command: whose name it is, how its parameters bind, what the knowledge base says of it."""

from __future__ import annotations

from phocinae_cli.analysis import commands, infer
from phocinae_cli.analysis.arguments import read_arguments
from phocinae_cli.analysis.programs import is_own_script
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known
from phocinae_cli.analysis.windows import leaving, rehearsal
from phocinae_cli.analysis.windows.binding import bind, fold_verbs, read_slash
from phocinae_cli.analysis.windows.invocation import Argument, WindowsInvocation
from phocinae_cli.analysis.windows.paths import Located, is_windows, located
from phocinae_cli.analysis.windows.things import NONE, Thing, from_stream, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.kb.lookup import Knowledge, Tool


MOST_NAMES = 20


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
    if name is None and 1 < len(named.values) <= MOST_NAMES and all(value.known for value in named.values):
        out = NONE  # a loop goes over names
        for value in named.values:
            out = out.also(run(walker, Thing((value,)), operator, given, scope, context, piped, fed))
        return out
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


VERBS = frozenset((
    "add", "approve", "assert", "backup", "block", "build", "checkpoint", "clear", "close", "compare", "complete",
    "compress", "confirm", "connect", "convert", "convertfrom", "convertto", "copy", "debug", "deny", "deploy",
    "disable", "disconnect", "dismount", "edit", "enable", "enter", "exit", "expand", "export", "find", "foreach",
    "format", "get", "grant", "group", "hide", "import", "initialize", "install", "invoke", "join", "limit", "lock",
    "measure", "merge", "mount", "move", "new", "open", "optimize", "out", "ping", "pop", "protect", "publish",
    "push", "read", "receive", "redo", "register", "remove", "rename", "repair", "request", "reset", "resize",
    "resolve", "restart", "restore", "resume", "revoke", "save", "search", "select", "send", "set", "show", "skip",
    "sort", "split", "start", "step", "stop", "submit", "suspend", "switch", "sync", "tee", "test", "trace",
    "unblock", "undo", "uninstall", "unlock", "unprotect", "unpublish", "unregister", "update", "use", "wait",
    "watch", "where", "write", "pause", "dump",
))  # fmt: skip


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
    if tool is not None and tool.name.endswith("-*"):  # the rows of a verb see the whole name as the first operand
        arguments.operands.insert(0, known(base))
    invocation = WindowsInvocation(
        walker, base, tool, argv, arguments, scope, context, piped, piped.stream() if fed else EMPTY
    )
    invocation.given = given
    if tool is None:
        why = f"nobody has described what `{base}` does"
        invocation.effect("unknown", base, "cmdlet.undescribed", why, certain=False)
        return unsure(f"the output of {base}", piped.taint)
    if rehearsal.only_shows(tool, base, given, scope):
        invocation.action.notes.append("only shows what it would do")
        return unsure(f"the output of {base}")
    before = len(walker.collector.effects)
    if tool.special:
        from phocinae_cli.analysis.windows import specials

        handler = specials.HANDLERS.get(tool.special)
        found = handler(invocation) if handler is not None else None
        if found is not None:
            leaving.judge_written(invocation, before)
            return found
    out = from_stream(infer.apply_rows(invocation, tool))
    leaving.judge_written(invocation, before)
    return out


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
    if tool is None and base.endswith((".bat", ".cmd")):  # `call "C:\\Program Files\\…\\vcvars64.bat"`
        tool = knowledge.find("cmd:" + base.rpartition(".")[0])
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
    before = len(walker.collector.effects)
    if tool.special:
        from phocinae_cli.analysis.windows import programs, specials

        handler = programs.HANDLERS.get(tool.special) or specials.HANDLERS.get(tool.special)
        out = handler(invocation) if handler is not None else None
        if out is not None:
            leaving.judge_written(invocation, before)
            return out
    if any(value.exact in ("/?", "-?") for value in words):
        return unsure(f"the help of {base}")
    out = from_stream(commands.described(invocation))
    leaving.judge_written(invocation, before)
    return out


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
    return is_own_script(
        name.replace("\\", "/") if not is_windows(Located(known(name), scope.home).exact or "") else "./x", scope
    )
