"""Walk PowerShell syntax as PowerShell would run it: every branch, every block that runs, what flows through pipes."""

from __future__ import annotations

from phocinae_cli.analysis.context import Context
from phocinae_cli.analysis.syntax import Fault
from phocinae_cli.analysis.values import TooMuch, Value
from phocinae_cli.analysis.windows import dotnet, expressions, loops, rehearsal
from phocinae_cli.analysis.windows.pipeline import command, redirect
from phocinae_cli.analysis.windows.things import NONE, Thing, unsure
from phocinae_cli.analysis.windows.tree import MISSING, NoGrammar, content, parse_powershell, too_deep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.collect import Collector
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.windows.invocation import Argument
    from phocinae_cli.analysis.windows.scope import WindowsScope

SKIPPED = frozenset(
    ("comment", "class_statement", "enum_statement", "using_directive_list", "using_statement", "empty_statement",
     "attribute_list", "type_literal", "label", "pipeline_chain_tail", "simple_name", "command_argument_sep")
)  # fmt: skip


class Walker:
    """Walks trees of PowerShell; `collector` gathers what is found, `evaluator` serves the parts shared with POSIX."""

    def __init__(self, collector: Collector, evaluator: Evaluator) -> None:
        self.collector = collector
        self.evaluator = evaluator
        self.commands = 0

    def run_text(self, text: str, scope: WindowsScope, context: Context, piped: Thing = NONE) -> Thing:
        """Parse and walk a text; what can't be read is a fault, or inside another command an unsure effect."""
        try:
            parsed = parse_powershell(text)
        except NoGrammar:
            self.collector.fault(Fault("no-grammar", MISSING, 0), context)
            return unsure("the output of PowerShell")
        if too_deep(parsed.root):
            raise TooMuch
        context.text = parsed.source
        if not parsed.as_given and context.span is None:
            context.span = (0, len(text))
        out = self.statement(parsed.root, scope, context)
        if parsed.broken is not None:
            at = len(parsed.source.encode()[: parsed.broken.start_byte].decode(errors="replace"))
            self.collector.fault(Fault("powershell-syntax", "it can't be read as PowerShell from here on", at), context)
        return out

    def statement(self, node: Node, scope: WindowsScope, context: Context) -> Thing:
        """Walk one statement and return what it puts into the pipe."""
        kind = node.type
        if kind in SKIPPED:
            return NONE
        handler = STATEMENTS.get(kind)
        if handler is not None:
            return handler(self, node, scope, context)
        if kind in expressions.READERS:
            return expressions.evaluate(self, node, scope, context)
        out = NONE
        for child in node.named_children:
            found = self.statement(child, scope, context)
            if found is not NONE:
                out = found if out is NONE else out.also(found)
        return out

    def run_block(
        self, block: Thing, scope: WindowsScope, context: Context, item: Thing = NONE, arguments: tuple[Thing, ...] = ()
    ) -> Thing:
        """Walk a script block with `$_` set, in a scope of its own whose files and variables stay seen."""
        if block.block is None:
            return NONE
        inner = context.inside()
        if block.source != context.text:
            inner.span = context.spot(0, len(context.text))
            inner.text = block.source
        before, scope.item = scope.item, item if item is not NONE else scope.item
        settings = {name: scope.things.get(name, NONE) for name in (rehearsal.PREFERENCE,)}
        self.bind(block.block, arguments, scope, inner)
        out = NONE
        for child in block.block.named_children:
            out = (
                out.also(self.statement(child, scope, inner))
                if out is not NONE
                else self.statement(child, scope, inner)
            )
        scope.item = before
        for name, thing in settings.items():
            scope.things[name] = thing
        return out

    def bind(self, node: Node, arguments: tuple[Thing, ...], scope: WindowsScope, context: Context) -> None:
        """Give the parameters that a block or function declares their values, by position."""
        scope.things["args"] = NONE
        for argument in arguments:
            scope.things["args"] = scope.things["args"].also(argument)
        names = _parameters(node)
        for number, (name, default) in enumerate(names):
            if number < len(arguments):
                scope.things[name] = arguments[number]
            elif default is not None:
                scope.things[name] = expressions.evaluate(self, default, scope, context)

    def call(self, name: str, arguments: list[Argument], piped: Thing, scope: WindowsScope, context: Context) -> Thing:
        """Walk the body of a function that the line defined."""
        body, source = scope.blocks[name]
        if name in context.calling:
            if loops.spawns(body):
                self.collector.fork_bomb(name, context)
            return NONE
        inner = context.inside(name)
        inner.calling = (*context.calling, name)
        if source != context.text:
            inner.span = context.spot(0, len(context.text))
            inner.text = source
        own = scope.copy()
        own.item = piped
        self.bind(body, tuple(item.thing for item in arguments if not item.name), own, inner)
        for item in arguments:
            if item.name:
                own.things[item.name.lstrip("-").lower()] = item.thing
        own.things["input"] = piped
        out = NONE
        for child in body.named_children:
            if child.type in ("function_parameter_declaration", "function_name"):
                continue
            found = self.statement(child, own, inner)
            out = found if out is NONE else out.also(found)
        return out

    def span(self, node: Node, context: Context) -> Context:
        """Return the context of one command: its span in the checked text, unless something stands for all of it."""
        if context.span is not None:
            return context
        raw = context.text.encode()
        start = len(raw[: node.start_byte].decode(errors="replace"))
        size = len((node.text or b"").decode(errors="replace").rstrip())
        spot = context.inside(span=(start, start + size))
        spot.depth = context.depth
        return spot


def _parameters(node: Node) -> list[tuple[str, Node | None]]:
    """Return the names that a block or function takes, in order, with the expressions of their defaults."""
    found: list[tuple[str, Node | None]] = []
    waiting = [
        child
        for child in node.named_children
        if child.type in ("script_block", "param_block", "function_parameter_declaration", "parameter_list")
    ]
    while waiting:
        here = waiting.pop(0)
        if here.type == "script_parameter":
            name, default = "", None
            for child in here.named_children:
                if child.type == "variable":
                    name = content(child).lstrip("$").lower()
                elif child.type == "script_parameter_default" and child.named_children:
                    default = child.named_children[-1]
            found.append((name, default))
        elif here.type in ("script_block", "param_block", "function_parameter_declaration", "parameter_list"):
            waiting = list(here.named_children) + waiting
    return found


# --- statements --------------------------------------------------------------------------------------------------


def _pipeline(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    out = NONE
    for child in node.named_children:
        if child.type == "pipeline_chain_tail":
            continue
        found = walker.statement(child, scope, context)
        out = found if out is NONE else out.also(found)
    return out


def _chain(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    piped, fed = NONE, False
    if node.named_children and loops.is_long_range(content(node.named_children[0])) and loops.spawns(node):
        walker.collector.fork_bomb("a loop of many turns", walker.span(node, context))
    for child in node.named_children:
        if child.type == "comment":
            continue
        if child.type in ("redirection", "redirections"):
            parts = [child] if child.type == "redirection" else child.named_children
            away = [redirect(walker, part, piped, scope, walker.span(node, context)) for part in parts]
            piped = NONE if any(away) else piped
        elif child.type == "command":
            piped = command(walker, child, scope, context, piped, fed)
        else:
            piped = walker.statement(child, scope, context)
        fed = True
    return piped


def _assignment(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    targets = next((child for child in node.named_children if child.type == "left_assignment_expression"), None)
    operator = next((content(child) for child in node.named_children if child.type == "assignment_operator"), "=")
    value = NONE
    for child in node.named_children:
        if child is not targets and child.type not in ("assignment_operator", "comment") and child != targets:
            value = walker.statement(child, scope, context)
    if targets is None:
        return NONE
    kind = _declared(targets)
    if kind and value is not NONE:
        value = dotnet.cast(walker, kind, value, node, scope, context)
    names = _assigned(targets)
    for number, name in enumerate(names):
        part = value
        if len(names) > 1:
            part = Thing(
                value.values[number : number + 1] if number < len(names) - 1 else value.values[number:], value.kind
            )
        if operator == "+=":
            old = scope.things.get(name, NONE)
            part = (
                old.also(part) if len(old.values) != 1 or part.table else Thing((_concatenated(old, part),), old.kind)
            )
        if name in (rehearsal.PREFERENCE, rehearsal.DEFAULTS) and not rehearsal.is_certain(node):
            part = NONE  # a rehearsal that may not be one
        scope.things[name] = part
    if not names:  # `$x.y = …`, `$x['k'] = …`: what the target holds now carries this too
        _into_member(walker, targets, value, scope, context)
    return NONE


def _declared(node: Node) -> str:
    """Return the type in front of a variable that is assigned: `[ADSI]$group = …`."""
    while node.named_children and node.type not in ("cast_expression", "variable", "member_access"):
        if len(node.named_children) > 1:
            return ""
        node = node.named_children[0]
    return dotnet.type_name(content(node.named_children[0])) if node.type == "cast_expression" else ""


def _concatenated(old: Thing, new: Thing) -> Value:
    from phocinae_cli.analysis.windows.things import join

    left, right = old.one(), new.one()
    return join([*left.parts, *right.parts], left.taint | right.taint)


def _assigned(node: Node) -> list[str]:
    names = []
    waiting = [node]
    while waiting:
        here = waiting.pop(0)
        if here.type == "variable":
            name = content(here).lstrip("$").strip("{}").lower()
            for prefix in ("global:", "script:", "local:", "private:", "using:"):
                name = name.removeprefix(prefix)
            names.append(name)
        elif here.type in ("member_access", "element_access", "invocation_expression"):
            return []
        else:
            waiting = list(here.named_children) + waiting
    return names


def _into_member(walker: Walker, node: Node, value: Thing, scope: WindowsScope, context: Context) -> None:
    from phocinae_cli.analysis.windows import members

    inner = node
    while inner.type not in ("member_access", "element_access") and inner.named_children:
        inner = inner.named_children[0]
    members.set_member(walker, inner, value, scope, context)


def _foreach(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    name, things, long = "", NONE, False
    out = NONE
    for child in node.named_children:
        if child.type == "variable" and not name:
            name = content(child).lstrip("$").lower()
        elif child.type == "statement_block":
            if long and loops.spawns(child):
                walker.collector.fork_bomb("a loop of many turns", walker.span(node, context))
            scope.things[name] = things if things is not NONE else unsure(f"parameter {name}")
            out = walker.statement(child, scope, context)
        elif child.type != "comment":
            long = loops.is_long_range(content(child))
            things = walker.statement(child, scope, context)
    return out


def _loop(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    if loops.endless(node) and loops.spawns(node):
        walker.collector.fork_bomb("a loop without end", walker.span(node, context))
    out = NONE
    for child in node.named_children:
        out = out.also(walker.statement(child, scope, context))
    return out


def _function(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    for child in node.named_children:
        if child.type == "function_name":
            scope.blocks[content(child).lower().rpartition(":")[2]] = (node, context.text)
            break
    for child in node.children:
        if child.is_error:  # part of the body was not read as such: judge it where it stands
            walker.statement(child, scope, context)
    return NONE


def _switch(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    before = scope.item
    out = NONE
    for child in node.named_children:
        found = walker.statement(child, scope, context)
        if child.type == "switch_condition":
            scope.item = found
        else:
            out = out.also(found)
    scope.item = before
    return out


def _catch(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    before, scope.item = scope.item, unsure("an error")
    out = NONE
    for child in node.named_children:
        if child.type != "catch_type_list":
            out = out.also(walker.statement(child, scope, context))
    scope.item = before
    return out


def _parameters_only(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    for name, default in _parameters(node):
        if default is not None and name not in scope.things:
            scope.things[name] = expressions.evaluate(walker, default, scope, context)
    return NONE


def _error(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    for child in node.named_children:
        if child.type not in ("simple_name", "generic_token"):
            walker.statement(child, scope, context)
    return NONE


def _command(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    return command(walker, node, scope, context, NONE, False)


# --- commands ----------------------------------------------------------------------------------------------------


STATEMENTS = {
    "pipeline": _pipeline, "pipeline_chain": _chain, "assignment_expression": _assignment, "command": _command,
    "foreach_statement": _foreach, "function_statement": _function, "switch_statement": _switch,
    "while_statement": _loop, "do_statement": _loop, "for_statement": _loop, "catch_clause": _catch,
    "param_block": _parameters_only, "ERROR": _error,
}  # fmt: skip
