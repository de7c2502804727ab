"""Packed data that stands literally on a line: unpacked, up to a size that no honest command line needs."""

from __future__ import annotations

MAX_SIZE = 262144
RAW, WITH_HEADER = -15, 47


def unpacked(text: str) -> str | None:
    """Return what the bytes of a text unpack to (gzip, zlib, bzip2, xz), or None."""
    data = _bytes(text)
    for unpack in (_zlib, _bzip2, _xz):
        found = unpack(data)
        if found is not None:
            return found.decode("utf-8", "replace")
    return None


def _bytes(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _zlib(data: bytes) -> bytes | None:
    import zlib

    for bits in (WITH_HEADER, RAW):
        try:
            return zlib.decompressobj(bits).decompress(data, MAX_SIZE) or None
        except zlib.error:
            continue
    return None


def _bzip2(data: bytes) -> bytes | None:
    import bz2

    try:
        return bz2.BZ2Decompressor().decompress(data, MAX_SIZE) or None
    except (OSError, ValueError):
        return None


def _xz(data: bytes) -> bytes | None:
    import lzma

    try:
        return lzma.LZMADecompressor().decompress(data, MAX_SIZE) or None
    except lzma.LZMAError:
        return None
