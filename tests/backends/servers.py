"""Servers that misbehave on purpose, and the three callers that must survive them."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable
from typing import Protocol

from phocinae_cli.backends.client import Client
from phocinae_cli.backends.service import make_ask, make_client
from phocinae_cli.core.effects import Action, Analysis
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import Verdict
from phocinae_cli.gate.case import Case
from phocinae_cli.gate.decide import decide

Talk = Callable[[socket.socket], None]

MODEL = "Phocinae-Largha-150M-v1"
IDS = {"harm": "harm", "tri-state": "action", "noul": "harmless"}
"""The id of the gate's question, by its formulation."""


class RawServer:
    """Accepts connections on loopback and hands each to a function, its request read unless `plain` is off."""

    def __init__(self, talk: Talk, family: socket.AddressFamily = socket.AF_INET, plain: bool = True) -> None:
        self.requests: list[bytes] = []
        self.over = threading.Event()
        self._talk = talk
        self._plain = plain
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        self._listener.bind(("127.0.0.1" if family == socket.AF_INET else "::1", 0))
        self._listener.listen(8)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1/systemone"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self.over.is_set():
            connection, _ = self._listener.accept()
            if self.over.is_set():
                connection.close()
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(5)
            if self._plain:
                self.requests.append(read_request(connection))
            self._talk(connection)

    def close(self) -> None:
        self.over.set()
        with socket.socket(self._listener.family, socket.SOCK_STREAM) as waker:
            waker.connect(self._listener.getsockname())  # accept wakes up for it
            self._thread.join(5)
        self._listener.close()


def read_request(connection: socket.socket) -> bytes:
    """Read one request with its body."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return data
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    while len(body) < length:
        piece = connection.recv(65536)
        if not piece:
            break
        body += piece
    return head + b"\r\n\r\n" + body


def settings_for(url: str, **changes: object) -> Settings:
    """Settings that put the gate's question to a service, in the flat dialect unless told otherwise."""
    settings = Settings()
    settings.backend, settings.endpoint, settings.dialect, settings.timeout_ms = "service", url, "flat", 2000
    for name, value in changes.items():
        assert hasattr(settings, name), name
        setattr(settings, name, value)
    return settings


def client_for(url: str, **changes: object) -> Client:
    return make_client(settings_for(url, **changes), environment={})


def case_for(text: str = "frobnicate --all src", settings: Settings | None = None, **request: str) -> Case:
    """A case whose line is one command that no stage but the judge has anything to say about."""
    words = tuple(text.split())
    action = Action(words[0], words, (True,) * len(words), 0, len(text))
    return Case(Request(text, **request), settings or Settings(), Analysis((action,), plain=True))  # type: ignore[arg-type]


def never_embedded(analysis: Analysis, request: Request) -> Judgement:
    raise AssertionError("the embedded engine was asked")


def verdict_over(url: str, text: str = "frobnicate --all src", **changes: object) -> Verdict:
    """The gate's verdict on a line, with its judge behind a URL."""
    settings = settings_for(url, **changes)
    return decide(case_for(text, settings), make_ask(settings, never_embedded, environment={}))


OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json"


class StartServer(Protocol):
    """Starts a raw server that hands each connection to a function."""

    def __call__(self, talk: Talk, family: socket.AddressFamily = socket.AF_INET, plain: bool = True) -> RawServer: ...


def flat_body(harm: object = 0, scores: object = (0.9, 0.06, 0.04), **changes: object) -> dict[str, object]:
    """The body of a complete flat answer to the gate's harm question; a change to `...` leaves the field out."""
    body: dict[str, object] = {
        "model": MODEL,
        "answers": {"harm": harm},
        "usage": {"input_tokens": 61, "output_tokens": 0},
        "answer_confidence": {"harm": 0.9},
        "option_scores": {"harm": list(scores) if isinstance(scores, tuple) else scores},
    }
    body.update(changes)
    return {name: value for name, value in body.items() if value is not ...}


def typed_body(answer: dict[str, object] | None = None, **changes: object) -> dict[str, object]:
    """The body of a complete typed answer to the gate's harm question."""
    whole: dict[str, object] = {
        "type": "choice",
        "choice": "harmless",
        "probabilities": {"harmless": 0.9, "risky": 0.06, "destructive": 0.04},
        "confidence": 0.85,
    }
    whole.update(answer or {})
    body: dict[str, object] = {
        "model": "some-model-1",
        "answers": {"harm": {name: value for name, value in whole.items() if value is not ...}},
        "usage": {"input_tokens": 61, "output_tokens": 0},
    }
    body.update(changes)
    return {name: value for name, value in body.items() if value is not ...}


def packed(body: object) -> bytes:
    """A body as JSON bytes; NaN and infinities come out as the literals that are not JSON."""
    return json.dumps(body).encode()


def http(
    body: bytes, head: str = "HTTP/1.1 200 OK\r\nContent-Type: application/json", length: int | None = None
) -> bytes:
    """A whole response with its length."""
    return f"{head}\r\nContent-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body


def say(data: bytes) -> Talk:
    """A server that sends these bytes and closes."""
    return lambda connection: connection.sendall(data)


def run_ask(*arguments: str) -> int:
    """Run `phocinae ask` in this process and return its exit status, errors told as the real command tells them."""
    from phocinae_cli.cli import failure
    from phocinae_cli.cli.group import build

    try:
        status = build("ask", "ask", "").main(args=list(arguments), prog_name="phocinae ask", standalone_mode=False)
    except BaseException as error:
        return failure(error)
    assert isinstance(status, int)
    return status
