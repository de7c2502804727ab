"""Programs that find things and run commands on them: find, xargs, parallel, fd, and listings for a pipe."""

from __future__ import annotations

from phocinae_cli.analysis import infer, processes, runs
from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.values import EMPTY, Stream, Unknown, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

# --- find ----------------------------------------------------------------------------------------------------

FIND_FILES = frozenset(("-fprint", "-fprint0", "-fls", "-fprintf"))
FIND_NAMES = frozenset(("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"))
NEGATED = frozenset(("!", "-not"))
FIND_LINKS = frozenset(("-H", "-L", "-P"))
FIND_EXEC = frozenset(("-exec", "-execdir", "-ok", "-okdir"))


def find(invocation: Invocation) -> Stream | None:
    """`find`: `-exec` and its kin run a command on what is found, `-delete` deletes it, `-fprint` writes a file."""
    words = invocation.words
    first = 0
    while first < len(words) and words[first].head() in FIND_LINKS:
        first += 1
    index = first
    while index < len(words) and not _starts_expression(words[index]):
        index += 1
    starts = words[first:index] or (known("."),)
    words = words[index:]
    names = _Names()
    printed: list[Value] = []
    ran: list[Stream] = []
    index = 0
    while index < len(words):
        word = words[index].exact
        index += 1
        names.take(words, index - 1)
        if word in FIND_PRINTS and not (word == "-printf" and printed):
            printed += _found(starts, names.current) + ([] if names.shallow else _histories(invocation, starts, names))
        if word in FIND_NAMES and index < len(words):
            index += 1
        elif word == "-delete" and _only_empty(words):
            continue  # what is empty holds nothing that could be lost
        elif word == "-delete":
            found = _found(starts, names.current)
            if not names.shallow:
                found += _histories(invocation, starts, names)
            for value in found:
                invocation.path_effect(
                    "delete", value, True, code="find.delete", why="`-delete` removes everything found, without asking",
                    instead="leave `-delete` away first and read the list",
                )  # fmt: skip
        elif word in FIND_EXEC:
            found = _found(starts, names.current)
            if _removes(words[index:], names):
                found += _histories(invocation, starts, names)
            invocation.evaluator.collector.goes_through(found)
            index = _find_exec(invocation, words, index, found, ran)
        elif word in FIND_FILES and index < len(words):
            invocation.path_effect(
                "overwrite", words[index], code="find.fprint", why="it writes its list over the file"
            )
            index += 2 if word == "-fprintf" else 1
    if ran and not printed:
        return _outputs(ran)
    if not printed:
        histories = [] if names.shallow else _histories(invocation, starts, names)
        printed = [value for name in names.printed() for value in _found(starts, name)] + histories
    invocation.evaluator.collector.goes_through(printed)
    return HereText(tuple(printed), True)


FIND_PRINTS = frozenset(("-print", "-print0", "-printf", "-ls"))
FIND_VALUED = frozenset(("-mindepth", "-maxdepth", "-regextype", "-printf"))
FIND_ALL = frozenset(
    (
        "-depth", "-d", "-xdev", "-mount", "-type", "-follow", "-noleaf", "-true", "-daystart", "-warn", "-nowarn",
        "-ignore_readdir_race", "-readable", "-writable", "-delete", *FIND_PRINTS,
    )
)  # fmt: skip
"""Words of `find` behind which everything that matters is still there."""
REMOVERS = frozenset(("rm", "unlink", "shred", "srm", "truncate"))


def _removes(words: tuple[Value, ...], names: _Names) -> bool:
    """Return whether the command behind `-exec` takes away all that its files hold."""
    texts = [word.text for word in words[:4]]
    if texts[:1] in (["sudo"], ["doas"]):
        texts = texts[1:]
    program = texts[0].rpartition("/")[2] if texts else ""
    if program in ("sh", "bash", "zsh", "dash") and len(texts) > 2:
        texts = texts[2].split()  # `sh -c 'rm "$1"' _ {}`
        program = next((text for text in texts if text in REMOVERS), "")
    if program not in REMOVERS:
        return False
    whole_trees = any(text[:1] == "-" and text[:2] != "--" and "r" in text.lower() for text in texts[1:])
    return not names.shallow or (whole_trees and not names.files_only)


def _histories(invocation: Invocation, starts: tuple[Value, ...], names: _Names) -> list[Value]:
    """Return the hidden files of a project that a `find` goes through as a whole: its history is among them."""
    if not names.whole:
        return []
    collector, scope = invocation.evaluator.collector, invocation.scope
    return [
        Value((f"{start.text.rstrip('/')}/.*",), True)
        for start in starts
        if start.known and any(target.place == "project-root" for target in collector.targets(start, scope))
    ]


class _Names:
    """What names an expression of `find` lets through, one alternative of `-o` after the other.

    `current` is the name that narrows the alternative at hand, empty when none does; `whole` says that nothing else
    narrows it either, `shallow` that it goes only so deep, `files_only` that it leaves directories alone.
    """

    def __init__(self) -> None:
        self.current = ""
        self.whole = True
        self.shallow = self.files_only = False
        self.passed: list[str] = []
        self.depth = 0
        self.outside = 0  # how deep the group lies whose names are only excluded; 0 for none
        self.pruned = False

    def take(self, words: tuple[Value, ...], index: int) -> None:
        """Take up one word of the expression."""
        word = words[index].exact
        negated = index > 0 and words[index - 1].exact in NEGATED
        self.whole = self.whole and not self._narrows(words, index)
        if word == "(":
            self.depth += 1
            self.outside = self.outside or (self.depth if negated else 0)
        elif word == ")":
            self.outside = 0 if self.outside == self.depth else self.outside
            self.depth -= 1
        elif word in ("-o", "-or", ",") and self.depth <= 0:
            self._close()
        elif word == "-prune":
            self.pruned = True
        elif word in FIND_NAMES and index + 1 < len(words) and not negated and not self.outside and not self.current:
            several = self.depth > 0 and index + 2 < len(words) and words[index + 2].exact in ("-o", "-or")
            self.current = _either(words, index + 1) if several else words[index + 1].text

    def _narrows(self, words: tuple[Value, ...], index: int) -> bool:
        """Return whether a word lets only some of the files through."""
        word, before = words[index].exact, words[index - 1].exact if index else None
        if before in FIND_VALUED:
            return False
        if before == "-type":
            self.files_only = True
            return word is None or "f" not in word
        self.shallow = self.shallow or word == "-maxdepth"
        if word in NEGATED:
            return not _excludes_other_names(words[index + 1 : index + 3])
        if word in FIND_NAMES:
            return before not in NEGATED and (index + 1 >= len(words) or words[index + 1].exact != "*")
        return word not in FIND_ALL and word not in FIND_VALUED and word not in FIND_EXEC

    def _close(self) -> None:
        self.whole = not self.pruned and ".git" not in self.current  # the next alternative is for all the others
        if not self.pruned:
            self.passed.append(self.current)
        self.current, self.pruned = "", False

    def printed(self) -> list[str]:
        """Return the names that are printed at the end; an empty one stands for everything."""
        self._close()
        return [""] if "" in self.passed else self.passed or [""]


def _excludes_other_names(words: tuple[Value, ...]) -> bool:
    """Return whether what is negated is a name, and not that of a project's history or of all hidden files."""
    if len(words) < 2 or words[0].exact not in FIND_NAMES:
        return False
    name = words[1].text
    return name[:1] != "." and ".git" not in name and "/." not in name


def _only_empty(words: tuple[Value, ...]) -> bool:
    """Return whether the expression lets only empty files and directories through."""
    texts = [word.exact for word in words]
    if "-empty" not in texts or not {"-o", "-or", ","}.isdisjoint(texts):
        return False
    at = texts.index("-empty")
    return at == 0 or texts[at - 1] not in ("!", "-not")


EXPRESSION = frozenset("-(!)")


def _starts_expression(word: Value) -> bool:
    head = word.head()
    return head[:1] in EXPRESSION and head not in ("", "-")


def _either(words: tuple[Value, ...], index: int) -> str:
    """Return one name for alternatives: the first that is not disposable stands for all."""
    names = [words[index].text]
    at = index + 1
    while at + 2 < len(words) and words[at].exact in ("-o", "-or"):
        if words[at + 1].exact in FIND_NAMES:
            names.append(words[at + 2].text)
            at += 3
        else:
            return "*"
    from phocinae_cli.analysis.paths import DISPOSABLE, DISPOSABLE_ENDINGS

    for name in names:
        if name not in DISPOSABLE and not name.endswith(DISPOSABLE_ENDINGS):
            return name
    return names[0]


def _found(starts: tuple[Value, ...], name: str) -> list[Value]:
    found = []
    for start in starts:
        parts = start.parts
        text = start.exact
        if text is not None:
            base = text.rstrip("/")
            if base == "":
                found.append(Value(("/*",), True))
                continue
            tail = name.lstrip("*/") if "/" in name else name
            if name.startswith("*") and "/" not in name:
                tail = name
            found.append(Value((base + "/" + (tail or "*"),), True, start.taint))
        else:
            found.append(Value((*parts, "/" + (name or "*")), True, start.taint))
    return found


def _outputs(streams: list[Stream]) -> Stream:
    """Return what several runs of a command print; listings stay listings."""
    listings = [stream for stream in streams if isinstance(stream, HereText)]
    if len(listings) == len(streams):
        return HereText(tuple(value for listing in listings for value in listing.words()), True)
    out = EMPTY
    for stream in streams:
        out = out.joined(stream)
    return out


def _find_exec(
    invocation: Invocation, words: tuple[Value, ...], index: int, found: list[Value], ran: list[Stream]
) -> int:
    argv: list[Value] = []
    while index < len(words):
        word = words[index]
        index += 1
        if word.exact == ";" or (word.exact == "+" and argv and argv[-1].exact == "{}"):
            break
        argv.append(word)
    for value in found:
        replaced = tuple(_replaced(word, "{}", value) for word in argv)
        ran.append(invocation.run(replaced, "find -exec", stdin=EMPTY))
    return index


def _replaced(word: Value, mark: str, value: Value) -> Value:
    """Return the word with every `mark` in its text replaced by a value."""
    text = word.exact
    if text is None or mark not in text:
        return word
    if text == mark:
        return value
    parts: list[str | Unknown] = []
    for number, piece in enumerate(text.split(mark)):
        if number:
            parts.extend(value.parts)
        parts.append(piece)
    joined: list[str | Unknown] = []
    for part in parts:
        if joined and isinstance(part, str) and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return Value(tuple(joined), value.globs, word.taint | value.taint)


# --- words from standard input ---------------------------------------------------------------------------------


def fed(invocation: Invocation) -> tuple[Value, ...]:
    """Return the words that standard input adds, paths of a listing included."""
    stdin = invocation.stdin
    if isinstance(stdin, HereText):
        return stdin.words()
    return runs.fed_words(invocation)


def xargs(invocation: Invocation) -> Stream | None:
    """`xargs`: the command behind its options, with the words that are fed in behind it or in place of a mark."""
    arguments = invocation.arguments
    argv = tuple(arguments.operands)
    if not argv:
        return Stream(None, invocation.stdin.taint, "the output of xargs")
    mark = arguments.value("-I", "--replace", "-J")
    if mark is None and arguments.has("-i", "--replace"):
        mark = known("{}")
    added = fed(invocation)
    listed = arguments.value("-a", "--arg-file")
    if listed is not None:
        taint = invocation.evaluator.collector.content(listed, invocation.scope).taint
        added = (Value((Unknown(f"the content of {listed.text}", False),), False, taint),)
    if not added:
        added = (Value((Unknown("what is fed in", False),)),)
    if mark is None or mark.exact is None:
        return invocation.run((*argv, *added), "xargs", stdin=EMPTY)
    if listed is None and invocation.stdin.text:  # with a mark a whole line takes its place
        added = tuple(known(line.strip()) for line in invocation.stdin.text.splitlines() if line.strip())
    out = EMPTY
    for value in added:
        out = out.joined(
            invocation.run(tuple(_replaced(word, mark.exact, value) for word in argv), "xargs", stdin=EMPTY)
        )
    return out


def zargs(invocation: Invocation) -> Stream | None:
    """zsh's `zargs [OPTIONS] -- WORDS -- COMMAND`: the command with the words behind it."""
    words = invocation.words
    marks = [number for number, word in enumerate(words) if word.exact == "--"]
    if len(marks) < 2:
        given = words[marks[0] + 1 :] if marks else ()
        return invocation.run((known("echo"), *given), "zargs")
    return invocation.run((*words[marks[1] + 1 :], *words[marks[0] + 1 : marks[1]]), "zargs", stdin=EMPTY)


def parallel(invocation: Invocation) -> Stream | None:
    """GNU `parallel`: a command template, and its arguments behind `:::` or from standard input."""
    words = list(invocation.arguments.operands)
    marks = [number for number, word in enumerate(words) if word.exact in (":::", ":::+", "::::")]
    template = words[: marks[0]] if marks else words
    given = [word for word in words[marks[0] + 1 :] if word.exact not in (":::", ":::+", "::::")] if marks else []
    if marks and words[marks[0]].exact == "::::":
        given = [Value((Unknown(f"a line of {word.text}", False),)) for word in given]
    added = tuple(given) if marks else fed(invocation) or (Value((Unknown("what is fed in", False),)),)
    if not template:
        out = EMPTY
        for value in added:
            out = out.joined(runs.code_of_value(invocation, "sh", value, False, ()))
        return out
    out = EMPTY
    has_mark = any("{}" in word.text for word in template)
    for value in added:
        argv = [_replaced(word, "{}", value) for word in template] if has_mark else [*template, value]
        out = out.joined(runs.code_of_value(invocation, "sh", runs.spaced(argv), False, ()))
        if len(argv) > 1 and any("'" in word.text or '"' in word.text for word in argv[1:]):
            invocation.run(tuple(argv), "parallel", stdin=EMPTY)  # what `-q` does: nobody quotes a word for nothing
    return out


# --- listings ----------------------------------------------------------------------------------------------------


def listing(invocation: Invocation) -> Stream | None:
    """`ls`, `fd`, `git ls-files`, `grep -l`: prints paths below what it is given; xargs and loops take them up."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    if invocation.name.endswith("grep") or invocation.name == "rg":
        if not invocation.arguments.has("-l", "--files-with-matches", "-L", "--files-without-match", "--files"):
            return processes.narrowed(invocation, out) if processes.TABLE in out.taint else out
        operands = invocation.arguments.operands[1:]
    else:
        operands = invocation.arguments.operands
    values = [value if value.globs else Value((*value.parts, "/*"), True, value.taint) for value in operands]
    found = tuple(values) or (Value(("*",), True),)
    invocation.evaluator.collector.goes_through(found)
    return HereText(found, True)


FD_EXEC = ("-x", "--exec", "-X", "--exec-batch")


def fd(invocation: Invocation) -> Stream | None:
    """`fd`: prints what it finds, or runs a command on it (`-x`, `-X`)."""
    words = list(invocation.words)
    cut = next((number for number, word in enumerate(words) if word.exact in FD_EXEC), len(words))
    in_front = {id(word) for word in words[:cut]}
    operands = [value for value in invocation.arguments.operands if id(value) in in_front]
    ending = invocation.arguments.value("-e", "--extension")
    name = f"*.{ending.text.lstrip('.')}" if ending is not None else "*"
    if operands and ending is None:
        name = operands[0].text if invocation.arguments.has("-g", "--glob") else _regex_as_glob(operands[0].text)
    folder = invocation.arguments.values("--search-path", "--base-directory")
    found = _found((*operands[1:], *folder) or (known("."),), name)
    invocation.evaluator.collector.goes_through(found)
    argv = words[cut + 1 :]
    end = next((number for number, word in enumerate(argv) if word.exact == ";"), len(argv))
    argv = argv[:end]
    for value in found if argv else ():
        marked = any("{" in word.text for word in argv)
        filled = [_replaced(word, "{}", value) for word in argv] if marked else [*argv, value]
        invocation.run(tuple(filled), "fd -x", stdin=EMPTY)
    return HereText(tuple(found), True)


def _regex_as_glob(regex: str) -> str:
    """Return the glob for a regular expression that names an ending or something disposable, else one for all."""
    from phocinae_cli.analysis.paths import DISPOSABLE

    plain = regex.removeprefix("^").removesuffix("$")
    if plain in DISPOSABLE:
        return plain
    if regex.startswith("\\.") and regex.endswith("$") and regex[2:-1].isalnum():
        return f"*.{regex[2:-1]}"
    return "*"


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {
    "find": find, "xargs": xargs, "parallel": parallel, "zargs": zargs, "paths": listing, "fd": fd,
}  # fmt: skip
