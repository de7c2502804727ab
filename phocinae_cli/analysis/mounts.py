"""What lies where a line mounted it, and what a container sees of this machine.

After `mount --bind / /tmp/x` a file below `/tmp/x` is one of the system; `-v ~/.ssh:/s` makes `/s/id_rsa` in a
container a file of one's own out here.
"""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.paths import normalise
from phocinae_cli.analysis.values import EMPTY, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.arguments import Arguments
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.analysis.values import Value

Mount = tuple[str, str]
VOLUMES = "/var/lib/docker/volumes"
"""Where a named volume lies: what a service keeps there is in no image."""
SOURCES = ("source", "src")
TARGETS = ("target", "dst", "destination")
FOREIGN = "remote:"
"""Stands in front of what lies on another machine."""
BUCKETS = frozenset(("s3fs", "gcsfuse", "blobfuse", "blobfuse2", "goofys", "mount-s3", "rclone", "curlftpfs"))
"""Programs whose source is always somewhere else, however it is written."""
MADE_UP = frozenset(
    ("tmpfs", "ramfs", "proc", "sysfs", "devpts", "devtmpfs", "overlay", "cgroup", "cgroup2", "none", "hugetlbfs")
)
"""File systems that show no files of another place."""
TAGS = ("LABEL=", "UUID=", "PARTLABEL=", "PARTUUID=", "ID=")
"""How a disk is named that is mounted."""
VERBS = frozenset(("mount", "nfsmount", "cmount"))


def bind_mounts(arguments: Arguments, scope: Scope) -> tuple[Mount, ...]:
    """Return pairs of a directory in the container and the one on this machine that it shows."""
    found: list[Mount] = []
    for value in arguments.values("-v", "--volume"):
        source, inside = _of_volume(value)
        _add(found, source, inside, scope)
    for value in arguments.values("--mount"):
        keys = dict(item.partition("=")[::2] for item in value.text.split(",")) if value.known else {}
        source = next((keys[name] for name in SOURCES if name in keys), "")
        inside = next((keys[name] for name in TARGETS if name in keys), "")
        _add(found, source, inside, scope)
    found.sort(reverse=True)  # the longest path inside decides
    return tuple(found)


def _of_volume(value: Value) -> tuple[str, str]:
    source, _, rest = value.text.partition(":")
    return source, rest.partition(":")[0]


def _add(found: list[Mount], source: str, inside: str, scope: Scope) -> None:
    if not source or not inside.startswith("/"):
        return
    named = not source.startswith(("/", ".", "~", "<"))
    path = f"{VOLUMES}/{source}" if named else scope.resolve(source)
    if path is not None:
        found.append((inside.rstrip("/") or "/", path))


def work_directory(arguments: Arguments) -> str | None:
    """Return the directory that the container's command starts in, if it is given."""
    value = arguments.value("-w", "--workdir")
    return value.exact if value is not None else None


def on_host(path: str, mounts: tuple[Mount, ...]) -> str | None:
    """Return the path on this machine that a path in the container stands for, or None for one of its own."""
    for inside, source in mounts:
        if path == inside:
            return source
        if path.startswith(inside.rstrip("/") + "/"):
            return source.rstrip("/") + path[len(inside.rstrip("/")) :]
    return None


def behind_link(path: str, mounts: tuple[Mount, ...]) -> str | None:
    """Return what a link that was made on the line leads to, or None for a path that is none."""
    return next((source for inside, source in mounts if inside == path + "/"), None)


def mount(invocation: Invocation) -> Stream | None:
    """`mount`, `sshfs`, `rclone mount`: from now on the target shows what the source holds."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    arguments = invocation.arguments
    operands = list(arguments.operands)
    if invocation.name == "rclone" and (not operands or operands.pop(0).text not in VERBS):
        return out
    named = arguments.value("--source") or arguments.value("-L", "--label", "-U", "--uuid")
    source = named or (operands[-2] if len(operands) > 1 else None)
    target = arguments.value("--target") or (operands[-1] if operands else None)
    kind = arguments.value("-t", "--types")
    if source is None or target is None or source is target or (kind is not None and kind.text in MADE_UP):
        return out
    shown = _shown(invocation, source)
    path = invocation.scope.resolve(target.text) if target.known else None
    if shown is not None and path is not None:
        attach(invocation.scope, path, shown)
    return out


def _shown(invocation: Invocation, source: Value) -> str | None:
    """Return the path that a source shows from now on, or None for one that shows no files of anywhere else."""
    text = source.text
    host, colon, _ = text.partition(":")
    if invocation.name in BUCKETS or text.startswith("//") or (colon and "/" not in host):
        return FOREIGN + text
    if text in MADE_UP or not source.known:
        return None
    if text.startswith(TAGS) or ("/" not in text and invocation.arguments.has("-L", "--label", "-U", "--uuid")):
        return "/mnt/" + text.rpartition("=")[2]
    path = invocation.scope.resolve(text)
    if path is not None and invocation.scope.place(path) == "disk":
        return "/mnt/" + path.rpartition("/")[2]
    return path


def attach(scope: Scope, path: str, source: str) -> None:
    """Note that a directory shows another one from now on; with a slash at its end only what lies below it does."""
    if path != "/" and path != source:
        within = on_host(source, scope.mounts)
        scope.mounts = tuple(sorted(((path, within or source), *_without(scope, path)), reverse=True))


def _without(scope: Scope, path: str) -> tuple[Mount, ...]:
    return tuple(pair for pair in scope.mounts if pair[0].rstrip("/") != path.rstrip("/"))


def unmount(invocation: Invocation) -> Stream | None:
    """`umount`, `fusermount -u`: what was mounted there is out of reach again."""
    for value in invocation.arguments.operands:
        path = invocation.scope.resolve(value.text) if value.known else None
        if path is not None and invocation.scope.mounts:
            invocation.scope.mounts = _without(invocation.scope, path)
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    return EMPTY


def link(invocation: Invocation) -> Stream | None:
    """`ln -s`: what lies below the link lies below what it leads to; the link itself is a thing of its own."""
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    operands = invocation.arguments.operands
    if len(operands) == 2 and invocation.arguments.has("-s", "--symbolic") and all(value.known for value in operands):
        source, target = operands[0].text.rstrip("/") or "/", operands[1].text
        inside = target + source.rpartition("/")[2] if target.endswith("/") else target
        path = invocation.scope.resolve(inside)
        leads_to = normalise(source, path.rpartition("/")[0]) if path is not None else None
        if path is not None and leads_to is not None:
            attach(invocation.scope, path + "/", leads_to)
    return EMPTY


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"mount": mount, "umount": unmount, "ln": link}
