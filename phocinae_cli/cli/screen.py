"""The two streams: answers go to stdout, talk to stderr, neither fails on an odd character or a closed pipe."""

from __future__ import annotations

import os
import sys

from phocinae_cli.render.marks import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO


def show(text: str) -> bool:
    """Print an answer and a line end to stdout; False when nobody reads it any more, so that a loop can stop.

    What the encoding can't carry is escaped. Raises OSError when the answer could not be written (a full disk).
    """
    return _put(sys.stdout, text)


def tell(text: str) -> None:
    """Print talk to stderr; whether anybody reads it changes nothing."""
    try:
        _put(sys.stderr, text)
    except OSError:  # the answer and its status count more than the talk
        return


def tell_notices(notices: tuple[str, ...]) -> None:
    """Print what a person should know beside the verdict, one line each."""
    for notice in notices:
        tell(f"phocinae: {clean(notice)}")


def wants_color(stream: TextIO | None, env: Mapping[str, str]) -> bool:
    """Return whether to colour: NO_COLOR says no, FORCE_COLOR yes (empty values count as unset), else a terminal."""
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR"):
        return env["FORCE_COLOR"] != "0"
    return stream is not None and env.get("TERM") != "dumb" and stream.isatty()


def screen_width(stream: TextIO | None) -> int:
    """Return the columns of the terminal; 100 where the answer goes somewhere else."""
    if stream is None or not stream.isatty():
        return 100
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        columns = 0
    return max(columns, 40) if columns else 80


def _put(stream: TextIO | None, text: str) -> bool:
    if stream is None:  # started with the stream closed: the status still answers
        return False
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()
    except BrokenPipeError:
        quiet(stream)
        return False
    return True


def quiet(stream: TextIO) -> None:
    """Lead a stream whose reader is gone to nowhere, so that the flush at the end of the process is silent."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
