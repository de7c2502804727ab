"""`ask --jsonl`: one row in, one answer out, in order; errors stand in their place, and a stopped run can go on."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from typing import IO, Any

from phocinae_cli.backends import questionform
from phocinae_cli.backends.answer import Reply
from phocinae_cli.backends.question import Question
from phocinae_cli.backends.result import bars, weigh
from phocinae_cli.backends.strictjson import NotJson, parse
from phocinae_cli.cli.ask import Job, filled, plan
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.core.jsontext import encode
from phocinae_cli.core.verdict import EXIT_FAILURE
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.resident import asking

LONGEST = 4 << 20
"""Bytes of a row that are read."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the input: its number from 1, a fingerprint of its text, and what it holds or what is wrong."""

    number: int
    print_: str
    fields: dict[str, object]
    error: PhocinaeError | None = None


def ask_rows(
    job: Job, source: str, output: str | None, size: int, max_time_s: float | None, escalated: int, dry_run: bool
) -> int:
    """Ask about every row and return the status: 3 after an error or a stop, else `escalated` where one should be."""
    end = None if max_time_s is None else time.monotonic() + max_time_s
    status = failed = done = 0
    with ExitStack() as stack:
        file = sys.stdin.buffer if source == "-" else stack.enter_context(open(source, "rb"))
        rows = read_rows(file)
        sink = None if output is None else stack.enter_context(_Sink.resumed(output, rows))
        advance = stack.enter_context(_progress(source, sink.done if sink else 0))
        for chunk in _chunks(rows, size):
            if end is not None and time.monotonic() >= end:
                tell(f"phocinae: stopped before row {chunk[0].number}: --max-time is over; {_how_to_go_on(output)}")
                return EXIT_FAILURE
            answers = [_planned(job, row) for row in chunk] if dry_run else _answered(job, chunk)
            for row, answer in zip(chunk, answers, strict=True):
                failed += answer.get("error") is not None
                status = max(status, escalated if answer.get("escalate") else 0)
                line = encode(_with_id(row, answer))
                if not (sink.put(line) if sink else show(line)):
                    return status
                done += 1
                advance()
    if failed:
        tell(f"phocinae: {failed} of {done} rows had an error, which stands in their place")
    return EXIT_FAILURE if failed else status


def read_rows(file: IO[bytes]) -> Iterator[Row]:
    """Give each row that isn't blank; one that can't be read carries its error."""
    number = 0
    while raw := file.readline(LONGEST):
        number += 1
        whole = raw.endswith(b"\n") or len(raw) < LONGEST
        while not raw.endswith(b"\n") and len(raw) == LONGEST:
            raw = file.readline(LONGEST)
        if whole and not raw.strip():
            continue
        print_ = hashlib.sha256(raw.strip()).hexdigest()[:16]
        try:
            found = parse(raw.strip()) if whole else None
            if not isinstance(found, dict):
                raise NotJson("it is no JSON object" if whole else f"it is longer than {LONGEST} bytes")
        except NotJson as error:
            yield Row(number, print_, {}, PhocinaeError(INVALID_ARGUMENTS, f"row {number}: {error}"))
        else:
            yield Row(number, print_, found)


def _answered(job: Job, chunk: list[Row]) -> list[dict[str, object]]:
    """Return an answer or an error for each row; rows that go to a service go together."""
    asker = job.asker
    jobs: list[tuple[Job, object] | PhocinaeError] = [_prepared(job, row) for row in chunk]
    if len(chunk) > 1 and isinstance(asker, asking.Service) and job.order == "given":
        return _by_batch(asker, jobs)
    return [_one(item) for item in jobs]


def _prepared(job: Job, row: Row) -> tuple[Job, object] | PhocinaeError:
    if row.error is not None:
        return row.error
    try:
        questions = job.questions
        if "questions" in row.fields:
            questions = (*questions, *questionform.full(row.fields["questions"]))
        if job.template is None and "state" not in row.fields:
            raise PhocinaeError(INVALID_ARGUMENTS, "it has no field called 'state', and there is no --template")
        return replace(job, questions=questions), filled(job.template, row.fields)
    except PhocinaeError as error:
        return PhocinaeError(error.code, f"row {row.number}: {error.message}", error.do, error.details)


def _one(item: tuple[Job, object] | PhocinaeError) -> dict[str, object]:
    if isinstance(item, PhocinaeError):
        return _failed(item)
    job, state = item
    try:
        return job.answer(state).as_object()
    except PhocinaeError as error:
        return _failed(error)


def _by_batch(asker: asking.Service, jobs: list[tuple[Job, object] | PhocinaeError]) -> list[dict[str, object]]:
    prepared: list[tuple[Job, tuple[object, bool]]] = [
        (item[0], asking.prepare(item[1], item[0].settings.max_state_chars))
        for item in jobs
        if not isinstance(item, PhocinaeError)
    ]
    queries: list[tuple[object, tuple[Question, ...]]] = [(state, job.questions) for job, (state, _) in prepared]
    replies: Iterator[Reply | PhocinaeError]
    try:
        replies = iter(asker.client.ask_batch(queries))
    except PhocinaeError as error:
        replies = iter([error] * len(queries))
    known = iter(prepared)
    found: list[dict[str, object]] = []
    for item in jobs:
        if isinstance(item, PhocinaeError):
            found.append(_failed(item))
            continue
        job, (_, was_cut) = next(known)
        reply = next(replies)
        if isinstance(reply, PhocinaeError):
            found.append(_failed(reply))
        else:
            result = weigh(reply, job.questions, bars(job.settings), asker.engine, was_cut)
            found.append(result.as_object())
    return found


def _planned(job: Job, row: Row) -> dict[str, object]:
    item = _prepared(job, row)
    if isinstance(item, PhocinaeError):
        return _failed(item)
    try:
        return plan(*item)
    except PhocinaeError as error:
        return _failed(error)


def _failed(error: PhocinaeError) -> dict[str, object]:
    message = "; ".join((error.message, *error.details))
    return {"schema": 1, "error": {"code": error.code, "message": message, "do": error.do}}


def _with_id(row: Row, answer: dict[str, object]) -> dict[str, object]:
    own = {"id": row.fields["id"]} if "id" in row.fields else {}
    return {"row": row.number, **own, "input": row.print_, **answer}


def _chunks(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


class _Sink:
    """A file that answers are appended to; what stands there already is not asked again."""

    def __init__(self, path: str, done: int) -> None:
        self.done = done
        self._file = open(path, "ab")  # noqa: SIM115

    @classmethod
    def resumed(cls, path: str, rows: Iterator[Row]) -> _Sink:
        """Open a file behind its last whole line, and skip the rows that it answers; raises PhocinaeError."""
        try:
            with open(path, "r+b") as file:
                data = file.read()
                whole = data[: data.rfind(b"\n") + 1]
                file.truncate(len(whole))  # a line that a stop tore off is asked again
        except FileNotFoundError:
            whole = b""
        answered = whole.splitlines()
        for line in answered:
            row = next(rows, None)
            if row is None or _fingerprint(line) != row.print_:
                raise PhocinaeError(
                    INVALID_ARGUMENTS,
                    f"{path} answers other rows than those given",
                    do="name another --output, or give the same --jsonl as before",
                )
        return cls(path, len(answered))

    def put(self, line: str) -> bool:
        """Add one answer, so that it stands there whatever happens next."""
        self._file.write(line.encode("utf-8") + b"\n")
        self._file.flush()
        return True

    def __enter__(self) -> _Sink:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _fingerprint(line: bytes) -> object:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found.get("input") if isinstance(found, dict) else None


def _progress(source: str, done: int) -> Any:
    """Return a context that gives a function to call for each row: it moves a bar where a person looks at stderr."""
    if not sys.stderr.isatty():
        return nullcontext(lambda: None)
    from rich.console import Console
    from rich.progress import Progress

    total = None
    if source != "-":
        with open(source, "rb") as file:
            total = sum(1 for line in file if line.strip())
    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("asking", total=total, completed=done)

    class _Bar(nullcontext[Any]):
        def __enter__(self) -> Any:
            bar.start()
            return lambda: bar.advance(task)

        def __exit__(self, *_: object) -> None:
            bar.stop()

    return _Bar()


def _how_to_go_on(output: str | None) -> str:
    if output is None:
        return "with --output FILE a run can be taken up again"
    return f"run the same command again to go on in {os.path.basename(output)}"
