"""What the client tries again on, and what it never does."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from phocinae_cli.backends.client import Client, retry_after_s
from phocinae_cli.backends.systemone import Lost, Response
from phocinae_cli.errors import PhocinaeError
from tests.backends.servers import OK, RawServer, StartServer, client_for, http, packed, say, verdict_over
from tests.backends.table import Table, answer_flat, choice


def failing(times: int, failure: object) -> Table:
    table = Table(lambda call, body: failure if len(table.calls) <= times else answer_flat(call, body))
    return table


SAFE = [
    Lost("connection refused", untouched=True),
    Response(503, "application/json", b"{}", "0"),
    Response(429, "application/json", b"{}", "20ms"),
]
UNSAFE = [
    Lost("cut off", untouched=False),
    Lost("too late", untouched=True, late=True),
    Response(503, "application/json", b"{}"),
    Response(429, "application/json", b"{}", "-1"),
    Response(429, "application/json", b"{}", "999999999999"),
    Response(429, "application/json", b"{}", "100"),
    Response(422, "application/json", b"{}", "0"),
    Response(500, "application/json", b"{}", "0"),
]


@pytest.mark.parametrize("failure", SAFE, ids=str)
def test_what_is_safe_is_tried_again(failure: object) -> None:
    table = failing(2, failure)
    Client(table, dialect="flat", retries=2).ask("s", [choice()])
    assert len(table.calls) == 3


@pytest.mark.parametrize("failure", UNSAFE, ids=str)
def test_what_is_not_safe_or_not_in_time_is_not(failure: object) -> None:
    table = failing(2, failure)
    with pytest.raises(PhocinaeError):
        Client(table, dialect="flat", retries=2).ask("s", [choice()])
    assert len(table.calls) == 1


def test_the_gate_never_tries_again(raw_server: StartServer) -> None:
    server = raw_server(say(b""))
    verdict_over(server.url)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0), ("5", 5), ("250ms", 0.25), ("", None), ("-5", None), ("1e3", None), ("soon", None), ("9" * 20, None)],
)
def test_retry_after_is_read_strictly(text: str, seconds: float | None) -> None:
    assert retry_after_s(text) == seconds
    assert retry_after_s("Fri, 31 Dec 1999 23:59:59 GMT") is None


def test_a_service_that_is_gone_is_named_with_the_command_that_starts_one() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(PhocinaeError) as caught:
            client_for(f"http://127.0.0.1:{unused.getsockname()[1]}").ask("s", [choice()])
    assert caught.value.code == "PHOCINAE_SERVICE_UNAVAILABLE"
    assert "phocinae serve" in caught.value.do


def test_one_deadline_covers_the_look_at_the_models_and_the_question(raw_server: StartServer) -> None:
    def talk(connection: socket.socket) -> None:
        time.sleep(0.45)
        connection.sendall(http(b'{"data": []}'))

    server = raw_server(talk)
    started = time.monotonic()
    verdict = verdict_over(server.url, dialect="auto", timeout_ms=600)
    assert verdict.reason == "decision-service-unavailable"
    assert time.monotonic() - started < 4
    assert len(server.requests) == 2


def test_a_hundred_questions_at_once_from_many_threads(raw_server: StartServer) -> None:
    body = {"model": "m", "answers": {"harm": 0}, "option_scores": {"harm": [0.9, 0.05, 0.05]}, "usage": None}
    server: RawServer = raw_server(say(http(packed(body), OK)))
    seen: list[str] = []
    threads = [threading.Thread(target=lambda: seen.append(verdict_over(server.url).decision)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert seen == ["allow"] * 20
