"""What only the machine knows: what lies at a path, what a small file holds, and the git tree around them.

Looking is bounded in time and size, reads and never runs what it looks at, follows no name into a device or pipe,
walks no tree and touches no network.
"""

from __future__ import annotations

import os
import stat
from time import monotonic

from phocinae_cli.core.queries import Facts, PathFact, TextFact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.queries import Query
    from phocinae_cli.facts.worktree import WorkTree

BUDGET_S = 0.5
"""How long one `observe` may look around; what comes later stays unanswered."""
TEXT_BYTES = 256_000
"""The largest file whose text is read."""


def observe(queries: tuple[Query, ...], facts: Facts, budget_s: float = BUDGET_S) -> None:
    """Put the answers to the queries into the facts, each looked up once.

    A query that the budget (in seconds) did not reach is left out, which means "be careful" to whoever asked. A
    `git-alias` query reads `NAME` or `NAME\\0DIRECTORY`.
    """
    facts.looked = True
    look = _Look(monotonic() + budget_s)
    for query in queries:
        if facts.knows(query) or monotonic() > look.deadline:
            continue
        kind, argument = query
        if kind == "path":
            facts.paths[argument] = look.path(argument)
        elif kind == "text":
            facts.texts[query] = text_fact(argument)
        elif kind == "tree":
            from phocinae_cli.facts.git import tree_fact

            facts.trees[argument] = tree_fact(argument, look.tree(argument), look.deadline)
        elif kind == "git-alias":
            from phocinae_cli.facts.git import alias_fact

            name, _, directory = argument.partition("\0")
            facts.texts[query] = alias_fact(name, directory, look.deadline)


def text_fact(path: str) -> TextFact:
    """Return the text of a small regular file, bytes that are no UTF-8 as surrogates; else the reason why not."""
    data, why = read_small(path, TEXT_BYTES)
    if data is None:
        return TextFact(None, why)
    if b"\0" in data:
        return TextFact(None, "binary")
    return TextFact(data.decode("utf-8", "surrogateescape"))


def read_small(path: str, limit: int) -> tuple[bytes | None, str]:
    """Return the content of a regular file of at most `limit` bytes; else None and the reason."""
    if not path.startswith("/"):
        return None, "not an absolute path"
    handle = -1
    try:
        # Opening a device can already do something (rewind a tape), so the kind is looked at before and after.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None, "not a regular file"
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None, "not a regular file"
        data = b""
        while len(data) <= limit:
            part = os.read(handle, limit + 1 - len(data))
            if not part:
                return data, ""
            data += part
        return None, "too large"
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a name that no file can have
        return None, "missing"
    except OSError as error:
        return None, error.strerror or "not readable"
    finally:
        if handle >= 0:
            os.close(handle)


class _Look:
    """One look around: what several queries share, and when it has to end."""

    __slots__ = ("deadline", "trees")

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.trees: dict[str, WorkTree | None] = {}

    def path(self, path: str) -> PathFact:
        """Return what lies at a path; `other` where it may exist but can't be looked at.

        The real path of something missing has the links of its parents resolved.
        """
        if not path.startswith("/"):
            return PathFact("other", path)
        try:
            found = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return PathFact("missing", _real(path))
        except ValueError:  # a NUL or a surrogate that stands for no byte: no file can have this name
            return PathFact("missing", path)
        except OSError:
            return PathFact("other", path)
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "other")
        git = self._git(path, found) if kind in ("file", "link", "directory") else ""
        return PathFact(kind, _real(path), git, found.st_size, bool(found.st_mode & stat.S_IXUSR))

    def tree(self, directory: str) -> WorkTree | None:
        """Return the work tree around a directory, or None."""
        if directory not in self.trees:
            from phocinae_cli.facts.worktree import find

            self.trees[directory] = find(directory)
        return self.trees[directory]

    def _git(self, path: str, found: os.stat_result) -> str:
        folder, _, name = path.rstrip("/").rpartition("/")
        tree = self.tree(folder or "/")
        if tree is None or tree.root is None or not name:
            return ""
        return tree.state(_real(folder or "/") + "/" + name, found, self.deadline)


_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "link",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError, RecursionError):  # links can be chained deeper than Python recurses
        return path
