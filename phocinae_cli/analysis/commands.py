"""Judge one resolved argv: which program it is, what the knowledge base says of it, what it would print."""

from __future__ import annotations

from phocinae_cli.analysis import infer, outputs
from phocinae_cli.analysis.arguments import Arguments, read_arguments
from phocinae_cli.analysis.paths import normalise
from phocinae_cli.analysis.programs import PROGRAM_DIRS, by_init_script, is_installed, is_own_script, removes_guard
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, TooMuch, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.core.effects import Action
    from phocinae_cli.kb.lookup import Knowledge, Tool

    Handler = Callable[["Invocation"], Stream | None]

HELP = ("--help", "--version")
EDITOR_OPENERS = frozenset(("visudo", "vipw", "vigr", "crontab", "sudoedit", "sudo", "doas", "systemctl"))
"""Programs that start the editor which a variable names."""


class Invocation:
    """One argv on its way to a verdict: the words, what is known of the program, and the surroundings.

    `argv` includes the program's name; `words` are those behind it; `tool` is None for a program nobody
    described; `stdin` what is fed in (EMPTY: nothing); `outputs` are the words that the command writes to;
    `reads_in` is the scope in which its operands are read, another one than `scope` under `tar -C DIR`.
    """

    __slots__ = (
        "action", "arguments", "argv", "context", "evaluator", "name", "outputs", "reads_in", "scope", "stdin", "tool",
        "words",
    )  # fmt: skip

    def __init__(
        self,
        evaluator: Evaluator,
        argv: tuple[Value, ...],
        name: str,
        tool: Tool | None,
        scope: Scope,
        context: Context,
        stdin: Stream,
    ) -> None:
        self.evaluator = evaluator
        self.argv = argv
        self.name = name
        self.tool = tool
        self.scope = self.reads_in = scope
        self.context = context
        self.stdin = stdin
        self.words = argv[1:]
        self.outputs: list[Value] = []
        self.action: Action = evaluator.collector.action(argv, scope, context, name)
        self.action.described = tool is not None
        self.arguments: Arguments = read_arguments(self.words, tool)

    @property
    def fed(self) -> bool:
        """Whether something is given on standard input."""
        return self.stdin is not EMPTY

    def run(
        self, argv: tuple[Value, ...], via: str = "", scope: Scope | None = None, stdin: Stream | None = None
    ) -> Stream:
        """Judge another argv that this one runs; `via` is added to the chain of wrappers."""
        context = self.context.inside(via or self.name)
        if context.span is None:
            context.span = (self.action.start, self.action.end)
        return run_command(
            self.evaluator,
            argv,
            scope if scope is not None else self.scope,
            context,
            self.stdin if stdin is None else stdin,
        )

    def run_text(
        self, text: str, scope: Scope, via: str = "", stdin: Stream = EMPTY, place: str = "", line: int = 1
    ) -> Stream:
        """Judge a text that this command gives to a shell; `place` is the file it was read from, from `line` on."""
        context = self.context.inside(via or self.name)
        context.span = (self.action.start, self.action.end)
        context.becomes(text, place, line)
        context.dialect = "zsh" if self.name == "zsh" else "bash" if self.name.endswith("sh") else context.dialect
        return self.evaluator.run_text(text, scope, context, stdin)

    def effect(self, kind: str, text: str, code: str, why: str, **more: object) -> None:
        """Record an effect of this command on something that is not a path."""
        self.evaluator.collector.effect(kind, text, self.action, code, why, **more)  # type: ignore[arg-type]

    def path_effect(self, kind: str, value: Value, recursive: bool = False, **more: object) -> None:
        """Record an effect of this command on a path."""
        self.evaluator.collector.path_effect(kind, value, self.scope, self.action, recursive, **more)  # type: ignore[arg-type]


def run_command(evaluator: Evaluator, argv: tuple[Value, ...], scope: Scope, context: Context, stdin: Stream) -> Stream:
    """Judge one argv and return what it would print."""
    if not argv:
        return EMPTY
    first = argv[0]
    name = first.exact
    if name is None and first.located():
        return _located(evaluator, argv, scope, context, stdin)
    if name is not None and first.globs and _sure_program(name):
        name = name.rpartition("/")[2]
    elif name is None or first.globs:
        out = _unknown_program(evaluator, argv, scope, context)
        if name is not None:
            _candidates(evaluator, name, argv, scope, context, stdin)
        return out
    if name in scope.functions:
        evaluator.collector.action(argv, scope, context, name).described = True
        return evaluator.call(name, scope.functions[name], argv[1:], scope, context, stdin)
    if name == "":
        return EMPTY
    if name[0] == "=" and context.dialect == "zsh" and len(name) > 1:
        name = name[1:]  # `=rm` is the path of `rm`
        argv = (known(name), *argv[1:])
    asked = by_init_script(name, argv, scope) if name[0] == "/" else None
    if asked is not None:
        name, argv = "service", asked
    tool, base, argv = find(evaluator.collector.knowledge, name, argv, scope)
    invocation = Invocation(evaluator, argv, base, tool, scope, context, stdin)
    if tool is None or ("/" in name and tool.special == "" and is_own_script(name, scope)):
        return _undescribed(invocation, name)
    return described(invocation)


def described(invocation: Invocation) -> Stream:
    """Judge a command whose program is described, and return what it would print."""
    tool = invocation.tool
    assert tool is not None
    if _asks_for_help(invocation, tool):
        return Stream(None, NOTHING, f"the help of {invocation.name}")
    if invocation.name in EDITOR_OPENERS:
        from phocinae_cli.analysis.scripted_editors import run_editor

        run_editor(invocation)
    if tool.special:
        handler = handler_for(tool.special)
        if handler is not None:
            printed = handler(invocation)
            if printed is not None:
                return printed
    return infer.apply_rows(invocation, tool)


def handler_for(special: str) -> Handler | None:
    """Return the code behind a `special` word of the knowledge base; loaded when first met."""
    if special in _handlers:
        return _handlers[special]
    from phocinae_cli.analysis import builtins, filters

    found = builtins.HANDLERS.get(special) or filters.HANDLERS.get(special)
    if found is None:
        found = _seldom(special)
    _handlers[special] = found
    return found


def _seldom(special: str) -> Handler | None:
    """Return a handler of a program with a language of its own; each module is loaded when one of its is met."""
    if special == "git":
        from phocinae_cli.analysis.git import HANDLERS
    elif special in ("dump", "redis-keys"):
        from phocinae_cli.analysis.store_outputs import HANDLERS
    elif special == "web":
        from phocinae_cli.analysis.web_requests import HANDLERS
    elif special == "sed":
        from phocinae_cli.analysis.sed import HANDLERS
    elif special == "jj":
        from phocinae_cli.analysis.jj import HANDLERS
    elif special in ("find", "xargs", "parallel", "paths", "fd", "zargs"):
        from phocinae_cli.analysis.searches import HANDLERS
    elif special in ("copy", "cp", "chmod", "tar"):
        from phocinae_cli.analysis.copies import HANDLERS
    elif special in ("mount", "umount", "ln"):
        from phocinae_cli.analysis.mounts import HANDLERS
    elif special == "rename":
        from phocinae_cli.analysis.moves import HANDLERS
    elif special == "session":
        from phocinae_cli.analysis.sessions import HANDLERS
    elif special in ("kill", "listed", "ps"):
        from phocinae_cli.analysis.processes import HANDLERS
    elif special in ("ansible", "playbook", "salt", "puppet", "task", "recipe"):
        from phocinae_cli.analysis.managed import HANDLERS
    elif special == "manifest":
        from phocinae_cli.analysis.objects import HANDLERS
    elif special in ("env", "sudo", "crontab", "commands-in-a-row"):
        from phocinae_cli.analysis.doors import HANDLERS
    else:
        from phocinae_cli.analysis.recipes import HANDLERS
    return HANDLERS.get(special)


_handlers: dict[str, Handler | None] = {}


def find(
    knowledge: Knowledge, name: str, argv: tuple[Value, ...], scope: Scope
) -> tuple[Tool | None, str, tuple[Value, ...]]:
    """Return what is known of a program by the name it is called with, its base name, and the argv to judge.

    Paths are cut to the base name; `python3.11` is `python3`, `rm.exe` is `rm`, `git-reset` is `git reset`,
    `cargo-audit` is `cargo audit`.
    """
    base = name.rpartition("/")[2] if "/" in name else name
    tool = knowledge.find(base)
    if tool is not None or not base:
        return tool, base, argv
    lowered = base.lower()
    if lowered.endswith((".exe", ".cmd", ".bat")):
        tool = knowledge.find(lowered[:-4])
        if tool is not None:
            return tool, lowered[:-4], argv
    bare = base.rstrip("0123456789.")
    if bare and bare != base:
        for shorter in (base.rpartition(".")[0], bare.rstrip("-"), bare + "3"):
            tool = knowledge.find(shorter) if shorter else None
            if tool is not None:
                return tool, shorter, argv
    if base.startswith("zf_"):  # of zsh's module zsh/files
        return knowledge.find(base[3:]), base[3:], argv
    head, dash, verb = base.partition("-")
    if dash and head in ("git", "cargo"):
        verbs = () if len(argv) > 1 and argv[1].exact == verb else (known(verb),)  # `cargo-nextest nextest run`
        return knowledge.find(head), head, (known(head), *verbs, *argv[1:])
    if base.startswith("g") and len(base) > 2 and "/" not in name:
        tool = knowledge.find(base[1:])
        if tool is not None and base in GNU_PREFIXED:
            return tool, base[1:], argv
    return None, base, argv


GNU_PREFIXED = frozenset(
    (
        "grm", "gcp", "gmv", "gdd", "gls", "gcat", "gsed", "gawk", "gtar", "gfind", "gxargs", "gchmod", "gchown", "gln",
        "gmkdir", "gshred", "gtruncate", "gtee", "ghead", "gtail", "gsort", "gdate", "gstat", "greadlink", "gtimeout",
    )
)  # fmt: skip


def _asks_for_help(invocation: Invocation, tool: Tool) -> bool:
    arguments = invocation.arguments
    flags = arguments.flags
    if tool.style == "words" or tool.special == "no-help":
        return False
    for given, value in flags:
        if given in HELP and value is None:
            return True
        if given in tool.help and (value is None or value.exact not in ("none", "false", "no", "0", None)):
            return True
    last = arguments.operands[-1].exact if arguments.operands else None
    if last is not None and last[:1] != "-" and last in tool.help:  # an option there is the inner command's
        return True
    if len(flags) == 1 and flags[0] == ("-h", None) and arguments.operands and invocation.words[-1].exact == "-h":
        return tool.knows_verb(arguments.operands[0].text)  # `git push -h`
    if len(invocation.words) == 1 and invocation.words[0].exact in ("-h", "-V", "-version", "help", "version", "-help"):
        word = invocation.words[0].exact
        return word not in ("-h",) or tool.name not in ("shutdown", "ls", "df", "du", "free", "sort")
    return False


def _unknown_program(evaluator: Evaluator, argv: tuple[Value, ...], scope: Scope, context: Context) -> Stream:
    first = argv[0]
    collector = evaluator.collector
    action = collector.action(argv, scope, context, "")
    if "network" in first.taint:
        collector.effect(
            "run-remote-code", first.text, action, "code.from-network", "what the network sends becomes the command",
            "download to a file, read it, then run it",
        )  # fmt: skip
    else:
        collector.effect(
            "run-unknown-code", first.text, action, "code.unknown-program",
            "which program runs is known only once it runs", "write the program's name", certain=False,
        )  # fmt: skip
    return Stream(None, first.taint, "the output of an unknown program")


def _located(evaluator: Evaluator, argv: tuple[Value, ...], scope: Scope, context: Context, stdin: Stream) -> Stream:
    """Judge `$(which git) status` as git; where it is not installed, what stands behind it would be the command."""
    second = argv[1].exact if len(argv) > 1 else None
    if second and evaluator.collector.knowledge.find(second.rpartition("/")[2]) is not None:
        run_command(evaluator, argv[1:], scope, context, stdin)
    return run_command(evaluator, (known(argv[0].located()), *argv[1:]), scope, context, stdin)


def _sure_program(pattern: str) -> bool:
    """Return whether a pattern leaves open only which folder of programs it means: `/???/ls`."""
    from fnmatch import fnmatchcase

    folder, slash, base = pattern.rpartition("/")
    plain = bool(slash and base) and not any(char in base for char in "*?[")
    return plain and any(fnmatchcase(place, folder) for place in PROGRAM_DIRS)


MAX_CANDIDATES = 500


def _candidates(
    evaluator: Evaluator, pattern: str, argv: tuple[Value, ...], scope: Scope, context: Context, stdin: Stream
) -> None:
    """Judge each program that a pattern in the place of a program may match: `/b?n/r?` may be `rm`."""
    from fnmatch import fnmatchcase

    folder, slash, base = pattern.rpartition("/")
    if not slash or not any(fnmatchcase(place, folder) for place in PROGRAM_DIRS):
        return
    names = [name for name in evaluator.collector.knowledge.names() if fnmatchcase(name, base)]
    if len(names) > MAX_CANDIDATES:
        raise TooMuch  # to judge only some of them could leave out the one that matters
    for name in names:
        run_command(evaluator, (known(name), *argv[1:]), scope, context, stdin)


def _undescribed(invocation: Invocation, name: str) -> Stream:
    words = invocation.words
    if "/" in name:
        from phocinae_cli.analysis import scripts

        path = normalise(name, invocation.scope.cwd) or ""
        if removes_guard(path):
            invocation.effect("security-off", path, "guard.removed", "takes away what guards the machine")
        only_asks = len(words) == 1 and words[0].exact in HELP and is_installed(path)
        if path.rpartition("/")[0] not in PROGRAM_DIRS and not only_asks:
            return scripts.run_path(invocation, invocation.argv[0], words)
    if len(words) == 1 and words[0].exact in ("--help", "--version", "-h", "-V", "help", "version", "-v", "-version"):
        invocation.action.notes.append("only asks for its help or version")
        return Stream(None, NOTHING, f"the help of {name}")
    program = invocation.name
    for folder in (*PROGRAM_DIRS, invocation.scope.home + "/.local/bin", invocation.scope.home + "/bin"):
        written = invocation.scope.files.get(f"{folder}/{name}")
        if written is not None and "network" in written.taint:
            from phocinae_cli.analysis import runs  # this very line put the program there

            return runs.unseen(invocation, written, f"{folder}/{name}")
    invocation.effect(
        "unknown", program, "program.undescribed", f"nobody has described what `{program}` does", certain=False
    )
    return Stream(None, outputs.input_taint(invocation), f"the output of {program}")
