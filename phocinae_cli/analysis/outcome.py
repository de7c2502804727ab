"""Which commands are sure to succeed or to fail: `true`, `false`, and what is built of them.

What stands behind `false &&` or in `if false` never runs, so it is data like a comment.
"""

from __future__ import annotations

from phocinae_cli.analysis.syntax import AndOr, Node, Pipeline, Sequence, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.scope import Scope

CONSTANT = {":": True, "true": True, "false": False}


def outcome(node: Node, scope: Scope) -> bool | None:
    """Return whether a command is sure to succeed (True) or to fail (False); None for all others.

    A function or an alias of the same name in the scope takes the sureness away.
    """
    if isinstance(node, Simple):
        name = node.words[0].bare() if node.words else None
        if name is None or name in scope.functions or name in scope.aliases:
            return None
        return CONSTANT.get(name)
    if isinstance(node, Pipeline):
        last = outcome(node.commands[-1], scope)
        return not last if node.negated and last is not None else last
    if isinstance(node, Sequence):
        return outcome(node.items[-1][0], scope) if node.items and node.items[-1][1] != "&" else None
    if isinstance(node, AndOr):
        found = outcome(node.first, scope)
        for operator, command in node.rest:
            found = joined(found, operator, outcome(command, scope))
        return found
    return None


def skips(before: bool | None, operator: str) -> bool:
    """Return whether the command behind `&&` or `||` never runs, by the outcome of what stands before."""
    return before is False if operator == "&&" else before is True


def joined(before: bool | None, operator: str, after: bool | None) -> bool | None:
    """Return the outcome of two commands joined by `&&` or `||`."""
    decided = operator == "||"  # the outcome with which either of the two decides the whole
    if before is decided:
        return decided
    if before is None:
        return decided if after is decided else None
    return after
