"""A user's own entries: compiled when one of them has changed, else taken from the cache."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from phocinae_cli import __version__
from phocinae_cli.kb.compile import Tool, compile_tools, load_directory

CACHE = "kb-user.txt"
END = "\f\n"
"""Ends the stamp in front of the compiled text."""


def load_overlay(folder: str, cache: str | None, prove: Callable[[list[Tool]], None] | None = None) -> str:
    """Return the compiled text of the `*.toml` files in a folder; `cache` is a directory, None for no cache.

    `prove` is given freshly compiled tools and raises for one that contradicts its own examples. Raises
    PhocinaeError naming every fault, and OSError when a file can't be read.
    """
    stamp = stamp_of(folder)
    if not stamp:
        return ""
    stored = None if cache is None else _stored(f"{cache}/{CACHE}", stamp)
    if stored is not None:
        return stored
    tools = load_directory(Path(folder))
    if prove is not None:
        prove(tools)
    text = compile_tools(tools)
    if cache is not None:
        _store(cache, stamp, text)
    return text


def stamp_of(folder: str) -> str:
    """Return a text that changes whenever a TOML file in the folder, or the compiler, does; empty without any."""
    lines = []
    for path in sorted(Path(folder).rglob("*.toml")):
        status = path.stat()
        lines.append(f"{path.relative_to(folder)} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}")
    return "\n".join([f"phocinae {__version__}", *lines]) if lines else ""


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
