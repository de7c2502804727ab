"""The examples of a rule, held against what the rule does: a rule that contradicts its own example is refused."""

from __future__ import annotations

import os

from phocinae_cli import kb
from phocinae_cli.analysis.analyze import analyze
from phocinae_cli.config.problems import Problem
from phocinae_cli.config.rules import Entry, described
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import ALLOW
from phocinae_cli.gate.rules import allowing, first_match, only_reads
from phocinae_cli.kb.lookup import Knowledge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def prove(entries: Iterable[Entry], knowledge: Knowledge, home: str) -> list[Problem]:
    """Return a problem for each example that its rule contradicts, with both shown.

    The examples of a project's rule are read as typed in the project's directory, others in a folder of the home:
    a file must not be legal in one directory and broken in the next.
    """
    problems: list[Problem] = []
    for entry in entries:
        for line, wanted in [(line, True) for line in entry.match] + [(line, False) for line in entry.no_match]:
            if matches(entry, line, knowledge, home) is not wanted:
                problems.append(_contradiction(entry, line, wanted))
    return problems


def matches(entry: Entry, line: str, knowledge: Knowledge, home: str) -> bool:
    """Return whether a rule alone decides on a line: a deny or ask rule by a part of it, an allow rule by covering
    all that does more than read.
    """
    cwd = entry.folder or f"{home.rstrip('/')}/project"
    request = Request(line, cwd=cwd, home=home, env={"HOME": home})
    analysis = analyze(request, Facts(), knowledge)
    if entry.rule.decision == ALLOW:
        found = allowing((entry.rule,), request, analysis)
        return found is not None and only_reads(found[1])
    return first_match((entry.rule,), entry.rule.decision, request, analysis) is not None


def _contradiction(entry: Entry, line: str, wanted: bool) -> Problem:
    rule = entry.rule
    field, verb = ("match", "does not match") if wanted else ("no_match", "matches")
    what = f"the {rule.decision} rule for `{described(rule)}` {verb} its own example `{line}`"
    return Problem(rule.origin, f"rules.{field}", what, "change the pattern or the example", entry.line)


def read_knowledge() -> Knowledge:
    """Return the knowledge base that comes with the package."""
    with open(os.path.join(os.path.dirname(kb.__file__), "kb.txt"), "rb") as file:
        return Knowledge(file.read())
