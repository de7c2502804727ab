"""Code run as a user for whom permissions count, whoever runs the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534
ROOT = Path(__file__).parents[2]


@contextmanager
def place() -> Iterator[Path]:
    """A directory that belongs to that user, and that it can reach."""
    folder = Path(tempfile.mkdtemp())
    try:
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield folder
    finally:
        for each in folder.rglob("*"):
            if each.is_dir():
                each.chmod(0o700)
        shutil.rmtree(folder)


def run(imports: str, code: str) -> str:
    """Return what the code prints. What it imports is loaded first: the user need not be able to read the source."""
    drop = f"import os\nif os.getuid() == 0:\n    os.setgid({NOBODY}); os.setuid({NOBODY})\n"
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{start}{imports}\n{drop}{code}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
