"""`phocinae explain`: the reasoning behind a verdict, for a person."""

from __future__ import annotations

import os
import sys
from typing import Any

from phocinae_cli.cli.line import ask_for, given_text, open_checker
from phocinae_cli.cli.screen import screen_width, show, tell_notices, wants_color
from phocinae_cli.cli.table import TableCommand, plain, shape
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.options import clash
from phocinae_cli.render.explain import explain

COMMAND_CLASS = TableCommand
EPILOG = (
    """The exit status is 0 once the reasoning is shown, whatever the verdict: `phocinae check` answers by status."""
)


def command(**given: Any) -> int:
    """Show the whole reasoning behind the verdict on a command."""
    values = plain(given)
    problem = clash(values)
    if problem:
        raise PhocinaeError(INVALID_ARGUMENTS, problem, "`phocinae explain --help` shows how it is used")
    text = given_text(values)
    checker = open_checker(values)
    checker.spends = False  # nothing runs behind an explanation
    report = checker.check(ask_for(checker, text, values))
    show(explain(report, wants_color(sys.stdout, os.environ), screen_width(sys.stdout)))
    tell_notices(report.notices)
    return 0


shape(command, without=("--jsonl", "--file", "--json", "--fail-on", "--quiet"))
