"""What a row can't say of `jj`: a deletion here that a later push of the line carries to the remote."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.values import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

SHARED = ("main", "master", "trunk", "develop", "production", "prod", "release")
BOOKMARK = ("bookmark", "b", "branch")


def jj(invocation: Invocation) -> Stream:
    """Judge one `jj` command by its rows, and by what earlier ones of the line left in the repository."""
    words = [value.text for value in invocation.arguments.operands]
    arguments = invocation.arguments
    if words[:1] and words[0] in BOOKMARK and words[1:2] in (["delete"], ["d"]):
        _remember(invocation, "deleted", [word for word in words[2:] if _is_shared(word)])
    elif words[:2] == ["git", "push"] and not arguments.has("--dry-run"):
        _pushed(invocation)
    elif words[:2] in (["op", "abandon"], ["operation", "abandon"]):
        _remember(invocation, "abandoned", words[2:])
    elif words[:2] == ["util", "gc"] and arguments.has("--expire") and _remembered(invocation, "abandoned"):
        why = "nothing can be undone, and commits that were left can't be found again"
        invocation.effect("vcs-destroy", "the record of operations", "jj.gc-abandoned", why)
    return infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]


def _is_shared(bookmark: str) -> bool:
    name = bookmark.partition(":")[2] or bookmark
    return name in SHARED or name.startswith(("release/", "release-", "releases/")) or name == "*"


def _pushed(invocation: Invocation) -> None:
    """A push carries deletions with `--deleted` and `--all`, or that of the bookmark it names."""
    gone = _remembered(invocation, "deleted")
    named = [value.text for value in invocation.arguments.values("-b", "--bookmark")]
    if gone and (invocation.arguments.has("--deleted", "--all", "--tracked") or any(name in gone for name in named)):
        why = "deletes on the remote the branch that everybody builds on"
        invocation.effect(
            "vcs-destroy", " ".join(gone), "jj.push-deleted-shared", why, instead="`jj undo` before a push"
        )


def _remember(invocation: Invocation, what: str, words: list[str]) -> None:
    path = invocation.scope.resolve(f".jj/{what}")
    if path is not None and words:
        invocation.scope.files[path] = Stream("\n".join(words))


def _remembered(invocation: Invocation, what: str) -> list[str]:
    path = invocation.scope.resolve(f".jj/{what}")
    written = invocation.scope.files.get(path) if path is not None else None
    return written.text.split("\n") if written is not None and written.text else []


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"jj": jj}
