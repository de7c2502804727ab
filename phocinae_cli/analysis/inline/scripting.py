"""Perl, Ruby, JavaScript, PHP, Lua and R: calls found by one token reader, their arguments followed as far as known."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import ENVIRONMENT, Deeds, joined
from phocinae_cli.analysis.inline.environs import whole_environment
from phocinae_cli.analysis.inline.pyvalues import Either, Made, Ref, concat, either, taint_of, text_of
from phocinae_cli.analysis.inline.scriptcalls import call
from phocinae_cli.analysis.inline.scripttables import BARE, RUBY
from phocinae_cli.analysis.inline.storecalls import mentions, sweep
from phocinae_cli.analysis.inline.tokenizer import Tokenizer
from phocinae_cli.analysis.inline.tokens import GRAMMARS, Token, Unreadable
from phocinae_cli.analysis.values import NOTHING, Stream, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

MAX_TOKENS = 40000
MAX_DEPTH = 60
SKIPPED = frozenset(
    (
        "new",
        "await",
        "return",
        "my",
        "our",
        "local",
        "const",
        "let",
        "var",
        "async",
        "yield",
        "then",
        "do",
        "begin",
        "not",
        "typeof",
        "delete",
        "void",
        "export",
        "default",
        "static",
        "public",
        "private",
        "else",
        "elsif",
        "elseif",
        "try",
        "BEGIN",
        "END",
        "throw",
    )
)
STOPPING = frozenset(
    ("if", "unless", "and", "or", "while", "until", "for", "foreach", "rescue", "end", "xor", "of", "in", "as")
)
PERL_LIKE = ("perl", "php")


class TooDeep(Exception):
    """Brackets within brackets beyond all use."""


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what the calls in a text of code do, and return what it would print; unreadable text asks."""
    deeds = Deeds(invocation, language, remote)
    if language == "php":
        text = _behind_tag(text)
    try:
        found = Tokenizer(text, GRAMMARS.get(language, GRAMMARS["node"])).read()
        if len(found) > MAX_TOKENS:
            raise TooDeep
        if mentions(text):
            sweep(deeds, found, not invocation.evaluator.collector.reading)
        reader = Reader(deeds, language, found)
        reader.walk()
        if whole_environment(language, text):
            deeds.taken |= ENVIRONMENT
        deeds.settle()
    except (Unreadable, TooDeep, RecursionError, IndexError):
        deeds.unsure(text[:60], "part of the code can't be read")
        return deeds.output(sure=False)
    return deeds.output(reader.sure and language not in ("r",))


def _behind_tag(text: str) -> str:
    """Return the code of a PHP file: what stands inside `<?php ... ?>`, all of it when there is no tag."""
    if "<?" not in text:
        return text
    done: list[str] = []
    for piece in text.split("<?")[1:]:
        done.append(piece.partition("?>")[0].removeprefix("php").removeprefix("="))
    return "\n;".join(done)


class Reader:
    """Walks the tokens in order, keeping what variables hold; blocks are walked as if they ran.

    `connected` says that a connection to another machine was opened; `sure` that all prints were seen, in order.
    """

    def __init__(self, deeds: Deeds, language: str, found: list[Token], names: dict[str, object] | None = None) -> None:
        self.deeds = deeds
        self.language = language
        self.tokens = found
        self.names: dict[str, object] = names if names is not None else {}
        self.joins = GRAMMARS.get(language, GRAMMARS["node"]).joins
        self.connected = False
        self.shell_open = False
        self.looping = any(self._endless(at) for at in range(len(found)))
        self.sure = True
        self.block = 0
        self.depth = 0

    def _endless(self, at: int) -> bool:
        """Whether a loop without an end stands there: `while 1`, `while (true)`, `loop do`."""
        if self.is_name(at, "loop"):
            return True
        if not self.is_name(at, "while"):
            return False
        following = self.tokens[at + 1 + self.is_op(at + 1, "(") :][:1]
        return bool(following) and following[0].text in ("1", "true", "42")

    def walk(self) -> list[object]:
        """Walk every statement; return what the expressions gave."""
        return self._until(0, "")[0]

    def _until(self, at: int, close: str) -> tuple[list[object], int]:
        found: list[object] = []
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == "op" and token.text == close:
                return found, at + 1
            if token.kind == "end" or (token.kind == "op" and token.text in ",;)}]:"):
                at += 1
                continue
            thing, after = self.statement(at)
            found.append(thing)
            at = max(after, at + 1)
        return found, at

    def is_op(self, at: int, *texts: str) -> bool:
        """Return whether an operator stands there."""
        return at < len(self.tokens) and self.tokens[at].kind == "op" and self.tokens[at].text in texts

    def is_name(self, at: int, *texts: str) -> bool:
        """Return whether one of these names stands there."""
        return at < len(self.tokens) and self.tokens[at].kind == "name" and self.tokens[at].text in texts

    # --- statements --------------------------------------------------------------------------------------------

    def statement(self, at: int) -> tuple[object, int]:
        """Walk one statement or expression; return what it gives and the place behind it."""
        self._deeper(1)
        try:
            token = self.tokens[at]
            if token.kind == "name" and token.text == "import" and self.language == "node":
                return self._import(at + 1)
            if token.kind == "name" and token.text in (
                "while",
                "loop",
                "until",
                "if",
                "for",
                "foreach",
                "unless",
                "each",
            ):
                self.sure = False
            start = at
            while self.is_name(start, "const", "let", "var", "my", "our", "local"):
                start += 1
            if self.is_op(start, "{") and start > at:
                found = self._destructured(start)
                if found is not None:
                    return found
            if (
                start < len(self.tokens)
                and self.tokens[start].kind == "name"
                and self.is_op(start + 1, "=", "||=", ".=", "+=")
            ):
                return self._assigned(start)
            if self.is_op(start, "(", "[") and self.language in ("perl", "php", "node") and start > at:
                return self._unpacked(start)
            if token.kind == "name" and token.text in STOPPING:
                return None, at + 1
            return self.expression(at)
        finally:
            self._deeper(-1)

    def _deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > MAX_DEPTH:
            raise TooDeep

    def _assigned(self, at: int) -> tuple[object, int]:
        name = self._plain(self.tokens[at].text)
        op = self.tokens[at + 1].text
        value, after = self.expression(at + 2)
        old = self.names.get(name)
        if op in (".=", "+="):
            value = concat(old if old is not None else "", value)
        elif old is not None and self.block:
            value = either([old, value])
        self.names[name] = value
        return value, after

    def _plain(self, name: str) -> str:
        return name.lstrip("$@%&") if self.language in PERL_LIKE else name

    def _destructured(self, at: int) -> tuple[object, int] | None:
        names: list[tuple[str, str]] = []
        at += 1
        while at < len(self.tokens) and not self.is_op(at, "}"):
            if self.tokens[at].kind == "name":
                original = local = self.tokens[at].text
                if self.is_op(at + 1, ":") and at + 2 < len(self.tokens):
                    local = self.tokens[at + 2].text
                    at += 2
                names.append((original, local))
            elif not self.is_op(at, ","):
                return None
            at += 1
        if not self.is_op(at + 1, "="):
            return None
        value, after = self.expression(at + 2)
        for original, local in names:
            self.names[local] = (
                Ref(f"{value.name}.{original}") if isinstance(value, Ref) else unknown(local, taint_of(value))
            )
        return value, after

    def _unpacked(self, at: int) -> tuple[object, int]:
        """`my ($a, $b) = ...;`: each name gets a part that is not told apart."""
        names: list[str] = []
        at += 1
        while at < len(self.tokens) and not self.is_op(at, ")", "]"):
            if self.tokens[at].kind == "name":
                names.append(self._plain(self.tokens[at].text))
            at += 1
        if not self.is_op(at + 1, "="):
            return None, at + 1
        value, after = self.expression(at + 2)
        for number, name in enumerate(names):
            one = (
                value[number]
                if isinstance(value, list) and number < len(value)
                else unknown(f"variable {name}", taint_of(value))
            )
            self.names[name] = one
        return value, after

    def _import(self, at: int) -> tuple[object, int]:
        names: list[tuple[str, str]] = []
        whole: list[str] = []
        start = at
        braces = False
        while at < len(self.tokens) and self.tokens[at].kind not in ("str", "end") and not self.is_op(at, "("):
            token = self.tokens[at]
            if token.kind == "op" and token.text in "{}":
                braces = token.text == "{"
            elif token.kind == "name" and token.text not in ("from", "as", "type"):
                if braces:
                    names.append((token.text, token.text))
                else:
                    whole.append(token.text)
            elif token.kind == "name" and token.text == "as" and braces and names and at + 1 < len(self.tokens):
                names[-1] = (names[-1][0], self.tokens[at + 1].text)
                at += 1
            at += 1
        if self.is_op(start, "(") and start + 1 < len(self.tokens):
            items, after = self._items(start + 1, ")")
            return self._postfix(call(self, "import", None, items), after)
        if at >= len(self.tokens) or self.tokens[at].kind != "str":
            return self.expression(start)
        module = module_name(self.tokens[at].text)
        for name in whole:
            self.names[name] = Ref(module)
        for original, local in names:
            self.names[local] = Ref(f"{module}.{original}")
        return None, at + 1

    # --- expressions -------------------------------------------------------------------------------------------

    def expression(self, at: int) -> tuple[object, int]:
        """Return what an expression gives and the place behind it."""
        self._deeper(1)
        try:
            left, at = self.primary(at)
            while at < len(self.tokens):
                token = self.tokens[at]
                if token.kind == "op" and token.text in self.joins and self.language != "r":
                    right, at = self.primary(at + 1)
                    left = concat(left, right)
                elif token.kind == "op" and token.text in ("||", "??", "//"):
                    right, at = self.primary(at + 1)
                    left = either([left, right])
                elif token.kind == "op" and token.text == "?":
                    yes, at = self.expression(at + 1)
                    if self.is_op(at, ":"):
                        no, at = self.expression(at + 1)
                        left = either([yes, no])
                elif token.kind == "op" and token.text in (
                    "*",
                    "-",
                    "+",
                    "/",
                    "%",
                    "==",
                    "!=",
                    "===",
                    "!==",
                    "<",
                    ">",
                    "<=",
                    ">=",
                    "=~",
                    "!~",
                    "&&",
                    "&",
                    "|",
                    "^",
                    "<<",
                    ">>",
                    "..",
                    "...",
                    "<=>",
                    "=",
                    "=>",
                    ".",
                ):
                    right, at = self.primary(at + 1) if at + 1 < len(self.tokens) else (None, at + 1)
                    left = (
                        right
                        if token.text in ("=>", "=")
                        else unknown("the result of a calculation", taint_of(left) | taint_of(right))
                    )
                elif token.kind == "name" and token.text == "x" and self.language == "perl":
                    _, at = self.primary(at + 1)
                    left = unknown("a repeated text", taint_of(left))
                else:
                    break
            return left, at
        finally:
            self._deeper(-1)

    def primary(self, at: int) -> tuple[object, int]:
        """Return one operand with what hangs behind it: members, indexes, calls."""
        if at >= len(self.tokens):
            return None, at
        token = self.tokens[at]
        if token.kind == "str":
            return self._postfix(self.filled(token), at + 1)
        if token.kind == "cmd":
            return call(self, "`", None, [self.filled(token)]), at + 1
        if token.kind == "num":
            return known(token.text), at + 1
        if token.kind == "re":
            for part in token.parts:
                if isinstance(part, tuple):
                    self.inner(part[0])
            return self._postfix(unknown("a match"), at + 1)
        if token.kind == "op":
            return self._operator(at, token.text)
        if token.kind == "name":
            return self._named(at)
        return None, at

    def filled(self, token: Token) -> object:
        """Return a string with what is interpolated in it."""
        parts: list[Value] = []
        for part in token.parts or (token.text,):
            parts.append(known(part) if isinstance(part, str) else text_of(self.inner(part[0])))
        return joined(parts or [known("")])

    def inner(self, code: str) -> object:
        """Walk code inside a string; return what it gives."""
        self._deeper(1)
        try:
            code = "$" + code[2:-1] if code.startswith("${") and code.endswith("}") else code
            reader = Reader(self.deeds, self.language, Tokenizer(code, GRAMMARS[self.language]).read(), self.names)
            reader.depth, reader.connected = self.depth, self.connected
            found = reader.walk()
            return found[-1] if found and found[-1] is not None else unknown(f"the value of {code}"[:60])
        finally:
            self._deeper(-1)

    def _operator(self, at: int, text: str) -> tuple[object, int]:
        if text in "([":
            items, after = self._items(at + 1, ")" if text == "(" else "]")
            thing: object = items[0] if text == "(" and len(items) == 1 else items
            return self._postfix(thing, after)
        if text == "{":
            self.block += 1
            items, after = self._until(at + 1, "}")
            self.block -= 1
            return Made("table", unknown("a table", taint_of(items)), tuple(items)), after
        if text == "<" and self.language == "perl":
            return self._angle(at)
        if text in (")", "]", "}", ",", ";", ":"):
            return None, at
        return self.primary(at + 1)

    def _angle(self, at: int) -> tuple[object, int]:
        end = at + 1
        while end < len(self.tokens) and not self.is_op(end, ">") and self.tokens[end].kind != "end":
            end += 1
        inside = "".join(token.text for token in self.tokens[at + 1 : end])
        if "*" in inside or "~" in inside:
            return Value((inside,), True), end + 1
        return unknown("a line that it reads", self.deeds.invocation.stdin.taint), end + 1

    def _items(self, at: int, close: str) -> tuple[list[object], int]:
        """Return the things in brackets, and the place behind the closing one."""
        items: list[object] = []
        while at < len(self.tokens) and not self.is_op(at, close):
            token = self.tokens[at]
            if token.kind == "end" or (token.kind == "op" and token.text in (",", ";", ":", "=>")):
                at += 1
                continue
            value, after = self.expression(at)
            if after == at:
                after = at + 1
            if (
                self.is_op(after, "=>")
                or (self.is_op(after, ":") and self.language in ("node", "ruby", "mongo"))
                or (self.is_op(after, "=") and self.language == "r")
            ):
                at = after + 1
                continue
            items.append(value)
            at = after
        return items, at + 1

    def _named(self, at: int) -> tuple[object, int]:
        token = self.tokens[at]
        name = token.text
        if name in SKIPPED and not self.is_op(at + 1, "=", ":", "=>"):
            return self.primary(at + 1)
        if name in STOPPING:
            return None, at
        if name in ("function", "sub", "def", "fn", "lambda") and self.language != "r":
            at += 1
            if at < len(self.tokens) and self.tokens[at].kind == "name" and not self.is_op(at + 1, "."):
                at += 1
            return None, at
        plain = self._plain(name)
        sigil = name[:1] if name[:1] in "$@%" and self.language in PERL_LIKE else ""
        if sigil and plain in self.names:
            return self._postfix(self.names[plain], at + 1)
        if not sigil and name in self.names:
            return self._postfix(self.names[name], at + 1)
        if sigil:
            return self._postfix(self._special(plain, name), at + 1)
        return self._postfix(Ref(name), at + 1)

    def _special(self, plain: str, name: str) -> object:
        if plain in ("ENV", "_ENV", "_SERVER"):
            return Ref("ENV")
        if plain in ("ARGV", "argv"):
            return Ref("ARGV")
        taint = self.deeds.invocation.stdin.taint if plain in ("_", "") else NOTHING
        return unknown(f"variable {name}", taint)

    # --- what hangs behind an operand --------------------------------------------------------------------------

    def _postfix(self, thing: object, at: int) -> tuple[object, int]:
        while at < len(self.tokens):
            token = self.tokens[at]
            if (
                token.kind == "op"
                and token.text in self._member_ops()
                and at + 1 < len(self.tokens)
                and self.tokens[at + 1].kind == "name"
            ):
                name, at = self._plain(self.tokens[at + 1].text), at + 2
                called = self.language in ("ruby", "perl") and not isinstance(thing, Ref) and not self.is_op(at, "(")
                thing = call(self, name, thing, []) if called else self._member(thing, name)
                if self.language == "ruby" and isinstance(thing, Ref) and RUBY.get(thing.name) == "home":
                    thing = call(self, thing.name, None, [])  # a call that nobody writes brackets for
            elif token.kind == "op" and token.text in ("->", "?.") and self.is_op(at + 1, "[", "{", "("):
                at += 1
            elif token.kind == "op" and token.text == "(" and not (isinstance(thing, Value) and token.spaced):
                items, at = self._items(at + 1, ")")
                thing, at = self._called(thing, items, at)
            elif (
                token.kind == "op"
                and token.text == "["
                and not (
                    token.spaced
                    and self.language == "ruby"
                    and isinstance(thing, Ref)
                    and thing.name in BARE.get("ruby", ())
                )
            ):
                items, at = self._items(at + 1, "]")
                thing = self._index(thing, items)
            elif (
                token.kind == "op"
                and token.text == "{"
                and self.language in PERL_LIKE
                and not token.spaced
                and isinstance(thing, (Ref, Value))
                and (not isinstance(thing, Ref) or thing.name == "ENV")
            ):
                word = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
                _, at = self._until(at + 1, "}")
                thing = self._index(thing, [known(word)])
            elif token.kind in ("str", "cmd") and isinstance(thing, Ref) and self._takes_text(thing):
                thing, at = self._called(thing, [self.filled(token)], at + 1)
            elif isinstance(thing, Ref) and self._takes_bare(thing, at):
                items, at = self._bare_items(at)
                thing, at = self._called(thing, items, at)
            else:
                break
        if (
            isinstance(thing, Ref)
            and thing.name in BARE.get(self.language, ())
            and thing.name in ("unlink", "fork", "eval")
        ):
            thing, at = self._called(thing, [], at)
        return thing, at

    def _takes_text(self, thing: Ref) -> bool:
        """Return whether a text behind a name is its argument: Lua's calls, a shell's template in JavaScript."""
        return self.language == "lua" or (self.language == "node" and thing.name.rpartition(".")[2] == "$")

    def _member_ops(self) -> tuple[str, ...]:
        if self.language in PERL_LIKE:
            return ("->", "::")
        return (
            (".", "?.", "::", ":")
            if self.language == "lua"
            else ("$", "::")
            if self.language == "r"
            else (".", "?.", "::", "&.")
        )

    def _member(self, thing: object, name: str) -> object:
        if isinstance(thing, Ref):
            if thing.name in ("process.env", "ENV"):
                return self._index(thing, [known(name)]) if thing.name == "process.env" else Ref(f"ENV.{name}")
            return Ref(f"{thing.name}.{name}")
        return Made("member", text_of(thing), (thing, name))

    def _takes_bare(self, thing: Ref, at: int) -> bool:
        """Return whether what follows are the arguments of a call without brackets."""
        if thing.name not in BARE.get(self.language, ()) or self.language in ("node", "lua", "r", "python"):
            return False
        token = self.tokens[at]
        if token.kind in ("str", "cmd", "num", "re"):
            return True
        if token.kind == "name":
            return token.text not in STOPPING
        return token.kind == "op" and token.text in ("<", "[", "\\", "{", "*", ":", "-", "%") and token.spaced

    def _bare_items(self, at: int) -> tuple[list[object], int]:
        items: list[object] = []
        while at < len(self.tokens):
            token = self.tokens[at]
            if (
                token.kind == "end"
                or (token.kind == "op" and token.text in ")}];")
                or (token.kind == "name" and token.text in STOPPING)
            ):
                break
            if token.kind == "op" and token.text in (",", "=>", ":"):
                at += 1
                continue
            value, after = self.expression(at)
            items.append(value)
            at = after if after > at else at + 1
        return items, at

    def _index(self, thing: object, items: list[object]) -> object:
        key = text_of(items[0]).exact if items else None
        if isinstance(thing, Ref):
            if thing.name in ("ENV", "process.env"):
                fields = self.deeds.scope.variable(key)[0] if key is not None else ()
                return fields[0] if fields else unknown("a variable of the environment")
            if thing.name in ("ARGV", "process.argv", "arg"):
                return self._argument(thing.name, key)
            if thing.name == "Dir":
                return Value(text_of(items[0]).parts, True) if items else unknown("files")
            if thing.name in ("global", "globalThis", "window", "this", "process.binding") and key is not None:
                return Ref(key)
            return Ref(f"{thing.name}.{key}") if key is not None and not key.isdigit() else unknown("an element")
        if isinstance(thing, list) and key is not None and key.isdigit() and int(key) < len(thing):
            return thing[int(key)]
        return unknown("an element", taint_of(thing))

    def _argument(self, name: str, key: str | None) -> object:
        given = self.deeds.arguments()
        if key is None or not key.isdigit():
            return unknown("an argument")
        number = int(key) - (1 if name in ("process.argv", "arg") or self.language == "php" else 0)
        return given[number] if 0 <= number < len(given) else unknown("an argument that is missing")

    def _called(self, thing: object, items: list[object], at: int) -> tuple[object, int]:
        if isinstance(thing, Either):
            return either([self._called(choice, items, at)[0] for choice in thing.choices]), at
        if isinstance(thing, Ref):
            return call(self, thing.name, None, items), at
        if isinstance(thing, Value) and self.language == "php" and (thing.exact or "").isidentifier():
            return call(self, thing.text, None, items), at
        if isinstance(thing, Made) and thing.kind == "member":
            return call(self, str(thing.parts[1]), thing.parts[0], items), at
        return unknown("the result of a call", taint_of(items) | taint_of(thing)), at


def module_name(text: str) -> str:
    """Return the dotted name of a module of JavaScript (`node:fs/promises` is `fs.promises`)."""
    return text.removeprefix("node:").replace("/", ".") if not text.startswith((".", "/")) else text
