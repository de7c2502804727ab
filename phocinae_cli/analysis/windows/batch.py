"""Walk cmd text as cmd would run it: variables, loops, blocks, pipes, redirections, and the names of its builtins."""

from __future__ import annotations

from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.syntax import Fault
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, TooMuch, Unknown, Value, known
from phocinae_cli.analysis.windows import cmdlets, code, leaving, loops
from phocinae_cli.analysis.windows.batch_syntax import Block, CmdFault, Command, For, If, Joined, read, split_words
from phocinae_cli.analysis.windows.invocation import path_effect
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import NONE, Thing, from_stream, join, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.windows.batch_syntax import Item
    from phocinae_cli.analysis.windows.pwsh import Walker
    from phocinae_cli.analysis.windows.scope import WindowsScope

MAX_TURNS = 8
"""Numbers are as good as each other, so a few of a range stand for all."""
MAX_MEMBERS = 200
MAX_COMMANDS = 5000
SWITCHY = frozenset(
    (
        "cd", "chdir", "md", "mkdir", "rd", "rmdir", "del", "erase", "dir", "type", "copy", "move", "ren", "rename",
        "echo", "set", "start", "call", "pushd", "popd", "cls", "exit", "title", "if", "ver", "vol", "rem", "color",
        "mklink", "assoc", "ftype",
    )
)  # fmt: skip


def run_text(walker: Walker, text: str, scope: WindowsScope, context: Context, stdin: Stream = EMPTY) -> Thing:
    """Read and walk a cmd text; what cmd would not take is a fault, or inside another command an unsure effect."""
    context.text = text
    try:
        items = read(text)
    except CmdFault as fault:
        walker.collector.fault(Fault("cmd-syntax", f"it can't be read as cmd: {fault}", 0), context)
        return unsure("the output of cmd")
    session = Session(walker, scope, text, context)
    if loops.cycles(text):
        walker.collector.fork_bomb("a loop without end", context)
    out = NONE
    for item in items:
        found = session.item(item, context, stdin)
        out = found if out is NONE else out.also(found)
    return out


class Marks:
    """Stands for unknown parts inside a text: a character that the text does not have, and a number."""

    __slots__ = ("mark", "parts")

    def __init__(self, text: str) -> None:
        self.mark = next(chr(code) for code in range(0xE000, 0xE0FF) if chr(code) not in text)
        self.parts: list[Value] = []

    def put(self, value: Value) -> str:
        """Return the text that stands for a value."""
        if value.exact is not None and not value.taint and self.mark not in value.exact:
            return value.exact
        self.parts.append(value)
        return self.mark + chr(0x4E00 + len(self.parts) - 1)

    def value(self, text: str) -> Value:
        """Return the word that a text with marks stands for."""
        if self.mark not in text:
            return Value((text,), "*" in text or "?" in text)
        pieces = text.split(self.mark)
        parts: list[str | Unknown] = [pieces[0]]
        taint = NOTHING
        for piece in pieces[1:]:
            found = self.parts[ord(piece[0]) - 0x4E00]
            parts.extend(found.parts)
            taint |= found.taint
            parts.append(piece[1:])
        value = join(parts, taint)
        return Value(value.parts, "*" in text or "?" in text, taint)


class Session:
    """One cmd session: walks items, and expands variables when a command's turn comes."""

    def __init__(self, walker: Walker, scope: WindowsScope, text: str, context: Context) -> None:
        self.walker = walker
        self.scope = scope
        self.marks = Marks(text)
        self.text = text
        self.context = context

    def item(self, item: Item, context: Context, stdin: Stream) -> Thing:
        """Walk one item and return what it prints."""
        if isinstance(item, Command):
            return self.command(item, context, stdin)
        if isinstance(item, Joined):
            return self._joined(item, context, stdin)
        if isinstance(item, Block):
            out = NONE
            for part in item.body:
                found = self.item(part, context, stdin)
                out = found if out is NONE else out.also(found)
            return NONE if self._redirected(item.redirects, out, context) else out
        if isinstance(item, If):
            out = self.item(item.body, context, stdin)
            return out.also(self.item(item.otherwise, context, stdin)) if item.otherwise is not None else out
        return self._for(item, context)

    def _joined(self, item: Joined, context: Context, stdin: Stream) -> Thing:
        if item.operator == "|":
            out = NONE
            for number, part in enumerate(item.parts):
                out = self.item(part, context, stdin if number == 0 else _flow(out))
            return out
        out = NONE
        for part in item.parts:
            out = out.also(self.item(part, context, stdin))
        return out

    # --- loops ---------------------------------------------------------------------------------------------

    def _for(self, item: For, context: Context) -> Thing:
        name = "%" + item.variable.lower()
        if item.switch == "l" and loops.is_long(item.members) and loops.body_starts(item.body):
            self.walker.collector.fork_bomb("a loop without end", context)
        out = NONE
        members = self._members(item, context)
        if len(members) > MAX_MEMBERS:
            raise TooMuch  # what is left out could be the one that matters
        for value in members:
            self.scope.things[name] = Thing((value,))
            out = out.also(self.item(item.body, context, EMPTY))
        return out

    def _members(self, item: For, context: Context) -> list[Value]:
        if item.switch == "l":
            ends = item.members.replace(" ", "").split(",")
            if len(ends) == 3 and all(end.lstrip("-").isdigit() for end in ends) and int(ends[1]):
                first, step, last = (int(end) for end in ends)
                return [known(str(number)) for number in range(first, last + (1 if step > 0 else -1), step)[:MAX_TURNS]]
            return list(unsure("a number", name_only=True).values)
        members = self.expand(item.members.strip())
        if item.switch == "f":
            quote = members[:1]
            if quote in ("'", "`") and members.endswith(quote):
                return self._lines(members[1:-1], context)
            if quote == '"':
                return [self.marks.value(members.strip('"'))]
            values = [self.marks.value(word.strip('"')) for word in members.split()]
            taint = NOTHING
            for value in values:
                taint |= self.walker.collector.content(located(value, self.scope.home), self.scope).taint
            return list(unsure("a line of a file", taint).values)
        values = [self.marks.value(word.strip('"')) for word in members.replace(",", " ").replace(";", " ").split()]
        if item.switch == "r":
            base = self.marks.value(self.expand(item.options)) if item.options else known(".")
            values = [join([*base.parts, "\\", *value.parts], value.taint) for value in values]
        return values

    def _lines(self, text: str, context: Context) -> list[Value]:
        inner = context.inside("for /f")
        inner.span = context.spot(0, len(context.text))
        out = run_text(self.walker, text, self.scope, inner)
        if not out.values:
            return list(unsure("the output of a command").values)
        return list(out.values)

    # --- commands ------------------------------------------------------------------------------------------

    def command(self, command: Command, context: Context, stdin: Stream) -> Thing:
        """Judge one command, once its variables are expanded; what comes out of them may be several commands."""
        self.walker.commands += 1
        if self.walker.commands > MAX_COMMANDS:
            raise TooMuch
        if not command.words:
            return NONE
        if context.span is None:
            spot = context.inside(span=(command.start, max(command.end, command.start)))
            spot.depth = context.depth
        else:
            spot = context
        name = command.words[0].text
        if _echoes(name):
            printed = self.expand(command.tail.strip(" "))
            if not any(char in printed and char not in command.tail for char in "&|<>"):
                out = Thing((self.marks.value(printed),))
                return NONE if self._redirected(command.redirects, out, spot) else out
        raw = name + command.tail
        if name.lower() not in ("rem", "set") and ("%" in raw or "!" in raw):
            # `!X!` is for the cmd that is started, which may have other values by then.
            expanded = self.expand(raw, "!" if name.lower().removesuffix(".exe") == "cmd" else "")
            if expanded != raw:
                return self._again(expanded, command, spot, stdin)
        out = self._run(self._words(command), command, spot, stdin)
        return NONE if self._redirected(command.redirects, out, spot) else out

    def _words(self, command: Command) -> list[Value]:
        """Return the words as a builtin takes them, or as a program finds them in its command line."""
        name = command.words[0].text.replace('"', "")
        if name.lower() in SWITCHY or _split_name(name, [])[0] != name:
            return [self.marks.value(word.text.replace('"', "")) for word in command.words]
        return [self.marks.value(name), *(self.marks.value(word) for word in split_words(command.tail))]

    def _again(self, text: str, command: Command, context: Context, stdin: Stream) -> Thing:
        try:
            items = read(text)
        except CmdFault:
            items = []
        out = NONE
        for item in items:
            for part in item.parts if isinstance(item, Joined) else [item]:
                if isinstance(part, Command):
                    words = self._words(part)
                    part.redirects = [] if len(items) == 1 else part.redirects
                    if words and words[0].text:
                        out = out.also(self._run(words, part, context, stdin))
        return NONE if self._redirected(command.redirects, out, context) else out

    def _run(self, words: list[Value], command: Command, context: Context, stdin: Stream) -> Thing:
        first = words[0]
        name = first.exact
        if name is not None and not _path_like(name):
            name, words = _split_name(name, words)
            low = name.lower()
            if low in ("rem", "goto", "setlocal", "endlocal", "exit", "shift", "popd", "") or low.startswith(
                ("::", "rem.")
            ):
                return NONE
            if low == "set":
                return self._set(command, context)
            if low in ("call",) and len(words) > 1:
                return NONE if (words[1].exact or "").startswith(":") else self._run(words[1:], command, context, stdin)
        if first.exact is not None and first.exact.strip('"') in ("%0", "~f0"):
            self.walker.collector.fork_bomb("%0", context)
            return NONE
        return cmdlets.run_words(self.walker, words, self.scope, context, from_stream(stdin), stdin)

    def _set(self, command: Command, context: Context) -> Thing:
        rest = command.tail.strip()
        if not rest or rest.lower().startswith(("/a", "/?")):
            if not rest:
                return unsure("the environment", frozenset(("environment",)))
            name, equals, _ = rest[2:].strip().strip('"').partition("=")
            if equals:
                self.scope.things["env:" + name.strip().lower()] = unsure("a number", name_only=True)
            return NONE
        asked = rest.lower().startswith("/p")
        rest = rest[2:].strip() if asked else rest
        if rest.startswith('"') and rest.endswith('"') and len(rest) > 1:
            rest = rest[1:-1]
        name, equals, content = rest.partition("=")
        if not equals:
            return unsure("part of the environment", NOTHING)
        value = self.marks.value(self.expand(content)) if not asked else unsure("what is typed in").values[0]
        self.scope.things["env:" + name.strip().lower()] = Thing((Value(value.parts, False, value.taint),))
        return NONE

    def _redirected(self, redirects: list[tuple[str, str]], out: Thing, context: Context) -> bool:
        """Judge where output goes; return whether it goes to a file."""
        away = False
        for operator, target in redirects:
            if operator == "<":
                continue
            value = located(self.marks.value(self.expand(target.replace('"', ""))), self.scope.home)
            if (value.exact or "").lower() in ("nul", "nul:", "con"):
                away = away or not operator.startswith("2")
                continue
            kind = "append" if operator.endswith(">>") else "overwrite"
            action = self.walker.collector.action((), self.scope, context, "")
            why = (
                "the redirection adds to it"
                if kind == "append"
                else "the redirection empties it before anything is written"
            )
            path_effect(self.walker, kind, value, self.scope, action, code="redirect." + kind, why=why)
            leaving.judge_redirected(self.walker, value, out.taint, self.scope, action)
            path = self.scope.resolve(value.exact) if value.exact is not None else None
            if path is not None and not operator.startswith("2"):
                old = self.scope.files.get(path) if kind == "append" else None
                self.scope.files[path] = old.joined(_flow(out)) if old is not None else _flow(out)
                code.planted(self.walker, path, self.scope.files[path], self.scope, action, context)
                away = True
        return away

    # --- variables -----------------------------------------------------------------------------------------

    def expand(self, text: str, kept: str = "") -> str:
        """Return a text with its variables expanded; a mark stands for what is not known."""
        if "%" not in text and "!" not in text and "${phocinae_part_" not in text:
            return text
        out, at = "", 0
        while at < len(text):
            char = text[at]
            if text.startswith("${phocinae_part_", at) and "}" in text[at:]:
                end = text.index("}", at)
                found = self.scope.things.get(text[at + 2 : end])
                out += self.marks.put(found.one()) if found is not None else ""
                at = end + 1
            elif char == "%" or (char == "!" and char != kept and "!" in text[at + 1 :]):
                piece, at = self._variable(text, at, char)
                out += piece
            else:
                out += char
                at += 1
        return out

    def _variable(self, text: str, at: int, mark: str) -> tuple[str, int]:
        rest = text[at + 1 :]
        if mark == "%":
            doubled = rest.startswith("%")
            inner = rest[1:] if doubled else rest
            loop = self._loop_variable(inner)
            if loop is not None:
                return loop[0], at + 1 + (1 if doubled else 0) + loop[1]
            if inner[:1].isdigit() or inner[:1] == "*":
                if inner[:1] == "0":
                    return "%0", at + 2
                return self.marks.put(unsure(f"argument {inner[0]}").values[0]), at + 2 + (1 if doubled else 0)
            if inner.startswith("~"):
                size = 1
                while size < len(inner) and inner[size].isalpha():
                    size += 1
                digit = inner[size : size + 1]
                if digit == "0":
                    drive = "C:" if inner[1:size].lower() == "d" else "%0"
                return ".\\" if "p" in inner[:size] else drive, at + 2 + size
                return self.marks.put(unsure("an argument").values[0]), at + 2 + size
            if doubled:
                return "%", at + 2
        end = text.find(mark, at + 1)
        name = text[at + 1 : end] if end > 0 else ""
        if (
            not name
            or "\n" in name
            or (" " in name.partition(":")[0] and name.partition(":")[0].lower() not in self.scope.things)
        ):
            return mark, at + 1
        return self.marks.put(self._valued(name)), end + 1

    def _loop_variable(self, inner: str) -> tuple[str, int] | None:
        size = 0
        if inner[:1] == "~":
            size = 1
            while size < len(inner) and inner[size].lower() in "fdpnxsatz" and size < 8:
                size += 1
            # the last letter is the variable's own name: `%~nxf` is the name of %f
            while size > 1 and "%" + inner[size : size + 1].lower() not in self.scope.things:
                size -= 1
        name = "%" + inner[size : size + 1].lower()
        found = self.scope.things.get(name) if len(name) > 1 else None
        return (self.marks.put(found.one()), size + 1) if found is not None else None

    def _valued(self, name: str) -> Value:
        base, colon, change = name.partition(":")
        value = self.scope.environment(base).one()
        if not colon:
            return value
        text = value.exact
        if text is None:
            return Value((Unknown(value.unknown_why() or base),), False, value.taint)
        if change.startswith("~"):
            start, comma, size = change[1:].partition(",")
            try:
                first = int(start or "0")
                cut = text[first:]
                return known((cut[: int(size)] if comma else cut), value.taint)
            except ValueError:
                return unsure(f"parameter {base}").values[0]
        old, _, new = change.partition("=")
        low = text.lower().replace(old.lower(), "\0") if old else text
        return known(new.join(_split(text, old)) if old and "\0" in low else text, value.taint)


def _split(text: str, old: str) -> list[str]:
    parts, at, low, wanted = [], 0, text.lower(), old.lower()
    while True:
        found = low.find(wanted, at)
        if found < 0:
            parts.append(text[at:])
            return parts
        parts.append(text[at:found])
        at = found + len(wanted)


def _flow(thing: Thing) -> Stream:
    if not thing.values:
        return Stream("", why="the output of a command")
    if len(thing.values) == 1 and not thing.values[0].known:
        return HereText(thing.values, True)
    return thing.stream()


def _echoes(name: str) -> bool:
    low = name.lower()
    return low == "echo" or (low.startswith("echo") and len(low) > 4 and low[4] in ".:+/\\,;[(")


def _path_like(name: str) -> bool:
    return "\\" in name and not name.lower().startswith(("cd\\", "cd..", "dir\\", "cd/"))


def _split_name(name: str, words: list[Value]) -> tuple[str, list[Value]]:
    """Part a builtin's name from what is glued to it: `cd..`, `dir/s`, `del/q`."""
    low = name.lower()
    for size, char in enumerate(low):
        if char in "/.\\" and low[:size] in SWITCHY:
            return low[:size], [known(low[:size]), known(name[size:]), *words[1:]]
    return name, words
