"""Reflection that reaches into what scans and records scripts: the scanner, the tracing, the policy of logging."""

from __future__ import annotations

from phocinae_cli.analysis.windows.things import Thing, join

WHY = "scripts are no longer scanned or recorded"
LOGGING = "the logging of scripts"
INSIDES = (
    ("amsi", "AMSI"), ("iutils", "AMSI"), ("etwprovider", "the tracing of scripts"),
    ("eventing.eventprovider", "the tracing of scripts"), ("m_enabled", "the tracing of scripts"),
    ("cachedgrouppolicysettings", LOGGING), ("scriptblocklog", LOGGING),
    ("signaturestoblock", LOGGING), ("systempolicy", "the lockdown of scripts"),
)  # fmt: skip
"""Parts of the names of private fields and types, and the guard that hangs on them."""
FUNCTIONS = (
    ("amsiscan", "AMSI"), ("amsiopen", "AMSI"), ("amsiinitialize", "AMSI"), ("amsi.dll", "AMSI"),
    ("amsiutils", "AMSI"), ("etweventwrite", "the tracing of scripts"), ("nttraceevent", "the tracing of scripts"),
)  # fmt: skip
"""Native functions that a bypass looks up and overwrites."""


def inside(thing: Thing) -> str:
    """Return the guard that a reflected member belongs to; empty when it is none."""
    low = thing.one().text.lower()
    return next((guard for part, guard in INSIDES if part in low), "")


def patched(name: str, arguments: list[Thing]) -> str:
    """Return the guard whose native functions or private fields the arguments of a call name; empty for none."""
    if name.startswith("get") and not name.startswith(("getproc", "getmodulehandle", "getdelegate", "getfunction")):
        return ""  # it only reads
    low = " ".join(argument.one().text for argument in arguments).lower()
    return next((guard for part, guard in FUNCTIONS if part in low), "")


def reflected(thing: Thing, low: str, arguments: list[Thing]) -> Thing:
    """Return the member of a type that `GetField`, `GetMethod`, … gives, known by the names on the way to it."""
    member = arguments[0].one() if arguments else None
    parts = ["type ", *thing.one().parts, *((" ", *member.parts) if member is not None else ())]
    found = Thing((join(parts),), thing.kind or "type:")
    found.made = (arguments[0],) if low == "getmethod" and arguments else ()
    return found
