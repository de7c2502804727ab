"""Where configuration, state and cache live: the XDG rules, the same on every system."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "phocinae"


def home_dir(env: Mapping[str, str]) -> str | None:
    """Return the user's home: HOME when it is absolute, else the password entry's, else None."""
    home = env.get("HOME", "")
    if home.startswith("/"):
        return home
    import pwd  # builtin, but of use only here

    try:
        home = pwd.getpwuid(os.getuid()).pw_dir
    except (KeyError, OSError):  # a container may run under a number that has no entry
        return None
    return home if home.startswith("/") else None


def config_dir(env: Mapping[str, str]) -> str | None:
    """Return the directory of the user's configuration, which need not exist; None without any home."""
    return _place(env, "XDG_CONFIG_HOME", ".config")


def state_dir(env: Mapping[str, str]) -> str | None:
    """Return the directory of the audit log and the approvals, which need not exist; None without any home."""
    return _place(env, "XDG_STATE_HOME", ".local/state")


def cache_dir(env: Mapping[str, str]) -> str | None:
    """Return the directory of what can be made again, which need not exist; None without any home."""
    return _place(env, "XDG_CACHE_HOME", ".cache")


def audit_file(env: Mapping[str, str]) -> str | None:
    """Return the path of the audit log, or None without any home."""
    return _inside(state_dir(env), "audit.jsonl")


def approvals_file(env: Mapping[str, str]) -> str | None:
    """Return the path of the approvals, or None without any home."""
    return _inside(state_dir(env), "approvals.jsonl")


def _place(env: Mapping[str, str], variable: str, below_home: str) -> str | None:
    # The specification says that an empty value counts as unset and a relative one is invalid.
    base = env.get(variable, "")
    if base.startswith("/"):
        return _inside(base, NAME)
    return _inside(home_dir(env), f"{below_home}/{NAME}")


def _inside(base: str | None, name: str) -> str | None:
    return None if base is None else f"{base.rstrip('/')}/{name}"
