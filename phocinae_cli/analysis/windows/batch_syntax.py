"""Read cmd text: lines to commands with their redirections, joined by `&`, `&&`, `||` and `|`, in blocks and loops.

Percent signs are expanded first, as cmd does it, so an operator that comes out of a variable counts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NESTING = 60


class CmdFault(Exception):
    """A text that cmd would not take, or that is nested too deep."""


class Word:
    """A word as written: `text` with carets read and quotes kept, and where it starts."""

    __slots__ = ("start", "text")

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start


class Command:
    """A simple command: words, the text behind the name as it stands, and redirections (`>`, target)."""

    __slots__ = ("end", "name", "redirects", "start", "tail", "words")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.name = ""
        self.tail = ""
        self.words: list[Word] = []
        self.redirects: list[tuple[str, str]] = []


class Joined:
    """Parts joined by one operator: `&`, `&&`, `||` or `|`."""

    __slots__ = ("operator", "parts")

    def __init__(self, operator: str, parts: list[Item]) -> None:
        self.operator = operator
        self.parts = parts


class Block:
    """A block in parentheses with its redirections."""

    __slots__ = ("body", "redirects")

    def __init__(self, body: list[Item], redirects: list[tuple[str, str]]) -> None:
        self.body = body
        self.redirects = redirects


class If:
    """`if CONDITION command else command`; the condition is only words."""

    __slots__ = ("body", "otherwise")

    def __init__(self, body: Item, otherwise: Item | None) -> None:
        self.body = body
        self.otherwise = otherwise


class For:
    """`for SWITCH %%v in (SET) do command`: `switch` is empty, `d`, `r`, `l` or `f`."""

    __slots__ = ("body", "members", "options", "switch", "variable")

    def __init__(self, switch: str, options: str, variable: str, members: str, body: Item) -> None:
        self.switch = switch
        self.options = options
        self.variable = variable
        self.members = members
        self.body = body


if TYPE_CHECKING:
    Item = Command | Joined | Block | If | For


class Reader:
    """Reads one logical text, already expanded, into items."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.blocks = 0

    def items(self, closing: bool = False) -> list[Item]:
        """Return the items up to the end, or to the parenthesis that closes a block."""
        found: list[Item] = []
        while True:
            self._blank(lines=True)
            if self.at >= len(self.text):
                if closing:
                    raise CmdFault("a parenthesis is not closed")
                return found
            if self.text[self.at] == ")":
                if closing:
                    self.at += 1
                    return found
                self.at += 1  # outside a block cmd takes the rest of the line for a remark
                self._line()
                continue
            found.append(self._sequence())

    def _sequence(self) -> Item:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise CmdFault("it is nested too deep")
        item = self._operators(
            ("&",), lambda: self._operators(("&&", "||"), lambda: self._operators(("|",), self._single))
        )
        self.depth -= 1
        return item

    def _operators(self, wanted: tuple[str, ...], inner: Callable[[], Item]) -> Item:
        first = inner()
        parts = [first]
        while True:
            self._blank()
            operator = next((o for o in ("&&", "||", "&", "|") if self.text.startswith(o, self.at)), "")
            if operator not in wanted:
                return parts[0] if len(parts) == 1 else Joined(wanted[0], parts)
            self.at += len(operator)
            self._blank(lines=operator != "&")
            if self.at >= len(self.text) or self.text[self.at] in "\r\n)":
                if operator == "&":
                    continue
                raise CmdFault(f"nothing follows {operator}")
            parts.append(inner())

    def _blank(self, lines: bool = False) -> None:
        blanks = " \t,;=\r\n" if lines else " \t"
        while self.at < len(self.text) and self.text[self.at] in blanks:
            self.at += 1

    def _line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line = self.text[self.at : end]
        self.at = end
        return line

    def _single(self) -> Item:
        self._blank()
        while self.at < len(self.text) and self.text[self.at] in "@ \t":
            self.at += 1
        if self.text[self.at : self.at + 1] == ":":
            self._line()
            return Command(self.at)
        if self.text[self.at : self.at + 1] == "(":
            self.at += 1
            self.depth += 1
            if self.depth > MAX_NESTING:
                raise CmdFault("it is nested too deep")
            self.blocks += 1
            body = self.items(closing=True)
            self.depth -= 1
            self.blocks -= 1
            return Block(body, self._redirects())
        word = self._peek()
        if word == "if":
            return self._if()
        if word == "for":
            return self._for()
        return self._command()

    def _peek(self) -> str:
        end = self.at
        while end < len(self.text) and self.text[end].isalpha():
            end += 1
        follower = self.text[end : end + 1]
        return self.text[self.at : end].lower() if follower in ("", " ", "\t", "(", "/", "%") else ""

    def _redirects(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        while True:
            self._blank()
            redirect = self._redirect()
            if redirect is None:
                return found
            if redirect[0]:
                found.append(redirect)

    def _redirect(self) -> tuple[str, str] | None:
        text, at = self.text, self.at
        handle = ""
        if at < len(text) and text[at].isdigit() and text[at + 1 : at + 2] in ("<", ">"):
            handle = text[at]
            at += 1
        if text[at : at + 1] not in ("<", ">"):
            return None
        operator = ">>" if text.startswith(">>", at) else text[at]
        at += len(operator)
        self.at = at
        if text[at : at + 1] == "&":
            self.at = at + 2
            return ("", "")
        self._blank()
        target = self._word()
        return (handle + operator if handle == "2" else operator, target)

    def _word(self) -> str:
        out = ""
        quoted = False
        text = self.text
        while self.at < len(text):
            char = text[self.at]
            if char == '"':
                quoted = not quoted
            elif not quoted and char == "^":
                self.at += 1
                if text.startswith("\r\n", self.at):
                    self.at += 2
                elif text.startswith("\n", self.at):
                    self.at += 1
                else:
                    out += text[self.at : self.at + 1]
                    self.at += 1
                continue
            elif char in "\r\n" or (not quoted and char in " \t&|<>),;="):
                break
            out += char
            self.at += 1
        return out

    def _if(self) -> Item:
        self.at += 2
        words: list[str] = []
        while True:
            self._blank()
            word = self._word()
            low = word.lower()
            if low in ("/i", "not", "defined", "exist", "errorlevel", "cmdextversion", "/?"):
                words.append(low)
                continue
            if words and words[-1] in ("defined", "exist", "errorlevel", "cmdextversion"):
                break
            # a comparison: LEFT == RIGHT, or LEFT equ RIGHT
            while self.at < len(self.text) and self.text[self.at] in " \t":
                self.at += 1
            if self.text.startswith("==", self.at):
                self.at += 2
                self._blank()
                self._word()
                break
            mark = self.at
            if self._word().lower() in ("equ", "neq", "lss", "leq", "gtr", "geq"):
                self._blank()
                self._word()
                break
            self.at = mark
            break
        body = self._body()
        mark = self.at
        self._blank(lines=isinstance(body, Block))
        if self._peek() == "else":
            self.at += 4
            return If(body, self._body())
        self.at = mark
        return If(body, None)

    def _body(self) -> Item:
        self._blank(lines=True)
        if self.at >= len(self.text):
            return Command(self.at)
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise CmdFault("it is nested too deep")
        item = self._operators(("&&", "||"), lambda: self._operators(("|",), self._single))
        self.depth -= 1
        return item

    def _for(self) -> Item:
        self.at += 3
        switch, options = "", ""
        while True:
            self._blank()
            if self.text[self.at : self.at + 1] == "/":
                switch = self.text[self.at + 1 : self.at + 2].lower()
                self.at += 2
                continue
            word = self._word()
            while self.text[self.at : self.at + 1] in (",", ";", "="):  # part of the options of /f
                word += self.text[self.at]
                self.at += 1
                word += self._word()
            if word.startswith("%"):
                variable = word.lstrip("%")[:1]
                break
            if not word:
                raise CmdFault("a `for` without a variable")
            options = word.strip('"')
        self._blank()
        if self._word().lower() != "in":
            raise CmdFault("a `for` without `in`")
        self._blank(lines=True)
        if self.text[self.at : self.at + 1] != "(":
            raise CmdFault("a `for` without a set")
        self.at += 1
        members = self._set()
        self._blank(lines=True)
        if self._word().lower() != "do":
            raise CmdFault("a `for` without `do`")
        return For(switch, options, variable, members, self._body())

    def _set(self) -> str:
        depth, start, quote = 1, self.at, ""
        while self.at < len(self.text):
            char = self.text[self.at]
            if quote:
                quote = "" if char == quote else quote
            elif char == '"' or (char in "'`" and not self.text[start : self.at].strip()):
                quote = char
            elif char == "^":
                self.at += 1
            elif char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if depth == 0:
                    self.at += 1
                    return self.text[start : self.at - 1]
            self.at += 1
        raise CmdFault("a set is not closed")

    def _command(self) -> Item:
        command = Command(self.at)
        first = self._redirects()
        command.redirects.extend(first)
        command.start = self.at
        # The name ends at a blank, a slash or an operator: `cd..`, `dir/s`, `echo.text`.
        command.words.append(Word(self._word(), command.start))
        tail_start = self.at
        pieces: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in "\r\n&|" or (char == ")" and self.blocks):
                break
            if char in " \t,;=":
                pieces.append(char)
                self.at += 1
                continue
            redirect = self._redirect()
            if redirect is not None:
                if redirect[0]:
                    command.redirects.append(redirect)
                continue
            if char in ")":
                pieces.append(char)
                self.at += 1
                command.words.append(Word(")", self.at))
                continue
            start = self.at
            word = self._word()
            if self.at == start:
                self.at += 1
                continue
            pieces.append(word)
            command.words.append(Word(word, start))
        command.tail = "".join(pieces) if self.at > tail_start else ""
        command.end = self.at
        command.name = command.words[0].text
        return command


def read(text: str) -> list[Item]:
    """Return the items of a cmd text; raises CmdFault for what cmd would not take."""
    return Reader(text).items()


def split_words(text: str) -> list[str]:
    """Return the words of a Windows command line: blanks separate, double quotes keep together."""
    words: list[str] = []
    word, quoted, seen = "", False, False
    for number, char in enumerate(text):
        if char == '"':
            if quoted and word.endswith("\\") and text[number - 1] == "\\":
                word = word[:-1] + '"'
                continue
            quoted, seen = not quoted, True
        elif char in " \t\r\n" and not quoted:
            if word or seen:
                words.append(word)
            word, seen = "", False
        else:
            word += char
    if word or seen:
        words.append(word)
    return words
