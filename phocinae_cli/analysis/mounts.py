"""What a container sees of this machine: `-v ~/.ssh:/s` makes `/s/id_rsa` in there a file of one's own out here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.arguments import Arguments
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.analysis.values import Value

Mount = tuple[str, str]
VOLUMES = "/var/lib/docker/volumes"
"""Where a named volume lies: what a service keeps there is in no image."""
SOURCES = ("source", "src")
TARGETS = ("target", "dst", "destination")


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
