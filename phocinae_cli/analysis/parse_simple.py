"""Reading of simple commands, assignments and redirections."""

from __future__ import annotations

from phocinae_cli.analysis.parse_cursor import EXTGLOB, NAME, NAME_START, PLAIN, stop
from phocinae_cli.analysis.parse_lists import KEYWORDS_ZSH, Lists
from phocinae_cli.analysis.parse_words import closes_brace
from phocinae_cli.analysis.syntax import Assign, Literal, Node, Redirect, Simple, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.syntax import Part

_WORD_ENDS = frozenset(" \t\n;|&)")
_STOPS = frozenset("\n;|&)#\\(\0")
_SUBSCRIPT = stop("]", PLAIN)
_ASSIGNING = frozenset(("alias", "declare", "export", "local", "readonly", "typeset", "eval", "let"))
_ASSIGNING_ZSH = frozenset(("declare", "export", "float", "integer", "local", "private", "readonly", "typeset"))


class Commands(Lists):
    """Simple commands; the compound ones are added by `Parser`."""

    __slots__ = ()

    def simple(self, start: int, j: int) -> Node:
        """Read a simple command, or the function it turns out to define; its first plain run ends at `j`."""
        s = self.s
        n = self.n
        z = self.z
        find = self.marks.find
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
                if not words and ("=" in text or "[" in text) and (found := self.assignment(i)) is not None:
                    if isinstance(found, Assign):
                        assigns.append(found)
                    else:
                        words.append(found)
                    j = self.i
                elif z and text[-1] == "}" and closes_brace(text, []) and not self.declares(words, text):
                    if not words and text[:-1] in KEYWORDS_ZSH:
                        self.fail(f"`{text[:-1]}` where a command was expected", i)
                    i = j - 1
                    if text != "}":
                        words.append(Word((Literal(text[:-1], False, j - len(text), i),), False, j - len(text), i))
                        end = i
                    break
                elif z and not words and i > start and (text[0] == "{" or text in KEYWORDS_ZSH):
                    return self.behind_redirections(i, assigns, redirects)
                else:
                    words.append(Word((Literal(text, False, i, j),), False, i, j))
            elif j == i and c in "'\"" and (word := self.quotes(i, c)) is not None:
                words.append(word)
                j = word.end
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
                elif c == "#" and self.comments:
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
                    if self.comments:
                        i = self.blank(i)
                        break
                elif c == "&":
                    if s[i + 1] != ">":
                        if z and not words and s[i + 1] != "&":
                            self.fail("`&` where no command stands", i)
                        break
                elif c == "\0":
                    if i >= n:
                        break
                elif c != "\\" and c in _STOPS:
                    break
            j = find(1, i)
            c = s[j]
        self.i = i
        return Simple(tuple(assigns), tuple(words), tuple(redirects), start, end, tuple(late))

    def quotes(self, i: int, c: str) -> Word | None:
        """Return the word at `i` if it is one pair of the quotes `c` around plain text, as most quoted words are."""
        s = self.s
        k = s.find(c, i + 1)
        if k < 0 or (s[k + 1] not in _WORD_ENDS and k + 1 < self.n):
            return None
        text = s[i + 1 : k]
        if c == '"' and ("$" in text or "\\" in text or "`" in text):
            return None
        return Word((Literal(text, True, i, k + 1),) if text else (), True, i, k + 1)

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
                if ("=" in text or "[" in text or c == "\\") and (found := self.assignment(i)) is not None:
                    if isinstance(found, Assign):
                        assigns.append(found)
                    else:
                        words.append(found)
                    return self.i
            elif c == "(" and text[-1] == "=" and (self.z or not redirects or redirects[-1].start < words[0].start):
                command = words[0].bare()
                if command in (_ASSIGNING_ZSH if self.z else _ASSIGNING) and isinstance(
                    found := self.assignment(i), Assign
                ):
                    late.append(found)
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

    # --- assignments ---

    def assignment(self, i: int) -> Assign | Word | None:
        """Read the assignment at `i`; None, and nothing read, where there is none.

        In `x[1 + 2]` bash reads to the bracket before it looks for the `=`: without one, this is a word.
        """
        s = self.s
        if s[i] not in NAME_START or i in self.refuted:
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
                return self.subscripted(i, first, k, inside)
            if s[k + 1] != "=" and not (s[k + 1] == "+" and s[k + 2] == "="):
                if self.z:
                    self.spend(k - i)
                    self.refuted.add(i)  # or the subscript would be read twice on every level of nesting
                    return None
                return self.subscripted(i, first, k, inside)
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
            if not self.z and s[self.i] not in _WORD_ENDS and self.i < self.n:
                items = (*items, self.word(self.i))  # `x=(a)b`: bash takes it as one word
            return Assign(name, i, self.i, None, items, append, index)
        if s[k] in " \t\n;|&)" or k >= self.n:
            return Assign(name, i, k, None, None, append, index)
        value = self.word(k, value=True)
        return Assign(name, i, self.i, value if self.i > k else None, None, append, index)

    def subscripted(self, i: int, first: int, k: int, inside: list[Part]) -> Word:
        """Return the word at `i` with the subscript `inside`, which reaches from `first` to `k`."""
        s = self.s
        parts: list[Part] = [Literal(s[i:first], False, i, first), *inside]
        end = self.i = min(k + 1, self.n)
        if k < self.n:
            parts.append(Literal("]", False, k, end))
        if s[end] not in _WORD_ENDS and s[end] not in "<>" and end < self.n:
            parts.extend(self.word(end).parts)
        quoted = any(isinstance(part, Literal) and part.quoted for part in parts)
        return Word(tuple(parts), quoted, i, self.i)

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
                items.append(self.subscripted(i, i + 1, k, inside))
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
            j = self.marks.find(1, i)
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
                if not (fd.isascii() and fd.isdigit()) or (self.z and j > i + 1):  # zsh takes one digit
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
        if s[k] in "<>" and (op[-1] != "&" or self.z):
            text = target.bare() or ""
            if text.isascii() and text.isdigit():
                self.fail("a redirection that leads nowhere", i)
        redirect = Redirect(op, fd, target, i, k)
        if op == "<<" or op == "<<-":
            redirect.closed = False
            self.pending.append(redirect)
        return redirect
