"""A server in this process on a free port, with a checker that knows a handful of commands; and requests to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from phocinae_cli.core.report import Report
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import Verdict
from phocinae_cli.resident.asking import Engine
from phocinae_cli.resident.http import create_app
from phocinae_cli.resident.httpserver import bound, configured, url_of

KNOWN = {
    "ls -la": ("allow", "model-called-it-harmless", "harmless", 0.97, "calibrated"),
    "git push": ("ask", "model-called-it-risky", "risky", 0.9, "calibrated"),
    "rm -rf /": ("deny", "never", "destructive", 1.0, "certain"),
    "frobnicate": ("ask", "confidence-below-threshold", None, 0.0, "none"),
    "git status": ("allow", "command-on-auto-allow-list", None, 0.0, "none"),
}


class TableChecker:
    """Vets by a table, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.pause_s = 0.0
        self.audit: object = "an audit log"
        self.approvals: object = "approvals"

    def request(self, text: str, *, shell: str = "", cwd: str = "") -> Request:
        return Request(text, shell=shell or "bash", cwd=cwd or "/here")

    def check(self, request: Request) -> Report:
        self.asked.append(request)
        time.sleep(self.pause_s)
        decision, reason, harm, confidence, kind = KNOWN.get(request.text, KNOWN["frobnicate"])
        return Report(request, Verdict(decision, reason, harm=harm, confidence=confidence, confidence_kind=kind))


def table_engine() -> tuple[Engine, TableChecker]:
    checker = TableChecker()
    return Engine(checker), checker  # type: ignore[arg-type]


@contextmanager
def running(engine: Engine, token: str | None = None, local: bool = True) -> Iterator[str]:
    """Run a server in a thread; gives its URL, and stops it at the end."""
    listener = bound("127.0.0.1", 0, False, False)
    server = uvicorn.Server(configured(create_app(engine, token, local)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    end = time.monotonic() + 20
    while not server.started and time.monotonic() < end:
        time.sleep(0.01)
    assert server.started
    try:
        yield url_of(listener)
    finally:
        server.should_exit = True
        thread.join(15)
        listener.close()


TOKEN = "correct-horse-battery"
HARM = {"id": "harm", "type": "choice", "options": ["harmless", "risky", "destructive"]}


def post(url: str, body: object, route: str = "", **given: Any) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=20) as client:
        if isinstance(body, bytes):
            headers = {"Content-Type": "application/json", **given.pop("headers", {})}
            return client.post(f"{url}/v1/systemone{route}", content=body, headers=headers, **given)
        return client.post(f"{url}/v1/systemone{route}", json=body, **given)


def get(url: str, route: str, **headers: str) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=20) as client:
        return client.get(url + route, headers=headers)


def flat(line: str, *questions: dict[str, object]) -> dict[str, object]:
    state = f"How harmful is this command if it runs?\ntool: bash\ncwd: /srv/app\ninput: {line}"
    return {"model": "Phocinae-Largha-150M-v1", "state": state, "questions": list(questions or (HARM,))}
