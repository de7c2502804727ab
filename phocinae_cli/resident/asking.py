"""Who answers typed questions: a decision service, or the engine in this process with or without a general model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from phocinae_cli.backends import commandquestions
from phocinae_cli.backends.answer import Answer, Reply
from phocinae_cli.backends.client import Client, refuse
from phocinae_cli.backends.general import General
from phocinae_cli.backends.question import Question
from phocinae_cli.backends.result import Result, bars, weigh
from phocinae_cli.backends.service import make_client
from phocinae_cli.backends.statetext import cut
from phocinae_cli.core.questions import ENGINE
from phocinae_cli.core.redact import redact
from phocinae_cli.core.request import SHELLS
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.app import Checker

MODEL = ENGINE
CALIBRATED = "calibrated"


class Asker(Protocol):
    """Answers a set of questions about a state; raises PhocinaeError when it can't."""

    engine: str

    def ask(self, state: object, questions: tuple[Question, ...], order: str = "given") -> Reply:
        """Return one answer for each question."""


class Service:
    """The decision service of the settings."""

    engine = "service"

    def __init__(self, client: Client) -> None:
        self.client = client

    def ask(self, state: object, questions: tuple[Question, ...], order: str = "given") -> Reply:
        """Return what the service answers."""
        return self.client.ask(state, questions, order)


class Engine:
    """The engine in this process: it knows commands, and leaves everything else open for `general`, if there is one."""

    def __init__(self, checker: Checker, general: General | None = None) -> None:
        self.engine = "embedded" if general is None else "general"
        self._checker = checker
        # A question is no attempt to run: it leaves no trace among those, and uses no approval up.
        checker.audit = checker.approvals = None
        self._general = general

    def ask(self, state: object, questions: tuple[Question, ...], order: str = "given") -> Reply:
        """Return what the engine knows; it looks at no order, so none can flip its answers."""
        refuse(questions)
        return Reply(self.answers(state, questions), MODEL, MODEL, CALIBRATED, "")

    def answers(self, state: object, questions: Sequence[Question]) -> dict[str, Answer]:
        """Return one answer for each question by its id; what the engine knows nothing of has no value."""
        return {question.id: self._answer(question, state) for question in questions}

    def _answer(self, question: Question, state: object) -> Answer:
        found = commandquestions.answer(question, state, self.vet)
        if found.value is None and self._general is not None:
            return self._general.answer(question, state)
        return found

    def vet(self, line: commandquestions.Line) -> Verdict:
        """Return the verdict on a command that stands in a state."""
        cwd = line.cwd if line.cwd and os.path.isabs(line.cwd) else ""
        request = self._checker.request(line.text, shell=line.shell if line.shell in SHELLS else "bash", cwd=cwd)
        return self._checker.check(request).verdict


def open_asker(
    settings: Settings,
    open_checker: Callable[[], Checker],
    *,
    environment: Mapping[str, str] | None = None,
    general: bool = False,
    recording: str | None = None,
    replaying: str | None = None,
    retries: int = 0,
) -> Asker:
    """Return who answers under these settings; raises PhocinaeError for what can't be used.

    The engine answers with `backend = "embedded"`, unless a recording is replayed; `both` means the service here,
    since only a gate has two opinions to weigh.
    """
    if settings.backend == "embedded" and replaying is None:
        return Engine(open_checker(), General() if general else None)
    return Service(make_client(settings, environment, recording, replaying, retries))


def ask(asker: Asker, settings: Settings, state: object, questions: Sequence[Question], order: str = "given") -> Result:
    """Return the answers with their weight. What goes to a service has its secrets redacted, and is cut when long."""
    prepared, was_cut = prepare(state, settings.max_state_chars) if asker.engine == "service" else (state, False)
    return weigh(asker.ask(prepared, tuple(questions), order), tuple(questions), bars(settings), asker.engine, was_cut)


def prepare(state: object, limit: int) -> tuple[object, bool]:
    """Return a state as it may be sent, and whether a text had to be cut at its end to fit into `limit` characters."""
    return cut(redact(state), limit) if isinstance(state, str) else (_redacted(state), False)


def _redacted(value: object) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redacted(item) for key, item in value.items()}
    return [_redacted(item) for item in value] if isinstance(value, list) else value
