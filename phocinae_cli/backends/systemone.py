"""The door to HTTP: one exchange with a decision service, within one deadline, and nothing followed or converted."""

from __future__ import annotations

import socket
import ssl
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from phocinae_cli.backends.loopback import Deadline, Endpoint, Expired, connect, is_loopback
from phocinae_cli.backends.token import Token
from phocinae_cli.errors import INVALID_CONFIG, PhocinaeError

MAX_BODY_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Call:
    """One request: method, route (`/v1/systemone`), and the body, empty for a GET."""

    method: str
    route: str
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Response:
    """What came back, whatever its status: media type in small letters, and the body decoded and complete."""

    status: int
    media_type: str
    body: bytes
    retry_after: str = ""


class Lost(Exception):
    """No complete response arrived. `what` is a sentence part; `untouched` says that not a byte had come back."""

    def __init__(self, what: str, untouched: bool = False, late: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.untouched = untouched
        self.late = late


Exchange = Callable[[Call, Deadline], Response]
"""Carries one call out; raises Lost, or PhocinaeError when the call may not be made at all."""


class HttpExchange:
    """Exchanges over a fresh connection each: no proxy, no redirect, no cookie, no retry, nothing kept open."""

    def __init__(self, endpoint: Endpoint, allow_remote: bool = False, token: Token | None = None) -> None:
        self.endpoint = endpoint
        self._allow_remote = allow_remote
        self._token = token

    def __call__(self, call: Call, deadline: Deadline) -> Response:
        """Return the response to one call; raises Lost or PhocinaeError."""
        line = _Line(self.endpoint, deadline, self._allow_remote, self._token is not None)
        # trust_env would bring in HTTP_PROXY and .netrc; a transport of our own leaves no room for either.
        with httpx.Client(transport=_Transport(line), trust_env=False, follow_redirects=False, timeout=None) as client:
            try:
                with client.stream(call.method, self.endpoint.url(call.route), **self._message(call)) as response:
                    return _received(response)
            except Expired:
                raise Lost(f"no complete answer within {round(deadline.seconds * 1000)} ms", late=True) from None
            except httpx.InvalidURL as error:
                raise PhocinaeError(INVALID_CONFIG, f"endpoint: {error}") from None
            except (httpcore.ProtocolError, httpx.HTTPError, OSError) as error:
                raise _lost(error, line) from None

    def _message(self, call: Call) -> dict[str, Any]:
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Connection": "close"}
        if self._token is not None:
            headers["Authorization"] = self._token.header()
        if call.method == "GET":
            return {"headers": headers}
        return {"headers": {**headers, "Content-Type": "application/json"}, "content": call.body}


def _lost(error: Exception, line: _Line) -> Lost:
    if isinstance(error, ConnectionRefusedError):
        return Lost("connection refused", untouched=True)
    if isinstance(error, (httpcore.ProtocolError, httpx.HTTPError)):
        said = "closed the connection early" if "disconnect" in str(error) else "sent something that is not HTTP"
        return Lost(f"it {said}", untouched=not line.heard)
    return Lost(getattr(error, "strerror", None) or str(error) or type(error).__name__, untouched=not line.heard)


def _received(response: httpx.Response) -> Response:
    headers = response.headers
    if "content-length" in headers and "transfer-encoding" in headers:
        raise Lost("it gave two lengths for one body")
    return Response(
        status=response.status_code,
        media_type=headers.get("content-type", "").partition(";")[0].strip().lower(),
        body=_body(response.iter_raw(), headers.get("content-encoding", "").strip().lower()),
        retry_after=(headers.get("retry-after-ms") and f"{headers['retry-after-ms']}ms")
        or headers.get("retry-after", ""),
    )


def _body(chunks: Iterator[bytes], coding: str) -> bytes:
    """Return the decoded body; raises Lost as soon as it outgrows the cap, and neither reads nor inflates the rest."""
    if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise Lost(f"it sent an encoding that was not asked for: {coding[:40]!r}")
    inflate = None if coding in ("", "identity") else zlib.decompressobj(zlib.MAX_WBITS | 32)
    found = bytearray()
    for chunk in chunks:
        if inflate is None:
            found += chunk
        else:
            try:
                found += inflate.decompress(chunk, MAX_BODY_BYTES + 1 - len(found))
            except zlib.error:
                raise Lost("its compressed body is broken") from None
        if len(found) > MAX_BODY_BYTES:
            raise Lost(f"it sent more than {MAX_BODY_BYTES >> 20} MiB")
    if inflate is not None and not inflate.eof and found:
        raise Lost("its compressed body is cut off")
    return bytes(found)


class _Line(httpcore.NetworkBackend):
    """Connects where the endpoint leads, once its address was judged, and keeps the deadline on every byte."""

    def __init__(self, endpoint: Endpoint, deadline: Deadline, allow_remote: bool, secret: bool) -> None:
        self.endpoint = endpoint
        self.deadline = deadline
        self.allow_remote = allow_remote
        self.secret = secret
        self.heard = False

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Return a stream to the endpoint; raises what `loopback.connect` raises."""
        connection = connect(self.endpoint, self.deadline, self.allow_remote)
        peer = str(connection.getpeername()[0])
        if self.secret and self.endpoint.scheme == "http" and not is_loopback(peer):
            connection.close()
            raise PhocinaeError(
                INVALID_CONFIG, f"endpoint: a token would go to {peer} in clear text", do="use an https:// endpoint"
            )
        return _Stream(connection, self)


class _Stream(httpcore.NetworkStream):
    """A socket whose every operation gets what is left of the deadline, so that no slow drip outlives it."""

    def __init__(self, connection: socket.socket, line: _Line) -> None:
        self._socket = connection
        self._line = line

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return what has arrived, or nothing at the end."""
        found: bytes = self._timed(lambda: self._socket.recv(max_bytes))
        self._line.heard = self._line.heard or bool(found)
        return found

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send everything."""
        rest = memoryview(buffer)
        while rest:
            sending = rest
            rest = rest[self._timed(lambda: self._socket.send(sending)) :]  # noqa: B023

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Return the same stream with TLS on it."""
        try:
            wrapped = self._timed(lambda: ssl_context.wrap_socket(self._socket, server_hostname=server_hostname))
        except BaseException:
            self.close()
            raise
        return _Stream(wrapped, self._line)

    def get_extra_info(self, info: str) -> Any:
        """Return the socket or its addresses, as httpcore asks for them."""
        return {
            "socket": lambda: self._socket,
            "client_addr": self._socket.getsockname,
            "server_addr": self._socket.getpeername,
        }.get(info, lambda: None)()

    def _timed(self, act: Callable[[], Any]) -> Any:
        self._socket.settimeout(self._line.deadline.left_s())
        try:
            return act()
        except TimeoutError:
            raise Expired("no byte in time") from None


class _Transport(httpx.BaseTransport):
    """Puts httpx on top of a line of ours: the connection pool of httpx itself can't be told where to connect."""

    def __init__(self, line: _Line) -> None:
        self._pool = httpcore.ConnectionPool(network_backend=line, max_connections=1, retries=0)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the response with its body still to be read."""
        url = request.url
        answer = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
            )
        )
        return httpx.Response(status_code=answer.status, headers=answer.headers, stream=_Body(answer))

    def close(self) -> None:
        """Close the connection."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        """Give the connection back, which closes it."""
        self._answer.close()
