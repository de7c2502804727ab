"""The syntax tree of a shell line: what the parser builds and every later step reads.

Every node carries `start` and `end`, offsets into the text that was parsed (end is exclusive), so a finding
can be shown on the very characters that caused it. Nodes are plain classes with slots: this module is loaded
by every one-shot check, and a dataclass costs more to import than the whole parser.
"""

from __future__ import annotations

# --- words -------------------------------------------------------------------------------------------------


class Literal:
    """Characters of a word after quote removal.

    `quoted` says that they stood in quotes or behind a backslash, so that `*`, `{`, `~` or a blank in them
    means itself. Unquoted text is kept raw: globs, braces and the tilde are read later, in `words`.
    """

    __slots__ = ("end", "quoted", "start", "text")

    def __init__(self, text: str, quoted: bool, start: int, end: int) -> None:
        self.text = text
        self.quoted = quoted
        self.start = start
        self.end = end


class Param:
    """A parameter expansion: `$x`, `${x}`, `${x:-word}`, `${#x}`, `${!x}`, `${x[1]}`, `${x//a/b}`.

    `name` is the bare name (`x`, `1`, `@`, `?`); `index` the text between the brackets or None;
    `prefix` is `#`, `!`, a zsh flag group such as `(f)`, or empty; `op` is the operator (`:-`, `-`, `:=`, `:?`,
    `:+`, `+`, `#`, `##`, `%`, `%%`, `/`, `//`, `/#`, `/%`, `^`, `^^`, `,`, `,,`, `@`, `:` for a substring) or
    empty; `arg` is the word behind the operator (for `/` the pattern), `arg2` the replacement or length.
    `op` is `bad` where the shell would say "bad substitution" as it runs the command; `arg` then holds the rest.
    `inner` is the expansion that zsh's nested forms start from (`${${x}:h}`, `${(f)"$(cmd)"}`); `name` is then empty.
    """

    __slots__ = ("arg", "arg2", "end", "index", "inner", "name", "op", "prefix", "quoted", "start")

    def __init__(
        self,
        name: str,
        quoted: bool,
        start: int,
        end: int,
        prefix: str = "",
        index: Word | None = None,
        op: str = "",
        arg: Word | None = None,
        arg2: Word | None = None,
    ) -> None:
        self.name = name
        self.quoted = quoted
        self.start = start
        self.end = end
        self.prefix = prefix
        self.index = index
        self.op = op
        self.arg = arg
        self.arg2 = arg2
        self.inner: Word | None = None


class CommandSub:
    """A command substitution, `$(...)` or backquotes, with its body as a tree of its own."""

    __slots__ = ("body", "end", "quoted", "start")

    def __init__(self, body: Sequence, quoted: bool, start: int, end: int) -> None:
        self.body = body
        self.quoted = quoted
        self.start = start
        self.end = end


class ProcessSub:
    """A process substitution; `direction` is `<`, `>` or, in zsh, `=` (a temporary file)."""

    __slots__ = ("body", "direction", "end", "start")

    def __init__(self, direction: str, body: Sequence, start: int, end: int) -> None:
        self.direction = direction
        self.body = body
        self.start = start
        self.end = end


class Arith:
    """An arithmetic expansion `$((...))` or `$[...]`; `parts` are the expansions and text inside."""

    __slots__ = ("end", "parts", "quoted", "start")

    def __init__(self, parts: tuple[Part, ...], quoted: bool, start: int, end: int) -> None:
        self.parts = parts
        self.quoted = quoted
        self.start = start
        self.end = end


Part = Literal | Param | CommandSub | ProcessSub | Arith


class Word:
    """One shell word as written: a run of parts without an unquoted blank between them.

    A word without parts is the empty word (`''`). `quoted` says that some part of it stood in quotes, so that
    an empty result still is an argument, and so that the word can't be a keyword or an alias.
    """

    __slots__ = ("end", "parts", "quoted", "start")

    def __init__(self, parts: tuple[Part, ...], quoted: bool, start: int, end: int) -> None:
        self.parts = parts
        self.quoted = quoted
        self.start = start
        self.end = end

    def bare(self) -> str | None:
        """Return the text of a word that is a single unquoted literal, else None."""
        if not self.quoted and len(self.parts) == 1:
            part = self.parts[0]
            if isinstance(part, Literal):
                return part.text
        return None


class Assign:
    """An assignment in front of a command or in `declare`: `x=1`, `x+=1`, `x[2]=1`, `x=(a b)`.

    `value` is the word of a scalar (None for `x=`), `items` the words of an array (None for a scalar).
    """

    __slots__ = ("append", "end", "index", "items", "name", "start", "value")

    def __init__(
        self,
        name: str,
        start: int,
        end: int,
        value: Word | None = None,
        items: tuple[Word, ...] | None = None,
        append: bool = False,
        index: Word | None = None,
    ) -> None:
        self.name = name
        self.start = start
        self.end = end
        self.value = value
        self.items = items
        self.append = append
        self.index = index


class Redirect:
    """A redirection. `op` is one of `<`, `>`, `>>`, `>|`, `<>`, `&>`, `&>>`, `>&`, `<&`, `<<`, `<<-`, `<<<`.

    zsh's `>!`, `>>|`, `>>!`, `&>|`, `&>!` and so on are folded to `>|`, `>>` and `&>`.
    `fd` is the number as text, the name in `{name}>`, or None for the default. For `<<` and `<<-` `target` is
    the delimiter and `body` the text (one quoted Literal when the delimiter was quoted, else parts as in
    double quotes); `closed` is False when the delimiter line never came.
    """

    __slots__ = ("body", "closed", "end", "fd", "op", "start", "target")

    def __init__(
        self,
        op: str,
        fd: str | None,
        target: Word,
        start: int,
        end: int,
        body: Word | None = None,
        closed: bool = True,
    ) -> None:
        self.op = op
        self.fd = fd
        self.target = target
        self.start = start
        self.end = end
        self.body = body
        self.closed = closed


# --- commands ----------------------------------------------------------------------------------------------


class Node:
    """What all commands share: the span, and the redirections that apply to the whole of it."""

    __slots__ = ("end", "redirects", "start")

    def __init__(self, start: int, end: int, redirects: tuple[Redirect, ...] = ()) -> None:
        self.start = start
        self.end = end
        self.redirects = redirects


class Simple(Node):
    """Assignments, words and redirections; `words` may be empty (`x=1`, `> file`).

    `declare`, `export`, `local`, `typeset`, `readonly` and `alias` are simple commands whose array assignments
    (`declare -a x=(a b)`) stand in `late_assigns`; scalar ones there stay words (`export x=1`).
    """

    __slots__ = ("assigns", "late_assigns", "words")

    def __init__(
        self,
        assigns: tuple[Assign, ...],
        words: tuple[Word, ...],
        redirects: tuple[Redirect, ...],
        start: int,
        end: int,
        late_assigns: tuple[Assign, ...] = (),
    ) -> None:
        self.start = start  # spelt out: a call to the base class costs half a node
        self.end = end
        self.redirects = redirects
        self.assigns = assigns
        self.words = words
        self.late_assigns = late_assigns


class Pipeline(Node):
    """Commands joined by `|` or `|&`; a single command is a pipeline only if negated or timed."""

    __slots__ = ("commands", "negated", "timed")

    def __init__(
        self, commands: tuple[Node, ...], start: int, end: int, negated: bool = False, timed: bool = False
    ) -> None:
        self.start = start
        self.end = end
        self.redirects = ()
        self.commands = commands
        self.negated = negated
        self.timed = timed


class AndOr(Node):
    """`first`, then pairs of an operator (`&&` or `||`) and the command behind it."""

    __slots__ = ("first", "rest")

    def __init__(self, first: Node, rest: tuple[tuple[str, Node], ...], start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.redirects = ()
        self.first = first
        self.rest = rest


class Sequence(Node):
    """A list of commands, each with the terminator behind it: `;`, `&`, a newline, or empty at the end.

    zsh's `&!`, `&|` and `&;` are folded to `&`.
    """

    __slots__ = ("items",)

    def __init__(self, items: tuple[tuple[Node, str], ...], start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.redirects = ()
        self.items = items


class Subshell(Node):
    """`( list )`."""

    __slots__ = ("body",)

    def __init__(self, body: Sequence, start: int, end: int) -> None:
        super().__init__(start, end)
        self.body = body


class Group(Node):
    """`{ list; }`; `always` is the list behind zsh's `always`."""

    __slots__ = ("always", "body")

    def __init__(self, body: Sequence, start: int, end: int, always: Sequence | None = None) -> None:
        super().__init__(start, end)
        self.body = body
        self.always = always


class Function(Node):
    """A function definition; `names` is empty for zsh's anonymous function, whose `args` follow the body."""

    __slots__ = ("args", "body", "names")

    def __init__(self, names: tuple[Word, ...], body: Node, start: int, end: int, args: tuple[Word, ...] = ()) -> None:
        super().__init__(start, end)
        self.names = names
        self.body = body
        self.args = args


class If(Node):
    """`branches` are pairs of condition and body, one for `if` and one for each `elif`."""

    __slots__ = ("branches", "orelse")

    def __init__(
        self, branches: tuple[tuple[Sequence, Sequence], ...], orelse: Sequence | None, start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.branches = branches
        self.orelse = orelse


class Loop(Node):
    """`while` and `until`; zsh's `repeat N` has the count as `count` and an empty condition."""

    __slots__ = ("body", "condition", "count", "kind")

    def __init__(
        self, kind: str, condition: Sequence | None, body: Sequence, start: int, end: int, count: Word | None = None
    ) -> None:
        super().__init__(start, end)
        self.kind = kind
        self.condition = condition
        self.body = body
        self.count = count


class For(Node):
    """`for`, `select` and zsh's `foreach`; `items` is None for `for x; do` (the positional parameters)."""

    __slots__ = ("body", "items", "kind", "names")

    def __init__(
        self, kind: str, names: tuple[str, ...], items: tuple[Word, ...] | None, body: Sequence, start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.kind = kind
        self.names = names
        self.items = items
        self.body = body


class ArithFor(Node):
    """`for ((a; b; c))`; `parts` are the expansions and text between the double parentheses."""

    __slots__ = ("body", "parts")

    def __init__(self, parts: tuple[Part, ...], body: Sequence, start: int, end: int) -> None:
        super().__init__(start, end)
        self.parts = parts
        self.body = body


class Case(Node):
    """`clauses` are triples of patterns, body and terminator (`;;`, `;&`, `;;&`, `;|` or empty)."""

    __slots__ = ("clauses", "word")

    def __init__(
        self, word: Word, clauses: tuple[tuple[tuple[Word, ...], Sequence, str], ...], start: int, end: int
    ) -> None:
        super().__init__(start, end)
        self.word = word
        self.clauses = clauses


class Test(Node):
    """`[[ ... ]]`; `words` are its operands and operators in order, for the expansions inside them."""

    __slots__ = ("words",)

    def __init__(self, words: tuple[Word, ...], start: int, end: int) -> None:
        super().__init__(start, end)
        self.words = words


class Arithmetic(Node):
    """`(( ... ))`; `parts` are the expansions and text inside."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Part, ...], start: int, end: int) -> None:
        super().__init__(start, end)
        self.parts = parts


class Coproc(Node):
    """`coproc [NAME] command`."""

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: Node, start: int, end: int) -> None:
        super().__init__(start, end)
        self.name = name
        self.body = body


# --- the whole ---------------------------------------------------------------------------------------------


class Fault:
    """Why a text could not be read to its end, and where.

    `code` is `syntax` (the shell would refuse it), `unfinished` (it waits for more) or `too-deep`.
    """

    __slots__ = ("at", "code", "message")

    def __init__(self, code: str, message: str, at: int) -> None:
        self.code = code
        self.message = message
        self.at = at


class Tree:
    """What the parser found: the commands up to the fault, if there is one, else all of them."""

    __slots__ = ("body", "dialect", "fault", "text")

    def __init__(self, text: str, dialect: str, body: Sequence, fault: Fault | None) -> None:
        self.text = text
        self.dialect = dialect
        self.body = body
        self.fault = fault
