"""Cmdlets for processes, services and WMI, where the piped objects decide what happens."""

from __future__ import annotations

from phocinae_cli.analysis.values import known
from phocinae_cli.analysis.windows import code, provider
from phocinae_cli.analysis.windows.things import NONE, Thing, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

    Handler = Callable[[WindowsInvocation], Thing | None]


def processes(invocation: WindowsInvocation) -> Thing:
    """`Get-Process`: all of them, unless some are named."""
    named = invocation.arguments.operands or invocation.named("-name", "-id")
    if isinstance(named, Thing):
        return Thing(named.values, "processes")
    if named:
        return Thing(tuple(named), "processes")
    return unsure("every process", kind="all-processes")


VITAL_PROCESSES = frozenset(("lsass", "csrss", "wininit", "winlogon", "services", "smss", "svchost", "system"))


def stop_process(invocation: WindowsInvocation) -> Thing:
    """`Stop-Process`: one's own is risky, every one or one that Windows needs takes the machine down."""
    operands = invocation.arguments.operands
    named = invocation.named("-name", "-id", "-inputobject")
    things = named if named is not None else Thing(tuple(operands)) if operands else invocation.piped
    kind = things.kind or invocation.piped.kind
    names = [value.text.lower().removesuffix(".exe") for value in things.values]
    if kind == "all-processes" or "*" in names:
        invocation.effect(
            "kill-all",
            "every process",
            "process.kill-all",
            "the session ends with unsaved work",
            instead="name the process",
        )
    elif any(name in VITAL_PROCESSES for name in names):
        invocation.effect("power", " ".join(names), "process.kill-vital", "Windows stops without it")
    else:
        invocation.effect("kill", " ".join(names) or "a process", "process.kill", "unsaved work in it is lost")
    return NONE


def services(invocation: WindowsInvocation) -> Thing:
    """Services: one is risky; a guard of the system is not to be stopped."""
    named = invocation.named("-name", "-displayname", "-inputobject")
    things = (
        named
        if named is not None
        else Thing(tuple(invocation.arguments.operands))
        if invocation.arguments.operands
        else invocation.piped
    )
    names = [value.text for value in things.values] or ["a service"]
    provider.judge_service(invocation, names, _service_deed(invocation))
    return NONE


def _service_deed(invocation: WindowsInvocation) -> str:
    name = invocation.name
    if name.startswith(("stop", "remove", "suspend", "spsv")):
        return "remove" if name.startswith("remove") else "stop"
    if name.startswith("set"):
        kind = (invocation.named("-startuptype", "-startmode") or NONE).exact or ""
        status = (invocation.named("-status") or NONE).exact or ""
        return "disable" if kind.lower() == "disabled" else "stop" if status.lower() == "stopped" else "set"
    return "start"


def wmi(invocation: WindowsInvocation) -> Thing:
    """`Get-WmiObject`, `Get-CimInstance`: objects of a class."""
    named = invocation.named("-class", "-classname", "-query")
    kind = (
        named.exact
        if named is not None
        else (invocation.arguments.operands[0].exact if invocation.arguments.operands else None)
    )
    kind = (kind or "").lower()
    if kind.startswith("select"):
        kind = kind.partition(" from ")[2].split()[0] if " from " in kind else ""
    return unsure(kind or "an object", kind=kind)


def wmi_remove(invocation: WindowsInvocation) -> Thing:
    """`Remove-WmiObject`, `Remove-CimInstance`: what the object stands for goes."""
    named = invocation.named("-class", "-classname", "-query", "-inputobject", "-ciminstance")
    kind = invocation.piped.kind or (named.kind or named.one().text.lower() if named is not None else "")
    if "shadow" in kind:
        invocation.effect(
            "backup-destroy", "shadow copies", "shadowcopy.delete", "nothing can be restored from them any more"
        )
    else:
        invocation.effect("change", kind or "an object", "wmi.remove", "removes what the object stands for")
    return NONE


CONSUMERS = ("commandlineeventconsumer", "activescripteventconsumer", "filtertoconsumerbinding")
"""Classes of lasting subscriptions: what they start runs with full rights whenever the event occurs."""


def runs_on_events(text: str) -> bool:
    """Return whether a class, or an address of one, is of those that start a program on an event."""
    return any(name in text.lower() for name in CONSUMERS)


def subscribed(invocation: WindowsInvocation) -> None:
    """Record a lasting subscription."""
    why = "a program runs with full rights from now on, where nobody looks for it"
    invocation.effect("back-door", "a subscription of WMI", "wmi.subscription", why)


def wmi_call(invocation: WindowsInvocation) -> Thing:
    """`Invoke-WmiMethod`, `Invoke-CimMethod`: a method of a class or an object."""
    named = invocation.named("-class", "-classname", "-path", "-query")
    kind = ((named.one().text if named is not None else "") or invocation.piped.kind).lower()
    operands = [value.text for value in invocation.arguments.operands]
    method = ((invocation.named("-name", "-methodname") or NONE).exact or (operands[-1] if operands else "")).lower()
    arguments = invocation.named("-argumentlist", "-arguments", "-property", "-args")
    joined_text = " ".join([kind, *operands, method]).lower()
    if not invocation.name.startswith("i") and runs_on_events(joined_text):
        subscribed(invocation)
        return NONE
    if "win32_process" in joined_text and "create" in joined_text:
        if arguments is not None and arguments.values:
            found = (arguments.table or {}).get("commandline", arguments)
            value = found.values[0]
        else:
            candidates = [
                value
                for value in invocation.arguments.operands
                if value.text.lower() not in ("win32_process", "create")
            ]
            if not candidates:
                return NONE
            value = candidates[-1]
        scope = invocation.scope.copy()
        return code.run_code(
            invocation.walker,
            invocation,
            "cmd",
            known(value.text, value.taint) if value.known else value,
            scope,
            "Win32_Process",
        )
    if "shadow" in joined_text and method == "delete":
        invocation.effect(
            "backup-destroy", "shadow copies", "shadowcopy.delete", "nothing can be restored from them any more"
        )
    elif "win32shutdown" in joined_text or method in ("reboot", "shutdown"):
        invocation.effect("power", "the machine", "power.call", "everything that runs here stops")
    elif "msft_mppreference" in joined_text:
        invocation.effect("security-off", "Defender", "defender.settings", "Defender no longer sees what it should")
    elif method.startswith("get"):
        return unsure("an object", kind=kind)
    else:
        invocation.effect("change", f"{kind} {method}".strip(), "wmi.call", "calls a method that may change anything")
    return NONE
