"""`reg`, `sc`, `net`, `schtasks`: the registry, services, accounts and scheduled tasks from the command line."""

from __future__ import annotations

from phocinae_cli.analysis.values import Value, known
from phocinae_cli.analysis.windows import code, provider, registry
from phocinae_cli.analysis.windows.paths import Located, located
from phocinae_cli.analysis.windows.things import NONE, Thing, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation


def _plain(value: Value) -> Value:
    return known(value.text, value.taint) if isinstance(value, Located) and value.known else value


def _options(words: list[Value], valued: tuple[str, ...]) -> tuple[dict[str, Value | None], list[Value]]:
    """Return the switches with their values, and the words that are none."""
    found: dict[str, Value | None] = {}
    rest: list[Value] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        low = (word.exact or word.head()).lower()
        if low[:1] in ("/", "-") and len(low) > 1 and low.count("\\") == 0:
            name, colon, _ = low[1:].partition(":")
            if colon:
                found[name] = word.cut(len(name) + 2)
            elif name in valued and index < len(words):
                found[name] = words[index]
                index += 1
            else:
                found[name] = None
        else:
            rest.append(word)
    return found, rest


def reg(invocation: WindowsInvocation) -> Thing:
    """`reg add|delete|save|…`."""
    words = [_plain(value) for value in invocation.words]
    verb = words[0].text.lower() if words else ""
    options, rest = _options(
        words[1:], ("v", "t", "d", "s", "f") if verb == "add" else ("v", "f") if verb == "query" else ("v",)
    )
    key = rest[0] if rest else known("")
    if verb == "query" and _asks_for_passwords(options):
        invocation.effect("show-secret", key.text, "reg.passwords", "passwords that lie in the registry are shown")
    if verb in ("query", "compare", "flags", "/?", "-?", "") or "?" in options:
        return unsure("a key of the registry", name_only=False) if verb == "query" else NONE
    if verb == "export" or verb == "save":
        registry.judge_save(invocation, key)
        if len(rest) > 1:
            invocation.path_effect(
                "create",
                located(rest[1], invocation.scope.home),
                code="reg.export",
                why="a copy of the key lands there",
            )
        return NONE
    if verb == "add":
        name = options.get("v")
        data = options.get("d")
        shown = name.text if name is not None else "(default)" if data is not None or "ve" in options else ""
        registry.judge_write(invocation, key, shown, data if data is not None else known(""))
    elif verb == "delete":
        name = options.get("v")
        registry.judge_delete(invocation, key, name.text if name is not None else None)
    elif verb in ("copy", "restore", "load", "unload", "import"):
        target = rest[1] if verb == "copy" and len(rest) > 1 else key
        if verb == "import":
            invocation.effect(
                "system-config", key.text, "reg.import", "changes every key that the file names", undo="hard"
            )
        elif verb == "restore":
            invocation.path_effect(
                "overwrite", registry.located_key(target), code="reg.restore", why="replaces a key with all below it"
            )
        else:
            registry.judge_write(invocation, target, "", known(""))
    else:
        invocation.effect("unknown", verb, "reg.undescribed", "nobody has described this use of `reg`", certain=False)
    return NONE


def _asks_for_passwords(options: dict[str, Value | None]) -> bool:
    wanted = [value.text.lower() for value in (options.get("f"), options.get("v")) if value is not None]
    return any(name in text for text in wanted for name in ("password", "passwd", "pwd"))


SC_READS = frozenset(
    ("query", "queryex", "qc", "qdescription", "qfailure", "qfailureflag", "qsidtype", "qprivs", "qtriggerinfo",
     "sdshow", "getdisplayname", "getkeyname", "enumdepend", "qprotection", "showsid", "qmanagedaccount", "help",
     "/?", "-?", "?")
)  # fmt: skip


def service_control(invocation: WindowsInvocation) -> Thing:
    """`sc VERB SERVICE …`."""
    words = [_plain(value) for value in invocation.words]
    if words and words[0].text.startswith("\\\\"):
        words.pop(0)
    verb = words[0].text.lower() if words else ""
    if verb in SC_READS or not verb:
        return NONE
    name = words[1].text if len(words) > 1 else "a service"
    joined = " ".join(value.text for value in words[2:]).lower()
    if verb in ("stop", "pause"):
        provider.judge_service(invocation, [name], "stop")
    elif verb == "delete":
        provider.judge_service(invocation, [name], "remove")
    elif verb == "config":
        off = "disabled" in joined
        provider.judge_service(invocation, [name], "disable" if off else "set")
        _service_program(invocation, words)
    elif verb == "create":
        provider.judge_service(invocation, [name], "create")
        _service_program(invocation, words)
    elif verb == "sdset":
        invocation.effect("security-off", name, "service.rights", "changes who may see and stop the service")
    elif verb == "failure" and "command=" in joined:
        _service_program(invocation, words)
        invocation.effect("persistence", name, "service.failure", "a program runs when the service fails")
    else:
        provider.judge_service(invocation, [name], verb)
    return NONE


def _service_program(invocation: WindowsInvocation, words: list[Value]) -> None:
    for number, word in enumerate(words):
        low = (word.exact or word.head()).lower()
        if low.startswith(("binpath=", "binpath", "command=")):
            value = (
                word.cut(len(low.partition("=")[0]) + 1)
                if not low.endswith("=")
                else words[number + 1]
                if number + 1 < len(words)
                else word
            )
            _later(invocation, value)


def _later(invocation: WindowsInvocation, value: Value) -> None:
    """Judge a program that is to run later: only what it surely does counts."""
    effects = invocation.walker.collector.effects
    before = len(effects)
    code.run_code(invocation.walker, invocation, "cmd", value, invocation.scope.copy(), "later")
    effects[before:] = [effect for effect in effects[before:] if effect.certain]


def net(invocation: WindowsInvocation) -> Thing:
    """`net VERB …`: services, accounts, groups, shares, drives."""
    words = [_plain(value) for value in invocation.words]
    verb = words[0].text.lower() if words else ""
    options, rest = _options(words[1:], ())
    names = [value.text for value in rest]
    shown = " ".join(names)
    acting = "add" in options or "delete" in options or "del" in options
    if verb in ("stop", "pause") and names:
        provider.judge_service(invocation, [shown], "stop")
    elif verb in ("start", "continue") and names:
        provider.judge_service(invocation, [shown], "start")
    elif verb in ("localgroup", "group"):
        if "add" in options and len(names) > 1:
            provider.judge_group(invocation, names[0])
        elif acting or "comment" in options:
            invocation.effect("account", shown, "net.group", "changes a group")
    elif verb in ("user", "accounts"):
        if (
            (names and len(names) > 1)
            or acting
            or any(
                name in options
                for name in ("active", "expires", "passwordreq", "times", "minpwlen", "maxpwage", "lockoutthreshold")
            )
        ):
            low = names[0].lower() if names else ""
            active = options.get("active")
            opened = low in ("guest", "administrator") and active is not None and active.text.lower().startswith("y")
            if opened:
                invocation.effect("back-door", shown, "net.built-in", "a built-in account can log in from now on")
            else:
                invocation.effect("account", shown or "accounts", "net.user", "changes an account")
    elif verb == "share":
        if "delete" in options or "d" in options:
            invocation.effect("network-config", shown, "net.share", "ends a share")
        elif any("=" in name for name in names):
            everyone = options.get("grant")
            opened = (
                everyone is not None
                and everyone.text.lower().startswith("everyone")
                and "full" in everyone.text.lower()
            )
            invocation.effect(
                "expose" if opened else "network-config", shown, "net.share", "others can reach the directory"
            )
    elif verb == "use":
        if names and (len(names) > 1 or acting or "delete" in options or names[0].startswith("\\\\")):
            invocation.effect("network-config", shown, "net.use", "maps a drive of another machine")
    elif verb in ("session", "file", "computer", "config", "time", "print", "name") and (
        acting or "close" in options or "set" in options
    ):
        invocation.effect("network-config", shown or verb, f"net.{verb}", "others are cut off")
    elif verb not in (
        "",
        "view",
        "start",
        "user",
        "use",
        "localgroup",
        "group",
        "share",
        "accounts",
        "session",
        "file",
        "statistics",
        "stats",
        "time",
        "config",
        "help",
        "helpmsg",
        "computer",
        "print",
        "name",
    ):
        invocation.effect("unknown", verb, "net.undescribed", "nobody has described this use of `net`", certain=False)
    return NONE


def schtasks(invocation: WindowsInvocation) -> Thing:
    """`schtasks /create|/delete|/run …`."""
    words = [_plain(value) for value in invocation.words]
    options, _ = _options(
        words,
        (
            "tn",
            "tr",
            "sc",
            "st",
            "sd",
            "ed",
            "ru",
            "rp",
            "s",
            "u",
            "p",
            "mo",
            "d",
            "m",
            "xml",
            "fo",
            "i",
            "it_",
            "ec",
            "delay",
            "du",
            "ri",
            "rl",
            "et",
        ),
    )
    name = options.get("tn")
    shown = name.text if name is not None else "a task"
    if "query" in options or "showsid" in options or "?" in options or not options:
        return NONE
    program = options.get("tr")
    if "create" in options or "change" in options:
        before = len(invocation.walker.collector.effects)
        if program is not None:
            text = program.text.replace('\\"', '"') if program.known else ""
            _later(invocation, known(text, program.taint) if program.known else program)
        del before
        off = "disable" in options
        if off and any(
            part in shown.lower()
            for part in ("windows defender", "exploitguard", "systemrestore", "windowsbackup", "windowsupdate")
        ):
            invocation.effect("security-off", shown, "task.guard", "a guard of the system no longer runs")
        else:
            invocation.effect("persistence", shown, "task.create", "it runs by itself from now on")
    elif "delete" in options:
        everything = shown == "*"
        guard = any(
            part in shown.lower() for part in ("windows defender", "systemrestore", "windowsbackup", "windows\\wininet")
        )
        if everything or guard:
            invocation.effect(
                "security-off" if guard else "destroy",
                shown,
                "task.delete-all",
                "what the system does by itself is gone",
            )
        else:
            invocation.effect("persistence", shown, "task.delete", "the task no longer runs", undo="hard")
    elif "run" in options or "end" in options:
        invocation.effect("service", shown, "task.run", "starts or ends what the task does")
    return NONE
