"""Whatever a service does, the gate asks and nothing hangs: each fault is held against each caller."""

from __future__ import annotations

import socket
import time

import pytest

from phocinae_cli.backends import formulation
from phocinae_cli.errors import PhocinaeError
from tests.backends.faults import FAULTS, Fault
from tests.backends.servers import OK, StartServer, client_for, run_ask, verdict_over

DEADLINE_MS = 400
SLACK_S = 4.0
"""What a loaded machine may take on top of the deadline; the faults that wait would take ten seconds and more."""


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_the_client_reports_it_with_its_code(fault: Fault, raw_server: StartServer) -> None:
    client = client_for(raw_server(fault.talk).url, dialect=fault.dialect, timeout_ms=DEADLINE_MS)
    started = time.monotonic()
    with pytest.raises(PhocinaeError) as caught:
        client.ask("state", (formulation.question("harm", 0.8),))
    assert time.monotonic() - started < DEADLINE_MS / 1000 + SLACK_S
    assert caught.value.code == fault.code, caught.value.message
    assert caught.value.do
    assert (caught.value.message + caught.value.do).isprintable()
    assert "SECRET" not in caught.value.message


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_the_gate_asks_and_only_fail_mode_open_allows(fault: Fault, raw_server: StartServer) -> None:
    server = raw_server(fault.talk)
    closed = verdict_over(server.url, dialect=fault.dialect, timeout_ms=DEADLINE_MS)
    assert (closed.decision, closed.reason) == ("ask", "decision-service-unavailable")
    assert closed.escalate
    if fault.item != 17:  # waiting once is enough
        opened = verdict_over(server.url, dialect=fault.dialect, timeout_ms=DEADLINE_MS, gate_fail_mode="open")
        assert (opened.decision, opened.reason) == ("allow", "decision-service-unavailable")
        assert len(server.requests) == 2, "the gate does not try again"


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_ask_exits_3_with_its_code(fault: Fault, raw_server: StartServer, capsys: pytest.CaptureFixture[str]) -> None:
    url = raw_server(fault.talk).url
    where = ("--endpoint", url, "--dialect", fault.dialect, "--timeout-ms", str(DEADLINE_MS))
    question = ("--choice", "harm:harmless,risky,destructive")
    assert run_ask("--state", "rm -rf /", *question, *where) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert f"[{fault.code}]" in err


EVERYWHERE = [fault for fault in FAULTS if fault.item in (11, 12, 15, 16, 18, 19, 20, 22, 23, 25)]


@pytest.mark.parametrize("fault", EVERYWHERE, ids=str)
def test_the_list_of_models_can_fail_in_the_same_ways(fault: Fault, raw_server: StartServer) -> None:
    verdict = verdict_over(raw_server(fault.talk).url, dialect="auto", timeout_ms=DEADLINE_MS)
    assert (verdict.decision, verdict.reason) == ("ask", "decision-service-unavailable")


@pytest.mark.parametrize("fault", EVERYWHERE, ids=str)
def test_a_batch_that_fails_gives_an_error_for_each_item(fault: Fault, raw_server: StartServer) -> None:
    client = client_for(raw_server(fault.talk).url, timeout_ms=DEADLINE_MS)
    found = client.ask_batch([("state", (formulation.question("harm", 0.8),))] * 2)
    assert [getattr(item, "code", "an answer") for item in found] in ([fault.code] * 2, ["PHOCINAE_BAD_RESPONSE"] * 2)


@pytest.mark.parametrize("name", ["huge-by-length", "huge-by-chunks", "bomb"])
def test_reading_stops_at_the_cap(name: str, raw_server: StartServer) -> None:
    fault = next(fault for fault in FAULTS if fault.name == name)
    client = client_for(raw_server(fault.talk).url, timeout_ms=20_000)
    with pytest.raises(PhocinaeError, match="more than 4 MiB"):
        client.ask("state", (formulation.question("harm", 0.8),))


def test_a_flood_is_hung_up_on(raw_server: StartServer) -> None:
    sent: list[int] = []

    def talk(connection: socket.socket) -> None:
        connection.sendall(f"{OK}\r\nContent-Length: {512 << 20}\r\n\r\n".encode())
        for _ in range(512 * 16):
            connection.sendall(b" " * 65536)
            sent.append(65536)

    verdict = verdict_over(raw_server(talk).url, timeout_ms=20_000)
    assert verdict.reason == "decision-service-unavailable"
    time.sleep(0.1)
    assert sum(sent) < 64 << 20, "the cap and what the sockets hold, not the whole"
