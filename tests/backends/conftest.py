"""Raw servers for the tests of this folder."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.backends.servers import RawServer, StartServer, Talk


@pytest.fixture
def raw_server() -> Iterator[StartServer]:
    """Start raw servers; they are stopped when the test ends."""
    started: list[RawServer] = []

    def start(talk: Talk, family: socket.AddressFamily = socket.AF_INET, plain: bool = True) -> RawServer:
        started.append(RawServer(talk, family, plain))
        return started[-1]

    yield start
    for server in started:
        server.close()
