"""AppleScript, and JavaScript for it: the shell texts that it runs, and the statements that do more than show."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.values import Stream, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

SHELLS = ("do shell script", "doshellscript(", "do script", "doscript(")
POWER = ("shut down", "restart", "«event aevtrsdn»", "«event aevtrrst»", "shutdown()", "restart()")
SHOWS = frozenset(
    (
        "tell", "end", "activate", "display", "say", "get", "return", "set", "beep", "if", "else", "repeat", "delay",
        "try", "on", "count", "log", "choose", "using", "considering", "ignoring", "with", "exit", "name", "id",
        "version", "every", "first", "exists", "path", "output", "the", "open", "reveal", "launch", "play", "pause",
        "playpause", "next", "previous", "stop", "copy", "current", "properties", "it", "local", "global", "property",
        "use", "{", "posix", "(", "my", "item", "items", "window", "windows", "text", "offset", "info", "system",
        "console.log", "",
    )
)  # fmt: skip
"""First words of statements that only show, read or remember something."""
CHANGES = {
    "quit": ("kill", "ends the program"), "kill": ("kill", "ends a process"),
    "delete": ("change", "deletes what it names"), "empty": ("change", "empties the trash for good"),
    "make": ("change", "makes something in a program"), "move": ("change", "moves what it names"),
    "keystroke": ("change", "types into whatever stands in front"), "key": ("change", "presses keys"),
    "click": ("change", "presses a button"), "close": ("change", "closes what may not be saved"),
    "save": ("change", "writes a document"), "send": ("change", "sends a message"),
    "eject": ("mount", "takes a disk out"), "sleep": ("service", "sends the machine to sleep"),
    "duplicate": ("change", "copies what it names"), "log out": ("kill", "ends the session"),
}  # fmt: skip


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what a script for macOS does, and return what it would print; a statement nobody knows asks."""
    deeds = Deeds(invocation, language, remote)
    bare, shells = _taken_apart(text)
    for command in shells:
        deeds.shell(command)
    if any(word in bare for word in ("shut down", "restart", "aevtrsdn", "aevtrrst")) and any(
        _verb(statement).startswith(POWER) for statement in bare.split("\n")
    ):
        invocation.effect("power", "the machine", "applescript.power", "takes the machine down")
    script = "doshellscript" in text.lower() or "Application(" in text
    for statement in bare.split("\n"):
        verb = _verb(statement)
        first = verb.partition(" ")[0].partition("(")[0]
        if not verb or verb.startswith((*POWER, *SHELLS, "--")) or first in SHOWS:
            continue
        kind, why = CHANGES.get(first) or CHANGES.get(verb) or ("", "")
        if kind:
            invocation.effect(kind, statement.strip(), f"applescript.{first}", why)
        elif not (script and shells):
            deeds.unsure(statement.strip(), "nobody knows this statement here")
    return deeds.output(sure=False)


def _verb(statement: str) -> str:
    """Return a statement without the `tell application ... to` in front of it."""
    verb = statement.strip()
    while verb.startswith("tell ") and " to " in verb:
        verb = verb.partition(" to ")[2].strip()
    return verb


def _taken_apart(text: str) -> tuple[str, list[Value]]:
    """Return the script in lower case without what stands in quotes, and the texts that it gives to a shell."""
    bare, shells, at = "", [], 0
    while at < len(text):
        char = text[at]
        if char == '"' or (char == "'" and "(" in bare):
            _, at = _quoted(text, at)
            bare += '""'
            continue
        bare += char.lower()
        at += 1
        if bare.endswith(SHELLS):
            command, at = _joined(text, at)
            shells.append(command)
    return bare, shells


def _quoted(text: str, at: int) -> tuple[str, int]:
    """Return what stands in the quotes that open here, and the place behind them."""
    mark, found, at = text[at], "", at + 1
    while at < len(text) and text[at] != mark:
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
        found += text[at]
        at += 1
    return found, at + 1


def _joined(text: str, at: int) -> tuple[Value, int]:
    """Return the text behind `do shell script`: quoted pieces, with an unknown part for any other one."""
    parts: list[str | Unknown] = []
    while at < len(text) and text[at] not in "\n)":
        if text[at] == " " and text[at:].startswith((" with ", " in ", " as ", " user ", " password ", " without ")):
            break
        if text[at] in "\"'":
            piece, at = _quoted(text, at)
            parts.append(piece)
            continue
        if text[at] not in " (&+" and (not parts or isinstance(parts[-1], str)):
            parts.append(Unknown("part of the script", False))
        at += 1
    return Value(tuple(parts) or ("",)), at
