"""Where a `git` command works: a copy that is thrown away loses nothing, a home or the system loses what it holds."""

from __future__ import annotations

from phocinae_cli.analysis.arguments import PRINT_ONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.values import Value
    from phocinae_cli.core.effects import Effect

THROWN_AWAY = frozenset(("temp", "disposable"))
PEOPLE_LIVE_THERE = frozenset(
    ("home", "home-other", "system", "vital", "root", "service-data", "secret", "access", "log")
)
"""Places whose untracked files are no leftovers of a build."""
OF_THE_SYSTEM = frozenset(("system", "vital", "root", "service-data", "access"))
FAR = frozenset(("push", "send-pack", "http-push", "lfs", "svn", "p4", "annex", "subtree", "flow", "town", "remote"))
"""Verbs whose effects are not, or not only, those on the copy at hand."""
HISTORY = ("vcs-rewrite", "vcs-destroy", "prune")
EVERY_BRANCH = " over every branch"
"""What stands behind the reason of a stream that lists the branches of a remote, main among them."""
LISTS_REMOTE = {
    "branch": ("-r", "--remotes", "-a", "--all"), "ls-remote": ("-h", "--heads", "-b", "--branches"),
}  # fmt: skip
MAIN_NAMES = ("main", "master", "trunk", "develop", "prod", "release")
NOT_SELECTING = ("", ".", "origin", "origin/", "remotes/origin", "^", "refs/heads", "refs/heads/")


class Places:
    """The places of the work tree and of the repository; `apart` says that the line names them one by one."""

    __slots__ = ("apart", "history", "tree")

    def __init__(self, tree: str, history: str, apart: bool) -> None:
        self.tree = tree
        self.history = history
        self.apart = apart


def places(invocation: Invocation, front: list[tuple[str, Value | None]]) -> Places:
    """Return where a command works by its options, by `GIT_DIR` and `GIT_WORK_TREE`, else by the directory."""
    here = _place(invocation, invocation.scope.cwd)
    tree = _named(invocation, front, "--work-tree", "GIT_WORK_TREE")
    store = _named(invocation, front, "--git-dir", "GIT_DIR")
    return Places(tree or here, store or here, tree is not None)


def _named(invocation: Invocation, front: list[tuple[str, Value | None]], option: str, variable: str) -> str | None:
    scope = invocation.scope
    value = next((value for name, value in front if name == option), None)
    if value is None and (variable in scope.variables or variable in scope.env):
        fields = scope.variable(variable)
        value = fields[0][0] if fields and fields[0] else None
    if value is None:
        return None
    return _place(invocation, scope.resolve(value.text) if value.known else None)


def _place(invocation: Invocation, path: str | None) -> str:
    return invocation.scope.place(path) if path is not None else "unknown"


def weigh(invocation: Invocation, verb: str, where: Places, first: int) -> None:
    """Set the harm of what was found since `first` by where it happens."""
    if verb in FAR:
        return
    for effect in invocation.evaluator.collector.effects[first:]:
        if effect.action is not invocation.action:
            continue
        if effect.kind == "vcs-discard" and effect.target.text != "stashed work":
            _discarded(effect, where)
        elif effect.kind in (*HISTORY, "vcs-discard") and where.history in THROWN_AWAY:
            effect.harm = "harmless"
            effect.why = "it happens in a copy that is thrown away"


def _discarded(effect: Effect, where: Places) -> None:
    if where.tree in THROWN_AWAY:
        effect.harm = "harmless"
        effect.why = "it happens in a copy that is thrown away"
    elif effect.target.text == "untracked files" and where.tree in PEOPLE_LIVE_THERE:
        effect.harm = "destructive"
        effect.why = "what git does not know there is no leftover, and it goes for good"
    elif where.apart and where.tree in OF_THE_SYSTEM:
        effect.harm = "destructive"
        effect.why = "what is checked out goes over the system's own files"


# --- lists of branches -------------------------------------------------------------------------------------------


def lists_branches(invocation: Invocation, verb: str) -> bool:
    """Return whether a command prints every branch of a remote."""
    arguments = invocation.arguments
    if verb == "for-each-ref":
        named = [value.text.rstrip("/") for value in arguments.operands[1:]]
        return bool(named) and all(name in ("refs/remotes", "refs/remotes/origin") for name in named)
    return verb in LISTS_REMOTE and arguments.has(*LISTS_REMOTE[verb])


def still_every(invocation: Invocation) -> bool:
    """Return whether a filter leaves main in the list of branches that it is fed."""
    name = invocation.name
    if not invocation.stdin.why.endswith(EVERY_BRANCH) or name in PRINT_ONE:
        return False
    text = " ".join(value.text for value in invocation.words if value.text[:1] != "-")
    named = any(one in text for one in MAIN_NAMES)
    if name.endswith("grep") or name in ("rg", "ag", "ack"):
        if invocation.arguments.has("-v", "--invert-match"):
            return not named
        return named or text in NOT_SELECTING
    return not (named or (name in ("awk", "gawk", "mawk") and "/" in text))


def names_every_branch(values: list[Value]) -> bool:
    """Return whether a word is each branch of a remote, main among them."""
    return any(
        not isinstance(part, str) and part.why.endswith(EVERY_BRANCH) for value in values for part in value.parts
    )
