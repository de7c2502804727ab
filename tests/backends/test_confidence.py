"""An answer that is right in form but not sure enough: the gate asks, whatever `fail_mode` says; `ask` escalates."""

from __future__ import annotations

import json

import pytest
from pytest_httpserver import HTTPServer

from tests.backends.servers import OK, StartServer, flat_body, http, packed, run_ask, say, typed_body, verdict_over

ODD: tuple[object, ...] = (-0.1, 1.2, "0.9", None, True, [], {}, "NaN", 10**30)

UNKNOWN = {
    "no-confidence-at-all": flat_body(answer_confidence=..., option_scores=...),
    "confidence-null": flat_body(answer_confidence=None, option_scores=...),
    "map-empty": flat_body(answer_confidence={}, option_scores=...),
    "map-empty-with-scores": flat_body(answer_confidence={}),
    **{f"confidence-{value!r}": flat_body(answer_confidence={"harm": value}) for value in ODD},
}
TYPED_UNKNOWN = {f"typed-{value!r}": typed_body({"confidence": value}) for value in (*ODD, ...)}


def serve(server: HTTPServer, body: object) -> str:
    server.expect_request("/v1/systemone", method="POST").respond_with_json(body)
    return server.url_for("/v1/systemone")


@pytest.mark.parametrize("mode", ["closed", "open"])
@pytest.mark.parametrize("name", [*UNKNOWN, *TYPED_UNKNOWN])
def test_missing_confidence_disables_passage(name: str, mode: str, raw_server: StartServer) -> None:
    body = UNKNOWN.get(name) or TYPED_UNKNOWN[name]
    dialect = "typed" if name in TYPED_UNKNOWN else "flat"
    verdict = verdict_over(raw_server(say(http(packed(body)))).url, dialect=dialect, gate_fail_mode=mode)
    assert (verdict.decision, verdict.reason) == ("ask", "confidence-below-threshold")
    assert verdict.escalate


@pytest.mark.parametrize("name", [*UNKNOWN, *TYPED_UNKNOWN])
def test_ask_escalates_where_confidence_is_unknown(
    name: str, raw_server: StartServer, capsys: pytest.CaptureFixture[str]
) -> None:
    body = UNKNOWN.get(name) or TYPED_UNKNOWN[name]
    url = raw_server(say(http(packed(body)))).url
    where = ("--endpoint", url, "--dialect", "typed" if name in TYPED_UNKNOWN else "flat")
    question = ("--choice", "harm:harmless,risky,destructive")
    assert run_ask("--state", "ls", *question, *where, "--json", "--fail-on-escalate") == 10
    found = json.loads(capsys.readouterr().out)
    assert found["confidence"] == {"harm": None}
    assert (found["escalate"], found["escalated_ids"], found["escalation_reason"]) == (
        True,
        ["harm"],
        "confidence-unknown",
    )


def test_the_confidence_is_that_of_the_answer_given_and_not_of_the_top_option(
    raw_server: StartServer, capsys: pytest.CaptureFixture[str]
) -> None:
    body = {
        "model": "m",
        "answers": {"ok": False},
        "usage": {"input_tokens": 60, "output_tokens": 0},
        "answer_confidence": {"ok": 0.6},
        "option_scores": {"ok": [0.4, 0.6]},
    }
    url = raw_server(say(http(packed(body)))).url
    assert run_ask("--state", "s", "--noul", "ok:0.65", "--endpoint", url, "--dialect", "flat", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answers"]["ok"], found["confidence"]["ok"]) == (False, 0.4)
    assert found["confidence_kind"] == "top_probability"


@pytest.mark.parametrize(
    ("threshold", "answer", "top", "expected"),
    [
        (0.65, True, 0.7, 0.7),
        (0.65, False, 0.6, 0.4),  # either side could be the top one: the smaller counts
        (0.65, False, 0.9, 0.9),
        (0.3, True, 0.9, 0.9),
        (0.3, True, 0.6, 0.4),
        (0.3, False, 0.8, 0.8),
        (0.5, True, 0.8, 0.8),
        (0.5, False, 0.8, 0.8),
    ],
)
def test_without_scores_a_top_probability_is_read_with_the_threshold(
    threshold: float,
    answer: bool,
    top: float,
    expected: float,
    raw_server: StartServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    body = {"model": "m", "answers": {"ok": answer}, "answer_confidence": {"ok": top}}
    url = raw_server(say(http(packed(body)))).url
    assert run_ask("--state", "s", "--noul", f"ok:{threshold}", "--endpoint", url, "--dialect", "flat", "--json") == 0
    assert json.loads(capsys.readouterr().out)["confidence"]["ok"] == pytest.approx(expected)


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("given", ["true", "false", 1, 0, None, "yes", 0.7])
def test_only_a_json_boolean_is_a_flat_yes_or_no(given: object, value: bool, raw_server: StartServer) -> None:
    scores = [0.1, 0.9] if value else [0.9, 0.1]
    body = {"model": "m", "answers": {"harmless": given}, "option_scores": {"harmless": scores}}
    url = raw_server(say(http(packed(body)))).url
    assert verdict_over(url, gate_mode="noul").reason == "decision-service-unavailable"


@pytest.mark.parametrize("given", ["0.9", True, None, -0.1, 1.1, [0.9], 10**30])
def test_only_a_probability_is_a_typed_yes_or_no(given: object, raw_server: StartServer) -> None:
    body = {"model": "m", "answers": {"harmless": {"type": "noul", "noul": given}}}
    url = raw_server(say(http(packed(body)))).url
    assert verdict_over(url, gate_mode="noul", dialect="typed").reason == "decision-service-unavailable"


@pytest.mark.parametrize("given", [1, 11, 7.5, "7", None, True, "NaN", [7]])
def test_a_score_outside_2_to_10_is_no_score(
    given: object, raw_server: StartServer, capsys: pytest.CaptureFixture[str]
) -> None:
    body = {"model": "m", "answers": {"risk": given}, "answer_confidence": {"risk": 0.9}}
    url = raw_server(say(http(packed(body)))).url
    assert run_ask("--state", "s", "--score", "risk", "--endpoint", url, "--dialect", "flat") == 3
    assert "PHOCINAE_BAD_RESPONSE" in capsys.readouterr().err


def test_a_score_that_is_nan_is_no_score(raw_server: StartServer, capsys: pytest.CaptureFixture[str]) -> None:
    body = b'{"model": "m", "answers": {"risk": NaN}, "answer_confidence": {"risk": 0.9}}'
    url = raw_server(say(http(body))).url
    assert run_ask("--state", "s", "--score", "risk", "--endpoint", url, "--dialect", "flat") == 3
    assert "NaN is not JSON" in capsys.readouterr().err


def test_each_type_has_a_bar_of_its_own(raw_server: StartServer, capsys: pytest.CaptureFixture[str]) -> None:
    vector = [0.02, 0.02, 0.3, 0.2, 0.16, 0.1, 0.1, 0.05, 0.05]
    body = {
        "model": "m",
        "answers": {"q": True, "risk": 4},
        "usage": {"input_tokens": 99, "output_tokens": 0},
        "option_scores": {"q": [0.3, 0.7], "risk": vector},
    }
    url = raw_server(say(http(packed(body)))).url
    asked = ("--state", "s", "--noul", "q", "--score", "risk", "--endpoint", url, "--dialect", "flat", "--json")
    assert run_ask(*asked) == 0
    assert json.loads(capsys.readouterr().out)["escalated_ids"] == ["risk"]
    assert run_ask(*asked, "--escalate-at-score", "0.25") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["escalated_ids"], found["escalation_reason"]) == ([], None)
    assert found["escalate_at"] == {"noul": 0.6, "choice": 0.6, "score": 0.25}
    assert run_ask(*asked, "--escalate-at", "0.9", "--escalate-at-score", "0.25", "--fail-on-escalate") == 10
    assert json.loads(capsys.readouterr().out)["escalated_ids"] == ["q"]


@pytest.mark.parametrize("tokens", [512, 700])
def test_a_state_the_model_can_not_have_read_whole_is_never_allowed(tokens: int, raw_server: StartServer) -> None:
    usage = {"input_tokens": tokens, "output_tokens": 0}
    verdict = verdict_over(raw_server(say(http(packed(flat_body(usage=usage))))).url)
    assert (verdict.decision, verdict.reason) == ("ask", "confidence-below-threshold")


def test_without_token_counts_only_a_short_state_counts_as_read_whole(raw_server: StartServer) -> None:
    url = raw_server(say(http(packed(flat_body(usage=...))))).url
    assert verdict_over(url, "frobnicate").decision == "allow"
    assert verdict_over(url, "frobnicate " + "a" * 400).decision == "ask"


def test_a_state_cut_before_sending_is_never_allowed_and_keeps_its_head(raw_server: StartServer) -> None:
    server = raw_server(say(http(packed(flat_body()))))
    verdict = verdict_over(server.url, "frobnicate " + "a " * 5000 + "; rm -rf /")
    assert (verdict.decision, verdict.reason) == ("ask", "confidence-below-threshold")
    sent = json.loads(server.requests[0].partition(b"\r\n\r\n")[2])
    assert sent["state"].startswith("How harmful is this command if it runs?\n")
    assert "input: frobnicate a a" in sent["state"]
    assert sent["state"].endswith("[cut here]")
    assert len(sent["state"]) < 4096 + 100


def test_a_destructive_answer_to_a_cut_state_still_denies(raw_server: StartServer) -> None:
    url = raw_server(say(http(packed(flat_body(2, (0.1, 0.2, 0.7)))))).url
    assert verdict_over(url, "frobnicate " + "a " * 5000).decision == "deny"


def test_a_good_answer_allows_in_both_dialects(httpserver: HTTPServer, raw_server: StartServer) -> None:
    verdict = verdict_over(serve(httpserver, flat_body()))
    assert (verdict.decision, verdict.reason, verdict.confidence) == ("allow", "model-called-it-harmless", 0.9)
    assert verdict.confidence_kind == "top_probability"
    verdict = verdict_over(raw_server(say(http(packed(typed_body()), OK))).url, dialect="typed")
    assert (verdict.decision, verdict.confidence_kind) == ("allow", "chance_corrected")
    assert verdict.confidence == pytest.approx((0.9 - 1 / 3) / (2 / 3))
