"""The body of a request: read up to a limit, and unpacked up to the same limit."""

from __future__ import annotations

import asyncio
import importlib
import io
import zlib
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request

MAX_BODY_BYTES = 2 << 20
READ_S = 30.0


class Rejected(Exception):
    """A body that is not read: too long, too slow, or in an encoding that can't be undone here."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


async def body_of(request: Request, limit: int = MAX_BODY_BYTES) -> bytes:
    """Return the decoded body; raises Rejected (408, 413, 415) and never holds more than the limit."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and (len(declared) > 15 or int(declared) > limit):
        raise _too_long(limit)
    try:
        async with asyncio.timeout(READ_S):
            data = await _read(request, limit)
    except TimeoutError:
        raise Rejected(408, f"the body did not arrive within {READ_S:g} s") from None
    except ClientDisconnect:
        raise Rejected(400, "the body was broken off") from None
    return unpacked(data, request.headers.get("content-encoding", ""), limit)


def unpacked(data: bytes, coding: str, limit: int) -> bytes:
    """Return data with its content coding undone; raises Rejected for one that is unknown, broken or too long."""
    name = coding.strip().lower()
    if name in ("", "identity"):
        return data
    try:
        if name in ("gzip", "x-gzip", "deflate"):
            inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
            found, whole = inflate.decompress(data, limit + 1), inflate.eof
        elif name == "zstd":
            found, whole = _unzstd(data, limit), True
        else:
            raise Rejected(415, f"a body in the encoding {name[:40]!r} can't be read; send it plain, gzip or zstd")
    except (zlib.error, EOFError):
        raise Rejected(400, f"the {name} body is broken") from None
    if len(found) > limit:
        raise _too_long(limit)
    if not whole:
        raise Rejected(400, f"the {name} body is cut off")
    return found


Unpack = Callable[[bytes, int], bytes]


def zstd() -> tuple[Unpack, type[Exception]] | None:
    """Return a function that undoes zstd up to a number of bytes, and what it raises; None where nothing can.

    Python has it from 3.14; before that the package zstandard is used where it is installed.
    """
    try:
        own: Any = importlib.import_module("compression.zstd")
    except ImportError:
        pass
    else:
        return (lambda data, most: own.ZstdDecompressor().decompress(data, most)), own.ZstdError
    try:
        other: Any = importlib.import_module("zstandard")
    except ImportError:
        return None
    return (lambda data, most: other.ZstdDecompressor().stream_reader(io.BytesIO(data)).read(most)), other.ZstdError


def _unzstd(data: bytes, limit: int) -> bytes:
    found = zstd()
    if found is None:
        raise Rejected(415, "a zstd body can't be read by this server; send it plain or gzip")
    unpack, broken = found
    try:
        return unpack(data, limit + 1)
    except broken:
        raise Rejected(400, "the zstd body is broken") from None


async def _read(request: Request, limit: int) -> bytes:
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > limit:
            raise _too_long(limit)
    return bytes(found)


def _too_long(limit: int) -> Rejected:
    return Rejected(413, f"request body exceeds the {limit}-byte limit")
