"""Walk a syntax tree as the shell would run it, keeping track of state, and hand every command to `commands`.

Nothing runs. Every branch is walked, since a chain has the label of its worst part; what flows from one command
to the next (a pipe, a variable, a file) is followed as a Stream.
"""

from __future__ import annotations

from phocinae_cli.analysis.context import Context
from phocinae_cli.analysis.environment import ALWAYS_WATCHED, WATCHED, set_variable
from phocinae_cli.analysis.parse import parse
from phocinae_cli.analysis.qualifiers import without_qualifiers
from phocinae_cli.analysis.scope import Body, Scope
from phocinae_cli.analysis.syntax import (
    Arith,
    CommandSub,
    Node,
    Param,
    Part,
    ProcessSub,
    Simple,
    Word,
)
from phocinae_cli.analysis.values import EMPTY, Stream, TooMuch, Value, known, unknown
from phocinae_cli.analysis.walkers import WALKERS
from phocinae_cli.analysis.words import bounded, expand, expand_single, literals, parameter, product

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.collect import Collector

    RunCommand = Callable[["Evaluator", tuple[Value, ...], Scope, "Context", Stream], Stream]
    Redirected = Callable[["Evaluator", Node, Scope, "Context", Stream], tuple[Stream, list[Value], bool]]

MAX_COMMANDS = 20000
MAX_LATER = 200


class Evaluator:
    """Walks trees; `collector` gathers actions, effects and queries, `run_command` judges a resolved argv."""

    def __init__(self, collector: Collector, run_command: RunCommand, redirected: Redirected) -> None:
        self.collector = collector
        self.run_command = run_command
        self.redirected = redirected
        self.checked = collector.request.text
        self.commands = 0
        self.context: Context | None = None
        self.processes = 62
        self.later: list[Callable[[], object]] = []

    def run_text(self, text: str, scope: Scope, context: Context, stdin: Stream = EMPTY) -> Stream:
        """Parse and walk a text that a shell would run; what can't be read of it becomes an unsure effect."""
        tree = parse(text, context.dialect, context.comments)
        out = self.node(tree.body, scope, context, stdin)
        if tree.fault is not None:
            self.collector.fault(tree.fault, context)
        return out

    def finish(self) -> None:
        """Judge what was put off until the shell ends (`trap`), with the variables as they are then."""
        done = 0
        while done < len(self.later):
            if done >= MAX_LATER:
                raise TooMuch  # what is left out could be the one that matters
            self.later[done]()
            done += 1

    def call_later(self, name: str, body: Body, scope: Scope, context: Context) -> None:
        """Put off a function that the shell calls by itself, until the line has been walked."""
        self.later.append(lambda: self.call(name, body, (), scope.copy(), context, EMPTY))

    def node(self, node: Node, scope: Scope, context: Context, stdin: Stream) -> Stream:
        """Walk one node and return what it would print."""
        if node.__class__ is Simple:
            return self._simple(node, scope, context, stdin)
        if node.redirects:
            stdin, outputs, silent = self.redirected(self, node, scope, context, stdin)
            out = WALKERS[node.__class__](self, node, scope, context, stdin)
            return self.collector.written(out, outputs, scope, silent)
        return WALKERS[node.__class__](self, node, scope, context, stdin)

    def _simple(self, node: Simple, scope: Scope, context: Context, stdin: Stream) -> Stream:
        self.commands += 1
        if self.commands > MAX_COMMANDS:
            raise TooMuch
        before = self.context
        self.context = context
        scope.on_substitute, scope.on_process = self._substitute, self._process
        words = node.words
        if words and scope.aliases:
            name = words[0].bare()
            if name is not None and name in scope.aliases:
                return self._alias(name, node, scope, context, stdin)
        fields = None if scope.zsh else literals(words)
        gathered = [self._expanded(word, scope) for word in words] if fields is None else []
        target = scope
        if node.assigns:
            if words:
                target = scope.copy()
            self._assign(node, target, words != ())
        if node.redirects:
            stdin, outputs, silent = self.redirected(self, node, target, context, stdin)
        else:
            outputs, silent = [], False
        out = EMPTY
        if not words and node.redirects and not outputs:
            out = stdin  # `$(< file)` gives what the file holds
        if words:
            spot = context.inside(span=(node.start, node.end)) if context.span is None else context
            first = True
            for argv in product(gathered) if fields is None else (fields,):
                place = self._at(spot, context, node) if context.file else spot
                printed = self.run_command(self, argv, target, place, stdin)
                out = printed if first else out.joined(printed)
                first = False
        for late in node.late_assigns:
            scope.assign(late.name, [tuple(self._items(late.items or (), scope))])
        if target is not scope:
            scope.cwd, scope.functions, scope.aliases = target.cwd, target.functions, target.aliases
            scope.positional = target.positional
            prefixed = {assign.name for assign in node.assigns}
            for name, value in target.variables.items():
                if name not in prefixed:
                    scope.variables[name] = value
        self.context = before
        if outputs or silent:
            return self.collector.written(out, outputs, scope, silent)
        return out

    def _at(self, spot: Context, context: Context, node: Simple) -> Context:
        if spot is context:
            spot = context.inside()
            spot.depth = context.depth
        spot.place = context.where(node.start)
        return spot

    def _alias(self, name: str, node: Simple, scope: Scope, context: Context, stdin: Stream) -> Stream:
        first = node.words[0]
        value = scope.aliases[name]
        rest = context.text[first.end : node.end]
        inner = context.inside(f"alias {name}", (node.start, node.end))
        inner.becomes(value + rest)
        inner.comments = context.comments
        quiet = scope.copy()
        del quiet.aliases[name]  # an alias is not expanded again inside itself
        out = self.run_text(inner.text, quiet, inner, stdin)
        saved = scope.aliases
        for slot in ("variables", "functions", "cwd", "positional", "exported"):
            setattr(scope, slot, getattr(quiet, slot))
        scope.aliases = saved
        return out

    def _assign(self, node: Simple, scope: Scope, exported: bool) -> None:
        for assign in node.assigns:
            if assign.items is not None:
                items = tuple(self._items(assign.items, scope))
                old = scope.variable(assign.name)[0] if assign.append and assign.name in scope.variables else ()
                scope.assign(assign.name, [(*old, *items)])
                continue
            values = expand_single(assign.value, scope)
            if assign.index is not None:
                expand_single(assign.index, scope)
                old = scope.variables.get(assign.name, [()])[0]
                scope.assign(assign.name, [(*old, value) for value in values])
            elif assign.append:
                heads = (
                    scope.variable(assign.name)
                    if assign.name in scope.variables or assign.name in scope.env
                    else [(known(""),)]
                )
                joined = [
                    (Value((*(head[0].parts if head else ()), *value.parts), value.globs, value.taint),)
                    for head in heads
                    for value in values
                ]
                scope.assign(assign.name, bounded([(_flat(fields[0]),) for fields in joined]))
            else:
                scope.assign(assign.name, [(value,) for value in values])
            if assign.name in ALWAYS_WATCHED and not exported:
                for value in values:
                    set_variable(self, assign.name, value, scope, self.context or Context("", "bash"))
            if exported:
                scope.exported |= {assign.name}
                if assign.name in WATCHED:
                    for value in values:
                        set_variable(self, assign.name, value, scope, self.context or Context("", "bash"))

    def _items(self, words: tuple[Word, ...], scope: Scope) -> list[Value]:
        found: list[Value] = []
        for word in words:
            for fields in self._expanded(word, scope):
                found.extend(fields)
        return found

    def _expanded(self, word: Word, scope: Scope) -> tuple[tuple[Value, ...], ...]:
        """Return the alternatives of a word, in zsh without its glob qualifiers."""
        choices = expand(word, scope)
        if not scope.zsh or word.end == word.start or self.context is None:
            return choices
        context = self.context
        if context.text[word.end - 1 : word.end] in ("'", '"'):
            return choices  # a bracket in quotes belongs to the text

        def run(code: str) -> None:
            inner = context.inside("a glob qualifier", context.span or (word.start, word.end))
            inner.becomes(code)
            self.run_text(code, scope.copy(), inner)

        return tuple(tuple(without_qualifiers(value, run) for value in fields) for fields in choices)

    def _substitute(self, part: CommandSub, scope: Scope) -> Value:
        context = (self.context or Context("", "bash")).inside()
        context.captured = True
        before = self.context
        out = self.node(part.body, scope.copy(), context, EMPTY)
        self.context = before
        if out.text is not None:
            return known(out.text.rstrip("\n"), out.taint)
        return unknown(out.why or "the output of a command", out.taint, name_only="name" in out.taint)

    def _process(self, part: ProcessSub, scope: Scope) -> Value:
        context = (self.context or Context("", "bash")).inside()
        self.processes += 1
        path = f"/dev/fd/{self.processes}"
        before = self.context
        if part.direction == ">":
            # What will be written there is known only once the command has been walked.
            scope.files[path] = EMPTY
            self.collector.consumers[path] = (part.body, scope.copy(), context)
        else:
            scope.files[path] = self.node(part.body, scope.copy(), context, EMPTY)
        self.context = before
        return known(path, scope.files[path].taint)

    def expansions(self, parts: tuple[Part, ...], scope: Scope, context: Context) -> None:
        """Walk the commands inside the expansions of an arithmetic text."""
        scope.on_substitute, scope.on_process = self._substitute, self._process
        before, self.context = self.context, context
        for part in parts:
            if isinstance(part, CommandSub):
                scope.substitute(part)
            elif isinstance(part, ProcessSub):
                scope.process(part)
            elif isinstance(part, Param):
                parameter(part, scope)
            elif isinstance(part, Arith):
                self.expansions(part.parts, scope, context)
        self.context = before

    def text_of(self, word: Word | None, scope: Scope, context: Context) -> tuple[Value, ...]:
        """Return what a word gives where it is not split (a here-document, a redirection's target)."""
        scope.on_substitute, scope.on_process = self._substitute, self._process
        before, self.context = self.context, context
        values = expand_single(word, scope)
        self.context = before
        return values

    def fields_of(self, words: tuple[Word, ...], scope: Scope, context: Context) -> list[Value]:
        """Return all the fields that words can give, of every alternative."""
        scope.on_substitute, scope.on_process = self._substitute, self._process
        before, self.context = self.context, context
        found = self._items(words, scope)
        self.context = before
        return found

    def call(
        self, name: str, body: Body, arguments: tuple[Value, ...], scope: Scope, context: Context, stdin: Stream
    ) -> Stream:
        """Walk a function's body with its arguments; one that starts copies of itself is a fork bomb."""
        if name in context.calling:
            if context.spawning:
                self.collector.fork_bomb(name, context)
            return EMPTY
        inner = context.inside(name if not name.startswith("anonymous") else "")
        inner.calling = (*context.calling, name)
        inner.becomes(body.text, body.place)
        # Only a function that stands in the checked text itself has spans that mean something there.
        inner.span = None if body.text is self.checked else context.spot(0, len(context.text))
        before, scope.positional = scope.positional, arguments
        out = self.node(body.node, scope, inner, stdin)
        scope.positional = before
        return out


def _flat(value: Value) -> Value:
    if value.known:
        return known(value.text, value.taint)
    return value
