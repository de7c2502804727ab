"""What an expression of Python code can be, as far as it is known without running it."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import joined
from phocinae_cli.analysis.values import NOTHING, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast

MAX_CHOICES = 8
MAX_SIZE = 32768


class Ref:
    """A dotted name: a module, or something in one, that is not known by its value."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Made:
    """An object of a kind that matters: a path, an open file, a socket, a response, a client of some service."""

    __slots__ = ("kind", "parts", "value")

    def __init__(self, kind: str, value: Value, parts: tuple[object, ...] = ()) -> None:
        self.kind = kind
        self.value = value
        self.parts = parts


class Bound:
    """A method of an object that is looked up by its name."""

    __slots__ = ("base", "name")

    def __init__(self, base: object, name: str) -> None:
        self.base = base
        self.name = name


class Function:
    """A function or class that the code defines."""

    __slots__ = ("node",)

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef) -> None:
        self.node = node


class Either:
    """One of several values: what branches leave behind."""

    __slots__ = ("choices",)

    def __init__(self, choices: list[object]) -> None:
        self.choices = choices[:MAX_CHOICES]


def either(choices: list[object]) -> object:
    """Return one value for several; alternatives are flattened and told apart by what they are."""
    flat: list[object] = []
    for choice in choices:
        for item in choice.choices if isinstance(choice, Either) else [choice]:
            if not any(
                item is seen or (type(item) is type(seen) and isinstance(item, (str, int, bytes)) and item == seen)
                for seen in flat
            ):
                flat.append(item)
    return flat[0] if len(flat) == 1 else Either(flat)


def text_of(thing: object) -> Value:
    """Return a thing as text, the way `str` would write it; what is not known stays unknown."""
    if isinstance(thing, Value):
        return thing
    if isinstance(thing, str):
        return known(thing)
    if isinstance(thing, (bytes, bytearray)):
        return known(bytes(thing).decode("utf-8", "replace"))
    if thing is None or isinstance(thing, (int, float, bool, complex)):
        return known(str(thing))
    if isinstance(thing, Made):
        return thing.value
    if isinstance(thing, Either):
        return unknown("one of several values", taint_of(thing))
    if isinstance(thing, list):
        return unknown("a list", taint_of(thing))
    if isinstance(thing, dict):
        return unknown("a table", taint_of(thing))
    if isinstance(thing, Ref):
        return unknown(thing.name, taint_of(thing))
    return unknown("a value that the code computes", taint_of(thing))


def texts_of(thing: object) -> list[Value]:
    """Return every text that a thing may be."""
    if isinstance(thing, Either):
        return [value for choice in thing.choices for value in texts_of(choice)]
    return [text_of(thing)]


def taint_of(thing: object) -> frozenset[str]:
    """Return where a thing's content came from."""
    if isinstance(thing, Value):
        return thing.taint
    if isinstance(thing, Made):
        found = thing.value.taint
        for part in thing.parts:
            found |= taint_of(part)
        return found
    if isinstance(thing, (list, tuple)):
        found = NOTHING
        for item in thing:
            found |= taint_of(item)
        return found
    if isinstance(thing, dict):
        found = NOTHING
        for item in thing.values():
            found |= taint_of(item)
        return found
    if isinstance(thing, Either):
        return taint_of(thing.choices)
    if isinstance(thing, Bound):
        return taint_of(thing.base)
    if isinstance(thing, Ref) and thing.name == "os.environ":
        return frozenset(("environment",))
    return NOTHING


def is_constant(thing: object) -> bool:
    """Return whether a thing is a plain constant of Python, or a list of them."""
    if isinstance(thing, list):
        return all(is_constant(item) for item in thing)
    return thing is None or isinstance(thing, (str, bytes, int, float))


def concat(left: object, right: object) -> object:
    """Return two texts or lists one behind the other; what grows beyond all use is no longer followed."""
    for part in (left, right):
        if isinstance(part, (str, bytes, list)) and len(part) > MAX_SIZE:
            return unknown("a long text", taint_of(left) | taint_of(right))
        if isinstance(part, Value) and len(part.parts) > 400:
            return unknown("a long text", taint_of(left) | taint_of(right))
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + right
    if isinstance(left, Either) or isinstance(right, Either):
        lefts = left.choices if isinstance(left, Either) else [left]
        rights = right.choices if isinstance(right, Either) else [right]
        return Either([concat(a, b) for a in lefts for b in rights])
    return joined([text_of(left), text_of(right)])
