"""What tests of the judge share: a line in, the embedded verdict out, on a machine that the test describes."""

from __future__ import annotations

import functools
from pathlib import Path

from phocinae_cli.analysis.analyze import analyze
from phocinae_cli.backends.embedded import judge
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.queries import Facts, PathFact, TextFact, TreeFact
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.request import Request
from phocinae_cli.kb.compile import compile_tools, load_directory
from phocinae_cli.kb.lookup import Knowledge

COMMANDS = Path(__file__).parents[1] / "phocinae_cli" / "kb" / "commands"
DECISIONS = {"harmless": "allow", "risky": "ask", "destructive": "deny", None: "ask"}


@functools.cache
def knowledge() -> Knowledge:
    """Return the shipped knowledge base, compiled from its sources."""
    return Knowledge(compile_tools(load_directory(COMMANDS)))


class Machine:
    """Facts for queries: files by path with their text, everything else missing; `clean` for every work tree."""

    def __init__(self, files: dict[str, str] | None = None, clean: bool | None = None, root: str | None = None) -> None:
        self.files = files or {}
        self.clean = clean
        self.root = root

    def answer(self, facts: Facts, query: tuple[str, str]) -> None:
        kind, argument = query
        if kind == "path":
            found = "file" if argument in self.files else "missing"
            facts.paths[argument] = PathFact(found, argument)
        elif kind == "tree":
            facts.trees[argument] = TreeFact(self.root, "main" if self.root else None, self.clean)
        else:
            text = self.files.get(argument)
            facts.texts[query] = TextFact(text, "" if text is not None else "missing")


def analysed(request: Request, machine: Machine | None = None) -> Analysis:
    """Return the analysis of a request once every question it has is answered."""
    machine = machine or Machine()
    facts = Facts()
    facts.looked = True
    found = analyze(request, facts, knowledge())
    for _ in range(6):
        if not found.queries:
            break
        for query in found.queries:
            machine.answer(facts, query)
        found = analyze(request, facts, knowledge())
    return found


def judged(line: str, shell: str = "bash", machine: Machine | None = None, **more: object) -> Judgement:
    """Return the embedded judge's answer on a line."""
    request = Request(line, shell=shell, **more)  # type: ignore[arg-type]
    return judge(analysed(request, machine), request)


def decision(line: str, shell: str = "bash", machine: Machine | None = None, **more: object) -> str:
    """Return what the judge's answer amounts to for an agent: allow, ask or deny; what can't be read asks."""
    request = Request(line, shell=shell, **more)  # type: ignore[arg-type]
    analysis = analysed(request, machine)
    verdict = DECISIONS[judge(analysis, request).harm]
    return "ask" if verdict == "allow" and (analysis.unreadable or analysis.fault) else verdict
