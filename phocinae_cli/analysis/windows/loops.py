"""Loops without end that start a program at every turn: fork bombs of PowerShell and of batch files."""

from __future__ import annotations

from phocinae_cli.analysis.windows.batch_syntax import Block, Command, Joined
from phocinae_cli.analysis.windows.tree import content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.windows.batch_syntax import Item

STARTERS = frozenset(("start-process", "saps", "start", "start-job", "sajb", "start-threadjob"))
BRAKES = frozenset(
    ("start-sleep", "sleep", "wait-process", "wait-job", "wjb", "read-host", "pause", "exit", "timeout", "ping",
     "wait-event", "get-job", "receive-job")
)  # fmt: skip
"""Commands that keep a loop from running away."""
CONDITIONS = frozenset(("if_statement", "switch_statement", "flow_control_statement"))
ALWAYS = frozenset(("$true", "1", "!$false", "(1)", "1-eq1", "-not$false"))
NEVER = frozenset(("$false", "0", "!$true", "$null"))
CMD_BRAKES = (
    "pause", "timeout", "ping", "choice", "set /p", "if ", "exit", "waitfor", "sleep", "/wait", "/w ", "goto :eof",
)  # fmt: skip
MANY = 1000


def endless(node: Node) -> bool:
    """Return whether a loop of PowerShell never ends by its condition: `while ($true)`, `for (;;)`."""
    if node.type == "for_statement":
        return not any(child.type == "for_condition" for child in node.named_children)
    condition = next((child for child in node.named_children if child.type == "while_condition"), None)
    if condition is None:
        return False
    written = "".join(content(condition).lower().split())
    until = any(child.type.lower() == "until" for child in node.children)
    return written in (NEVER if until else ALWAYS)


def spawns(node: Node) -> bool:
    """Return whether code of PowerShell starts programs with nothing to slow it down or to stop it."""
    found = False
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.type in CONDITIONS:
            return False
        if here.type == "command" and here.named_children:
            words = content(here).lower().split()
            if words and words[0] in BRAKES:
                return False
            found = found or (words[0] in STARTERS and not any(word in ("-wait", "-w") for word in words))
        waiting.extend(child for child in here.named_children if child.type != "function_statement")
    return found


def cycles(text: str) -> bool:
    """Return whether a batch file jumps back to a label behind which it starts programs and waits for nothing."""
    labels: dict[str, int] = {}
    lines = [line.strip().lstrip("@").lower() for line in text.splitlines()]
    for number, line in enumerate(lines):
        if line.startswith(":") and not line.startswith("::"):
            labels[line[1:].strip()] = number
        elif line.startswith("goto"):
            at = labels.get(line[4:].strip().lstrip(":").strip())
            if at is not None and starts("\n".join(lines[at + 1 : number])):
                return True
    return False


def starts(body: str) -> bool:
    """Return whether lines of cmd start programs of their own and wait for nothing."""
    low = body.lower()
    return any(
        part.strip().startswith("start ") for part in low.replace("(", "\n").replace("&", "\n").splitlines()
    ) and (not any(brake in low for brake in CMD_BRAKES))


def body_starts(item: Item) -> bool:
    """Return whether the body of a loop of cmd starts programs and waits for nothing."""
    parts = item.body if isinstance(item, Block) else item.parts if isinstance(item, Joined) else [item]
    shown = [f"{part.words[0].text} {part.tail}" for part in parts if isinstance(part, Command) and part.words]
    return starts("\n".join(shown))


def is_long_range(written: str) -> bool:
    """Return whether a range of PowerShell has a thousand numbers: `1..5000`."""
    first, dots, last = written.strip().strip("()").partition("..")
    return bool(dots) and first.isdigit() and last.isdigit() and abs(int(last) - int(first)) >= MANY


def is_long(members: str) -> bool:
    """Return whether `for /l` with these members never ends, or takes a thousand turns."""
    ends = members.replace(" ", "").split(",")
    if len(ends) != 3 or not all(end.lstrip("-").isdigit() for end in ends):
        return False
    first, step, last = (int(end) for end in ends)
    return (first <= last) if step == 0 else abs(last - first) // abs(step) >= MANY
