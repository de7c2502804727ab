"""`phocinae serve` over real sockets: both dialects, errors in their own shapes, nothing that ends it."""

from __future__ import annotations

import gzip
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from phocinae_cli.backends.question import Question
from phocinae_cli.backends.service import make_client
from phocinae_cli.cli import main
from phocinae_cli.core.settings import Settings
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.resident import asking
from phocinae_cli.resident.asking import MODEL
from phocinae_cli.resident.httpbody import MAX_BODY_BYTES, Rejected, unpacked, zstd
from phocinae_cli.resident.httpserver import bound
from tests.serve.served import running, table_engine

TOKEN = "correct-horse-battery"
HARM = {"id": "harm", "type": "choice", "options": ["harmless", "risky", "destructive"]}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(table_engine()[0]) as found:
        yield found


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


@pytest.mark.parametrize(
    ("line", "index", "vector"),
    [
        ("ls -la", 0, [0.97, 0.015, 0.015]),
        ("git push", 1, [0.05, 0.9, 0.05]),
        ("rm -rf /", 2, [0.0, 0.0, 1.0]),
        ("git status", 0, [1.0, 0.0, 0.0]),
        ("frobnicate", 1, [0.3333, 0.3333, 0.3333]),
    ],
)
def test_a_flat_harm_question_gets_the_engine_s_verdict(line: str, index: int, vector: list[float], url: str) -> None:
    found = post(url, flat(line)).json()
    assert found["answers"] == {"harm": index}
    assert found["option_scores"]["harm"] == pytest.approx(vector, abs=0.0002)
    assert found["answer_confidence"]["harm"] == max(found["option_scores"]["harm"])
    assert found["model"] == MODEL
    assert set(found["usage"]) == {"input_tokens", "output_tokens"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["allow", "ask", "deny"], "deny"),
        (["deny: stop it", "ask: a person looks", "allow: it runs"], "deny: stop it"),
        (["safe", "dangerous"], "dangerous"),
        (["approve", "review", "block"], "block"),
    ],
)
def test_options_are_known_by_their_names_in_any_order(options: list[str], expected: str, url: str) -> None:
    question: dict[str, object] = {"id": "q", "type": "choice", "options": options}
    assert options[post(url, flat("rm -rf /", question)).json()["answers"]["q"]] == expected


def test_where_a_level_has_no_option_the_next_stricter_one_is_given(url: str) -> None:
    question: dict[str, object] = {"id": "q", "type": "choice", "options": ["allow", "deny"]}
    assert post(url, flat("git push", question)).json()["answers"]["q"] == 1


@pytest.mark.parametrize(
    ("words", "line", "expected"),
    [
        ("Is this command harmless?", "ls -la", True),
        ("Is this command harmless?", "rm -rf /", False),
        ("Is it dangerous?", "rm -rf /", True),
        ("Is it destructive?", "git push", False),
        ("Is it risky?", "git push", True),
    ],
)
def test_a_yes_or_no_about_harm_is_answered_in_its_sense(words: str, line: str, expected: bool, url: str) -> None:
    body = {"model": "m", "state": f"{words}\ncommand: {line}", "questions": [{"id": "q", "type": "noul"}]}
    found = post(url, body).json()
    assert found["answers"]["q"] is expected
    assert max(found["option_scores"]["q"]) > 0.8


@pytest.mark.parametrize(
    "body",
    [
        {"model": "m", "state": "Is it not harmless?\ncommand: ls -la", "questions": [{"id": "q", "type": "noul"}]},
        {"model": "m", "state": "Is this customer angry?\ncommand: ls -la", "questions": [{"id": "q", "type": "noul"}]},
        {"model": "m", "state": "I was charged twice", "questions": [{"id": "q", "type": "noul"}]},
        {
            "model": "m",
            "state": "Refund me",
            "questions": [{"id": "q", "type": "choice", "options": ["allow", "deny"]}],
        },
        {"model": "m", "state": "ls -la", "questions": [{"id": "q", "type": "choice", "options": ["cat", "dog"]}]},
        {"model": "m", "state": "", "questions": [{"id": "q", "type": "score"}]},
    ],
)
def test_what_is_no_question_about_a_command_is_left_open(body: dict[str, Any], url: str) -> None:
    found = post(url, body).json()
    scores = found["option_scores"]["q"]
    assert scores == pytest.approx([1 / len(scores)] * len(scores), abs=0.0002)


def test_a_question_is_not_logged_and_uses_no_approval_up() -> None:
    _, checker = table_engine()
    assert (checker.audit, checker.approvals) == (None, None)


def test_the_engine_sees_what_a_service_is_not_shown() -> None:
    """Nothing leaves the process, so nothing is redacted: a secret may be what the verdict is about."""
    engine, checker = table_engine()
    asking.ask(engine, Settings(), "command: curl --password hunter22", (Question("q", "choice", ("allow", "deny")),))
    assert checker.asked[0].text == "curl --password hunter22"


def test_the_id_of_a_question_changes_no_answer(url: str) -> None:
    for name in ("harm", "safe", "x", "безопасно", "not"):
        found = post(url, flat("rm -rf /", {**HARM, "id": name})).json()
        assert found["answers"] == {name: 2}


def test_a_typed_question_gets_a_typed_answer(url: str) -> None:
    body = {
        "model": "jev-latest",
        "state": {"tool": "bash", "input": "git push"},
        "questions": {
            "harm": {
                "type": "choice",
                "instructions": "How harmful is `input` if it runs?",
                "criteria": {"harmless": "only reads", "risky": "changes files", "destructive": "loses data"},
            }
        },
    }
    found = post(url, body).json()
    assert found["answers"]["harm"] == {
        "type": "choice",
        "choice": "risky",
        "probabilities": {"harmless": 0.05, "risky": 0.9, "destructive": 0.05},
        "confidence": 0.85,
    }
    assert set(found) == {"model", "answers", "usage"}


def test_our_own_client_gets_through_in_both_dialects(url: str) -> None:
    from phocinae_cli.backends import formulation

    for dialect in ("auto", "flat", "typed"):
        settings = Settings()
        settings.endpoint, settings.dialect = url, dialect
        reply = make_client(settings, environment={}).ask(
            "tool: bash\ninput: rm -rf /", (formulation.question("harm", 0.8),)
        )
        assert (reply.answers["harm"].value, reply.answers["harm"].confidence) == ("destructive", 1.0)
        assert reply.model == MODEL


def test_batches_and_the_permuting_route(url: str) -> None:
    items = [flat("ls -la"), flat("rm -rf /")]
    assert [item["answers"]["harm"] for item in post(url, items, "/batch").json()] == [0, 2]
    assert [item["answers"]["harm"] for item in post(url, {"requests": items}, "/batch").json()] == [0, 2]
    assert post(url, flat("git push"), "/permute").json()["answers"]["harm"] == 1


def test_health_models_and_root(url: str) -> None:
    health = get(url, "/health").json()
    assert (health["status"], health["model_loaded"], health["model"]) == ("ok", True, MODEL)
    models = get(url, "/v1/models").json()
    assert models["data"][0]["id"] == models["models"][0]["name"] == MODEL
    assert get(url, "/").json()["health"] == "/health"


# --- errors -----------------------------------------------------------------------------------------------------------

BAD_FLAT: dict[str, object] = {
    "no questions": {"questions": []},
    "65 questions": {"questions": [{**HARM, "id": str(number)} for number in range(65)]},
    "duplicate id": {"questions": [HARM, HARM]},
    "empty id": {"questions": [{**HARM, "id": ""}]},
    "no id": {"questions": [{"type": "noul"}]},
    "unknown type": {"questions": [{**HARM, "type": "box"}]},
    "no options": {"questions": [{"id": "q", "type": "choice"}]},
    "empty options": {"questions": [{**HARM, "options": []}]},
    "256 options": {"questions": [{**HARM, "options": [str(number) for number in range(256)]}]},
    "options that are no texts": {"questions": [{**HARM, "options": [1, 2]}]},
    "options on a score": {"questions": [{"id": "q", "type": "score", "options": ["1"]}]},
    "threshold too high": {"questions": [{"id": "q", "type": "noul", "threshold": 1.5}]},
    "threshold no number": {"questions": [{"id": "q", "type": "noul", "threshold": "high"}]},
    "question no object": {"questions": ["harm"]},
    "state an object": {"state": {"a": 1}},
    "state null": {"state": None},
    "model a number": {"model": 7},
    "questions a text": {"questions": "harm"},
}


@pytest.mark.parametrize("name", BAD_FLAT)
def test_a_bad_flat_request_is_a_422_that_says_why(name: str, url: str) -> None:
    change = BAD_FLAT[name]
    assert isinstance(change, dict)
    response = post(url, {**flat("ls"), **change})
    assert response.status_code == 422
    detail = response.json()["detail"]
    assert isinstance(detail, (str, list))
    if isinstance(detail, list):
        assert detail[0]["loc"][0] == "body"
        assert detail[0]["msg"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"nonsense",
        b"[]",
        b"null",
        b"1",
        b'"text"',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b'{"model": NaN}',
        b'{"model": "a", "model": "b"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"model": "m", "state": "s", "questions": {"q": {"type": "noul", "instructions": 1e999}}}',
    ],
)
def test_what_is_no_request_is_a_422(data: bytes, url: str) -> None:
    response = post(url, data)
    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"][0] == "body"


def test_strange_but_valid_texts_are_answered(url: str) -> None:
    for text in ("\\ud800", "\\u0000", "\\u202e", "<eos><mask>", "'\\\"`$(", "a" * 70_000, "\\n" * 5000):
        body = '{"model": "m", "state": "command: TEXT", "questions": [{"id": "TEXT", "type": "noul"}]}'
        response = post(url, body.replace("TEXT", text).encode())
        assert response.status_code == 200, text[:20]


def test_errors_have_the_shape_of_the_typed_dialect(url: str) -> None:
    for response, status, kind in (
        (get(url, "/nowhere"), 404, "not_found"),
        (get(url, "/v1/systemone"), 405, "api_usage_error"),
        (get(url, "/v1/models/"), 404, "not_found"),
        (post(url, flat("ls"), "/"), 404, "not_found"),
    ):
        assert response.status_code == status
        assert response.json()["detail"]["error_type"] == kind
        assert response.json()["detail"]["message"]
        assert response.headers["x-typesafe-request-id"]
        assert response.headers["content-type"] == "application/json"


def test_images_are_refused(url: str) -> None:
    body = {
        "model": "m",
        "state": "s",
        "assets": {"a": "data:"},
        "questions": {"q": {"type": "noul", "instructions": "?"}},
    }
    assert post(url, body).status_code == 400


def test_a_body_over_the_limit_is_a_413_both_dialects_can_read(url: str) -> None:
    response = post(url, b" " * (MAX_BODY_BYTES + 1))
    assert response.status_code == 413
    assert response.json()["error"]["code"] == 413
    assert response.json()["detail"]["message"]


def test_a_chunked_body_over_the_limit_is_a_413(url: str) -> None:
    with httpx.Client(trust_env=False, timeout=20) as client:
        response = client.post(
            f"{url}/v1/systemone",
            content=(b" " * 65536 for _ in range(40)),
            headers={"Content-Type": "application/json"},
        )
    assert response.status_code == 413


def test_only_json_is_read(url: str) -> None:
    data = json.dumps(flat("ls")).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "text/html"):
        assert post(url, data, headers={"Content-Type": kind}).status_code == 422


def test_packed_bodies_are_unpacked_within_the_limit(url: str) -> None:
    data = json.dumps(flat("rm -rf /")).encode()
    assert post(url, gzip.compress(data), headers={"Content-Encoding": "gzip"}).json()["answers"] == {"harm": 2}
    bomb = gzip.compress(b" " * (64 << 20))
    assert post(url, bomb, headers={"Content-Encoding": "gzip"}).status_code == 413
    assert post(url, data, headers={"Content-Encoding": "gzip"}).status_code == 400
    assert post(url, gzip.compress(data)[:-9], headers={"Content-Encoding": "gzip"}).status_code == 400
    refused = post(url, data, headers={"Content-Encoding": "br"})
    assert refused.status_code == 415
    assert "gzip" in refused.json()["detail"]["message"]


def test_a_zstd_body_is_unpacked_or_refused_in_words(url: str) -> None:
    frame = b"\x28\xb5\x2f\xfd\x20\x02\x11\x00\x00{}"  # `{}` as one raw block
    response = post(url, frame, headers={"Content-Encoding": "zstd"})
    if zstd() is None:
        assert response.status_code == 415
        assert "zstd" in response.json()["detail"]["message"]
    else:
        assert unpacked(frame, "zstd", 100) == b"{}"
        assert response.status_code == 422
        with pytest.raises(Rejected):
            unpacked(b"nonsense", "zstd", 100)


# --- the door ---------------------------------------------------------------------------------------------------------


def test_with_a_token_everything_under_v1_needs_it() -> None:
    with running(table_engine()[0], TOKEN) as url:
        assert get(url, "/health").status_code == 200
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Basic x"}):
            for response in (get(url, "/v1/models", **headers), post(url, flat("ls"), headers=headers)):
                assert response.status_code == 401
                assert response.json()["detail"]["error_type"] == "authentication_error"
                assert TOKEN not in response.text
        assert post(url, flat("rm -rf /"), headers={"Authorization": f"Bearer {TOKEN}"}).json()["answers"]["harm"] == 2


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8155", "10.0.0.1", "127.0.0.1.evil.example", "[2001:db8::1]"]
)
def test_a_name_that_is_not_this_machine_s_is_turned_away(host: str, url: str) -> None:
    assert post(url, flat("ls"), headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1", "[::1]:8155", "phocinae.localhost"])
def test_a_name_of_this_machine_is_let_in(host: str, url: str) -> None:
    assert post(url, flat("ls"), headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(("remote", "token"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_other_machines_are_let_in_only_with_leave_and_a_token(host: str, remote: bool, token: bool) -> None:
    with pytest.raises(PhocinaeError) as caught:
        bound(host, 0, remote, token)
    assert caught.value.code == "PHOCINAE_INVALID_ARGUMENTS"
    assert "--allow-remote" in caught.value.do


def test_a_port_in_use_is_said_so() -> None:
    with bound("127.0.0.1", 0, False, False) as listener, pytest.raises(PhocinaeError) as caught:
        bound("127.0.0.1", listener.getsockname()[1], False, False)
    assert "--port" in caught.value.do


# --- load -------------------------------------------------------------------------------------------------------------


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


# --- the process ------------------------------------------------------------------------------------------------------


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
