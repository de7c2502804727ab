"""Whether a file is what git's index says it is, read from the index itself: one file, no process, no hooks."""

from __future__ import annotations

import os
import stat
from time import monotonic

from phocinae_cli.facts import read_small

INDEX_BYTES = 8_000_000
"""The largest index that is read: some fifty thousand files."""
CONTENT_BYTES = 1_000_000
"""The largest file whose content is compared when its dates say nothing."""


class Index:
    """The entries of an index file; without data, nothing is known about any file."""

    __slots__ = ("_data", "_hash_bytes", "_shared", "_written_ns")

    def __init__(self, data: bytes, hash_bytes: int, written_ns: int, shared: bool) -> None:
        self._data = data
        self._hash_bytes = hash_bytes
        self._written_ns = written_ns
        self._shared = shared

    def state(self, path: str, name: str, found: os.stat_result, deadline: float) -> str:
        """Return `tracked`, `modified` or `untracked` for a file, or nothing when it can't be told.

        `name` is the path from the root of the work tree. `tracked` is said only of what is surely unchanged.
        """
        wanted = os.fsencode(name)
        if not self._data or len(wanted) > 4000:
            return ""
        try:
            entry = self._walked(wanted, deadline) if _number(self._data, 4) == 4 else self._found(wanted)
        except (TimeoutError, IndexError, ValueError):  # too long, or not what it says it is
            return ""
        if entry is None:
            return "" if self._shared else "untracked"
        return "tracked" if self._is_unchanged(entry, path, found) else "modified"

    def _found(self, name: bytes) -> int | None:
        """Return where the entry of a name starts, None when there is none."""
        data = self._data
        fixed = 42 + self._hash_bytes
        at = data.find(name + b"\0", 12 + fixed)
        while at >= 0:
            # The name may be the end of a longer one, so the length and the kind in front of it have to fit.
            for extended in (0, 2):
                entry = at - fixed - extended
                flags = _number(data, entry + fixed - 2, 2) if entry >= 12 else 0
                if (
                    (entry - 12) % 8 == 0
                    and flags & 0xFFF == min(len(name), 0xFFF)
                    and bool(flags & 0x4000) == bool(extended)
                    and _number(data, entry + 24) >> 12 in (0o10, 0o12, 0o16)
                ):
                    return entry
            at = data.find(name + b"\0", at + 1)
        return None

    def _walked(self, wanted: bytes, deadline: float) -> int | None:
        """Return where the entry starts in version 4, in which each name builds on the one before."""
        data = self._data
        fixed = 42 + self._hash_bytes
        entry = 12
        name = b""
        for count in range(_number(data, 8)):
            at = entry + fixed + (2 if _number(data, entry + fixed - 2, 2) & 0x4000 else 0)
            byte = data[at]
            cut = byte & 127
            while byte & 128:
                at += 1
                byte = data[at]
                cut = ((cut + 1) << 7) | (byte & 127)
            end = data.index(b"\0", at + 1)
            name = name[: len(name) - cut] + data[at + 1 : end]
            if name == wanted:
                return entry
            if name > wanted:
                return None
            entry = end + 1
            if count % 1000 == 999 and monotonic() > deadline:
                raise TimeoutError
        return None

    def _is_unchanged(self, entry: int, path: str, found: os.stat_result) -> bool:
        data = self._data
        flags_at = entry + 40 + self._hash_bytes
        flags = _number(data, flags_at, 2)
        promised = bool(flags & 0x4000) and bool(
            _number(data, flags_at + 2, 2) & 0x2000
        )  # `git add -N`: no content yet
        mode = _number(data, entry + 24)
        if flags & 0x3000 or promised or stat.S_IFMT(mode) != stat.S_IFMT(found.st_mode):
            return False
        if stat.S_ISREG(mode) and bool(mode & 0o100) != bool(found.st_mode & 0o100):
            return False
        size = _number(data, entry + 36)
        if size and size != found.st_size & 0xFFFFFFFF:  # git writes 0 for "compare the content"
            return False
        modified_ns = _number(data, entry + 8) * 10**9 + _number(data, entry + 12)
        same = (
            size == found.st_size & 0xFFFFFFFF
            and modified_ns == found.st_mtime_ns
            and _number(data, entry) * 10**9 + _number(data, entry + 4) == found.st_ctime_ns
            and _number(data, entry + 20) == found.st_ino & 0xFFFFFFFF
        )
        # A file changed in the very moment in which the index was written keeps its date.
        if same and modified_ns < self._written_ns:
            return True
        return _content_id(path, found, self._hash_bytes) == data[entry + 40 : flags_at]


def read(git_dir: str) -> Index:
    """Return the index of a git directory; one that says nothing when it is missing, too large or not understood."""
    path = git_dir + "/index"
    try:
        written_ns = os.stat(path).st_mtime_ns
        shared = any(name.startswith("sharedindex.") for name in os.listdir(git_dir))
    except (OSError, ValueError):
        return _NOTHING
    data, _ = read_small(path, INDEX_BYTES)
    if data is None or data[:4] != b"DIRC" or _number(data, 4) not in (2, 3, 4):
        return _NOTHING
    return Index(data, 32 if _uses_sha256(git_dir) else 20, written_ns, shared)


def _uses_sha256(git_dir: str) -> bool:
    common, _ = read_small(git_dir + "/commondir", 8192)
    if common is not None:
        git_dir = os.path.join(git_dir, os.fsdecode(common).rstrip("\n"))
    config, _ = read_small(git_dir + "/config", 64_000)
    return config is not None and b"objectformat" in config.lower() and b"sha256" in config.lower()


def _content_id(path: str, found: os.stat_result, hash_bytes: int) -> bytes | None:
    """Return the name that git would give to the content, filters aside; None when it is too much to read."""
    if stat.S_ISLNK(found.st_mode):
        try:
            content: bytes | None = os.fsencode(os.readlink(path))
        except OSError:
            return None
    else:
        content, _ = read_small(path, CONTENT_BYTES)
    if content is None:
        return None
    from hashlib import sha1, sha256  # only where the dates say nothing

    make = sha1 if hash_bytes == 20 else sha256
    return make(b"blob %d\0" % len(content) + content, usedforsecurity=False).digest()


def _number(data: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(data[at : at + size], "big")


_NOTHING = Index(b"", 20, 0, False)
