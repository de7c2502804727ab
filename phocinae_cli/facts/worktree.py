"""The git work tree around a directory, found as git finds it but without running git."""

from __future__ import annotations

import os
import stat

from phocinae_cli.facts import read_small

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.facts.index import Index


class WorkTree:
    """A work tree by its real root, and the directory with its index and HEAD.

    `root` is None in a bare repository, or inside of a `.git` directory: there, nothing is checked out.
    """

    __slots__ = ("_index", "git_dir", "root")

    def __init__(self, root: str | None, git_dir: str) -> None:
        self.root = root
        self.git_dir = git_dir
        self._index: Index | None = None

    def branch(self) -> str | None:
        """Return the name of the branch that is checked out; None for a detached HEAD or an unreadable one."""
        head, _ = read_small(self.git_dir + "/HEAD", 4096)
        if head is None or not head.startswith(b"ref: refs/heads/"):
            return None
        name = head[16:].decode("utf-8", "surrogateescape").rstrip("\n")
        return name if name != ".invalid" else None  # what the reftable format keeps in this file

    def state(self, path: str, found: os.stat_result, deadline: float) -> str:
        """Return the `git` word of `PathFact` for what was found at a path whose parents are real."""
        from phocinae_cli.facts import ignore, index

        if self.root is None or not path.startswith(self.root.rstrip("/") + "/"):
            return ""
        name = path[len(self.root.rstrip("/")) + 1 :]
        if name == ".git" or name.startswith(".git/"):
            return ""
        is_directory = stat.S_ISDIR(found.st_mode)
        if not is_directory:
            if self._index is None:
                self._index = index.read(self.git_dir)
            word = self._index.state(path, name, found, deadline)
            if word != "untracked":
                return word
        if ignore.is_ignored(self.root, self.git_dir, name, is_directory):
            return "ignored"
        return "" if is_directory else "untracked"  # a directory may hold anything


def find(directory: str) -> WorkTree | None:
    """Return the work tree (or bare repository) that git would find from a directory, or None.

    Like git, the search goes up and ends where another file system begins.
    """
    try:
        here = os.path.realpath(directory)
        device = None
        while True:
            try:
                on = os.stat(here).st_dev
                if device is not None and on != device:
                    return None
                device = on
            except (FileNotFoundError, NotADirectoryError):
                pass  # a directory that is yet to be made
            tree = _at(here)
            if tree is not None or here == "/":
                return tree
            here = os.path.dirname(here)
    except (OSError, ValueError, RecursionError):
        return None


def lexical_root(directory: str, root: str) -> str:
    """Return the root as it is reached by the spelling of the directory, links and all; else the real one."""
    below = os.path.realpath(directory)[len(root) :]
    spelled = directory[: len(directory) - len(below)] if below and directory.endswith(below) else directory
    return spelled if spelled and os.path.realpath(spelled) == root else root


def _at(folder: str) -> WorkTree | None:
    dot_git = folder.rstrip("/") + "/.git"
    try:
        mode = os.stat(dot_git).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return WorkTree(None, folder) if _is_git_dir(folder) else None
    if stat.S_ISDIR(mode):
        return WorkTree(folder, dot_git) if _is_git_dir(dot_git) else None
    data, _ = read_small(dot_git, 8192)
    if data is None or not data.startswith(b"gitdir: "):
        return None
    git_dir = os.path.join(folder, os.fsdecode(data[8:]).rstrip("\n"))
    return WorkTree(folder, git_dir) if os.path.exists(git_dir + "/HEAD") else None


def _is_git_dir(folder: str) -> bool:
    return all(os.path.exists(f"{folder}/{name}") for name in ("HEAD", "objects", "refs"))
