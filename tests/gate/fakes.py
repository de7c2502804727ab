"""Cases put together by hand: a line's actions and effects as an analysis would find them, and scripted judges."""

from __future__ import annotations

from collections.abc import Callable

from phocinae_cli.core.effects import Action, Analysis, Effect, Target
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Rule, Settings
from phocinae_cli.core.verdict import Finding
from phocinae_cli.gate.case import Case

HOME = "/home/user"
CWD = "/home/user/project"


class Scripted:
    """A judge that gives one answer (or dies of one error) and remembers what it was asked."""

    def __init__(self, answer: Judgement | Exception | None = None) -> None:
        self.answer = answer if answer is not None else harmless()
        self.asked: list[Case] = []

    def __call__(self, case: Case) -> Judgement:
        self.asked.append(case)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def harmless(confidence: float = 0.99, **more: object) -> Judgement:
    return _judgement("harmless", confidence, more)


def risky(*findings: Finding, confidence: float = 0.99, **more: object) -> Judgement:
    return _judgement("risky", confidence, {"findings": findings, **more})


def destructive(confidence: float = 0.99, **more: object) -> Judgement:
    return _judgement("destructive", confidence, more)


def _judgement(harm: str | None, confidence: float, more: dict[str, object]) -> Judgement:
    judgement = Judgement(harm, confidence)
    for name, value in more.items():
        setattr(judgement, name, value)
    return judgement


def finding(undo: str = "easy", certain: bool = True, harm: str = "risky", why: str = "publishes commits") -> Finding:
    return Finding("git.push", "publish", "origin", harm, why, undo=undo, certain=certain)


def action(line: str, cwd: str | None = CWD, via: tuple[str, ...] = (), described: bool = True) -> Action:
    """Return the action of a line of plain words; a word in `<>` counts as unknown."""
    argv = tuple(line.split())
    name = argv[0].rpartition("/")[2] if argv else ""
    made = Action(name, argv, tuple("<" not in word for word in argv), 0, len(line), via, cwd)
    made.described = described
    return made


def effect(
    of: Action, kind: str, text: str = "", place: str = "project", path: str | None = None, recursive: bool = False
) -> Effect:
    return Effect(kind, Target(text, place, path, recursive=recursive), of)


def analysis(*actions: Action, effects: tuple[Effect, ...] = (), plain: bool | None = None) -> Analysis:
    is_plain = len(actions) == 1 and not actions[0].via if plain is None else plain
    return Analysis(actions, effects, plain=is_plain)


def settings(*rules: Rule, **values: object) -> Settings:
    """Return the defaults with these values, named as in a file with underscores for dots."""
    made = Settings()
    made.rules = rules
    for name, value in values.items():
        assert hasattr(made, name), name
        setattr(made, name, value)
    return made


def case(
    of: Analysis | str,
    using: Settings | None = None,
    audience: str = "agent",
    approved: bool = False,
    change: Callable[[Request], None] | None = None,
) -> Case:
    """Return a case on an analysis, or on a line of plain words without effects."""
    found = analysis(action(of)) if isinstance(of, str) else of
    text = " ; ".join(" ".join(each.argv) for each in found.actions)
    request = Request(text, cwd=CWD, home=HOME, audience=audience)
    if change is not None:
        change(request)
    return Case(request, using or settings(), found, approved)
