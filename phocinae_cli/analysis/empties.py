"""Directories that are known to hold nothing: a sync from one that deletes what is missing empties the other side."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.values import Value

NAMED_SO = frozenset(
    ("empty", "emptydir", "empty_dir", "empty-dir", "empty_folder", "empty-folder", "blank", "blank_dir", "nothing")
)
"""What a directory is called that is there to be empty (`/var/empty` too)."""
FILLS_NOTHING = frozenset(
    (
        "mkdir",
        "mktemp",
        "cd",
        "pushd",
        "echo",
        "true",
        ":",
        "sleep",
        "ls",
        "export",
        "local",
        "set",
        "rmdir",
        "trap",
        "bash",
        "sh",
        "test",
        "[",
        "",
    )
)
"""Programs that put nothing into a directory made before."""


def is_empty(invocation: Invocation, value: Value) -> bool:
    """Return whether a directory is called empty, or was made on this very line with nothing put into it since."""
    text = value.text.rstrip("/*")
    if text.rpartition("/")[2].lower() in NAMED_SO:
        return True
    scope = invocation.scope
    path = scope.resolve(text) if value.known else None
    own = invocation.action.argv
    for action in reversed(invocation.evaluator.collector.actions):
        if action is invocation.action or action.argv[-len(own) :] == own:
            continue  # this very command, or a wrapper around it
        if action.program == "mktemp" and path is not None and _made_by_mktemp(path, action.argv[1:]):
            return True
        if action.program == "mkdir" and path is not None:
            if any(scope.resolve(word) == path for word in action.argv[1:]):
                return True
        elif action.program not in FILLS_NOTHING and action.program != invocation.name:
            return False
    return False


def _made_by_mktemp(path: str, words: tuple[str, ...]) -> bool:
    """Return whether a path is the directory that `mktemp` with these words makes."""
    name = path.rpartition("/")[2]
    names = [word.replace("X", "x").rpartition("/")[2] for word in words if "XXX" in word]
    makes_directory = any(word == "--directory" or (word[:1] == "-" != word[1:2] and "d" in word) for word in words)
    return makes_directory and (name in names or (not names and name.startswith("tmp.")))
