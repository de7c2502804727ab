"""Reading of words: plain runs, quotes and patterns."""

from __future__ import annotations

from phocinae_cli.analysis.parse_cursor import EXPANDS, EXTGLOB, QUOTING, Cursor, stop
from phocinae_cli.analysis.syntax import Literal, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.parse_cursor import Stop
    from phocinae_cli.analysis.syntax import Part

IN_QUOTES = stop('"', "")
IN_HEREDOC = stop("", "")
IN_SINGLE = stop("'", "")

_ESCAPES = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_HEX = frozenset("0123456789abcdefABCDEF")


class Words(Cursor):
    """Everything that can stand inside a word except expansions, which `Expansions` adds."""

    __slots__ = ()

    def word(self, i: int, regex: bool = False, value: bool = False) -> Word:
        """Read the word at `i`; the cursor is left behind it, or at `i` where no word starts.

        Blanks and operators inside the parentheses of a pattern belong to the word; `regex` makes any
        parenthesis and `|` part of it, as behind `=~`; `value` is for what an assignment gives.
        """
        s = self.s
        z = self.z
        find = self.marks.find
        start = i
        at = i
        text = ""
        quoted = False
        nest = 0
        parts: list[Part] = []
        if z and s[i] == "=" and s[i + 1] == "(":
            sub = self.process_sub(i)
            parts.append(sub)
            at = i = sub.end
        while True:
            j = find(1, i)
            c = s[j]
            if j > i:
                text += s[i:j]
                i = j
            if c in QUOTING:
                d = s[i + 1]
                if c == "$" and d not in EXPANDS and not (z and d in "+~=^"):
                    text += "$"
                    i += 1
                    continue
                if c == "\\" and d == "\n":
                    i += 2
                    continue
                if c == "\\" and i + 1 >= self.n:
                    self.unfinished("a line behind the backslash is missing", i)
                    text += "\\"
                    i += 1
                    continue
                if text:
                    parts.append(Literal(text, False, at, i))
                    text = ""
                if c == "\\":
                    parts.append(Literal(d, True, i, i + 2))
                    i += 2
                    quoted = True
                elif c == "'":
                    i = self.single(i, parts)
                    quoted = True
                elif c == '"':
                    i = self.double(i + 1, parts)
                    quoted = True
                elif c == "$" and d == "'":
                    i = self.ansi(i, parts)
                    quoted = True
                elif c == "$" and d == '"':
                    i = self.double(i + 2, parts)
                    quoted = True
                else:
                    i = self.expansion(i, False, parts)
                at = i
                continue
            if c == "\0":
                if i >= self.n:
                    break
            elif c == "(":
                if z:
                    if s[i + 1] == ")":
                        break
                    nest += 1
                elif nest or regex or (text and s[i - 1] in EXTGLOB):
                    nest += 1
                else:
                    break
            elif c == ")":
                if not nest:
                    break
                nest -= 1
            elif (c == "<" or c == ">") and s[i + 1] == "(":
                if text:
                    parts.append(Literal(text, False, at, i))
                    text = ""
                sub = self.process_sub(i)
                parts.append(sub)
                at = i = sub.end
                continue
            elif z and c == "<" and (end := self.number_range(i)):
                text += s[i:end]
                i = end
                continue
            elif not nest and not (regex and c == "|" and not z):
                break
            elif z and c in ";&<>":
                break
            text += c
            i += 1
        if nest and i >= self.n and not z:  # zsh finds a bad pattern only when it runs the command
            self.unfinished("a `)` is missing", i)
        if text:
            if z and text[-1] == "}" and not value and not nest and closes_brace(text, parts):
                text = text[:-1] if i > start + 1 else ""
                i -= 1
            if text:
                parts.append(Literal(text, False, at, i))
        self.i = i
        return Word(tuple(parts), quoted, start, i)

    # --- quotes ---

    def single(self, i: int, parts: list[Part]) -> int:
        """Read the single quotes that open at `i`; return the place behind them."""
        j = self.s.find("'", i + 1)
        if j < 0:
            self.unfinished("a closing `'` is missing", i)
            j = self.n
            end = j
        else:
            end = j + 1
        if j > i + 1:
            parts.append(Literal(self.s[i + 1 : j], True, i, end))
        return end

    def double(self, i: int, parts: list[Part]) -> int:
        """Read double quotes from behind the opening one; return the place behind them."""
        s = self.s
        j = s.find('"', i)
        if j >= 0:
            text = s[i:j]
            if "$" not in text and "\\" not in text and "`" not in text:
                if text:
                    parts.append(Literal(text, True, i - 1, j + 1))
                return j + 1
        j = self.run(i, IN_QUOTES, True, parts)
        if j >= self.n:
            self.unfinished('a closing `"` is missing', i - 1)
            return j
        return j + 1

    def run(self, i: int, until: Stop, quoted: bool, parts: list[Part], opener: str = "") -> int:
        """Append the parts up to an unquoted end character of `until`; return its place, or the end of the text.

        Blanks and operators are text here. Ends that close an `opener` met on the way are text as well.
        `quoted` reads as in double quotes.
        """
        s = self.s
        ends, active = until
        at = i
        text = ""
        nest = 0
        while True:
            j = i
            c = s[j]
            while c not in active and (not opener or (c != opener and c != _CLOSERS[opener])):
                j += 1
                c = s[j]
            if j > i:
                text += s[i:j]
                i = j
            if nest and c == _CLOSERS[opener]:
                nest -= 1
            elif c in ends:
                if not nest or (c == "}" and opener != "{"):
                    break
            elif c == opener and opener:
                nest += 1
            elif c == "\0":
                if i >= self.n:
                    break
            elif c == "\\":
                d = s[i + 1]
                if d == "\n":
                    i += 2
                    continue
                if i + 1 < self.n and (not quoted or d in "$`\\" or d in ends or (d == '"' and d in active)):
                    if text:
                        parts.append(Literal(text, quoted, at, i))
                        text = ""
                    parts.append(Literal(d, True, i, i + 2))
                    at = i = i + 2
                    continue
            elif c == "<" or c == ">":
                if s[i + 1] == "(" and not quoted:
                    if text:
                        parts.append(Literal(text, quoted, at, i))
                        text = ""
                    sub = self.process_sub(i)
                    parts.append(sub)
                    at = i = sub.end
                    continue
            else:
                d = s[i + 1]
                if c == "$" and (d not in EXPANDS or (quoted and d in "'\"")) and not (self.z and d in "+~=^"):
                    text += "$"
                    i += 1
                    continue
                if text:
                    parts.append(Literal(text, quoted, at, i))
                    text = ""
                if c == '"':
                    i = self.double(i + 1, parts)
                elif c == "'":
                    i = self.quoted_pair(i, parts) if quoted else self.single(i, parts)
                elif c == "$" and d == "'":
                    i = self.ansi(i, parts)
                elif c == "$" and d == '"':
                    i = self.double(i + 2, parts)
                else:
                    i = self.expansion(i, quoted, parts)
                at = i
                continue
            text += c
            i += 1
        if text:
            parts.append(Literal(text, quoted, at, i))
        return i

    def quoted_pair(self, i: int, parts: list[Part]) -> int:
        """Read the single quotes at `i` inside `"${x:-...}"`.

        bash pairs them when it looks for the closing brace, and then keeps them as text around live expansions.
        """
        parts.append(Literal("'", True, i, i + 1))
        j = self.run(i + 1, IN_SINGLE, True, parts)
        if j >= self.n:
            self.unfinished("a closing `'` is missing", i)
            return j
        parts.append(Literal("'", True, j, j + 1))
        return j + 1

    def ansi(self, i: int, parts: list[Part]) -> int:
        """Read and decode the `$'...'` at `i`; return the place behind it."""
        s = self.s
        start = i
        i += 2
        out: list[str] = []
        while True:
            j = i
            while s[j] not in "'\\\0":
                j += 1
            out.append(s[i:j])
            c = s[j]
            i = j + 1
            if c == "'":
                break
            if j >= self.n:
                self.unfinished("a closing `'` is missing", start)
                i = self.n
                break
            if c == "\0":
                out.append(c)
                continue
            if i >= self.n:
                continue
            i = self.escape(i, out)
        text = "".join(out)
        if not text.isascii():
            try:  # bytes written one by one may be a character together
                text = text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
            except UnicodeError:
                pass  # a lone surrogate of the text itself: nothing to join
        if not self.z:
            text = text.partition("\0")[0]
        if text:
            parts.append(Literal(text, True, start, i))
        return i

    def escape(self, i: int, out: list[str]) -> int:
        """Decode the escape whose letter is at `i`; return the place behind it."""
        s = self.s
        c = s[i]
        if c in _ESCAPES:
            out.append(_ESCAPES[c])
            return i + 1
        if c in "01234567":
            j = i
            while j < i + 3 and s[j] in "01234567":
                j += 1
            out.append(_byte(int(s[i:j], 8) & 255))
            return j
        if c in "xuU":
            most = 2 if c == "x" else 4 if c == "u" else 8
            j = i + 1
            braced = c == "x" and s[j] == "{"
            j += braced
            first = j
            while s[j] in _HEX and (braced or j < first + most):
                j += 1
            if j == first:
                out.append("\\" + c)
                return i + 1
            value = int(s[first:j][-8:], 16)
            if braced and s[j] == "}":
                j += 1
            out.append(_byte(value & 255) if c == "x" else chr(value) if value < 0x110000 else "\ufffd")
            return j
        if c == "c":
            if i + 1 >= self.n:
                return i + 1
            d = s[i + 1]
            if d == "\\" and s[i + 2] == "\\":
                out.append("\x1c")
                return i + 3
            out.append("\x7f" if d == "?" else chr(ord(d.upper()) & 31))
            return i + 2
        out.append(c if c in "\\'\"?" else "\\" + c)
        return i + 1


def closes_brace(text: str, parts: list[Part]) -> bool:
    """Tell whether the `}` that ends `text`, behind `parts`, is one that no `{` of the word asks for.

    zsh takes such a brace as the end of a group.
    """
    count = 0
    for part in parts:
        if isinstance(part, Literal) and not part.quoted:
            count += part.text.count("{") - part.text.count("}")
    for c in text[:-1]:
        if c == "{":
            count += 1
        elif c == "}" and count:
            count -= 1
    return count <= 0


def _byte(value: int) -> str:
    """Return the character of a byte; one of several that make up a character is kept apart until it is decoded."""
    return chr(value if value < 128 else 0xDC00 + value)
