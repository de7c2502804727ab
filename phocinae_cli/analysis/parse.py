"""The parser for sh, bash and zsh: a line of text in, a tree out, and no exception ever."""

from __future__ import annotations

from phocinae_cli.analysis.parse_compound import Compounds
from phocinae_cli.analysis.parse_cursor import MAX_DEPTH, Refused
from phocinae_cli.analysis.syntax import ArithFor, Case, Fault, For, If, Literal, Loop, Node, Sequence, Tree, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.syntax import Part

__all__ = ["MAX_CHARS", "MAX_DEPTH", "parse"]

MAX_CHARS = 65_536


def parse(text: str, dialect: str = "bash", comments: bool = True) -> Tree:
    """Return the tree of `text` as `dialect` (`bash`, `zsh` or `sh`) reads it, with a fault if it can't be read whole.

    bash is read with extglob on; `sh` is read as bash is. On a syntax error the tree holds the commands in front
    of it; an unfinished text is read as if what is missing stood at its end. Texts over `MAX_CHARS` are for the
    caller to refuse: time grows in proportion to the length, whatever the text. Without `comments` a `#` is a
    character like any other, as at a prompt of zsh (INTERACTIVE_COMMENTS is off there unless somebody sets it).
    """
    parser = Parser(text, dialect == "zsh", comments=comments)
    items: list[tuple[Node, str]] = []
    fault: Fault | None
    try:
        parser.read_list(items)
        if parser.i < parser.n:
            parser.unexpected("a command")
        fault = parser.fault
    except Refused as refused:
        fault = refused.fault
    except RecursionError:
        fault = Fault("too-deep", "nested too deep", parser.i)
    end = items[-1][0].end if fault is not None and fault.code == "syntax" and items else parser.n
    return Tree(text, dialect, Sequence(tuple(items), 0, end), fault)


class Parser(Compounds):
    """The whole language: branches and loops on top of all else."""

    __slots__ = ()

    # --- branches ---

    def if_command(self, start: int, i: int) -> Node:
        """Read `if`, in zsh also with braces or a single command."""
        branches: list[tuple[Sequence, Sequence]] = []
        orelse: Sequence | None = None
        while True:
            condition = self.block()
            self.i = self.blank(self.i)
            if self.z and self.keyword() != "then" and self.i < self.n:
                brace = self.s[self.i] == "{"
                branches.append((condition, self.body()))
                self.i = self.blank(self.i)
                following = self.keyword()
                if brace and following == "elif":
                    self.i += 4
                    continue
                if brace and following == "else":
                    self.i = self.lines(self.i + 4)
                    if self.s[self.i] != "{":
                        self.unexpected("`{`")
                    orelse = self.body()
                elif brace and self.s[self.i] not in ";\n" and self.i < self.n:
                    self.unexpected("`;`")
                break
            self.expect("then")
            branches.append((condition, self.block()))
            word = self.expect("fi", "elif", "else")
            if word == "elif":
                continue
            if word == "else":
                orelse = self.block()
                self.expect("fi")
            break
        return If(tuple(branches), orelse, start, self.i)

    def case_command(self, start: int, i: int) -> Node:
        """Read `case`."""
        s = self.s
        z = self.z
        word = self.required_word(self.blank(i))
        self.i = self.lines(self.i)
        brace = self.expect("in", "{") == "{" if self.z else self.expect("in") == "{"
        closers = ("}", "esac") if z and brace else ("esac", "}") if z else ("esac",)
        clauses: list[tuple[tuple[Word, ...], Sequence, str]] = []
        while True:
            i = self.i = self.lines(self.i)
            if i >= self.n:
                self.unfinished(f"`{closers[0]}` is missing", i)
                break
            if self.keyword() in closers:
                self.expect(*closers)
                break
            patterns = self.patterns(i)
            body = self.block(allow_empty=True)
            i = self.i
            if s[i] != ";" or s[i + 1] not in ";&|":
                clauses.append((patterns, body, ""))
                self.expect(*closers)
                break
            op = s[i : i + 3] if s[i : i + 3] == ";;&" and not self.z else s[i : i + 2]
            clauses.append((patterns, body, op))
            self.i = i + len(op)
        return Case(word, tuple(clauses), start, self.i)

    def patterns(self, i: int) -> tuple[Word, ...]:
        """Read the patterns of a clause and the `)` behind them."""
        s = self.s
        found: list[Word] = []
        if s[i] == "(" and not self.z:
            i = self.blank(i + 1)
        while True:
            if self.z and (s[i] == "|" or (s[i] == ")" and found)):  # zsh takes an empty pattern
                self.i = i
                found.append(Word((), False, i, i))
            else:
                found.append(self.required_word(i))
                if s[i] == "(" and self.s[self.i - 1] == ")" and s[self.blank(self.i)] not in "|)":
                    return tuple(found)  # zsh: the parentheses stand around all of the patterns
            i = self.i = self.blank(self.i)
            if s[i] == "|":
                i = self.blank(i + 1)
                continue
            if s[i] == ")":
                self.i = i + 1
            else:
                self.unexpected("`)`")
            return tuple(found)

    # --- loops ---

    def loop_command(self, start: int, i: int) -> Node:
        """Read `while` and `until`."""
        condition = self.block()
        self.i = self.blank(self.i)
        body = self.body(braces=self.z)
        return Loop(self.s[start : start + 5], condition, body, start, self.i)

    def repeat_command(self, start: int, i: int) -> Node:
        """Read zsh's `repeat`."""
        count = self.required_word(self.blank(i))
        self.i = self.separators(self.i)
        return Loop("repeat", None, self.body(), start, self.i, count)

    def for_command(self, start: int, i: int) -> Node:
        """Read `for`, `select` and zsh's `foreach`."""
        s = self.s
        z = self.z
        kind = s[start:i].replace("\\\n", "")
        i = self.blank(i)
        if kind == "for" and s[i] == "(" and s[i + 1] == "(":
            return self.arith_for(start, i)
        names = [self.name(i)]
        i = self.lines(self.i)
        items: tuple[Word, ...] | None = None
        if z:
            while s[i] not in "(;\n" and i < self.n:
                self.i = i
                if self.keyword() in ("in", "do") or s[i] == "{":
                    break
                names.append(self.name(i))
                i = self.blank(self.i)
            i = self.lines(i)
        self.i = i
        if self.keyword() == "in":
            items = self.items(i + 2)
            i = self.i
            if s[i] not in ";\n" and i < self.n:
                self.unexpected("`;`")
            self.i = self.separators(i)
        elif z and s[i] == "(":
            items = self.array(i + 1)
            self.i = self.separators(self.i)
        elif s[i] == ";":
            self.i = self.separators(i)
        elif not z and self.keyword() == "{":
            self.unexpected("`do`")
        if kind == "foreach" and self.keyword() != "do" and s[self.i] != "{":
            body = self.block()
            self.expect("end")
        else:
            body = self.body()
        return For(kind, tuple(names), items, body, start, self.i)

    def name(self, i: int) -> str:
        """Read a loop variable; bash refuses a strange one only when it runs the loop."""
        if i >= self.n:
            self.i = i
            self.unfinished("a name is missing", i)
            return ""
        word = self.required_word(i)
        text = self.s[word.start : word.end]
        if self.z and not (text.isidentifier() or text.isdigit()):
            self.i = i
            self.unexpected("a name")
        return text

    def arith_for(self, start: int, i: int) -> Node:
        """Read `for ((a; b; c))`."""
        parts: list[Part] = []
        self.i = self.arithmetic(i + 2, parts)
        count = sum(part.text.count(";") for part in parts if isinstance(part, Literal) and not part.quoted)
        if (count < 2 or (count > 2 and not self.z)) and self.i < self.n:
            self.fail("`for ((` without its three expressions", i)
        self.i = self.separators(self.i)
        return ArithFor(tuple(parts), self.body(), start, self.i)

    def separators(self, i: int) -> int:
        """Return the place behind newlines and one `;` (any number in zsh)."""
        i = self.blank(i)
        s = self.s
        if s[i] == ";" and s[i + 1] != ";":
            i += 1
        i = self.lines(i)
        while self.z and s[i] == ";" and s[i + 1] != ";":
            i = self.lines(i + 1)
        return i
