"""`phocinae approvals`: what was approved, and how to take it back."""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import Annotated

import typer

from phocinae_cli.cli.screen import show, tell
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.render.marks import clean
from phocinae_cli.state.approvals import CODE, LINE, PROGRAM, Approval, Approvals
from phocinae_cli.state.places import approvals_file

app = typer.Typer(help="Show what you approved, and take it back.", add_completion=False, rich_markup_mode=None)

KINDS = {LINE: "line", PROGRAM: "program", CODE: "code not used yet"}


@app.callback(invoke_without_command=True)
def approvals(context: typer.Context) -> int:
    """Show what you approved, and take it back. Without a command: list."""
    return list_approvals() if context.invoked_subcommand is None else 0


@app.command("list")
def list_approvals(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> int:
    """Print what is approved now, the oldest first; secrets in a line are hidden."""
    found = _kept().listed()
    if as_json:
        show(json.dumps({"schema": 1, "approvals": [_as_data(each) for each in found]}))
        return 0
    for each in found:
        show(_as_line(each))
    if not found:
        tell("phocinae: nothing is approved")
    return 0


@app.command()
def remove(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID...", help="As `list` shows them.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Take back every approval.")] = False,
) -> int:
    """Take approvals back: from now on these lines and programs are vetted again."""
    kept = _kept()
    if everything == bool(ids):
        raise PhocinaeError(INVALID_ARGUMENTS, "say which approval, or --all", "see `phocinae approvals list`")
    names = [each.key for each in kept.listed()] if everything else ids or []
    gone = [each for name in dict.fromkeys(names) for each in kept.remove(name)]
    for each in gone:
        show(f"removed: {_as_line(each)}")
    if not gone:
        tell("phocinae: nothing is approved")
    return 0


def _kept() -> Approvals:
    place = approvals_file(os.environ)
    if place is None:
        raise PhocinaeError(INVALID_CONFIG, "there is no home directory that approvals are kept in", "set HOME")
    return Approvals(place)


def _as_line(approval: Approval) -> str:
    parts = [approval.id, KINDS[approval.kind], approval.shown]
    if approval.cwd:
        parts.append(f"in {approval.cwd}")
    if approval.uses is not None:
        parts.append("once" if approval.uses == 1 else f"{approval.uses} times")
    if approval.expires is not None:
        parts.append(f"until {_local(approval.expires)}")
    return clean("  ".join(parts))


def _local(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return f"{seconds:g} s after 1970"


def _as_data(approval: Approval) -> dict[str, object]:
    return {
        "id": approval.id,
        "kind": approval.kind,
        "text": approval.shown,
        "cwd": approval.cwd or None,
        "made": approval.made,
        "expires": approval.expires,
        "uses": approval.uses,
    }
