"""Reading of lists, pipelines, simple commands, assignments and redirections."""

from __future__ import annotations

from phocinae_cli.analysis.parse_expand import Expansions
from phocinae_cli.analysis.parse_words import EXTGLOB, NAME, NAME_START, PLAIN, SPECIAL, Refused, closes_brace, stop
from phocinae_cli.analysis.syntax import (
    AndOr,
    Assign,
    Literal,
    Node,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.syntax import Part

_WORD_ENDS = frozenset(" \t\n;|&)")
_STOPS = frozenset("\n;|&)#\\(\0")
_BREAKS = frozenset(" \t\n;|&()<>\0")
_AFTER_BANG = frozenset(" \t\n;|&()<>\0")
_SUBSCRIPT = stop("]", PLAIN)
_ASSIGNING = frozenset(("alias", "declare", "export", "local", "readonly", "typeset", "eval", "let"))
_ASSIGNING_ZSH = _ASSIGNING | {"float", "integer", "private"}

# What a keyword at the start of a command means: the method that reads the rest, or "" for a word that ends a list.
KEYWORDS = {
    "if": "if_command",
    "while": "loop_command",
    "until": "loop_command",
    "for": "for_command",
    "select": "for_command",
    "case": "case_command",
    "function": "function_command",
    "coproc": "coproc_command",
    "[[": "test_command",
    "{": "group_command",
    "then": "",
    "elif": "",
    "else": "",
    "fi": "",
    "do": "",
    "done": "",
    "esac": "",
    "}": "",
    "in": "",
    "]]": "",
    "!": "",
}
KEYWORDS_ZSH = {
    **{word: KEYWORDS[word] for word in KEYWORDS if word not in ("in", "]]", "{")},
    "repeat": "repeat_command",
    "foreach": "for_command",
    "end": "",
}


class Commands(Expansions):
    """Everything between words and compound commands; those are added by `Parser`."""

    __slots__ = ()

    # --- lists ---

    def sequence(self) -> Sequence:
        """Read a list up to the word or operator that ends it, which is left at the cursor."""
        self.deeper()
        items: list[tuple[Node, str]] = []
        start = self.i
        self.read_list(items)
        self.depth -= 1
        return Sequence(tuple(items), start, self.i)

    def read_list(self, items: list[tuple[Node, str]]) -> None:
        """Append the commands from the cursor on, each with its terminator."""
        s = self.s
        z = self.z
        i = self.i
        while True:
            c = s[i]
            while c in " \t\n#\\":
                if c == "\n":
                    i = self.newline(i)
                elif c == "#":
                    i = self.blank(i)
                elif c != "\\":
                    i += 1
                elif s[i + 1] == "\n":
                    i += 2
                else:
                    break
                c = s[i]
            self.i = i
            node = self.pipeline()
            if node is None:
                if z and c == ";" and s[i + 1] not in ";&|":
                    i += 1
                    continue
                return
            i = self.i
            c = s[i]
            if (c == "&" or c == "|") and s[i + 1] == c:
                node = self.chain(node)
                i = self.i
                c = s[i]
            if c == ";":
                if s[i + 1] in (";&|" if z else ";&"):
                    items.append((node, ""))
                    return
                items.append((node, ";"))
                i += 1
            elif c == "\n":
                items.append((node, c))
                i = self.newline(i)
            elif c == "&":
                items.append((node, c))
                i += 1
                if z and s[i] in "!|":
                    i += 1
            else:
                items.append((node, ""))
                return

    def chain(self, first: Node) -> Node:
        """Read the `&&` and `||` at the cursor and the pipelines behind them."""
        s = self.s
        rest: list[tuple[str, Node]] = []
        end = first.end
        while True:
            i = self.i
            op = s[i : i + 2]
            if op != "&&" and op != "||":
                return AndOr(first, tuple(rest), first.start, end) if rest else first
            self.i = self.lines(i + 2)
            node = self.pipeline()
            if node is None:
                if self.z and s[self.i] in ";\n" and s[self.i : self.i + 2] != ";;":
                    return AndOr(first, tuple(rest), first.start, end) if rest else first
                self.unexpected(f"a command behind `{op}`")
                return AndOr(first, tuple(rest), first.start, end) if rest else first
            rest.append((op, node))
            end = node.end

    def lines(self, i: int) -> int:
        """Return the place of the next token that is not a newline."""
        while True:
            i = self.blank(i)
            if self.s[i] != "\n":
                return i
            i = self.newline(i)

    def pipeline(self) -> Node | None:
        """Read a pipeline; None, and nothing read, where a word or an operator stands that ends a list."""
        s = self.s
        z = self.z
        i = start = self.i
        c = s[i]
        negated = timed = False
        if c == "!" or c == "t":
            while True:
                if s[i] == "!" and s[i + 1] in _AFTER_BANG:
                    if s[i + 1] == "(" and not self.negates(i):
                        break
                    if negated and z:
                        self.unexpected("a command")
                    negated = not negated
                    i += 1
                elif s.startswith("time", i) and s[i + 4] in _BREAKS:
                    if s[i + 4] == "(" and s[self.blank(i + 5)] == ")":
                        break  # a function of that name
                    timed = True
                    i += 4
                    j = self.blank(i)
                    for option in ("-p", "--"):
                        if s.startswith(option, j) and s[j + 2] in _BREAKS:
                            i = j = self.blank(j + 2)
                else:
                    break
                self.i = i = self.blank(i)
        prefixed = i > start
        node = self.command()
        if node is None:
            if not prefixed:
                return None
            c = s[self.i]
            if c not in ";\n" and self.i < self.n and not (z and timed and c in ")|}&"):
                self.unexpected("a command")
            return Pipeline((), start, i, negated, timed)
        i = self.i
        if s[i] == "|" and s[i + 1] != "|":
            commands = [node]
            while s[i] == "|" and s[i + 1] != "|":
                self.i = self.lines(i + 2 if s[i + 1] == "&" else i + 1)
                following = self.command()
                if following is None:
                    self.unexpected("a command behind `|`")
                    break
                commands.append(following)
                i = self.i
            return Pipeline(tuple(commands), start, commands[-1].end, negated, timed)
        return Pipeline((node,), start, node.end, negated, timed) if prefixed else node

    def negates(self, i: int) -> bool:
        """Tell whether the `!(` at `i` can be read as a negated subshell, as a shell without extglob would."""
        if i in self.refuted:
            return False
        mark = self.mark()
        self.i = i + 1
        try:
            node = self.command()
            if node is None or (self.s[self.i] not in "\n;|&)}" and self.i < self.n):
                self.refuted.add(i)
        except Refused as refused:
            if refused.fault.code == "too-deep":
                raise
            self.refuted.add(i)
        self.rewind(mark)
        return i not in self.refuted

    def command(self) -> Node | None:
        """Read one command; None, and nothing read, where there is none."""
        s = self.s
        i = j = self.i
        c = s[j]
        while c not in SPECIAL:
            j += 1
            c = s[j]
        if j > i:
            if self.z:
                if s[i] == "{":
                    return self.compound("group_command", i, i + 1)
                method = KEYWORDS_ZSH.get(s[i:j])
            else:
                method = KEYWORDS.get(s[i:j])
            if method is None:
                if c == "\\" and s[j + 1] == "\n":
                    word = self.word(i)  # `i\<newline>f` is a keyword, too
                    method = (KEYWORDS_ZSH if self.z else KEYWORDS).get(word.bare() or "")
                    if method:
                        return self.compound(method, i, self.i)
                    self.i = i
                    if method == "":
                        self.fail("a keyword that starts nothing", i)
            elif c in _BREAKS and (c != "(" or method or not self.z or s[i:j] in ("}", "]]")):
                if method:
                    return self.compound(method, i, j)
                if s[i:j] != "!" or s[j] != "(":
                    return None
        elif c == "(":
            return self.compound("parenthesis", i, i)
        elif c in ";|)\n" or j >= self.n or (c == "&" and s[j + 1] != ">"):
            return None
        return self.simple(i, j)

    def compound(self, method: str, start: int, i: int) -> Node:
        """Read the compound command whose keyword ends at `i`, with the redirections behind it."""
        self.deeper()
        self.i = i
        node: Node = getattr(self, method)(start, i)
        if self.z and method in ("if_command", "loop_command", "for_command") and self.s[self.i - 1] in "ei":
            self.separated()
        self.depth -= 1
        if node.end <= start:
            node.end = self.i
        i = self.i = self.blank(self.i)
        s = self.s
        if s[i] not in "\n;|)":
            found: list[Redirect] = []
            while (redirect := self.redirection(i)) is not None:
                found.append(redirect)
                i = self.i = self.blank(self.i)
            if found:
                target = node
                target.redirects = (*target.redirects, *found)
                node.end = found[-1].end
                if s[i] not in "\n;|&)" and i < self.n and not self.z:
                    self.unexpected("`;`")
        return node

    def separated(self) -> None:
        """Refuse a closing word straight behind `fi` or `done`, which zsh takes only from behind a `;`."""
        i = j = self.i
        self.i = i = j = self.blank(i)
        while self.s[j] not in SPECIAL:
            j += 1
        if KEYWORDS_ZSH.get(self.s[i:j]) == "" and self.s[i:j] not in ("}", "esac"):
            self.unexpected("`;`")

    # --- simple commands ---

    def simple(self, start: int, j: int) -> Node:
        """Read a simple command, or the function it turns out to define; its first plain run ends at `j`."""
        s = self.s
        n = self.n
        z = self.z
        words: list[Word] = []
        assigns: list[Assign] = []
        redirects: list[Redirect] = []
        late: list[Assign] = []
        i = start
        c = s[j]
        end = start
        while True:
            if j > i and (c in _WORD_ENDS or j >= n):
                text = s[i:j]
                if not words and ("=" in text or "[" in text) and (assign := self.assignment(i)) is not None:
                    assigns.append(assign)
                    j = self.i
                elif z and text[-1] == "}" and closes_brace(text, []) and not self.declares(words, text):
                    i = j - 1
                    if text != "}":
                        words.append(Word((Literal(text[:-1], False, j - len(text), i),), False, j - len(text), i))
                        end = i
                    break
                elif z and not words and i > start and (text[0] == "{" or text in KEYWORDS_ZSH):
                    return self.behind_redirections(i, assigns, redirects)
                else:
                    words.append(Word((Literal(text, False, i, j),), False, i, j))
            else:
                j = self.element(i, j, words, assigns, redirects, late)
                if j == i:
                    break
            c = s[j]
            i = end = j
            while c == " " or c == "\t":
                i += 1
                c = s[i]
            if c in _STOPS:
                if c == "\\":
                    if s[i + 1] == "\n":
                        i = self.blank(i)
                        c = s[i]
                elif c == "#":
                    i = self.blank(i)
                    break
                if c == "(":
                    if z and not words:
                        return self.behind_redirections(i, assigns, redirects)
                    if z and s[i + 1] != ")":
                        pass
                    elif words and not (assigns or redirects) and (z or len(words) == 1):
                        self.i = i
                        return self.compound_function(tuple(words), start)
                    else:
                        self.i = i
                        self.unexpected("a word")
                elif c == "#":
                    i = self.blank(i)
                    break
                elif c == "&":
                    if s[i + 1] != ">":
                        if z and assigns and not words and s[i + 1] != "&":
                            self.fail("`&` behind an assignment", i)
                        break
                elif c == "\0":
                    if i >= n:
                        break
                elif c != "\\" and c in _STOPS:
                    break
            j = i
            c = s[j]
            while c not in SPECIAL:
                j += 1
                c = s[j]
        self.i = i
        return Simple(tuple(assigns), tuple(words), tuple(redirects), start, end, tuple(late))

    def declares(self, words: list[Word], text: str) -> bool:
        """Tell whether `text` is an assignment among the arguments of `words`, as in `export x=}`."""
        return bool(words) and "=" in text and words[0].bare() in _ASSIGNING_ZSH

    def behind_redirections(self, i: int, assigns: list[Assign], redirects: list[Redirect]) -> Node:
        """Read zsh's `> file { list }`: a compound command at `i` behind redirections."""
        self.i = i
        if assigns:
            self.unexpected("a word behind an assignment")
        node = self.command()
        if node is None:
            self.unexpected("a command")
            node = Simple((), (), (), i, i)
        node.redirects = (*redirects, *node.redirects)
        node.start = redirects[0].start
        return node

    def compound_function(self, names: tuple[Word, ...], start: int) -> Node:
        """Read the function whose parentheses stand at the cursor; `Parser` knows the bodies."""
        raise NotImplementedError

    def element(
        self,
        i: int,
        j: int,
        words: list[Word],
        assigns: list[Assign],
        redirects: list[Redirect],
        late: list[Assign],
    ) -> int:
        """Read the part of a simple command at `i`, whose plain run ends at `j`; return the place behind it."""
        s = self.s
        c = s[j]
        if (c == "<" or c == ">" or (c == "&" and j == i)) and (redirect := self.redirection(i, j)) is not None:
            redirects.append(redirect)
            return self.i
        if j > i:
            text = s[i:j]
            if not words:
                if ("=" in text or "[" in text or c == "\\") and (assign := self.assignment(i)) is not None:
                    assigns.append(assign)
                    return self.i
            elif c == "(" and text[-1] == "=" and (not redirects or redirects[-1].start < words[0].start):
                command = words[0].bare()
                if command in (_ASSIGNING_ZSH if self.z else _ASSIGNING) and (assign := self.assignment(i)) is not None:
                    late.append(assign)
                    return self.i
            if c == "(" and text[-1] not in EXTGLOB and not self.z:
                words.append(Word((Literal(text, False, i, j),), False, i, j))
                return j
        word = self.word(i, value=self.z and self.declares(words, s[i:j]))
        if self.i > i:
            words.append(word)
        elif s[i] != "}" or not self.z:
            self.unexpected("a word")
            self.i = self.n
        return self.i

    def assignment(self, i: int) -> Assign | None:
        """Read the assignment at `i`; None, and nothing read, where there is none."""
        s = self.s
        if s[i] not in NAME_START:
            return None
        k = i + 1
        while s[k] in NAME or (s[k] == "\\" and s[k + 1] == "\n"):
            k += 1 if s[k] != "\\" else 2
        name = s[i:k].replace("\\\n", "")
        index: Word | None = None
        if s[k] == "[":
            inside: list[Part] = []
            first = k + 1
            k = self.run(first, _SUBSCRIPT, False, inside, "[")
            if k >= self.n and not self.z:
                self.unfinished("a closing `]` is missing", i)
                k = self.n - 1
            if s[k + 1] != "=" and not (s[k + 1] == "+" and s[k + 2] == "="):
                return None
            index = Word(tuple(inside), False, first, k)
            k += 1
        append = s[k] == "+"
        k += append
        if s[k] != "=":
            return None
        k += 1
        self.i = k
        if s[k] == "(":
            items = self.array(k + 1)
            if s[self.i] not in _WORD_ENDS and self.i < self.n:
                items = (*items, self.word(self.i))  # `x=(a)b`: bash takes it as one word
            return Assign(name, i, self.i, None, items, append, index)
        if s[k] in " \t\n;|&)" or k >= self.n:
            return Assign(name, i, k, None, None, append, index)
        value = self.word(k, value=True)
        return Assign(name, i, self.i, value if self.i > k else None, None, append, index)

    def array(self, i: int) -> tuple[Word, ...]:
        """Read the words from `i` to the `)` of an array; the cursor is left behind that."""
        s = self.s
        items: list[Word] = []
        while True:
            i = self.lines(i)
            c = s[i]
            if c == ")":
                self.i = i + 1
                break
            if i >= self.n:
                self.unfinished("a closing `)` is missing", i)
                self.i = i
                break
            if self.z and c == ";":
                i += 1
                continue
            start = i
            if c == "[" and not self.z:
                inside: list[Part] = []
                k = self.run(i + 1, _SUBSCRIPT, False, inside, "[")
                if k < self.n:
                    k += 1
                self.i = k
                rest: tuple[Part, ...] = ()
                if s[k] not in " \t\n)" and k < self.n:
                    rest = self.word(k).parts
                items.append(
                    Word(
                        (Literal("[", False, i, i + 1), *inside, Literal("]", False, k - 1, k), *rest),
                        any(isinstance(part, Literal) and part.quoted for part in (*inside, *rest)),
                        i,
                        self.i,
                    )
                )
            else:
                self.i = i
                items.append(self.word(i))
            i = self.i
            if i == start:
                self.unexpected("a word or `)`")
                break
        return tuple(items)

    # --- redirections ---

    def redirection(self, i: int, j: int = -1) -> Redirect | None:
        """Read the redirection at `i`, whose operator is at `j`; None, and nothing read, where there is none."""
        s = self.s
        if j < 0:
            j = i
            while s[j] not in SPECIAL:
                j += 1
        c = s[j]
        fd: str | None = None
        if c == "&":
            if j > i or s[j + 1] != ">":
                return None
            j += 2
            op = "&>"
            if s[j] == ">":
                op = "&>>"
                j += 1
        elif (c != "<" and c != ">") or (s[j + 1] == "("):
            return None
        else:
            if j > i:
                fd = s[i:j]
                if not (fd.isascii() and fd.isdigit()):
                    if fd[0] != "{" or fd[-1] != "}" or not fd[1:-1].replace("[", "").replace("]", "").isidentifier():
                        return None
                    fd = fd[1:-1]
            d = s[j + 1]
            if c == "<":
                if d == "<":
                    e = s[j + 2]
                    op = "<<" + e if e == "<" or e == "-" else "<<"
                elif d == ">" and self.z and fd is None and s[j + 2] not in " \t":
                    op = "<>"
                else:
                    op = "<" + d if d == "&" or d == ">" else "<"
                if op[0] == "<" and len(op) == 1 and self.z and self.number_range(j):
                    return None
            else:
                op = ">" + d if d in ">&|" else ">"
            j += len(op)
        if self.z and c != "<":
            if op == ">" and s[j] == "!":
                op = ">|"
                j += 1
            elif op == ">&" and s[j] in "|!":
                op = "&>"
                j += 1
            elif op == ">>" and s[j] == "&":
                op = "&>>"
                j += 1
            if op in (">>", "&>", "&>>") and s[j] in "|!":
                j += 1
        k = self.blank(j)
        if (op == ">&" or op == "<&") and s[k] == "-" and not self.z:
            self.i = k + 1
            target = Word((Literal("-", False, k, k + 1),), False, k, k + 1)
            return Redirect(op, fd, target, i, k + 1)
        if s[k] in ";|&)\n" or (s[k] in "(<>" and s[k + 1] != "(" and not (self.z and s[k] == "(")):
            self.i = k
            if s[k] == "<" and self.z and self.number_range(k):
                pass
            elif k >= self.n:
                self.fail("a redirection that leads nowhere", i)
            else:
                self.unexpected("the target of a redirection")
        elif k >= self.n:
            self.fail("a redirection that leads nowhere", i)
        elif s[k] == "(" and not self.z:
            self.i = k
            self.unexpected("the target of a redirection")
        target = self.word(k)
        if self.i == k:
            self.unexpected("the target of a redirection")
        k = self.i
        if s[k] in "<>" and target.bare() and not self.z:
            text = target.bare() or ""
            if op[-1] != "&" and text.isascii() and text.isdigit():
                self.fail("a redirection that leads nowhere", i)
        redirect = Redirect(op, fd, target, i, k)
        if op == "<<" or op == "<<-":
            redirect.closed = False
            self.pending.append(redirect)
        return redirect
