"""PowerShell and cmd as programs: which of their words are code, encoded code, or a file."""

from __future__ import annotations

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known
from phocinae_cli.analysis.windows import code
from phocinae_cli.analysis.windows.paths import Located, located
from phocinae_cli.analysis.windows.things import NONE, Thing, from_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

    Handler = Callable[[WindowsInvocation], Thing | None]

WITH_VALUE = (
    "-executionpolicy", "-ep", "-ex", "-exec", "-windowstyle", "-w", "-win", "-version", "-v", "-inputformat",
    "-outputformat",
    "-configurationname", "-workingdirectory", "-wd", "-custompipename", "-settingsfile", "-psconsolefile", "-if",
    "-of", "-o",
)  # fmt: skip


def original(value: Value) -> Value:
    """Return a word as it was written, when it was read as a path."""
    return known(value.text, value.taint) if isinstance(value, Located) and value.known else value


# --- shells --------------------------------------------------------------------------------------------------------


def run_shell(
    walker: Walker, invocation: Invocation, name: str, words: tuple[Value, ...], scope: WindowsScope
) -> Thing:
    """Judge `powershell`, `pwsh` or `cmd` by their words: a text, an encoded text, a file, what is fed in."""
    name = name.rpartition("\\")[2].removesuffix(".exe")
    plain = [original(value) for value in words]
    if name == "cmd":
        return _run_cmd(walker, invocation, plain, scope)
    return _run_powershell(walker, invocation, plain, scope, name)


def _run_cmd(walker: Walker, invocation: Invocation, words: list[Value], scope: WindowsScope) -> Thing:
    for number, word in enumerate(words):
        low = (word.exact or word.head()).lower()
        if low[:2] in ("/c", "/k", "/r") and word.head():
            glued = [word.cut(2)] if len(word.head()) > 2 or len(word.parts) > 1 else []
            rest = [*glued, *words[number + 1 :]]
            if not rest:
                return NONE
            return code.run_code(walker, invocation, "cmd", one_line(rest), scope.child(), "cmd /c")
        if not low.startswith("/"):
            break
    if invocation.fed:
        return _fed(walker, invocation, "cmd", scope)
    return NONE


def one_line(words: list[Value]) -> Value:
    """Return the words as one text again; one that has blanks is quoted, unless it is all there is."""
    if len(words) == 1:
        value = words[0]
        text = value.exact
        if text is not None and text.startswith('"') and text.endswith('"') and text.count('"') == 2:
            return known(text[1:-1], value.taint)
        return value
    quoted = [
        known(f'"{word.text}"', word.taint) if word.known and " " in word.text and '"' not in word.text else word
        for word in words
    ]
    return runs.spaced(quoted)


def _run_powershell(
    walker: Walker, invocation: Invocation, words: list[Value], scope: WindowsScope, name: str
) -> Thing:
    index = 0
    inner = scope.child()
    while index < len(words):
        word = words[index]
        index += 1
        low = (word.exact or "").lower()
        if low[:1] == "/" and len(low) > 1 and low[1:].isalpha():
            low = "-" + low[1:]
        if low.startswith(("–", "—")):
            low = "-" + low[1:]
        option = low.rstrip(":")
        if len(option) > 1 and option[0] == "-" and option not in ("-",):
            if ("-encodedcommand".startswith(option) and option not in ("-en-",)) or option in ("-ec", "-enc"):
                if index < len(words):
                    value = code.decoded(words[index])
                    return code.run_code(walker, invocation, "powershell", value, inner, f"{name} -EncodedCommand")
                return NONE
            if "-command".startswith(option) and len(option) > 1 and option != "-co-":
                return _command(walker, invocation, words[index:], inner, name)
            if "-file".startswith(option):
                return _file(walker, invocation, words[index:])
            if option in WITH_VALUE or "-executionpolicy".startswith(option) or "-windowstyle".startswith(option):
                index += 1
            continue
        if low == "-":
            return _fed(walker, invocation, "powershell", inner)
        if low.endswith(".ps1"):
            return _file(walker, invocation, words[index - 1 :])
        return _command(walker, invocation, words[index - 1 :], inner, name)
    blocks = [entry.thing for entry in getattr(invocation, "given", []) if entry.thing.block is not None]
    for block in blocks:
        walker.run_block(block, inner, invocation.context)
    if invocation.fed and not blocks:
        return _fed(walker, invocation, "powershell", inner)
    return NONE


def _command(walker: Walker, invocation: Invocation, words: list[Value], scope: WindowsScope, name: str) -> Thing:
    if not words:
        return NONE
    if words[0].exact == "-":
        return _fed(walker, invocation, "powershell", scope)
    value = words[0] if len(words) == 1 else runs.spaced(words)
    text = value.exact
    if text is not None:
        stripped = text.strip()
        if len(stripped) > 1 and stripped[0] == stripped[-1] == '"' and stripped.count('"') == 2:
            stripped = stripped[1:-1]
        if stripped.startswith("{") and stripped.endswith("}"):
            stripped = "& " + stripped
        value = known(stripped, value.taint)
    return code.run_code(walker, invocation, "powershell", value, scope, f"{name} -Command")


def _file(walker: Walker, invocation: Invocation, words: list[Value]) -> Thing:
    from phocinae_cli.analysis import scripts
    from phocinae_cli.analysis.windows import files

    if not words:
        return NONE
    if words[0].exact == "-":
        return _fed(walker, invocation, "powershell", walker_scope(invocation))
    name = located(words[0], invocation.scope.home)
    path = invocation.scope.resolve(name.exact) if name.exact is not None else None
    scope = walker_scope(invocation)
    if path is not None and scope.where.place(path) == "remote":
        return from_stream(runs.unseen(invocation, Stream(None, frozenset(("network",))), name.text))
    written = files.written_at(scope, path) if path is not None else None
    if written is not None and "network" in written.taint:
        return from_stream(runs.unseen(invocation, written, f"{name.text}, fetched a moment ago"))
    return from_stream(scripts.run_file(invocation, "powershell", name, tuple(words[1:])))


def walker_scope(invocation: Invocation) -> WindowsScope:
    """Return the scope of an invocation as one of Windows."""
    from phocinae_cli.analysis.windows.scope import WindowsScope

    return WindowsScope.of(invocation.scope)


def _fed(walker: Walker, invocation: Invocation, language: str, scope: WindowsScope) -> Thing:
    stdin = invocation.stdin
    if stdin.text is not None and "network" not in stdin.taint:
        return code.run_source(walker, invocation, language, stdin.text, scope)
    if isinstance(stdin, Stream) and stdin is not EMPTY:
        return from_stream(runs.unseen(invocation, stdin, stdin.why or "what is fed in"))
    return NONE


def shell(invocation: WindowsInvocation) -> Thing:
    """`powershell`, `pwsh`, `cmd` called from PowerShell or cmd."""
    return run_shell(invocation.walker, invocation, invocation.name, invocation.words, invocation.scope)


# --- wrappers ------------------------------------------------------------------------------------------------------
