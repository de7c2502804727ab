"""Where an endpoint leads: the address itself is judged, at the moment it is connected to, never its spelling."""

from __future__ import annotations

import ipaddress
import queue
import socket
import threading
import time
import urllib.parse
from dataclasses import dataclass

from phocinae_cli.backends.strictjson import printable
from phocinae_cli.backends.wire import ROUTE
from phocinae_cli.errors import INVALID_CONFIG, PhocinaeError

NAMES = ("localhost", "localhost.localdomain", "ip6-localhost")
Address = tuple[socket.AddressFamily, str]


class Expired(TimeoutError):
    """The total time allowed for an exchange is over."""


class Deadline:
    """A moment by which everything has to be done: connecting, sending, headers and body together."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left_s(self) -> float:
        """Return the seconds left; raises Expired when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise Expired(f"nothing left of {self.seconds} s")
        return left


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A service's address, taken apart: `base` is the URL without the route, which is appended per call."""

    base: str
    scheme: str
    host: str
    port: int

    def url(self, route: str) -> str:
        """Return the full URL of a route such as `/v1/models`."""
        return self.base + route


def endpoint(url: str) -> Endpoint:
    """Return an endpoint's parts; raises PhocinaeError (INVALID_CONFIG) for one that can't be used.

    The route may be appended already, and a trailing slash is no difference. Credentials, a query or a fragment
    in the URL are refused: they would end up in logs.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _unusable(url, str(error)) from None
    if parts.scheme not in ("http", "https"):
        raise _unusable(url, "it must begin with http:// or https://")
    if "@" in parts.netloc:
        raise PhocinaeError(
            INVALID_CONFIG,
            "endpoint: it holds a user name or password",
            do="put a bearer token into PHOCINAE_TOKEN or a file named by PHOCINAE_TOKEN_FILE",
        )
    if parts.query or parts.fragment or not parts.hostname:
        raise _unusable(url, "it must be scheme, host, port and path, nothing else")
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise _unusable(url, "it holds characters that no address has")
    path = parts.path.rstrip("/").removesuffix(ROUTE).rstrip("/")
    base = f"{parts.scheme}://{parts.netloc}{path}"
    return Endpoint(base, parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80))


def is_loopback(address: str) -> bool:
    """Return whether a numeric address is this machine's own, an IPv4 address mapped into IPv6 included."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)


def connect(target: Endpoint, deadline: Deadline, allow_remote: bool) -> socket.socket:
    """Return a connected socket; raises PhocinaeError for a foreign machine, OSError when nobody answers.

    Every address of the name is tried in turn, since `localhost` may mean ::1 first while the service listens on
    127.0.0.1. A name is looked up once and the very address found is connected to, so it can't change in between.
    """
    found = addresses(target, deadline)
    usable = [address for address in found if allow_remote or is_loopback(address[1])]
    if not usable:
        raise _foreign(target, found[0][1] if found else "nowhere")
    failure: OSError = OSError("no address to connect to")
    for position, (family, address) in enumerate(usable):
        try:
            share_s = deadline.left_s() / (len(usable) - position)
            return _open(family, address, target, share_s, allow_remote)
        except Expired:
            raise
        except OSError as error:
            failure = error
    deadline.left_s()
    raise failure


def addresses(target: Endpoint, deadline: Deadline) -> list[Address]:
    """Return the numeric addresses of the host; raises OSError when it has none, Expired when that takes too long."""
    if target.host in NAMES or target.host.endswith(".localhost"):
        return [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
    answers: queue.SimpleQueue[list[Address] | OSError] = queue.SimpleQueue()
    # Looking a name up can't be interrupted: the thread is left behind when time is over.
    threading.Thread(target=_look_up, args=(target, answers), daemon=True).start()
    try:
        found = answers.get(timeout=deadline.left_s())
    except queue.Empty:
        raise Expired("the name could not be looked up in time") from None
    if isinstance(found, OSError):
        raise found
    return found


def _look_up(target: Endpoint, answers: queue.SimpleQueue[list[Address] | OSError]) -> None:
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        answers.put(error if isinstance(error, OSError) else OSError(str(error)))
        return
    answers.put([(family, str(place[0])) for family, _, _, _, place in found])


def _open(
    family: socket.AddressFamily, address: str, target: Endpoint, timeout_s: float, allow_remote: bool
) -> socket.socket:
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout_s)
        connection.connect((address, target.port))
        peer = str(connection.getpeername()[0])
        if not allow_remote and not is_loopback(peer):
            raise _foreign(target, peer)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


def _foreign(target: Endpoint, address: str) -> PhocinaeError:
    return PhocinaeError(
        INVALID_CONFIG,
        f"endpoint: {printable(target.host, 100)} leads to {address}, which is not this machine",
        do="commands are private; set allow_remote_endpoint = true if they may leave this machine",
    )


def _unusable(url: str, why: str) -> PhocinaeError:
    return PhocinaeError(
        INVALID_CONFIG,
        f"endpoint: {printable(url, 100)!r} can't be used: {why}",
        do="the default is http://127.0.0.1:8155/v1/systemone",
    )
