"""A user's own entries: compiled when one of them has changed, else taken from the cache."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from phocinae_cli.errors import PhocinaeError
from phocinae_cli.kb import compile as compiler
from phocinae_cli.kb.compile import INVALID_KB, Example, compile_tools, load_directory

CACHE = "kb-user.txt"
END = "\f\n"
"""Ends the stamp in front of the compiled text."""


def load_overlay(folder: str, cache: str | None, prove: Callable[[list[Example], str], list[str]]) -> str:
    """Return the compiled text of the `*.toml` files in a folder; `cache` is a directory, None for no cache.

    `prove` is given the examples and the text when they were compiled anew, and returns a sentence for each example
    that does not hold. Raises PhocinaeError naming every fault, and OSError when a file can't be read.
    """
    stamp = stamp_of(folder)
    if not stamp:
        return ""
    stored = None if cache is None else _stored(f"{cache}/{CACHE}", stamp)
    if stored is not None:
        return stored
    tools = load_directory(Path(folder))
    text = compile_tools(tools)
    faults = prove([example for tool in tools for example in tool.examples], text)
    if faults:
        raise PhocinaeError(
            INVALID_KB, f"your entries in {folder} contradict their own examples", "mend each of them", tuple(faults)
        )
    if cache is not None:
        _store(cache, stamp, text)
    return text


def stamp_of(folder: str) -> str:
    """Return a text that changes whenever a TOML file in the folder, or the compiler, does; empty without any."""
    sources = sorted(Path(folder).rglob("*.toml"))
    if not sources:
        return ""
    return "\n".join(
        [_mark(Path(compiler.__file__)), *(f"{path.relative_to(folder)} {_mark(path)}" for path in sources)]
    )


def _mark(path: Path) -> str:
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def _stored(path: str, stamp: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            found, end, text = file.read().partition(END)
    except OSError:
        return None
    return text if end and found == stamp else None


def _store(cache: str, stamp: str, text: str) -> None:
    """Write the cache in one step; without a place to write to it is compiled again next time."""
    try:
        os.makedirs(cache, mode=0o700, exist_ok=True)
        handle, path = tempfile.mkstemp(prefix=CACHE, dir=cache)
        with open(handle, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(stamp + END + text)
        os.replace(path, f"{cache}/{CACHE}")
    except OSError:
        return
