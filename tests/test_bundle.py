"""The bundle of a check's modules: made by the first check, used by the next, and dropped when a source changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "phocinae_cli"
SCRIPT = """
import sys
sys.path.insert(0, {root!r})
sys.argv = ["phocinae", "check", "--no-facts", "rm -rf ~"]
from phocinae_cli import bundle, entry
code = entry.run(sys.argv[1:], entry.quick(sys.argv[2:]))
print(code, sum(type(f).__name__ == "Bundle" for f in sys.meta_path))
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package that may be written to."""
    shutil.copytree(PACKAGE, tmp_path / "phocinae_cli", ignore=shutil.ignore_patterns("__pycache__", "*.toml"))
    return tmp_path


def check(root: Path) -> str:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    env["HOME"] = str(root)
    run = subprocess.run(
        [sys.executable, "-I", "-c", SCRIPT.format(root=str(root))], env=env, capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()[-1]


def bundles(root: Path) -> list[Path]:
    return list((root / "phocinae_cli" / "__pycache__").glob("check.*.bundle"))


def test_the_first_check_makes_it_and_the_next_uses_it(installed: Path) -> None:
    assert check(installed) == "20 0"
    assert len(bundles(installed)) == 1
    assert check(installed) == "20 1"


def test_a_changed_source_is_seen(installed: Path) -> None:
    check(installed)
    verdict = installed / "phocinae_cli" / "core" / "verdict.py"
    verdict.write_text(verdict.read_text().replace("DENY: 20", "DENY: 21"))
    os.utime(verdict, (1, 1))
    assert check(installed) == "21 0"
    assert check(installed) == "21 1"


@pytest.mark.parametrize("content", [b"", b"\x00garbage", b"\xe9\x01\x00\x00\x00"])
def test_a_broken_one_is_ignored_and_made_anew(installed: Path, content: bytes) -> None:
    check(installed)
    bundles(installed)[0].write_bytes(content)
    assert check(installed) == "20 0"
    assert check(installed) == "20 1"


def test_a_folder_that_can_not_be_written_changes_nothing(installed: Path) -> None:
    (installed / "phocinae_cli" / "__pycache__").write_text("in the way")
    assert check(installed) == "20 0"
    assert check(installed) == "20 0"
