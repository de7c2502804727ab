"""Patterns on paths: `*` stays inside one folder, `**` crosses them."""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise
from phocinae_cli.kb.schema import glob_match

WILDCARDS = "*?"


def path_match(pattern: str, path: str, base: str, home: str) -> bool:
    """Return whether an absolute, normalised path matches a pattern.

    A pattern without a slash is held against the last part of the path. One that starts with `~/`, `/` or `**/`
    is held against the whole path, any other is read from the directory `base`. A pattern that ends in `/**`
    matches the folder itself too: who protects what is in it does not want it deleted.
    """
    if _is_name(pattern):
        return glob_match(pattern, path.rpartition("/")[2])
    return _match(anchored(pattern, base, home).split("/")[1:], path.split("/")[1:])


def reaches_into(pattern: str, folder: str, base: str, home: str) -> bool:
    """Return whether what the pattern names lies somewhere below an absolute folder, as far as its fixed part says."""
    if _is_name(pattern):
        return False
    fixed = ""
    for part in anchored(pattern, base, home).split("/")[1:]:
        if any(char in part for char in WILDCARDS):
            break
        fixed += "/" + part
    return len(fixed) > 1 and fixed.startswith(folder.rstrip("/") + "/")


def anchored(pattern: str, base: str, home: str) -> str:
    """Return a pattern on whole paths as an absolute one."""
    if pattern == "~" or pattern.startswith("~/"):
        pattern = home.rstrip("/") + pattern[1:]
    if pattern.startswith("**/"):
        return "/" + pattern
    return normalise(pattern, base) or pattern


def _is_name(pattern: str) -> bool:
    return "/" not in pattern and pattern not in ("~", ".", "..")


def _match(patterns: list[str], parts: list[str]) -> bool:
    # One row of the table per pattern part: `reached[n]` says that the first n parts of the path are used up.
    reached = [True] + [False] * len(parts)
    for pattern in patterns:
        if pattern == "**":
            first = reached.index(True) if True in reached else len(reached)
            reached = [at >= first for at in range(len(reached))]
        else:
            reached = [False] + [reached[at] and glob_match(pattern, part) for at, part in enumerate(parts)]
    return reached[-1]
