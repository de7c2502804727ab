"""What is shipped: a wheel holds all that a check needs, and works with nothing else beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, unpacked; returns the folder."""
    place = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(place), str(ROOT)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=100,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = place.glob("*.whl")
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(place / "unpacked")
    return place / "unpacked"


@pytest.mark.parametrize(("inside", "beside"), [("shell", "shell"), ("bench/datasets", "bench/datasets")])
def test_it_holds_what_stands_beside_the_package(wheel: Path, inside: str, beside: str) -> None:
    wanted = {path.relative_to(ROOT / beside) for path in (ROOT / beside).rglob("*") if path.is_file()}
    place = wheel / "phocinae_cli" / inside
    assert wanted
    assert {path.relative_to(place) for path in place.rglob("*") if path.is_file()} == wanted


def test_it_holds_the_compiled_knowledge(wheel: Path) -> None:
    shipped = wheel / "phocinae_cli" / "kb" / "kb.txt"
    assert shipped.read_bytes() == (ROOT / "phocinae_cli" / "kb" / "kb.txt").read_bytes()


@pytest.mark.parametrize(("line", "status"), [("ls -la", 0), ("rm -rf ~", 20)])
def test_it_vets_a_command_with_the_standard_library_alone(
    wheel: Path, home: Path, tmp_path: Path, line: str, status: int
) -> None:
    start = f"import sys; sys.path.insert(0, {str(wheel)!r}); from phocinae_cli.entry import main; sys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", start, "check", line],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HOME": str(home)},
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stderr) == (status, "")
