"""What a person at a prompt is told and asked: the verdict in words, the keys on offer, and what a key does."""

from __future__ import annotations

import os

from phocinae_cli import __version__
from phocinae_cli.core import reasons
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import ALLOW, ASK, DENY
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.render.marks import clean
from phocinae_cli.render.text import as_text, paint
from phocinae_cli.resident import protocol
from phocinae_cli.resident.protocol import Query, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.core.report import Report
    from phocinae_cli.state.approvals import Approvals

    Check = Callable[[Request], Report]

UNKNOWN_PROGRAM = "unknown"
"""The kind of effect of a program that nobody described: see `kb.schema`."""


class Desk:
    """Answers the hook: has lines checked, and turns reports into messages and keys into approvals.

    `check` vets a request; `approvals` is where a yes for good is kept, None where it can't be; `settle` does what
    can wait until the answer is out.
    """

    __slots__ = ("approvals", "check", "settle", "told")

    def __init__(
        self, check: Check, approvals: Approvals | None = None, settle: Callable[[], None] | None = None
    ) -> None:
        self.check = check
        self.approvals = approvals
        self.settle = settle
        self.told: set[str] = set()

    @classmethod
    def from_environment(cls) -> Desk:
        """Return a desk for this user: configuration and knowledge are read again when they change on disk."""
        from phocinae_cli.resident.keeper import Keeper

        keeper = Keeper(os.environ)
        return cls(keeper.check, keeper.approvals, keeper.settle)

    def answer(self, query: Query) -> Reply:
        """Return the reply to a query. Never raises: whatever fails asks the person, and says why."""
        try:
            if query.verb == "check":
                return self._verdict(query)
            if query.verb == "explain":
                return self._explain(query)
            return self._remember(query)
        except PhocinaeError as error:
            told = [f"phocinae can't check this line: {error.message}", *error.details, error.do]
            problem = "\n  ".join(clean(part) for part in told if part) + f"  [{error.code}]\n"
        except Exception as error:
            problem = f"phocinae can't check this line: {type(error).__name__}: {clean(str(error))}\n"
        return Reply(ASK if query.verb == "check" else "failed", problem, "yne")

    # --- check -------------------------------------------------------------------------------------------------------

    def _verdict(self, query: Query) -> Reply:
        report, real = self._report(query)
        decision = report.verdict.decision
        try:
            return self._told(query, report, real)
        except Exception as error:  # to find no words for it makes nothing milder
            said = f"phocinae: {decision}, but the reasons can't be shown: {type(error).__name__}\n"
            return Reply(DENY if decision == DENY else ASK, said, "yne")

    def _told(self, query: Query, report: Report, real: str) -> Reply:
        verdict = report.verdict
        color = is_colored(query)
        notices = "".join([f"phocinae: {clean(notice)}\n" for notice in self._notices(query, report)])
        if verdict.decision == ALLOW:
            note = paint(f"phocinae: {clean(verdict.note)}", "dim", color) + "\n" if verdict.note else ""
            return Reply(ALLOW, notices + note)
        message = notices + "phocinae: " + as_text(report, color, width(query)) + "\n"
        if verdict.decision == DENY:
            return Reply(DENY, message + paint(self._on_purpose(report, real), "dim", color))
        return Reply(ASK, message, self._keys(report), mark(report))

    def _report(self, query: Query) -> tuple[Report, str]:
        """Return the report that counts, and the text that will run: approvals are for that one.

        What was typed and what will run differ by history expansion, and in zsh by aliases and layout. What will
        run decides; the text as typed is shown where it says the same, since that is what the person knows. Bash
        does not tell what it will run, the hook works it out: so there the text as typed can deny the line too.
        """
        typed, real = query.field(protocol.TYPED), query.field(protocol.REAL)
        if not real or real == typed:
            return self.check(request(query, typed)), typed
        report = self.check(request(query, real))
        told = query.field(protocol.SHELL) != "bash"
        if not typed or report.verdict.reason == reasons.APPROVED or (told and report.verdict.decision == ALLOW):
            return report, real
        shown = self.check(request(query, typed))
        if shown.verdict.decision == report.verdict.decision or (shown.verdict.decision == DENY and not told):
            return shown, real
        return report, real

    def _on_purpose(self, report: Report, real: str) -> str:
        """Return how to run a denied line all the same: a code for exactly this text, here, for a few minutes."""
        reason = report.verdict.reason
        if reason == reasons.DENIED_BY_RULE:
            return "  to run it, change the rule: `phocinae rules` lists yours\n"
        if reason == reasons.NEVER or self.approvals is None:
            return ""
        try:
            code = self.approvals.issue(real, report.request.cwd)
        except PhocinaeError:  # a code that can't be kept opens nothing; the line is denied all the same
            return ""
        return f"  to run it on purpose: `phocinae allow --once {code}`, then the same line again\n"

    def _keys(self, report: Report) -> str:
        keys = "yn"
        if self.approvals is not None and report.verdict.reason != reasons.LINE_NOT_READABLE and report.error is None:
            keys += "a"
            if nobody_described(report):
                keys += "p"
        return keys + "e?"

    def _notices(self, query: Query, report: Report) -> list[str]:
        """Return what has to be said once: the checker's notices, and that the hook is of another version."""
        hook = query.field(protocol.HOOK)
        told = list(report.notices)
        if hook and hook != __version__ and query.number != "0":
            told.append(f"the hook is of version {hook}, phocinae of {__version__}: `phocinae install` renews the hook")
        fresh = [notice for notice in told if notice not in self.told]
        self.told.update(fresh)
        return fresh

    # --- the other verbs ---------------------------------------------------------------------------------------------

    def _explain(self, query: Query) -> Reply:
        from phocinae_cli.render.explain import explain

        report, _ = self._report(query)
        return Reply("done", explain(report, is_colored(query), width(query)) + "\n")

    def _remember(self, query: Query) -> Reply:
        if self.approvals is None:
            return Reply("failed", "phocinae: there is no home directory to keep approvals in\n")
        report, real = self._report(query)
        if report.verdict.decision != ASK:
            return Reply("failed", f"phocinae: the answer is {report.verdict.decision} by now, so nothing was kept\n")
        if query.verb == "approve":
            self.approvals.approve(real, report.request.cwd)
            said = "this line in this directory is allowed from now on; `phocinae approvals` lists and removes it"
            return Reply("done", f"phocinae: {said}\n")
        programs = nobody_described(report)
        for program in programs:
            self.approvals.approve_program(program)
        return Reply("done", f"phocinae: harmless-looking use of {clean(', '.join(programs))} is allowed from now on\n")


def request(query: Query, text: str) -> Request:
    """Return what the checker is asked: the text with what the shell knows about the names in it."""
    home = query.field(protocol.HOME)
    return Request(
        text,
        shell=query.field(protocol.SHELL, "bash"),
        cwd=query.field(protocol.CWD, "/"),
        env=query.pairs(protocol.VARIABLE),
        aliases=query.pairs(protocol.ALIAS),
        functions=query.pairs(protocol.FUNCTION),
        home=home or "/",
        user=os.environ.get("USER", "") or home.rpartition("/")[2],
        audience="person",
        comments="nocomments" not in options(query),
    )


def is_colored(query: Query) -> bool:
    """Return whether the hook's terminal wants colour."""
    return "color" in options(query)


def options(query: Query) -> list[str]:
    """Return the words that say what is special about the hook's shell: `color`, `nocomments`."""
    return [text for letter, text in query.fields if letter == protocol.OPTIONS]


def width(query: Query) -> int:
    """Return how many columns the hook's terminal has; 80 when it did not say."""
    columns = query.field(protocol.WIDTH)
    return max(int(columns), 20) if columns.isdigit() and len(columns) < 5 and int(columns) else 80


def mark(report: Report) -> str:
    """Return a word that is equal for two reports with the same findings, wherever these stand in the text."""
    from zlib import crc32

    found = sorted({f"{finding.code}\0{finding.target}" for finding in report.verdict.findings})
    return f"{crc32(chr(10).join([report.verdict.reason, *found]).encode('utf-8', 'replace')):08x}"


def nobody_described(report: Report) -> list[str]:
    """Return the programs of the findings that the knowledge base does not know, if these are the only findings."""
    programs = []
    for finding in report.verdict.findings:
        if finding.effect != UNKNOWN_PROGRAM or not finding.target:
            return []
        programs.append(finding.target)
    return programs
