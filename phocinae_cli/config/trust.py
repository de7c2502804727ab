"""Projects' files that the user has taken as they are: by path and content, so that an edit revokes it."""

from __future__ import annotations

import os
import stat

from phocinae_cli.state.places import state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TRUST_FILE = "trusted"


def trust_file(env: Mapping[str, str]) -> str | None:
    """Return the path of the list of trusted files, which need not exist; None without any home."""
    folder = state_dir(env)
    return None if folder is None else f"{folder}/{TRUST_FILE}"


def is_trusted(env: Mapping[str, str], path: str, content: bytes) -> bool:
    """Return whether exactly this content was trusted at this place."""
    listing = trust_file(env)
    return listing is not None and _entry(path, content) in _read(listing)


def trust(env: Mapping[str, str], path: str, content: bytes) -> str:
    """Write down that this content is trusted at this place, in place of an earlier one; returns the list's path.

    Raises OSError when it can't be written, also without any home: a trust that is not kept must not look kept.
    """
    listing = trust_file(env)
    if listing is None:
        raise OSError("there is no home directory to keep it in")
    _write(listing, [*_others(listing, path), _entry(path, content)])
    return listing


def distrust(env: Mapping[str, str], path: str) -> bool:
    """Take a file off the list; returns whether it was on it. Raises OSError when the list can't be written."""
    listing = trust_file(env)
    if listing is None:
        return False
    entries = _read(listing)
    others = _others(listing, path)
    if len(others) == len(entries):
        return False
    _write(listing, others)
    return True


def _others(listing: str, path: str) -> list[str]:
    ending = " " + _named(path)
    return [entry for entry in _read(listing) if not entry.endswith(ending) or len(entry) != 64 + len(ending)]


def _entry(path: str, content: bytes) -> str:
    from hashlib import sha256  # only where a project's file wants more than to tighten

    return f"{sha256(content).hexdigest()} {_named(path)}"


def _named(path: str) -> str:
    # A line for each file, so a newline in a name is written out.
    return os.path.realpath(path).replace("\\", "\\\\").replace("\n", "\\n")


def _read(listing: str) -> list[str]:
    """Return the entries; a list that is not the user's own, or that others may write, trusts nothing."""
    try:
        with open(listing, encoding="utf-8", errors="surrogateescape") as file:
            about = os.fstat(file.fileno())
            if about.st_uid != os.getuid() or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return []
            return file.read().splitlines()
    except OSError:
        return []


def _write(listing: str, entries: list[str]) -> None:
    os.makedirs(os.path.dirname(listing), 0o700, exist_ok=True)
    draft = f"{listing}.{os.getpid()}"
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with open(number, "w", encoding="utf-8", errors="surrogateescape") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("".join(f"{entry}\n" for entry in entries))
        os.replace(draft, listing)
    except OSError:
        os.unlink(draft)
        raise
