"""`check --jsonl`: one JSON object a line in, one out, in order and at once, however many there are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from phocinae_cli.app import Checker
from phocinae_cli.cli.line import ask_for, fail_on, open_checker, read_text, status_of
from phocinae_cli.cli.screen import show, tell_notices
from phocinae_cli.core.reasons import LINE_NOT_READABLE
from phocinae_cli.core.report import Report
from phocinae_cli.core.request import AUDIENCES, SHELLS, Request, join
from phocinae_cli.core.verdict import ASK, EXIT_FAILURE, Verdict
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.options import Values
from phocinae_cli.render.json import as_object, dump

LONGEST = 1 << 20
"""Bytes of one line that are read; a text of the 64 kB that can be judged fits, however it is escaped."""

WORDS = {"shell": SHELLS, "audience": AUDIENCES}
MAPS = ("env", "aliases", "functions")
KNOWN = ("command", "shell", "cwd", "audience", "tool", *MAPS)
"""The fields that describe a request. All others come back as they are, `id` among them."""


class Checkers:
    """A checker for each directory that is asked about, since each may lie in a project with a file of its own."""

    KEPT = 100

    def __init__(self, values: Values) -> None:
        self.values = values
        self.first = open_checker(values)
        self.others: dict[str, Checker] = {}

    def at(self, cwd: str | None) -> Checker:
        """Return the checker for a directory; raises PhocinaeError for a broken configuration there."""
        if cwd is None:
            return self.first
        if cwd not in self.others:
            if len(self.others) >= self.KEPT:
                self.others.clear()
            self.others[cwd] = open_checker(self.values | {"cwd": cwd}, self.first.knowledge)
        return self.others[cwd]


def vet_stream(values: Values) -> int:
    """Answer every line of standard input; return the strictest status, or 3 if any line had an error."""
    checkers = Checkers(values)
    status, failed = 0, False
    told: set[str] = set()
    for number, raw in enumerate(lines(sys.stdin.buffer), 1):
        if raw is not None and not raw.strip():
            continue
        item, report = vet_object(checkers, raw, number, values)
        fresh = tuple(notice for notice in report.notices if notice not in told)
        told.update(fresh)
        tell_notices(fresh)
        failed = failed or report.error is not None
        status = max(status, status_of(report, fail_on(values)))
        if not show(dump(merged(item, report))):
            break
    return EXIT_FAILURE if failed else status


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Give each line, and None for one that is longer than LONGEST, without ever holding more than that."""
    while raw := stream.readline(LONGEST):
        whole = raw.endswith(b"\n") or len(raw) < LONGEST
        while not raw.endswith(b"\n") and len(raw) == LONGEST:
            raw = stream.readline(LONGEST)
        yield raw if whole else None


def vet_object(checkers: Checkers, raw: bytes | None, number: int, values: Values) -> tuple[dict[str, Any], Report]:
    """Return the object of a line and the report on it; a line that can't be read gets an ask with an error."""
    item: dict[str, Any] = {}
    try:
        item = read_object(raw)
        request = request_of(checkers.first, item, values)
        return item, checkers.at(item.get("cwd")).check(request)
    except PhocinaeError as error:
        message = ": ".join([f"line {number}", error.message, *error.details])
        verdict = Verdict(ASK, LINE_NOT_READABLE, message)
        return item, Report(ask_for(checkers.first, "", values), verdict, error=(error.code, message))


def read_object(raw: bytes | None) -> dict[str, Any]:
    """Return the JSON object of a line; raises PhocinaeError when there is none."""
    if raw is None:
        raise _wrong(f"longer than {LONGEST} bytes")
    try:
        item = json.loads(read_text(raw))
    except (ValueError, RecursionError) as error:
        raise _wrong(f"not JSON: {error}") from error
    if not isinstance(item, dict):
        raise _wrong("not a JSON object")
    return item


def request_of(checker: Checker, item: dict[str, Any], values: Values) -> Request:
    """Return the request an object stands for; what it leaves out is as the options say. Raises PhocinaeError."""
    command = item.get("command")
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        command = command[0] if len(command) == 1 else join(command)
    if not isinstance(command, str):
        raise _wrong("`command` must be a text, or a list of words")
    request = ask_for(checker, command, values | _told(item))
    if "tool" in item:
        request.tool = item["tool"]
    for name in MAPS:
        getattr(request, name).update(item.get(name) or {})
    return request


def _told(item: dict[str, Any]) -> Values:
    """Return the fields that have an option of the same name, after a look at the type of every known field."""
    found: Values = {}
    for name in KNOWN[1:]:
        value = item.get(name)
        if value is None:
            continue
        if name in MAPS:
            if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
                raise _wrong(f"`{name}` must map names to texts")
            continue
        if not isinstance(value, str):
            raise _wrong(f"`{name}` must be a text")
        if name in WORDS and value not in WORDS[name]:
            raise _wrong(f"`{name}` must be one of {', '.join(WORDS[name])}, not {value!r}")
        if name != "tool":
            found[name] = value
    return found


def merged(item: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return what is printed: `id` and the fields that are not ours as they came, then the report's own."""
    answer = as_object(report)
    return {name: value for name, value in item.items() if name not in KNOWN and name not in answer} | answer


def _wrong(message: str) -> PhocinaeError:
    return PhocinaeError(INVALID_ARGUMENTS, message)
