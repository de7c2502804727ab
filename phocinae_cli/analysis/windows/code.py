"""Text that becomes code: for Invoke-Expression, `-Command`, `cmd /c`, decoded base64; unknown parts stay unknown."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.context import Context
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known
from phocinae_cli.analysis.windows.scope import WindowsScope
from phocinae_cli.analysis.windows.things import NONE, Thing, from_stream, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.core.effects import Action

STEM = "phocinae_part_"


def run_code(
    walker: Walker,
    invocation: Invocation,
    language: str,
    value: Value,
    scope: WindowsScope,
    via: str = "",
    piped: Thing = NONE,
) -> Thing:
    """Judge one word that is run as PowerShell or cmd text."""
    if "network" in value.taint:
        return from_stream(runs.unseen(invocation, Stream(None, value.taint, value.unknown_why()), value.text))
    text = value.exact
    if text is None:
        text = with_holes(value, scope)
    if text is None:
        return from_stream(runs.unseen(invocation, Stream(None, value.taint, value.unknown_why()), value.text))
    return run_source(walker, invocation, language, text, scope, via, piped)


def run_source(
    walker: Walker,
    invocation: Invocation,
    language: str,
    text: str,
    scope: WindowsScope,
    via: str = "",
    piped: Thing = NONE,
) -> Thing:
    """Judge a text that a command gives to PowerShell or cmd."""
    context = invocation.context.inside(via or invocation.name)
    context.span = (invocation.action.start, invocation.action.end)
    context.becomes(text)
    if language == "cmd":
        from phocinae_cli.analysis.windows import batch

        return batch.run_text(walker, text, scope, context, piped.stream() if piped is not NONE else EMPTY)
    return walker.run_text(text, scope, context, piped)


def with_holes(value: Value, scope: WindowsScope) -> str | None:
    """Return the text with a fresh variable for each unknown part; None when it starts with one and is nothing else."""
    if value.leading_unknown() and len(value.parts) == 1:
        return None
    out = ""
    for number, part in enumerate(value.parts):
        if isinstance(part, str):
            out += part
            continue
        name = f"{STEM}{number}"
        scope.things[name] = Thing((Value((part,), False, value.taint),))
        out += "${" + name + "}"
    return out


def decoded(value: Value) -> Value:
    """Return what `-EncodedCommand` stands for: base64 of UTF-16."""
    text = value.exact
    if text is None:
        return value
    plain = from_base64(text, "utf-16-le")
    return known(plain, value.taint) if plain is not None else value


def from_base64(text: str, encoding: str) -> str | None:
    """Return decoded text, or None when it is not base64 of readable text."""
    squeezed = "".join(text.split())
    try:
        return b64decode(squeezed + "=" * (-len(squeezed) % 4)).decode(encoding)
    except (NotBase64, UnicodeDecodeError, ValueError):
        return None


def to_base64(text: str, encoding: str) -> str:
    """Return a text in base64."""
    return b64encode(text.encode(encoding, "replace")).decode()


def planted(
    walker: Walker, path: str, stream: Stream, scope: WindowsScope, action: Action, spot: Context | None = None
) -> None:
    """Judge what is written where it will run by itself: later counts as run."""
    if scope.where.place(path) not in ("startup", "rc"):
        return
    language = (
        "powershell"
        if path.lower().endswith((".ps1", ".psm1"))
        else "cmd"
        if path.lower().endswith((".bat", ".cmd"))
        else ""
    )
    if "network" in stream.taint:
        walker.collector.effect(
            "run-remote-code", path, action, "code.planted", "what the network sent runs by itself from now on",
            "look at it first",
        )  # fmt: skip
    elif language and stream.text is not None:
        context = (spot or Context(stream.text, language)).inside("what runs by itself")
        context.span = context.span or (action.start, action.end)
        context.text = stream.text
        effects = walker.collector.effects
        before = len(effects)
        if language == "cmd":
            from phocinae_cli.analysis.windows import batch

            batch.run_text(walker, stream.text, scope.child(), context)
        else:
            walker.run_text(stream.text, scope.child(), context)
        effects[before:] = [effect for effect in effects[before:] if effect.certain]
    elif not language and "." not in path.rpartition("/")[2]:
        walker.collector.planted(path, stream, scope, action)


def unread(invocation: Invocation, what: str) -> Thing:
    """Record code that nobody can see here."""
    runs.unseen(invocation, Stream(None, why=what), what)
    return unsure(what)
