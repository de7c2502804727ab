"""The door to PowerShell and cmd: whole lines in those shells, and texts that other shells hand to them.

Everything behind it is loaded only when such a line or text is met.
"""

from __future__ import annotations

from phocinae_cli.analysis.syntax import Fault
from phocinae_cli.analysis.values import Stream, TooMuch
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.request import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.collect import Collector
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.core.queries import Facts
    from phocinae_cli.kb.lookup import Knowledge

SHELL_PROGRAMS = ("powershell", "pwsh", "cmd", "powershell_ise", "pwsh-preview")


def analyze_foreign(request: Request, collector: Collector) -> Analysis:
    """Return the analysis of a PowerShell or cmd line; unreadable when the grammar for PowerShell is missing."""
    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows import batch, tree
    from phocinae_cli.analysis.windows.paths import WindowsPlaces
    from phocinae_cli.analysis.windows.scope import WindowsScope

    text = request.text.replace("\r\n", "\n").rstrip("\n")
    walker = _walker(collector)
    walker.evaluator.checked = text
    scope = WindowsScope(request)
    fact = collector.facts.trees.get(request.cwd)
    if fact is not None and fact.root is not None:
        scope.where = WindowsPlaces(request.cwd, request.home, fact.root)
    context = Context(text, request.shell)
    unfinished = False
    try:
        if request.shell == "cmd":
            batch.run_text(walker, text, scope, context)
        else:
            if not tree.available():
                return Analysis(unreadable=tree.MISSING)
            walker.run_text(text, scope, context)
            unfinished = _unfinished(text)
    except (TooMuch, RecursionError):
        collector.first_fault = Fault("too-deep", "it is nested too deep, or expands to too many words", 0)
    fault = collector.first_fault
    return Analysis(
        tuple(collector.actions),
        tuple(collector.effects),
        tuple(collector.queries),
        fault.message if fault is not None else "",
        fault.at if fault is not None else 0,
        fault is not None and unfinished,
        "",
        _plain(request.text, collector),
    )


def run_foreign(invocation: Invocation, language: str, text: str, scope: Scope) -> Stream:
    """Judge a text that a command gives to PowerShell or cmd, and return what it would print.

    For these programs themselves `text` may be all their words: then their options are read first.
    """
    from phocinae_cli.analysis.windows import code
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.analysis.windows.shells import run_shell

    walker = _walker(invocation.evaluator.collector)
    inner = WindowsScope.of(scope)
    name = invocation.name.lower()
    try:
        if name in SHELL_PROGRAMS and invocation.stdin.text != text and not _is_script(text, invocation):
            return run_shell(walker, invocation, name, invocation.words, inner).stream()
        return code.run_source(walker, invocation, language, text, inner).stream()
    except RecursionError:
        raise TooMuch from None


def _is_script(text: str, invocation: Invocation) -> bool:
    """Return whether a text came out of a file, and is not what stands on the command line."""
    return "\n" in text and not any("\n" in word.text for word in invocation.words)


def _walker(collector: Collector) -> Walker:
    from phocinae_cli.analysis.commands import run_command
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.redirects import redirected
    from phocinae_cli.analysis.windows.pwsh import Walker

    if collector.evaluator is None:
        collector.evaluator = Evaluator(collector, run_command, redirected)
    return Walker(collector, collector.evaluator)


def _plain(text: str, collector: Collector) -> bool:
    """Return whether the line is one simple command of literal words."""
    return len(collector.actions) == 1 and not any(char in text for char in "|&;<>$(){}@%^`\n\"'!")


def _unfinished(text: str) -> bool:
    opened = text.rstrip()
    return opened.endswith(("`", "|", "{", "(", ",")) or opened.count("{") > opened.count("}")


# --- a line in the wrong shell -----------------------------------------------------------------------------------


def second_reading(request: Request, facts: Facts, kb: Knowledge, found: Analysis) -> Analysis:
    """Return the analysis of a line that a POSIX shell can't make sense of, read as PowerShell or cmd too.

    What either reading finds counts, so the stricter one decides. A line that is not clearly theirs stays as it is.
    """
    shell = looks_foreign(request.text)
    if not shell:
        return found
    from phocinae_cli.analysis.collect import Collector

    twin = Request(
        request.text, shell, request.cwd, request.env, home=request.home, user=request.user, audience=request.audience,
        tool=request.tool,
    )  # fmt: skip
    other = analyze_foreign(twin, Collector(twin, facts, kb))
    for action in other.actions:
        action.notes.append(f"the line is written for {'PowerShell' if shell == 'powershell' else shell}")
    return Analysis(
        (*found.actions, *other.actions),
        (*found.effects, *other.effects),
        (*found.queries, *(query for query in other.queries if query not in found.queries)),
        found.fault or other.fault or other.unreadable,
        found.fault_at if found.fault else other.fault_at,
        found.unfinished,
        found.unreadable,
        False,
    )


CMD_WORDS = (
    "vssadmin", "wbadmin", "bcdedit", "wevtutil", "wmic", "schtasks", "icacls", "takeown", "diskpart", "reg", "del",
    "erase", "rd", "netsh", "taskkill", "tasklist", "sc", "certutil", "bitsadmin", "cipher", "fsutil", "format",
    "net", "rmdir", "copy", "xcopy", "robocopy", "systeminfo", "ipconfig", "findstr", "mshta", "regsvr32", "rundll32",
    "msiexec", "attrib", "shutdown", "dir", "type", "auditpol", "forfiles", "ntdsutil", "cmdkey", "manage-bde",
)  # fmt: skip
SURELY_CMD = frozenset(
    (
        "vssadmin", "wbadmin", "bcdedit", "wevtutil", "wmic", "schtasks", "icacls", "takeown", "diskpart", "netsh",
        "reg",
        "taskkill", "certutil", "bitsadmin", "fsutil", "auditpol", "forfiles", "ntdsutil", "cmdkey", "regsvr32",
        "rundll32", "msiexec", "mshta",
    )
)  # fmt: skip
VERBS = (
    "get", "set", "remove", "new", "clear", "stop", "start", "restart", "invoke", "add", "copy", "move", "rename",
    "disable", "enable", "format", "out", "write", "test", "select", "where", "foreach", "import", "export", "install",
    "uninstall", "register", "unregister", "convertto", "convertfrom", "measure", "sort", "initialize", "resize",
    "expand",
    "compress", "update", "reset", "mount", "dismount", "send", "suspend", "resume", "find", "group", "limit",
)  # fmt: skip


def looks_foreign(text: str) -> str:
    """Return `powershell` or `cmd` when a line that a POSIX shell can't make sense of is clearly one of theirs."""
    lowered = text.lower()
    for piece in _pieces(lowered):
        word = piece.split(None, 1)[0] if piece.split() else ""
        verb, dash, noun = word.partition("-")
        if dash and verb in VERBS and noun.isalpha() and len(noun) > 2:
            return "powershell"
        if word.startswith(("$env:", "[system.", "[io.")) or word == "iex":
            return "powershell"
        name = word.removesuffix(".exe").rpartition("\\")[2]
        if name in SURELY_CMD or (name in CMD_WORDS and _windows_argument(piece)):
            return "cmd"
    return ""


def _pieces(text: str) -> list[str]:
    for mark in ("|", "&", ";", "\n", "(", "{"):
        text = text.replace(mark, "\n")
    return [piece.strip() for piece in text.split("\n") if piece.strip()]


def _windows_argument(piece: str) -> bool:
    """Return whether a piece has a drive, a hive, a variable of cmd or a `/x` switch among its words."""
    for word in piece.split()[1:]:
        bare = word.strip("\"'")
        if (bare[1:2] == ":" and bare[:1].isalpha()) or bare.startswith(("hklm", "hkcu", "hkey_", "\\\\")):
            return True
        if bare.startswith("%") and bare.count("%") > 1:
            return True
        if bare[:1] == "/" and 1 < len(bare) < 4 and bare[1:].isalpha():
            return True
    return False
