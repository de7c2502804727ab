"""Whether the work tree's own ignore files name a path. What they can't be understood on counts as not ignored."""

from __future__ import annotations

from phocinae_cli.facts import read_small

FILE_BYTES = 64_000
DEPTH = 20
"""How many directories down their ignore files are read."""


class _Pattern:
    """One line of an ignore file: `parts` are its globs by path component, `base` the components of its directory."""

    __slots__ = ("base", "is_negated", "only_directories", "parts")

    def __init__(self, base: int, line: str) -> None:
        self.base = base
        self.is_negated = line.startswith("!")
        line = line[1:] if self.is_negated else line
        self.only_directories = line.endswith("/")
        line = line.rstrip("/") if self.only_directories else line
        self.parts = line.lstrip("/").split("/")
        if "/" not in line:
            self.parts = ["**", line]

    def matches(self, components: list[str], is_directory: bool) -> bool:
        """Return whether the pattern names this path (and not merely a directory above it)."""
        if self.only_directories and not is_directory:
            return False
        return _path_matches(self.parts, components[self.base :])


def is_ignored(root: str, git_dir: str, name: str, is_directory: bool) -> bool:
    """Return whether a path (`name`, from the root) is surely ignored by the tree's own ignore files.

    The user's global list is not read. As in git, the last pattern that matches wins, deeper files win over
    higher ones, and what lies in an ignored directory is ignored.
    """
    components = name.split("/")
    if len(components) > DEPTH:
        return False
    patterns = _patterns(git_dir + "/info/exclude", 0)
    for depth in range(len(components)):
        folder = "/".join([root.rstrip("/"), *components[:depth]])
        more = _patterns(folder + "/.gitignore", depth)
        if patterns is None or more is None:
            return False
        patterns += more
        here = components[: depth + 1]
        inside = depth + 1 < len(components) or is_directory
        last = next((pattern for pattern in reversed(patterns) if pattern.matches(here, inside)), None)
        if last is not None and not last.is_negated:
            return True
    return False


def _patterns(path: str, base: int) -> list[_Pattern] | None:
    """Return the patterns of a file that may be missing; None when it takes something back in a way not understood."""
    data, why = read_small(path, FILE_BYTES)
    if data is None:
        return [] if why == "missing" else None
    found: list[_Pattern] = []
    for line in data.decode("utf-8", "surrogateescape").split("\n"):
        line = line.rstrip("\r").rstrip(" ")
        if not line or line.startswith("#"):
            continue
        if "\\" in line or "[" in line:
            if line.startswith("!"):
                return None
            continue
        found.append(_Pattern(base, line))
    return found


def _path_matches(parts: list[str], components: list[str]) -> bool:
    """Return whether the globs match the components one by one, `**` any number of them (at the end, at least one)."""
    at = place = 0
    star = -1
    kept = 0
    while place < len(components):
        if at < len(parts) and parts[at] == "**":
            star, kept = at, place
            at += 1
        elif at < len(parts) and _glob_matches(parts[at], components[place]):
            at += 1
            place += 1
        elif star >= 0:
            kept += 1
            at, place = star + 1, kept
        else:
            return False
        if at == len(parts) and parts[-1] == "**":
            return place < len(components)
    return at == len(parts)


def _glob_matches(glob: str, text: str) -> bool:
    """Return whether a glob of `*` and `?` matches the whole text; goes back to the last star only, so no blow-up."""
    at = place = 0
    star = -1
    kept = 0
    while place < len(text):
        if at < len(glob) and glob[at] == "*":
            star, kept = at, place
            at += 1
        elif at < len(glob) and glob[at] in ("?", text[place]):
            at += 1
            place += 1
        elif star >= 0:
            kept += 1
            at, place = star + 1, kept
        else:
            return False
    return glob[at:].strip("*") == ""
