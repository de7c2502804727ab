"""`backend = both`: the stricter of two judges, and a service that fails never opens what the engine would hold."""

from __future__ import annotations

import pytest
from pytest_httpserver import HTTPServer

from phocinae_cli.backends.service import make_ask
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.verdict import Finding, Verdict
from phocinae_cli.gate.decide import decide
from tests.backends.servers import case_for, flat_body, settings_for

FINDING = Finding("x.y", "delete", "data", "risky", "removes data")
JUDGEMENTS = {
    "harmless": lambda: Judgement("harmless", 0.97, judge="phocinae-embedded-1"),
    "unsure": lambda: Judgement("harmless", 0.2, judge="phocinae-embedded-1"),
    "risky": lambda: Judgement("risky", 0.9, (FINDING,), "phocinae-embedded-1"),
    "unknown": lambda: Judgement(None, 0.3, judge="phocinae-embedded-1"),
    "destructive": lambda: Judgement("destructive", 0.97, judge="phocinae-embedded-1"),
}
SCORES = {"harmless": (0.9, 0.06, 0.04), "risky": (0.1, 0.8, 0.1), "destructive": (0.05, 0.05, 0.9)}
PLACES = {"harmless": 0, "risky": 1, "destructive": 2}
DECISIONS = {"harmless": "allow", "unsure": "ask", "risky": "ask", "unknown": "ask", "destructive": "deny"}
ORDER = ("allow", "ask", "deny")


def verdict(url: str, own: str, **changes: object) -> Verdict:
    settings = settings_for(url, backend="both", **changes)
    return decide(case_for("frobnicate", settings), make_ask(settings, lambda *_: JUDGEMENTS[own](), environment={}))


@pytest.mark.parametrize("own", JUDGEMENTS)
@pytest.mark.parametrize("other", SCORES)
def test_the_stricter_of_the_two_counts(own: str, other: str, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body(PLACES[other], SCORES[other]))
    found = verdict(httpserver.url_for("/"), own)
    assert found.decision == max(DECISIONS[own], DECISIONS[other], key=ORDER.index)


def test_what_the_engine_calls_destructive_makes_no_request(httpserver: HTTPServer) -> None:
    assert verdict(httpserver.url_for("/"), "destructive").decision == "deny"
    assert httpserver.log == []


def test_a_service_that_is_not_sure_makes_the_line_ask(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body(0, (0.4, 0.35, 0.25)))
    assert verdict(httpserver.url_for("/"), "harmless").reason == "confidence-below-threshold"


def test_the_engine_s_findings_stay_with_the_service_s_answer(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body(2, SCORES["destructive"]))
    assert verdict(httpserver.url_for("/"), "risky").findings == (FINDING,)


@pytest.mark.parametrize("own", JUDGEMENTS)
@pytest.mark.parametrize("mode", ["closed", "open"])
def test_without_the_service_nothing_passes_that_the_engine_would_hold(own: str, mode: str) -> None:
    found = verdict("http://127.0.0.1:9", own, gate_fail_mode=mode)
    if own == "harmless":
        assert found.decision == ("allow" if mode == "open" else "ask")
        assert found.reason == "decision-service-unavailable"
    else:
        assert found.decision == DECISIONS[own]


@pytest.mark.parametrize("mode", ["tri-state", "noul"])
def test_the_other_formulations_can_raise_too(mode: str, httpserver: HTTPServer) -> None:
    name, answer = ("action", 2) if mode == "tri-state" else ("harmless", False)
    scores = [0.05, 0.05, 0.9] if mode == "tri-state" else [0.9, 0.1]
    body = {"model": "m", "answers": {name: answer}, "option_scores": {name: scores}}
    httpserver.expect_request("/v1/systemone").respond_with_json(body)
    assert verdict(httpserver.url_for("/"), "harmless", gate_mode=mode).decision == "deny"


def test_an_endpoint_that_may_not_be_used_asks_whatever_fail_mode_says() -> None:
    assert verdict("http://10.0.0.1:1", "harmless", gate_fail_mode="open").decision == "ask"
