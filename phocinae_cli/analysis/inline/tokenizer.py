"""One small tokenizer for the scripting languages: strings, comments, names, numbers, operators."""

from __future__ import annotations

from phocinae_cli.analysis.inline.tokens import GRAMMARS, Grammar, Token, Unreadable, unescaped

PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


class Tokenizer:
    """Reads a text of code into tokens; raises Unreadable when a string does not end."""

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.text = text
        self.grammar = grammar
        self.at = 0
        self.found: list[Token] = []
        self.spaced = False

    def read(self) -> list[Token]:
        """Return all of the tokens."""
        size = len(self.text)
        while self.at < size:
            char = self.text[self.at]
            if char == "\n":
                self._add("end", "\n")
                self.at += 1
            elif char.isspace():
                self.spaced = True
                self.at += 1
            elif not self._comment():
                self._token(char)
        return self.found

    def _add(self, kind: str, text: str, parts: tuple[str | tuple[str], ...] = ()) -> None:
        self.found.append(Token(kind, text, parts, self.spaced))
        self.spaced = False

    def _comment(self) -> bool:
        grammar, text = self.grammar, self.text
        if grammar.block is not None and text.startswith(grammar.block[0], self.at):
            end = text.find(grammar.block[1], self.at + len(grammar.block[0]))
            self.at = len(text) if end < 0 else end + len(grammar.block[1])
            self.spaced = True
            return True
        for mark in grammar.comments:
            if text.startswith(mark, self.at) and not (mark == "#" and text[self.at - 1 : self.at] == "$"):
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
                return True
        return False

    def _token(self, char: str) -> None:
        grammar, text = self.grammar, self.text
        if grammar.long_strings and text.startswith(grammar.long_strings, self.at):
            end = text.find("]]", self.at)
            if end < 0:
                raise Unreadable
            self._add("str", text[self.at + 2 : end], (text[self.at + 2 : end],))
            self.at = end + 2
        elif char in grammar.commands:
            self._quoted(char, "cmd", True)
        elif char in grammar.quotes:
            triple = char * 3
            if text.startswith(triple, self.at) and grammar is GRAMMARS["python"]:
                self._triple(triple)
            else:
                self._quoted(char, "str", char != "'" and (char == "`" or grammar is not GRAMMARS["node"]))
        elif char == "<" and self._here_document():
            return
        elif char == "/" and grammar.regexes and not self._after_operand():
            self._regex("/")
        elif char.isdigit():
            self._run("num", lambda one: one.isalnum() or one in "._")
        elif char.isalpha() or char == "_" or (char in grammar.sigils and self._names_variable()):
            self._name(char)
        else:
            self._operator(char)

    def _names_variable(self) -> bool:
        following = self.text[self.at + 1 : self.at + 2]
        if following == "`" and self.grammar is GRAMMARS["node"]:
            return True  # the template of a shell
        if self.text[self.at] in "%&" and self._after_operand():
            return False
        return following.isalnum() or (
            following in ("_", "{", "$", "!", "@", "*", "0", "/", "\\", ",", ";")
            and following != ""
            and not (self.text[self.at] in "%&" and not (following.isalpha() or following in "_$"))
        )

    def _name(self, char: str) -> None:
        start = self.at
        self.at += 1
        text = self.text
        if (
            char in self.grammar.sigils
            and self.at < len(text)
            and not (text[self.at].isalnum() or text[self.at] == "_")
        ):
            if text[self.at] in "{$@*`":
                self._add("name", char)
                return
            self.at += 1
        while self.at < len(text) and (
            text[self.at].isalnum()
            or text[self.at] == "_"
            or (text[self.at] == "." and self.grammar is GRAMMARS["r"])
            or (
                text[self.at] in "?!"
                and self.grammar is GRAMMARS["ruby"]
                and text[self.at - 1].isalnum()
                and text[self.at + 1 : self.at + 2] not in ("=", "~")
            )
        ):
            self.at += 1
        word = text[start : self.at]
        if self.grammar.words and self._quote_like(word):
            return
        self._add("name", word)

    def _quote_like(self, word: str) -> bool:
        """Perl's `q() qq() qw() qx() m// s/// tr///` and here-documents behind them."""
        if self.grammar is not GRAMMARS["perl"] or word not in ("q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y"):
            return False
        at = self.at
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        mark = self.text[at : at + 1]
        before = self.found[-1] if self.found else None
        if before is not None and before.kind == "op" and before.text == "-" and not self.spaced:
            return False  # a file test: `-s $_`
        if (
            not mark
            or mark.isalnum()
            or mark in "_,;)"
            or (mark == "=" and word in ("s", "y", "m", "q"))
            or self.text.startswith("=>", at)
        ):
            return False
        if before is not None and before.kind == "op" and before.text in ("->", "{") and self.text[at : at + 1] == "}":
            return False
        if mark == "#" and at != self.at:
            return False
        self.at = at
        body = self._delimited(mark)
        if word in ("q", "qw"):
            self._add("str", body, (body,))
        elif word in ("qq", "qx"):
            self._add("str" if word == "qq" else "cmd", body, self._fill(body))
        elif word in ("s", "tr", "y"):
            self._second(mark, body, word)
        else:
            self._flags()
            self._add("re", body)
        return True

    def _second(self, mark: str, pattern: str, word: str) -> None:
        if mark in PAIRS:
            while self.at < len(self.text) and self.text[self.at].isspace():
                self.at += 1
            replacement = self._delimited(self.text[self.at : self.at + 1])
        else:
            self.at -= 1
            replacement = self._delimited(mark)
        flags = self._flags()
        self._add(
            "re",
            pattern,
            ((replacement,),) if word == "s" and "e" in flags else self._fill(replacement) if word == "s" else (),
        )

    def _flags(self) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isalpha():
            self.at += 1
        return self.text[start : self.at]

    def _delimited(self, mark: str) -> str:
        """Return what stands between a mark and its partner; the place moves behind it."""
        text, close = self.text, PAIRS.get(mark, mark)
        self.at += 1
        start, depth = self.at, 1
        while self.at < len(text):
            char = text[self.at]
            if char == "\\":
                self.at += 1
            elif char == close:
                depth -= 1
                if not depth:
                    break
            elif char == mark:
                depth += 1
            self.at += 1
        if self.at >= len(text):
            raise Unreadable
        found = text[start : self.at]
        self.at += 1
        return found

    def _quoted(self, mark: str, kind: str, fills: bool) -> None:
        body = self._delimited(mark)
        if (
            mark == "'"
            and self.grammar is not GRAMMARS["node"]
            and self.grammar not in (GRAMMARS["lua"], GRAMMARS["r"], GRAMMARS["python"], GRAMMARS["mongo"])
        ):
            plain = body.replace("\\'", "'").replace("\\\\", "\\")
            self._add(kind, plain, (plain,))
            return
        parts = self._fill(body) if fills else (unescaped(body),)
        self._add(kind, "".join(part for part in parts if isinstance(part, str)), parts)

    def _triple(self, mark: str) -> None:
        end = self.text.find(mark, self.at + 3)
        if end < 0:
            raise Unreadable
        body = unescaped(self.text[self.at + 3 : end])
        self._add("str", body, (body,))
        self.at = end + 3

    def _fill(self, body: str) -> tuple[str | tuple[str], ...]:
        """Return the parts of a string: texts, and code to fill in as one-element tuples."""
        parts: list[str | tuple[str]] = []
        fills = self.grammar.fills
        at = start = 0
        while at < len(body):
            if body[at] == "\\":
                at += 2
                continue
            braced = next((mark for mark in fills if len(mark) > 1 and body.startswith(mark, at)), "")
            if braced:
                end = _closing(body, at + len(braced))
                parts += [unescaped(body[start:at]), (("$" if braced == "{$" else "") + body[at + len(braced) : end],)]
                at = start = end + 1
                continue
            if (
                body[at] in fills
                and (body[at + 1 : at + 2].isalnum() or body[at + 1 : at + 2] in ("_", "{", "&"))
                and body[at + 1 : at + 2]
            ):
                end = _variable_end(body, at + 1)
                parts += [unescaped(body[start:at]), (body[at:end],)]
                at = start = end
                continue
            at += 1
        parts.append(unescaped(body[start:]))
        return tuple(part for part in parts if part != "") or ("",)

    def _here_document(self) -> bool:
        if self.grammar not in (GRAMMARS["perl"], GRAMMARS["ruby"], GRAMMARS["php"]) or not self.text.startswith(
            "<<", self.at
        ):
            return False
        at = self.at + 2
        while at < len(self.text) and self.text[at] in "~-<":
            at += 1
        quote = self.text[at : at + 1] if self.text[at : at + 1] in "\"'" else ""
        at += len(quote)
        end = at
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            end += 1
        tag = self.text[at:end]
        if not tag or tag[0].isdigit() or tag != tag.upper():
            return False
        line_end = self.text.find("\n", end)
        if line_end < 0:
            return False
        lines = self.text[line_end + 1 :].split("\n")
        for number, line in enumerate(lines):
            if line.strip().rstrip(";") == tag:
                body = "\n".join(lines[:number]) + "\n"
                self._add("str", body, (body,) if quote == "'" else self._fill(body))
                rest = self.text[end + len(quote) : line_end]
                self.text = rest + "\n" + "\n".join(lines[number + 1 :])
                self.at = 0
                return True
        return False

    def _after_operand(self) -> bool:
        if not self.found:
            return False
        last = self.found[-1]
        if last.kind == "name":
            return last.text not in (
                "return",
                "and",
                "or",
                "not",
                "if",
                "unless",
                "split",
                "grep",
                "while",
                "until",
                "print",
                "typeof",
                "keys",
                "values",
                "each",
                "sort",
                "reverse",
                "scalar",
                "exists",
                "defined",
                "delete",
                "push",
                "my",
                "our",
                "local",
                "case",
                "when",
                "puts",
                "map",
                "join",
                "in",
                "x",
                "then",
                "do",
                "else",
                "for",
                "foreach",
                "eq",
                "ne",
                "lt",
                "gt",
                "cmp",
                "xor",
            )
        return last.kind in ("str", "num", "re", "cmd") or (last.kind == "op" and last.text in (")", "]", "}"))

    def _regex(self, mark: str) -> None:
        start, bracket, text = self.at + 1, False, self.text
        self.at = start
        while self.at < len(text) and (text[self.at] != mark or bracket):
            if text[self.at] == "\\":
                self.at += 1
            elif text[self.at] == "[":
                bracket = True
            elif text[self.at] == "]":
                bracket = False
            elif text[self.at] == "\n":
                raise Unreadable
            self.at += 1
        if self.at >= len(text):
            raise Unreadable
        body = text[start : self.at]
        self.at += 1
        self._flags()
        self._add("re", body)

    def _run(self, kind: str, holds: object) -> None:
        start = self.at
        while self.at < len(self.text) and holds(self.text[self.at]):  # type: ignore[operator]
            if self.text.startswith("..", self.at):
                break
            self.at += 1
        self._add(kind, self.text[start : self.at])

    def _operator(self, char: str) -> None:
        text = self.text
        if (
            char == "%"
            and self.grammar is GRAMMARS["ruby"]
            and not self._after_operand()
            and text[self.at + 1 : self.at + 2] in ("w", "q", "Q", "x", "i", "(", "{", "[")
        ):
            self.at += 1
            kind = text[self.at] if text[self.at].isalpha() else "Q"
            self.at += 1 if text[self.at].isalpha() else 0
            if text[self.at : self.at + 1] in PAIRS or text[self.at : self.at + 1] in "|!/":
                body = self._delimited(text[self.at])
                self._add("cmd" if kind == "x" else "str", body, (body,) if kind in "wqi" else self._fill(body))
                return
        for op in (
            "===",
            "!==",
            "...",
            "<=>",
            "**=",
            "//=",
            "//",
            "/=",
            "->",
            "=>",
            "::",
            "?.",
            "&&",
            "||",
            "==",
            "!=",
            "<=",
            ">=",
            "=~",
            "!~",
            "+=",
            "-=",
            ".=",
            "..",
            "<<",
            ">>",
            "++",
            "--",
        ):
            if text.startswith(op, self.at):
                self.at += len(op)
                self._add("op", op)
                return
        self.at += 1
        if char == ";":
            self._add("end", ";")
        else:
            self._add("op", char)


def _closing(text: str, at: int) -> int:
    depth = 1
    while at < len(text):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if not depth:
                return at
        at += 1
    return at


def _variable_end(text: str, at: int) -> int:
    if text[at] == "{":
        return _closing(text, at + 1) + 1
    if text[at] == "&":
        return at + 1
    while at < len(text) and (text[at].isalnum() or text[at] == "_"):
        at += 1
    while at < len(text) and (text[at] in "[{" or (text.startswith("->", at) and text[at + 2 : at + 3] in ("[", "{"))):
        at += 2 if text.startswith("->", at) else 0
        close = text.find("]" if text[at] == "[" else "}", at)
        if close < 0:
            break
        at = close + 1
    return at
