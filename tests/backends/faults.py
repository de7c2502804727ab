"""Everything a service can do wrong, as data: what it sends, and the code that a caller must be given."""

from __future__ import annotations

import gzip
import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.backends.servers import OK, Talk, flat_body, http, packed, say, typed_body

BAD = "PHOCINAE_BAD_RESPONSE"
UNAVAILABLE = "PHOCINAE_SERVICE_UNAVAILABLE"
ERROR = "PHOCINAE_SERVICE_ERROR"


@dataclass(frozen=True)
class Fault:
    """One way to fail: the list's item, a name, the server, the code expected, and the dialect it is read in."""

    item: int
    name: str
    talk: Talk
    code: str
    dialect: str = "flat"

    def __str__(self) -> str:
        return f"{self.item:02d}-{self.name}"


def flat(item: int, name: str, **changes: object) -> Fault:
    return Fault(item, name, say(http(packed(flat_body(**changes)))), BAD)


def typed(item: int, name: str, answer: dict[str, object] | None = None, **changes: object) -> Fault:
    return Fault(item, name, say(http(packed(typed_body(answer, **changes)))), BAD, "typed")


def text(item: int, name: str, body: str | bytes) -> Fault:
    return Fault(item, name, say(http(body if isinstance(body, bytes) else body.encode())), BAD)


def status(code: int, head: str = "", body: bytes = b'{"detail": "told why"}') -> Fault:
    start = f"HTTP/1.1 {code} Whatever\r\nContent-Type: application/json{head}"
    return Fault(22, f"status-{code}-{len(head)}", say(http(body, start)), ERROR)


def each(*values: object) -> list[tuple[int, object]]:
    return list(enumerate(values))


GOOD = json.dumps(flat_body())


def _with(answer: str) -> str:
    """The good flat body with the raw JSON text of the answer replaced."""
    return GOOD.replace('{"harm": 0}', '{"harm": ' + answer + "}")


ANSWERS = [
    *(flat(1, f"answers-{n}", answers=value) for n, value in each([0], [False], None, "harmless", ..., {}, 0)),
    *(typed(1, f"typed-answers-{n}", answers=value) for n, value in each([{}], None, "x", ..., {})),
    flat(2, "id-missing", answers={"other": 0}),
    flat(2, "id-extra", answers={"harm": 0, "more": 1}),
    flat(2, "id-other-case", answers={"Harm": 0}),
    flat(2, "id-other-unicode-form", answers={"ｈａｒｍ": 0}),
    typed(2, "typed-id-extra", answers={"harm": typed_body()["answers"], "more": {}}),
    *(flat(3, f"index-{value!r}", harm=value) for value in (-1, 3, 99, 1.0, 0.5, True, "1", 10**30)),
    text(3, "index-1e400", _with("1e400")),
    *(flat(4, f"nothing-{n}", harm=value) for n, value in each(None, "", False, [], [0], {}, "harmless")),
    *(typed(4, f"typed-nothing-{n}", {"choice": value}) for n, value in each(None, "", False, [], 0, "Harmless")),
    *(flat(8, f"scores-length-{n}", scores=value) for n, value in each([], [1.0], [0.5, 0.5], [0.9, 0.1, 0, 0])),
    flat(8, "scores-negative", scores=[1.1, -0.2, 0.1]),
    flat(8, "scores-sum-0", scores=[0.0, 0.0, 0.0]),
    flat(8, "scores-sum-2", scores=[1.0, 0.5, 0.5]),
    flat(8, "scores-speak-for-another", scores=[0.2, 0.5, 0.3]),
    flat(8, "scores-no-list", scores={"0": 0.9, "1": 0.06, "2": 0.04}),
    flat(8, "scores-of-others", option_scores={"other": [0.9, 0.06, 0.04]}),
    flat(8, "scores-texts", scores=["0.9", "0.06", "0.04"]),
    flat(8, "scores-booleans", scores=[True, False, False]),
    typed(8, "typed-sum-2", {"probabilities": {"harmless": 1.0, "risky": 0.5, "destructive": 0.5}}),
    typed(8, "typed-negative", {"probabilities": {"harmless": 1.2, "risky": -0.1, "destructive": -0.1}}),
    typed(8, "typed-speaks-for-another", {"probabilities": {"harmless": 0.2, "risky": 0.5, "destructive": 0.3}}),
    typed(8, "typed-other-options", {"probabilities": {"harmless": 0.9, "risky": 0.1}}),
    typed(8, "typed-no-probabilities", {"probabilities": ...}),
    flat(9, "typed-where-flat-is-expected", answers=typed_body()["answers"]),
    typed(9, "flat-where-typed-is-expected", answers={"harm": 0}),
    *(typed(10, f"type-{value}", {"type": value}) for value in ("noul", "score", "box", "refusal", None, 1)),
    text(11, "answers-twice", GOOD.replace('"answers"', '"answers": {"harm": 2}, "answers"')),
    text(11, "id-twice", _with('2, "harm": 0')),
    text(12, "nan", GOOD.replace("0.06", "NaN")),
    text(12, "infinity", GOOD.replace("61", "Infinity")),
    text(12, "digits", GOOD.replace("61", "9" * 5000)),
    text(12, "deep", "[" * 200_000 + "]" * 200_000),
    text(12, "deep-objects", '{"a":' * 200_000 + "1" + "}" * 200_000),
    text(12, "byte-order-mark", b"\xef\xbb\xbf" + GOOD.encode()),
    text(12, "not-utf-8", GOOD.replace("Phocinae", "Phoc\xff").encode("latin-1")),
    text(12, "utf-16", GOOD.encode("utf-16")),
    text(12, "surrogate-id", GOOD.replace('{"harm": 0}', '{"harm": 0, "\\ud800": 1}')),
    text(12, "trailing", GOOD + GOOD),
    text(12, "truncated", GOOD[:-40]),
    text(12, "scalar", "0"),
    text(12, "null", "null"),
    flat(13, "no-model", model=...),
    flat(13, "model-null", model=None),
]


def sleeping(data: bytes, seconds: float) -> Talk:
    def talk(connection: socket.socket) -> None:
        connection.sendall(data)
        time.sleep(seconds)

    return talk


def drip(head: bytes, piece: bytes, every_s: float = 0.05, times: int = 200) -> Talk:
    """Send a head, then a little at a time: no single read ever takes long."""

    def talk(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(times):
            time.sleep(every_s)
            connection.sendall(piece)

    return talk


def flood(head: bytes, chunk: Callable[[bytes], bytes] = bytes, megabytes: int = 64) -> Talk:
    """Send far more than anybody should read; stops when the other side hangs up."""

    def talk(connection: socket.socket) -> None:
        connection.sendall(head)
        block = chunk(b" " * 65536)
        for _ in range(megabytes * 16):
            connection.sendall(block)

    return talk


def reset(data: bytes) -> Talk:
    """Send something, then break the connection off instead of closing it."""

    def talk(connection: socket.socket) -> None:
        if data:
            connection.sendall(data)
            time.sleep(0.05)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    return talk


def _chunked(block: bytes) -> bytes:
    return f"{len(block):x}\r\n".encode() + block + b"\r\n"


CHUNKED = f"{OK}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
BODY = GOOD.encode()
BOMB = gzip.compress(b" " * (32 << 20))
ZIPPED = f"{OK}\r\nContent-Encoding: gzip"

TRANSPORT = [
    Fault(15, "reset-before-status", reset(b""), UNAVAILABLE),
    Fault(15, "closed-without-a-byte", say(b""), UNAVAILABLE),
    Fault(15, "reset-in-status", reset(b"HTTP/1.1 20"), BAD),
    Fault(15, "reset-in-body", reset(http(BODY, length=len(BODY) + 50)), BAD),
    Fault(15, "not-http", say(b"SSH-2.0-OpenSSH_9.2\r\n"), BAD),
    Fault(16, "short-body", say(http(BODY, length=len(BODY) + 50)), BAD),
    Fault(16, "length-cuts-body", say(http(BODY, length=len(BODY) - 50)), BAD),
    Fault(16, "chunks-cut-off", say(CHUNKED + _chunked(BODY)), BAD),
    Fault(16, "both-lengths", say(http(_chunked(BODY) + b"0\r\n\r\n", f"{OK}\r\nTransfer-Encoding: chunked")), BAD),
    Fault(16, "two-lengths", say(http(BODY, f"{OK}\r\nContent-Length: 3")), BAD),
    Fault(16, "no-length-cut", say(f"{OK}\r\n\r\n".encode() + BODY[:-30]), BAD),
    Fault(16, "negative-length", say(http(BODY, length=-1)), BAD),
    Fault(17, "silent", sleeping(b"", 3), UNAVAILABLE),
    Fault(17, "drip-in-status", drip(b"", b"H"), UNAVAILABLE),
    Fault(17, "drip-in-headers", drip(b"HTTP/1.1 200 OK\r\nX-A: ", b"a"), UNAVAILABLE),
    Fault(17, "drip-in-body", drip(f"{OK}\r\nContent-Length: 5000\r\n\r\n".encode(), b" "), UNAVAILABLE),
    Fault(17, "drip-in-chunks", drip(CHUNKED, _chunked(b" ")), UNAVAILABLE),
    Fault(17, "drip-of-100-continue", drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), UNAVAILABLE),
    Fault(18, "huge-by-length", flood(http(b"", length=512 << 20)), BAD),
    Fault(18, "huge-by-chunks", flood(CHUNKED, _chunked), BAD),
    Fault(18, "bomb", say(http(BOMB, ZIPPED)), BAD),
    Fault(18, "bomb-cut-off", say(http(gzip.compress(BODY)[:-12], ZIPPED)), BAD),
    Fault(18, "gzip-without-its-checksum", say(http(gzip.compress(BODY)[:-4], ZIPPED)), BAD),
    Fault(18, "bomb-broken", say(http(b"\x1f\x8b" + b"x" * 90, ZIPPED)), BAD),
    Fault(18, "unknown-encoding", say(http(BODY, f"{OK}\r\nContent-Encoding: br")), BAD),
    Fault(18, "endless-headers", flood(b"HTTP/1.1 200 OK\r\nX-A: ", megabytes=2), BAD),
    Fault(19, "only-100-continue", say(b"HTTP/1.1 100 Continue\r\n\r\n"), BAD),
    Fault(19, "204", say(b"HTTP/1.1 204 No Content\r\n\r\n"), BAD),
    Fault(19, "empty-200", say(http(b"")), BAD),
    Fault(19, "html", say(http(b"<html>log in</html>", "HTTP/1.1 200 OK\r\nContent-Type: text/html")), BAD),
    Fault(19, "json-as-html", say(http(BODY, "HTTP/1.1 200 OK\r\nContent-Type: text/html")), BAD),
    Fault(19, "no-media-type", say(http(BODY, "HTTP/1.1 200 OK")), BAD),
    Fault(19, "206", say(http(BODY, OK.replace("200", "206"))), BAD),
    Fault(23, "another-service", say(http(b'{"status": "fine"}')), BAD),
]

STATUSES = [
    *(status(code) for code in (400, 401, 403, 404, 405, 408, 413, 415, 422, 429, 500, 502, 503, 504, 529)),
    status(500, body=b"Internal Server Error"),
    status(502, body=b"<html>\x1b[31mBad Gateway</html>"),
    status(413, body=b'{"error": {"code": 413, "message": "too large"}}'),
    status(401, body=b'{"detail": {"error_type": "authentication_error", "message": "key not accepted"}}'),
    status(422, body=b'{"detail": [{"loc": ["body", "state"], "msg": "no string", "type": "t", "input": "SECRET"}]}'),
    *(
        status(429, f"\r\nRetry-After: {wait}")
        for wait in ("1", "-5", "999999999999", "Fri, 31 Dec 2199 23:59:59 GMT", "soon", "")
    ),
    *(
        Fault(20, f"redirect-{code}", say(http(b"", f"HTTP/1.1 {code} Moved\r\nLocation: http://127.0.0.1:1/x")), ERROR)
        for code in (301, 302, 303, 307, 308)
    ),
    Fault(25, "loading", say(http(b'{"detail": "not loaded"}', "HTTP/1.1 503 x\r\nRetry-After: 5")), ERROR),
]

FAULTS = ANSWERS + TRANSPORT + STATUSES
