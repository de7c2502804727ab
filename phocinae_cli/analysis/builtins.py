"""Commands that change the shell's own state: directories, variables, functions, aliases, code in variables."""

from __future__ import annotations

from phocinae_cli.analysis import infer, runs
from phocinae_cli.analysis.arguments import OUTPUT_OF
from phocinae_cli.analysis.environment import WATCHED, no_history, set_variable
from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.values import (
    EACH_LINE_OF,
    EMPTY,
    NOTHING,
    PLACE_OF,
    Stream,
    Unknown,
    Value,
    known,
    unknown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation


def change_directory(invocation: Invocation) -> Stream | None:
    """`cd`, `pushd`: later paths are relative to where it leads."""
    scope = invocation.scope
    operands = invocation.arguments.operands
    target = operands[-1] if operands else known(scope.home)
    text = target.exact
    before = scope.cwd
    scope.lost, scope.moved = None, True
    if text == "-":
        scope.cwd = scope.oldpwd
    elif text is None or (target.globs and ("*" in text or "?" in text)):
        head = target.head()
        readings = target.readings()
        # `cd "$DIR"` leads nobody knows where; `cd src/$name` stays below src.
        scope.cwd = None if target.leading_unknown() or not head else scope.resolve(readings[0])
        if target.leading_unknown() and len(readings) > 1 and readings[1]:
            scope.lost = scope.resolve(readings[1])  # `cd "$X/"` is `cd /` when X is empty
        elif isinstance(target.parts[0], Unknown) and target.parts[0].vanishes:
            scope.lost = scope.home  # `cd $X` is `cd` when X is empty
    else:
        scope.cwd = scope.resolve(text)
    scope.oldpwd = before
    return EMPTY


def pop_directory(invocation: Invocation) -> Stream | None:
    """`popd`: back to where the last change came from."""
    invocation.scope.cwd, invocation.scope.oldpwd = invocation.scope.oldpwd, invocation.scope.cwd
    return EMPTY


def declare(invocation: Invocation) -> Stream | None:
    """`export`, `declare`, `local`, `typeset`, `readonly`: assignments written as words."""
    scope = invocation.scope
    bare = True
    for value in invocation.words:
        head = value.head()
        name, equals, _ = head.partition("=")
        if equals and name.rstrip("+").isidentifier():
            scope.assign(name.rstrip("+"), [(value.cut(len(name) + 1),)])
            bare = False
            if name in WATCHED:
                set_variable(invocation.evaluator, name, value.cut(len(name) + 1), scope, invocation.context)
        elif not head.startswith("-"):
            name = value.text
            bare = False
        if invocation.name == "export" or (value.known and "x" in value.text and value.text.startswith("-")):
            scope.exported |= {name.rstrip("+")}
    taint = frozenset(("environment",)) if bare else NOTHING
    return Stream(None, taint, "the list of variables")


def unset(invocation: Invocation) -> Stream | None:
    """`unset`: the variable is empty from here on."""
    for value in invocation.arguments.operands:
        invocation.scope.variables[value.text] = [(known(""),)]
        invocation.scope.functions.pop(value.text, None)
        if value.exact == "HISTFILE":
            no_history(invocation.evaluator, invocation.scope, invocation.context)
    return EMPTY


def read_variables(invocation: Invocation) -> Stream | None:
    """`read`, `mapfile`: variables get what is fed in, line by line when its text is known."""
    names = [value.text for value in invocation.arguments.operands if value.text.isidentifier()]
    flow = invocation.stdin
    if isinstance(flow, HereText):
        choices = [(value,) for value in flow.words()]
        for name in names or ["REPLY"]:
            invocation.scope.assign(name, choices)
        return EMPTY
    array = invocation.name in ("mapfile", "readarray")
    lines = flow.text.splitlines() if flow.text is not None else None
    if not names:
        names = ["MAPFILE"] if array else ["REPLY"]
    for number, name in enumerate(names):
        if lines is None or len(lines) > 100:
            why = f"{EACH_LINE_OF} {flow.why}" if flow.why.startswith(OUTPUT_OF) else flow.why
            invocation.scope.assign(name, [(unknown(why or "what is read", flow.taint),)])
        elif array:
            invocation.scope.assign(name, [tuple(known(line, flow.taint) for line in lines)])
        else:
            last = number == len(names) - 1
            choices = [(known(_field(line, number, last), flow.taint),) for line in lines]
            invocation.scope.assign(name, choices or [(known(""),)])
    return EMPTY


def _field(line: str, number: int, last: bool) -> str:
    words = line.split(None, number) if last else line.split()
    return words[number] if number < len(words) else ""


def set_options(invocation: Invocation) -> Stream | None:
    """`set`: positional parameters behind `--`; options change nothing that is judged here."""
    words = invocation.words
    if not words:
        return Stream(None, frozenset(("environment",)), "the list of variables")
    for number, value in enumerate(words):
        if value.exact == "--":
            invocation.scope.positional = words[number + 1 :]
            return EMPTY
    if [value.exact for value in words[:2]] == ["+o", "history"]:
        no_history(invocation.evaluator, invocation.scope, invocation.context)
    if not words[0].head().startswith(("-", "+")):
        invocation.scope.positional = words
    return EMPTY


def shift(invocation: Invocation) -> Stream | None:
    """`shift`: drop positional parameters."""
    scope = invocation.scope
    count = invocation.words[0].exact if invocation.words else "1"
    if scope.positional is not None:
        scope.positional = scope.positional[int(count) :] if count and count.isdigit() else None
    return EMPTY


def define_alias(invocation: Invocation) -> Stream | None:
    """`alias`: what it defines is judged where it is used."""
    for value in invocation.arguments.operands:
        name, equals, _ = value.head().partition("=")
        text = value.cut(len(name) + 1)
        if equals and text.exact is not None:
            invocation.scope.aliases[name] = text.exact
    return Stream("", NOTHING)


def evaluate_words(invocation: Invocation) -> Stream | None:
    """`eval`: its words joined by blanks are a line of the same shell."""
    words = [value for value in invocation.words if value.exact != "--"]
    if not words:
        return EMPTY
    return runs.code_of_value(invocation, "sh", runs.spaced(words), False, ())


def source(invocation: Invocation) -> Stream | None:
    """`.` and `source`: a file read into this very shell."""
    operands = invocation.words
    if not operands:
        return EMPTY
    from phocinae_cli.analysis import scripts

    return scripts.source_file(invocation, operands[0], operands[1:])


def trap(invocation: Invocation) -> Stream | None:
    """`trap`: run later counts as run; by then variables and functions may have been set."""
    operands = invocation.arguments.operands
    if len(operands) < 2 or operands[0].exact in ("-", ""):
        return EMPTY
    invocation.evaluator.later.append(lambda: runs.code_of_value(invocation, "sh", operands[0], False, ()))
    return EMPTY


def execute(invocation: Invocation) -> Stream | None:
    """`exec`: the command behind it; alone it only redirects."""
    operands = invocation.arguments.operands
    return invocation.run(tuple(operands)) if operands else EMPTY


RUNNING = ("command", "builtin", "noglob", "nocorrect", "-")
"""Words in front of a command that leave it what it is."""


def look_up(invocation: Invocation) -> Stream | None:
    """`command -v`, `type`, `which`: tells where a program lies; `command` alone runs the rest."""
    arguments = invocation.arguments
    if invocation.name in RUNNING and not arguments.has("-v", "-V"):
        return invocation.run(tuple(arguments.operands)) if arguments.operands else EMPTY
    if len(arguments.operands) == 1 and arguments.operands[0].exact:
        return Stream(None, NOTHING, PLACE_OF + arguments.operands[0].exact)
    return Stream(None, NOTHING, "a path")


def set_shell_option(invocation: Invocation) -> Stream | None:
    """`shopt`, `setopt`, `ulimit`, `umask` and the like: the state of this one shell."""
    return EMPTY


def test(invocation: Invocation) -> Stream | None:
    """`test`, `[`, `true`, `:`: answers by its status only."""
    return EMPTY


def again(invocation: Invocation) -> Stream | None:
    """`fc`, `r`: a line of the history runs again, unseen here; `fc -l` lists."""
    if invocation.arguments.has("-l"):
        return Stream(None, NOTHING, "the history")
    invocation.effect(
        "run-unknown-code", "a line of the history", "code.history-again",
        "which line of the history runs again can't be seen here", certain=False,
    )  # fmt: skip
    return EMPTY


def working_directory(invocation: Invocation) -> Stream | None:
    """`pwd`."""
    cwd = invocation.scope.cwd
    return Stream(cwd + "\n") if cwd is not None else Stream(None, NOTHING, "the directory")


def shell(invocation: Invocation) -> Stream | None:
    """`sh`, `bash`, `zsh` ...: a text behind `-c`, a script file, or what is fed in."""
    arguments = invocation.arguments
    operands = arguments.operands
    for value in arguments.values("--rcfile", "--init-file"):
        run_file(invocation, "sh", value)
    if arguments.has("-c", "--command"):
        if not operands:
            return EMPTY
        return runs.code_of_value(invocation, "sh", operands[0], False, tuple(operands[1:]))
    if arguments.has("-n") and not arguments.has("-c"):
        return EMPTY  # only checks the syntax
    if operands and not arguments.has("-s"):
        return run_file(invocation, "sh", operands[0], tuple(operands[1:]))
    if invocation.stdin is EMPTY:
        if any(name in ROOT_DOORS for name in invocation.context.via):
            invocation.effect("root-shell", invocation.name, "shell.root", "opens a shell as root")
        return EMPTY
    return runs.code(invocation, "sh", invocation.stdin, False, "what is fed in")


ROOT_DOORS = frozenset(("sudo", "doas", "pkexec", "su"))


def run_file(invocation: Invocation, language: str, name: Value, words: tuple[Value, ...] = ()) -> Stream:
    """Judge a script file; its reader is loaded when first met."""
    from phocinae_cli.analysis import scripts

    return scripts.run_file(invocation, language, name, words)


def connect(invocation: Invocation) -> Stream | None:
    """zsh's `ztcp HOST PORT`: REPLY is the number of a descriptor on which the other machine is heard."""
    number = invocation.arguments.value("-d") or known("12")
    if invocation.arguments.operands and not invocation.arguments.has("-c", "-L"):
        invocation.scope.assign("REPLY", [(number,)])
        what = " ".join(value.text for value in invocation.arguments.operands)
        invocation.scope.files[f"/dev/fd/{number.text}"] = Stream(None, frozenset(("network",)), f"what {what} sends")
    return infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {
    "cd": change_directory, "popd": pop_directory, "declare": declare, "unset": unset, "read": read_variables,
    "set": set_options, "shift": shift, "alias": define_alias, "eval": evaluate_words, "source": source, "trap": trap,
    "exec": execute, "command": look_up, "shopt": set_shell_option, "test": test, "fc": again, "pwd": working_directory,
    "shell": shell, "ztcp": connect,
}  # fmt: skip
