"""Runs of the real command in a process of its own, in a home and a project that belong to the test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

ROOT = Path(__file__).parents[2]


class Run(Protocol):
    """Runs `phocinae` with arguments and returns the finished process, its output as bytes or text."""

    def __call__(
        self, *argv: str | bytes, stdin: bytes = b"", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]: ...


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The directory that commands run in."""
    place = tmp_path / "project"
    place.mkdir()
    return place


@pytest.fixture
def run(home: Path, project: Path) -> Run:
    def phocinae(
        *argv: str | bytes, stdin: bytes = b"", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        surroundings = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "USER": "ada",
            "PYTHONPATH": str(ROOT),
            "PYTHONSAFEPATH": "1",
        }
        return subprocess.run(
            [sys.executable, "-m", "phocinae_cli", *argv],
            input=stdin,
            capture_output=True,
            cwd=project,
            env=surroundings | (env or {}),
            timeout=60,
            check=False,
        )

    return phocinae
