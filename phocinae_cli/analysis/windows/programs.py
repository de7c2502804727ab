"""Programs of Windows whose arguments are a language of their own: cmd, powershell, start, forfiles, wmic,
diskpart …"""

from __future__ import annotations

from phocinae_cli.analysis import runs, sending
from phocinae_cli.analysis.hosts import host_of
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value, known
from phocinae_cli.analysis.windows import code, machine, members, provider
from phocinae_cli.analysis.windows.accounts import net, reg, schtasks, service_control
from phocinae_cli.analysis.windows.batch_syntax import split_words
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.pipes import content
from phocinae_cli.analysis.windows.scope import WindowsScope
from phocinae_cli.analysis.windows.shells import one_line, original, shell
from phocinae_cli.analysis.windows.specials import location
from phocinae_cli.analysis.windows.things import NONE, Thing, join, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

    Handler = Callable[[WindowsInvocation], Thing | None]

LOCAL = ("localhost", "127.0.0.1", "::1")


def start(invocation: WindowsInvocation) -> Thing:
    """`start "title" /flags program arguments`."""
    words = [original(value) for value in invocation.words]
    # Quotes are gone by now: a first word with a blank, or an empty one, is the window's title.
    if words and (
        words[0].exact is not None and (words[0].exact == "" or (" " in words[0].exact and "\\" not in words[0].exact))
    ):
        words.pop(0)
    while words and (words[0].exact or "").startswith("/"):
        flag = (words.pop(0).exact or "").lower()
        if flag in ("/d", "/node", "/affinity") and words:
            words.pop(0)
    return _wrapped(invocation, words, "start")


def _wrapped(invocation: WindowsInvocation, words: list[Value], via: str, remote: bool = False) -> Thing:
    from phocinae_cli.analysis.windows import cmdlets

    if not words:
        return NONE
    shown = words[0].text.lower()
    if shown.startswith(("ms-appinstaller:", "search-ms:", "ms-msdt:")):
        return code.unread(invocation, shown)
    if "://" in shown or shown.endswith((".txt", ".html", ".pdf", ".md", ".csv", ".log")):
        return NONE
    context = invocation.context.inside(via)
    context.span = context.span or (invocation.action.start, invocation.action.end)
    context.remote = context.remote or remote
    return cmdlets.run_words(invocation.walker, words, invocation.scope, context, invocation.piped, invocation.stdin)


def run_as(invocation: WindowsInvocation) -> Thing:
    """`runas /user:NAME "command"`, `psexec \\\\HOST -flags command`."""
    words = [original(value) for value in invocation.words]
    remote = False
    while words and (words[0].exact or words[0].head())[:1] in ("/", "-", "\\", "@"):
        flag = (words.pop(0).exact or "").lower()
        remote = remote or flag.startswith("\\\\")
        if flag in ("-u", "-p", "-w", "-n", "-r", "-a") and words:
            words.pop(0)
    if len(words) == 1 and words[0].exact is not None:
        words = [known(word) for word in split_words(words[0].exact)]
    if not words:
        return NONE
    if words[0].text.lower().removesuffix(".exe") in ("cmd", "powershell", "pwsh") and len(words) == 1:
        invocation.effect(
            "root-shell",
            " ".join(value.text for value in invocation.words),
            "shell.elevated",
            "whatever is typed there has other rights",
        )
        return NONE
    return _wrapped(invocation, words, invocation.name, remote)


def remote_shell(invocation: WindowsInvocation) -> Thing | None:
    """`winrs -r:HOST command`: a text for cmd on another machine."""
    words = [original(value) for value in invocation.words]
    while words and (words[0].exact or words[0].head())[:1] in ("/", "-"):
        flag = (words.pop(0).exact or "").lower()
        if flag[1:] in ("r", "remote", "u", "username", "p", "password", "t", "timeout", "d", "directory") and words:
            words.pop(0)
    if not words:
        return None
    if (words[0].exact or "").lower().removesuffix(".exe") in ("cmd", "powershell") and len(words) == 1:
        shown = " ".join(value.text for value in invocation.words)
        invocation.effect("root-shell", shown, "shell.remote", "whatever is typed there runs on another machine")
        return NONE
    scope = WindowsScope.of(invocation.scope.elsewhere())
    invocation.context.remote = True
    return code.run_code(invocation.walker, invocation, "cmd", one_line(words), scope, "winrs")


def for_files(invocation: WindowsInvocation) -> Thing:
    """`forfiles /p DIR /m MASK /s /c "command @path"`."""
    arguments = invocation.arguments
    folder = arguments.value("/p") or known(".")
    mask = arguments.value("/m") or known("*")
    command = arguments.value("/c")
    found = join([folder.text.rstrip("\\/") if folder.known else folder.text, "\\", mask.text])
    if command is None or command.exact is None:
        return Thing((found,), "files")
    text = original(command).text
    for name in ("@path", "@PATH", "@file", "@FILE", "@relpath", "@fname"):
        text = text.replace(name, f'"{found.text}"')
    return code.run_code(invocation.walker, invocation, "cmd", known(text), invocation.scope.copy(), "forfiles")


# --- files ---------------------------------------------------------------------------------------------------------


def listing(invocation: WindowsInvocation) -> Thing:
    """`dir`: bare lists hold the names, and loops take them up."""
    arguments = invocation.arguments
    found = []
    for value in arguments.operands or [known(".")]:
        shown = value.text if value.known else None
        if shown is not None and "*" in shown.replace("\\", "/").rpartition("/")[2]:
            found.append(known(shown))
        else:
            found.append(join([*((shown.rstrip("\\/"),) if shown is not None else value.parts), "\\*"], value.taint))
    if arguments.has("/b"):
        return Thing(tuple(found), "files")
    return unsure("a listing of files")


def change_directory(invocation: WindowsInvocation) -> Thing:
    """`cd`: prints the directory, or changes it."""
    if not invocation.arguments.operands:
        return Thing((known(invocation.scope.cwd or "."),))
    return location(invocation)


def typed(invocation: WindowsInvocation) -> Thing:
    """`type`, `more`: what the files hold, or what is fed in."""
    if not invocation.arguments.operands:
        return invocation.piped
    return content(invocation)


def icacls(invocation: WindowsInvocation) -> Thing:
    """`icacls PATH /grant WHO:RIGHTS`: everybody with the right to write is another matter."""
    words = [original(value).text for value in invocation.words]
    joined = " ".join(words).lower()
    if not any(
        flag in joined
        for flag in (
            "/grant",
            "/deny",
            "/remove",
            "/reset",
            "/setowner",
            "/inheritance",
            "/restore",
            "/setintegritylevel",
            "/p ",
            "/g ",
            "/e ",
        )
    ):
        return NONE if "/save" not in joined else unsure("permissions")
    path = invocation.words[0] if invocation.words else known(".")
    recursive = "/t" in joined.split()
    everyone = any(
        who in joined
        for who in ("everyone:", 'everyone":', "*s-1-1-0:", "jeder:", "users:", "*s-1-5-11:", "authenticated users:")
    )
    writes = any(right in joined for right in (":f", ":(f", ")f", ":m", ":(m", ")m", ":w", ":(w", ")(f", ":(oi)(ci)f"))
    if "/grant" in joined and everyone and writes:
        invocation.path_effect("open-to-all", path, recursive, code="icacls.everyone", why="everybody may write there")
    elif "/setowner" in joined:
        invocation.path_effect("owner", path, recursive, code="icacls.owner", why="changes whose it is")
    else:
        invocation.path_effect(
            "permissions",
            path,
            recursive,
            code="icacls.grant",
            why="changes who may use it",
            undo="easy" if not recursive else "",
        )
    return NONE


def download(invocation: WindowsInvocation) -> Thing | None:
    """`certutil -urlcache`, `bitsadmin /transfer`, …: an address and the file it is saved to."""
    words = [original(value) for value in invocation.words]
    shown = [value.text for value in words]
    at = next((number for number, text in enumerate(shown) if "://" in text), -1)
    notify = next((number for number, text in enumerate(shown) if text.lower()[1:] == "setnotifycmdline"), -1)
    if notify >= 0 and len(words) > notify + 2 and at < 0:
        _wrapped(invocation, words[notify + 2 : notify + 3], "bitsadmin")
    if at < 0:
        return None
    low = " ".join(shown).lower()
    if "/upload" in low or "-upload" in low:
        taint = NOTHING
        for value in words[at + 1 :]:
            taint |= invocation.walker.collector.content(located(value, invocation.scope.home), invocation.scope).taint
        invocation.effect(
            "send",
            shown[-1],
            f"{invocation.name}.upload",
            "data leaves this machine",
            place=sending.data_place(taint, False),
        )
        return NONE
    network = NOTHING if host_of(shown[at]) in LOCAL else frozenset(("network",))
    target = words[at + 1] if at + 1 < len(words) else known(shown[at].rpartition("/")[2] or "download")
    members.save(invocation, target, network, f"{invocation.name}.download")
    if "/setnotifycmdline" in low:
        code.unread(invocation, "the program that runs when the download ends")
    return NONE


# --- disks, shadow copies, WMI -------------------------------------------------------------------------------------

DISKPART = {
    "clean": "wipes the disk", "delete": "deletes a partition or volume", "format": "formats a volume",
    "convert": "changes the kind of the disk", "remove": "takes a drive letter away", "create": "makes a partition",
    "recover": "changes a disk group", "extend": "grows a volume", "shrink": "shrinks a volume",
    "assign": "gives a volume a letter", "attributes": "changes attributes", "active": "changes what boots",
    "online": "brings a disk up", "offline": "takes a disk down", "uniqueid": "changes a disk's identity",
    "attach": "attaches an image", "detach": "detaches an image", "inactive": "changes what boots",
    "gpt": "changes attributes",
}  # fmt: skip


def diskpart(invocation: WindowsInvocation) -> Thing:
    """`diskpart`: what its script says, from a file or fed in."""
    script = invocation.arguments.value("/s")
    stream = invocation.stdin
    if script is not None:
        stream = invocation.walker.collector.content(script, invocation.scope)
        if stream.text is None and script.exact is not None:
            path = invocation.scope.resolve(script.exact)
            fact = invocation.walker.collector.text_fact(("text", path)) if path is not None else None
            stream = Stream(fact.text, stream.taint) if fact is not None and fact.text is not None else stream
    if stream is EMPTY:
        invocation.effect("storage", "disks", "diskpart.interactive", "whatever is typed there changes disks")
        return NONE
    if stream.text is None:
        invocation.effect(
            "storage", "disks", "diskpart.unseen", "what the script does to disks can't be seen", certain=False
        )
        return NONE
    for line in stream.text.lower().splitlines():
        words = line.split()
        why = DISKPART.get(words[0]) if words else None
        if why is not None:
            worst = words[0] in ("clean", "delete", "format", "convert")
            invocation.effect("storage-destroy" if worst else "storage", line.strip(), f"diskpart.{words[0]}", why)
    return NONE


def wmic(invocation: WindowsInvocation) -> Thing:
    """`wmic ALIAS where … VERB`: get and list read; delete, call and create act."""
    shown = [original(value).text for value in invocation.words]
    low = [text.lower() for text in shown]
    joined = " ".join(low)
    if "shadowcopy" in low and ("delete" in low or "call delete" in joined):
        invocation.effect(
            "backup-destroy", "shadow copies", "shadowcopy.delete", "nothing can be restored from them any more"
        )
    elif "call" in low and "create" in joined and ("process" in low or "win32_process" in joined):
        at = next(number for number, text in enumerate(low) if text.startswith("create"))
        words = shown[at + 1 :] or [shown[at][6:].strip("( )")]
        text = " ".join(words).strip("\"'").replace('\\"', '"')
        context_remote = any(text.startswith("/node") for text in low)
        scope = invocation.scope.copy()
        code.run_code(
            invocation.walker, invocation, "cmd", known(text), scope, "wmic" + (" /node" if context_remote else "")
        )
        invocation.effect("run-unknown-code", text, "wmic.create", "starts a program that no shell sees", certain=False)
    elif "shadowcopy" in low and "call" in low:
        invocation.effect("change", "a shadow copy", "wmic.shadowcopy", "makes a copy of the whole volume")
    elif machine.runs_on_events(joined) and any(verb in low for verb in ("create", "call", "set")):
        machine.subscribed(invocation)
    elif "mppreference" in joined or "msft_mp" in joined:
        invocation.effect("security-off", "Defender", "defender.settings", "Defender no longer sees what it should")
    elif "useraccount" in low and ("set" in low or "call" in low or "delete" in low):
        invocation.effect("account", joined, "wmic.account", "changes an account")
    elif "product" in low and ("uninstall" in joined or "delete" in low):
        invocation.effect("uninstall", joined, "wmic.uninstall", "removes a program")
    elif any(word in joined for word in ("reboot", "shutdown", "win32shutdown")):
        invocation.effect("power", "the machine", "wmic.power", "everything that runs here stops")
    elif "service" in low and ("call" in low or "delete" in low):
        deed = (
            "stop"
            if "stop" in joined
            else "remove"
            if "delete" in joined
            else "disable"
            if "disabled" in joined
            else "set"
        )
        names = [text.partition("=")[2].strip("\"' ") for text in low if "=" in text]
        provider.judge_service(invocation, [name for name in names if name] or ["a service"], deed)
    elif "process" in low and ("terminate" in joined or "delete" in low):
        everything = "where" not in low and not any(word.isdigit() for word in low)
        invocation.effect("kill-all" if everything else "kill", joined, "wmic.kill", "unsaved work in it is lost")
    elif any(verb in low for verb in ("call", "delete", "create", "set")):
        invocation.effect("change", joined, "wmic.call", "changes what the class stands for")
    elif "/format:" in joined and "://" in joined:
        runs.unseen(invocation, Stream(None, frozenset(("network",))), "a style sheet from the network")
    elif "/format:" in joined and joined.rstrip("\"'").endswith((".xsl", '.xsl"')):
        code.unread(invocation, "the style sheet")
    return unsure("what WMI says", name_only=True)


def task_kill(invocation: WindowsInvocation) -> Thing:
    """`taskkill`: one program is one's own, every one is the session."""
    arguments = invocation.arguments
    names = [value.text.lower().removesuffix(".exe") for value in (*arguments.values("/im"), *arguments.values("/pid"))]
    from phocinae_cli.analysis.windows.machine import VITAL_PROCESSES

    if (
        "*" in names
        or (not names and arguments.has("/fi"))
        or (invocation.name == "tskill" and "*" in [v.text for v in arguments.operands])
    ):
        invocation.effect("kill-all", "every process", "process.kill-all", "the session ends with unsaved work")
    elif any(name in VITAL_PROCESSES for name in names):
        invocation.effect("power", " ".join(names), "process.kill-vital", "Windows stops without it")
    elif any(name in ("msmpeng", "mssense", "nissrv", "securityhealthservice") for name in names):
        invocation.effect(
            "security-off", " ".join(names), "process.kill-guard", "nobody watches the machine without it"
        )
    else:
        invocation.effect("kill", " ".join(names) or "a process", "process.kill", "unsaved work in it is lost")
    return NONE


def rundll(invocation: WindowsInvocation) -> Thing:
    """`rundll32 LIBRARY,FUNCTION arguments`."""
    joined = " ".join(original(value).text for value in invocation.words).lower()
    joined = joined.replace(".dll ", ".dll,").replace(".dll, ", ".dll,")
    if "comsvcs" in joined and ("minidump" in joined or "#24" in joined or "#-4294967272" in joined or "#+" in joined):
        invocation.effect("expose", "the memory of a process", "rundll32.minidump", "passwords lie in it")
    elif joined.startswith("\\\\") or any(
        scheme in joined for scheme in ("javascript:", "vbscript:", "http:", "https:")
    ):
        runs.unseen(invocation, Stream(None, frozenset(("network",))), "a script from the network")
    elif (
        any(
            part in joined
            for part in (
                "user32.dll,lockworkstation",
                "shell32.dll,control_rundll",
                "printui.dll,printuientry",
                "inetcpl.cpl",
                "sysdm.cpl",
                "keymgr.dll,krshowkeymgr",
            )
        )
        and "http" not in joined
    ):
        invocation.action.notes.append("opens a dialog")
    elif "keymgr.dll" in joined:
        invocation.effect("expose", "stored passwords", "rundll32.keymgr", "passwords lie in it")
    else:
        code.unread(invocation, f"the library {joined[:60]}")
    return NONE


HANDLERS: dict[str, Handler] = {
    "cmd-shell": shell, "cmd-start": start, "cmd-run-as": run_as, "cmd-winrs": remote_shell,
    "cmd-for-files": for_files, "cmd-dir": listing,
    "cmd-cd": change_directory, "cmd-type": typed, "cmd-copy": provider.copy, "cmd-icacls": icacls,
    "cmd-download": download, "cmd-diskpart": diskpart, "cmd-wmic": wmic, "cmd-task-kill": task_kill,
    "cmd-rundll": rundll, "cmd-reg": reg, "cmd-sc": service_control, "cmd-net": net, "cmd-tasks": schtasks,
}  # fmt: skip
