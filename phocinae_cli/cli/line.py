"""One command vetted and answered: what `check` does for a line, an argv or a text from standard input."""

from __future__ import annotations

import os
import sys

from phocinae_cli.app import Checker
from phocinae_cli.cli.screen import screen_width, show, tell_notices, wants_color
from phocinae_cli.core.reasons import INTERNAL_ERROR, SERVICE_UNAVAILABLE
from phocinae_cli.core.request import join
from phocinae_cli.core.verdict import ALLOW, ASK, DECISION_RANK, EXIT_STATUS
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.report import Report
    from phocinae_cli.core.request import Request
    from phocinae_cli.kb.lookup import Knowledge
    from phocinae_cli.options import Values


def vet(values: Values) -> int:
    """Vet the command that the options of `check` name, print the answer, and return the exit status."""
    text = given_text(values)
    checker = open_checker(values)
    report = checker.check(ask_for(checker, text, values))
    if not values["quiet"]:
        show(answer(report, bool(values["json"])))
    tell_notices(report.notices)
    return status_of(report, fail_on(values))


def given_text(values: Values) -> str:
    """Return the text to vet: one word is a line, several are an argv, `-` or --stdin read standard input."""
    words = values["words"]
    assert isinstance(words, list)
    if values["stdin"] or words == ["-"]:
        return read_text(sys.stdin.buffer.read(TOO_LONG))
    words = [as_typed(word) for word in words]
    return words[0] if len(words) == 1 else join(words)


def as_typed(word: str) -> str:
    """Return an argument read as UTF-8 where its bytes are that, whatever the locale says (`LC_ALL=C`)."""
    if word.isascii():
        return word
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word


TOO_LONG = 1 << 20
"""Bytes read of a text at most: what is longer is far over what can be judged, and asks all the same."""


def read_text(data: bytes) -> str:
    """Return bytes as text, those that are not UTF-8 as lone surrogates, as arguments come."""
    return data.decode("utf-8", "surrogateescape")


def open_checker(values: Values, knowledge: Knowledge | None = None) -> Checker:
    """Return a checker with the settings of this run, those of the project it is about among them."""
    return Checker.from_environment(
        flags=pairs(values["set"], "--set"),
        cwd=os.path.abspath(str(values["cwd"])) if values["cwd"] else "",
        facts=not values["no_facts"],
        knowledge=knowledge,
        recording=_named(values["record"]),
        replaying=_named(values["replay"]),
    )


def _named(value: object) -> str | None:
    return None if value is None else str(value)


def ask_for(checker: Checker, text: str, values: Values) -> Request:
    """Return the request for a text with what the options say about its surroundings."""
    tool = values["tool"]
    return checker.request(
        text,
        shell=str(values["shell"] or ""),
        cwd=str(values["cwd"] or ""),
        audience=str(values["audience"] or "agent"),
        tool="shell" if tool is None else str(tool),
        aliases=pairs(values["alias"], "--alias"),
    )


def answer(report: Report, json: bool) -> str:
    """Return what is printed for a report."""
    if json:
        from phocinae_cli.render.json import as_json

        return as_json(report)
    from phocinae_cli.render.text import as_text

    return as_text(report, wants_color(sys.stdout, os.environ), screen_width(sys.stdout))


def fail_on(values: Values) -> str:
    """Return the decision from which on the status is not 0."""
    return str(values["fail_on"] or ASK)


def status_of(report: Report, strict_from: str = ASK) -> int:
    """Return the exit status; an ask that comes from a failure is never softened to 0."""
    decision = report.verdict.decision
    failed = report.error is not None or report.verdict.reason in (INTERNAL_ERROR, SERVICE_UNAVAILABLE)
    if decision == ALLOW or (DECISION_RANK[decision] < DECISION_RANK[strict_from] and not failed):
        return 0
    return EXIT_STATUS[decision]


def pairs(given: object, option: str) -> dict[str, str]:
    """Return KEY=VALUE arguments as a mapping; raises PhocinaeError for one without a key or an equals sign."""
    found: dict[str, str] = {}
    for item in given if isinstance(given, list) else ():
        key, equals, value = item.partition("=")
        if not key or not equals:
            raise PhocinaeError(
                INVALID_ARGUMENTS, f"{option} takes {'NAME=TEXT' if option == '--alias' else 'KEY=VALUE'}, not {item!r}"
            )
        found[key] = value
    return found
