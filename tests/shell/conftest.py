"""Shells in ptys for the tests here: with the hook, and bare as the negative control of every case."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from phocinae_cli.resident.hook import hook_text
from tests.shell.terminal import Terminal

HERE = Path(__file__).parent
STANDIN = str(HERE / "standin_run.py")

Open = Callable[..., Terminal]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shell: drives a real interactive shell in a pty")


def interpreter() -> str:
    """Return the interpreter behind any virtual environment: what an installed hook would start."""
    return str(Path(sys.executable).resolve())


def write_hook(home: Path, shell: str, **given: str) -> Path:
    """Write the hook with the stand-in judge into a home and return its path."""
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"hook.{shell}"
    path.write_text(hook_text(shell, **{"python": interpreter(), "run": STANDIN, **given}))
    return path


@pytest.fixture
def terminal(tmp_path: Path, program: Callable[[str], str]) -> Iterator[Open]:
    """Open terminals; `hooked=False` leaves the hook out, `before` and `after` are rc text around it."""
    opened: list[Terminal] = []

    def start(
        shell: str, hooked: bool = True, before: str = "", after: str = "", name: str = "", **given: object
    ) -> Terminal:
        program(shell)
        home = tmp_path / (name or f"{shell}{len(opened)}")
        hook = write_hook(home, shell)
        source = f"source {hook}\n" if hooked else ""
        made = Terminal(shell, home, rc=before + source + after, **given)  # type: ignore[arg-type]
        opened.append(made)
        return made

    yield start
    for each in opened:
        each.close()
    # FIFO directories and homes hold nothing worth keeping, and there are many.
    for each in opened:
        shutil.rmtree(each.home, ignore_errors=True)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, program: Callable[[str], str]) -> Iterator[Open]:
    """Terminals that last for a module, one for each shell with the hook and one without: for many short lines."""
    opened: dict[tuple[str, bool], Terminal] = {}

    def get(shell: str, hooked: bool = True) -> Terminal:
        program(shell)
        key = (shell, hooked)
        if key not in opened or not opened[key].child.isalive():
            home = tmp_path_factory.mktemp(f"{shell}-{'hook' if hooked else 'bare'}")
            hook = write_hook(home, shell)
            opened[key] = Terminal(shell, home, rc=f"source {hook}\n" if hooked else "")
        opened[key].clear()
        opened[key].forget()
        return opened[key]

    yield get
    for each in opened.values():
        each.close()
