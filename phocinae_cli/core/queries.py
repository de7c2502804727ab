"""Questions that only the machine can answer, and the answers: the analysis asks, `facts` looks, once each.

The analysis is pure: it reads the facts it is given and lists the queries it could not answer. The caller looks
them up and analyses again, until nothing new is asked (a few rounds at most).
"""

from __future__ import annotations

Query = tuple[str, str]
"""A kind and an argument.

`("path", "/abs/path")`    what is there (PathFact)
`("text", "/abs/path")`    the content of a small file that would be run (TextFact)
`("tree", "/abs/dir")`     the git work tree around a directory (TreeFact)
`("git-alias", "NAME")`    what a git alias stands for (TextFact)
"""


class PathFact:
    """What lies at a path.

    `kind` is `file`, `directory`, `link`, `device`, `other` or `missing`; `real` is the path with every link
    resolved (equal to the path when it is missing or can't be read); `git` is `tracked` (known to be unchanged
    against the index), `modified`, `untracked`, `ignored` or empty (outside a work tree, or not known);
    `size` in bytes; `executable` whether the owner may run it.
    """

    __slots__ = ("executable", "git", "kind", "real", "size")

    def __init__(self, kind: str, real: str, git: str = "", size: int = 0, executable: bool = False) -> None:
        self.kind = kind
        self.real = real
        self.git = git
        self.size = size
        self.executable = executable


class TextFact:
    """The text of a file, or None with the reason why it could not be read (`missing`, `too large` ...)."""

    __slots__ = ("text", "why")

    def __init__(self, text: str | None, why: str = "") -> None:
        self.text = text
        self.why = why


class TreeFact:
    """The git work tree around a directory: its root (None outside one), branch, and whether it is clean.

    `clean` is None when it could not be told in the time allowed: that counts as not clean. It is about tracked
    files; untracked ones are never looked for, since that would walk the tree.
    """

    __slots__ = ("branch", "clean", "root")

    def __init__(self, root: str | None, branch: str | None = None, clean: bool | None = None) -> None:
        self.root = root
        self.branch = branch
        self.clean = clean


class Facts:
    """Answers by query; asking for one that is not there gives None and means: not looked up, so be careful.

    `looked` says that the machine was asked at all: without facts a path is taken to exist.
    """

    __slots__ = ("looked", "paths", "texts", "trees")

    def __init__(self) -> None:
        self.paths: dict[str, PathFact] = {}
        self.trees: dict[str, TreeFact] = {}
        self.texts: dict[Query, TextFact] = {}
        self.looked = False

    def knows(self, query: Query) -> bool:
        """Return whether the query was answered, be it with `missing`."""
        kind, argument = query
        if kind == "path":
            return argument in self.paths
        if kind == "tree":
            return argument in self.trees
        return query in self.texts
