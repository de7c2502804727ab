"""`phocinae serve` as a process: many clients at once, and a stop that lets answers out."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from phocinae_cli.cli import main
from phocinae_cli.resident.asking import MODEL
from phocinae_cli.resident.httpserver import bound
from tests.serve.served import TOKEN, flat, get, post, running, table_engine


def test_200_clients_at_once_get_their_answers() -> None:
    """Two requests each over a connection of its own; bounded in number, and on loopback only."""
    clients, each = 200, 2
    body = json.dumps(flat("git push")).encode()
    head = "POST /v1/systemone HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n"
    statuses: list[bytes] = []
    failures: list[Exception] = []
    ready = threading.Barrier(clients)

    def ask(port: int) -> None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                ready.wait(60)
                file = connection.makefile("rb")
                for number in range(each):
                    last = "Connection: close\r\n" if number == each - 1 else ""
                    connection.sendall(f"{head}{last}\r\n".encode() + body)
                    statuses.append(file.readline())
                    length = 0
                    while (line := file.readline()) not in (b"\r\n", b""):
                        if line.lower().startswith(b"content-length:"):
                            length = int(line.partition(b":")[2])
                    assert json.loads(file.read(length))["answers"] == {"harm": 1}
        except Exception as error:
            failures.append(error)

    with running(table_engine()[0]) as url:
        port = int(url.rpartition(":")[2])
        threads = [threading.Thread(target=ask, args=(port,)) for _ in range(clients)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert time.monotonic() - began < 60
    assert failures == []
    assert statuses == [b"HTTP/1.1 200 OK\r\n"] * clients * each


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_a_request_that_runs_when_the_server_is_stopped_gets_its_answer() -> None:
    engine, checker = table_engine()
    checker.pause_s = 0.5
    seen: list[int] = []
    with running(engine) as url:
        thread = threading.Thread(target=lambda: seen.append(post(url, flat("rm -rf /")).status_code))
        thread.start()
        end = time.monotonic() + 20
        while not checker.asked and time.monotonic() < end:
            time.sleep(0.01)
    thread.join(20)
    assert seen == [200]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_the_engine_and_stops_when_told(number: signal.Signals, tmp_path: Path) -> None:
    port = free_port()
    secret = tmp_path / "token"
    secret.write_text(TOKEN)
    secret.chmod(0o600)
    command = [sys.executable, "-m", "phocinae_cli", "serve", "--port", str(port), "--token-file", str(secret)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        assert f"http://127.0.0.1:{port}/v1/systemone with a token".encode() in process.stderr.readline()
        url = f"http://127.0.0.1:{port}"
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                if get(url, "/health").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.05)
        assert post(url, flat("rm -rf /")).status_code == 401
        found = post(url, flat("rm -rf /"), headers={"Authorization": f"Bearer {TOKEN}"}).json()
        assert (found["answers"], found["model"]) == ({"harm": 2}, MODEL)
    finally:
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert (out, err) == (b"", b""), "no access log, and nothing left to say"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--host", "0.0.0.0"), 2, "--allow-remote"),
        (("--host", "0.0.0.0", "--allow-remote"), 2, "token"),
        (("--token-file", "/nowhere/token"), 3, "token"),
        (("--port", "99999"), 2, "port"),
    ],
)
def test_the_command_refuses_what_would_let_others_in(
    arguments: tuple[str, ...], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *arguments]) == status
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_a_failure_that_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with bound("127.0.0.1", 0, False, False) as listener:
        assert main(["serve", "--port", str(listener.getsockname()[1])]) == 3
    assert "--port" in capsys.readouterr().err
