"""The state that all parts of the parser share: the text, the place in it, and what is wrong with it."""

from __future__ import annotations

from phocinae_cli.analysis.syntax import Fault, Redirect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, Self

    from phocinae_cli.analysis.syntax import Node, Part, ProcessSub, Sequence, Word

# A command in another (a substitution, a group) counts two levels, any other nesting one. A level costs at most seven
# frames, so the parser stays far from Python's default limit of 1,000 even where a test runner has used up 150.
MAX_DEPTH = 80
TIMES = 16
SPARE = 4096

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


# Turns all of them into a byte that `bytes.find` can look for, and every other character into some other byte.
_MARK = bytes([1 if chr(i) in SPECIAL else 32 if i == 1 else i for i in range(256)])
_PAIRED = frozenset("()'\"\\$`{}\0")
PLAIN = "'\"<>"


class Refused(Exception):
    """The text can't be read further; caught where a whole tree, or a reading that was only tried, ends."""

    def __init__(self, code: str, message: str, at: int) -> None:
        super().__init__(message)
        self.fault = Fault(code, message, at)


class Cursor:
    """The text, the place reached in it, and the faults found so far."""

    __slots__ = (
        "budget",
        "comments",
        "comsub",
        "depth",
        "fault",
        "i",
        "marks",
        "n",
        "pairs",
        "pending",
        "refuted",
        "s",
        "z",
    )

    def __init__(self, text: str, z: bool, depth: int = 0, comments: bool = True) -> None:
        self.s = s = text + "\0\0\0\0"
        self.marks = s.encode("ascii", "replace").translate(_MARK)
        self.n = len(text)
        self.z = z
        self.comments = comments
        self.i = 0
        self.depth = depth
        # How many characters may be read a second time, shared with the readers of inner texts. Without an end to it,
        # readings that are tried in vain inside one another would double the work on every level.
        self.budget = [SPARE + TIMES * self.n]
        self.comsub = 0
        self.fault: Fault | None = None
        self.pending: list[Redirect] = []
        self.pairs: dict[int, int] = {}  # `(` -> its `)`, or -1, as far as a scan for `((` has looked
        self.refuted: set[int] = set()  # places where a reading was tried in vain

    # --- what the other layers add ---

    def sequence(self) -> Sequence:
        """Read a list up to the word or operator that ends it."""
        raise NotImplementedError

    def read_list(self, items: list[tuple[Node, str]]) -> None:
        """Append the commands from the cursor on, each with its terminator."""
        raise NotImplementedError

    def expansion(self, i: int, quoted: bool, parts: list[Part]) -> int:
        """Read the expansion that starts with the `$` or backquote at `i`; return the place behind it."""
        raise NotImplementedError

    def process_sub(self, i: int) -> ProcessSub:
        """Read the process substitution at `i`."""
        raise NotImplementedError

    def separators(self, i: int) -> int:
        """Return the place behind newlines and one `;` (any number in zsh)."""
        raise NotImplementedError

    def newline(self, i: int) -> int:
        """Step over the newline at `i` and the here-documents that begin behind it."""
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
            j = self.marks.find(1, j)
        self.fail(f"`{self.s[i:j]}` where {wanted} was expected", i)

    def deeper(self) -> None:
        """Count one level of nesting."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused("too-deep", f"nested deeper than {MAX_DEPTH} levels", self.i)

    # --- trying, and reading inside ---

    def mark(self) -> Mark:
        """Return all that `rewind` needs to undo a reading that was only tried."""
        return (self.i, self.depth, self.comsub, self.fault, tuple(self.pending))

    def spend(self, chars: int) -> None:
        """Take what is read twice from the budget, and refuse the text when that is used up."""
        self.budget[0] -= chars
        if self.budget[0] < 0:
            raise Refused("too-deep", "too many nestings of which each could be read in two ways", self.i)

    def rewind(self, mark: Mark, reached: int) -> None:
        """Go back to where `mark` was made from the place that was reached."""
        self.spend(max(reached, self.i) - mark[0])
        self.i, self.depth, self.comsub, self.fault, pending = mark
        self.pending = list(pending)

    def child(self, text: str, at: int) -> Self:
        """Return a reader for a text inside this one, whose spans are moved when it is done."""
        self.deeper()
        self.spend(len(text))
        inner = type(self)(text, self.z, self.depth, self.comments)
        inner.budget = self.budget
        self.depth -= 1
        return inner

    def adopt(self, inner: Cursor, at: int, where: str) -> None:
        """Take over the fault of a reader of an inner text at `at`; what is open in it stays open for good."""
        fault = inner.fault
        if fault is not None:
            if fault.code == "too-deep":
                raise Refused(fault.code, fault.message, at)
            if self.fault is None:
                self.fault = Fault("syntax", f"in {where}: {fault.message}", min(at + fault.at, self.n))

    # --- moving on ---

    def blank(self, i: int) -> int:
        """Return the place of the next token: behind blanks, joined lines and a comment."""
        s = self.s
        while True:
            c = s[i]
            if c == " " or c == "\t":
                i += 1
            elif c == "\\" and s[i + 1] == "\n":
                i += 2
            elif c == "#" and self.comments:
                i = s.find("\n", i)
                return self.n if i < 0 else i
            else:
                return i

    def lines(self, i: int) -> int:
        """Return the place of the next token that is not a newline."""
        while True:
            i = self.blank(i)
            if self.s[i] != "\n":
                return i
            i = self.newline(i)

    def keyword(self) -> str:
        """Return the plain word at the cursor; nothing where quotes or an expansion belong to the word."""
        s = self.s
        i = self.i
        j = self.marks.find(1, i)
        if (s[j] in QUOTING and s[j : j + 2] != "\\\n") or (self.z and s[j] == "("):
            return ""
        if self.z and s[i : i + 2] == "}}":
            return "}"
        return s[i:j]

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

    # --- pairs of parentheses ---

    def is_arithmetic(self, i: int) -> bool:
        """Tell whether the `((` at `i` is closed by `))`, or by nothing, so that it is not a subshell in another."""
        pairs = self.pairs
        if i not in pairs:
            self.pair_up(i)
        inner = pairs.get(i + 1, -1)
        return inner < 0 or pairs[i] == inner + 1

    def pair_up(self, i: int) -> None:
        """Find the partner of the `(` at `i` and of every one inside it, once for all readings to come."""
        s = self.s
        pairs = self.pairs
        open_at = [i]
        kinds = ["("]
        j = i + 1
        while open_at:
            c = s[j]
            while c not in _PAIRED:
                j += 1
                c = s[j]
            kind = kinds[-1]
            if j >= self.n:
                break
            if c == "\\":
                j += 1
            elif c == '"':
                if kind == '"':
                    kinds.pop()
                    open_at.pop()
                else:
                    kinds.append(c)
                    open_at.append(j)
            elif c == "$":
                if s[j + 1] == "{" or (s[j + 1] == "(" and kind == '"'):
                    j += 1
                    kinds.append(s[j])
                    open_at.append(j)
            elif c == "`":
                j += 1
                while s[j] not in "`\0":
                    j += 2 if s[j] == "\\" and j + 1 < self.n else 1
            elif kind == '"':
                pass
            elif c == "'":
                j = s.find("'", j + 1)
                if j < 0:
                    break
            elif c == "(":
                kinds.append(c)
                open_at.append(j)
            elif (c == ")" and kind == "(") or (c == "}" and kind == "{"):
                kinds.pop()
                pairs[open_at.pop()] = j
            j += 1
            if j > self.n:
                break
        for left in open_at:
            pairs[left] = -1


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
