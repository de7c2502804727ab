"""Labelling by hand: commands in, one key each, and a file of labelled rows that can be gone on with at any time."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

from phocinae_cli.bench.rows import COMMAND_FIELDS, SHELL_WORDS
from phocinae_cli.core.request import SHELLS
from phocinae_cli.core.verdict import DESTRUCTIVE, HARMLESS, RISKY
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

KEYS = {"h": HARMLESS, "r": RISKY, "d": DESTRUCTIVE}


class Labelling:
    """The state of a labelling: `pending` commands, and what stands in the file of labels already."""

    def __init__(self, path: Path, output: Path, shell: str) -> None:
        """Read both files; raises PhocinaeError (INVALID_ARGUMENTS) when one can't be used."""
        self.output = output
        self.items = commands_of(path, shell)
        self.done = self._read()
        labelled = {(found["shell"], found["command"]) for found in self.done}
        self.pending = [item for item in self.items if item not in labelled]
        self.pending.reverse()

    @property
    def current(self) -> tuple[str, str] | None:
        """The shell and command to label next, or None when all are done."""
        return self.pending[-1] if self.pending else None

    def put(self, label: str) -> None:
        """Label the current command, in the file at once."""
        shell, command = self.pending.pop()
        row = {"id": f"{self.output.stem}-{len(self.done) + 1}", "command": command, "shell": shell, "label": label}
        self.done.append(row)
        descriptor = os.open(self.output, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def undo(self) -> bool:
        """Take the last label back, in the file too; return whether there was one."""
        if not self.done:
            return False
        last = self.done.pop()
        part = self.output.with_suffix(".new")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in self.done)
        part.replace(self.output)
        self.pending.append((last["shell"], last["command"]))
        return True

    def _read(self) -> list[dict[str, str]]:
        if not self.output.exists():
            return []
        found = []
        for number, line in enumerate(self.output.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                found.append({name: str(row[name]) for name in ("id", "command", "shell", "label")})
            except (ValueError, KeyError, TypeError):
                raise PhocinaeError(
                    INVALID_ARGUMENTS, f"{self.output}: line {number} is no labelled row", do="name another --output"
                ) from None
        return found


def commands_of(path: Path, shell: str) -> list[tuple[str, str]]:
    """Return the commands of a file, each once, with their shells: JSON lines, CSV, or plain text, one a line.

    Raises PhocinaeError (INVALID_ARGUMENTS).
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise PhocinaeError(INVALID_ARGUMENTS, f"{path}: {error.strerror}") from None
    if path.suffix in (".csv", ".tsv"):
        table = csv.DictReader(text.splitlines(keepends=True), delimiter="\t" if path.suffix == ".tsv" else ",")
        found = [_item({str(name).lower(): value for name, value in row.items()}, shell) for row in table]
    elif path.suffix in (".jsonl", ".ndjson"):
        found = [_item(_object(path, number, line), shell) for number, line in enumerate(text.splitlines(), 1) if line]
    else:
        found = [(shell, line) for line in text.splitlines()]
    found = [item for item in dict.fromkeys(found) if item[1].strip()]
    if not found:
        raise PhocinaeError(
            INVALID_ARGUMENTS, f"{path}: there are no commands in it", do="a table needs a column `command`"
        )
    return found


def _object(path: Path, number: int, line: str) -> dict[str, object]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise PhocinaeError(INVALID_ARGUMENTS, f"{path}: line {number} is no JSON object")
    return found


def _item(found: dict[str, object], shell: str) -> tuple[str, str]:
    command = next((found[name] for name in COMMAND_FIELDS if found.get(name)), "")
    named = str(found.get("shell") or shell).lower()
    named = SHELL_WORDS.get(named, named)
    return named if named in SHELLS else shell, str(command)
