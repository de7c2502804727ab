"""Redirections as effects: what a command reads, writes over or appends to without naming it as an argument."""

from __future__ import annotations

from phocinae_cli.analysis.syntax import Node, Redirect, Simple
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.core.effects import Action

WRITES = {">": "overwrite", ">|": "overwrite", "&>": "overwrite", ">>": "append", "&>>": "append", "<>": "write"}


def redirected(
    evaluator: Evaluator, node: Node, scope: Scope, context: Context, stdin: Stream
) -> tuple[Stream, list[Value], bool]:
    """Return what is fed in, the files that the output goes to, and whether nothing is printed any more."""
    outputs: list[Value] = []
    silent = False
    action: Action | None = None
    for redirect in node.redirects:
        op = redirect.op
        if op in ("<<", "<<-", "<<<"):
            if redirect.fd in (None, "0"):
                stdin = _here(evaluator, redirect, scope, context)
            else:
                evaluator.text_of(redirect.body or redirect.target, scope, context)
            continue
        for value in evaluator.text_of(redirect.target, scope, context):
            duplicate = value.exact if op in (">&", "<&") else None
            if duplicate is not None and (duplicate.rstrip("-").isdigit() or duplicate == "-"):
                if op == "<&" and redirect.fd in (None, "0"):
                    stdin = scope.files.get(f"/dev/fd/{duplicate.rstrip('-')}", stdin)
                elif op == ">&" and redirect.fd in (None, "1"):
                    outputs.extend(_peer(scope, duplicate))
                continue
            if action is None:
                action = _action(evaluator, redirect, scope, context)
            if op in ("<", "<&"):
                stream = evaluator.collector.content(value, scope)
                if redirect.fd in (None, "0"):
                    stdin = stream
                elif redirect.fd.isdigit():
                    scope.files[f"/dev/fd/{redirect.fd}"] = stream
                continue
            kind = WRITES.get(op, "overwrite")
            evaluator.collector.path_effect(
                kind, value, scope, action, code="redirect." + kind, why=_why(kind), instead=_instead(kind),
                exists=op == ">|" or _only_empties(node),
            )  # fmt: skip
            stdin = _network(evaluator, redirect, value, scope, stdin)
            if redirect.fd in (None, "1") or op in ("&>", "&>>", ">&"):
                outputs.append(value)
                silent = True
    return stdin, outputs, silent


def _only_empties(node: Node) -> bool:
    """Return whether a command writes nothing (`> f`, `cat /dev/null > f`): it is there to empty what exists."""
    if not isinstance(node, Simple):
        return False
    words = [word.bare() for word in node.words]
    return not words or words in NOTHING_WRITTEN or words[0] in (":", "true")


NOTHING_WRITTEN = (["cat", "/dev/null"], ["printf", ""], ["echo", "-n"], ["echo", "-n", ""], ["echo", ""])


def _here(evaluator: Evaluator, redirect: Redirect, scope: Scope, context: Context) -> Stream:
    word = redirect.target if redirect.op == "<<<" else redirect.body
    values = evaluator.text_of(word, scope, context)
    value = values[0]
    text = value.exact
    if text is not None and len(values) == 1:
        return Stream(text + "\n" if redirect.op == "<<<" else text, value.taint)
    return HereText(values, redirect.op == "<<<")


class HereText(Stream):
    """A here-document with unknown parts: its text is not known as a whole, but its values are.

    `line` says that each value is a line, whose end is not in the value.
    """

    __slots__ = ("_given", "line")

    def __init__(self, values: tuple[Value, ...], line: bool) -> None:
        taint = values[0].taint
        for value in values[1:]:
            taint |= value.taint
        super().__init__(None, taint, values[0].unknown_why() or "a here-document")
        self._given = values
        self.line = line

    @property
    def values(self) -> tuple[Value, ...]:
        """The values with their line ends."""
        if not self.line:
            return self._given
        return tuple([Value((*value.parts, "\n"), value.globs, value.taint) for value in self._given])

    def words(self) -> tuple[Value, ...]:
        """Return the values without their line ends, as a loop or `xargs` takes them up."""
        found = []
        for value in self._given:
            parts = [part.rstrip("\n") if isinstance(part, str) else part for part in value.parts]
            found.append(Value(tuple(part for part in parts if part != "") or ("",), value.globs, value.taint))
        return tuple(found)


def _action(evaluator: Evaluator, redirect: Redirect, scope: Scope, context: Context) -> Action:
    inner = context.inside(span=(redirect.start, redirect.end)) if context.span is None else context
    return evaluator.collector.action((), scope, inner, "")


def _network(evaluator: Evaluator, redirect: Redirect, value: Value, scope: Scope, stdin: Stream) -> Stream:
    """A descriptor opened on /dev/tcp reads what the other side sends."""
    targets = evaluator.collector.targets(value, scope)
    if not any(target.place == "network" for target in targets):
        return stdin
    stream = Stream(None, frozenset(("network",)), f"what {value.text} sends")
    if redirect.fd is not None and redirect.fd not in ("0", "1", "2"):
        scope.files[f"/dev/fd/{redirect.fd}"] = stream
        return stdin
    return stream if stdin is EMPTY or redirect.op in (">&", "&>", "<>") else stdin


def _peer(scope: Scope, descriptor: str) -> list[Value]:
    """Return the network path that a descriptor was opened on before, if any: what is printed goes there."""
    stream = scope.files.get(f"/dev/fd/{descriptor}")
    words = stream.why.split() if stream is not None and "network" in stream.taint else []
    return [known(words[1])] if len(words) > 2 and words[1].startswith(("/dev/tcp/", "/dev/udp/")) else []


def _why(kind: str) -> str:
    if kind == "append":
        return "the redirection adds to it"
    return "the redirection empties it before anything is written"


def _instead(kind: str) -> str:
    return "" if kind == "append" else "write to a new file, or append with `>>`"
