"""`phocinae ask` as it is typed: states, questions, rows, what is printed and what the status says."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.backends.servers import run_ask

HARM = ("--choice", "harm:harmless,risky,destructive")


class FlatModel:
    """A flat service that gives every question its last possibility, unless the state says which one."""

    def __init__(self, server: HTTPServer) -> None:
        self.states: list[str] = []
        server.expect_request("/v1/models").respond_with_json({"data": [{"id": "m"}]})
        server.expect_request("/v1/systemone", method="POST").respond_with_handler(self.one)
        server.expect_request("/v1/systemone/batch", method="POST").respond_with_handler(self.batch)
        self.where = ("--endpoint", server.url_for("/"))

    def one(self, request: Request) -> Response:
        return self._send(self._answer(request.get_json()))

    def batch(self, request: Request) -> Response:
        return self._send([self._answer(item) for item in request.get_json()])

    def _answer(self, body: dict[str, Any]) -> dict[str, Any]:
        self.states.append(body["state"])
        if "break" in body["state"]:
            return {"model": "m", "answers": [0]}
        scores = {}
        answers = {}
        for question in body["questions"]:
            count = {"noul": 2, "score": 9}.get(question["type"]) or len(question["options"])
            scores[question["id"]] = [0.2 / (count - 1)] * (count - 1) + [0.8]
            answers[question["id"]] = {"noul": True, "score": 10}.get(question["type"], count - 1)
        return {
            "model": "m",
            "answers": answers,
            "option_scores": scores,
            "usage": {"input_tokens": 9, "output_tokens": 0},
        }

    def _send(self, body: object) -> Response:
        return Response(json.dumps(body), content_type="application/json")


@pytest.fixture
def service(httpserver: HTTPServer) -> FlatModel:
    return FlatModel(httpserver)


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_the_three_types_in_one_go(service: FlatModel, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--state", "s", "--noul", "ok:0.7", *HARM, "--score", "risk")
    assert run_ask(*asked, *service.where, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["answers"] == {"ok": True, "harm": "destructive", "risk": 10}
    assert found["confidence"] == {"ok": 0.8, "harm": 0.8, "risk": 0.8}
    assert (found["model"], found["asked_model"], found["engine"], found["dialect"]) == (
        "m",
        "Phocinae-Largha-150M-v1",
        "service",
        "flat",
    )
    assert found["option_scores"]["ok"] == [0.2, 0.8]
    assert found["usage"] == {"input_tokens": 9, "output_tokens": 0}
    assert set(found) == {
        "schema", "answers", "confidence", "confidence_kind", "option_scores", "escalate", "escalated_ids",
        "escalation_reason", "escalate_at", "usage", "model", "asked_model", "answered_by", "engine", "dialect",
        "truncated", "flipped", "error",
    }  # fmt: skip


def test_value_prints_the_answers_alone(service: FlatModel, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_ask("--state", "s", "--noul", "ok", *HARM, "--score", "risk", *service.where, "--value") == 0
    assert capsys.readouterr().out == "true\ndestructive\n10\n"


def test_a_person_reads_who_answered_and_how_sure(service: FlatModel, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_ask("--state", "s", *HARM, *service.where, "--escalate-at", "0.9") == 0
    assert capsys.readouterr().out == (
        "harm: destructive (confidence 0.80, escalate)\n"
        "answered by m (service, Phocinae-Largha-150M-v1 was asked for)\n"
        "escalate harm: an answer is less sure than asked for [confidence-below-threshold]\n"
    )


def test_the_state_comes_from_a_file_or_standard_input(
    service: FlatModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state"
    file.write_bytes("from a file ü".encode())
    assert run_ask("--state", f"@{file}", *HARM, *service.where, "--value") == 0
    stdin(monkeypatch, b"from standard input \xff")
    assert run_ask("--state", "-", *HARM, *service.where, "--value") == 0
    assert service.states == ["from a file ü", "from standard input \\udcff"]


@pytest.mark.parametrize("kind", ["json", "toml", "json-array"])
def test_questions_in_full_form(kind: str, service: FlatModel, tmp_path: Path) -> None:
    file = tmp_path / f"questions.{kind[:4]}"
    if kind == "toml":
        file.write_text(
            '[questions.team]\ntype = "choice"\ninstructions = "Which team?"\ncriteria = {a = "billing", b = ""}'
        )
    else:
        row = {"type": "choice", "instructions": "Which team?", "criteria": {"a": "billing", "b": None}}
        file.write_text(json.dumps([{"id": "team", **row}] if kind == "json-array" else {"questions": {"team": row}}))
    assert run_ask("--state", "s", "--questions", str(file), *service.where, "--value") == 0
    assert service.states == ["Which team?\ns"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "no object"),
        ('{"q": {"type": "box"}}', "type must be"),
        ('{"q": {"type": "noul", "colour": 1}}', "no field called 'colour'"),
        ('{"q": {"type": "noul", "threshold": "x"}}', "threshold must be a number"),
        ('{"q": {"type": "choice"}}', "0 options"),
        ('{"q": {"type": "choice", "options": ["a", null]}}', "array of texts"),
        ('[{"type": "noul"}]', "id must be a text"),
        ("{}", "no question"),
        ('"x"', "array or an object"),
        ('{"q": {"type": "noul", "criteria": {"maybe": "x"}}}', "'maybe'"),
        ('{"q": {"type": "noul", "instructions": 7}}', "instructions must be a text"),
        ('{"q": {"type": "choice", "criteria": {"a": true, "b": null}}}', "criteria must be a text"),
        ('{"q": {"type": "score", "levels": ["low", 2]}}', "levels must be a text"),
    ],
)
def test_what_is_wrong_with_questions_is_said(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "q.json"
    file.write_text(text)
    assert run_ask("--state", "s", "--questions", str(file)) == 2
    assert said in capsys.readouterr().err


def test_values_that_only_toml_has_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "q.toml"
    file.write_text('[a]\ntype = "noul"\ninstructions = {from = 2026-01-01}\n[b]\ntype = "noul"\nthreshold = nan\n')
    assert run_ask("--state", "s", "--questions", str(file)) == 2
    err = capsys.readouterr().err
    assert "'a': instructions" in err


def test_every_mistake_in_a_question_file_is_reported_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "q.json"
    file.write_text('{"a": {"type": "box"}, "b": {"type": "noul", "threshold": "x"}, "c": 1}')
    assert run_ask("--state", "s", "--questions", str(file)) == 2
    err = capsys.readouterr().err
    assert "'a'" in err
    assert "'b'" in err
    assert "'c'" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--state", "s"),
        HARM,
        ("--state", "s", *HARM, "--json", "--value"),
        ("--state", "s", *HARM, "--record", "a", "--replay", "b"),
        ("--state", "s", *HARM, "--output", "f"),
        ("--state", "s", *HARM, "--max-time", "3"),
        ("--state", "s", "--jsonl", "-", *HARM),
        ("--jsonl", "-", *HARM, "--value"),
        ("--state", "s", "--noul", "a:2"),
        ("--state", "s", "--noul", "a:x"),
        ("--state", "s", "--choice", "a"),
        ("--state", "s", "--choice", "a:"),
        ("--state", "s", "--choice", "a:x,x"),
        ("--state", "s", "--noul", "a", "--noul", "a"),
        ("--state", "s", *HARM, "--set", "modle=x"),
        ("--state", "s", *HARM, "--backend", "nobody"),
        ("--state", "s", *HARM, "--dialect", "french"),
        ("--state", "s", *HARM, "--template", "{nothing}", "--dry-run"),
    ],
)
def test_wrong_usage_exits_2_and_sends_nothing(
    arguments: tuple[str, ...], service: FlatModel, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_ask(*arguments) == 2
    assert service.states == []
    assert capsys.readouterr().out == ""


def test_a_template_is_filled_once(service: FlatModel) -> None:
    template = "Is it bad?\ncommand: {state}\nnot {a field} nor {}"
    assert run_ask("--state", "echo {state} {x}", *HARM, "--template", template, *service.where, "--value") == 0
    assert service.states == ["Is it bad?\ncommand: echo {state} {x}\nnot {a field} nor {}"]


def test_a_dry_run_shows_the_request_and_sends_nothing(service: FlatModel, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--state", "x --password hunter22", "--noul", "ok:0.7", *HARM, *service.where, "--dialect", "flat")
    assert run_ask(*asked, "--dry-run") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["requests"][0]["questions"][0] == {"id": "ok", "type": "noul", "threshold": 0.7}
    assert found["url"].endswith("/v1/systemone")
    assert "hunter22" not in json.dumps(found)
    assert service.states == []


def test_permute_reports_what_flips(service: FlatModel, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_ask("--state", "s", *HARM, "--noul", "ok", *service.where, "--permute", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["flipped"] == ["harm"]
    assert found["escalated_ids"] == ["harm"]
    assert found["escalation_reason"] == "option-order-flips-it"


# --- rows -------------------------------------------------------------------------------------------------------------


def rows_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("batch", ["1", "2", "64"])
def test_rows_are_answered_in_order_with_errors_in_their_place(
    batch: str, service: FlatModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    lines = [
        '{"id": "a", "state": "one"}',
        "",
        '{"state": "break"}',
        "nonsense",
        '{"id": 7}',
        '{"id": "z", "state": "two", "questions": [{"id": "more", "type": "noul"}]}',
        "[]",
    ]
    file.write_text("\n".join(lines) + "\n")
    assert run_ask("--jsonl", str(file), *HARM, *service.where, "--batch", batch) == 3
    out, err = capsys.readouterr()
    found = rows_of(out)
    assert [row["row"] for row in found] == [1, 3, 4, 5, 6, 7]
    assert [(row["error"] or {}).get("code") for row in found][2:] == [
        "PHOCINAE_INVALID_ARGUMENTS",
        "PHOCINAE_INVALID_ARGUMENTS",
        None,
        "PHOCINAE_INVALID_ARGUMENTS",
    ]
    assert found[0]["answers"] == {"harm": "destructive"}
    assert found[1]["error"]["code"] == "PHOCINAE_BAD_RESPONSE"
    assert found[4]["answers"] == {"harm": "destructive", "more": True}
    assert (found[0]["id"], found[3]["id"], found[4]["id"]) == ("a", 7, "z")
    assert "of 6 rows had an error" in err


def test_a_template_takes_any_field_of_a_row(
    service: FlatModel, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(monkeypatch, b'{"title": "T", "tags": ["a"]}\n{"title": "U"}\n')
    assert run_ask("--jsonl", "-", *HARM, "--template", "{title}: {tags}", *service.where) == 3
    found = rows_of(capsys.readouterr().out)
    assert service.states == ['T: ["a"]']
    assert "{tags}" in found[1]["error"]["message"]


def test_a_stopped_run_goes_on_where_it_was(
    service: FlatModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, output = tmp_path / "rows.jsonl", tmp_path / "answers.jsonl"
    source.write_text("".join(f'{{"state": "row {number}"}}\n' for number in range(6)))
    asked = ("--jsonl", str(source), *HARM, *service.where, "--output", str(output))
    assert run_ask(*asked) == 0
    whole = output.read_bytes()
    lines = whole.splitlines(keepends=True)
    output.write_bytes(b"".join(lines[:3]) + lines[3][:20])  # a stop tore the fourth line
    service.states.clear()
    assert run_ask(*asked) == 0
    assert output.read_bytes() == whole
    assert service.states == ["row 3", "row 4", "row 5"]
    assert run_ask(*asked) == 0
    assert service.states == ["row 3", "row 4", "row 5"]
    assert capsys.readouterr().out == ""


def test_answers_to_other_rows_are_not_gone_on_with(
    service: FlatModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, output = tmp_path / "rows.jsonl", tmp_path / "answers.jsonl"
    source.write_text('{"state": "a"}\n')
    asked = ("--jsonl", str(source), *HARM, *service.where, "--output", str(output))
    assert run_ask(*asked) == 0
    source.write_text('{"state": "b"}\n')
    before = output.read_bytes()
    assert run_ask(*asked) == 2
    assert "answers other rows" in capsys.readouterr().err
    assert output.read_bytes() == before


def test_max_time_stops_before_the_next_row_and_says_how_to_go_on(
    service: FlatModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "rows.jsonl"
    source.write_text('{"state": "a"}\n{"state": "b"}\n')
    asked = ("--jsonl", str(source), *HARM, *service.where, "--max-time", "0")
    assert run_ask(*asked, "--output", str(tmp_path / "out")) == 3
    assert service.states == []
    assert "run the same command again" in capsys.readouterr().err


def test_fail_on_escalate_covers_all_rows(
    service: FlatModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "rows.jsonl"
    source.write_text('{"state": "a"}\n{"state": "b"}\n')
    asked = ("--jsonl", str(source), *HARM, *service.where, "--fail-on-escalate")
    assert run_ask(*asked) == 0
    assert run_ask(*asked, "--escalate-at", "0.95") == 10
    assert len(rows_of(capsys.readouterr().out)) == 4


# --- the engine -------------------------------------------------------------------------------------------------------


def test_without_a_service_the_engine_answers_about_commands_and_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_ask("--state", "rm -rf /", *HARM, "--noul", "happy", "--json", "--fail-on-escalate") == 10
    found = json.loads(capsys.readouterr().out)
    assert found["answers"] == {"harm": "destructive", "happy": None}
    assert found["confidence"]["happy"] == 0
    assert (found["engine"], found["model"]) == ("embedded", "phocinae-embedded-1")
    assert (found["escalated_ids"], found["escalation_reason"]) == (["happy"], "not-answered")


def test_a_general_model_answers_only_when_asked_for_and_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sparrow_decider")
    asked = ("--state", "I was charged twice, I want my money back", "--choice", "team:billing,bug", "--json")
    assert run_ask(*asked, "--general") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["answers"]["team"] in ("billing", "bug")
    assert found["answered_by"]["team"].startswith("sparrow-")
    assert found["engine"] == "general"
    assert run_ask(*asked) == 0
    assert json.loads(capsys.readouterr().out)["answers"] == {"team": None}
    assert run_ask("--state", "rm -rf /", *HARM, "--general", "--json") == 0
    assert json.loads(capsys.readouterr().out)["answered_by"] == {"harm": "phocinae-embedded-1"}


def test_a_model_with_a_hostile_name_is_shown_tamed(httpserver: HTTPServer, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.dumps(
        {"model": "\ud800\x1b[31m\u202eevil\n", "answers": {"q": True}, "option_scores": {"q": [0.1, 0.9]}}
    )
    httpserver.expect_request("/v1/systemone").respond_with_data(body, content_type="application/json")
    asked = ("--state", "s", "--noul", "q", "--endpoint", httpserver.url_for("/"), "--dialect", "flat")
    assert run_ask(*asked) == 0
    assert run_ask(*asked, "--json") == 0
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    assert out.isascii()
    assert "evil" in out
