"""`phocinae deny`: a rule that stops a command from now on."""

from __future__ import annotations

from phocinae_cli.cli.rules import Line, Reason, deny_line


def command(line: Line, reason: Reason = "") -> int:
    """Add a deny rule for the program, operands and options of a line, with whatever else goes with them."""
    return deny_line(line, reason)
