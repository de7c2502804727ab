"""`phocinae allow`: approve a line once, from now on in this directory, or everywhere by a rule."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from phocinae_cli.app import Checker
from phocinae_cli.cli.rules import Reason, allow_line
from phocinae_cli.cli.screen import show
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import ALLOW
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.gate.case import Case
from phocinae_cli.gate.decide import decide
from phocinae_cli.render.marks import clean
from phocinae_cli.state.approvals import CODE_S, Approvals
from phocinae_cli.state.places import approvals_file

USAGE = "`phocinae allow --help` shows how it is used"


def command(
    line: Annotated[str, typer.Argument(help="The command line, quoted as one word.")] = "",
    once: Annotated[str, typer.Option("--once", metavar="CODE", help="Use the code that came with a denial.")] = "",
    here: Annotated[bool, typer.Option("--here", help="Approve it in this directory from now on.")] = False,
    always: Annotated[bool, typer.Option("--always", help="Add an allow rule for exactly these words.")] = False,
    reason: Reason = "",
) -> int:
    """Approve exactly this line in this directory, once within ten minutes unless an option says otherwise."""
    if bool(line) == bool(once) or (once and (here or always)) or (here and always) or (reason and not always):
        raise PhocinaeError(INVALID_ARGUMENTS, "give a line, with at most one of --here and --always, or --once", USAGE)
    if always:
        return allow_line(line, reason)
    approvals = _approvals()
    if once:
        granted = approvals.allow_once(once)
        show(clean(f"approved once, in {granted.cwd}, within {_minutes(CODE_S)}: {granted.shown}"))
        return 0
    checker = Checker.from_environment(facts=False)
    request = checker.request(line)
    _refuse_in_vain(checker, request)
    granted = approvals.approve(request.text, request.cwd, None if here else CODE_S, None if here else 1)
    until = "from now on" if here else f"once, within {_minutes(CODE_S)}"
    show(clean(f"approved {until}, in {granted.cwd}: {granted.shown}"))
    return 0


def _refuse_in_vain(checker: Checker, request: Request) -> None:
    """Raise where an approval opens nothing: a deny rule, an effect that is never let through, an unreadable line."""
    analysis, _ = checker.analysis(request, Facts())
    verdict = decide(Case(request, checker.settings, analysis, approved=True), checker.ask)
    if verdict.decision != ALLOW:
        raise PhocinaeError(
            INVALID_ARGUMENTS, f"no approval opens this line: {verdict.message}", "`phocinae explain` shows why"
        )


def _approvals() -> Approvals:
    place = approvals_file(os.environ)
    if place is None:
        raise PhocinaeError(INVALID_CONFIG, "there is no home directory to keep approvals in", "set HOME")
    return Approvals(place)


def _minutes(seconds: float) -> str:
    return f"{round(seconds / 60)} minutes"
