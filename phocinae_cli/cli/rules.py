"""`phocinae rules`: the standing rules, shown with the file each comes from, added, taken out and tried on a line."""

from __future__ import annotations

import json
import os
from typing import Annotated

import typer

from phocinae_cli.app import Checker, judge_of, load_knowledge, own_cwd
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.config.advice import advice
from phocinae_cli.config.derive import rule_for
from phocinae_cli.config.edit import add_rule, remove_rule
from phocinae_cli.config.files import user_file
from phocinae_cli.config.layers import Loaded
from phocinae_cli.config.load import load, survey
from phocinae_cli.config.problems import summary
from phocinae_cli.config.prove import prove
from phocinae_cli.config.rules import Entry, described, read_rules
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import ALLOW, DENY, EXIT_FAILURE
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.gate.rules import allowing, first_match
from phocinae_cli.render.marks import clean
from phocinae_cli.state.places import home_dir

app = typer.Typer(help="Show, add, remove and try your standing rules.", add_completion=False, rich_markup_mode=None)

Line = Annotated[str, typer.Argument(help="The command line, quoted as one word.")]
Reason = Annotated[str, typer.Option("--reason", help="What is said when the rule decides.")]
Many = list[str]


@app.callback(invoke_without_command=True)
def rules(context: typer.Context) -> int:
    """Show, add, remove and try your standing rules. Without a command: list."""
    return list_rules() if context.invoked_subcommand is None else 0


@app.command("list")
def list_rules(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> int:
    """Print the rules in force, yours first, each with the file and line it comes from."""
    loaded = survey(os.environ, own_cwd(os.environ), None, lambda: load_knowledge(os.environ))
    if as_json:
        rows = [_as_data(number, entry) for number, entry in enumerate(loaded.entries, 1)]
        show(json.dumps({"schema": 1, "rules": rows}))
    else:
        for number, entry in enumerate(loaded.entries, 1):
            show(clean(_as_line(number, entry)))
    for problem in (*summary(loaded.faults), *loaded.notices):
        tell(f"phocinae: {clean(problem)}")
    if not loaded.entries and not as_json:
        tell("there are no rules; `phocinae rules add --help` shows how to write one")
    return EXIT_FAILURE if loaded.faults else 0


@app.command()
def add(
    decision: Annotated[str, typer.Argument(help="allow, ask or deny.")],
    program: Annotated[str, typer.Option("--program", help="Name of the program; * and ? are wildcards.")] = "",
    subcommand: Annotated[Many | None, typer.Option("--subcommand", help="A word behind it; repeat for more.")] = None,
    flag: Annotated[Many | None, typer.Option("--flag", help="An option that must be given, as -f|--force.")] = None,
    path: Annotated[Many | None, typer.Option("--path", help="A pattern for paths; ** crosses folders.")] = None,
    word: Annotated[Many | None, typer.Option("--word", help="In place of these: each word of the command.")] = None,
    reason: Reason = "",
    match: Annotated[Many | None, typer.Option("--match", help="A line that the rule must match.")] = None,
    no_match: Annotated[Many | None, typer.Option("--no-match", help="A line that it must not match.")] = None,
) -> int:
    """Add a rule to your file, after its examples have been proven."""
    table: dict[str, object] = {
        "decision": decision, "program": program, "subcommand": subcommand, "flags": flag, "paths": path,
        "words": word, "reason": reason, "match": match, "no_match": no_match,
    }  # fmt: skip
    entries, problems = read_rules([{name: value for name, value in table.items() if value}], "rule", "")
    if problems:
        raise PhocinaeError(INVALID_ARGUMENTS, "the rule was not added", "mend what is named", summary(problems))
    return _add(entries[0])


@app.command()
def remove(number: Annotated[int, typer.Argument(help="Its number in `phocinae rules list`.")]) -> int:
    """Take one of your rules out of your file."""
    loaded = survey(os.environ, own_cwd(os.environ), None, lambda: load_knowledge(os.environ))
    place = _own_file()
    own = [entry for entry in loaded.entries if entry.rule.origin == place]
    if not 1 <= number <= len(own):
        what = f"there is no rule {number} of yours" if own else "you have no rules"
        raise PhocinaeError(INVALID_ARGUMENTS, what, f"`phocinae rules list` numbers them; yours are those in {place}")
    remove_rule(place, number - 1)
    show(clean(f"removed: {own[number - 1].rule.decision} {described(own[number - 1].rule)}"))
    return 0


@app.command("test")
def try_rules(line: Line) -> int:
    """Show which rules match a line, and what the gate says of it with them. Nothing is run or logged."""
    loaded = load(os.environ, own_cwd(os.environ), None, lambda: load_knowledge(os.environ))
    checker = Checker.from_environment()
    checker.audit = checker.approvals = None  # a trial uses nothing up
    request = checker.request(line)
    analysis, failed = checker.analysis(request, Facts())
    if failed is not None:
        raise failed
    for number, entry in enumerate(loaded.entries, 1):
        rule = entry.rule
        if rule.decision == ALLOW:
            found = allowing((rule,), request, analysis)
            word = "no" if found is None else "covers a part of it" if found[1].actions else "covers it"
        else:
            word = "matches" if first_match((rule,), rule.decision, request, analysis) else "no"
        show(clean(f"{word:<20} {_as_line(number, entry)}"))
    verdict = checker.check(request).verdict
    show(clean(f"verdict: {verdict.decision} ({verdict.reason}): {verdict.message}"))
    return 0


def allow_line(line: str, reason: str = "") -> int:
    """Add an allow rule for exactly the words of a line."""
    return _add(_derived(ALLOW, line, reason))


def deny_line(line: str, reason: str = "") -> int:
    """Add a deny rule for the program, operands and options of a line, with whatever else goes with them."""
    return _add(_derived(DENY, line, reason))


def _derived(decision: str, line: str, reason: str) -> Entry:
    checker = Checker(Settings(), load_knowledge(os.environ), judge_of(Settings(), os.environ), env=os.environ)
    analysis, failed = checker.analysis(checker.request(line), Facts())
    if failed is not None:
        raise failed
    return rule_for(decision, line, analysis, reason)


def _add(entry: Entry) -> int:
    problems = prove([entry], load_knowledge(os.environ), home_dir(os.environ) or "/root")
    if problems:
        raise PhocinaeError(
            INVALID_ARGUMENTS, "the rule was not added", "change the pattern or the example", summary(problems)
        )
    place = _own_file()
    add_rule(place, entry)
    show(clean(f"{place}: {entry.rule.decision} {described(entry.rule)}"))
    for warning in advice(Loaded(Settings(), entries=(entry,))):
        tell(clean(f"phocinae: warning: {warning.what}; {warning.remedy}"))
    return 0


def _own_file() -> str:
    place = user_file(os.environ)
    if place is None:
        raise PhocinaeError(INVALID_CONFIG, "there is no home directory to keep rules in", "set HOME")
    return place


def _as_line(number: int, entry: Entry) -> str:
    rule = entry.rule
    because = f"  # {rule.reason}" if rule.reason else ""
    return f"{number:>3}  {rule.decision:<5}  {described(rule)}{because}  ({rule.origin}:{entry.line})"


def _as_data(number: int, entry: Entry) -> dict[str, object]:
    rule = entry.rule
    parts = {name: list(getattr(rule, name)) for name in ("subcommand", "flags", "paths", "words")}
    about = {"number": number, "decision": rule.decision, "program": rule.program, "reason": rule.reason}
    return {**about, **parts, "origin": rule.origin, "line": entry.line}
