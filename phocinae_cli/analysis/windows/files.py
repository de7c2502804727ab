"""Programs and scripts named by their path, and programs that nobody described."""

from __future__ import annotations

from phocinae_cli.analysis import commands, runs, scripts
from phocinae_cli.analysis.arguments import read_arguments
from phocinae_cli.analysis.values import NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import leaving
from phocinae_cli.analysis.windows.paths import is_windows
from phocinae_cli.analysis.windows.things import Thing, from_stream, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.kb.lookup import Tool

LANGUAGES = {
    "ps1": "powershell",
    "bat": "cmd",
    "cmd": "cmd",
    "py": "python",
    "js": "text-is-code",
    "vbs": "text-is-code",
    "sh": "sh",
}


def run_path(
    walker: Walker,
    name: Value,
    words: tuple[Value, ...],
    tool: Tool | None,
    base: str,
    scope: WindowsScope,
    context: Context,
    piped: Thing,
    stdin: Stream,
) -> Thing:
    """Judge a program named by a path of somebody's own: what the line fetched, a script, or a described program."""
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

    argv = (known(name.text), *words)
    invocation = WindowsInvocation(walker, base, None, argv, read_arguments(words, None), scope, context, piped, stdin)
    found = fetched(invocation, name)
    if found is not None:
        return found
    if leaving.is_foreign(scope, name):
        runs.unseen(invocation, Stream(None, frozenset(("network",)), name.text), name.text)
        return unsure(f"the output of {base}")
    path = scope.resolve(name.exact or "") or ""
    if scope.where.place(path) == "rc" and written_at(scope, path) is None:
        invocation.action.notes.append("reads the profile again")
        return unsure("what a profile prints")
    ending = base.rpartition(".")[2] if "." in base else ""
    if ending in LANGUAGES:
        return from_stream(scripts.run_file(invocation, LANGUAGES[ending], name, words))
    if tool is not None:
        return from_stream(commands.described(WindowsInvocation(
            walker, base, tool, argv, read_arguments(words, tool), scope, context, piped, stdin
        )))  # fmt: skip
    if base.endswith((".exe", ".com")) or is_windows(scope.resolve(name.exact or "") or ""):
        invocation.effect(
            "run-unknown-code", name.text, "code.unread-program", "what it does can't be read", certain=False,
            instead="find out where it comes from first",
        )  # fmt: skip
        return unsure(f"the output of {base}")
    return undescribed(invocation, name.text)


def fetched(invocation: WindowsInvocation, name: Value) -> Thing | None:
    """Record that a file which the line fetched from another machine runs; None when it is not such a file."""
    path = invocation.scope.resolve(name.exact) if name.exact is not None else None
    written = written_at(invocation.scope, path) if path is not None else None
    if written is not None and "network" in written.taint:
        return from_stream(runs.unseen(invocation, written, f"{name.text}, fetched a moment ago"))
    if written is None and name.exact is None and "network" in name.taint:
        return from_stream(runs.unseen(invocation, Stream(None, name.taint), name.text))
    return None


def was_fetched(scope: WindowsScope, name: str) -> bool:
    """Return whether the line fetched a program from another machine."""
    path = scope.resolve(name)
    written = written_at(scope, path) if path is not None else None
    return written is not None and "network" in written.taint


def written_at(scope: WindowsScope, path: str) -> Stream | None:
    """Return what the line wrote to a path; Windows does not tell upper from lower case, nor needs the ending."""
    low = path.lower()
    for known_path, stream in scope.files.items():
        written = known_path.lower()
        if written == low or written.removesuffix(".exe") == low:
            return stream
    while low:
        low = low.rpartition("/")[0]
        for known_path, stream in scope.files.items():
            if known_path.lower() == low and "network" in stream.taint:
                return stream
    return None


def undescribed(invocation: WindowsInvocation, name: str) -> Thing:
    """Record a program that nobody described."""
    words = invocation.words
    found = fetched(invocation, known(name))
    if found is not None:
        return found
    if len(words) == 1 and (words[0].exact or "") in (
        "--help",
        "--version",
        "-h",
        "-V",
        "help",
        "version",
        "-v",
        "/?",
        "-?",
        "-version",
    ):
        return Thing()
    program = invocation.name
    invocation.effect(
        "unknown", program, "program.undescribed", f"nobody has described what `{program}` does", certain=False
    )
    taint = invocation.stdin.taint
    for value in words:
        taint |= value.taint
    return unsure(f"the output of {program}", taint - {"name"} if taint else NOTHING)
