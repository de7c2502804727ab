"""The auto-allow list: plain commands that only read, or build and test with the project's own scripts."""

from __future__ import annotations

from phocinae_cli.core.settings import AUTO_ALLOW_EXACT, AUTO_ALLOW_PREFIXES
from phocinae_cli.gate.rules import is_quiet, plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Analysis
    from phocinae_cli.core.settings import Settings

SPECIAL = "|&;<>()$`\\\"'*?[]{}~#!\n\r\t"
"""What makes an entry more than plain words: operators, quotes, substitutions and patterns."""

NAMES_ANOTHER = frozenset(
    (
        # run what their arguments say
        "ansible", "awk", "bash", "builtin", "busybox", "bwrap", "chroot", "chrt", "cmd", "command", "coproc", "csh",
        "dash", "dbus-run-session", "deno", "docker", "doas", "ed", "emacs", "entr", "env", "eval", "ex", "exec",
        "expect", "fakeroot", "fd", "fdfind", "find", "fish", "flock", "gawk", "gdb", "ionice", "ksh", "kubectl",
        "lua", "mawk", "mksh", "nawk", "nice", "node", "nohup", "nsenter", "nvim", "osascript", "parallel", "perl",
        "php", "pkexec", "podman", "powershell", "proxychains", "pwsh", "python", "python2", "python3", "rg", "rsync",
        "ruby", "run0", "run-parts", "runuser", "scp", "script", "sed", "setarch", "setpriv", "setsid", "sh", "socat",
        "ssh", "start-stop-daemon", "stdbuf", "strace", "su", "sudo", "systemd-run", "taskset", "tclsh", "time",
        "timeout", "tmux", "screen", "unbuffer", "unshare", "vi", "view", "vim", "watch", "xargs", "zsh",
        # package runners: the argument is the program
        "bunx", "npx", "pipx", "pnpx", "uvx", "yarnx",
        # read another file as commands
        ".", "source", "trap", "at", "batch", "crontab", "ssh-agent",
    )
)  # fmt: skip
"""Programs whose own arguments can name a second command, or delete what they matched: no prefix for them."""

RUNNERS_OF_THE_PROJECT = (("python", "-m", "pytest"), ("python3", "-m", "pytest"), ("python", "-m", "unittest"))
"""Prefixes that pin what such a program runs, so that the arguments behind name no second command."""

UNKNOWN = "unknown"
"""The effect of what nobody described: the user vouches for it by an entry, the built-in lists do not."""


def refusal(entry: str, exact: bool) -> str:
    """Return why an entry can't be on the list, or an empty text; `exact` for a whole command, else a prefix."""
    words = entry.split()
    if not words:
        return "an empty entry would match everything"
    odd = [char for char in SPECIAL if char in entry]
    if odd:
        return f"an entry is plain words, and {odd[0]!r} is more than that"
    if "/" in words[0]:
        return "an entry names a program without its path"
    if "=" in words[0]:
        return "an entry starts with the program, not with a variable"
    if not exact and _names_another(words):
        return f"the arguments of {words[0]!r} can name a second command, so it can't be a prefix"
    return ""


def _names_another(words: list[str]) -> bool:
    if any(tuple(words[: len(runner)]) == runner for runner in RUNNERS_OF_THE_PROJECT):
        return False
    name = words[0]
    return name in NAMES_ANOTHER or name.rstrip("0123456789.") in NAMES_ANOTHER


def on_the_list(settings: Settings, analysis: Analysis) -> str:
    """Return the entry that covers the line, or an empty text.

    Only a plain line is covered, by what really runs (an alias counts as what it stands for), with every word
    known and no effect beyond reading known to the engine. Entries that are not legal are passed over.
    """
    if not analysis.plain or analysis.fault or analysis.unfinished:
        return ""
    typed = [action for action in analysis.actions if not action.place]
    if len(typed) != 1:
        return ""
    action = typed[0]
    exact = _by_program(settings.gate_auto_allow_exact).get(action.program, ())
    prefixes = _by_program(settings.gate_auto_allow).get(action.program, ())
    if not exact and not prefixes:
        return ""
    if action.via or action.remote or not action.argv or not all(action.known) or not plain_name(action, ""):
        return ""
    beyond = [effect.kind for effect in analysis.effects if not is_quiet(effect)]
    if beyond and any(kind != UNKNOWN for kind in beyond):
        return ""
    words = (action.program, *action.argv[1:])
    for entry, pinned in exact:
        if words == pinned and not (beyond and entry in AUTO_ALLOW_EXACT) and not refusal(entry, exact=True):
            return entry
    for entry, pinned in prefixes:
        fits = words[: len(pinned)] == pinned
        if fits and not (beyond and entry in AUTO_ALLOW_PREFIXES) and not refusal(entry, exact=False):
            return entry
    return ""


_INDEXES: dict[tuple[str, ...], dict[str, list[tuple[str, tuple[str, ...]]]]] = {}
"""Lists taken apart, since a resident process looks into the same few with every line."""


def _by_program(entries: tuple[str, ...]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Return the entries with their words, by the program that they start with."""
    index = _INDEXES.get(entries)
    if index is None:
        index = {}
        for entry in entries:
            words = tuple(entry.split())
            index.setdefault(words[0] if words else "", []).append((entry, words))
        if len(_INDEXES) > 8:
            _INDEXES.clear()
        _INDEXES[entries] = index
    return index


def covered_by(entry: str, prefixes: tuple[str, ...], exact: tuple[str, ...], whole: bool) -> bool:
    """Return whether everything that an entry allows is allowed by the other entries already."""
    words = entry.split()
    if any(words[: len(prefix.split())] == prefix.split() for prefix in prefixes):
        return True
    return whole and any(words == other.split() for other in exact)
