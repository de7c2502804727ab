"""The text of the shell hook: the file for a shell with interpreter, path and version written into it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from phocinae_cli import __version__
from phocinae_cli.core.request import quote

SHELLS = ("bash", "zsh", "fish")

PACKAGE = Path(__file__).resolve().parent.parent


def source_path(shell: str) -> Path:
    """Return the hook's source: inside the package when installed, beside it in a checkout."""
    inside = PACKAGE / "shell" / f"phocinae.{shell}"
    return inside if inside.exists() else PACKAGE.parent / "shell" / f"phocinae.{shell}"


def hook_text(shell: str, python: str | None = None, run: str | None = None, version: str = __version__) -> str:
    """Return the hook for a shell of SHELLS, ready to be sourced; by default with this interpreter and package."""
    words = {
        "@python@": python or interpreter(),
        "@run@": run or str(PACKAGE / "resident" / "run.py"),
        "@version@": version,
    }
    text = source_path(shell).read_text(encoding="utf-8")
    for mark, word in words.items():
        text = text.replace(f"={mark}\n", f"={quote(word)}\n").replace(f" {mark}\n", f" {quoted_for_fish(word)}\n")
    return text


def interpreter() -> str:
    """Return the absolute path of the interpreter that runs the hook's other half.

    Never a shim: those are shell scripts, and cost ten times as much as the interpreter behind them.
    """
    return os.path.abspath(sys.executable) if sys.executable else "/usr/bin/python3"


def quoted_for_fish(word: str) -> str:
    """Return a word in single quotes as fish reads them: only the backslash and the quote are special inside."""
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"
