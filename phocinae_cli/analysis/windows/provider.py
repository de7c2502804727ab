"""Cmdlets that change items: files, registry keys and values, permissions, services, members of groups."""

from __future__ import annotations

from phocinae_cli.analysis.sending import data_place
from phocinae_cli.analysis.values import NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import code, leaving, registry
from phocinae_cli.analysis.windows.paths import HIVES, holds_hashes, located
from phocinae_cli.analysis.windows.things import NONE, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

GUARD_SERVICES = (
    "windefend", "wdnissvc", "sense", "mpssvc", "eventlog", "wscsvc", "securityhealthservice", "mdcoresvc",
    "wdfilter", "bfe",
    "windows defender", "windows firewall", "event log", "csfalconservice", "sysmon", "sysmon64", "mssense",
    "eventsystem",
    "sentinelagent", "cylancesvc", "sophos", "mcafee", "symantec", "carbonblack", "vss", "appidsvc", "ekrn",
)  # fmt: skip


def is_registry(value: Value) -> bool:
    """Return whether a path leads into the registry."""
    head = value.text.lower().removeprefix("microsoft.powershell.core\\").removeprefix("registry::")
    name = head.replace("/", "\\").partition("\\")[0].rstrip(":")
    return name in HIVES and (head[len(name) : len(name) + 1] in (":", "\\", ""))


def _matches_guard(name: str) -> bool:
    """Return whether a pattern, or the start of a name, fits a guard."""
    low = name.lower()
    bare = low.strip("*").strip(".*^$")
    if "*" in low or "." in low:
        return len(bare) > 3 and any(bare in guard for guard in GUARD_SERVICES)
    return low.startswith(("windefend", "sense"))


def judge_service(invocation: WindowsInvocation, names: list[str], deed: str) -> None:
    """Record what happens to services."""
    shown = " ".join(names)
    guards = [name for name in names if name.lower().removesuffix(".exe") in GUARD_SERVICES or _matches_guard(name)]
    if "*" in names and deed in ("stop", "disable", "remove"):
        invocation.effect("power", "every service", "service.all", "nothing that runs here goes on")
    elif guards and deed in ("stop", "disable", "remove"):
        invocation.effect("security-off", shown, "service.guard", "nobody watches the machine without it")
    elif deed == "remove":
        invocation.effect("service", shown, "service.remove", "whoever needs the service misses it", undo="hard")
    else:
        invocation.effect("service", shown, f"service.{deed}", "whoever uses the service notices")


def remove(invocation: WindowsInvocation) -> Thing | None:
    """`Remove-Item`: files, or keys of the registry, named or piped in."""
    operands = invocation.arguments.operands
    piped = not operands
    if piped:
        operands = [located(value, invocation.scope.home) for value in invocation.piped.values]
    recursive = invocation.arguments.has("-recurse", "-s") or (piped and invocation.piped.kind == "files")
    name = invocation.name
    recursive = recursive or (name in ("rd", "rmdir") and invocation.arguments.has("-recurse"))
    include = invocation.arguments.value("-include", "-filter")
    for value in operands:
        if is_registry(value):
            registry.judge_delete(invocation, known(value.text), None)
            continue
        if include is not None and "*" in include.text and "*" not in value.text.replace("\\", "/").rpartition("/")[2]:
            value = (
                located(known(value.text.rstrip("\\/") + "\\" + include.text), invocation.scope.home)
                if value.known
                else value
            )
        wide = recursive and not (
            piped and value.known and "*" not in value.text and not invocation.arguments.has("-recurse")
        )
        invocation.path_effect(
            "delete", value, wide, code="remove-item.recurse" if wide else "remove-item",
            why="deleted items don't go to the trash", instead="`Remove-Item -WhatIf` shows what would go",
        )  # fmt: skip
    if not operands:
        invocation.effect(
            "unknown", "what is piped in", "remove-item.unseen", "what is deleted can't be seen here", certain=False
        )
    return NONE


def copy(invocation: WindowsInvocation) -> Thing:
    """`Copy-Item`, `copy`, `xcopy`, `robocopy`: what lands on another machine has left this one."""
    operands = invocation.arguments.operands
    if invocation.piped.values and len(operands) < 2:
        operands = [*(located(value, invocation.scope.home) for value in invocation.piped.values), *operands]
    scope, collector = invocation.scope, invocation.walker.collector
    if not operands:
        return NONE
    target = operands[-1] if len(operands) > 1 else known(".")
    sources = operands[:-1] if len(operands) > 1 else operands
    taint = NOTHING
    for source in sources:
        if not is_registry(source):
            taint |= collector.content(source, scope).taint
            taint |= frozenset(("network",)) if leaving.is_foreign(scope, source) else NOTHING
    place = collector.targets(target, scope)[0].place if collector.targets(target, scope) else "unknown"
    remote = place == "remote" or invocation.arguments.has("-tosession")
    if remote and taint & {"secret", "private", "dump", "environment"}:
        shown = " ".join(value.text for value in sources)
        invocation.effect("send", shown, "copy.away", "another machine gets it", place=data_place(taint, False))
        return NONE
    for source in sources:
        if any(holds_hashes(reading) for reading in source.readings()):
            why = "whoever has the file has the hashes of all passwords"
            invocation.effect("expose", source.text, "copy.hashes", why, instead="leave the hives of passwords alone")
        elif not is_registry(source) and "secret" in collector.content(source, scope).taint:
            invocation.path_effect(
                "show-secret", source, code="copy.secret", why="a copy of a secret is a second place to lose it"
            )
    wide = invocation.arguments.has("-recurse", "-container", "/s", "/e", "/mir")
    if is_registry(target):
        registry.judge_write(invocation, known(target.text), "", known(""))
        return NONE
    deep = _into_folder(target, sources)
    kind = "create"
    if place in ("system", "vital", "secret", "access", "startup", "rc") and deep:
        kind = "overwrite" if place != "secret" else "create"
    invocation.path_effect(
        kind, target, wide and place in ("system", "root"), code="copy-item", why="a copy lands there"
    )
    path = scope.resolve(target.readings()[0]) if target.known else None
    if path is not None:
        held = scope.files.get(scope.resolve(sources[0].readings()[0]) or "") if sources[0].known else None
        scope.files[path] = held if held is not None else Stream(None, taint, f"a copy of {sources[0].text}")
        code.planted(invocation.walker, path, scope.files[path], scope, invocation.action, invocation.context)
    return NONE


def _into_folder(target: Value, sources: list[Value]) -> bool:
    """Return whether a copy takes the name of the target, so that it may replace a file."""
    name = target.text.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "." in name and len(sources) == 1


def new_item(invocation: WindowsInvocation) -> Thing:
    """`New-Item`: a file, a directory, a link, or a key of the registry."""
    operands = list(invocation.arguments.operands)
    name = invocation.named("-name")
    values = []
    for value in operands or [known(".")]:
        if name is not None and name.exact is not None and value.known:
            values.append(located(known(value.text.rstrip("\\/") + "\\" + name.exact), invocation.scope.home))
        else:
            values.append(value)
    content = invocation.named("-value") or NONE
    kind = (invocation.named("-itemtype", "-type") or NONE).exact or ""
    for value in values:
        if is_registry(value):
            registry.judge_write(
                invocation,
                known(value.text),
                "" if content is NONE else "(default)",
                content.one() if content.values else known(""),
            )
            continue
        if value.text.lower().startswith(("env:", "function:", "alias:", "variable:")):
            invocation.scope.things[value.text.lower().replace("\\", "")] = content
            continue
        link = kind.lower() in ("symboliclink", "junction", "hardlink")
        deed = "link" if link else "overwrite" if _empties(invocation, value, kind, content) else "create"
        invocation.path_effect(deed, value, code="new-item", why="makes something there")
        path = invocation.scope.resolve(value.readings()[0]) if value.known else None
        if path is not None and content is not NONE:
            invocation.scope.files[path] = content.stream()
            scope = invocation.scope
            code.planted(invocation.walker, path, scope.files[path], scope, invocation.action, invocation.context)
    return Thing(tuple(known(value.text) if value.known else value for value in values), "files")


def rename(invocation: WindowsInvocation) -> None:
    """`Rename-Item`: piped files get the names that a block makes, all of them at once."""
    if invocation.arguments.operands and not (invocation.piped.kind == "files" and invocation.blocks()):
        return
    piped = [located(value, invocation.scope.home) for value in invocation.piped.values]
    invocation.arguments.operands = [value for value in piped if value.known]
    for value in piped:
        folder, _, name = value.text.replace("\\", "/").rpartition("/")
        if "*" in name and "." not in folder.rpartition("/")[2].strip("."):  # else it is a list of one file
            why = "many files get other names"
            invocation.path_effect("write", value, True, code="rename-item.all", why=why, harm="risky")


PRECIOUS = frozenset(("rc", "secret", "access", "vital", "system", "startup", "home-config", "log"))


def _empties(invocation: WindowsInvocation, value: Value, kind: str, content: Thing) -> bool:
    """Return whether `New-Item -Force` starts a file anew that most likely lies there already."""
    if not invocation.arguments.has("-force") or (kind.lower() != "file" and content is NONE):
        return False
    if "test-path" in invocation.context.text.lower():
        return False  # the line looks first whether it is there
    targets = invocation.walker.collector.targets(value, invocation.scope)
    return any(target.place in PRECIOUS for target in targets)


def set_property(invocation: WindowsInvocation) -> Thing:
    """`Set-ItemProperty`, `New-ItemProperty`, `Set-Item`: a value of a key, or an attribute of a file."""
    operands = list(invocation.arguments.operands) or [
        located(value, invocation.scope.home) for value in invocation.piped.values
    ]
    if not operands:
        return NONE
    path, rest = operands[0], operands[1:]
    named = invocation.named("-name")
    value = invocation.named("-value")
    name = (
        named.one().text
        if named is not None
        else (rest.pop(0).text if rest and not invocation.name.endswith(("set-item", "si")) else "")
    )
    data = value.one() if value is not None else (rest.pop(0) if rest else known(""))
    if is_registry(path):
        registry.judge_write(invocation, known(path.text), name or "(default)", data)
    elif path.text.lower().startswith(("env:", "variable:", "alias:", "function:")):
        invocation.scope.things[path.text.lower().replace("variable:", "").replace("\\", "")] = Thing((data,))
    elif path.text.lower().startswith("wsman:"):
        invocation.effect("network-config", path.text, "wsman.set", "changes who may manage the machine from afar")
    else:
        invocation.path_effect("permissions", path, code="item.attribute", why="changes an attribute", undo="easy")
    return NONE


def policy_value(invocation: WindowsInvocation) -> None:
    """`Set-GPRegistryValue`: a value of the registry on every machine of a domain."""
    key, name = invocation.named("-key"), invocation.named("-valuename")
    data = invocation.named("-value")
    if key is not None:
        shown = name.one().text if name is not None else ""
        registry.judge_write(invocation, key.one(), shown, data.one() if data is not None else known(""))


def remove_property(invocation: WindowsInvocation) -> Thing:
    """`Remove-ItemProperty`, `Clear-ItemProperty`: a value of a key."""
    operands = invocation.arguments.operands or [
        located(value, invocation.scope.home) for value in invocation.piped.values
    ]
    named = invocation.named("-name")
    name = named.one().text if named is not None else (operands[1].text if len(operands) > 1 else "*")
    for path in operands[:1]:
        registry.judge_delete(invocation, known(path.text), name)
    return NONE


def set_acl(invocation: WindowsInvocation) -> Thing:
    """`Set-Acl`: who may do what with a path; everybody with full rights shows in what was built before."""
    paths = list(invocation.arguments.operands)
    given = invocation.named("-aclobject")
    if len(paths) > 1 and given is None:
        paths = paths[:1]
    source = invocation.context.text.lower()
    opened = any(who in source for who in ("everyone", "s-1-1-0", "'users'", "authenticated users")) and any(
        right in source for right in ("fullcontrol", "modify", "write")
    )
    for value in paths:
        if is_registry(value):
            registry.judge_write(invocation, known(value.text), "(permissions)", known(""))
            continue
        invocation.path_effect(
            "open-to-all" if opened else "permissions", value, opened, code="set-acl", why="changes who may use it"
        )
    return NONE


ADMINS = (
    "administrators",
    "administrateurs",
    "administratoren",
    "domain admins",
    "enterprise admins",
    "schema admins",
    "s-1-5-32-544",
    "remote desktop users",
    "backup operators",
)


def add_member(invocation: WindowsInvocation) -> Thing:
    """`Add-LocalGroupMember`, `Add-ADGroupMember`: the administrators' group gives lasting access."""
    named = invocation.named("-group", "-identity", "-sid")
    group = (
        named.one().text
        if named is not None
        else (invocation.arguments.operands[0].text if invocation.arguments.operands else "a group")
    )
    judge_group(invocation, group)
    return NONE


def judge_group(invocation: WindowsInvocation, group: str) -> None:
    """Record that somebody becomes a member of a group."""
    if group.lower().strip("\"'").rpartition("\\")[2] in ADMINS:
        invocation.effect("back-door", group, "group.administrators", "whoever is added may do anything here")
    else:
        invocation.effect("account", group, "group.member", "whoever is added gets the group's rights")
