"""Where programs lie: whether a path names an installed program or a file of somebody's own."""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise
from phocinae_cli.analysis.values import Value, known
from phocinae_cli.kb.lists import VENDORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.scope import Scope

PROGRAM_DIRS = (
    "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/snap/bin",
    "/usr/games", "/system/bin", "/usr/libexec",
)  # fmt: skip
LOCAL_PROGRAM_DIRS = (
    "/node_modules/.bin", "/.venv/bin", "/venv/bin", "/env/bin", "/.local/bin", "/.cargo/bin", "/vendor/bin", "/go/bin",
    "/.bun/bin", "/.deno/bin", "/.pyenv/shims", "/.rbenv/shims", "/.asdf/shims", "/.volta/bin", "/.krew/bin",
    "/.dotnet/tools", "/.nix-profile/bin", "/.local/share/mise/shims", "/miniconda3/bin", "/anaconda3/bin",
    "/miniforge3/bin", "/google-cloud-sdk/bin",
)  # fmt: skip
SYSTEM_DIRS = (
    "/usr/", "/opt/", "/System/", "/Library/", "/Applications/", "/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/",
    "/nix/store/", "/gnu/store/", "/run/current-system/", "/snap/", "/var/ossec/", "/var/lib/flatpak/",
    "/etc/alternatives/", "/home/linuxbrew/.linuxbrew/",
)  # fmt: skip
"""Below them lies what packages and installers brought."""
SOURCE_DIRS = ("/usr/src/", "/usr/local/src/")
SCRIPT_ENDINGS = (".sh", ".py", ".pl", ".rb", ".js", ".php", ".bash", ".zsh", ".command")
INIT_DIRS = ("/etc/init.d/", "/etc/rc.d/init.d/", "/etc/rc.d/", "/usr/local/etc/rc.d/", "/usr/local/etc/init.d/")


def is_own_script(name: str, scope: Scope) -> bool:
    """Return whether a path to a program whose name is described names a file of somebody's own all the same."""
    path = normalise(name, scope.cwd)
    if path is None:
        return True
    folder = path.rpartition("/")[0]
    if folder in PROGRAM_DIRS or not name.startswith(("./", "../", "/", "~")):
        return False
    if folder.endswith(LOCAL_PROGRAM_DIRS):
        return False
    return not path.startswith(SYSTEM_DIRS) or path.startswith(SOURCE_DIRS) or _put_there(path, scope)


def is_installed(path: str) -> bool:
    """Return whether an absolute path is that of a program which a package or an installer brought."""
    return path.startswith(SYSTEM_DIRS) and not path.startswith(SOURCE_DIRS) and not path.endswith(SCRIPT_ENDINGS)


def _put_there(path: str, scope: Scope) -> bool:
    """Return whether the line itself wrote the file, or the folder that it lies in."""
    while path:
        if path in scope.files:
            return True
        path = path.rpartition("/")[0]
    return False


def removes_guard(path: str) -> bool:
    """Return whether a program nobody described is the one by which a guard of the machine takes itself away."""
    low = path.lower()
    name = low.rpartition("/")[2]
    return (
        low.startswith(tuple(folder.lower() for folder in SYSTEM_DIRS))
        and any(word in name for word in ("uninstall", "remove", "unload", "disable"))
        and any(vendor in low for vendor in VENDORS)
    )


def by_init_script(name: str, argv: tuple[Value, ...], scope: Scope) -> tuple[Value, ...] | None:
    """Return the argv of `service` that calling a service's own script amounts to, or None for any other program."""
    path = normalise(name, scope.cwd)
    if path is None or path in scope.files:
        return None
    folder = next((place for place in INIT_DIRS if path.startswith(place)), None)
    if folder is None or "/" in path[len(folder) :] or len(argv) < 2:
        return None
    return (known("service"), known(path[len(folder) :].removesuffix(".sh").removeprefix("rc.")), *argv[1:])
