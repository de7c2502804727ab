"""Reading of words: quotes, patterns, here-document bodies, and the state that all parts of the parser share."""

from __future__ import annotations

from phocinae_cli.analysis.syntax import Fault, Literal, Redirect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from phocinae_cli.analysis.syntax import Part, ProcessSub, Sequence

# The parser costs at most eleven frames a level, so this keeps it under Python's default limit of 1,000 frames
# even when a test runner has used up 200.
MAX_DEPTH = 60

NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
DIGITS = frozenset("0123456789")
NAME = NAME_START | DIGITS
# A plain run of a word ends at one of these. Some "\0" stand behind the text, so that no loop needs to ask for its end.
SPECIAL = frozenset(" \t\n;|&()<>'\"\\$`\0")
QUOTING = frozenset("'\"\\$`")
EXPANDS = NAME | frozenset("({[@*#?-$!'\"")
EXTGLOB = frozenset("@*+?!")

Mark = tuple[int, int, int, Fault | None, tuple[Redirect, ...]]
Stop = tuple[frozenset[str], frozenset[str]]  # where a run ends, and all characters it must look at


def stop(ends: str, also: str) -> Stop:
    """Return the stop for a run that ends at one of `ends` and has the active characters `also`."""
    return frozenset(ends), frozenset(ends + also + "\\$`\0")


IN_QUOTES = stop('"', "")
IN_HEREDOC = stop("", "")
IN_SINGLE = stop("'", "")
PLAIN = "'\"<>"

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
_HEX = frozenset("0123456789abcdefABCDEF")


class Refused(Exception):
    """The text can't be read further; caught where a whole tree, or a reading that was only tried, ends."""

    def __init__(self, code: str, message: str, at: int) -> None:
        super().__init__(message)
        self.fault = Fault(code, message, at)


class Words:
    """The cursor, and everything that can stand inside a word except expansions, which `Expansions` adds."""

    __slots__ = ("comsub", "depth", "fault", "i", "n", "pairs", "pending", "refuted", "s", "z")

    def __init__(self, text: str, z: bool, depth: int = 0) -> None:
        self.s = text + "\0\0\0\0"
        self.n = len(text)
        self.z = z
        self.i = 0
        self.depth = depth
        self.comsub = 0
        self.fault: Fault | None = None
        self.pending: list[Redirect] = []
        self.pairs: dict[int, int] = {}  # `(` -> its `)`, or -1, as far as a scan for `((` has looked
        self.refuted: set[int] = set()  # places where a reading was tried in vain

    # --- what the other layers add ---

    def sequence(self) -> Sequence:
        """Read a list up to the word or operator that ends it."""
        raise NotImplementedError

    def expansion(self, i: int, quoted: bool, parts: list[Part]) -> int:
        """Read the expansion that starts with the `$` or backquote at `i`; return the place behind it."""
        raise NotImplementedError

    def process_sub(self, i: int) -> ProcessSub:
        """Read the process substitution at `i`."""
        raise NotImplementedError

    # --- faults ---

    def fail(self, message: str, at: int) -> NoReturn:
        """Refuse the text as the shell would."""
        raise Refused("syntax", message, at)

    def unfinished(self, message: str, at: int) -> None:
        """Note that the text ends too early; reading goes on as if the missing piece stood at its end."""
        if self.fault is None:
            self.fault = Fault("unfinished", message, at)

    def unexpected(self, wanted: str) -> None:
        """Note at the end of the text that `wanted` is missing; refuse anything else at the cursor."""
        i = self.i
        if i >= self.n:
            self.unfinished(f"{wanted} is missing", self.n)
            return
        if self.s[i] == "\n":
            self.fail(f"{wanted} is missing before the end of the line", i)
        j = i + 1
        if self.s[i] in SPECIAL:
            j += self.s[j] == self.s[i]
        else:
            while self.s[j] not in SPECIAL:
                j += 1
        self.fail(f"`{self.s[i:j]}` where {wanted} was expected", i)

    def mark(self) -> Mark:
        """Return all that `rewind` needs to undo a reading that was only tried."""
        return (self.i, self.depth, self.comsub, self.fault, tuple(self.pending))

    def rewind(self, mark: Mark) -> None:
        """Go back to where `mark` was made."""
        self.i, self.depth, self.comsub, self.fault, pending = mark
        self.pending = list(pending)

    def deeper(self) -> None:
        """Count one level of nesting."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused("too-deep", f"nested deeper than {MAX_DEPTH} levels", self.i)

    # --- words ---

    def blank(self, i: int) -> int:
        """Return the place of the next token: behind blanks, joined lines and a comment."""
        s = self.s
        while True:
            c = s[i]
            if c == " " or c == "\t":
                i += 1
            elif c == "\\" and s[i + 1] == "\n":
                i += 2
            elif c == "#":
                i = s.find("\n", i)
                return self.n if i < 0 else i
            else:
                return i

    def word(self, i: int, regex: bool = False, value: bool = False) -> Word:
        """Read the word at `i`; the cursor is left behind it, or at `i` where no word starts.

        Blanks and operators inside the parentheses of a pattern belong to the word; `regex` makes any
        parenthesis and `|` part of it, as behind `=~`; `value` is for what an assignment gives.
        """
        s = self.s
        z = self.z
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
            j = i
            c = s[j]
            while c not in SPECIAL:
                j += 1
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
            if z and text[-1] == "}" and not value and closes_brace(text, parts):
                text = text[:-1] if i > start + 1 else ""
                i -= 1
            if text:
                parts.append(Literal(text, False, at, i))
        self.i = i
        return Word(tuple(parts), quoted, start, i)

    def number_range(self, i: int) -> int:
        """Return the end of zsh's `<1-9>` at `i`, or 0."""
        s = self.s
        j = i + 1
        while s[j] in DIGITS:
            j += 1
        if s[j] != "-":
            return 0
        j += 1
        while s[j] in DIGITS:
            j += 1
        return j + 1 if s[j] == ">" else 0

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
                    parts.append(Literal(text, True, i, j))
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
            while c not in active and c != opener:
                j += 1
                c = s[j]
            if j > i:
                text += s[i:j]
                i = j
            if c in ends:
                if not nest or c in ":/":
                    if not nest:
                        break
                else:
                    nest -= 1
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

    # --- here-documents ---

    def newline(self, i: int) -> int:
        """Step over the newline at `i` and the here-documents that begin behind it."""
        return self.bodies(i + 1) if self.pending else i + 1

    def bodies(self, i: int) -> int:
        """Read the bodies of the here-documents announced on the line before `i`; return the place behind them."""
        s = self.s
        n = self.n
        waiting, self.pending = self.pending, []
        for redirect in waiting:
            target = redirect.target
            literal = target.quoted
            end_word = _delimiter(s, target)
            strip = redirect.op == "<<-"
            start = i
            joined = False
            redirect.closed = False
            stop_at = n
            while i < n:
                end = s.find("\n", i, n)
                if end < 0:
                    end = n
                line = s[i:end]
                bare = line.lstrip("\t") if strip else line
                if not joined:
                    if bare == end_word:
                        redirect.closed = True
                        stop_at = i
                        i = min(end + 1, n)
                        break
                    if self.comsub and bare.startswith(end_word) and ")" in bare[len(end_word) :]:
                        # bash lets the `)` of a substitution stand on the line of the delimiter
                        redirect.closed = True
                        stop_at = i
                        i += len(line) - len(bare) + len(end_word)
                        break
                joined = not literal and (len(line) - len(line.rstrip("\\"))) % 2 == 1
                i = end + 1
            else:
                i = n
            redirect.body = self.document(start, min(stop_at, n), literal, strip)
        return i

    def document(self, start: int, end: int, literal: bool, strip: bool) -> Word:
        """Return the text of a here-document, with its expansions unless it is `literal`."""
        text = self.s[start:end]
        moved = False
        if strip and "\t" in text:
            bare = "\n".join([line.lstrip("\t") for line in text.split("\n")])
            moved = bare != text
            text = bare
        if literal or ("$" not in text and "`" not in text and "\\" not in text):
            parts: tuple[Part, ...] = (Literal(text, True, start, end),) if text else ()
            return Word(parts, literal, start, end)
        inner = self.child(text, start)
        found: list[Part] = []
        try:
            inner.run(0, IN_HEREDOC, True, found)
        except Refused as refused:
            inner.fault = refused.fault
        self.adopt(inner, start, "the here-document")
        word = Word(tuple(found), False, 0, len(text))
        place(word, start, (start, end) if moved else None)
        word.start, word.end = start, end
        return word

    def child(self, text: str, at: int) -> Words:
        """Return a reader for a text inside this one, whose spans are moved when it is done."""
        self.deeper()
        inner = type(self)(text, self.z, self.depth)
        self.depth -= 1
        return inner

    def adopt(self, inner: Words, at: int, where: str) -> None:
        """Take over the fault of a reader of an inner text at `at`; what is open in it stays open for good."""
        fault = inner.fault
        if fault is not None:
            if fault.code == "too-deep":
                raise Refused(fault.code, fault.message, at)
            if self.fault is None:
                self.fault = Fault("syntax", f"in {where}: {fault.message}", min(at + fault.at, self.n))


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


def _delimiter(s: str, target: Word) -> str:
    """Return the line that ends a here-document: the word after quote removal, without any expansion."""
    if not target.quoted:
        return s[target.start : target.end].replace("\\\n", "")
    out: list[str] = []
    for part in target.parts:
        out.append(part.text if isinstance(part, Literal) else s[part.start : part.end])
    return "".join(out)


def place(root: Word | Sequence, shift: int, pin: tuple[int, int] | None = None) -> None:
    """Move all spans under `root` by `shift`, or set all of them to `pin`."""
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif node is not None and not isinstance(node, (str, int)):
            for kind in type(node).__mro__:
                for slot in getattr(kind, "__slots__", ()):
                    value = getattr(node, slot)
                    if slot == "start":
                        setattr(node, slot, pin[0] if pin else value + shift)
                    elif slot == "end":
                        setattr(node, slot, pin[1] if pin else value + shift)
                    else:
                        stack.append(value)
