"""awk programs: what they pipe to, run, read and write; everything else is text work."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import ENVIRONMENT, NETWORK, Deeds, joined, strongest
from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.values import NOTHING, Stream, Unknown, Value, known

Token = tuple[str, str]
OPERAND = ("str", "name", "num")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "/": "/", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def walk(deeds: Deeds, text: str) -> None:
    """Record what an awk program does beside printing."""
    Awk(deeds, tokens(text)).walk()


def tokens(text: str) -> list[Token]:
    """Return the tokens of an awk program: `str`, `re`, `num`, `name`, `op` and `end` (of a statement)."""
    found: list[Token] = []
    at, size = 0, len(text)
    while at < size:
        char = text[at]
        if char == "#":
            at = text.find("\n", at)
            at = size if at < 0 else at
        elif char == "\\" and text[at + 1 : at + 2] == "\n":
            at += 2
        elif char in "\n;":
            found.append(("end", char))
            at += 1
        elif char.isspace():
            at += 1
        elif char == '"':
            value, at = _string(text, at + 1)
            found.append(("str", value))
        elif char == "/" and not _after_operand(found):
            at = _regex(text, at + 1)
            found.append(("re", ""))
        elif char.isalpha() or char == "_" or char == "@":
            end = at + 1
            while end < size and (text[end].isalnum() or text[end] == "_"):
                end += 1
            found.append(("name", text[at:end]))
            at = end
        elif char.isdigit():
            end = at + 1
            while end < size and (text[end].isalnum() or text[end] == "."):
                end += 1
            found.append(("num", text[at:end]))
            at = end
        else:
            op = text[at : at + 2]
            op = op if op in (">>", "|&", "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "!~") else char
            found.append(("op", op))
            at += len(op)
    return found


def _after_operand(found: list[Token]) -> bool:
    if not found:
        return False
    kind, text = found[-1]
    return (kind in OPERAND and text not in ("print", "return", "in", "case")) or (
        kind == "op" and text in (")", "]", "$", "++", "--")
    )


def _string(text: str, at: int) -> tuple[str, int]:
    done = ""
    while at < len(text) and text[at] != '"':
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            octal = text[at : at + 3]
            if len(octal) == 3 and all(char in "01234567" for char in octal):
                done += chr(int(octal, 8))
                at += 2
            elif text[at] == "x" and text[at + 1 : at + 3].isalnum() and _is_hex(text[at + 1 : at + 3]):
                done += chr(int(text[at + 1 : at + 3], 16))
                at += 2
            else:
                done += ESCAPES.get(text[at], "\\" + text[at])
        else:
            done += text[at]
        at += 1
    return done, at + 1


def _is_hex(text: str) -> bool:
    return bool(text) and all(char in "0123456789abcdefABCDEF" for char in text)


def _regex(text: str, at: int) -> int:
    bracket = False
    while at < len(text) and (text[at] != "/" or bracket) and text[at] != "\n":
        if text[at] == "\\":
            at += 1
        elif text[at] == "[" and not bracket:
            bracket = True
            at += 1 if text[at + 1 : at + 2] == "]" else 2 if text[at + 1 : at + 3] == "^]" else 0
        elif text[at] == "]":
            bracket = False
        at += 1
    return at + 1


class Awk:
    """Walks the tokens; variables that hold one text are followed."""

    def __init__(self, deeds: Deeds, found: list[Token]) -> None:
        self.deeds = deeds
        self.tokens = found
        self.variables: dict[str, list[Value]] = {}
        for value in deeds.invocation.arguments.values("-v", "--assign"):
            name, equals, _ = value.head().partition("=")
            if equals:
                self.variables[name] = [value.cut(len(name) + 1)]
        speaks = any(kind == "str" and text.startswith("/inet") for kind, text in found)
        self.taint = NETWORK if speaks else NOTHING

    def walk(self) -> None:
        """Record every call, pipe and redirection."""
        found = self.tokens
        for at, (kind, text) in enumerate(found):
            if kind == "name" and self._op(at + 1, "="):
                value = self._value(found[at + 2 : self._statement_end(at + 2)])
                self.variables.setdefault(text, []).append(value)
        at = 0
        while at < len(found):
            kind, text = found[at]
            if kind == "name" and text == "system" and self._op(at + 1, "("):
                end = self._close(at + 1)
                self.deeds.shell(self._value(found[at + 2 : end]))
            elif kind == "name" and text in ("print", "printf"):
                self._print(at + 1, self._statement_end(at + 1))
            elif kind == "name" and text == "getline":
                self._getline(at)
            elif kind == "name" and text in ("@include", "@load") and at + 1 < len(found):
                self.deeds.script("awk", known(found[at + 1][1]))
            elif kind == "name" and text == "ENVIRON" and self._whole_environment(at):
                self.deeds.printed = Stream(None, ENVIRONMENT, "the environment")
                self.deeds.taken |= ENVIRONMENT
            at += 1

    def _whole_environment(self, at: int) -> bool:
        """Whether a loop runs over all of the environment."""
        return at > 0 and self.tokens[at - 1] == ("name", "in")

    def _op(self, at: int, text: str) -> bool:
        return at < len(self.tokens) and self.tokens[at] == ("op", text)

    def _close(self, at: int) -> int:
        """Return the index of the bracket that closes the one here."""
        depth = 0
        while at < len(self.tokens):
            kind, text = self.tokens[at]
            if kind == "op" and text in "([{":
                depth += 1
            elif kind == "op" and text in ")]}":
                depth -= 1
                if depth == 0:
                    return at
            at += 1
        return at

    def _statement_end(self, at: int) -> int:
        depth = 0
        while at < len(self.tokens):
            kind, text = self.tokens[at]
            if kind == "end" and depth <= 0:
                return at
            if kind == "op" and text in "([":
                depth += 1
            elif kind == "op" and text in ")]":
                depth -= 1
                if depth < 0:
                    return at
            elif kind == "op" and text in "{}":
                return at
            at += 1
        return at

    def _print(self, start: int, end: int) -> None:
        at = start
        while at < end:
            kind, text = self.tokens[at]
            if kind == "op" and text in "([":
                at = self._close(at)
            elif kind == "op" and text in (">", ">>", "|", "|&"):
                break
            at += 1
        content = self.tokens[start:at]
        if at >= end:
            return
        op, target = self.tokens[at][1], self._value(self.tokens[at + 1 : end], name_only=self.tokens[at][1][0] == ">")
        printed = self._value([token for token in content if token != ("op", ",")])
        printed = Value(printed.parts, False, printed.taint | self.deeds.invocation.stdin.taint)
        if op in (">", ">>"):
            self._to_file(target, printed)
        elif target.head().startswith("/inet"):
            self.deeds.send(known(target.head().rpartition("/")[0].rpartition("/")[2]), [printed])
        else:
            stdin = Stream(printed.text + "\n", printed.taint) if printed.known else HereText((printed,), True)
            self.deeds.shell(target, stdin)

    def _to_file(self, target: Value, printed: Value) -> None:
        if target.head().startswith("/inet"):
            self.deeds.send(known(target.head()), [printed])
            return
        if not target.known:
            self.deeds.path("create", target, False, "print", "it writes a file named by what it reads")
            return
        text = printed.text + "\n" if printed.known else None
        self.deeds.write(target, content=Stream(text, printed.taint, "what awk prints"), what="print")

    def _getline(self, at: int) -> None:
        found = self.tokens
        if at and found[at - 1][0] == "op" and found[at - 1][1] in ("|", "|&"):
            start = at - 1
            depth = 0
            while start > 0:
                kind, text = found[start - 1]
                if kind == "op" and text in ")]":
                    depth += 1
                elif kind == "op" and text in "([":
                    depth -= 1
                if depth < 0 or (
                    depth == 0
                    and (kind == "end" or (kind == "op" and text in "{}!=") or text in ("while", "if", "print"))
                ):
                    break
                start -= 1
            command = self._value(found[start : at - 1])
            if not command.head().startswith("/inet"):
                self.deeds.shell(command)
            return
        behind = at + 1
        while behind < len(found) and (
            found[behind][0] == "name" or (found[behind][0] == "op" and found[behind][1] in "$[]")
        ):
            behind += 1
        if self._op(behind, "<"):
            self.deeds.read(self._value(found[behind + 1 : behind + 2]))

    def _value(self, found: list[Token], name_only: bool = False) -> Value:
        """Return what a concatenation gives; fields and results of calls are unknown."""
        parts: list[Value] = []
        at = 0
        while at < len(found):
            kind, text = found[at]
            if kind in ("str", "num"):
                parts.append(known(text))
            elif kind == "op" and text == "(":
                depth, end = 1, at + 1
                while end < len(found) and depth:
                    depth += {"(": 1, ")": -1}.get(found[end][1], 0) if found[end][0] == "op" else 0
                    end += 1
                parts.append(self._value(found[at + 1 : end - 1], name_only))
                at = end - 1
            elif kind == "op" and text == "$":
                parts.append(self._field("a field of what it reads", name_only))
                at += 1
                if at < len(found) and found[at] == ("op", "("):
                    at = self._skip(found, at)
            elif kind == "name":
                at = self._name(found, at, parts, name_only)
            elif kind == "op" and text in (
                "?",
                ":",
                "<",
                ">",
                "~",
                "!~",
                "+",
                "-",
                "*",
                "%",
                "&&",
                "||",
                "==",
                "!=",
                ",",
            ):
                return Value(
                    (Unknown("the result of a calculation", True, name_only),), False, strongest(parts) | self.taint
                )
            at += 1
        return joined(parts)

    def _name(self, found: list[Token], at: int, parts: list[Value], name_only: bool) -> int:
        text = found[at][1]
        if text == "ENVIRON" and at + 2 < len(found) and found[at + 2][0] == "str":
            parts.extend(self.deeds.scope.variable(found[at + 2][1])[0][:1])
            return at + 3
        if at + 1 < len(found) and found[at + 1][0] == "op" and found[at + 1][1] in "([":
            end = self._skip(found, at + 1)
            inner = found[at + 2 : end]
            if text == "sprintf" and inner and inner[0][0] == "str":
                parts.append(self._formatted(inner, name_only))
            else:
                parts.append(self._field(f"the result of {text}", name_only))
            return end
        values = self.variables.get(text)
        if values is not None and len(values) == 1:
            parts.append(values[0])
        elif text not in ("SUBSEP",):
            parts.append(self._field(f"variable {text}", name_only or text in ("NR", "FNR", "NF")))
        return at

    def _formatted(self, inner: list[Token], name_only: bool) -> Value:
        """`sprintf`: what is known is filled in, up to the first part that is not."""
        given = [self._value([token], name_only) for token in inner[1:] if token != ("op", ",")]
        done: list[Value] = []
        head, *rest = inner[0][1].split("%")
        for number, piece in enumerate(rest):
            value = given[number] if number < len(given) else known("")
            if not piece or piece[0] not in "csd" or not value.known:
                return joined([known(head), *done, self._field("a formatted text", name_only)])
            text = value.text
            done.append(known(chr(int(text)) if piece[0] == "c" and text.isdigit() and int(text) < 0x110000 else text))
            done.append(known(piece[1:]))
        return joined([known(head), *done])

    def _field(self, why: str, name_only: bool) -> Value:
        return Value((Unknown(why, True, name_only),), False, self.taint | self.deeds.invocation.stdin.taint)

    def _skip(self, found: list[Token], at: int) -> int:
        depth = 0
        while at < len(found):
            if found[at][0] == "op" and found[at][1] in "([":
                depth += 1
            elif found[at][0] == "op" and found[at][1] in ")]":
                depth -= 1
                if depth == 0:
                    return at
            at += 1
        return at
