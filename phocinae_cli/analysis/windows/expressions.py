"""What PowerShell expressions give: strings with variables in them, operators, arrays, casts, members."""

from __future__ import annotations

from phocinae_cli.analysis.values import Unknown, Value, known
from phocinae_cli.analysis.windows import dotnet, members
from phocinae_cli.analysis.windows.strings import bare, formatted, numbers, replaced, unescaped, variable
from phocinae_cli.analysis.windows.things import MOST, NONE, Thing, join, text, unsure
from phocinae_cli.analysis.windows.tree import content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

    Evaluate = Callable[[Walker, Node, WindowsScope, Context], Thing]

COMPARED = unsure("the result of a comparison", name_only=True)


def evaluate(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    """Return what an expression gives; commands inside it are judged on the way."""
    reader = READERS.get(node.type)
    if reader is not None:
        return reader(walker, node, scope, context)
    return walker.statement(node, scope, context)


def _inner(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    out = NONE
    for child in node.named_children:
        if child.type not in ("comment", "command_argument_sep"):
            out = (
                out.also(evaluate(walker, child, scope, context))
                if out is not NONE
                else evaluate(walker, child, scope, context)
            )
    return out


# --- strings and variables -----------------------------------------------------------------------------------


def _expandable(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    raw = node.text or b""
    base = node.start_byte
    stripped = raw.lstrip()
    lead = len(raw) - len(stripped)
    body = stripped.rstrip()
    if body.startswith(b'@"'):
        first = body.find(b"\n") + 1
        start, end = lead + first, lead + max(first, body.rfind(b"\n"))
    else:
        start, end = lead + 1, lead + len(body) - 1
    return Thing((join(*_woven(walker, node, raw, base, start, end, scope, context)),))


def _woven(
    walker: Walker, node: Node, raw: bytes, base: int, start: int, end: int, scope: WindowsScope, context: Context
) -> tuple[list[str | Unknown], frozenset[str]]:
    parts: list[str | Unknown] = []
    taint: frozenset[str] = frozenset()
    at = start
    for child in node.named_children:
        low, high = child.start_byte - base, child.end_byte - base
        if low < at or high > end or child.type not in ("variable", "sub_expression", "braced_variable"):
            continue
        parts.append(unescaped(raw[at:low].decode(errors="replace")))
        value = evaluate(walker, child, scope, context).one()
        parts.extend(value.parts)
        taint |= value.taint
        at = high
    parts.append(unescaped(raw[at:end].decode(errors="replace")))
    return parts, taint


def _verbatim(_walker: Walker, node: Node, _scope: WindowsScope, _context: Context) -> Thing:
    raw = content(node)
    if raw.startswith("@'"):
        return text(raw[raw.find("\n") + 1 : raw.rfind("\n")].rstrip("\r"))
    return text(raw[1:-1].replace("''", "'"))


def _variable(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    return variable(content(node), scope)


def _generic(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    raw = content(node)
    return Thing((Value((bare(raw),), "*" in raw or "?" in raw),))


def _whole(walker: Walker, variable: Node, rest: str, scope: WindowsScope, context: Context) -> Thing | None:
    """Return what `$block` or `$table.block` in the place of a command's name holds; None when it is a text."""
    names = rest.split(".")
    if names[0] or not all(name.isidentifier() for name in names[1:]):
        return None
    thing = evaluate(walker, variable, scope, context)
    for name in names[1:]:
        if thing.table is None:
            return None
        thing = members.property_of(thing, name)
    return thing


def _glued(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    first = node.named_children[0] if node.named_children else None
    if first is not None and first.type in ("variable", "braced_variable") and first.start_byte == node.start_byte:
        found = _whole(walker, first, content(node)[len(content(first)) :], scope, context)
        if found is not None:
            return found
    parts: list[str | Unknown] = []
    taint: frozenset[str] = frozenset()
    at = node.start_byte
    globs = False
    for child in node.named_children:
        if child.start_byte > at and child.type != "command_argument_sep":
            parts.append((node.text or b"")[at - node.start_byte : child.start_byte - node.start_byte].decode().strip())
        at = child.end_byte
        if child.type in ("generic_token", "path_command_name_token"):
            parts.append(bare(content(child)))
            globs = globs or "*" in content(child) or "?" in content(child)
            continue
        value = evaluate(walker, child, scope, context).one()
        parts.extend(value.parts)
        taint |= value.taint
    parts.append((node.text or b"")[at - node.start_byte :].decode().strip())
    value = join(parts, taint)
    return Thing((Value(value.parts, globs, taint),))


# --- collections -----------------------------------------------------------------------------------------------


def _list(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    values: list[Value] = []
    out = NONE
    for child in node.named_children:
        if child.type in ("comment", "command_argument_sep"):
            continue
        thing = evaluate(walker, child, scope, context)
        out = thing if thing.block is not None or thing.table is not None else out
        values.extend(thing.values)
    listed = Thing(tuple(values[:MOST]))
    listed.block, listed.source, listed.table = out.block, out.source, out.table
    return listed


def _hash(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    table: dict[str, Thing] = {}
    values: list[Value] = []
    waiting = list(reversed(node.named_children))
    while waiting:
        child = waiting.pop()
        if child.type != "hash_entry":
            waiting.extend(reversed(child.named_children))
            continue
        key, *rest = child.named_children
        name = content(key).strip("'\"").lower()
        thing = NONE
        for part in rest:
            thing = evaluate(walker, part, scope, context)
        table[name] = thing
        values.extend(thing.values)
    found = Thing(tuple(values[:MOST]), "hashtable")
    found.table = table
    return found


def _block(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    thing = Thing((known(content(node)),), "scriptblock")
    thing.block, thing.source = node, context.text
    return thing


def _range(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    ends = [
        evaluate(walker, child, scope, context).exact for child in node.named_children if "operator" not in child.type
    ]
    return numbers(ends[0], ends[-1]) if ends else NONE


def _additive(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    things = [evaluate(walker, child, scope, context) for child in node.named_children if child.type != "comment"]
    if "-" in [child.type for child in node.children if not child.is_named]:
        return unsure("a number", name_only=True)
    first = things[0] if things else NONE
    if len(first.values) > 1:
        for thing in things[1:]:
            first = first.also(thing)
        return first
    texts = [thing.exact for thing in things]
    if all(found is not None and found.lstrip("-").isdigit() for found in texts):
        return text(str(sum(int(found) for found in texts if found is not None)))
    parts: list[str | Unknown] = []
    taint: frozenset[str] = frozenset()
    for thing in things:
        value = thing.one()
        parts.extend(value.parts)
        taint |= value.taint
    return Thing((join(parts, taint),), first.kind if first.kind == "chars" else "")


def _format(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    things = [
        evaluate(walker, child, scope, context) for child in node.named_children if child.type != "format_operator"
    ]
    if len(things) < 2:
        return things[0] if things else NONE
    return formatted(things[0], things[-1].values)


def _comparison(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    things = [evaluate(walker, child, scope, context) for child in node.named_children if "operator" not in child.type]
    operator = next((content(child).lower() for child in node.named_children if "operator" in child.type), "")
    operator = operator.removeprefix("-")
    operator = operator[1:] if operator[:1] in "ci" and operator[1:] in ("replace", "split") else operator
    if not things:
        return NONE
    left, right = things[0], things[-1]
    if operator == "join":
        return Thing((left.one(right.exact or ""),))
    if operator == "replace":
        return replaced(left, right)
    if operator == "split":
        found, mark = left.exact, right.values[0].exact if right.values else None
        if found is not None and mark and len(mark) == 1:
            return Thing(tuple(known(part, left.taint) for part in found.split(mark)[:MOST]))
        return Thing(tuple(left.values))
    if operator in ("as",):
        return Thing(left.values, "type") if right.exact == "[type]" else left
    if len(left.values) > 1 and operator in ("eq", "ne", "like", "notlike", "match", "notmatch"):
        return left  # an array is filtered
    return COMPARED


def _unary(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    mark = next((child.type.lower() for child in node.children if not child.is_named), "")
    things = [evaluate(walker, child, scope, context) for child in node.named_children]
    thing = things[-1] if things else NONE
    if mark == "-join":
        return Thing((thing.one(""),))
    if mark in ("!", "-not", "-bnot"):
        return COMPARED
    if mark == "-" and thing.exact is not None:
        return text("-" + thing.exact)
    if mark == "-split" and thing.exact is not None:
        return Thing(tuple(known(part, thing.taint) for part in thing.exact.split()[:MOST]))
    return thing


def _cast(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    kind = dotnet.type_name(content(node.named_children[0])) if node.named_children else ""
    thing = evaluate(walker, node.named_children[-1], scope, context) if len(node.named_children) > 1 else NONE
    return dotnet.cast(walker, kind, thing, node, scope, context)


def _logical(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    for child in node.named_children:
        evaluate(walker, child, scope, context)
    return COMPARED


def _number(_walker: Walker, node: Node, _scope: WindowsScope, _context: Context) -> Thing:
    return text(content(node))


def _product(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    things = [evaluate(walker, child, scope, context) for child in node.named_children]
    first, second = (things[0].exact, things[-1].exact) if len(things) > 1 else (None, None)
    if first is not None and second is not None and second.isdigit() and int(second) < 100 and "*" in content(node):
        return text(first * int(second)) if not first.isdigit() else text(str(int(first) * int(second)))
    return unsure("a number", name_only=True)


# --- members ---------------------------------------------------------------------------------------------------


def _member(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    target = node.named_children[0]
    name = _member_name(walker, node.named_children[-1], scope, context)
    if target.type == "type_literal":
        return dotnet.static_property(dotnet.type_name(content(target)), name, scope)
    return members.property_of(evaluate(walker, target, scope, context), name)


def _invoked(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    arguments: list[Thing] = []
    name = ""
    for child in node.named_children[1:]:
        if child.type == "argument_list":
            arguments.extend(_passed(walker, child, scope, context))
        elif child.type == "member_name":
            name = _member_name(walker, child, scope, context)
        elif child.type == "script_block_expression":
            arguments.append(evaluate(walker, child, scope, context))
    return _invoke(walker, node.named_children[0], name, arguments, node, scope, context)


def invoke_member(walker: Walker, member: Node, listed: Node, scope: WindowsScope, context: Context) -> Thing:
    """Return what `target.Name(...)` gives when the grammar has parted the name from its arguments."""
    arguments = _passed(walker, listed, scope, context)
    name = _member_name(walker, member.named_children[-1], scope, context)
    return _invoke(walker, member.named_children[0], name, arguments, member, scope, context)


def _passed(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> list[Thing]:
    found = []
    for part in node.named_children:
        for argument in part.named_children if part.type == "argument_expression_list" else (part,):
            found.append(evaluate(walker, argument, scope, context))
    return found


def _member_name(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> str:
    inner = node.named_children[0] if node.named_children else None
    written = content(node).strip("'\"")
    if inner is not None and inner.type != "simple_name":
        return evaluate(walker, inner, scope, context).exact or written
    return written


def _invoke(
    walker: Walker, target: Node, name: str, arguments: list[Thing], node: Node, scope: WindowsScope, context: Context
) -> Thing:
    if target.type == "type_literal":
        return dotnet.call_static(walker, dotnet.type_name(content(target)), name, arguments, node, scope, context)
    if name.lower() == "invoke" and target.type == "member_access":
        held = evaluate(walker, target, scope, context)
        if held.block is None and held.kind != "code" and not held.made:  # `$x.Name.Invoke(…)` is `$x.Name(…)`
            inner, member = target.named_children[0], target.named_children[-1]
            return _invoke(walker, inner, _member_name(walker, member, scope, context), arguments, node, scope, context)
        return members.call(walker, held, name, arguments, node, scope, context)
    thing = evaluate(walker, target, scope, context)
    if thing.kind == "type" and thing.exact is not None:
        return dotnet.call_static(walker, dotnet.type_name(thing.exact), name, arguments, node, scope, context)
    return members.call(walker, thing, name, arguments, node, scope, context)


def _element(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> Thing:
    things = [evaluate(walker, child, scope, context) for child in node.named_children]
    target, key = things[0], things[-1] if len(things) > 1 else NONE
    found = key.exact
    if target.table is not None and found is not None:
        return target.table.get(found.lower(), NONE)
    whole = target.exact
    if (
        whole is not None
        and target.kind != "array"
        and key.values
        and all((v.exact or "x").lstrip("-").isdigit() for v in key.values)
    ):
        chars = [whole[int(v.text)] for v in key.values if -len(whole) <= int(v.text) < len(whole)]
        return Thing(tuple(known(char, target.taint) for char in chars))
    if len(target.values) > 1 and key.values and all((v.exact or "x").lstrip("-").isdigit() for v in key.values):
        count = len(target.values)
        return Thing(
            tuple(target.values[int(v.text)] for v in key.values if -count <= int(v.text) < count), target.kind
        )
    return target


READERS: dict[str, Evaluate] = {
    "unary_expression": _inner, "string_literal": _inner, "integer_literal": _inner, "argument_expression": _inner,
    "expandable_string_literal": _expandable, "expandable_here_string_literal": _expandable,
    "verbatim_string_characters": _verbatim, "verbatim_here_string_characters": _verbatim, "variable": _variable,
    "braced_variable": _variable, "generic_token": _generic, "simple_name": _generic,
    "path_command_name_token": _generic, "command_name": _generic,
    "expandable_bareword": _glued, "concatenated_command_argument": _glued, "path_command_name": _glued,
    "array_literal_expression": _list, "bareword_argument_list": _list, "array_expression": _list,
    "hash_literal_expression": _hash, "script_block_expression": _block, "range_expression": _range,
    "additive_argument_expression": _additive, "format_argument_expression": _format,
    "comparison_argument_expression": _comparison, "multiplicative_argument_expression": _product,
    "range_argument_expression": _range, "logical_argument_expression": _logical,
    "bitwise_argument_expression": _logical,
    "additive_expression": _additive, "format_expression": _format, "comparison_expression": _comparison,
    "expression_with_unary_operator": _unary, "cast_expression": _cast, "logical_expression": _logical,
    "bitwise_expression": _logical, "decimal_integer_literal": _number, "hexadecimal_integer_literal": _number,
    "real_literal": _number, "multiplicative_expression": _product, "member_access": _member,
    "invocation_expression": _invoked, "element_access": _element, "type_literal": _number,
}  # fmt: skip
