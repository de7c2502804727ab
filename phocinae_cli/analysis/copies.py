"""Programs that copy: scp and rsync between machines, cp and its kin on this one, and chmod for modes."""

from __future__ import annotations

from phocinae_cli.analysis import infer, runs, sending
from phocinae_cli.analysis.empties import is_empty
from phocinae_cli.analysis.hosts import all_local, host_of
from phocinae_cli.analysis.moves import judge_moved
from phocinae_cli.analysis.paths import reads_as_secret
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.core.effects import Target

# --- copies to and from other machines -------------------------------------------------------------------------

DELETING = ("--delete", "--delete-after", "--delete-before", "--delete-excluded", "--delete-during", "--del")
EMPTIES = "it deletes everything there, since the source holds nothing"


def copy(invocation: Invocation) -> Stream | None:
    """`scp`, `rsync`: who is the other machine decides whether something is sent, fetched or copied."""
    arguments = invocation.arguments
    operands = arguments.operands
    if invocation.name == "rsync" and arguments.has("-n", "--dry-run", "--list-only"):
        return Stream(None, NOTHING, "a list of changes")
    for shell in arguments.values("-e", "--rsh", "-S", "--rsync-path"):
        if (
            shell.exact is None
            or not shell.exact.split()[:1]
            or shell.exact.split()[0] not in ("ssh", "rsync", "/usr/bin/ssh", "sudo")
        ):
            runs.code_of_value(invocation, "sh", shell, False, ())
    if len(operands) < 2:
        return Stream(None, NOTHING, "a list of files")
    target, sources = operands[-1], operands[:-1]
    program = invocation.name
    if is_remote(target):
        taint, text = NOTHING, " ".join(value.text for value in sources)
        for value in sources:
            taint |= value.taint if is_remote(value) else value.taint | _tree_taint(invocation, value)
        place = sending.data_place(taint, False)
        place = "local" if all_local([target]) and host_of(target.text) else place
        invocation.effect(
            "send", f"{text} to {target.text}", f"{program}.send", "it goes to another machine", place=place
        )
        if arguments.has(*DELETING):
            lost = _all_lost(invocation, sources)
            invocation.effect(
                "cloud-destroy" if lost else "cloud-change", target.text, f"{program}.delete",
                lost or "it deletes there what is missing here", instead="`--dry-run` lists it first",
            )  # fmt: skip
        _takes_sources(invocation, sources)
        return EMPTY
    for value in sources:
        _copied(invocation, value, target)
    invocation.path_effect("create", target, code=f"{program}.write", why="it writes what it copies there")
    if arguments.has(*DELETING):
        invocation.path_effect(
            "delete", target, True, code=f"{program}.delete", why="it deletes there whatever the source lacks",
            instead="`--dry-run` lists it first",
        )  # fmt: skip
    _takes_sources(invocation, sources)
    return EMPTY


def _takes_sources(invocation: Invocation, sources: list[Value]) -> None:
    """Record that the files are gone from where they were once they are copied."""
    if invocation.arguments.has("--remove-source-files", "--remove-sent-files"):
        for value in sources:
            if not is_remote(value):
                why = "it removes what it copied"
                invocation.path_effect("move", value, True, code=f"{invocation.name}.remove-source", why=why)


def _all_lost(invocation: Invocation, sources: list[Value]) -> str:
    """Return why a sync that deletes leaves nothing of what was on the other side, or nothing."""
    if all(is_empty(invocation, value) for value in sources):
        return EMPTIES
    targets = invocation.evaluator.collector.targets
    if any(target.place == "root" for value in sources for target in targets(value, invocation.scope)):
        return "the whole system may take the place of what is there"
    return ""


WEB_ROOTS = ("/var/www", "/srv/www", "/srv/http", "/usr/share/nginx", "/usr/local/www")


def is_remote(value: Value) -> bool:
    """Return whether a word names a place on another machine (`host:path`, `rsync://`)."""
    text = value.text
    if "://" in text:
        return not text.startswith("file://")
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head and len(head) > 1


def _tree_taint(invocation: Invocation, value: Value) -> frozenset[str]:
    """What a copied directory carries: a directory that holds secrets is one."""
    taint = invocation.evaluator.collector.content(value, invocation.scope).taint
    path = invocation.scope.resolve(value.text) if value.known else None
    if path is not None and (path + "/").startswith(
        (invocation.scope.home + "/.ssh/", invocation.scope.home + "/.gnupg/")
    ):
        taint |= {"secret"}
    return taint


def _copied(invocation: Invocation, source: Value, target: Value) -> None:
    path = invocation.scope.resolve(target.text) if target.known else None
    if path is None:
        return
    if is_remote(source):
        local = all_local([source])
        stream = Stream(None, NOTHING if local else frozenset(("network",)), f"what {source.text} holds")
    else:
        stream = invocation.evaluator.collector.content(source, invocation.scope)
        origin = invocation.scope.resolve(source.text) if source.known else None
        if origin is not None and invocation.scope.where.place(origin) == "temp" and stream.text is None:
            stream = Stream(None, stream.taint | {"temp"}, stream.why, stream.path)
    invocation.scope.files[path] = stream
    if "secret" in stream.taint and path.startswith(WEB_ROOTS):
        invocation.effect("expose", source.text, "secret.published", "a web server gives it to everybody")
    name = source.text.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    inside = path.rstrip("/") + "/" + name
    invocation.scope.files[inside] = stream
    place = invocation.scope.where.place(path)
    inner = path if place in ("rc", "startup") and not target.text.endswith("/") else inside
    invocation.evaluator.collector.planted(inner, stream, invocation.scope, invocation.action)


def copy_files(invocation: Invocation) -> Stream | None:
    """`cp`, `mv`, `install`, `ln`: the rows say what happens; what a file holds goes with it."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    operands = invocation.arguments.operands
    target = invocation.arguments.value("-t", "--target-directory")
    if target is None and len(operands) > 1:
        target, operands = operands[-1], operands[:-1]
    if target is not None:
        for value in operands:
            _copied(invocation, value, target)
        if invocation.name == "mv":
            judge_moved(invocation, operands, target)
    return Stream(None, NOTHING, out.why)


# --- chmod -----------------------------------------------------------------------------------------------------


def chmod(invocation: Invocation) -> Stream | None:
    """`chmod`: a mode that lets everybody write, or run as the owner, matters more than any other."""
    recursive, mode, files = False, None, []
    for word in invocation.words:
        text = word.text
        if text in ("--recursive", "-R") or (
            text[:1] == "-" and "R" in text and all(char in "RvcfhHLP" for char in text[1:])
        ):
            recursive = True
        elif text.startswith("--") or (
            len(text) > 1 and text[0] == "-" and all(char in "vcfhHLP" for char in text[1:])
        ):
            continue
        elif mode is None and not invocation.arguments.has("--reference"):
            mode = text
        else:
            files.append(word)
    kind = _mode_kind(mode or "")
    why = {
        "setuid": "whoever starts it has its owner's rights", "open-to-all": "anybody may change it",
        "readable": "anybody may read it",
    }.get(kind, "changes who may read, write or start it")  # fmt: skip
    for value in files:
        chosen = kind
        if kind == "readable":
            private = any(
                _is_private(target, recursive)
                for target in invocation.evaluator.collector.targets(value, invocation.scope)
            )
            chosen = "open-to-all" if private else "permissions"
        easy = "easy" if chosen == "permissions" and not recursive else ""
        if chosen == "permissions" and mode in TAKEN_AWAY and _is_program(invocation, value):
            invocation.effect("remove-essential", value.text, "chmod.unusable", "nobody can start the program any more")
        invocation.path_effect(chosen, value, recursive, code=f"chmod.{chosen}", why=why, undo=easy)
    return EMPTY


def _is_private(target: Target, recursive: bool) -> bool:
    """Return whether nobody else may read what lies there: secrets, and all of a home with them."""
    if target.place == "access":
        return reads_as_secret(target.path or "")
    return target.place in ("secret", "project-secret") or (recursive and target.place in ("home", "home-other"))


TAKEN_AWAY = ("000", "0", "0000", "-x", "a-x", "a-rwx", "-rwx", "a-rx", "ugo-x", "ugo-rwx", "u-s", "-s", "=", "a=")


def _is_program(invocation: Invocation, value: Value) -> bool:
    """Return whether a word names a program of the system itself, such as `/usr/bin/sudo`."""
    path = invocation.scope.resolve(value.text) if value.known else None
    return path is not None and path.startswith(("/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/lib/", "/usr/lib/"))


def _mode_kind(mode: str) -> str:
    if mode.isdigit():
        digits = mode.zfill(4)[-4:]
        if int(digits[0]) & 4:
            return "setuid"
        other = int(digits[3]) if digits[3] in "01234567" else 0
        return "open-to-all" if other & 2 and not int(digits[0]) & 1 else "readable" if other & 4 else "permissions"
    for clause in mode.split(","):
        for sign in "+=":
            who, found, what = clause.partition(sign)
            if not found:
                continue
            if "s" in what and (not who or "u" in who or "a" in who):
                return "setuid"
            if ("w" in what) and ("o" in who or "a" in who):
                return "open-to-all"
            if "r" in what and ("o" in who or "a" in who):
                return "readable"
    return "permissions"


def archive(invocation: Invocation) -> Stream | None:
    """`tar`: what goes into an archive is named relative to the directory of `-C`."""
    folder = invocation.arguments.value("-C", "--directory")
    if folder is not None:
        invocation.reads_in = invocation.scope.copy()
        invocation.reads_in.cwd = invocation.scope.resolve(folder.text) if folder.known else None
    return None


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {
    "copy": copy,
    "cp": copy_files,
    "chmod": chmod,
    "tar": archive,
}
