"""Walk a syntax tree as the shell would run it, keeping track of state, and hand every command to `commands`.

Nothing runs. Every branch is walked, since a chain has the label of its worst part; what flows from one command
to the next (a pipe, a variable, a file) is followed as a Stream.
"""

from __future__ import annotations

from phocinae_cli.analysis.environment import WATCHED, set_variable
from phocinae_cli.analysis.parse import parse
from phocinae_cli.analysis.scope import Body, Scope
from phocinae_cli.analysis.syntax import (
    AndOr,
    Arith,
    ArithFor,
    Arithmetic,
    Case,
    CommandSub,
    Coproc,
    For,
    Function,
    Group,
    If,
    Literal,
    Loop,
    Node,
    Param,
    Part,
    Pipeline,
    ProcessSub,
    Sequence,
    Simple,
    Subshell,
    Test,
    Word,
)
from phocinae_cli.analysis.values import EMPTY, Stream, TooMuch, Value, known, unknown
from phocinae_cli.analysis.words import bounded, expand, expand_single, parameter, product

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.collect import Collector

    RunCommand = Callable[["Evaluator", tuple[Value, ...], Scope, "Context", Stream], Stream]
    Redirected = Callable[["Evaluator", Node, Scope, "Context", Stream], tuple[Stream, list[Value], bool]]

MAX_DEPTH = 40
MAX_COMMANDS = 20000
MAX_LATER = 20
FIFOS = ("the output of mkfifo", "the output of mknod")
"""What nothing has been written to yet is said to hold when it is a named pipe."""


class Context:
    """Where a piece of text stands: how it came to run, and what its spans mean.

    `via` is the chain of wrappers; `span` the span in the checked text that stands for all of this text, None
    for the checked text itself; `file` the file it was read from and `first_line` the line there that it starts
    on; `place` the file and line of the command at hand; `remote` whether it runs elsewhere;
    `text`, `dialect` the text that the spans point into, `comments` whether it may hold any; `depth` how deep texts
    are nested; `calling` the names of the functions being run; `spawning` says that one of them was started by a
    pipe or in the background.
    """

    __slots__ = (
        "calling",
        "comments",
        "depth",
        "dialect",
        "file",
        "first_line",
        "place",
        "remote",
        "span",
        "spawning",
        "text",
        "via",
    )

    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.dialect = dialect
        self.comments = True
        self.via: tuple[str, ...] = ()
        self.span: tuple[int, int] | None = None
        self.file = ""
        self.place = ""
        self.first_line = 1
        self.remote = False
        self.depth = 0
        self.calling: tuple[str, ...] = ()
        self.spawning = False

    def inside(self, via: str = "", span: tuple[int, int] | None = None) -> Context:
        """Return a context one level further in; `span` is the part of this text that stands for it."""
        twin = Context.__new__(Context)
        twin.text, twin.dialect, twin.via, twin.span = self.text, self.dialect, self.via, self.span
        twin.file, twin.place, twin.first_line, twin.remote = self.file, self.place, self.first_line, self.remote
        twin.calling, twin.spawning, twin.comments = self.calling, self.spawning, self.comments
        twin.depth = self.depth + 1
        if twin.depth > MAX_DEPTH:
            raise TooMuch
        if via:
            twin.via = (*self.via, via)
        if span is not None:
            twin.span = self.spot(*span)
        return twin

    def spot(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the checked text for a span in this text."""
        return self.span if self.span is not None else (start, end)

    def where(self, start: int) -> str:
        """Return `FILE:LINE` for an offset in this text, when it was read from a file."""
        if not self.file:
            return self.place
        return f"{self.file}:{self.text.count(chr(10), 0, start) + self.first_line}"

    def becomes(self, text: str, file: str = "", line: int = 1) -> None:
        """Make this the context of another text, read from a file or not; only what is typed may lack comments."""
        self.text, self.file, self.first_line, self.comments = text, file, line, True


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
        while done < min(len(self.later), MAX_LATER):
            self.later[done]()
            done += 1

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
        gathered = [expand(word, scope) for word in words]
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
            for argv in product(gathered):
                printed = self.run_command(self, argv, target, self._at(spot, context, node), stdin)
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
        if context.file and spot is context:
            spot = context.inside()
            spot.depth = context.depth
        if context.file:
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
            if exported:
                scope.exported |= {assign.name}
                if assign.name in WATCHED:
                    for value in values:
                        set_variable(self, assign.name, value, scope, self.context or Context("", "bash"))

    def _items(self, words: tuple[Word, ...], scope: Scope) -> list[Value]:
        found: list[Value] = []
        for word in words:
            for fields in expand(word, scope):
                found.extend(fields)
        return found

    def _substitute(self, part: CommandSub, scope: Scope) -> Value:
        context = (self.context or Context("", "bash")).inside()
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


def _sequence(self: Evaluator, node: Sequence, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = EMPTY
    for item, terminator in node.items:
        if terminator == "&":
            spawned = _spawning(context)
            printed = self.node(item, scope.copy(), spawned, stdin)
        else:
            printed = self.node(item, scope, context, stdin)
        out = printed if out is EMPTY else out.joined(printed)
    return out


def _spawning(context: Context) -> Context:
    if not context.calling or context.spawning:
        return context
    inner = context.inside()
    inner.spawning = True
    return inner


def _and_or(self: Evaluator, node: AndOr, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = self.node(node.first, scope, context, stdin)
    for _, command in node.rest:
        out = out.joined(self.node(command, scope, context, stdin))
    return out


def _pipeline(self: Evaluator, node: Pipeline, scope: Scope, context: Context, stdin: Stream) -> Stream:
    if len(node.commands) == 1:
        return self.node(node.commands[0], scope, context, stdin)
    spawned = _spawning(context)
    fifos = [path for path, stream in scope.files.items() if stream.why in FIFOS]
    flow = _flow(self, node, scope, spawned, stdin)
    if any(scope.files[path].why not in FIFOS for path in fifos):
        # What the end of the pipe writes into a named pipe is what its beginning reads from it.
        flow = _flow(self, node, scope, spawned, stdin)
    return flow


def _flow(self: Evaluator, node: Pipeline, scope: Scope, context: Context, flow: Stream) -> Stream:
    last = len(node.commands) - 1
    for number, command in enumerate(node.commands):
        inner = scope if number == last and scope.zsh else scope.copy()
        flow = self.node(command, inner, context, flow)
    return flow


def _subshell(self: Evaluator, node: Subshell, scope: Scope, context: Context, stdin: Stream) -> Stream:
    return self.node(node.body, scope.copy(), context, stdin)


def _group(self: Evaluator, node: Group, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = self.node(node.body, scope, context, stdin)
    if node.always is not None:
        out = out.joined(self.node(node.always, scope, context, stdin))
    return out


def _function(self: Evaluator, node: Function, scope: Scope, context: Context, stdin: Stream) -> Stream:
    body = Body(node.body, context.text, context.file)
    if not node.names:
        arguments = tuple(self.fields_of(node.args, scope, context))
        return self.call(f"anonymous {node.start}", body, arguments, scope, context, stdin)
    for word in node.names:
        for value in self.text_of(word, scope, context):
            scope.functions[value.text] = body
    return EMPTY


def _if(self: Evaluator, node: If, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = EMPTY
    branches: list[Scope] = []
    for condition, body in node.branches:
        out = out.joined(self.node(condition, scope, context, stdin))
        branch = scope.copy()
        out = out.joined(self.node(body, branch, context, stdin))
        branches.append(branch)
    if node.orelse is not None:
        branch = scope.copy()
        out = out.joined(self.node(node.orelse, branch, context, stdin))
        branches.append(branch)
    scope.merge(branches)
    return Stream(None, out.taint, "the output of an if")


def _loop(self: Evaluator, node: Loop, scope: Scope, context: Context, stdin: Stream) -> Stream:
    if node.count is not None:
        self.text_of(node.count, scope, context)
    out = EMPTY
    if node.condition is not None:
        out = self.node(node.condition, scope, context, stdin)
        if _always_true(node) and all(ending == "&" for _, ending in node.body.items):
            self.collector.fork_bomb(node.kind, context)  # it starts jobs and waits for none of them
    return _twice(self, node.body, scope, context, stdin, out)


def _always_true(node: Loop) -> bool:
    items = node.condition.items if node.condition is not None else ()
    command = items[0][0] if len(items) == 1 else None
    if not isinstance(command, Simple) or len(command.words) != 1 or len(command.words[0].parts) != 1:
        return False
    word = command.words[0].parts[0]
    return isinstance(word, Literal) and word.text in ((":", "true") if node.kind == "while" else ("false",))


def _twice(self: Evaluator, body: Sequence, scope: Scope, context: Context, stdin: Stream, out: Stream) -> Stream:
    """Walk a loop's body twice, so that what one round sets is seen by the next."""
    first = scope.copy()
    out = out.joined(self.node(body, first, context, stdin))
    changed = [name for name, value in first.variables.items() if scope.variables.get(name) is not value]
    scope.merge([first])
    if changed:
        again = scope.copy()
        self.node(body, again, context, stdin)
    return Stream(None, out.taint, "the output of a loop")


def _for(self: Evaluator, node: For, scope: Scope, context: Context, stdin: Stream) -> Stream:
    if node.items is None:
        fields = list(scope.positional) if scope.positional is not None else [unknown("an argument")]
    else:
        fields = self.fields_of(node.items, scope, context)
    if node.kind == "select":
        scope.assign("REPLY", [(unknown("the reply"),)])
    for name in node.names:
        scope.assign(name, bounded([(field,) for field in _distinct(fields)]) or [(known(""),)])
    if not fields:
        return EMPTY
    return _twice(self, node.body, scope, context, stdin, EMPTY)


def _distinct(fields: list[Value]) -> list[Value]:
    seen: dict[str, Value] = {}
    for field in fields:
        seen.setdefault(field.text, field)
    if len(seen) > 16 and all(_is_plain_name(field) for field in seen.values()):
        return [unknown("one of many names", may_be_empty=False, name_only=True)]
    return list(seen.values())


def _is_plain_name(field: Value) -> bool:
    text = field.exact
    return (
        text is not None
        and not field.globs
        and text.replace("-", "").replace("_", "").replace(".", "x").isalnum()
        and text[0] not in "-."
    )


def _arith_for(self: Evaluator, node: ArithFor, scope: Scope, context: Context, stdin: Stream) -> Stream:
    self.expansions(node.parts, scope, context)
    return _twice(self, node.body, scope, context, stdin, EMPTY)


def _case(self: Evaluator, node: Case, scope: Scope, context: Context, stdin: Stream) -> Stream:
    self.text_of(node.word, scope, context)
    out = EMPTY
    branches: list[Scope] = []
    for patterns, body, _ in node.clauses:
        for pattern in patterns:
            self.text_of(pattern, scope, context)
        branch = scope.copy()
        out = out.joined(self.node(body, branch, context, stdin))
        branches.append(branch)
    scope.merge(branches)
    return Stream(None, out.taint, "the output of a case")


def _test(self: Evaluator, node: Test, scope: Scope, context: Context, _stdin: Stream) -> Stream:
    for word in node.words:
        self.text_of(word, scope, context)
    return EMPTY


def _arithmetic(self: Evaluator, node: Arithmetic, scope: Scope, context: Context, _stdin: Stream) -> Stream:
    self.expansions(node.parts, scope, context)
    return EMPTY


def _coproc(self: Evaluator, node: Coproc, scope: Scope, context: Context, stdin: Stream) -> Stream:
    return self.node(node.body, scope.copy(), _spawning(context), stdin)


WALKERS: dict[type[Node], Callable[..., Stream]] = {
    Sequence: _sequence, AndOr: _and_or, Pipeline: _pipeline, Subshell: _subshell, Group: _group,
    Function: _function, If: _if, Loop: _loop, For: _for, ArithFor: _arith_for, Case: _case, Test: _test,
    Arithmetic: _arithmetic, Coproc: _coproc,
}  # fmt: skip
