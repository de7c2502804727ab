"""Who is measured: the embedded engine, a service under each formulation, kept answers, any other guard."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from typing import Any, Protocol

from phocinae_cli.app import Checker, load_knowledge
from phocinae_cli.backends import embedded, formulation
from phocinae_cli.backends.answer import Answer
from phocinae_cli.backends.client import Client
from phocinae_cli.backends.question import NOUL
from phocinae_cli.backends.service import make_ask, make_client
from phocinae_cli.bench.adapters import Guard, load_adapter
from phocinae_cli.bench.outcome import HARMFUL, Outcome, Row
from phocinae_cli.core import reasons
from phocinae_cli.core.queries import Facts, PathFact, Query, TextFact, TreeFact
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import ASK, DECISION_RANK, HARM_RANK, HARMLESS, Verdict
from phocinae_cli.errors import INVALID_ARGUMENTS, SERVICE_UNAVAILABLE, PhocinaeError
from phocinae_cli.gate.case import Case
from phocinae_cli.gate.consult import weigh

EMBEDDED, SERVICE, GATE, BOTH, ANSWERS, ADAPTER = "embedded", "service", "gate", "both", "answers", "adapter"
RECORDED = "recorded"
OF_A_SERVICE = (SERVICE, GATE, BOTH)
FORMULATIONS = ("harm", "tri-state", "noul")

MOVABLE_REASONS = (reasons.CALLED_HARMLESS, reasons.CONFIDENCE_BELOW_THRESHOLD)
IN_A_ROW = 5
"""After so many failures of a service one after the other, the run ends: there is nobody to measure.

A service that answers now and then may refuse as many rows as it likes.
"""

NO_KNOWLEDGE_OF_ONES_OWN = {"XDG_CONFIG_HOME": os.devnull}
"""Under which nobody's own entries are found, so that a figure is the same on every machine."""


@dataclass(frozen=True, slots=True)
class Spec:
    """Which judge to make, in plain values that another process can be given.

    `kind` is `embedded`; `service`, the question alone; `gate`, a service behind the whole gate; `both`; `answers`,
    verdicts from a file; `adapter`, another program. `settings` are names and values that differ from the defaults;
    `configured` takes the configuration in force instead. `path` is the file of answers or of the adapter.
    """

    name: str
    kind: str
    settings: tuple[tuple[str, Any], ...] = ()
    path: str = ""
    audience: str = "agent"
    configured: bool = False
    recording: str | None = None
    replaying: str | None = None
    compare_orders: bool = False

    @property
    def in_process(self) -> bool:
        """Whether asking costs only time of this process, so that it may be asked much and often."""
        return self.kind == EMBEDDED

    def as_object(self) -> dict[str, object]:
        """Return the spec as plain values for JSON, without what is at its default."""
        found: dict[str, object] = {"name": self.name, "kind": self.kind, "audience": self.audience}
        if self.settings:
            found["settings"] = dict(self.settings)
        for name in ("path", "configured", "replaying", "compare_orders"):
            if value := getattr(self, name):
                found[name] = value
        return found


class Judge(Protocol):
    """Anything that makes an outcome of a row; None when the row's shell is none of its business."""

    def __call__(self, row: Row) -> Outcome | None:
        """Return what it makes of a row."""
        ...


def specs_of(names: list[str], formulations: list[str], adapters: list[str], base: Spec) -> tuple[Spec, ...]:
    """Return the judges that words of a command line name; `base` holds what they share.

    A service is one judge for each formulation. Raises PhocinaeError (INVALID_ARGUMENTS).
    """
    if "all" in formulations:
        formulations = list(FORMULATIONS)
    if odd := [mode for mode in formulations if mode not in FORMULATIONS]:
        raise _wrong(f"no formulation is called {odd[0]!r}", f"there are {', '.join(FORMULATIONS)} and all")
    if not names and not adapters:
        names = [SERVICE if formulations or base.replaying or base.recording else EMBEDDED]
    found: list[Spec] = []
    for name in names:
        kind, _, path = name.partition(":")
        if kind in OF_A_SERVICE and not path:
            modes = formulations or [str(dict(base.settings).get("gate_mode", "harm"))]
            found += [_service(base, kind, mode) for mode in modes]
        elif kind == RECORDED and path:
            modes = formulations or [str(dict(base.settings).get("gate_mode", "harm"))]
            recorded = replace(base, recording=None, replaying=path)
            found += [replace(_service(recorded, SERVICE, mode), name=f"{_stem(path)} {mode}") for mode in modes]
        elif name == EMBEDDED:
            found.append(replace(base, name=name, kind=name, recording=None, replaying=None, compare_orders=False))
        elif kind == ANSWERS and path:
            found.append(replace(base, name=_stem(path), kind=kind, path=path, recording=None, replaying=None))
        else:
            raise _wrong(
                f"no judge is called {name!r}",
                "there are embedded, service, recorded:FILE, gate, both and answers:FILE",
            )
    for path in adapters:
        adapter = load_adapter(path)
        found.append(replace(base, name=adapter.name, kind=ADAPTER, path=path, recording=None, replaying=None))
    names = [spec.name for spec in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise _wrong(f"two judges are called {twice[0]!r}", "name each once")
    return tuple(found)


def _service(base: Spec, kind: str, mode: str) -> Spec:
    backend = BOTH if kind == BOTH else SERVICE
    settings = (dict(base.settings) | {"gate_mode": mode, "backend": backend}).items()
    return replace(base, name=f"{kind} {mode}", kind=kind, settings=tuple(settings))


def make(spec: Spec) -> Judge:
    """Return the judge of a spec; raises PhocinaeError when it can't be had."""
    if spec.kind == ADAPTER:
        return Guard(load_adapter(spec.path))
    if spec.kind == ANSWERS:
        return Answers(spec.path)
    checker = checker_of(spec)
    if spec.kind == SERVICE:
        return Question(checker, spec)
    return Gate(checker, spec.audience)


def checker_of(spec: Spec) -> Checker:
    """Return a checker that keeps nothing and never looks at this machine; raises PhocinaeError.

    It sees what `check` would see in a new project: nothing that a line names is there yet. So the text decides, and
    the same rows give the same figures everywhere.
    """
    if spec.configured:
        flags = {"gate_audit": False, **dict(spec.settings)}
        checker = Checker.from_environment(flags={name.replace("gate_", "gate."): flags[name] for name in flags})
        checker.look = new_project
        checker.audit = checker.approvals = None
        settings = checker.settings
    else:
        settings = Settings()
        for name, value in spec.settings:
            setattr(settings, name, value)
        checker = Checker(
            settings, load_knowledge(NO_KNOWLEDGE_OF_ONES_OWN), lambda case: _engine(case), look=new_project
        )
    if settings.backend != EMBEDDED:
        checker.ask = make_ask(settings, embedded.judge, os.environ, spec.recording, spec.replaying)
    return checker


def new_project(queries: tuple[Query, ...], facts: Facts) -> None:
    """Answer what is asked of the machine as a new project would: no such file, no work tree, no alias."""
    facts.looked = True
    for kind, argument in queries:
        if kind == "path":
            facts.paths[argument] = PathFact("missing", argument)
        elif kind == "tree":
            facts.trees[argument] = TreeFact(None)
        else:
            facts.texts[kind, argument] = TextFact(None, "missing")


def request_of(row: Row, audience: str) -> Request:
    """Return the request for a row: typed in the project of a user, as the labels assume."""
    text = row.command.replace("\r\n", "\n") if "\r" in row.command else row.command
    return Request(text[:-1] if text.endswith("\n") else text, shell=row.shell, audience=audience)


def _engine(case: Case) -> Any:
    return embedded.judge(case.analysis, case.request)


class Gate:
    """The whole gate, as `check` asks it."""

    def __init__(self, checker: Checker, audience: str) -> None:
        self.checker = checker
        self.audience = audience
        self._failures = Failures()

    def __call__(self, row: Row) -> Outcome:
        """Return the verdict on a row; raises PhocinaeError when a service is not there at all."""
        report = self.checker.check(request_of(row, self.audience))
        if report.verdict.reason == reasons.SERVICE_UNAVAILABLE and report.error is not None:
            self._failures.add(PhocinaeError(*report.error))
        else:
            self._failures.forget()
        return outcome_of(report.verdict, report.error)


class Question:
    """A service asked the gate's question on every row: no list, no rule and no engine stands in front of it."""

    def __init__(self, checker: Checker, spec: Spec) -> None:
        self.checker = checker
        self.audience = spec.audience
        self.order = "compared" if spec.compare_orders else "given"
        self.client: Client = make_client(checker.settings, os.environ, spec.recording, spec.replaying)
        self._failures = Failures()

    def __call__(self, row: Row) -> Outcome:
        """Return what the service's answer comes to; raises PhocinaeError when it is not there at all."""
        request = request_of(row, self.audience)
        analysis, _ = self.checker.analysis(request, Facts())
        settings = self.checker.settings
        case = Case(request, settings, analysis)
        mode = settings.gate_mode
        question = formulation.question(mode, settings.gate_threshold)
        text, was_cut = formulation.state(case)
        order = "averaged" if settings.permute_choice and question.options else self.order
        try:
            reply = self.client.ask(text, (question,), order)
        except PhocinaeError as error:
            self._failures.add(error)
            return Outcome(ASK, reason=reasons.SERVICE_UNAVAILABLE, escalate=True, error=error.code)
        self._failures.forget()
        answer = reply.answers[question.id]
        cut = was_cut or reply.truncated
        judgement = formulation.judgement(mode, answer, reply.confidence_kind, f"service:{reply.model}", cut)
        found = outcome_of(weigh(case, judgement), None)
        return with_answer(found, answer, cut)


def outcome_of(verdict: Verdict, error: tuple[str, str] | None) -> Outcome:
    """Return a verdict as an outcome."""
    known = verdict.harm is not None and verdict.confidence_kind != "none"
    confidence = round(verdict.confidence, 6) if known else None
    return Outcome(
        decision=verdict.decision,
        claim=verdict.harm,
        confidence=confidence,
        probability=confidence,
        movable=verdict.harm == HARMLESS and verdict.reason in MOVABLE_REASONS and verdict.confidence_kind != "certain",
        escalate=verdict.escalate,
        reason=verdict.reason,
        codes=tuple(dict.fromkeys(finding.code for finding in verdict.findings)),
        error=error[0] if error is not None else "",
    )


def with_answer(outcome: Outcome, answer: Answer, cut: bool) -> Outcome:
    """Return an outcome with what only the answer itself tells: probabilities, order flips, the other side of a no.

    A yes/no answer is taken as the claim that is likelier, so that every threshold can be tried on it.
    """
    if answer.type == NOUL and answer.scores is not None:
        p_yes = round(answer.scores[1], 6)
        claim = HARMLESS if p_yes >= formulation.COIN else HARMFUL
        likely = max(p_yes, 1 - p_yes)
        return replace(
            outcome, claim=claim, confidence=p_yes, probability=likely, movable=claim == HARMLESS and not cut
        )
    probability = outcome.confidence
    if answer.scores is not None and outcome.confidence is not None:
        probability = round(max(answer.scores), 6)
    if answer.type == NOUL:
        claim = HARMLESS if answer.value is True else HARMFUL
        outcome = replace(outcome, claim=claim, confidence=answer.confidence)
    return replace(outcome, probability=probability, flipped=answer.flipped, movable=outcome.movable and not cut)


class Failures:
    """Counts failures one after the other, and gives up when there are too many."""

    def __init__(self) -> None:
        self.count = 0
        self.answered = False

    def add(self, error: PhocinaeError) -> None:
        """Count one; raises it when the service is not there."""
        self.count += 1
        if self.count >= IN_A_ROW and (error.code == SERVICE_UNAVAILABLE or not self.answered):
            raise error

    def forget(self) -> None:
        """An answer came: nothing is wrong."""
        self.count, self.answered = 0, True


class Answers:
    """Verdicts that somebody kept, such as what `check --jsonl` printed: found by `id`, else by the command."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.kept: dict[str, Outcome] = {}
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        self._keep(number, line)
        except OSError as error:
            raise _wrong(f"{path}: {error.strerror}") from None

    def __call__(self, row: Row) -> Outcome:
        """Return the answer on file; one that is missing is a failure, which asks."""
        found = self.kept.get(row.id) or self.kept.get(row.command)
        return found if found is not None else Outcome(ASK, escalate=True, reason="no-answer", error="no-answer")

    def _keep(self, number: int, line: str) -> None:
        try:
            found = json.loads(line)
            decision = found["decision"]
            outcome = answer_of(found)
        except (ValueError, KeyError, TypeError, AttributeError):
            decision = None
        if decision not in DECISION_RANK:
            raise _wrong(f"{self.path}: line {number} holds no decision", "each line is what `check --json` prints")
        for name in ("id", "command"):
            if isinstance(found.get(name), str):
                self.kept[found[name]] = outcome


def answer_of(found: dict[str, Any]) -> Outcome:
    """Return the outcome in one object of `check --json`; raises ValueError, TypeError for one that is none."""
    claim = found.get("harm") if found.get("harm") in HARM_RANK else None
    confidence = found.get("confidence")
    known = isinstance(confidence, (int, float)) and 0 <= confidence <= 1 and found.get("confidence_kind") != "none"
    error = found.get("error")
    return Outcome(
        decision=found["decision"],
        claim=claim,
        confidence=round(float(confidence), 6) if known and confidence is not None else None,
        probability=round(float(confidence), 6) if known and confidence is not None else None,
        movable=claim == HARMLESS and found.get("reason") in MOVABLE_REASONS,
        escalate=found.get("escalate") is True,
        reason=str(found.get("reason") or ""),
        codes=tuple(dict.fromkeys(str(finding["code"]) for finding in found.get("findings") or ())),
        error=str(error.get("code")) if isinstance(error, dict) else "",
    )


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]


def _wrong(message: str, do: str = "") -> PhocinaeError:
    return PhocinaeError(INVALID_ARGUMENTS, message, do)
