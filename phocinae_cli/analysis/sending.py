"""Data that goes to another machine: what is in it, and whether it is a login or a leak."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import all_local, host_of
from phocinae_cli.analysis.targets import select
from phocinae_cli.analysis.values import EMPTY, NOTHING, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.kb.lookup import Row


def send(invocation: Invocation, row: Row, source: str, taken: int) -> None:
    """Record that data goes to another machine: what it is decides, and whether the machine is this one."""
    operands = invocation.arguments.operands[taken:]
    # `tainted SOURCE`: an effect only where a secret, the environment, a dump or a private file is in it.
    only_tainted = source.startswith("tainted ")
    source = source.removeprefix("tainted ")
    head = source.partition(" ")[0]
    if head == "stdin":
        if invocation.stdin is EMPTY:
            return
        taint, text = invocation.stdin.taint, invocation.stdin.why or "what is fed in"
        plain = invocation.stdin.text is not None and not taint
    else:
        # What is named by its address lies elsewhere already, but an address may carry something itself.
        values = [value for value in select(invocation, source, taken) if not _is_address(value) or _carries(value)]
        if not values:
            return
        taint, plain = NOTHING, True
        for value in values:
            more, literal = sent(invocation, value)
            taint |= more
            plain = plain and literal
        text = " ".join(value.text for value in values)
    place = data_place(taint, plain)
    if only_tainted and place in ("file", "plain"):
        return
    if all_local(operands) and any(host_of(value.text) for value in operands):
        place = "local"
    invocation.effect(
        "send", text, row.code, row.why, instead=row.instead, undo=row.undo, harm=row.harm or None, place=place
    )


def sent(invocation: Invocation, value: Value) -> tuple[frozenset[str], bool]:
    """Return the taint of what one word sends, and whether it is a literal: `@file`, `name=@file`, a path or text."""
    collector = invocation.evaluator.collector
    head = value.head()
    if head.lower().startswith(("file:", "open:", "gopen:")) and "://" not in head:  # how socat names a file
        value = value.cut(head.find(":") + 1)
        head = value.head()
    at = head.find("@")
    if at >= 0 and (at == 0 or head[at - 1] in "=<"):
        value = value.cut(at + 1)
        if value.exact == "-":
            return invocation.stdin.taint, invocation.stdin.text is not None
        return value.taint | collector.content(value, invocation.scope).taint, False
    equals = head.find("=<")
    if equals >= 0:
        return value.taint | collector.content(value.cut(equals + 2), invocation.scope).taint, False
    taint = value.taint | collector.content(value, invocation.scope).taint
    for part in value.parts:
        if not isinstance(part, str) and looks_secret(part.why):
            taint |= {"secret"}
    if "secret" in taint and not value.known:
        from phocinae_cli.analysis.logins import is_login

        if is_login(value, invocation.arguments.operands):
            taint -= {"secret"}
    return taint, value.known


def _is_address(value: Value) -> bool:
    """Return whether a word is an address, and no text with one in it (`{"url": "https://x.example"}`)."""
    scheme, mark, _ = value.head().partition("://")
    return bool(mark) and not set(scheme) & set("{[\"' \n<=")


def _carries(value: Value) -> bool:
    """Return whether an address carries more than an address."""
    return bool(value.taint) or any(not isinstance(part, str) and looks_secret(part.why) for part in value.parts)


def looks_secret(name: str) -> bool:
    """Return whether a variable's name says that it holds a secret."""
    upper = name.upper()
    return any(word in upper for word in ("SECRET", "PASSWORD", "PASSWD", "PRIVATE_KEY", "ACCESS_KEY"))


def data_place(taint: frozenset[str], plain: bool) -> str:
    """Return the word for what kind of data is on the move, worst first."""
    for word in ("secret", "environment", "dump", "private"):
        if word in taint:
            return word
    return "plain" if plain else "file"
