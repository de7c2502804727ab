"""Reading of expansions: parameters, command and process substitutions, and arithmetic."""

from __future__ import annotations

from phocinae_cli.analysis.parse_cursor import DIGITS, NAME, NAME_START, PLAIN, Refused, place, stop
from phocinae_cli.analysis.parse_words import Words
from phocinae_cli.analysis.syntax import Arith, CommandSub, Literal, Param, ProcessSub, Sequence, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from phocinae_cli.analysis.parse_cursor import Stop
    from phocinae_cli.analysis.syntax import Node, Part

_SPECIAL_NAMES = frozenset("@*#?-$!")
_ARITH = stop(")", PLAIN)
_BRACKET = stop("]", PLAIN)
_BRACKET_QUOTED = stop("]", '"')
_INDEX = (stop("]}", PLAIN), stop("]}", '"'))
# The ends of what stands behind an operator in `${...}`: plain, in double quotes, and there behind an operator
# that takes a pattern, where single quotes do quote.
_TO_BRACE = (stop("}", PLAIN), stop("}", "'\""))
_TO_SLASH = (stop("/}", PLAIN), stop("/}", "'\""))
_TO_COLON = (stop(":}", PLAIN), stop(":}", "'\""))
_TO_BRACE_ZSH = (stop("}", "'\""), stop("}", '"'))
_TO_SLASH_ZSH = (stop("/}", "'\""), stop("/}", '"'))
_TO_COLON_ZSH = (stop(":}", "'\""), stop(":}", '"'))
_MODIFIERS = frozenset("AacehlPpQqrstuwWx&g")


class Expansions(Words):
    """The expansions inside words, quotes and here-documents."""

    __slots__ = ()

    def expansion(self, i: int, quoted: bool, parts: list[Part]) -> int:
        """Read the expansion that starts with the `$` or backquote at `i`; return the place behind it."""
        s = self.s
        if s[i] == "`":
            return self.backquote(i, quoted, parts)
        c = s[i + 1]
        if c in NAME_START:
            j = i + 2
            while s[j] in NAME:
                j += 1
            if self.z:
                return self.zsh_tail(i, i + 1, j, "", quoted, parts)
            parts.append(Param(s[i + 1 : j], quoted, i, j))
            return j
        if c == "(":
            if s[i + 2] == "(" and self.is_arithmetic(i + 1):
                found: list[Part] = []
                self.deeper()
                j = self.arithmetic(i + 3, found)
                self.depth -= 1
                parts.append(Arith(tuple(found), quoted, i, j))
                return j
            body = self.substitution(i + 2)
            parts.append(CommandSub(body, quoted, i, self.i))
            return self.i
        if c == "{":
            return self.braced(i, quoted, parts)
        if c == "[":
            found = []
            self.deeper()
            j = self.run(i + 2, _BRACKET, False, found, "[")
            self.depth -= 1
            j = self.closed(j, "]")
            parts.append(Arith(tuple(found), quoted, i, j))
            return j
        if self.z:
            j = i + 1
            if c in DIGITS:
                while s[j] in DIGITS:
                    j += 1
                return self.zsh_tail(i, i + 1, j, "", quoted, parts)
            while s[j] in "#+~=^":
                j += 1
            if j > i + 1:
                if s[j] in NAME_START or (s[j] in "{(" and "#" not in s[i + 1 : j]):
                    if s[j] in "{(":
                        parts.append(Literal(s[i:j], quoted, i, j))
                        return self.braced(j - 1, quoted, parts) if s[j] == "{" else j
                    first = j
                    while s[j] in NAME:
                        j += 1
                    return self.zsh_tail(i, first, j, s[i + 1 : first], quoted, parts)
                if c != "#":
                    parts.append(Literal("$", quoted, i, i + 1))
                    return i + 1
            return self.zsh_tail(i, i + 1, i + 2, "", quoted, parts)
        parts.append(Param(c, quoted, i, i + 2))
        return i + 2

    def zsh_tail(self, i: int, first: int, j: int, prefix: str, quoted: bool, parts: list[Part]) -> int:
        """Read zsh's subscript and modifiers behind the unbraced name that ends at `j`."""
        s = self.s
        name = s[first:j]
        index: Word | None = None
        op = ""
        arg: Word | None = None
        if s[j] == "[" and self.has_subscript(j, quoted):
            inside: list[Part] = []
            start = j + 1
            self.deeper()
            j = self.run(start, _BRACKET_QUOTED if quoted else _BRACKET, quoted, inside, "[")
            self.depth -= 1
            index = Word(tuple(inside), quoted, start, j)
            j = self.closed(j, "]")
        if s[j] == ":" and s[j + 1] in _MODIFIERS and s[j + 2] not in NAME:
            op = ":"
            start = j + 1
            j += 2
            while s[j] == ":" and s[j + 1] in _MODIFIERS and s[j + 2] not in NAME:
                j += 2
            arg = Word((Literal(s[start:j], quoted, start, j),), quoted, start, j)
        parts.append(Param(name, quoted, i, j, prefix, index, op, arg))
        return j

    def has_subscript(self, i: int, quoted: bool) -> bool:
        """Tell whether the `[` at `i` is closed before the word ends, looking not too far ahead."""
        s = self.s
        nest = 0
        for j in range(i, min(i + 256, self.n)):
            c = s[j]
            if c == "[":
                nest += 1
            elif c == "]":
                nest -= 1
                if not nest:
                    return True
            elif c == "\n" or (c in ' \t;|&"' if not quoted else c == '"'):
                return False
        return False

    def closed(self, j: int, closer: str) -> int:
        """Return the place behind the closer at `j`, or note that it is missing."""
        if j >= self.n:
            self.unfinished(f"a closing `{closer}` is missing", self.n)
            return self.n
        return j + 1

    # --- substitutions ---

    def substitution(self, i: int) -> Sequence:
        """Read a list from `i` to its `)`; the cursor is left behind that."""
        self.deeper()
        waiting, self.pending = self.pending, []
        self.comsub += 1
        self.i = i
        body = self.sequence()
        if self.s[self.i] == ")":
            self.i += 1
        else:
            self.unexpected("`)`")
        self.comsub -= 1
        self.depth -= 1
        if not self.z:
            waiting.extend(self.pending)  # those announced here without a newline: bash looks for them outside
        self.pending = waiting
        return body

    def process_sub(self, i: int) -> ProcessSub:
        """Read `<(...)`, `>(...)` or zsh's `=(...)` at `i`."""
        body = self.substitution(i + 2)
        if self.z and not self.comments:
            # An interactive zsh finds the end as if there were no comments, and then reads this one text with them.
            end = self.i - (self.s[self.i - 1] == ")")
            inner = self.child(self.s[i + 2 : end], i)
            inner.comments = True
            body = self.inner_list(inner, i + 2, "the process substitution")
            place(body, i + 2)
        return ProcessSub(self.s[i], body, i, self.i)

    def inner_list(self, inner: Self, at: int, where: str) -> Sequence:
        """Return the list that a reader of an inner text at `at` finds, its spans in that text."""
        inner.deeper()
        items: list[tuple[Node, str]] = []
        try:
            inner.read_list(items)
            if inner.i < inner.n:
                inner.unexpected("a command")
        except Refused as refused:
            inner.fault = refused.fault
        self.adopt(inner, at, where)
        return Sequence(tuple(items), 0, inner.n)

    def backquote(self, i: int, quoted: bool, parts: list[Part]) -> int:
        """Read the backquotes that open at `i`, with the text between them as a list of its own."""
        s = self.s
        j = i + 1
        escaped = False
        while True:
            while s[j] not in "`\\\0":
                j += 1
            if s[j] == "`":
                end = j + 1
                break
            if j >= self.n:
                self.unfinished("a closing backquote is missing", i)
                j = end = self.n
                break
            if s[j] == "\\" and j + 1 < self.n:
                escaped = True
                j += 1
            j += 1
        text = s[i + 1 : j]
        bare = _unescape(text, '$`\\"' if quoted else "$`\\") if escaped else text
        inner = self.child(bare, i)
        inner.comments = self.comments or not self.z  # bash has comments in there even where a prompt has none
        body = self.inner_list(inner, i + 1, "backquotes")
        place(body, i + 1, (i, end) if bare != text else None)
        parts.append(CommandSub(body, quoted, i, end))
        return end

    # --- arithmetic ---

    def arithmetic(self, i: int, parts: list[Part]) -> int:
        """Read an arithmetic expression up to its `))`; return the place behind it."""
        j = self.run(i, _ARITH, False, parts, "(")
        if j >= self.n or (self.s[j + 1] != ")" and j + 1 >= self.n):
            self.unfinished("a closing `))` is missing", self.n)
            return self.n
        if self.s[j + 1] != ")":
            self.fail("`)` inside arithmetic", j)
        return j + 2

    # --- ${...} ---

    def braced(self, i: int, quoted: bool, parts: list[Part]) -> int:
        """Read the `${...}` at `i`; return the place behind it."""
        s = self.s
        z = self.z
        k = i + 2
        c = s[k]
        if c in " \t\n|" and not z and i not in self.refuted and (end := self.brace_list(i, quoted, parts)):
            return end
        self.deeper()
        prefix = ""
        if z:
            k, prefix = self.flags(k)
            c = s[k]
        d = s[k + 1]
        if c == "#" and (
            d in NAME
            or d == "@"
            or d == "*"
            or (d in "?-#!$" and s[k + 2] == "}")
            or (z and d in "{$" and s[k + 2] in "{$")
        ):
            prefix += "#"
            k += 1
        elif c == "!" and not z and (d in NAME or (d in "@*#" and s[k + 2] == "}")):
            prefix = "!"
            k += 1
        start = k
        c = s[k]
        d = s[k + 1]
        inner: list[Part] = []
        if c in NAME_START:
            while s[k] in NAME:
                k += 1
        elif c in DIGITS:
            while s[k] in DIGITS:
                k += 1
        elif z and ((c == "$" and s[k + 1] in "{($") or c == '"' or c == "`"):
            k = self.double(k + 1, inner) if c == '"' else self.expansion(k, quoted, inner)
        elif c in _SPECIAL_NAMES and not (c == "$" and d in "{([") and not (z and c == "-" and d not in "}:-+="):
            k += 1
        name = "" if inner else s[start:k]
        nested = Word(tuple(inner), c == '"', start, k) if inner else None
        index: Word | None = None
        while s[k] == "[":
            inside: list[Part] = []
            first = k + 1
            k = self.run(first, _INDEX[quoted], quoted, inside, "[")
            index = Word(tuple(inside), quoted, first, k)
            if s[k] != "]":
                break
            k += 1
        param = Param(name, quoted, i, k, prefix, index)
        param.inner = nested
        parts.append(param)
        k = self.operator(k, param, bool(name or prefix or nested))
        self.depth -= 1
        param.end = k = self.closed(k, "}")
        return k

    def operator(self, k: int, param: Param, named: bool) -> int:
        """Read the operator at `k` and what follows it; return the place of the closing brace."""
        s = self.s
        z = self.z
        quoted = param.quoted
        c = s[k]
        d = s[k + 1]
        if c == "}" or k >= self.n:
            return k
        to_brace = (_TO_BRACE_ZSH if z else _TO_BRACE)[quoted]
        width = 1
        if c == ":" and d in "-=?+":
            width = 2
        elif z and c == ":" and d in ":#|*^/":
            width = 3 if d == ":" else 2
        elif not named and not (z and c in ":#%"):
            c = "bad"
            width = 0
        elif c == ":":
            if z and (d in NAME_START or d == "&"):
                param.op = c
                param.arg, k = self.operand(k + 1, to_brace, quoted)
                return k
            to_colon = (_TO_COLON_ZSH if z else _TO_COLON)[quoted]
            param.op = c
            param.arg, k = self.operand(k + 1, to_colon, quoted, "(")
            if s[k] == ":":
                param.arg2, k = self.operand(k + 1, to_brace, quoted)
            return k
        elif c in "#%^,/" and d == c:
            width = 2
        elif c == "/" and d in "#%":
            width = 2
        elif c in "-=?+#%/^,@" or (c == "*" and param.prefix == "!"):
            pass
        else:
            c = "bad"
            width = 0
        param.op = s[k : k + width] if width else c
        k += width
        if c == "/" or param.op == ":/":
            to_slash = (_TO_SLASH_ZSH if z else _TO_SLASH)[quoted]
            param.arg, k = self.operand(k, to_slash, quoted)
            if s[k] == "/":
                param.arg2, k = self.operand(k + 1, to_brace, quoted)
            return k
        param.arg, k = self.operand(k, to_brace, quoted)
        return k

    def operand(self, i: int, until: Stop, quoted: bool, opener: str = "") -> tuple[Word, int]:
        """Return the word from `i` to an end of `until`, and the place of that end."""
        parts: list[Part] = []
        k = self.run(i, until, quoted, parts, "{" if self.z and not opener else opener)
        return Word(tuple(parts), quoted, i, k), k

    def flags(self, k: int) -> tuple[int, str]:
        """Return the place behind zsh's flags at `k`, such as `(f)`, `#`, `~`, and their text."""
        s = self.s
        start = k
        if s[k] == "(":
            end = _flags_end(s, k + 1)
            if 0 <= end <= k + 256:
                k = end + 1
        while s[k] in "~=^+" and (s[k + 1] in NAME or s[k + 1] in "~=^+#$@*({"):
            k += 1
        return k, s[start:k]

    def brace_list(self, i: int, quoted: bool, parts: list[Part]) -> int:
        """Try to read bash's `${ list; }` or `${| list; }` at `i`; return the place behind it, or 0."""
        mark = self.mark()
        self.i = i + 2 + (self.s[i + 2] == "|")
        self.deeper()
        try:
            body = self.sequence()
            if not body.items or self.s[self.i] != "}":
                self.fail("no list", self.i)
        except Refused as refused:
            if refused.fault.code == "too-deep":
                raise
            self.refuted.add(i)
            self.rewind(mark, refused.fault.at)
            return 0
        self.depth -= 1
        end = self.closed(self.i, "}")
        parts.append(CommandSub(body, quoted, i, end))
        return end


def _flags_end(s: str, k: int) -> int:
    """Return the place of the `)` behind zsh's flags; in `(j:):)` the first one is an argument."""
    while s[k] not in ")\0\n":
        if s[k] in "gIjlrsZ_" and s[k + 1] not in ")\0":
            close = s.find({"(": ")", "[": "]", "{": "}", "<": ">"}.get(s[k + 1], s[k + 1]), k + 2)
            k = close if close > 0 else k
        k += 1
    return k if s[k] == ")" else -1


def _unescape(text: str, escapable: str) -> str:
    """Return what stands between backquotes, without the backslashes that protect `escapable`."""
    out: list[str] = []
    i = 0
    while True:
        j = text.find("\\", i)
        if j < 0 or j + 1 >= len(text):
            out.append(text[i:])
            return "".join(out)
        out.append(text[i:j])
        out.append(text[j + 1] if text[j + 1] in escapable else text[j : j + 2])
        i = j + 2
