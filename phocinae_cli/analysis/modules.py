"""Read the modules of configuration tools as the commands they stand for, by the lines of `kb/modules`."""

from __future__ import annotations

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.collect import is_path_kind
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Unknown, Value, known
from phocinae_cli.kb.schema import glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.scope import Scope

Given = dict[str, list[Value]]
"""What a module is given: each key with its values; `_` is the free text, `1`, `2` operands by their place."""
TEXT_KEYS = ("content", "line", "block", "key")
"""Keys that hold the text of a file."""
_lines: dict[str, list[Line]] = {}


class Line:
    """One line of a table: which modules it speaks of, its conditions, and the words it stands for."""

    __slots__ = ("conditions", "names", "words")

    def __init__(self, text: str) -> None:
        head, _, tail = text.partition(" -> ")
        names, *conditions = head.split()
        self.names = names.split("|")
        self.conditions = [_condition(token) for token in conditions]
        self.words = tail.split()

    def holds(self, name: str, given: Given) -> bool:
        """Return whether the line speaks of this use of the module."""
        if not any(glob_match(glob, name) for glob in self.names):
            return False
        for absent, keys, globs in self.conditions:
            values = [value for key in keys for value in given.get(key, ())]
            met = any(glob_match(glob, value.text) for value in values for glob in globs) if globs else bool(values)
            if met == absent:
                return False
        return True


def _condition(token: str) -> tuple[bool, list[str], list[str]]:
    keys, equals, globs = token.removeprefix("!").partition("=")
    return token.startswith("!"), keys.split("|"), globs.split("|") if equals else []


def lines_of(table: str) -> list[Line]:
    """Return the lines of a table; it is read once."""
    found = _lines.get(table)
    if found is None:
        joined = table.strip().replace("\n  ", "")
        found = _lines[table] = [Line(text) for text in joined.split("\n")]
    return found


def judge(invocation: Invocation, table: str, name: str, given: Given, scope: Scope, remote: bool = True) -> Stream:
    """Judge one use of a module by every line that holds, and return what it would print."""
    out = EMPTY
    for line in lines_of(table):
        if line.holds(name, given):
            out = out.joined(_carry_out(invocation, line.words, given, scope, remote))
    return out


def _carry_out(invocation: Invocation, words: list[str], given: Given, scope: Scope, remote: bool) -> Stream:
    head = words[0]
    if head.startswith("!"):
        _effect(invocation, head[1:], words[1:], given, scope)
        return EMPTY
    argv: list[Value] = []
    for word in words:
        values = _filled(word, given)
        if values is None:
            return EMPTY
        argv.extend(values)
    if head in ("sh", "powershell"):
        text = runs.spaced(argv[1:])
        return runs.code_of_value(invocation, head, text, remote, ())
    context = invocation.context.inside(invocation.name)
    if context.span is None:
        context.span = (invocation.action.start, invocation.action.end)
    context.remote = context.remote or remote
    from phocinae_cli.analysis.commands import run_command

    return run_command(invocation.evaluator, tuple(argv), scope, context, EMPTY)


def _effect(invocation: Invocation, kind: str, words: list[str], given: Given, scope: Scope) -> None:
    collector = invocation.evaluator.collector
    code, why = "module." + kind, "the module does that to each host it is run on"
    if words[:1] == ["="]:
        collector.effect(kind, " ".join(words[1:]), invocation.action, code, why)
        return
    values = (_filled(words[0], given) if words else None) or []
    if kind == "send":
        collector.effect(kind, " ".join(value.text for value in values), invocation.action, code, why, place="file")
    elif not is_path_kind(kind):
        named = " ".join(value.text for value in values) or invocation.name
        collector.effect(kind, named, invocation.action, code, why)
    else:
        for value in values:
            collector.path_effect(kind, value, scope, invocation.action, code=code, why=why)
            _planted(invocation, value, given, scope)


def _planted(invocation: Invocation, place: Value, given: Given, scope: Scope) -> None:
    """Judge the text of a file that will run by itself, or that is a setting of the system."""
    path = scope.resolve(place.text) if place.known else None
    texts = [value for key in TEXT_KEYS for value in given.get(key, ()) if value.known]
    if path is not None and texts:
        stream = Stream(texts[0].text + "\n", texts[0].taint)
        invocation.evaluator.collector.planted(path, stream, scope, invocation.action)


def _filled(word: str, given: Given) -> list[Value] | None:
    """Return the words that one word of a line stands for, or None if what it names is not given."""
    if "{" not in word:
        return [known(word)]
    if word.startswith("{") and word.endswith("}") and word.count("{") == 1:
        return _named(word[1:-1], given)
    parts: list[str | Unknown] = []
    taint = NOTHING
    for number, piece in enumerate(word.replace("}", "{").split("{")):
        if number % 2 == 0:
            parts.append(piece)
            continue
        values = _named(piece, given)
        if not values:
            return None
        parts.extend(values[0].parts)
        taint |= values[0].taint
    return [Value(tuple(parts), False, taint)]


def _named(keys: str, given: Given) -> list[Value] | None:
    for key in keys.split("|"):
        if given.get(key):
            return given[key]
    return None


def read_words(value: Value, variables: dict[str, Value] | None = None) -> list[Value]:
    """Return the words of a text as a module reads them: blanks part them, quotes hold them together.

    `{{ name }}` is what the variable of that name is set to, else unknown.
    """
    words: list[Value] = []
    parts: list[str | Unknown] = []
    quote, started = "", False
    for part in templated(value, variables or {}).parts:
        if not isinstance(part, str):
            parts.append(part)
            started = True
            continue
        text = ""
        for char in part:
            if quote:
                if char == quote:
                    quote = ""
                else:
                    text += char
            elif char in "'\"" and (not text or text.endswith("=")):
                quote, started = char, True
            elif char.isspace():
                if text or started:
                    words.append(Value((*parts, text) if text else tuple(parts) or ("",), False, value.taint))
                parts, text, started = [], "", False
            else:
                text += char
                started = True
        if text:
            parts.append(text)
    if parts or started:
        words.append(Value(tuple(parts) or ("",), False, value.taint))
    return [merged(word) for word in words]


def merged(value: Value) -> Value:
    """Return the value with neighbouring texts as one."""
    parts: list[str | Unknown] = []
    for part in value.parts:
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    return Value(tuple(parts), value.globs, value.taint)


def templated(value: Value, variables: dict[str, Value]) -> Value:
    """Return a text with `{{ name }}` replaced by what is known of the variable."""
    if not any(isinstance(part, str) and "{{" in part for part in value.parts):
        return value
    parts: list[str | Unknown] = []
    for part in value.parts:
        if not isinstance(part, str):
            parts.append(part)
            continue
        first, *holes = part.split("{{")
        parts.append(first)
        for hole in holes:
            name, _, rest = hole.partition("}}")
            found = variables.get(name.strip())
            parts.extend(found.parts if found is not None else (Unknown(f"the variable {name.strip()}", False),))
            parts.append(rest)
    return merged(Value(tuple(part for part in parts if part != ""), False, value.taint))


def given_by(words: list[Value], free: bool = False) -> Given:
    """Return what words give a module: `key=value` by its key, others by their place; `free` text also as a whole."""
    given: Given = {}
    plain: list[Value] = []
    for word in words:
        name, equals, _ = word.head().partition("=")
        if equals and name.replace("_", "").isalnum() and not (free and plain):
            given.setdefault(name, []).extend(listed(word.cut(len(name) + 1)))
        else:
            plain.append(word)
            given[str(len(plain))] = [word]
    if plain:
        given["_"] = plain
    return given


def listed(value: Value) -> list[Value]:
    """Return the items of a value: `a,b` and `[a, b]` are lists."""
    text = value.exact
    if text is None:
        return [value]
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if "," not in inner or "://" in inner or (inner is text and " " in inner):
        return [known(inner.strip("'\" "))] if inner is not text else [value]
    return [known(item.strip().strip("'\"")) for item in inner.split(",") if item.strip()]
