from __future__ import annotations

from pathlib import Path

import pytest

from phocinae_cli import __version__
from phocinae_cli.core import reasons
from phocinae_cli.core.report import Report
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import ALLOW, ASK, DENY, Finding, Verdict
from phocinae_cli.errors import INVALID_CONFIG, PhocinaeError
from phocinae_cli.resident.protocol import Query
from phocinae_cli.resident.question import Desk
from phocinae_cli.state.approvals import Approvals


class Judge:
    """Answers from a table of texts, and remembers what it was asked; everything else is allowed."""

    def __init__(self, **verdicts: Verdict) -> None:
        self.verdicts = verdicts
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Report:
        self.asked.append(request)
        return Report(request, self.verdicts.get(request.text, Verdict(ALLOW, reasons.CALLED_HARMLESS)))


def query(text: str, *more: tuple[str, str], verb: str = "check", number: str = "1") -> Query:
    return Query(
        number, verb, [("s", "bash"), ("h", __version__), ("c", "/work"), ("d", "/home/me"), ("t", text), *more]
    )


def risky(effect: str = "delete", code: str = "x.y", target: str = "it") -> Verdict:
    finding = Finding(code, effect, target, "risky", "why", start=0, end=2)
    return Verdict(ASK, reasons.CALLED_RISKY, findings=(finding,))


@pytest.fixture
def approvals(tmp_path: Path) -> Approvals:
    return Approvals(str(tmp_path / "approvals.jsonl"))


def test_the_judge_is_told_who_asks_and_what_the_shell_knows() -> None:
    judge = Judge()
    Desk(judge).answer(query("ll $X", ("a", "ll=ls -l"), ("f", "g=g () { :; }"), ("v", "X=a=b")))
    asked = judge.asked[0]
    assert (asked.audience, asked.shell, asked.cwd, asked.home) == ("person", "bash", "/work", "/home/me")
    assert (asked.aliases, asked.functions, asked.env) == ({"ll": "ls -l"}, {"g": "g () { :; }"}, {"X": "a=b"})


@pytest.mark.parametrize(
    ("more", "comments"),
    [
        ((), True),
        ((("o", "color"),), True),
        ((("o", "nocomments"),), False),
        ((("o", "color"), ("o", "nocomments")), False),
    ],
)
def test_the_judge_is_told_whether_the_shell_has_comments(more: tuple[tuple[str, str], ...], comments: bool) -> None:
    judge = Judge()
    reply = Desk(judge).answer(query("# x", *more))
    assert (judge.asked[0].comments, reply.word) == (comments, ALLOW)


def test_an_allowed_line_says_nothing_and_a_note_is_one_line() -> None:
    assert Desk(Judge()).answer(query("ls")).message == ""
    noted = Verdict(ALLOW, reasons.CALLED_RISKY, note="sends commits")
    assert Desk(Judge(push=noted)).answer(query("push")).message == "phocinae: sends commits\n"
    assert (
        Desk(Judge(push=noted)).answer(query("push", ("o", "color"))).message
        == "\x1b[2mphocinae: sends commits\x1b[0m\n"
    )


def test_a_denied_line_comes_with_a_code_that_lets_exactly_it_run_once(approvals: Approvals) -> None:
    judge = Judge(rm=Verdict(DENY, reasons.CALLED_DESTRUCTIVE))
    said = Desk(judge, approvals).answer(query("rm"))
    assert said.word == DENY
    code = said.message.partition("--once ")[2].partition("`")[0]
    approvals.allow_once(code)
    assert not approvals.spend("rm", "/elsewhere")
    assert not approvals.spend("rm ", "/work")
    assert approvals.spend("rm", "/work")
    assert not approvals.spend("rm", "/work")


@pytest.mark.parametrize("reason", [reasons.NEVER, reasons.DENIED_BY_RULE])
def test_where_no_approval_counts_no_code_is_offered(approvals: Approvals, reason: str) -> None:
    said = Desk(Judge(rm=Verdict(DENY, reason)), approvals).answer(query("rm"))
    assert "--once" not in said.message


def test_a_code_that_can_not_be_kept_changes_nothing_about_the_denial() -> None:
    desk = Desk(Judge(rm=Verdict(DENY, reasons.CALLED_DESTRUCTIVE)), Approvals("/proc/nowhere/approvals"))
    said = desk.answer(query("rm"))
    assert (said.word, "--once" in said.message) == (DENY, False)


def test_a_broken_configuration_asks_and_says_what_to_mend() -> None:
    def check(request: Request) -> Report:
        raise PhocinaeError(INVALID_CONFIG, "the configuration has a fault", "mend it", ("line 3",))

    said = Desk(check).answer(query("ls"))
    assert (said.word, said.keys) == (ASK, "yne")
    for part in ("the configuration has a fault", "line 3", "mend it", INVALID_CONFIG):
        assert part in said.message


def test_any_failure_at_all_asks() -> None:
    def check(request: Request) -> Report:
        raise RecursionError("too deep\x1b[2J")

    said = Desk(check).answer(query("ls"))
    assert (said.word, "\x1b" in said.message) == (ASK, False)


def test_a_denial_that_can_not_be_put_into_words_stays_one() -> None:
    verdict = Verdict(DENY, reasons.CALLED_DESTRUCTIVE)
    verdict.findings = (None,)  # type: ignore[assignment]
    assert Desk(Judge(rm=verdict)).answer(query("rm")).word == DENY


@pytest.mark.parametrize(
    ("verdict", "kept", "keys"),
    [
        (risky(), True, "ynae?"),
        (risky("unknown", "unknown", "frob"), True, "ynape?"),
        (risky(), False, "yne?"),
        (Verdict(ASK, reasons.LINE_NOT_READABLE), True, "yne?"),
    ],
)
def test_the_keys_on_offer(approvals: Approvals, verdict: Verdict, kept: bool, keys: str) -> None:
    assert Desk(Judge(x=verdict), approvals if kept else None).answer(query("x")).keys == keys


def test_always_is_kept_for_what_runs_and_only_while_it_would_be_asked(approvals: Approvals) -> None:
    desk = Desk(Judge(x=risky(), y=Verdict(DENY, reasons.CALLED_DESTRUCTIVE)), approvals)
    assert desk.answer(query("x", verb="approve")).word == "done"
    assert approvals.approved("x", "/work")
    assert desk.answer(query("y", verb="approve")).word == "failed"
    assert not approvals.approved("y", "/work")
    assert desk.answer(query("x", verb="program")).word == "failed" or approvals.programs() == ()


def test_a_program_is_kept_by_its_name(approvals: Approvals) -> None:
    desk = Desk(Judge(x=risky("unknown", "unknown", "frob")), approvals)
    assert desk.answer(query("x", verb="program")).word == "done"
    assert approvals.programs() == ("frob",)


def test_what_will_run_decides_and_what_was_typed_is_shown_where_it_says_the_same() -> None:
    judge = Judge(real=risky(), typed=risky(code="as.typed"))
    assert "as.typed" in Desk(judge).answer(query("typed", ("x", "real"))).message
    judge = Judge(real=risky(), typed=Verdict(ALLOW, reasons.CALLED_HARMLESS))
    assert Desk(judge).answer(query("typed", ("x", "real"))).word == ASK
    # bash does not tell what it will run, so there a denial of the text as typed counts too.
    judge = Judge(typed=Verdict(DENY, reasons.CALLED_DESTRUCTIVE))
    assert Desk(judge).answer(query("typed", ("x", "real"))).word == DENY
    zsh = Query("1", "check", [("s", "zsh"), ("t", "typed"), ("x", "real")])
    assert Desk(judge).answer(zsh).word == ALLOW


def test_marks_are_equal_for_the_same_findings_wherever_they_stand() -> None:
    one, two, other = risky(), risky(), risky(target="another")
    two.findings[0].start = 5
    marks = [Desk(Judge(x=verdict)).answer(query("x")).mark for verdict in (one, two, other)]
    assert marks[0] == marks[1] != marks[2]


def test_a_notice_is_told_once() -> None:
    desk = Desk(Judge())
    old = Query("1", "check", [("s", "bash"), ("h", "0.0.1"), ("t", "ls")])
    assert "0.0.1" in desk.answer(old).message
    assert desk.answer(old).message == ""
