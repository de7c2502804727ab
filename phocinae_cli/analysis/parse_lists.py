"""Reading of lists, pipelines and here-documents, and of what kind of command comes next."""

from __future__ import annotations

from phocinae_cli.analysis.parse_cursor import QUOTING, Refused, place
from phocinae_cli.analysis.parse_expand import Expansions
from phocinae_cli.analysis.parse_words import IN_HEREDOC
from phocinae_cli.analysis.syntax import AndOr, Literal, Node, Pipeline, Sequence, Simple, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.syntax import Part, Redirect

_BREAKS = frozenset(" \t\n;|&()<>\0")

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


class Lists(Expansions):
    """Lists of commands; the commands themselves are added by `Commands` and `Parser`."""

    __slots__ = ()

    def simple(self, start: int, j: int) -> Node:
        """Read a simple command whose first plain run ends at `j`."""
        raise NotImplementedError

    def redirection(self, i: int, j: int = -1) -> Redirect | None:
        """Read the redirection at `i`, if there is one."""
        raise NotImplementedError

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
                    if not self.comments:
                        break
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

    def pipeline(self) -> Node | None:
        """Read a pipeline; None, and nothing read, where a word or an operator stands that ends a list."""
        s = self.s
        z = self.z
        i = start = self.i
        c = s[i]
        negated = timed = False
        node: Node | None = None
        if c == "!" or c == "t":
            while True:
                if s[i] == "!" and s[i + 1] in _BREAKS:
                    if s[i + 1] == "(" and (node := self.negated(i)) is None:
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
                if node is not None:
                    i = self.i
                    break
                self.i = i = self.blank(i)
        prefixed = i > start
        if node is None:
            node = self.command()
        if node is None:
            if not prefixed:
                return None
            c = s[self.i]
            if c not in ";\n" and self.i < self.n and not (z and c in ")|}&"):
                self.unexpected("a command")
            if not z or c != "|":
                return Pipeline((), start, i, negated, timed)
            node = Simple((), (), (), i, i)
        i = self.i
        if s[i] == "|" and s[i + 1] != "|":
            commands = [node]
            while s[i] == "|" and s[i + 1] != "|":
                self.i = self.lines(i + 2 if s[i + 1] == "&" else i + 1)
                following = self.pipeline() if z and self.keyword() == "time" else self.command()
                if following is None:
                    self.unexpected("a command behind `|`")
                    break
                commands.append(following)
                i = self.i
            return Pipeline(tuple(commands), start, commands[-1].end, negated, timed)
        return Pipeline((node,), start, node.end, negated, timed) if prefixed else node

    def negated(self, i: int) -> Node | None:
        """Return the subshell of the `!(` at `i`, read as without extglob; None for a pattern."""
        if i in self.refuted or self.z:  # in zsh `!` before a parenthesis is a character like any other
            return None
        mark = self.mark()
        self.i = i + 1
        try:
            node = self.command()
            if node is not None and (self.s[self.i] in "\n;|&)}" or self.i >= self.n):
                return node
            reached = self.i
        except Refused as refused:
            if refused.fault.code == "too-deep":
                raise
            reached = refused.fault.at
        self.refuted.add(i)
        self.rewind(mark, reached)
        return None

    def command(self) -> Node | None:
        """Read one command; None, and nothing read, where there is none."""
        s = self.s
        i = self.i
        j = self.marks.find(1, i)
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
                    word, end = self.joined(i)  # `i\<newline>f` is a keyword, too
                    method = (KEYWORDS_ZSH if self.z else KEYWORDS).get(word)
                    if method:
                        return self.compound(method, i, end)
                    if method == "":
                        self.fail("a keyword that starts nothing", i)
            elif c in _BREAKS and (c not in "<>" or s[j + 1] != "(") and (c != "(" or not self.z):
                if method:
                    return self.compound(method, i, j)
                if s[i:j] != "!" or s[j] != "(":
                    return None
        elif c == "(":
            return self.compound("parenthesis", i, i)
        elif c in ";|)\n" or j >= self.n or (c == "&" and s[j + 1] != ">"):
            return None
        return self.simple(i, j)

    def joined(self, i: int) -> tuple[str, int]:
        """Return the plain word at `i` without its joined lines, and its end; no text where it isn't plain."""
        s = self.s
        text = ""
        while True:
            j = self.marks.find(1, i)
            text += s[i:j]
            if s[j] != "\\" or s[j + 1] != "\n":
                return ("" if s[j] in QUOTING else text), j
            i = j + 2

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
        self.i = self.blank(self.i)
        word = self.keyword()
        if KEYWORDS_ZSH.get(word) == "" and word not in ("}", "esac"):
            self.unexpected("`;`")

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
                    if self.comsub and not self.z and bare.startswith(end_word) and ")" in bare[len(end_word) :]:
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


def _delimiter(s: str, target: Word) -> str:
    """Return the line that ends a here-document: the word after quote removal, without any expansion."""
    if not target.quoted:
        return s[target.start : target.end].replace("\\\n", "")
    out: list[str] = []
    for part in target.parts:
        out.append(part.text if isinstance(part, Literal) else s[part.start : part.end])
    return "".join(out)
