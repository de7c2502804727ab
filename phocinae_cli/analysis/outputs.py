"""What a program prints, by what it is given and what is known of it."""

from __future__ import annotations

from phocinae_cli.analysis.collect import data_taint
from phocinae_cli.analysis.git_places import EVERY_BRANCH, still_every
from phocinae_cli.analysis.hosts import all_local, host_of, is_local
from phocinae_cli.analysis.keynames import names_only
from phocinae_cli.analysis.setup import is_setup
from phocinae_cli.analysis.values import NOTHING, Stream, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.kb.lookup import Tool


CLEAR_TEXT = "clear-text"
"""The mark of what came through the open network unprotected: anybody on the way may have changed it."""
METADATA_HOSTS = frozenset(("169.254.169.254", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254"))
"""Where a cloud hands out the credentials of the machine that asks."""
SEARCHERS = frozenset(("rg", "ag", "ack", "ug", "pt"))
FILTERS = frozenset(
    ("grep", "egrep", "fgrep", "sed", "awk", "tr", "sort", "uniq", "head", "tail", "tee", "cat", "shuf")
)
QUIET = frozenset(("test", "[", "cd", "export", "source", ".", "git", "ssh-add", "echo", "printf"))


def inputs(invocation: Invocation) -> list[Value]:
    """Return the operands that may name what is read: a search program's first one is its pattern."""
    arguments = invocation.arguments
    name = invocation.name
    if (name.endswith("grep") or name in SEARCHERS) and not arguments.has("-e", "--regexp", "-f", "--file", "--files"):
        return arguments.operands[1:]
    if invocation.outputs:
        return [value for value in arguments.operands if not any(value is output for output in invocation.outputs)]
    return arguments.operands


def input_taint(invocation: Invocation) -> frozenset[str]:
    """Return what a program's output carries of its inputs: what is fed in, and files named as operands."""
    taint = invocation.stdin.taint
    for value in inputs(invocation):
        if value.taint:
            taint |= value.taint
        text = value.exact
        if text and text[0] != "-":
            read = invocation.evaluator.collector.content(value, invocation.reads_in).taint
            if read:
                taint |= read
    return taint - {"name"} if taint else NOTHING


def output_of(invocation: Invocation, tool: Tool) -> Stream:
    """Return what a program prints: its taint by the kind of its output and what it was given."""
    why = f"the output of {invocation.name}"
    if invocation.stdin.why.endswith(EVERY_BRANCH) and still_every(invocation):
        why += EVERY_BRANCH
    output = tool.output
    if is_setup(invocation):
        return Stream(None, frozenset(("setup-code",)), why)
    if output == "names":
        return Stream(None, invocation.stdin.taint & {"network"}, why)
    if output == "none":
        return Stream(None, input_taint(invocation), why)
    if output == "network":
        return Stream(None, from_elsewhere(invocation), why)
    if output in ("secret", "environment", "dump"):
        return Stream(None, input_taint(invocation) | {output}, why)
    # A filter may leave what a query put together.
    seen = invocation.stdin.seen if invocation.stdin.text is None and invocation.name in FILTERS else ""
    taint = input_taint(invocation)
    if "secret" in taint and names_only(invocation):
        return Stream(None, taint - {"secret"}, why)
    return Stream(None, taint, why, seen=seen)


def from_elsewhere(invocation: Invocation) -> frozenset[str]:
    """Return the taint of what another machine answers; one's own machine is trusted."""
    operands = invocation.arguments.operands
    hosts = [host_of(value.text) for value in operands]
    if any(host in METADATA_HOSTS for host in hosts):
        invocation.evaluator.collector.withheld = True
        return frozenset(("network", "secret"))
    if all_local(operands) and any(hosts):
        return NOTHING
    clear = any(value.head().startswith("http://") and not is_local(host_of(value.text)) for value in operands)
    return frozenset(("network", CLEAR_TEXT)) if clear else frozenset(("network",))


def secrets_shown(invocation: Invocation, tool: Tool) -> None:
    """Record that a secret file which the command reads comes out on the screen."""
    if tool.output not in ("content",) or invocation.name in QUIET:
        return
    collector = invocation.evaluator.collector
    if invocation.context.captured:
        collector.withheld = True
        return
    for value in inputs(invocation):
        text = value.exact
        if text is None or not text or text[0] == "-":
            continue
        path = invocation.scope.resolve(text)
        if path is None:
            continue
        place = invocation.scope.place(path)
        if "secret" in data_taint(place, path):
            collector.path_effect(
                "show-secret", value, invocation.scope, invocation.action, code="secret.shown",
                why="whoever reads the output reads the secret", instead="print only the names of its keys",
            )  # fmt: skip
