"""Reading of groups, functions, coprocesses and `[[ ... ]]`, and what all compound commands need."""

from __future__ import annotations

from phocinae_cli.analysis.parse_lists import KEYWORDS, KEYWORDS_ZSH
from phocinae_cli.analysis.parse_simple import Commands
from phocinae_cli.analysis.syntax import (
    Arithmetic,
    Coproc,
    Function,
    Group,
    Literal,
    Node,
    Sequence,
    Simple,
    Subshell,
    Test,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.syntax import Part, Redirect

_UNARY = frozenset("abcdefghkLnNoprsStuvwxzGOR")
_BINARY = frozenset(("=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"))


class Compounds(Commands):
    """The compound commands without branches and loops, which `Parser` adds.

    Each method named in `KEYWORDS` gets the place where the command starts and the one behind its keyword.
    """

    __slots__ = ()

    # --- parts of compound commands ---

    def expect(self, *wanted: str) -> str:
        """Step over one of the wanted words at the cursor and return it; the first of them at the end of the text."""
        i = self.i = self.blank(self.i)
        word = self.keyword()
        if word in wanted:
            self.i = i + len(word)
            return word
        if self.z and self.s[i] == "{" and "{" in wanted:
            self.i = i + 1
            return "{"
        self.unexpected(f"`{wanted[0]}`")
        return wanted[0]

    def block(self, allow_empty: bool = False) -> Sequence:
        """Read a list that must not be empty in bash."""
        body = self.sequence()
        if not body.items and not allow_empty and not self.z:
            self.unexpected("a command")
        return body

    def body(self, *, braces: bool = True) -> Sequence:
        """Read `do list done`, `{ list }` or, in zsh, the single command of a short loop."""
        s = self.s
        word = self.keyword()
        if word == "do":
            self.i += 2
            body = self.block()
            self.expect("done")
            return body
        if braces and (word == "{" or (self.z and s[self.i] == "{")):
            self.i += 1
            body = self.block()
            self.expect("}")
            return body
        if not self.z or self.i >= self.n:
            self.unexpected("`do`")
            return Sequence((), self.i, self.i)
        start = self.i
        self.deeper()
        node = self.pipeline()
        if node is None:
            if s[self.i] not in "\n;)}":
                self.unexpected("a command")
            return Sequence((), start, start)
        node = self.chain(node)
        self.depth -= 1
        return Sequence(((node, ""),), start, node.end)

    def required_word(self, i: int) -> Word:
        """Read the word that must stand at `i`."""
        word = self.word(i)
        if self.i == i:
            self.unexpected("a word")
        return word

    def items(self, i: int) -> tuple[Word, ...]:
        """Read the words of a loop."""
        found: list[Word] = []
        while True:
            i = self.i = self.blank(i)
            if self.s[i] in "\n;&|)" or (self.s[i] in "<>" and self.s[i + 1] != "(") or i >= self.n:
                return tuple(found)
            found.append(self.required_word(i))
            i = self.i

    # --- grouping ---

    def parenthesis(self, start: int, i: int) -> Node:
        """Read `((...))`, `(...)` or zsh's anonymous `() {...}`."""
        s = self.s
        if s[i + 1] == "(" and self.is_arithmetic(i):
            parts: list[Part] = []
            self.i = end = self.arithmetic(i + 2, parts)
            return Arithmetic(tuple(parts), start, end)
        if self.z and s[i + 1] == ")":
            return self.function_body((), start, i + 2)
        self.i = i + 1
        body = self.block()
        if s[self.i] == ")":
            self.i += 1
        else:
            self.unexpected("`)`")
        return Subshell(body, start, self.i)

    def group_command(self, start: int, i: int) -> Node:
        """Read `{ list }`, with zsh's `always`."""
        body = self.block()
        self.expect("}")
        end = self.i
        always: Sequence | None = None
        if self.z:
            self.i = self.blank(end)
            if self.keyword() == "always":
                self.i = self.blank(self.i + 6)
                self.expect("{")
                always = self.block()
                self.expect("}")
                end = self.i
            else:
                self.i = end
        return Group(body, start, end, always)

    # --- functions and coprocesses ---

    def function_command(self, start: int, i: int) -> Node:
        """Read `function name {...}`."""
        s = self.s
        names: list[Word] = []
        i = self.blank(i)
        while s[i] not in "\n;|&)<>" and i < self.n:
            if (self.z and s[i] == "{") or (s[i] == "(" and not (self.z and s[i + 1] != ")")):
                break
            names.append(self.required_word(i))
            i = self.blank(self.i)
            if not self.z:
                break
        if not names and not self.z:
            self.i = i
            self.unexpected("a name")
        if s[i] == "(":
            j = self.blank(i + 1)
            if s[j] == ")":
                i = j + 1
            elif self.z:
                self.i = j
                self.unexpected("`)`")
        return self.function_body(tuple(names), start, i)

    def compound_function(self, names: tuple[Word, ...], start: int) -> Node:
        """Read the function whose parentheses stand at the cursor."""
        i = self.i = self.blank(self.i + 1)
        if self.s[i] == ")":
            i += 1
        else:
            self.unexpected("`)`")
        self.deeper()
        node = self.function_body(names, start, i)
        self.depth -= 1
        return node

    def function_body(self, names: tuple[Word, ...], start: int, i: int) -> Node:
        """Read the body of a function from `i` on, and the arguments of an anonymous one."""
        self.i = self.separators(i) if self.z else self.lines(i)
        node: Node | None = None
        if self.z and self.keyword() == "time":
            node = self.pipeline()
        elif self.z or self.compound_ahead(self.i):
            node = self.command()
        if node is None:
            self.unexpected("the body of a function")
            node = Group(Sequence((), self.i, self.i), self.i, self.i)
        if names or isinstance(node, Simple) or not self.z:
            return Function(names, node, start, node.end)
        args = list(self.items(self.i))
        redirects: list[Redirect] = []
        while (redirect := self.redirection(self.i)) is not None:
            redirects.append(redirect)
            args.extend(self.items(self.i))
        function = Function(names, node, start, max(node.end, self.i), tuple(args))
        function.redirects = tuple(redirects)
        return function

    def compound_ahead(self, i: int) -> bool:
        """Tell whether a compound command starts at `i`."""
        if self.s[i] == "(":
            return True
        self.i = i
        word = self.keyword()
        method = (KEYWORDS_ZSH if self.z else KEYWORDS).get(word)
        if not method or method == "function_command" or method == "coproc_command":
            return False
        return self.s[i + len(word)] in " \t\n;|&()<>\0"

    def coproc_command(self, start: int, i: int) -> Node:
        """Read `coproc [NAME] command`."""
        s = self.s
        name = ""
        i = self.i = self.blank(i)
        if not self.z and not self.compound_ahead(i):
            word = self.keyword()
            j = i + len(word)
            if word and s[j] in " \t(" and word[0] != "#":
                k = self.blank(j)
                if self.compound_ahead(k):
                    name = word
                    i = k
        self.i = i
        node: Node | None
        if self.z and self.keyword() != "!":
            node = self.pipeline()
        elif name or self.compound_ahead(i):
            node = self.command()
        else:
            node = None
            word = self.keyword()
            if s[i] not in "\n;|)(" and i < self.n and word not in KEYWORDS:
                node = self.simple(i, i + len(word))
        if node is None:
            if not self.z or self.keyword() == "!":
                self.unexpected("a command")
            node = Simple((), (), (), i, i)
        elif isinstance(node, Function) and not self.z:
            self.fail("a function as a coprocess", start)
        return Coproc(name, node, start, node.end)

    # --- tests ---

    def test_command(self, start: int, i: int) -> Node:
        """Read `[[ ... ]]`."""
        s = self.s
        z = self.z
        words: list[Word] = []
        nest = 0
        term = True  # an operand is due, rather than `&&`, `||`, `)` or the end
        while True:
            i = self.lines(i)
            if i >= self.n:
                self.unfinished("`]]` is missing", i)
                break
            c = s[i]
            two = s[i : i + 2]
            if two == "&&" or two == "||":
                if term:
                    self.i = i
                    self.unexpected("an operand")
                words.append(self.operator_word(two, i))
                i += 2
                term = True
                continue
            if c == "(" and term:
                self.deeper()
                nest += 1
                words.append(self.operator_word(c, i))
                i += 1
                continue
            if c == ")" and not term and nest:
                self.depth -= 1
                nest -= 1
                words.append(self.operator_word(c, i))
                i += 1
                continue
            self.i = i
            word = self.keyword()
            if word == "]]" and s[i + 2] in " \t\n;|&()<>\0":
                if nest or term:
                    self.unexpected("an operand" if term else "`)`")
                i += 2
                break
            if not term:
                self.unexpected("`]]`")
            if word == "!" and s[i + 1] in " \t\n(":
                words.append(self.operator_word(word, i))
                i += 1
                continue
            i = self.comparison_zsh(i, words) if z else self.comparison(i, words)
            term = False
        self.i = i
        self.depth -= nest
        return Test(tuple(words), start, i)

    def comparison(self, i: int, words: list[Word]) -> int:
        """Read one comparison of bash at `i`; return the place behind it."""
        s = self.s
        left = self.test_word(i)
        words.append(left)
        text = left.bare() or ""
        i = self.i = self.blank(self.i)
        operator = ""
        if len(text) != 2 or text[0] != "-" or text[1] not in _UNARY:
            operator = self.keyword()
            if self.ends_test(i) or i >= self.n:
                if s[i] == "\n":
                    self.unexpected("`]]`")
                return i
            if s[i] in "<>" and s[i + 1] != "(":
                operator = s[i]
                if i == left.end and text.isascii() and text.isdigit():
                    self.unexpected("an operator or `]]`")
            elif operator not in _BINARY or s[i + len(operator)] not in " \t\n\\(<>'\"$`":
                self.unexpected("an operator or `]]`")
            words.append(self.operator_word(operator, i))
            i = self.i = self.blank(i + len(operator))
        if i >= self.n:
            self.unfinished("`]]` is missing", i)
            return i
        regex = operator == "=~"
        if self.ends_test(i) and not (regex and s[i] == "|"):
            self.unexpected("an operand")
        words.append(self.test_word(i, regex))
        return self.i

    def comparison_zsh(self, i: int, words: list[Word]) -> int:
        """Read one comparison of zsh at `i`; return the place behind it.

        zsh takes any run of words here that starts with an option, for modules may add tests.
        """
        s = self.s
        found = [self.test_word(i)]
        i = self.lines(self.i)
        if s[i] in "<>" and s[i + 1] != "(" and not self.number_range(i):
            text = found[0].bare() or ""
            if i == found[0].end and text.isascii() and text.isdigit():
                self.fail("a redirection inside `[[`", i)
            found.append(self.operator_word(s[i], i))
            i = self.lines(i + 1)
            if self.ends_test(i):
                self.i = i
                self.unexpected("an operand")
            found.append(self.test_word(i))
            i = self.lines(self.i)
        else:
            while not self.ends_test(i) and i < self.n:
                if s[i] in "<>" and s[i + 1] != "(" and not self.number_range(i):
                    break
                regex = len(found) == 2 and found[1].bare() == "=~"
                found.append(self.test_word(i, regex))
                i = self.lines(self.i)
            option = s[found[0].start] == "-" and found[0].end > found[0].start + 1
            if len(found) == 2 or len(found) > 3:
                good = option
            elif len(found) == 3:
                operator = found[1].bare() or ""
                good = option or operator in _BINARY or (operator[:1] == "-" and len(operator) > 2)
            else:
                good = True
            if not good and i < self.n:
                self.fail("not a condition", found[0].start)
        words.extend(found)
        return i

    def ends_test(self, i: int) -> bool:
        """Tell whether what stands at `i` can't be an operand."""
        s = self.s
        c = s[i]
        if c == "]" and s[i + 1] == "]":
            return s[i + 2] in " \t\n;|&()<>\0"
        return c in "\n;&|)"

    def test_word(self, i: int, regex: bool = False) -> Word:
        """Read an operand of `[[`."""
        word = self.word(i, regex)
        if self.i == i:
            self.unexpected("an operand")
        return word

    def operator_word(self, text: str, i: int) -> Word:
        """Return an operator as a word."""
        return Word((Literal(text, False, i, i + len(text)),), False, i, i + len(text))
