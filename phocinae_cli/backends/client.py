"""The client of a decision service: which dialect, which requests, what to do when something goes wrong."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Sequence

from phocinae_cli.backends import permute, wire
from phocinae_cli.backends.answer import Answer, Reply
from phocinae_cli.backends.loopback import Deadline, Expired
from phocinae_cli.backends.question import MAX_QUESTIONS, Question, problems
from phocinae_cli.backends.systemone import Call, Exchange, Lost, Response
from phocinae_cli.core.settings import Settings
from phocinae_cli.errors import INVALID_ARGUMENTS, SERVICE_ERROR, SERVICE_UNAVAILABLE, PhocinaeError

DEFAULT_MODEL = Settings().model
TYPED_MODEL = "jev-latest"
"""The name that every typed server accepts; sent when no model was chosen, since the default is a flat server's."""
MAX_BATCH = 64
START = "start one with `phocinae serve` or `python -m phocinae.main` (phocinae-server), or see that endpoint is right"
PAUSE_S = 0.05


class Refused(PhocinaeError):
    """The service answered with something else than 200; `status` is the HTTP status."""

    def __init__(self, status: int, message: str, do: str) -> None:
        super().__init__(SERVICE_ERROR, message, do)
        self.status = status


class Client:
    """Puts questions to one service. `timeout_s` bounds everything that one call of a method does."""

    def __init__(
        self,
        exchange: Exchange,
        model: str = DEFAULT_MODEL,
        dialect: str = "auto",
        timeout_s: float = 3.0,
        retries: int = 0,
    ) -> None:
        self._exchange = exchange
        self._model = model
        self._dialect = None if dialect == "auto" else dialect
        self._timeout_s = timeout_s
        self._retries = retries

    def dialect(self, deadline: Deadline | None = None) -> str:
        """Return the dialect that is spoken; with `auto` the service's list of models tells, once."""
        if self._dialect is None:
            deadline = deadline or self.deadline()
            try:
                response = self._send(Call("GET", wire.MODELS_ROUTE), deadline)
            except Refused as error:
                if error.status in (404, 405, 501):
                    error.do = "it has no list of models to tell its dialect by: set dialect to flat or typed"
                raise
            self._dialect = wire.dialect_of(response.body)
        if self._dialect is None:
            raise wire.bad("its list of models fits neither dialect (set dialect to flat or typed)")
        return self._dialect

    def deadline(self, requests: int = 1) -> Deadline:
        """Return the time allowed for so many requests, from now: a server answers them one after another."""
        return Deadline(self._timeout_s * max(1, requests))

    def ask(self, state: object, questions: Sequence[Question], order: str = "given") -> Reply:
        """Return the answers to all questions, split into as many requests as it takes.

        `order` is `given`; `averaged`, to have choices asked in several option orders, by the service where it can;
        or `compared`, to ask them so ourselves and tell which answers flip. Raises PhocinaeError.
        """
        refuse(questions)
        deadline = self.deadline()
        if order == "averaged" and self.dialect(deadline) == wire.FLAT:
            try:
                return self._ask(state, tuple(questions), deadline, "/permute")
            except Refused as error:
                if error.status not in (404, 405):
                    raise
        if order == "given":
            return self._ask(state, tuple(questions), deadline)
        return self._ask_variants(state, tuple(questions), deadline)

    def plan(self, state: object, questions: Sequence[Question], dialect: str) -> list[dict[str, object]]:
        """Return the bodies that `ask` would send in the given order and dialect; nothing is sent."""
        refuse(questions)
        return [
            wire.request(dialect, self.model(dialect), state, group)
            for group in wire.groups(dialect, tuple(questions), MAX_QUESTIONS)
        ]

    def ask_batch(self, queries: Sequence[wire.Query]) -> list[Reply | PhocinaeError]:
        """Return a reply or an error for each query, in order.

        A flat service is asked by the batch, and a batch that it refuses is halved until the item at fault stands
        alone; a typed service has no batches. Raises PhocinaeError only where nothing could be asked at all.
        """
        found: list[Reply | PhocinaeError] = []
        dialect = self.dialect()
        for start in range(0, len(queries), MAX_BATCH):
            found.extend(self._chunk(dialect, list(queries[start : start + MAX_BATCH])))
        return found

    def model(self, dialect: str) -> str:
        """Return the name of the model to ask for."""
        return TYPED_MODEL if dialect == wire.TYPED and self._model == DEFAULT_MODEL else self._model

    def _ask(self, state: object, questions: tuple[Question, ...], deadline: Deadline, route: str = "") -> Reply:
        dialect = self.dialect(deadline)
        model = self.model(dialect)
        replies: list[Reply] = []
        for group in wire.groups(dialect, questions, MAX_QUESTIONS):
            body = wire.encode(wire.request(dialect, model, state, group))
            response = self._send(Call("POST", wire.ROUTE + route, body), deadline)
            replies.append(wire.read(dialect, response.body, (state, group), model))
        return joined(replies)

    def _ask_variants(self, state: object, questions: tuple[Question, ...], deadline: Deadline) -> Reply:
        asked = [permute.variants(question) for question in questions]
        reply = self._ask(state, tuple(variant for variants in asked for variant in variants), deadline)
        answers: dict[str, Answer] = {}
        for question, variants in zip(questions, asked, strict=True):
            given = tuple(reply.answers[variant.id] for variant in variants)
            answers[question.id] = permute.merge(question, variants, given, reply.confidence_kind)
        return Reply(
            answers, reply.model, reply.asked_model, reply.confidence_kind, reply.dialect, reply.usage, reply.truncated
        )

    def _chunk(self, dialect: str, queries: list[wire.Query]) -> list[Reply | PhocinaeError]:
        whole = dialect == wire.FLAT and len(queries) > 1
        if not whole or any(len(wire.groups(dialect, questions, MAX_QUESTIONS)) != 1 for _, questions in queries):
            return [self._one(state, questions) for state, questions in queries]
        model = self.model(dialect)
        try:
            for _, questions in queries:
                refuse(questions)
            body = [wire.request(dialect, model, state, questions) for state, questions in queries]
            call = Call("POST", f"{wire.ROUTE}/batch", wire.encode(body))
            response = self._send(call, self.deadline(len(queries)))
            return wire.read_batch(dialect, response.body, queries, model)
        except Refused as error:
            if error.status in (404, 405):
                return [self._one(state, questions) for state, questions in queries]
            if error.status not in (400, 413, 422, 500):
                return [error] * len(queries)
        except PhocinaeError as error:
            if error.code != INVALID_ARGUMENTS:
                return [error] * len(queries)
        half = len(queries) // 2
        return self._chunk(dialect, queries[:half]) + self._chunk(dialect, queries[half:])

    def _one(self, state: object, questions: tuple[Question, ...]) -> Reply | PhocinaeError:
        try:
            return self.ask(state, questions)
        except PhocinaeError as error:
            return error

    def _send(self, call: Call, deadline: Deadline) -> Response:
        """Return a complete 200 with JSON in it; only what is safe to repeat is repeated, inside the deadline."""
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            try:
                response = self._exchange(call, deadline)
            except Lost as error:
                if last or error.late or not error.untouched or not _rest(PAUSE_S * 2**attempt, deadline):
                    raise _unavailable(error) from None
                continue
            if response.status in (429, 503) and not last and _rest(retry_after_s(response.retry_after), deadline):
                continue
            return _accepted(response)
        raise AssertionError("unreachable")


def refuse(questions: Sequence[Question]) -> None:
    """Raise PhocinaeError (INVALID_ARGUMENTS) for questions that may not be sent: some servers fall over on them."""
    if found := problems(questions):
        raise PhocinaeError(INVALID_ARGUMENTS, found[0], details=found[1:])


def joined(replies: list[Reply]) -> Reply:
    """Return the replies to the parts of one set of questions as one."""
    first = replies[0]
    if len(replies) == 1:
        return first
    usages = [reply.usage for reply in replies if reply.usage is not None]
    whole = len(usages) == len(replies)
    return Reply(
        answers={name: answer for reply in replies for name, answer in reply.answers.items()},
        model=", ".join(dict.fromkeys(reply.model for reply in replies)),
        asked_model=first.asked_model,
        confidence_kind=first.confidence_kind,
        dialect=first.dialect,
        usage=(sum(read for read, _ in usages), sum(written for _, written in usages)) if whole else None,
        truncated=any(reply.truncated for reply in replies),
    )


def retry_after_s(text: str) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, or None when it says nothing usable."""
    if text.endswith("ms") and text[:-2].isdecimal():
        return int(text[:-2]) / 1000 if len(text) < 12 else None
    if text.isascii() and text.isdecimal():
        return float(text) if len(text) < 10 else None
    try:
        then = email.utils.parsedate_to_datetime(text)
        wait = then.timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return None
    return wait if wait >= 0 else None


def _rest(seconds: float | None, deadline: Deadline) -> bool:
    """Wait, if there is time for it and for a further attempt; return whether that is so."""
    try:
        if seconds is None or seconds >= deadline.left_s():
            return False
    except Expired:
        return False
    time.sleep(seconds)
    return True


def _unavailable(error: Lost) -> PhocinaeError:
    if error.late:
        return PhocinaeError(
            SERVICE_UNAVAILABLE,
            f"the decision service gave {error.what}",
            do="see that it has finished loading, or raise timeout_ms",
        )
    if error.untouched:
        return PhocinaeError(SERVICE_UNAVAILABLE, f"the decision service can't be reached: {error.what}", do=START)
    return wire.bad(error.what)


_REMEDIES = {
    401: "give the token in PHOCINAE_TOKEN, or in a file named by PHOCINAE_TOKEN_FILE",
    403: "the token given is not allowed to do this",
    404: "see that endpoint leads to a /v1/systemone service",
    405: "see that endpoint leads to a /v1/systemone service",
    413: "the service takes no body of this size: shorten the state",
    422: "see that dialect and model are those of the service",
    429: "it is busy: wait a little",
    503: "it is still loading its model, or busy: wait a little",
}


def _accepted(response: Response) -> Response:
    status = response.status
    if status == 200:
        if response.media_type != "application/json" and not response.media_type.endswith("+json"):
            raise wire.bad(f"it answered with {response.media_type[:60] or 'no media type'!r} instead of JSON")
        return response
    if 300 <= status < 400:
        raise Refused(status, f"the decision service answered {status}: a redirect", "set endpoint to where it leads")
    if status < 300:
        raise wire.bad(f"it answered with status {status}")
    said = wire.fault(response.body)
    raise Refused(
        status,
        f"the decision service answered {status}{': ' if said else ''}{said}",
        _REMEDIES.get(status, "look into the service's own log"),
    )
