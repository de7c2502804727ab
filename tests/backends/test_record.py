"""A measurement repeated without the server: exchanges are kept by request, and answered from the file."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from phocinae_cli.backends.service import make_ask
from phocinae_cli.core.verdict import Verdict
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.gate.decide import decide
from tests.backends.faults import FAULTS
from tests.backends.servers import (
    StartServer,
    case_for,
    flat_body,
    never_embedded,
    run_ask,
    settings_for,
)

QUESTION = ("--choice", "harm:harmless,risky,destructive")
NOWHERE = "http://127.0.0.1:9/v1/systemone"


def gate(url: str, line: str, recording: str | None = None, replaying: str | None = None) -> Verdict:
    settings = settings_for(url, timeout_ms=500)
    return decide(case_for(line, settings), make_ask(settings, never_embedded, {}, recording, replaying))


def test_a_gate_replays_what_it_recorded(httpserver: HTTPServer, tmp_path: Path) -> None:
    file = str(tmp_path / "exchanges.jsonl")
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body(1, (0.1, 0.8, 0.1)))
    first = gate(httpserver.url_for("/"), "frobnicate", recording=file)
    again = gate(NOWHERE, "frobnicate", replaying=file)
    assert (first.decision, first.confidence, first.reason) == (again.decision, again.confidence, again.reason)
    assert again.decision == "ask"
    assert len(httpserver.log) == 1
    other = gate(NOWHERE, "something else", replaying=file)
    assert (other.decision, other.reason) == ("ask", "decision-service-unavailable")
    assert "has no answer to this request" in other.message


def test_ask_records_and_replays(httpserver: HTTPServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "exchanges.jsonl")
    httpserver.expect_request("/v1/models").respond_with_json({"data": []})
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body())
    asked = ("--state", "curl --password hunter22 x", *QUESTION, "--json")
    assert run_ask(*asked, "--endpoint", httpserver.url_for("/"), "--record", file) == 0
    first = capsys.readouterr().out
    assert run_ask(*asked, "--endpoint", NOWHERE, "--replay", file) == 0
    assert capsys.readouterr().out == first
    assert stat.S_IMODE(Path(file).stat().st_mode) == 0o600
    kept = Path(file).read_text()
    assert "hunter22" not in kept
    assert "curl" not in kept, "a request is kept as its hash alone"


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.item in (4, 12, 15, 20, 22)], ids=str)
def test_a_failure_is_replayed_as_the_same_failure(
    fault: object, raw_server: StartServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.backends.faults import Fault

    assert isinstance(fault, Fault)
    file = str(tmp_path / "exchanges.jsonl")
    where = ("--state", "ls", *QUESTION, "--dialect", fault.dialect, "--timeout-ms", "600")
    assert run_ask(*where, "--endpoint", raw_server(fault.talk).url, "--record", file) == 3
    first = capsys.readouterr().err
    assert run_ask(*where, "--replay", file) == 3
    assert capsys.readouterr().err == first


def test_the_same_request_twice_is_replayed_in_order(
    httpserver: HTTPServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "exchanges.jsonl")
    for harm, scores in ((0, (0.9, 0.05, 0.05)), (2, (0.05, 0.05, 0.9))):
        httpserver.expect_ordered_request("/v1/systemone").respond_with_json(flat_body(harm, scores))
    for _ in range(2):
        gate(httpserver.url_for("/"), "frobnicate", recording=file)
    settings = settings_for(NOWHERE)
    ask = make_ask(settings, never_embedded, {}, None, file)
    decisions = [decide(case_for("frobnicate", settings), ask).decision for _ in range(3)]
    assert decisions == ["allow", "deny", "deny"]


@pytest.mark.parametrize("text", ["nonsense\n", "{}\n", '{"format": 2, "key": "x"}\n', "[1]\n", "\xff"])
def test_a_file_that_is_no_recording_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "exchanges.jsonl"
    file.write_text(text, encoding="latin-1")
    assert run_ask("--state", "ls", *QUESTION, "--dialect", "flat", "--replay", str(file)) == 2
    assert "no recording that can be replayed" in capsys.readouterr().err


def test_a_recording_can_not_be_made_where_nothing_can_be_written(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body())
    from phocinae_cli.backends.client import Client
    from phocinae_cli.backends.formulation import question
    from phocinae_cli.backends.service import make_client

    client: Client = make_client(settings_for(httpserver.url_for("/")), {}, recording=str(tmp_path / "no" / "file"))
    with pytest.raises(PhocinaeError, match="can't be recorded to"):
        client.ask("s", (question("harm", 0.8),))


def test_a_line_of_a_recording_holds_what_came_back(httpserver: HTTPServer, tmp_path: Path) -> None:
    file = tmp_path / "exchanges.jsonl"
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body())
    gate(httpserver.url_for("/"), "frobnicate", recording=str(file))
    line = json.loads(file.read_text())
    assert (line["status"], line["route"], json.loads(line["text"])) == (200, "/v1/systemone", flat_body())
