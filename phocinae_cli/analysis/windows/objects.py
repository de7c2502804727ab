"""Methods of .NET objects that act by themselves: keys of the registry, databases, directories, logs, sockets."""

from __future__ import annotations

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.sending import data_place
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import registry
from phocinae_cli.analysis.windows.members import stand_in, taint_of
from phocinae_cli.analysis.windows.provider import ADMINS, is_registry
from phocinae_cli.analysis.windows.things import NONE, Thing, from_stream, join, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

KEY = "registry-key"
HIVES = {
    "localmachine": "HKLM:", "currentuser": "HKCU:", "classesroot": "HKCR:", "users": "HKU:", "currentconfig": "HKCC:",
}  # fmt: skip
DROPPING = frozenset(
    (
        "drop", "dropifexists", "killdatabase", "deletedatabase", "truncatedata", "deletetree", "destroy_task",
        "dropbackuphistory",
    )
)  # fmt: skip
"""Methods that destroy what they are called on, whatever that is."""
STATEMENTS = frozenset(
    ("executenonquery", "executescalar", "executereader", "executewithresults", "executesql", "executeimmediate")
)
"""Methods that run SQL: their argument, or what the command was made with."""
PRIVATE = frozenset(("secret", "private", "dump", "environment"))


class Call:
    """A call of a method: on which thing, with what, and the invocation that its effects belong to."""

    __slots__ = ("arguments", "context", "low", "name", "node", "scope", "thing", "walker")

    def __init__(
        self,
        walker: Walker,
        thing: Thing,
        name: str,
        arguments: list[Thing],
        node: Node,
        scope: WindowsScope,
        context: Context,
    ) -> None:
        self.walker = walker
        self.thing = thing
        self.name = name
        self.low = name.lower()
        self.arguments = arguments
        self.node = node
        self.scope = scope
        self.context = context

    def invocation(self) -> WindowsInvocation:
        """Return a new invocation for the effects of the call."""
        shown = f"{self.thing.kind or 'object'}.{self.name}"
        return stand_in(self.walker, shown, self.arguments, self.node, self.scope, self.context)

    def argument(self, number: int) -> Value:
        """Return one argument as a word; an empty one when it is not there."""
        return self.arguments[number].one() if number < len(self.arguments) else known("")


def call(found: Call) -> Thing | None:
    """Judge a method that acts by itself and return what it gives; None when it is none of these."""
    for reader in READERS:
        out = reader(found)
        if out is not None:
            return out
    return None


def call_static(found: Call, kind: str) -> Thing | None:
    """Judge a static member of a type that acts by itself; None for members that only compute."""
    if kind == "net.dns":
        return _looked_up(found)
    if kind == "security.cryptography.protecteddata":
        return unlocked(found) if found.low == "unprotect" else None
    if kind == "diagnostics.eventlog":
        return _log(found) if found.low == "delete" else None
    if kind == "microsoft.visualbasic.fileio.filesystem":
        return _removed(found)
    return _static_registry(found)


def _removed(found: Call) -> Thing | None:
    """`[Microsoft.VisualBasic.FileIO.FileSystem]::DeleteDirectory(…)`."""
    if not found.low.startswith("delete"):
        return None
    found.invocation().path_effect(
        "delete", found.argument(0), "directory" in found.low, code=f"dotnet.{found.low}", why=""
    )
    return NONE


# --- the registry ------------------------------------------------------------------------------------------------


def hive(name: str) -> Thing | None:
    """Return the key that a hive's name stands for (`LocalMachine`)."""
    text = HIVES.get(name.lower())
    return Thing((known(text),), KEY) if text is not None else None


def _below(key: Value, name: Value) -> Value:
    return join([*key.parts, "\\", *name.parts], key.taint | name.taint)


def _key(found: Call) -> Thing | None:
    """Methods of a key, which `[Microsoft.Win32.Registry]`, `Get-Item HKLM:\\…` or `OpenBaseKey` gave."""
    if found.thing.kind != KEY and not (found.thing.values and is_registry(found.thing.one())):
        return None
    key, first = found.thing.one(), found.argument(0)
    if found.low == "opensubkey":
        return Thing((_below(key, first),), KEY)
    if found.low == "createsubkey":
        registry.judge_write(found.invocation(), _below(key, first), "", known(""))
        return Thing((_below(key, first),), KEY)
    if found.low == "setvalue":
        registry.judge_write(found.invocation(), key, first.text or "(default)", found.argument(1))
    elif found.low == "deletevalue":
        registry.judge_delete(found.invocation(), key, first.text or "(default)")
    elif found.low in ("deletesubkey", "deletesubkeytree"):
        registry.judge_delete(found.invocation(), _below(key, first), None)
    elif found.low in ("setaccesscontrol", "setaccessrule"):
        registry.judge_write(found.invocation(), key, "(permissions)", known(""))
    else:
        return None
    return NONE


def _static_registry(found: Call) -> Thing | None:
    """`[Microsoft.Win32.Registry]::SetValue(…)`, `[…RegistryKey]::OpenBaseKey(…)`; None for other members."""
    if found.low == "setvalue" and len(found.arguments) > 1:
        registry.judge_write(found.invocation(), found.argument(0), found.argument(1).text, found.argument(2))
        return NONE
    if found.low in ("openbasekey", "openremotebasekey"):
        name = found.argument(0).text.rpartition("::")[2].rpartition(".")[2].strip("[]")
        return hive(name) or unsure("a key of the registry", kind=KEY)
    return unsure("a value of the registry") if found.low == "getvalue" else None


# --- databases and directories -----------------------------------------------------------------------------------


def _dropped(found: Call) -> Thing | None:
    if found.low not in DROPPING or found.thing.table is not None:
        return None
    shown = " ".join(filter(None, (found.thing.one().text, found.argument(0).text)))
    found.invocation().effect("destroy", shown, f"dotnet.{found.low}", "what it holds can't be brought back")
    return NONE


def _statement(found: Call) -> Thing | None:
    if found.low not in STATEMENTS:
        return None
    text = found.arguments[0] if found.arguments else (found.thing.table or {}).get("commandtext")
    if text is None and found.thing.made:
        text = found.thing.made[0]
    if text is None or not text.values:
        return unsure("what a database answers")
    found_stream = runs.code_of_value(found.invocation(), "sql", text.one(), False, ())
    return from_stream(found_stream) if found_stream is not EMPTY else unsure("what a database answers")


def _account(found: Call) -> Thing | None:
    """`[ADSI]'WinNT://…'`: accounts, groups, and whole branches of a directory."""
    if not found.thing.kind.startswith(("adsi:", "directoryservices.directoryentry")):
        return None
    if found.low == "add" and any(name in found.thing.one().text.lower() for name in ADMINS):
        why = "whoever is added may do anything here"
        found.invocation().effect("back-door", found.thing.one().text, "group.administrators", why)
        return NONE
    if found.low in ("create", "add", "delete", "remove", "setpassword", "setinfo", "put", "invoke", "commitchanges"):
        found.invocation().effect("account", found.thing.one().text, "adsi.change", "changes an account or a group")
        return found.thing
    return None


# --- logs, WMI, certificates --------------------------------------------------------------------------------------


def _log(found: Call) -> Thing | None:
    logs = "eventlog" in found.thing.kind or "eventlog" in found.thing.one().text
    if not logs or found.low not in ("clear", "delete"):
        return None
    why = "what happened here can't be seen any more"
    found.invocation().effect("evidence", found.thing.one().text, "eventlog.clear", why)
    return NONE


def _managed(found: Call) -> Thing | None:
    """Methods of WMI objects and classes that change what these stand for."""
    kind = found.thing.kind.removeprefix("wmi:").removeprefix("wmiclass:").rpartition(":")[2]
    if not kind.startswith(("win32_", "msft_", "cim_")):
        return None
    if kind.startswith(("win32_volume", "msft_disk", "msft_volume")) and found.low in ("format", "clear", "initialize"):
        found.invocation().effect("storage-destroy", "a disk", "disk.wipe", "what is on it can't be brought back")
        return NONE
    if (kind.startswith("win32_process") and found.low == "create") or found.low == "changestartmode":
        return None
    if kind.startswith("win32_shadow") and found.low == "delete":
        return None
    if found.low.startswith(("create", "change", "delete", "rename", "set", "enable", "disable", "add", "remove")):
        found.invocation().effect("change", f"{kind} {found.name}", "wmi.call", "changes what the class stands for")
        return NONE
    return None


def _trusted(found: Call) -> Thing | None:
    if not found.thing.kind.endswith("x509store") or found.low not in ("add", "addrange", "remove"):
        return None
    found.invocation().effect(
        "security-off", found.thing.kind, "store.trust", "changes whom this machine trusts", harm="risky"
    )
    return NONE


# --- data on the move ----------------------------------------------------------------------------------------------


def _socket(found: Call) -> Thing | None:
    """What is read from another machine fills a buffer; what is written to one leaves."""
    if "network" not in found.thing.taint or not found.arguments:
        return None
    if found.low in ("read", "readasync", "receive", "receiveasync", "readblock", "receivefrom"):
        filled = unsure("what the other side sends", frozenset(("network",)))
        for name, held in list(found.scope.things.items()):
            if held is found.arguments[0]:
                found.scope.things[name] = filled
        return unsure("a number", name_only=True)
    if found.low in ("write", "writeline", "writeasync", "send", "sendasync", "sendto"):
        _leaves(found, taint_of(found.arguments))
        return NONE
    return None


def _leaves(found: Call, taint: frozenset[str]) -> None:
    if taint & PRIVATE:
        found.invocation().effect(
            "send", found.argument(0).text, "dotnet.send", "data leaves this machine", place=data_place(taint, False)
        )


def _looked_up(found: Call) -> Thing | None:
    """`[Net.Dns]::GetHostAddresses(…)`: a name that carries something hands it to whoever serves the domain."""
    _leaves(found, taint_of(found.arguments))
    return unsure("an address", NOTHING, name_only=True)


def _fed(found: Call) -> Thing | None:
    """What another machine sends is typed into a program that was started."""
    if found.thing.kind != "process-input" or not found.low.startswith("write"):
        return None
    if "network" in taint_of(found.arguments):
        runs.unseen(found.invocation(), Stream(None, frozenset(("network",))), "what the other side sends")
    return NONE


def _stored_password(found: Call) -> Thing | None:
    """`PasswordVault.RetrieveAll()`, `ProtectedData.Unprotect(…)`: what the system keeps for the user."""
    vault = found.thing.kind.endswith("passwordvault") and found.low.startswith("retrieve")
    return unlocked(found) if vault or found.low == "retrievepassword" else None


def unlocked(found: Call) -> Thing:
    """Record that stored passwords are read, and return them."""
    found.invocation().effect("show-secret", found.name, "dotnet.stored-passwords", "passwords come out of their store")
    return unsure("stored passwords", frozenset(("secret",)))


def _deleted(found: Call) -> Thing | None:
    """`.Delete()` of an object nobody knows."""
    thing = found.thing
    if found.low != "delete" or thing.table is not None or thing.kind or thing.exact is not None:
        return None
    found.invocation().effect("change", thing.one().text, "dotnet.delete", "removes what the object stands for")
    return NONE


READERS: tuple[Callable[[Call], Thing | None], ...] = (
    _key, _statement, _log, _account, _dropped, _managed, _trusted, _stored_password, _fed, _socket, _deleted,
)  # fmt: skip
