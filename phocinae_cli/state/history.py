"""The audit log read back: entries in their order, over every file that is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

Entry = dict[str, Any]


class History:
    """The entries of an audit log and of the logs moved aside before it; `unreadable` counts lines that are none."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.unreadable = 0

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries, the oldest first. Raises OSError for a log that is there and can't be read."""
        self.unreadable = 0
        files = self._opened()
        try:
            for file in files:
                for line in file:
                    found = _entry(line)
                    if found is not None:
                        yield found
                    elif line.strip():
                        self.unreadable += 1
        finally:
            for file in files:
                file.close()

    def _opened(self) -> list[BinaryIO]:
        """Open every file before the first is read, so that a rotation meanwhile loses nothing."""
        current = Path(self.path)
        numbers = [
            int(each.name.rpartition(".")[2])
            for each in current.parent.glob(current.name + ".*")
            if each.name[len(current.name) + 1 :].isdecimal()
        ]
        files: list[BinaryIO] = []
        seen: set[tuple[int, int]] = set()
        # From the newest to the oldest: a file that moves on while we look is met again, not missed.
        for place in [self.path, *(f"{self.path}.{number}" for number in sorted(numbers))]:
            try:
                file = open(place, "rb")  # noqa: SIM115 - closed by the caller
            except FileNotFoundError:
                continue
            found = os.fstat(file.fileno())
            if (found.st_dev, found.st_ino) in seen:
                file.close()
                continue
            seen.add((found.st_dev, found.st_ino))
            files.append(file)
        return files[::-1]


def _entry(line: bytes) -> Entry | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
