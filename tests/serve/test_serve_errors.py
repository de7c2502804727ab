"""What `phocinae serve` refuses: errors in the dialect's own shape, and who is let in."""

from __future__ import annotations

import gzip
import json

import httpx
import pytest

from phocinae_cli.errors import PhocinaeError
from phocinae_cli.resident.httpbody import MAX_BODY_BYTES, Rejected, unpacked, zstd
from phocinae_cli.resident.httpserver import bound
from tests.serve.served import HARM, TOKEN, flat, get, post, running, table_engine

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
