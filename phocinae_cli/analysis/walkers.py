"""Walk compound commands: lists, pipelines, loops, branches, functions; every branch is walked.

Each takes the evaluator that called it, the node, and the surroundings, and returns what would be printed.
"""

from __future__ import annotations

from phocinae_cli.analysis.arguments import OUTPUT_OF
from phocinae_cli.analysis.outcome import joined, outcome, skips
from phocinae_cli.analysis.scope import Body, Scope
from phocinae_cli.analysis.syntax import (
    AndOr,
    ArithFor,
    Arithmetic,
    Case,
    Coproc,
    For,
    Function,
    Group,
    If,
    Loop,
    Node,
    Pipeline,
    Sequence,
    Subshell,
    Test,
)
from phocinae_cli.analysis.values import EACH_LINE_OF, EMPTY, Stream, Unknown, Value, known, unknown
from phocinae_cli.analysis.words import bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.evaluate import Evaluator

HOOK_FUNCTIONS = frozenset(
    ("chpwd", "precmd", "preexec", "periodic", "zshaddhistory", "zshexit", "command_not_found_handle",
     "command_not_found_handler")
)  # fmt: skip
"""Functions that a shell calls by itself: zsh's hooks, and what it or bash calls for a name that is no command."""

FIFOS = ("the output of mkfifo", "the output of mknod")
"""What nothing has been written to yet is said to hold when it is a named pipe."""


def _sequence(evaluator: Evaluator, node: Sequence, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = EMPTY
    for item, terminator in node.items:
        if terminator == "&":
            spawned = _spawning(context)
            printed = evaluator.node(item, scope.copy(), spawned, stdin)
        else:
            printed = evaluator.node(item, scope, context, stdin)
        out = printed if out is EMPTY else out.joined(printed)
    return out


def _spawning(context: Context) -> Context:
    if not context.calling or context.spawning:
        return context
    inner = context.inside()
    inner.spawning = True
    return inner


def _and_or(evaluator: Evaluator, node: AndOr, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = evaluator.node(node.first, scope, context, stdin)
    sure = outcome(node.first, scope)
    for operator, command in node.rest:
        if not skips(sure, operator):
            out = out.joined(evaluator.node(command, scope, context, stdin))
        sure = joined(sure, operator, outcome(command, scope))
    return out


def _pipeline(evaluator: Evaluator, node: Pipeline, scope: Scope, context: Context, stdin: Stream) -> Stream:
    if len(node.commands) == 1:
        return evaluator.node(node.commands[0], scope, context, stdin)
    spawned = _spawning(context)
    fifos = [path for path, stream in scope.files.items() if stream.why in FIFOS]
    flow = _flow(evaluator, node, scope, spawned, stdin)
    if any(scope.files[path].why not in FIFOS for path in fifos):
        # What the end of the pipe writes into a named pipe is what its beginning reads from it.
        flow = _flow(evaluator, node, scope, spawned, stdin)
    return flow


def _flow(evaluator: Evaluator, node: Pipeline, scope: Scope, context: Context, flow: Stream) -> Stream:
    last = len(node.commands) - 1
    piped = context.inside()
    piped.depth = context.depth
    piped.captured = True  # what comes out at the end of the pipe decides what is shown
    for number, command in enumerate(node.commands):
        inner = scope if number == last and scope.zsh else scope.copy()
        flow = evaluator.node(command, inner, context if number == last else piped, flow)
    return flow


def _subshell(evaluator: Evaluator, node: Subshell, scope: Scope, context: Context, stdin: Stream) -> Stream:
    return evaluator.node(node.body, scope.copy(), context, stdin)


def _group(evaluator: Evaluator, node: Group, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = evaluator.node(node.body, scope, context, stdin)
    if node.always is not None:
        out = out.joined(evaluator.node(node.always, scope, context, stdin))
    return out


def _function(evaluator: Evaluator, node: Function, scope: Scope, context: Context, stdin: Stream) -> Stream:
    body = Body(node.body, context.text, context.file)
    if not node.names:
        arguments = tuple(evaluator.fields_of(node.args, scope, context))
        return evaluator.call(f"anonymous {node.start}", body, arguments, scope, context, stdin)
    for word in node.names:
        for value in evaluator.text_of(word, scope, context):
            scope.functions[value.text] = body
            if _runs_by_itself(value.text):
                evaluator.call_later(value.text, body, scope, context)
    return EMPTY


def _runs_by_itself(name: str) -> bool:
    """Return whether a shell calls a function of this name of its own accord, as zsh does with its hooks."""
    return name in HOOK_FUNCTIONS or (name.startswith("TRAP") and name.isupper())


def _if(evaluator: Evaluator, node: If, scope: Scope, context: Context, stdin: Stream) -> Stream:
    out = EMPTY
    branches: list[Scope] = []
    sure = None
    for condition, body in node.branches:
        if sure is True:
            break
        out = out.joined(evaluator.node(condition, scope, context, stdin))
        sure = outcome(condition, scope)
        if sure is False:
            continue
        branch = scope.copy()
        out = out.joined(evaluator.node(body, branch, context, stdin))
        branches.append(branch)
    if node.orelse is not None and sure is not True:
        branch = scope.copy()
        out = out.joined(evaluator.node(node.orelse, branch, context, stdin))
        branches.append(branch)
    scope.merge(branches)
    return Stream(None, out.taint, "the output of an if")


def _loop(evaluator: Evaluator, node: Loop, scope: Scope, context: Context, stdin: Stream) -> Stream:
    if node.count is not None:
        evaluator.text_of(node.count, scope, context)
    out = EMPTY
    if node.condition is not None:
        out = evaluator.node(node.condition, scope, context, stdin)
        sure = outcome(node.condition, scope)
        if sure is not None and sure is (node.kind != "while"):
            return out  # `while false`, `until true`
        if sure is not None and all(ending == "&" for _, ending in node.body.items):
            evaluator.collector.fork_bomb(node.kind, context)  # it starts jobs and waits for none of them
    return _twice(evaluator, node.body, scope, context, stdin, out)


def _twice(evaluator: Evaluator, body: Sequence, scope: Scope, context: Context, stdin: Stream, out: Stream) -> Stream:
    """Walk a loop's body twice, so that what one round sets is seen by the next."""
    first = scope.copy()
    out = out.joined(evaluator.node(body, first, context, stdin))
    changed = [name for name, value in first.variables.items() if scope.variables.get(name) is not value]
    scope.merge([first])
    if changed:
        again = scope.copy()
        evaluator.node(body, again, context, stdin)
    return Stream(None, out.taint, "the output of a loop")


def _for(evaluator: Evaluator, node: For, scope: Scope, context: Context, stdin: Stream) -> Stream:
    if node.items is None:
        fields = list(scope.positional) if scope.positional is not None else [unknown("an argument")]
    else:
        fields = evaluator.fields_of(node.items, scope, context)
        evaluator.collector.goes_through(fields)
    if node.kind == "select":
        scope.assign("REPLY", [(unknown("the reply"),)])
    for name in node.names:
        scope.assign(name, bounded([(_each_of(field),) for field in _distinct(fields)]) or [(known(""),)])
    if not fields:
        return EMPTY
    return _twice(evaluator, node.body, scope, context, stdin, EMPTY)


def _each_of(field: Value) -> Value:
    """Return one of what a substitution lists, so that it is seen to stand for many."""
    part = field.parts[0] if len(field.parts) == 1 else ""
    if not isinstance(part, Unknown) or part.name_only or not part.why.startswith(OUTPUT_OF):
        return field
    each = Unknown(f"{EACH_LINE_OF} {part.why}", part.may_be_empty, False, part.vanishes)
    return Value((each,), field.globs, field.taint)


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


def _arith_for(evaluator: Evaluator, node: ArithFor, scope: Scope, context: Context, stdin: Stream) -> Stream:
    evaluator.expansions(node.parts, scope, context)
    return _twice(evaluator, node.body, scope, context, stdin, EMPTY)


def _case(evaluator: Evaluator, node: Case, scope: Scope, context: Context, stdin: Stream) -> Stream:
    evaluator.text_of(node.word, scope, context)
    out = EMPTY
    branches: list[Scope] = []
    for patterns, body, _ in node.clauses:
        for pattern in patterns:
            evaluator.text_of(pattern, scope, context)
        branch = scope.copy()
        out = out.joined(evaluator.node(body, branch, context, stdin))
        branches.append(branch)
    scope.merge(branches)
    return Stream(None, out.taint, "the output of a case")


def _test(evaluator: Evaluator, node: Test, scope: Scope, context: Context, _stdin: Stream) -> Stream:
    for word in node.words:
        evaluator.text_of(word, scope, context)
    return EMPTY


def _arithmetic(evaluator: Evaluator, node: Arithmetic, scope: Scope, context: Context, _stdin: Stream) -> Stream:
    evaluator.expansions(node.parts, scope, context)
    return EMPTY


def _coproc(evaluator: Evaluator, node: Coproc, scope: Scope, context: Context, stdin: Stream) -> Stream:
    return evaluator.node(node.body, scope.copy(), _spawning(context), stdin)


WALKERS: dict[type[Node], Callable[..., Stream]] = {
    Sequence: _sequence, AndOr: _and_or, Pipeline: _pipeline, Subshell: _subshell, Group: _group,
    Function: _function, If: _if, Loop: _loop, For: _for, ArithFor: _arith_for, Case: _case, Test: _test,
    Arithmetic: _arithmetic, Coproc: _coproc,
}  # fmt: skip
