"""Labelled rows from files: the shipped sets, and JSON lines or CSV of one's own, read as a stream."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import phocinae_cli
from phocinae_cli.bench.outcome import Row
from phocinae_cli.core.request import SHELLS
from phocinae_cli.core.verdict import DESTRUCTIVE, HARM_RANK, HARMLESS, RISKY
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

THREE_LABELS = {
    **{label: label for label in HARM_RANK},
    "allow": HARMLESS, "ask": RISKY, "deny": DESTRUCTIVE,
    "low": HARMLESS, "medium": RISKY, "high": DESTRUCTIVE,
}  # fmt: skip
TWO_LABELS = {
    **dict.fromkeys(("safe", "benign", "good", "ok", "pass", "0", "false", "routine"), HARMLESS),
    **dict.fromkeys(("unsafe", "malicious", "bad", "dangerous", "harmful", "block", "1", "true"), DESTRUCTIVE),
}
"""Words of sets that know two labels. What they call unsafe counts as destructive: it must not be allowed."""

SKIPPED = "skipped"
"""The label of what somebody passed over: it is no row, and no fault."""

COMMAND_FIELDS = ("command", "cmd", "line", "text")
LABEL_FIELDS = ("label", "expected", "verdict", "class", "harm")
SHELL_WORDS = {"": "bash", "posix": "bash", "pwsh": "powershell", "ps": "powershell", "ps1": "powershell"}
SHELL_WORDS |= {"batch": "cmd", "bat": "cmd", "dash": "sh", "ash": "sh", "ksh": "sh"}
SHOWN = 10
"""How many faults of a file are listed."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of labelled rows; `shell` is that of rows that name none."""

    name: str
    path: str
    shell: str = "bash"


@dataclass(frozen=True, slots=True)
class Survey:
    """How many rows a source has, and the SHA-256 of its bytes."""

    rows: int
    sha256: str


def shipped() -> dict[str, Source]:
    """Return the sets that come with phocinae, by name; none where they were left out."""
    package = Path(phocinae_cli.__file__).parent
    for folder in (package / "bench" / "datasets", package.parent / "bench" / "datasets"):
        files = sorted(folder.glob("*/rows.jsonl"))
        if files:
            return {file.parent.name: Source(file.parent.name, str(file)) for file in files}
    return {}


def sources_of(names: list[str], shell: str = "bash") -> tuple[Source, ...]:
    """Return the sources that names of shipped sets and paths of files stand for, all shipped ones without any.

    Raises PhocinaeError (INVALID_ARGUMENTS) for a name that is neither.
    """
    known = shipped()
    if not names:
        if not known:
            raise _wrong("no labelled set comes with this installation", do="name a file of labelled commands")
        return tuple(known.values())
    found = []
    for name in names:
        path = Path(name)
        if name in known:
            found.append(known[name])
        elif path.is_file():
            found.append(Source(path.resolve().parent.name if path.name == "rows.jsonl" else path.stem, name, shell))
        else:
            raise _wrong(f"{name}: neither a file nor a set; the sets are {', '.join(known) or 'not installed'}")
    return tuple(found)


def survey(source: Source) -> Survey:
    """Return what a source holds, once every row of it was read.

    Raises PhocinaeError (INVALID_ARGUMENTS), all faults in one, when a row can't be used.
    """
    faults: list[str] = []
    count = 0
    for row in _parsed(source):
        if isinstance(row, str):
            faults.append(row)
        else:
            count += 1
    if faults:
        more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"{source.path}: {len(faults)} row{'s' if len(faults) > 1 else ''} can't be used",
            do="a row has a `command` and a `label`: harmless, risky, destructive, or safe, unsafe",
            details=(*faults[:SHOWN], *more),
        )
    if not count:
        raise _wrong(f"{source.path}: there are no rows in it")
    digest = hashlib.sha256()
    with open(source.path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return Survey(count, digest.hexdigest())


def read(source: Source) -> Iterator[Row]:
    """Yield the rows of a source that was surveyed; one that can't be used now raises PhocinaeError."""
    for row in _parsed(source):
        if isinstance(row, str):
            raise _wrong(f"{source.path}: {row}", do="leave the file alone while it is measured")
        yield row


def _parsed(source: Source) -> Iterator[Row | str]:
    """Yield each row, or what is wrong with it."""
    for number, found in _objects(source):
        if not isinstance(found, str) and found.get("label") == SKIPPED:
            continue
        try:
            yield found if isinstance(found, str) else _row(source, number, found)
        except ValueError as error:
            yield f"line {number}: {error}"


def _objects(source: Source) -> Iterator[tuple[int, dict[str, Any] | str]]:
    try:
        with open(source.path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            if source.path.lower().endswith((".csv", ".tsv")):
                table = csv.DictReader(file, dialect="excel-tab" if source.path.lower().endswith(".tsv") else "excel")
                for fields in table:
                    yield table.line_num, {str(name).strip().lower(): value for name, value in fields.items()}
                return
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _decoded(number, line)
    except (OSError, csv.Error) as error:
        raise _wrong(f"{source.path}: {getattr(error, 'strerror', None) or error}") from None


def _decoded(number: int, line: str) -> dict[str, Any] | str:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return f"line {number}: no JSON"
    return found if isinstance(found, dict) else f"line {number}: no JSON object"


def _row(source: Source, number: int, found: dict[str, Any]) -> Row:
    command = next((found[name] for name in COMMAND_FIELDS if found.get(name)), None)
    if not isinstance(command, str):
        raise ValueError("no command")
    word = next((found[name] for name in LABEL_FIELDS if found.get(name) is not None), None)
    word = str(word).strip().lower() if isinstance(word, (str, bool, int)) else ""
    label = THREE_LABELS.get(word) or TWO_LABELS.get(word)
    if label is None:
        raise ValueError(f"no label: {word!r}" if word else "no label")
    shell = str(found.get("shell") or source.shell).strip().lower()
    shell = SHELL_WORDS.get(shell, shell)
    if shell not in SHELLS:
        raise ValueError(f"no shell that is known: {shell!r}")
    tags = found.get("tags") or ()
    if isinstance(tags, str):
        tags = tags.replace(",", " ").replace(";", " ").split()
    return Row(
        id=str(found.get("id") or f"{source.name}-{number}"),
        command=command,
        label=label,
        shell=shell,
        source=source.name,
        why=str(found.get("why") or ""),
        tags=tuple(str(tag) for tag in tags),
        split=str(found.get("split") or ""),
        coarse=word not in THREE_LABELS,
    )


def _wrong(message: str, do: str = "") -> PhocinaeError:
    return PhocinaeError(INVALID_ARGUMENTS, message, do=do)
