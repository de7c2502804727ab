"""One command of a pipeline: its name, arguments, splatted tables and redirections."""

from __future__ import annotations

from phocinae_cli.analysis.context import Context
from phocinae_cli.analysis.values import Stream, TooMuch, known
from phocinae_cli.analysis.windows import cmdlets, code, expressions, leaving
from phocinae_cli.analysis.windows.invocation import Argument, path_effect
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.strings import numbers
from phocinae_cli.analysis.windows.things import NONE, Thing, unsure
from phocinae_cli.analysis.windows.tree import content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

MAX_COMMANDS = 5000


def command(walker: Walker, node: Node, scope: WindowsScope, context: Context, piped: Thing, fed: bool) -> Thing:
    """Judge one command of a pipeline and return what it passes on."""
    walker.commands += 1
    if walker.commands > MAX_COMMANDS:
        raise TooMuch
    spot = walker.span(node, context)
    operator, named = "", NONE
    arguments: list[Argument] = []
    redirects: list[Node] = []
    for child in node.named_children:
        if child.type in ("command_invocation_operator", "command_invokation_operator"):
            operator = content(child)
        elif child.type == "command_elements":
            arguments = _arguments(walker, child, scope, context, redirects)
        elif child.type == "redirection":
            redirects.append(child)
        elif named is NONE:
            named = expressions.evaluate(
                walker, child.named_children[0] if child.type == "command_name_expr" else child, scope, context
            )
    if ".." in (named.exact or "") and named.exact is not None and not operator:
        first, _, last = named.exact.partition("..")
        if first.lstrip("-").isdigit() and last.lstrip("-").isdigit():
            return numbers(first, last)
    if not operator and _is_sum(named.one().text):
        return unsure("a number", name_only=True)
    out = cmdlets.run(walker, named, operator, arguments, scope, spot, piped, fed)
    for part in redirects:
        if redirect(walker, part, out, scope, spot):
            out = NONE
    return out


def _is_sum(name: str) -> bool:
    """Return whether a command's name is arithmetic that the grammar took for one: `1/0`, `3*4`."""
    digits = name.rstrip("0123456789.$abcdefghijklmnopqrstuvwxyz()")
    return digits[-1:] in ("/", "*", "%") and digits[:-1].isdigit()


def _arguments(
    walker: Walker, node: Node, scope: WindowsScope, context: Context, redirects: list[Node]
) -> list[Argument]:
    found: list[Argument] = []
    attach = False
    member: Node | None = None
    for child in node.named_children:
        if child.type == "argument_list" and member is not None and found:
            # The grammar parts `x (expression).Method(...)` into an argument and a list.
            found[-1].thing = expressions.invoke_member(walker, member, child, scope, context)
            continue
        member = _member_in(child)
        if child.type == "command_argument_sep":
            attach = content(child) == ":"
        elif child.type == "redirection":
            redirects.append(child)
        elif child.type == "command_parameter":
            raw = content(child)
            found.append(Argument(raw.rstrip(":"), NONE))
            attach = raw.endswith(":")
        elif child.type == "stop_parsing":
            for word in content(child)[3:].split():
                found.append(Argument("", Thing((known(word),))))
        elif child.type == "variable" or (
            child.type == "unary_expression" and content(child).startswith("@") and content(child)[1:2].isalpha()
        ):
            found.extend(_splat(walker, child, scope, context))
            attach = False
        elif child.type != "comment":
            thing = expressions.evaluate(walker, child, scope, context)
            if attach and found:
                found[-1] = Argument(found[-1].name, thing, True)
            else:
                found.append(Argument("", thing))
            attach = False
    return found


def _member_in(node: Node) -> Node | None:
    while node.type == "unary_expression" and len(node.named_children) == 1:
        node = node.named_children[0]
    return node if node.type == "member_access" else None


def _splat(walker: Walker, node: Node, scope: WindowsScope, context: Context) -> list[Argument]:
    thing = expressions.evaluate(walker, node, scope, context)
    if not content(node).startswith("@"):
        return [Argument("", thing)]
    if thing.table is not None:
        return [Argument("-" + name, value, True) for name, value in thing.table.items()]
    return [Argument("", thing)]


def redirect(walker: Walker, node: Node, out: Thing, scope: WindowsScope, context: Context) -> bool:
    """Judge a redirection to a file; return whether the output goes there."""
    operator, target = "", NONE
    for child in node.named_children:
        if child.type == "file_redirection_operator":
            operator = content(child)
        elif child.type == "redirected_file_name":
            target = walker.statement(child, scope, context)
    if not operator or not target.values:
        return bool(operator)
    kind = "append" if operator.endswith(">>") else "overwrite"
    action = walker.collector.action((), scope, context, "")
    value = located(target.one(), scope.home)
    why = "the redirection adds to it" if kind == "append" else "the redirection empties it before anything is written"
    path_effect(walker, kind, value, scope, action, code="redirect." + kind, why=why)
    leaving.judge_redirected(walker, value, out.taint, scope, action)
    path = scope.resolve(value.exact) if value.exact is not None else None
    if path is not None and not operator.startswith("2"):
        scope.files[path] = out.stream() if out is not NONE else Stream(None, why="the output of a command")
        code.planted(walker, path, scope.files[path], scope, action, spot=context)
    return not operator.startswith("2")
