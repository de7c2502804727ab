"""What a change of the registry means: settings of one program, of the system, what runs by itself, what guards it."""

from __future__ import annotations

from phocinae_cli.analysis.values import Value, known
from phocinae_cli.analysis.windows.paths import Located, canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

# A part of the key, the value's name (empty: any), the data that does it (empty: any), what it is.
GUARDS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("policies/system", "enablelua", ("0",), "UAC"),
    ("policies/system", "consentpromptbehavioradmin", ("0",), "UAC"),
    ("policies/system", "promptonsecuredesktop", ("0",), "UAC"),
    ("policies/system", "localaccounttokenfilterpolicy", ("1",), "UAC"),
    ("windows defender", "disable", ("1",), "Defender"),
    ("windows defender", "tamperprotection", ("0", "4"), "Defender"),
    ("windows defender", "spynetreporting", ("0",), "Defender"),
    ("windows defender", "submitsamplesconsent", ("0", "2"), "Defender"),
    ("windows defender", "puaprotection", ("0",), "Defender"),
    ("windows defender", "mpenablepus", ("0",), "Defender"),
    ("windows defender/exclusions", "", (), "Defender"),
    ("windows defender/real-time protection", "", ("1",), "Defender"),
    ("windows defender security center", "", (), "Defender"),
    ("services/windefend", "start", ("3", "4"), "Defender"),
    ("services/wdfilter", "start", ("3", "4"), "Defender"),
    ("services/wdboot", "start", ("3", "4"), "Defender"),
    ("services/wdnissvc", "start", ("3", "4"), "Defender"),
    ("services/sense", "start", ("3", "4"), "Defender"),
    ("services/securityhealthservice", "start", ("3", "4"), "Defender"),
    ("services/eventlog", "start", ("3", "4"), "the event log"),
    ("services/mpssvc", "start", ("3", "4"), "the firewall"),
    ("firewallpolicy", "enablefirewall", ("0",), "the firewall"),
    ("windowsfirewall", "enablefirewall", ("0",), "the firewall"),
    ("control/lsa", "runasppl", ("0",), "the protection of passwords in memory"),
    ("control/lsa", "limitblankpassworduse", ("0",), "the protection of empty passwords"),
    ("control/lsa", "disablerestrictedadmin", ("0",), "the protection of passwords in memory"),
    ("control/lsa", "lmcompatibilitylevel", ("0", "1", "2"), "the protection of passwords on the network"),
    ("control/lsa", "everyoneincludesanonymous", ("1",), "access control"),
    ("control/lsa", "restrictanonymous", ("0",), "access control"),
    ("control/lsa", "lsacfgflags", ("0",), "the protection of passwords in memory"),
    ("control/lsa", "nolmhash", ("0",), "the protection of stored passwords"),
    ("control/lsa", "disabledomaincreds", ("0",), "the protection of stored passwords"),
    ("microsoft/amsi", "featurebits", (), "AMSI"),
    ("wdigest", "uselogoncredential", ("1",), "the protection of passwords in memory"),
    ("deviceguard", "enablevirtualizationbasedsecurity", ("0",), "Device Guard"),
    ("hypervisorenforcedcodeintegrity", "enabled", ("0",), "Device Guard"),
    ("lsa/credssp", "allowencryptionoracle", ("2",), "the protection of remote logins"),
    ("credssp/parameters", "allowencryptionoracle", ("2",), "the protection of remote logins"),
    ("safer/codeidentifiers", "", (), "software restriction"),
    ("smartscreen", "", ("0", "off"), "SmartScreen"),
    ("", "enablesmartscreen", ("0",), "SmartScreen"),
    ("", "smartscreenenabled", ("off", "0"), "SmartScreen"),
    ("system/audit", "", ("0",), "auditing"),
    ("scriptblocklogging", "", ("0",), "the logging of scripts"),
    ("powershell/modulelogging", "", ("0",), "the logging of scripts"),
    ("powershell/transcription", "", ("0",), "the logging of scripts"),
    ("windows script/settings", "amsienable", ("0",), "AMSI"),
    ("windows script host/settings", "amsienable", ("0",), "AMSI"),
    ("amsi/providers", "", (), "AMSI"),
    ("terminal services", "shadow", ("2", "4"), "remote sessions"),
    ("winevt/channels", "enabled", ("0",), "a log"),
    ("autologger/", "start", ("0",), "a log"),
    ("autologger/", "enabled", ("0",), "a log"),
    ("eventlog/security", "", (), "the security log"),
    ("windowsupdate/au", "noautoupdate", ("1",), "updates"),
    ("systemrestore", "disablesr", ("1",), "restore points"),
    ("systemrestore", "disableconfig", ("1",), "restore points"),
    ("office", "vbawarnings", ("1",), "the guard against macros"),
    ("excel/security", "", (), "the guard against macros"),
    ("word/security", "", (), "the guard against macros"),
    (
        "system/currentcontrolset/control/ci/config",
        "vulnerabledriverblocklistenable",
        ("0",),
        "the list of blocked drivers",
    ),
)
NEEDED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("currentversion/winlogon", ("userinit", "shell"), "nobody can log in without it"),
    ("control/session manager", ("bootexecute", "setupexecute", "pendingfilerename"), "Windows starts with it"),
    ("session manager/subsystems", ("",), "Windows starts with it"),
    ("control/lsa", ("security packages", "authentication packages"), "nobody can log in without it"),
)
"""A part of the key, the values that Windows can't start or log in without (empty: any), and why."""
KEEPERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("control/lsa", ("runasppl", "lsacfgflags", "limitblankpassworduse", "nolmhash")),
    ("policies/system", ("enablelua", "consentpromptbehavior")),
    ("deviceguard", ("enablevirtualizationbasedsecurity", "requireplatformsecurityfeatures", "lsacfgflags")),
    ("scriptblocklogging", ("enable",)),
    ("powershell/transcription", ("enable",)),
    ("powershell/modulelogging", ("enable",)),
)
"""A part of the key, and the values that switch a guard on as long as they are there."""
VITAL_SERVICES = frozenset(
    ("tcpip", "rpcss", "dcomlaunch", "lsm", "ntfs", "disk", "storahci", "stornvme", "pci", "acpi", "volmgr",
     "partmgr", "fltmgr", "ksecdd", "samss", "profsvc", "plugplay", "nsi", "afd", "rpceptmapper", "power", "cng")
)  # fmt: skip
DOORS: tuple[tuple[str, str, str], ...] = (
    ("image file execution options", "debugger", "another program runs instead"),
    ("image file execution options", "globalflag", "another program runs when it ends"),
    ("silentprocessexit", "monitorprocess", "another program runs when it ends"),
    ("currentversion/winlogon", "shell", "it runs at every login"),
    ("currentversion/winlogon", "userinit", "it runs at every login"),
    ("currentversion/winlogon", "defaultpassword", "a password lies in clear text"),
    ("currentversion/windows", "appinit_dlls", "every program loads it"),
    ("currentversion/windows", "loadappinit_dlls", "every program loads it"),
    ("session manager/appcertdlls", "", "every program loads it"),
    ("session manager", "bootexecute", "it runs at boot"),
    ("control/safeboot", "alternateshell", "it runs when somebody repairs the machine"),
    ("control/lsa", "security packages", "it sees every password"),
    ("control/lsa", "authentication packages", "it sees every password"),
    ("control/lsa", "notification packages", "it sees every password"),
    ("networkprovider/order", "", "it sees every password"),
    ("command processor", "autorun", "every cmd runs it first"),
    ("netsh", "", "netsh loads it"),
    ("print/monitors", "", "the print service loads it"),
    ("microsoft/active setup", "stubpath", "it runs at every login"),
    ("ms-settings/shell/open/command", "", "a program with full rights runs it"),
    ("mscfile/shell/open/command", "", "a program with full rights runs it"),
    ("exefile/shell/", "", "it runs instead of programs"),
    ("folder/shell/open/command", "", "a program with full rights runs it"),
    ("environment", "windir", "a task with full rights runs it"),
    ("environment", "cor_profiler", "every .NET program loads it"),
    ("environment", "userinitmprlogonscript", "it runs at every login"),
    ("specialaccounts/userlist", "", "the account is hidden"),
    ("terminal server/wds/rdp-tcp", "securitylayer", "remote logins are no longer protected"),
    ("services/termservice/parameters", "servicedll", "the service loads it"),
)


def key_text(value: Value) -> str:
    """Return a key in the form used here: hive and path in lower case, slashes, without a machine in front."""
    text = value.text.strip("\"' ")
    if text.startswith("\\\\"):
        text = text[2:].partition("\\")[2]
    return canonical(text).lower().lstrip("/").replace("wow6432node/", "")


def located_key(value: Value) -> Value:
    """Return a key as a path in its canonical form."""
    text = value.text.strip("\"' ")
    if text.startswith("\\\\"):
        text = text[2:].partition("\\")[2]
    found = Located(known(text, value.taint), "/")
    found.text = value.text
    return found


def judge_write(invocation: WindowsInvocation, key: Value, name: str, data: Value) -> None:
    """Record what setting a value (or making a key, with an empty name) does."""
    path = key_text(key)
    low = name.lower().strip("\"'")
    content = data.text.lower().strip("\"' ")
    content = content[2:].lstrip("0") or "0" if content.startswith("0x") else content
    for part, wanted, values, what in GUARDS:
        if part in path and low.startswith(wanted) and (not values or content in values) and (low or not wanted):
            if not low and not wanted and values:
                continue
            invocation.effect(
                "security-off",
                what,
                "registry.guard",
                "a guard of the system is weakened by this value",
                instead="change it in the program's own settings",
            )
            return
    for part, wanted, why in DOORS:
        if part in path and (low.startswith(wanted) if wanted else True) and (low or content):
            invocation.effect("back-door", f"{key.text} {name}".strip(), "registry.back-door", why)
            return
    target = located_key(key)
    place = invocation.scope.where.place(invocation.scope.resolve(target.readings()[0]) or "")
    if place == "startup" and content:
        _starts(invocation, key, name, data)
        return
    if place in ("home", "root", "system"):
        why = "changes a setting that much hangs on"
        invocation.effect("system-config", f"{key.text} {name}".strip(), "registry.write", why)
        return
    invocation.path_effect("write", target, code="registry.write", why="changes a setting", undo="easy")


def _starts(invocation: WindowsInvocation, key: Value, name: str, data: Value) -> None:
    from phocinae_cli.analysis.windows import code

    before = len(invocation.evaluator.collector.effects)
    code.run_code(invocation.walker, invocation, "cmd", data, invocation.scope.copy(), "at every login")
    effects = invocation.evaluator.collector.effects
    found = effects[before:]
    effects[before:] = [effect for effect in found if effect.certain]
    invocation.effect(
        "persistence", f"{key.text} {name}".strip(), "registry.run-key", "it runs at every login from now on"
    )


def judge_delete(invocation: WindowsInvocation, key: Value, name: str | None) -> None:
    """Record what deleting a key, or a value of it when a name is given, does."""
    path = key_text(key)
    low = name.lower().strip("\"'") if name else ""
    why = _why_needed(path, low, name is None)
    if why:
        invocation.effect("power", f"{key.text} {low}".strip(), "registry.vital", why)
        return
    if low and any(part in path and low.startswith(values) for part, values in KEEPERS):
        invocation.effect("security-off", f"{key.text} {low}", "registry.guard", "a guard of the system goes with it")
        return
    for part in (
        "control/safeboot",
        "services/windefend",
        "services/eventlog",
        "services/mpssvc",
        "windows defender",
        "amsi/providers",
        "services/wdfilter",
        "services/sense",
    ):
        if part in path and not _event_source(path) and not low.startswith("disable"):
            invocation.effect("security-off", key.text, "registry.guard", "a guard of the system goes with it")
            return
    if any(mark in path for mark in ("runmru", "typedpaths", "recentdocs", "terminal server client", "userassist")):
        invocation.effect("change", key.text, "registry.traces", "what was done here can't be seen any more")
        return
    target = located_key(key)
    if name:
        invocation.path_effect("write", target, code="registry.delete-value", why="removes a setting", undo="hard")
        return
    invocation.path_effect(
        "delete",
        target,
        code="registry.delete",
        why="a key goes with everything below it",
        instead="`reg export KEY FILE` keeps a copy first",
    )


def _why_needed(path: str, low: str, whole: bool) -> str:
    """Return why Windows needs a value, or the key with all below it; empty when it does without."""
    if whole and "/services/" in path and path.rpartition("/services/")[2].rstrip("/*") in VITAL_SERVICES:
        return "Windows does not start without it"
    for part, values, why in NEEDED:
        if part in path and (low.startswith(values) if low else whole and path.rstrip("/*").endswith(part)):
            return why
    return ""


def _event_source(path: str) -> bool:
    """Return whether a key is the name that one program writes events under."""
    log, slash, source = path.partition("services/eventlog/")[2].partition("/")
    return bool(slash and source) and log != "security"


def judge_save(invocation: WindowsInvocation, key: Value) -> None:
    """Record that a hive is written to a file: those with password hashes are secrets."""
    path = key_text(key)
    if path.rstrip("/") == "hklm:/system" or path.startswith(("hklm:/sam", "hklm:/security")):
        invocation.effect(
            "expose",
            key.text,
            "registry.hashes",
            "whoever has the file has the hashes of all passwords",
            instead="leave the hives of passwords alone",
        )
