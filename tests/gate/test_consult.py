"""What a judge's answer amounts to: floors, failures, wordings, and lines that can't be read to their end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli import errors
from phocinae_cli.backends.embedded import judge
from phocinae_cli.core import reasons
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.questions import ENGINE, Judgement
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import ALLOW, ASK, DENY
from phocinae_cli.gate.decide import decide
from tests.gate.fakes import Scripted, action, case, destructive, finding, harmless, risky, settings

LINE = "frobnicate x"
NAN = float("nan")


@pytest.mark.parametrize("code", [errors.SERVICE_UNAVAILABLE, errors.SERVICE_ERROR, errors.BAD_RESPONSE])
@pytest.mark.parametrize(("fail_mode", "decision"), [("closed", ASK), ("open", ALLOW)])
def test_a_service_without_an_answer_follows_fail_mode(code: str, fail_mode: str, decision: str) -> None:
    ask = Scripted(errors.PhocinaeError(code, "no answer from 127.0.0.1:8155", do="start it with `phocinae serve`"))
    verdict = decide(case(LINE, settings(gate_fail_mode=fail_mode)), ask)
    assert (verdict.decision, verdict.reason) == (decision, reasons.SERVICE_UNAVAILABLE)
    assert "phocinae serve" in verdict.message
    assert verdict.escalate


@pytest.mark.parametrize("error", [ValueError("x"), RecursionError(), KeyError("k"), MemoryError()])
@pytest.mark.parametrize("backend", ["embedded", "service"])
def test_a_judge_that_crashes_asks_even_when_failures_are_open(error: Exception, backend: str) -> None:
    verdict = decide(case(LINE, settings(gate_fail_mode="open", backend=backend)), Scripted(error))
    assert verdict.decision == ASK


def test_an_error_that_is_none_of_the_services_asks_even_when_failures_are_open() -> None:
    ask = Scripted(errors.PhocinaeError(errors.INVALID_CONFIG, "no such model"))
    assert decide(case(LINE, settings(gate_fail_mode="open")), ask).decision == ASK


@pytest.mark.parametrize("confidence", [0.0, 0.3, 0.9, NAN])
def test_a_destructive_answer_is_never_softened_by_low_confidence(confidence: float) -> None:
    verdict = decide(case(LINE), Scripted(destructive(confidence)))
    assert (verdict.decision, verdict.reason) == (DENY, reasons.CALLED_DESTRUCTIVE)


@pytest.mark.parametrize(
    "judgement",
    [
        harmless(0.4499), harmless(NAN), harmless(-0.1), harmless(1.2), harmless(0.99, confidence_kind="none"),
        harmless(0.99, truncated=True), Judgement("safe", 0.99), Judgement("", 0.99), Judgement(None, 1.0),
        Judgement(None, 1.0, decision="ALLOW"), Judgement("harmless", 1.0, decision="approve"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("audience", ["agent", "ci", "person"])
def test_nothing_but_a_confident_claim_of_harmless_passes(judgement: Judgement, audience: str) -> None:
    verdict = decide(case(LINE, audience=audience), Scripted(judgement))
    assert (verdict.decision, verdict.reason) == (ASK, reasons.CONFIDENCE_BELOW_THRESHOLD)
    assert verdict.escalate


def test_the_floor_is_inclusive_and_set_by_min_confidence() -> None:
    assert decide(case(LINE), Scripted(harmless(0.45))).decision == ALLOW
    assert decide(case(LINE, settings(gate_min_confidence=0.9)), Scripted(harmless(0.89))).decision == ASK


def test_an_answer_that_is_no_judgement_asks() -> None:
    ask = Scripted()
    ask.answer = None  # type: ignore[assignment]
    assert decide(case(LINE), ask).decision == ASK


# --- wordings other than harm -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "decision", "reason"),
    [
        ("allow", ALLOW, reasons.CALLED_HARMLESS),
        ("ask", ASK, reasons.CALLED_RISKY),
        ("deny", DENY, reasons.CALLED_DESTRUCTIVE),
    ],
)
def test_a_tri_state_answer_is_taken_at_its_word(word: str, decision: str, reason: str) -> None:
    verdict = decide(case(LINE, settings(gate_mode="tri-state")), Scripted(Judgement(None, 0.9, decision=word)))
    assert (verdict.decision, verdict.reason, verdict.model_decision) == (decision, reason, word)


@pytest.mark.parametrize(
    ("word", "confidence", "risky_decision", "decision"),
    [
        ("allow", 0.8, "deny", ALLOW), ("allow", 0.79, "deny", ASK), ("allow", 0.79, "ask", ASK),
        ("ask", 0.9, "deny", DENY), ("ask", 0.1, "deny", DENY), ("ask", 0.9, "ask", ASK),
        ("deny", 0.9, "ask", ASK), ("deny", 0.9, "deny", DENY),
    ],
)  # fmt: skip
def test_a_yes_or_no_has_its_own_threshold_and_risky_decision(
    word: str, confidence: float, risky_decision: str, decision: str
) -> None:
    using = settings(gate_mode="noul", gate_min_confidence=0.0, gate_risky_decision=risky_decision)
    verdict = decide(case(LINE, using), Scripted(Judgement(None, confidence, decision=word)))
    assert verdict.decision == decision


@pytest.mark.parametrize("word", ["allow", "ask", "deny", "perhaps"])
@pytest.mark.parametrize("mode", ["tri-state", "noul"])
def test_the_stricter_of_a_decision_and_a_harm_counts(word: str, mode: str) -> None:
    both = Judgement("destructive", 0.2, decision=word)
    assert decide(case(LINE, settings(gate_mode=mode)), Scripted(both)).decision == DENY


def test_a_service_that_allows_does_not_lower_the_risk_that_the_engine_saw() -> None:
    both = Judgement("risky", 0.9, decision="allow")
    assert decide(case(LINE, settings(gate_mode="noul")), Scripted(both)).decision == ASK


def test_findings_make_a_judgement_worse_never_better() -> None:
    worse = harmless(findings=(finding(harm="destructive"),))
    assert decide(case(LINE), Scripted(worse)).decision == DENY
    assert decide(case(LINE), Scripted(harmless(findings=(finding(harm="risky"),)))).decision == ASK
    assert decide(case(LINE), Scripted(destructive(findings=(finding(harm="harmless"),)))).decision == DENY


# --- escalation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judgement", "using", "escalate"),
    [
        (harmless(0.6), {}, False),
        (harmless(0.59), {}, True),
        (risky(confidence=0.59), {}, True),
        (risky(confidence=0.6), {}, False),
        (harmless(0.7), {"escalate_at": 0.8}, True),
        (harmless(0.7, judge="service:m"), {"escalate_at_choice": 0.8}, True),
        (harmless(0.7, judge=ENGINE), {"escalate_at_choice": 0.8}, False),
        (harmless(0.7, judge=ENGINE), {"escalate_at": 0.8, "escalate_at_choice": 0.5}, True),
        (harmless(0.7, judge=ENGINE), {"gate_mode": "noul", "escalate_at_noul": 0.9}, False),
        (harmless(0.7, judge="somebody-else"), {"escalate_at_choice": 0.8}, True),
        (harmless(0.7, judge="service:m"), {"escalate_at": 0.8, "escalate_at_choice": 0.5}, False),
        (
            Judgement(None, 0.85, decision="allow", judge="service:m"),
            {"gate_mode": "noul", "escalate_at_noul": 0.9, "escalate_at_choice": 0.1}, True,
        ),
    ],
)  # fmt: skip
def test_escalate_is_a_signal_by_type_of_question(
    judgement: Judgement, using: dict[str, object], escalate: bool
) -> None:
    before = decide(case(LINE), Scripted(judgement))
    verdict = decide(case(LINE, settings(**using)), Scripted(judgement))
    assert verdict.escalate is escalate
    if "gate_mode" not in using:
        assert verdict.decision == before.decision


def test_the_engine_is_known_by_its_name() -> None:
    assert judge(Analysis(), Request("")).judge == ENGINE


# --- lines that can't be read to their end ----------------------------------------------------------------------------


def broken(unfinished: bool = False) -> Analysis:
    return Analysis((action("ls"),), fault="unexpected )", fault_at=3, unfinished=unfinished, plain=True)


@pytest.mark.parametrize("audience", ["agent", "person"])
@pytest.mark.parametrize("judgement", [harmless(), risky(finding())])
def test_a_syntax_error_asks_whatever_the_rest_is(audience: str, judgement: Judgement) -> None:
    verdict = decide(case(broken(), audience=audience), Scripted(judgement))
    assert (verdict.decision, verdict.reason, verdict.note) == (ASK, reasons.LINE_NOT_READABLE, "")
    assert "unexpected )" in verdict.message


def test_a_syntax_error_does_not_soften_a_denial() -> None:
    verdict = decide(case(broken()), Scripted(destructive()))
    assert (verdict.decision, verdict.reason) == (DENY, reasons.CALLED_DESTRUCTIVE)


def test_an_unfinished_line_at_a_prompt_is_judged_as_it_stands_and_marked() -> None:
    verdict = decide(case(broken(unfinished=True), audience="person"), Scripted(harmless()))
    assert (verdict.decision, verdict.reason) == (ALLOW, reasons.CALLED_HARMLESS)
    assert "unfinished" in verdict.message
    assert decide(case(broken(unfinished=True), audience="person"), Scripted(risky())).decision == ASK


@pytest.mark.parametrize("audience", ["agent", "ci"])
def test_nobody_finishes_the_line_of_a_job(audience: str) -> None:
    verdict = decide(case(broken(unfinished=True), audience=audience), Scripted(harmless()))
    assert (verdict.decision, verdict.reason) == (ASK, reasons.LINE_NOT_READABLE)
    assert decide(case(broken(unfinished=True), audience=audience), Scripted(destructive())).decision == DENY


@given(
    st.sampled_from(["harmless", "risky", "destructive", None, "odd"]),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([None, "allow", "ask", "deny", "odd"]),
    st.booleans(),
    st.sampled_from(["harm", "tri-state", "noul"]),
    st.sampled_from(["agent", "ci", "person"]),
)
def test_passage_always_rests_on_a_positive_claim(
    harm: str | None, confidence: float, word: str | None, truncated: bool, mode: str, audience: str
) -> None:
    judgement = Judgement(harm, confidence, truncated=truncated, decision=word)
    verdict = decide(case(LINE, settings(gate_mode=mode), audience), Scripted(judgement))
    if verdict.decision == ALLOW:
        assert harm in ("harmless", None)
        assert word in ("allow", None)
        assert (harm, word) != (None, None)
        assert not truncated
        assert 0.45 <= confidence <= 1.0
