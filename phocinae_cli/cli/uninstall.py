"""`phocinae uninstall`: takes out what `install` put in place."""

from __future__ import annotations

from phocinae_cli.cli.install import DryRun, ShellOption, take_out


def command(shell: ShellOption = None, dry_run: DryRun = False) -> int:
    """Take the shell hook out: exactly the marked block, and the hook's file."""
    return take_out(shell, dry_run)
