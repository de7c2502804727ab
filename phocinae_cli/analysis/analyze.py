"""The door to the analysis: a request in, what it would do out. Pure; what it can't know it asks for."""

from __future__ import annotations

from phocinae_cli.analysis.collect import Collector
from phocinae_cli.analysis.commands import run_command
from phocinae_cli.analysis.context import Context
from phocinae_cli.analysis.evaluate import Evaluator
from phocinae_cli.analysis.parse import parse
from phocinae_cli.analysis.paths import whereabouts
from phocinae_cli.analysis.redirects import redirected
from phocinae_cli.analysis.scope import Body, Scope
from phocinae_cli.analysis.syntax import Fault, Function, Literal, Simple, Tree
from phocinae_cli.analysis.values import EMPTY, TooMuch
from phocinae_cli.core.effects import Analysis

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.values import Stream
    from phocinae_cli.core.queries import Facts
    from phocinae_cli.core.request import Request
    from phocinae_cli.kb.lookup import Knowledge

MAX_CHARS = 65536
UNDESCRIBED = "program.undescribed"
DIALECTS = {"bash": "bash", "zsh": "zsh", "sh": "sh", "fish": "bash"}


def analyze(request: Request, facts: Facts, kb: Knowledge) -> Analysis:
    """Return the actions and effects of a line, and the queries that were not answered yet.

    Any text gives an Analysis: one that is too long or too deep has `unreadable` set and no effects.
    """
    text = request.text
    if len(text) > MAX_CHARS:
        return Analysis(unreadable=f"it is longer than {MAX_CHARS} characters")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        return Analysis(unreadable="it holds bytes that are not text")
    if "\0" in text:
        return Analysis(unreadable="it holds a NUL character, which no shell can be given")
    collector = Collector(request, facts, kb)
    if request.shell in ("powershell", "cmd"):
        from phocinae_cli.analysis import foreign

        return foreign.analyze_foreign(request, collector)
    found = _posix(request, collector)
    if found.fault or (found.effects and any(effect.code == UNDESCRIBED for effect in found.effects)):
        from phocinae_cli.analysis import foreign  # it may be a line of PowerShell or cmd

        return foreign.second_reading(request, facts, kb, found)
    return found


def _posix(request: Request, collector: Collector) -> Analysis:
    dialect = DIALECTS.get(request.shell, "bash")
    text = request.text.rstrip("\r\n") if request.text.endswith(("\r\n", "\n")) else request.text
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    tree = parse(text, dialect, request.comments)
    if tree.fault is not None and tree.fault.code == "too-deep" and not tree.body.items:
        return Analysis(unreadable="it is nested too deep")
    evaluator = Evaluator(collector, run_command, redirected)
    collector.evaluator = evaluator
    evaluator.checked = text
    context = Context(text, dialect)
    context.comments = request.comments
    scope = Scope(request)
    fact = collector.facts.trees.get(request.cwd)
    if fact is not None and fact.root is not None:
        scope.where = scope.host = whereabouts(request.cwd, scope.home, fact.root)
    _define(request, scope, dialect)
    try:
        printed = evaluator.node(tree.body, scope, context, EMPTY)
        evaluator.finish()
        _show(printed, collector)
        if collector.served:
            from phocinae_cli.analysis.served import settle

            settle(collector)
    except (TooMuch, RecursionError):
        # What was seen up to there still counts: the first command of a line runs before the shell meets the rest.
        collector.first_fault = Fault("too-deep", "it is nested too deep, or expands to too many words", 0)
        tree = Tree(text, dialect, tree.body, collector.first_fault)
    return _result(tree, collector, scope)


def _show(printed: Stream, collector: Collector) -> None:
    """Record that a secret is shown which a variable or a substitution brought to the screen."""
    if "secret" in printed.taint and collector.withheld:
        collector.effect(
            "show-secret", printed.why or "a secret", collector.actions[-1], "secret.shown",
            "whoever reads the output reads the secret", "print only the names of its keys",
        )  # fmt: skip


def _define(request: Request, scope: Scope, dialect: str) -> None:
    """Take up the functions that the caller's shell has."""
    for name, text in request.functions.items() if request.functions else ():
        source = text if name in text.partition("{")[0] else f"{name}() {{\n{text}\n}}"
        tree = parse(source, dialect)
        for node, _ in tree.body.items:
            if isinstance(node, Function):
                scope.functions[name] = Body(node.body, source, f"function {name}")


def _result(tree: Tree, collector: Collector, scope: Scope) -> Analysis:
    fault = tree.fault or collector.first_fault
    return Analysis(
        tuple(collector.actions),
        tuple(collector.effects),
        tuple(collector.queries),
        fault.message if fault is not None else "",
        fault.at if fault is not None else 0,
        fault is not None and fault.code == "unfinished",
        "",
        _plain(tree, scope),
    )


def _plain(tree: Tree, scope: Scope) -> bool:
    """Return whether the line is one simple command of literal words, and nothing else."""
    items = tree.body.items
    if tree.fault is not None or len(items) != 1 or items[0][1] == "&":
        return False
    node = items[0][0]
    if not isinstance(node, Simple) or node.redirects or node.assigns or node.late_assigns or not node.words:
        return False
    name = node.words[0].bare()
    if name is None or name in scope.functions or name in scope.aliases:
        return False
    for word in node.words:
        for part in word.parts:
            if part.__class__ is not Literal:
                return False
    return True
