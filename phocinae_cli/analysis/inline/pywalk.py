"""Walk the tree of Python code: statements in order, every branch, calls with what is known of their arguments."""

from __future__ import annotations

import ast

from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.inline.pyvalues import (
    Either,
    Function,
    Made,
    Ref,
    concat,
    either,
    is_constant,
    taint_of,
    text_of,
)
from phocinae_cli.analysis.inline.wordlist import listed
from phocinae_cli.analysis.values import NOTHING, Value, unknown

MAX_STEPS = 20000
MAX_ROUNDS = 300
MAX_CALLS = 12
MAX_TEXT = 65536
BUILTINS = frozenset(
    listed(
        """
        open exec eval compile print input raw_input __import__ getattr setattr globals locals vars chr ord str bytes
        bytearray int float list tuple set sorted reversed map filter zip range enumerate len join repr format dict
        unichr unicode execfile hex bin iter next __builtins__ __name__ __file__ sum any all min max isinstance type
        reload file
        """
    )
)


class Stop(Exception):
    """The code takes more steps than anybody would follow."""


class Walker:
    """Follows code with the values of its variables; `sure` says that all it prints was seen, in order.

    `connected` says that a socket has been connected or accepted; `looping` that an endless loop is being walked.
    """

    def __init__(self, deeds: Deeds) -> None:
        from phocinae_cli.analysis.inline.pycalls import Calls

        self.deeds = deeds
        self.names: dict[str, object] = {}
        self.calls = Calls(self)
        self.sure = True
        self.connected = False
        self.looping = False
        self.steps = 0
        self.depth = 0
        self.returned: list[object] = []

    def run(self, tree: ast.Module) -> object:
        """Walk a whole module; return the value of its last expression."""
        last: object = None
        for statement in tree.body:
            last = self.statement(statement)
        return last

    def body(self, statements: list[ast.stmt]) -> None:
        """Walk statements in order."""
        for statement in statements:
            self.statement(statement)

    # --- statements --------------------------------------------------------------------------------------------

    def statement(self, node: ast.stmt) -> object:
        """Walk one statement; the value is that of an expression statement."""
        self._step()
        method = getattr(self, "_" + type(node).__name__, None)
        if method is not None:
            return method(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.stmt):
                self.statement(child)
        return None

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Stop

    def _Expr(self, node: ast.Expr) -> object:
        return self.value(node.value)

    def _Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.asname:
                self.names[alias.asname] = Ref(alias.name)
            else:
                self.names[alias.name.partition(".")[0]] = Ref(alias.name.partition(".")[0])
            self.calls.imported(alias.name)

    def _ImportFrom(self, node: ast.ImportFrom) -> None:
        module = ("." * node.level) + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                for name in self.calls.exported(module):
                    self.names[name] = Ref(f"{module}.{name}")
            else:
                self.names[alias.asname or alias.name] = Ref(f"{module}.{alias.name}")
        self.calls.imported(module)

    def _Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.value(node.value))

    def _AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            left = self.names.get(node.target.id, unknown(f"variable {node.target.id}"))
            right = self.value(node.value)
            self.names[node.target.id] = self._binary(node.op, left, right)
        else:
            self.value(node.value)

    def assign(self, target: ast.expr, value: object) -> None:
        """Give a target its value; unpacked where the parts are known."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value if isinstance(value, list) and len(value) == len(target.elts) else None
            for number, part in enumerate(target.elts):
                self.assign(
                    part, items[number] if items is not None else unknown("one of several values", taint_of(value))
                )
        elif isinstance(target, ast.Starred):
            self.assign(target.value, unknown("several values", taint_of(value)))
        elif isinstance(target, ast.Subscript):
            base, key = self.value(target.value), self.value(target.slice)
            if isinstance(base, dict) and isinstance(key, (str, int)):
                base[key] = value
            elif isinstance(base, Ref) and base.name == "os.environ" and isinstance(key, str):
                self.deeds.scope.assign(key, [(text_of(value),)])
        elif isinstance(target, ast.Attribute):
            base = self.value(target.value)
            if isinstance(base, Made):
                base.parts = (*base.parts, value)
            if isinstance(target.value, ast.Name):
                self.names[f"{target.value.id}.{target.attr}"] = value

    def _If(self, node: ast.If) -> None:
        self.value(node.test)
        before = dict(self.names)
        noted = self.deeds.printed
        self.body(node.body)
        after = self.names
        self.names = before
        self.body(node.orelse)
        for name, value in after.items():
            if name not in self.names:
                self.names[name] = value
            elif self.names[name] is not value:
                self.names[name] = either([value, self.names[name]])
        if self.deeds.printed is not noted and not _is_main(node.test):
            self.sure = False

    def _For(self, node: ast.For | ast.AsyncFor) -> None:
        source = self.value(node.iter)
        items = self.calls.items(source)
        noted = self.deeds.printed
        if items is None or len(items) > MAX_ROUNDS:
            self.assign(node.target, self.calls.item(source))
            self.body(node.body)
            self.sure = self.sure and self.deeds.printed is noted
        else:
            for item in items:
                self.assign(node.target, item)
                self.body(node.body)
        self.body(node.orelse)

    _AsyncFor = _For

    def _While(self, node: ast.While) -> None:
        test = self.value(node.test)
        before, self.looping = self.looping, self.looping or (is_constant(test) and bool(test))
        noted = self.deeds.printed
        self.body(node.body)
        self.looping = before
        self.sure = self.sure and self.deeds.printed is noted
        self.body(node.orelse)

    def _With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value)
        self.body(node.body)

    _AsyncWith = _With

    def _Try(self, node: ast.Try) -> None:
        self.body(node.body)
        noted = self.deeds.printed
        for handler in node.handlers:
            self.body(handler.body)
        if self.deeds.printed is not noted:
            self.sure = False
        self.body(node.orelse)
        self.body(node.finalbody)

    _TryStar = _Try

    def _Match(self, node: ast.Match) -> None:
        self.value(node.subject)
        for case in node.cases:
            self.body(case.body)
        self.sure = False

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.value(decorator)
        self.names[node.name] = Function(node)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef) -> None:
        self.names[node.name] = Function(node)
        methods = (ast.FunctionDef, ast.AsyncFunctionDef)
        self.body([part for part in node.body if not isinstance(part, methods)])

    def _Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.returned.append(self.value(node.value))

    def _Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.names.pop(target.id, None)

    def _Global(self, node: ast.Global) -> None:
        return None

    # --- expressions -------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> object:
        """Return what an expression gives, recording the calls in it."""
        self._step()
        method = getattr(self, "_e" + type(node).__name__, None)
        if method is not None:
            found = method(node)
            return (
                unknown("a text too long to follow")
                if isinstance(found, (str, bytes)) and len(found) > MAX_TEXT
                else found
            )
        taint = NOTHING
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                taint |= taint_of(self.value(child))
        return unknown("a value that the code computes", taint)

    def _eConstant(self, node: ast.Constant) -> object:
        return node.value

    def _eName(self, node: ast.Name) -> object:
        if node.id in self.names:
            return self.names[node.id]
        return Ref(node.id) if node.id in BUILTINS or self.calls.is_module(node.id) else unknown(f"variable {node.id}")

    def _eAttribute(self, node: ast.Attribute) -> object:
        if isinstance(node.value, ast.Name):
            held = self.names.get(f"{node.value.id}.{node.attr}")
            if held is not None:
                return held
        return self.calls.attribute(self.value(node.value), node.attr)

    def _eJoinedStr(self, node: ast.JoinedStr) -> object:
        done: object = ""
        for part in node.values:
            done = concat(
                done,
                self.value(part.value if isinstance(part, ast.FormattedValue) else part)
                if not isinstance(part, ast.FormattedValue)
                else self._shown(part),
            )
        return done

    def _shown(self, node: ast.FormattedValue) -> object:
        value = self.value(node.value)
        if isinstance(value, (Value, Either)) or (isinstance(value, str) and node.format_spec is None):
            return value
        return (
            text_of(value).exact
            if is_constant(value) and node.format_spec is None and not isinstance(value, list)
            else text_of(value)
        )

    def _eBinOp(self, node: ast.BinOp) -> object:
        return self._binary(node.op, self.value(node.left), self.value(node.right))

    def _binary(self, op: ast.operator, left: object, right: object) -> object:
        if isinstance(op, ast.Add):
            if isinstance(left, (int, float)) and isinstance(right, (int, float)):
                return left + right
            return concat(left, right)
        if isinstance(op, ast.Div) and (isinstance(left, Made) or isinstance(right, Made)):
            return self.calls.path_join([left, right])
        if isinstance(op, ast.Mod) and isinstance(left, (str, bytes)):
            return self.calls.percent(left, right)
        if isinstance(left, int) and isinstance(right, int):
            return _arithmetic(op, left, right)
        if isinstance(op, ast.Mult) and isinstance(left, (str, bytes)) and isinstance(right, int):
            return left * right if len(left) * max(right, 0) <= MAX_TEXT else unknown("a long text")
        return unknown("the result of a calculation", taint_of(left) | taint_of(right))

    def _eUnaryOp(self, node: ast.UnaryOp) -> object:
        value = self.value(node.operand)
        if isinstance(value, (int, float)):
            if isinstance(node.op, ast.USub):
                return -value
            if isinstance(node.op, ast.Not):
                return not value
            if isinstance(node.op, ast.Invert) and isinstance(value, int):
                return ~value
        return unknown("the result of a calculation", taint_of(value))

    def _eBoolOp(self, node: ast.BoolOp) -> object:
        return either([self.value(part) for part in node.values])

    def _eIfExp(self, node: ast.IfExp) -> object:
        self.value(node.test)
        return either([self.value(node.body), self.value(node.orelse)])

    def _eList(self, node: ast.List | ast.Tuple | ast.Set) -> object:
        items: list[object] = []
        for part in node.elts:
            if isinstance(part, ast.Starred):
                inner = self.value(part.value)
                items.extend(inner if isinstance(inner, list) else [unknown("several values", taint_of(inner))])
            else:
                items.append(self.value(part))
        return items

    _eTuple = _eList
    _eSet = _eList

    def _eDict(self, node: ast.Dict) -> object:
        table: dict[object, object] = {}
        for number, (key, part) in enumerate(zip(node.keys, node.values, strict=True)):
            name = self.value(key) if key is not None else None
            table[name if isinstance(name, (str, int)) else f"\0{number}"] = self.value(part)
        return table

    def _eStarred(self, node: ast.Starred) -> object:
        return self.value(node.value)

    def _eAwait(self, node: ast.Await) -> object:
        return self.value(node.value)

    def _eNamedExpr(self, node: ast.NamedExpr) -> object:
        value = self.value(node.value)
        self.assign(node.target, value)
        return value

    def _eLambda(self, node: ast.Lambda) -> object:
        return Function(node)

    def _eGeneratorExp(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> object:
        results: list[object] = []
        whole = self._rounds(node.generators, lambda: results.append(self.value(node.elt)))
        return (
            results
            if whole
            else unknown("a list", taint_of(results))
            if not results
            else Made("some", unknown("one of several values", taint_of(results)), tuple(results[:1]))
        )

    _eListComp = _eGeneratorExp
    _eSetComp = _eGeneratorExp

    def _eDictComp(self, node: ast.DictComp) -> object:
        results: list[object] = []
        self._rounds(node.generators, lambda: results.extend((self.value(node.key), self.value(node.value))))
        return unknown("a table", taint_of(results))

    def _rounds(self, generators: list[ast.comprehension], act: object) -> bool:
        """Act once for each element of a comprehension; return whether all the elements were known."""
        first, rest = generators[0], generators[1:]
        source = self.value(first.iter)
        items = self.calls.items(source)
        whole = items is not None and len(items) <= MAX_ROUNDS
        for item in items if whole and items is not None else [self.calls.item(source)]:
            self.assign(first.target, item)
            chosen = [self.value(test) for test in first.ifs]
            whole = whole and all(is_constant(one) for one in chosen)
            if all(bool(one) for one in chosen if is_constant(one)):
                if rest:
                    whole = self._rounds(rest, act) and whole
                else:
                    act()  # type: ignore[operator]
        return whole

    def _eSubscript(self, node: ast.Subscript) -> object:
        base = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            bounds = [
                self.value(part) if part is not None else None
                for part in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            numbers = [part for part in bounds if part is None or isinstance(part, int)]
            if isinstance(base, (str, bytes, list)) and len(numbers) == 3:
                return base[slice(*numbers)] if numbers[2] != 0 else base
            return base if isinstance(base, Made) else unknown("part of a text", taint_of(base))
        return self.calls.index(base, self.value(node.slice))

    def _eCall(self, node: ast.Call) -> object:
        function = self.value(node.func)
        arguments: list[object] = []
        for part in node.args:
            value = self.value(part)
            if isinstance(part, ast.Starred):
                arguments.extend(value if isinstance(value, list) else [unknown("several values", taint_of(value))])
            else:
                arguments.append(value)
        named: dict[str, object] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif isinstance(value, dict):
                named.update({str(key): item for key, item in value.items()})
        return self.call(function, arguments, named)

    def call(self, function: object, arguments: list[object], named: dict[str, object]) -> object:
        """Return what a call gives, recording what it does."""
        self._step()
        if isinstance(function, Function):
            return self._own(function, arguments, named)
        if isinstance(function, Either):
            return either([self.call(choice, arguments, named) for choice in function.choices])
        for argument in [*arguments, *named.values()]:
            if isinstance(argument, Function):
                self._own(argument, [unknown("an argument")] * 4, {})
        return self.calls.call(function, arguments, named)

    def _own(self, function: Function, arguments: list[object], named: dict[str, object]) -> object:
        """Walk the body of a function that the code defines; of a class, all of its methods."""
        node = function.node
        if self.depth >= MAX_CALLS:
            return unknown("the result of a function")
        self.depth += 1
        before, returned = self.names, self.returned
        try:
            if isinstance(node, ast.ClassDef):
                return self._instance(node, arguments, named)
            self.names = dict(before)
            self.returned = []
            places = [*node.args.posonlyargs, *node.args.args]
            for number, place in enumerate(places):
                self.names[place.arg] = named.get(place.arg, unknown(f"argument {place.arg}"))
                if number < len(arguments):
                    self.names[place.arg] = arguments[number]
            for place, default in zip(reversed(places), reversed(node.args.defaults), strict=False):
                if places.index(place) >= len(arguments) and place.arg not in named:
                    self.names[place.arg] = self.value(default)
            for place in node.args.kwonlyargs:
                self.names[place.arg] = named.get(place.arg, unknown(f"argument {place.arg}"))
            if node.args.vararg is not None:
                self.names[node.args.vararg.arg] = list(arguments[len(places) :])
            if isinstance(node, ast.Lambda):
                return self.value(node.body)
            self.body(node.body)
            return either(self.returned) if self.returned else None
        finally:
            changed = {
                name: value for name, value in self.names.items() if name in before and before[name] is not value
            }
            globals_of = {name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names}
            self.names, self.returned = before, returned
            self.names.update({name: value for name, value in changed.items() if name in globals_of})
            self.depth -= 1

    def _instance(self, node: ast.ClassDef, arguments: list[object], named: dict[str, object]) -> object:
        made = Made("instance", unknown(f"a {node.name}"))
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.names[f"self.{part.name}"] = Function(ast.Lambda(args=part.args, body=ast.Constant(value=None)))
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                given: list[object] = [made, *arguments] if part.name == "__init__" else [made]
                self._own(Function(part), given, named if part.name == "__init__" else {})
        return made


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _arithmetic(op: ast.operator, left: int, right: int) -> object:
    if isinstance(op, ast.Sub):
        return left - right
    if isinstance(op, ast.Mult):
        return left * right if abs(left) < 1 << 64 and abs(right) < 1 << 64 else unknown("a number")
    if isinstance(op, ast.FloorDiv) and right:
        return left // right
    if isinstance(op, ast.Mod) and right:
        return left % right
    if isinstance(op, ast.BitXor):
        return left ^ right
    if isinstance(op, ast.BitOr):
        return left | right
    if isinstance(op, ast.BitAnd):
        return left & right
    if isinstance(op, ast.LShift) and 0 <= right < 64 and abs(left) < 1 << 64:
        return left << right
    if isinstance(op, ast.RShift) and 0 <= right < 1 << 16:
        return left >> right
    return unknown("a number")
