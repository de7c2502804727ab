"""Calls of libraries for databases in Python code: the chain of each call outside of definitions."""

from __future__ import annotations

import ast

from phocinae_cli.analysis.inline import storecalls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.deeds import Deeds

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def sweep(deeds: Deeds, tree: ast.AST) -> None:
    """Judge each call of a method that is no part of a definition."""
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, behind = waiting.pop()
        if isinstance(node, DEFINITIONS):
            continue
        if isinstance(node, ast.Call):
            _call(deeds, node, behind)
        for child in ast.iter_child_nodes(node):
            inner = behind if isinstance(node, (ast.Call, ast.Attribute)) and child is _head(node) else frozenset()
            if isinstance(node, ast.Attribute):
                inner |= {node.attr}
            waiting.append((child, inner))


def _head(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Call):
        return node.func
    return node.value if isinstance(node, ast.Attribute) else None


def _call(deeds: Deeds, call: ast.Call, behind: frozenset[str]) -> None:
    function = call.func
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    before = frozenset(_names(function.value)) if isinstance(function, ast.Attribute) else frozenset()
    chain = (before | behind) - {name}
    if name in storecalls.QUERIES and call.args and isinstance(call.args[0], ast.Constant):
        storecalls.cypher(deeds, str(call.args[0].value))
    elif name == "execute" and isinstance(function, ast.Attribute) and _is_bare_delete(function.value):
        storecalls.judge(deeds, "delete_all", frozenset(), storecalls.NONE)  # `User.delete().execute()` of peewee
    elif isinstance(function, ast.Attribute) or name in storecalls.DROPS:
        storecalls.judge(deeds, name, chain, _given(call))


def _names(node: ast.AST) -> list[str]:
    found: list[str] = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute):
            found.append(inner.attr)
        elif isinstance(inner, ast.Name):
            found.append(inner.id)
    return found


def _is_bare_delete(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "delete"


def _given(call: ast.Call) -> str:
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not values:
        return storecalls.NONE
    if any(isinstance(inner, ast.Constant) and inner.value == "match_all" for one in values for inner in ast.walk(one)):
        return storecalls.EVERYTHING
    first = values[0]
    return storecalls.EMPTY_FILTER if isinstance(first, ast.Dict) and not first.keys else storecalls.SOME
