"""The defects that the first plugin had stay repaired: one test each, named by what it got wrong."""

from __future__ import annotations

import pytest
from pytest_httpserver import HTTPServer

from phocinae_cli.backends.service import make_ask
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.verdict import Verdict
from phocinae_cli.gate.case import Case
from phocinae_cli.gate.decide import decide
from tests.backends.servers import MODEL, case_for, flat_body, never_embedded, settings_for, verdict_over


def answering(server: HTTPServer, **changes: object) -> str:
    server.expect_request("/v1/systemone", method="POST").respond_with_json(flat_body(**changes))
    return server.url_for("/v1/systemone")


def gate(url: str, case_text: str, plain: bool = True, tool: str = "shell", **changes: object) -> Verdict:
    settings = settings_for(url, **changes)
    case = case_for(case_text, settings, tool=tool)
    analysis = Analysis(case.analysis.actions, plain=plain)
    return decide(Case(case.request, settings, analysis), make_ask(settings, never_embedded, environment={}))


def test_answers_are_read_by_id_and_never_by_position(httpserver: HTTPServer) -> None:
    url = answering(httpserver, harm=2, scores=(0.02, 0.05, 0.93))
    assert verdict_over(url).decision == "deny"
    assert len(httpserver.log) == 1


def test_an_unreachable_service_never_allows() -> None:
    verdict = verdict_over("http://127.0.0.1:9/v1/systemone")
    assert (verdict.decision, verdict.reason) == ("ask", "decision-service-unavailable")
    assert "phocinae serve" in verdict.message


def test_an_unreachable_service_allows_only_where_the_user_said_so() -> None:
    assert verdict_over("http://127.0.0.1:9/v1/systemone", gate_fail_mode="open").decision == "allow"


def test_verdicts_are_returned_and_not_raised(httpserver: HTTPServer) -> None:
    url = answering(httpserver, harm=1, scores=(0.1, 0.77, 0.13))
    verdict = verdict_over(url)
    assert isinstance(verdict, Verdict)
    assert (verdict.decision, verdict.reason) == ("ask", "model-called-it-risky")
    assert verdict.message


def test_a_malformed_body_asks(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/systemone").respond_with_json({"model": "x", "answers": [False], "usage": {}})
    assert verdict_over(httpserver.url_for("/v1/systemone")).decision == "ask"


@pytest.mark.parametrize("tool", ["bash", "pwsh", "shell", "Terminal.Run", "write_file"])
def test_every_tool_is_covered_by_default(tool: str, httpserver: HTTPServer) -> None:
    url = answering(httpserver, harm=1, scores=(0.02, 0.95, 0.03))
    assert gate(url, "frobnicate", tool=tool).decision == "ask"
    assert len(httpserver.log) == 1
    assert tool in httpserver.log[0][0].get_data(as_text=True)


def test_a_selected_tool_list_leaves_others_alone_without_a_request(httpserver: HTTPServer) -> None:
    url = answering(httpserver, harm=2, scores=(0.0, 0.01, 0.99))
    assert gate(url, "frobnicate", tool="pwsh", gate_tools=("pwsh",)).decision == "deny"
    other = gate(url, "frobnicate", tool="read_file", gate_tools=("pwsh",))
    assert (other.decision, other.reason) == ("allow", "tool-not-gated")
    assert len(httpserver.log) == 1


def test_an_allow_listed_command_makes_no_request(httpserver: HTTPServer) -> None:
    url = answering(httpserver, harm=2, scores=(0.0, 0.01, 0.99))
    verdict = gate(url, "git status")
    assert (verdict.decision, verdict.reason) == ("allow", "command-on-auto-allow-list")
    assert httpserver.log == []


def test_a_chained_command_is_never_auto_allowed(httpserver: HTTPServer) -> None:
    url = answering(httpserver, harm=2, scores=(0.01, 0.01, 0.98))
    assert gate(url, "git status && frobnicate -rf /srv", plain=False).decision == "deny"
    assert len(httpserver.log) == 1


def test_a_low_confidence_allow_is_reviewed(httpserver: HTTPServer) -> None:
    verdict = verdict_over(answering(httpserver, harm=0, scores=(0.4, 0.3, 0.3)))
    assert (verdict.decision, verdict.reason) == ("ask", "confidence-below-threshold")
    assert (verdict.escalate, verdict.model_decision) == (True, "allow")


def test_a_low_confidence_deny_is_not_softened(httpserver: HTTPServer) -> None:
    verdict = verdict_over(answering(httpserver, harm=2, scores=(0.32, 0.33, 0.35)))
    assert (verdict.decision, verdict.confidence) == ("deny", 0.35)


@pytest.mark.parametrize(("answer", "expected"), [(0, "allow"), (1, "ask"), (2, "deny")])
def test_harm_mode_passes_only_harmless(answer: int, expected: str, httpserver: HTTPServer) -> None:
    scores = tuple(0.9 if place == answer else 0.05 for place in range(3))
    assert verdict_over(answering(httpserver, harm=answer, scores=scores)).decision == expected


def test_missing_confidence_disables_passage(httpserver: HTTPServer) -> None:
    assert verdict_over(answering(httpserver, answer_confidence=..., option_scores=...)).decision == "ask"


def test_the_escalation_signal_is_present(httpserver: HTTPServer) -> None:
    unsure = verdict_over(answering(httpserver, harm=0, scores=(0.5, 0.3, 0.2)))
    assert (unsure.decision, unsure.escalate) == ("allow", True)
    httpserver.clear()
    sure = verdict_over(answering(httpserver))
    assert (sure.decision, sure.escalate) == ("allow", False)


@pytest.mark.parametrize(("answer", "expected"), [(0, "allow"), (1, "ask"), (2, "deny")])
def test_tri_state_decides_as_it_was_answered(answer: int, expected: str, httpserver: HTTPServer) -> None:
    scores = [0.9 if place == answer else 0.05 for place in range(3)]
    body = {"model": MODEL, "answers": {"action": answer}, "option_scores": {"action": scores}}
    httpserver.expect_request("/v1/systemone").respond_with_json(body)
    assert verdict_over(httpserver.url_for("/v1/systemone"), "frob", gate_mode="tri-state").decision == expected


@pytest.mark.parametrize(
    ("answer", "scores", "risky", "expected"),
    [
        (True, [0.1, 0.9], "deny", "allow"),
        (False, [0.9, 0.1], "deny", "deny"),
        (False, [0.9, 0.1], "ask", "ask"),
        (False, [0.25, 0.75], "deny", "ask"),  # more likely harmless than not, yet below the threshold
        (True, None, "deny", "ask"),  # no word on how sure it is
        (False, None, "deny", "deny"),
    ],
)
def test_noul_passes_only_a_yes_above_the_threshold(
    answer: bool, scores: list[float] | None, risky: str, expected: str, httpserver: HTTPServer
) -> None:
    body: dict[str, object] = {"model": MODEL, "answers": {"harmless": answer}}
    if scores:
        body["option_scores"] = {"harmless": scores}
    httpserver.expect_request("/v1/systemone").respond_with_json(body)
    url = httpserver.url_for("/v1/systemone")
    assert verdict_over(url, "frob", gate_mode="noul", gate_risky_decision=risky).decision == expected
    sent = httpserver.log[0][0].get_json()
    assert sent["questions"] == [{"id": "harmless", "type": "noul", "threshold": 0.8}]
