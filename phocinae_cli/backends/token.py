"""The bearer token of a service: from a variable or a file that only its owner may read, and never shown."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from phocinae_cli.errors import INVALID_CONFIG, PhocinaeError

VARIABLE = "PHOCINAE_TOKEN"
FILE_VARIABLE = "PHOCINAE_TOKEN_FILE"


class Token:
    """A secret that shows neither in a log nor in a traceback; `header()` alone gives it away."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def header(self) -> str:
        """Return the value of the Authorization header."""
        return f"Bearer {self._text}"

    def __repr__(self) -> str:
        return "Token(...)"

    __str__ = __repr__


def from_environment(environment: Mapping[str, str]) -> Token | None:
    """Return the token named by the environment, or None; raises PhocinaeError for one that can't be used."""
    if text := environment.get(VARIABLE, ""):
        return _checked(text, VARIABLE)
    if path := environment.get(FILE_VARIABLE, ""):
        return from_file(path)
    return None


def from_file(path: str) -> Token:
    """Return the token in a file; raises PhocinaeError unless it is ours, closed to others, and one line."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise _unusable(path, error.strerror or "it can't be read", "name a file that holds the token") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _unusable(path, "it is no regular file", "name a file that holds the token")
        if status.st_mode & 0o077:
            raise _unusable(path, "others can read it", f"chmod 600 {path}")
        if status.st_uid not in (os.geteuid(), 0):
            raise _unusable(path, "it belongs to somebody else", "keep the token in a file of your own")
        text = os.read(descriptor, 5000).decode("utf-8", "replace").strip()
    finally:
        os.close(descriptor)
    return _checked(text, path)


def _checked(text: str, origin: str) -> Token:
    if not text or len(text) > 4096 or not text.isascii() or not text.isprintable() or " " in text:
        raise _unusable(origin, "it holds no token", "a token is one word of printable ASCII")
    return Token(text)


def _unusable(origin: str, why: str, do: str) -> PhocinaeError:
    return PhocinaeError(INVALID_CONFIG, f"the bearer token from {origin} can't be used: {why}", do=do)
