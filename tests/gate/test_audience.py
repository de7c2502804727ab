"""Who is asked about what: a person who typed the line has reviewed it, a job has not."""

from __future__ import annotations

import pytest

from phocinae_cli.core import reasons
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.verdict import ALLOW, ASK, DENY
from phocinae_cli.gate.decide import decide
from tests.gate.fakes import Scripted, case, destructive, finding, risky, settings

PUSH = risky(finding("easy"))


def test_what_is_easily_undone_passes_at_a_prompt_with_one_line() -> None:
    verdict = decide(case("git push", audience="person"), Scripted(PUSH))
    assert (verdict.decision, verdict.reason, verdict.harm) == (ALLOW, reasons.CALLED_RISKY, "risky")
    assert (verdict.model_decision, verdict.note) == (ASK, "publishes commits")


@pytest.mark.parametrize("audience", ["agent", "ci"])
def test_a_job_is_asked_about_the_same_line(audience: str) -> None:
    verdict = decide(case("git push", audience=audience), Scripted(PUSH))
    assert (verdict.decision, verdict.note) == (ASK, "")


@pytest.mark.parametrize(
    "judgement",
    [
        risky(),
        risky(finding("hard")),
        risky(finding("none")),
        risky(finding("")),
        risky(finding("easy"), finding("hard")),
        risky(finding("easy", certain=False)),
        risky(finding("easy"), finding("easy", certain=False)),
        risky(finding("easy"), finding("easy", certain=False, harm="harmless")),
        risky(finding("easy"), confidence=0.44),
        risky(finding("easy"), confidence_kind="none"),
        risky(finding("easy"), truncated=True),
        risky(finding("easy"), decision="ask"),
        risky(finding("easy", harm="harmless")),
    ],
)
def test_what_is_lost_for_good_or_not_known_asks_everybody(judgement: Judgement) -> None:
    verdict = decide(case("git push", audience="person"), Scripted(judgement))
    assert (verdict.decision, verdict.note) == (ASK, "")


def test_deny_is_the_same_for_all() -> None:
    verdict = decide(case("git push", audience="person"), Scripted(destructive(findings=(finding("easy"),))))
    assert verdict.decision == DENY


def test_strict_behaviour_and_silence_are_settings() -> None:
    strict = settings(gate_person_asks="risky")
    assert decide(case("git push", strict, "person"), Scripted(PUSH)).decision == ASK
    silent = settings(gate_person_notes=False)
    verdict = decide(case("git push", silent, "person"), Scripted(PUSH))
    assert (verdict.decision, verdict.note) == (ALLOW, "")


def test_the_note_is_one_line_however_many_findings_there_are() -> None:
    many = risky(finding("easy"), finding("easy", why="restarts a service"), finding("easy", harm="harmless"))
    assert decide(case("x", audience="person"), Scripted(many)).note == "publishes commits (and 1 more)"
