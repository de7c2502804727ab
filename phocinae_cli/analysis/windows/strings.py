"""Pieces of PowerShell expressions that need no syntax: escapes, variables, formats, replacements."""

from __future__ import annotations

import re

from phocinae_cli.analysis.values import Unknown, Value, known
from phocinae_cli.analysis.windows.things import NONE, Thing, join, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

    Evaluate = Callable[[Walker, Node, WindowsScope, Context], Thing]

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "", "a": "", "b": "", "e": "\x1b", "f": "", "v": ""}


def unescaped(raw: str) -> str:
    """Return a piece of a double-quoted string with its backticks and doubled quotes read."""
    if "`" not in raw:
        return raw.replace('""', '"')
    out, at = "", 0
    while at < len(raw):
        char = raw[at]
        if char == "`" and at + 1 < len(raw):
            follower = raw[at + 1]
            if follower == "u" and raw[at + 2 : at + 3] == "{" and "}" in raw[at:]:
                close = raw.index("}", at)
                digits = raw[at + 3 : close]
                out += chr(int(digits, 16)) if re.fullmatch("[0-9a-fA-F]{1,5}", digits) else ""
                at = close + 1
                continue
            out += ESCAPES.get(follower, follower if follower != "\n" else "")
            at += 2
            continue
        if raw.startswith('""', at):
            at += 1
        out += char
        at += 1
    return out


def variable(written: str, scope: WindowsScope) -> Thing:
    """Return the thing that a variable holds, by the way it is written: `$x`, `${env:A}`, `@args`."""
    name = written.lstrip("$@")
    if name.startswith("{"):
        name = name[1:].rstrip("}")
    low = name.lower()
    for prefix in ("global:", "script:", "local:", "private:", "using:", "variable:"):
        low = low.removeprefix(prefix)
    if low.startswith("env:"):
        return scope.environment(name.partition(":")[2])
    found = scope.things.get(low)
    if found is not None:
        return found
    if low == "psdefaultparametervalues":
        found = scope.things[low] = NONE.also(NONE)
        found.table = {}
        return found
    if low in ("_", "psitem", "this"):
        return scope.item if scope.item is not NONE else unsure("what flows through the pipe")
    if low in ("true", "false", "null"):
        return NONE if low == "null" else text(name.capitalize())
    if low == "home":
        return text(scope.machine_home)
    if low in ("pwd", "psscriptroot"):
        return text(scope.cwd if scope.cwd is not None else ".")
    if low == "profile":
        return text("~\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1")
    if low == "pshome":
        return text("C:\\Windows\\System32\\WindowsPowerShell\\v1.0")
    if low in ("pid", "lastexitcode", "?", "psversiontable", "psculture", "host", "iswindows", "islinux", "ismacos"):
        return unsure(f"${name}", name_only=True)
    if low in ("ofs",):
        return text(" ")
    return unsure(f"parameter {name}")


def bare(raw: str) -> str:
    """Return a bare word with its backticks read."""
    return unescaped(raw) if "`" in raw else raw.replace('""', "") if '"' in raw and "'" not in raw else raw


def numbers(first: str | None, last: str | None) -> Thing:
    """Return what `first..last` gives; only few numbers are spelled out."""
    if first is not None and last is not None and first.lstrip("-").isdigit() and last.lstrip("-").isdigit():
        low, high = int(first), int(last)
        if abs(high - low) < 64:
            step = 1 if high >= low else -1
            return Thing(tuple(known(str(number)) for number in range(low, high + step, step)))
    return unsure("a number", name_only=True)


# --- operators -------------------------------------------------------------------------------------------------


def formatted(template: Thing, values: tuple[Value, ...]) -> Thing:
    """Return `template -f values`."""
    shape = template.exact
    taint = template.taint
    for value in values:
        taint |= value.taint
    if shape is None:
        return unsure("a formatted text", taint)
    parts: list[str | Unknown] = []
    at = 0
    for match in re.finditer(r"\{(\d+)(?:[,:][^}]*)?\}", shape):
        parts.append(shape[at : match.start()])
        number = int(match.group(1))
        if number < len(values):
            parts.extend(values[number].parts)
        at = match.end()
    parts.append(shape[at:])
    return Thing((join(parts, taint),))


def replaced(left: Thing, right: Thing) -> Thing:
    """Return `left -replace right`; a pattern that is more than plain text or classes is not read."""
    found = left.exact
    old = right.values[0].exact if right.values else None
    new = right.values[1].exact if len(right.values) > 1 else ""
    if found is None or old is None or new is None:
        return unsure(left.one().unknown_why() or "a replaced text", left.taint | right.taint)
    if re.fullmatch(r"[\w\s:/@#%&~,;'\"-]*", old) and "$" not in new:
        return text(re.sub(re.escape(old), lambda _: new, found, flags=re.IGNORECASE) if old else found, left.taint)
    if re.fullmatch(r"(\\\W|\[[^\]\\]+\]|[\w\s])+", old) and len(old) < 40 and "$" not in new:
        try:
            return text(re.sub(old, lambda _: new, found, flags=re.IGNORECASE), left.taint)
        except re.error:
            return unsure("a replaced text", left.taint)
    return unsure("a replaced text", left.taint)
