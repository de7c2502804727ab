"""Binding and running the server: loopback unless told otherwise, and a stop that lets running requests finish."""

from __future__ import annotations

import ipaddress
import signal
import socket

import uvicorn
from starlette.types import ASGIApp

from phocinae_cli.backends.loopback import is_loopback
from phocinae_cli.errors import INVALID_ARGUMENTS, SERVICE_UNAVAILABLE, PhocinaeError

GRACE_S = 5
BACKLOG = 1024


def bound(host: str, port: int, allow_remote: bool, has_token: bool) -> socket.socket:
    """Return a socket that listens there; raises PhocinaeError for an address that others reach without leave.

    A name is looked up once, and the very address found is judged and bound.
    """
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise PhocinaeError(
            INVALID_ARGUMENTS, f"--host {host}: {error.strerror}", do="127.0.0.1 is the default"
        ) from None
    address = str(place[0])
    if not is_loopback(address) and not (allow_remote and has_token):
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"--host {host}: {address} can be reached from other machines",
            do="that takes --allow-remote, and a token in a file: --token-file FILE",
        )
    # With the protocol named, asyncio turns off the delay that would hold each answer back for 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise PhocinaeError(
            SERVICE_UNAVAILABLE,
            f"nothing can be served at {address} port {port}: {error.strerror}",
            do="another service may run there; choose a port with --port, or 0 for any that is free",
        ) from None
    return listener


def is_local(listener: socket.socket) -> bool:
    """Return whether only this machine can reach a listening socket."""
    return is_loopback(str(listener.getsockname()[0]))


def url_of(listener: socket.socket) -> str:
    """Return the address of a listening socket as a URL."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    return f"http://{shown}:{port}"


def run(app: ASGIApp, listener: socket.socket, access_log: bool = False) -> bool:
    """Serve until a signal ends it; return whether it ended as it should. Requests that run get five seconds."""
    server = uvicorn.Server(configured(app, access_log))
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn puts these back once it has stopped and raises the signal again, which has then done its work.
        signal.signal(number, lambda *_: None)
    server.run(sockets=[listener])
    return bool(server.started)


def configured(app: ASGIApp, access_log: bool = False) -> uvicorn.Config:
    """Return how uvicorn runs: one process, nothing but warnings on stderr unless an access log is wanted."""
    return uvicorn.Config(
        app,
        log_level="info" if access_log else "warning",
        access_log=access_log,
        lifespan="off",
        server_header=False,
        date_header=True,
        proxy_headers=False,
        http="h11",
        ws="none",
        loop="asyncio",
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_S,
    )
