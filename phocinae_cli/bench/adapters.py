"""Other guards measured on the same rows: how each is called and how its verdict reads stands in a TOML file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phocinae_cli.bench.outcome import Outcome, Row
from phocinae_cli.core.verdict import ASK, DECISION_RANK
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

CWD = "/home/user/project"
"""The directory that rows are typed in; the guard runs there if it exists."""

KEYS = {"name", "about", "command", "version", "input", "timeout_s", "shells", "env", "exit", "json"}
INPUTS = ("stdin", "argument", "hook")
FAILED = "failed"

Words = dict[str, str]
"""What the guard says, each with the decision that it means."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """How a guard is called.

    `command` is its argv. `input` says how the line reaches it: on `stdin`, as the last `argument`, or as the JSON
    of a tool call as coding agents send it to a `hook`. `exit` maps statuses to decisions; with `json`, the words at
    a path into the JSON on standard output count first, and `missing` is the decision for no output at all.
    """

    name: str
    command: tuple[str, ...]
    input: str = "hook"
    version: tuple[str, ...] = ()
    timeout_s: float = 30.0
    shells: tuple[str, ...] = ("bash", "zsh", "sh")
    env: Words = field(default_factory=dict)
    exit: Words = field(default_factory=dict)
    path: tuple[str, ...] = ()
    words: Words = field(default_factory=dict)
    missing: str | None = None


def load_adapter(path: str) -> Adapter:
    """Return the adapter in a file; raises PhocinaeError (INVALID_ARGUMENTS), all faults in one."""
    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise _wrong(path, [getattr(error, "strerror", None) or str(error)]) from None
    faults = list(_faults(found))
    if faults:
        raise _wrong(path, faults)
    answer = found.get("json", {})
    return Adapter(
        name=found["name"],
        command=tuple(found["command"]),
        input=found.get("input", "hook"),
        version=tuple(found.get("version", ())),
        timeout_s=float(found.get("timeout_s", 30.0)),
        shells=tuple(found.get("shells", ("bash", "zsh", "sh"))),
        env=dict(found.get("env", {})),
        exit=dict(found.get("exit", {})),
        path=tuple(answer["path"].split(".")) if answer else (),
        words={word: decision for decision in DECISION_RANK for word in answer.get(decision, ())},
        missing=answer.get("missing"),
    )


def _faults(found: Mapping[str, Any]) -> list[str]:
    faults = [f"there is no key called {name!r}" for name in found if name not in KEYS]
    if not isinstance(found.get("name"), str) or not found["name"]:
        faults.append("`name` must be a text")
    for name in ("command", "version", "shells"):
        value = found.get(name, [] if name != "command" else None)
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value) or value == []:
            if name == "command" or name in found:
                faults.append(f"`{name}` must be a list of words")
    if found.get("input", "hook") not in INPUTS:
        faults.append(f"`input` must be one of {', '.join(INPUTS)}")
    if not isinstance(found.get("timeout_s", 30), (int, float)):
        faults.append("`timeout_s` must be a number of seconds")
    statuses, answer = found.get("exit", {}), found.get("json", {})
    for name, table in (("exit", statuses), ("json", answer), ("env", found.get("env", {}))):
        if not isinstance(table, dict):
            faults.append(f"[{name}] must be a table")
            return faults
    if odd := [word for word in statuses.values() if word not in DECISION_RANK]:
        faults.append(f"[exit]: {odd[0]!r} is no decision")
    if not statuses and not answer:
        faults.append("[exit] or [json] must say how a verdict reads")
    if answer and not isinstance(answer.get("path"), str):
        faults.append("[json]: `path` must name a field, with dots in between")
    if answer.get("missing", ASK) not in DECISION_RANK:
        faults.append(f"[json]: missing = {answer['missing']!r} is no decision")
    return faults


class Guard:
    """A guard as a judge: one process a row, as its hook would be started."""

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        program = shutil.which(adapter.command[0])
        if program is None:
            raise PhocinaeError(
                INVALID_ARGUMENTS,
                f"{adapter.name}: {adapter.command[0]} is not installed",
                do="install it, put it on PATH, and start the run again",
            )
        self.argv = [program, *adapter.command[1:]]
        # The guard's own settings and log belong to nobody: only what the adapter names is passed on.
        self.env = {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", **adapter.env}

    def __call__(self, row: Row) -> Outcome | None:
        """Return the guard's verdict; a failure of it lets the row pass or asks, as its host would see it: it asks."""
        adapter = self.adapter
        if row.shell not in adapter.shells:
            return None
        argv = [*self.argv, row.command] if adapter.input == "argument" else self.argv
        given = {"stdin": row.command, "argument": "", "hook": hook_call(row)}[adapter.input]
        try:
            done = subprocess.run(
                argv,
                input=given.encode("utf-8", "surrogateescape"),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=CWD if os.path.isdir(CWD) else None,
                env=self.env,
                timeout=adapter.timeout_s,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return Outcome(ASK, reason=FAILED, escalate=True, error=type(error).__name__)
        decision = read_verdict(adapter, done.returncode, done.stdout)
        if decision is None:
            return Outcome(ASK, reason=FAILED, escalate=True, error=f"exit-{done.returncode}")
        return Outcome(decision)


def version_of(adapter: Adapter) -> str:
    """Return the version that the guard prints, as a word with a digit in it; an empty text when it doesn't say."""
    if not adapter.version:
        return ""
    try:
        done = subprocess.run(adapter.version, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = (done.stdout or done.stderr).split()
    return next((word for word in words if any(char.isdecimal() for char in word)), "")


def hook_call(row: Row) -> str:
    """Return the JSON that a coding agent sends before it runs a command."""
    call = {
        "session_id": "phocinae-bench",
        "transcript_path": "",
        "cwd": CWD,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": row.command},
    }
    return json.dumps(call)


def read_verdict(adapter: Adapter, status: int, output: bytes) -> str | None:
    """Return the decision in a guard's answer, or None when it is none."""
    text = output.decode("utf-8", "replace").strip()
    if adapter.path:
        if text:
            word = _at(text, adapter.path)
            if word is not None:
                return adapter.words.get(word)
        elif adapter.missing is not None and status == 0:
            return adapter.missing
    return adapter.exit.get(str(status))


def _at(text: str, path: tuple[str, ...]) -> str | None:
    try:
        found = json.loads(text)
        for name in path:
            found = found[name]
    except (ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, str) else None


def _wrong(path: str, faults: list[str]) -> PhocinaeError:
    return PhocinaeError(
        INVALID_ARGUMENTS,
        f"{path}: no adapter that can be used",
        do="docs/bench.md shows one",
        details=tuple(faults),
    )
