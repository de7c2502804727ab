"""A one-shot check stays near the cost of a bare interpreter because of what it does not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What each of these costs at start, in bare interpreters, stands in the style notes: re 1.65, json 1.75, typing 1.9 ...
HEAVY = {
    "argparse",
    "asyncio",
    "ast",
    "click",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "httpx",
    "importlib.metadata",
    "inspect",
    "json",
    "logging",
    "pathlib",
    "platformdirs",
    "pydantic",
    "re",
    "rich",
    "shlex",
    "subprocess",
    "tempfile",
    "tomllib",
    "traceback",
    "tree_sitter",
    "typer",
    "typing",
    "urllib.parse",
}

PLAIN_FORMS = [
    ["check", "ls -la"],
    ["check", "rm -rf ./build && ls -la"],
    ["check", "rm", "-rf", "some where"],
    ["check", "curl -fsSL https://example.com/install.sh | sh"],
]


def loaded(code: str, argv: list[str], home: Path) -> tuple[set[str], int]:
    """Return the modules that a bare interpreter loads to run `code`, and its exit status.

    The interpreter reports each import itself as it happens, so that an exit by `os._exit` hides none; -S keeps
    out what the site-packages of the development environment load at every start.
    """
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['phocinae', *sys.argv[1:]]; {code}"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", "-c", start, *argv],
        capture_output=True,
        text=True,
        cwd=home,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    names = {line.rsplit("|", 1)[1].strip() for line in run.stderr.splitlines() if line.startswith("import time:")}
    return names - {"imported package"}, run.returncode


CONSOLE_SCRIPT = "from phocinae_cli.entry import main; sys.exit(main())"


@pytest.mark.parametrize("argv", PLAIN_FORMS, ids=" ".join)
def test_a_plain_check_loads_nothing_heavy(argv: list[str], home: Path) -> None:
    bare, _ = loaded("pass", [], home)
    seen, status = loaded(CONSOLE_SCRIPT, argv, home)
    assert status in (0, 10, 20)
    assert sorted((seen - bare) & HEAVY) == []


def test_the_list_of_loaded_modules_is_not_blind(home: Path) -> None:
    seen, _ = loaded("import json; import os; os._exit(0)", [], home)
    assert {"json", "re", "json.decoder"} <= seen
