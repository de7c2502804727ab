"""What people depend on: whether a command speaks of production, and whether it stops what runs there."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import means_production

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

STOPPING = frozenset(
    (
        "stop", "down", "shutdown", "halt", "quit", "kill", "stopall", "disable", "terminate", "exit", "graceful-stop",
        "force-stop", "stop-all", "stop_app", "zap",
    )
)  # fmt: skip
"""Verbs, or values of an option (`nginx -s stop`), after which a service does not answer any more."""


def takes_down(invocation: Invocation, claim: str) -> bool:
    """Return whether a row that speaks of a service means here that one of production stops."""
    if claim != "service":
        return False
    arguments = invocation.arguments
    words = [*arguments.operands, *(value for _, value in arguments.flags if value is not None)]
    return any(value.exact in STOPPING for value in words) and names_production(invocation)


def names_production(invocation: Invocation) -> bool:
    """Return whether a word, a variable set on the line, the directory or the machine says that it is production."""
    if any(means_production(value.text) for value in invocation.words):
        return True
    scope = invocation.scope
    if means_production(scope.machine) or (scope.moved and scope.cwd is not None and means_production(scope.cwd)):
        return True
    return any(
        value.known and means_production(value.text)
        for name, choices in scope.variables.items()
        if name.isupper()
        for fields in choices
        for value in fields
    )
