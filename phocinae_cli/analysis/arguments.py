"""Read an argv as the tool itself would: which words are options, which are their values, which are operands."""

from __future__ import annotations

from phocinae_cli.analysis.values import EACH_LINE_OF, Unknown, Value, known
from phocinae_cli.kb.schema import Pattern, glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.kb.lookup import Tool

NO_VALUES: frozenset[str] = frozenset()
NO_STOPS: dict[str, int] = {}
OUTPUT_OF = "the output of "
PRINT_ONE = frozenset(
    (
        "head",
        "tail",
        "git",
        "terraform",
        "tofu",
        "pulumi",
        "cat",
        "basename",
        "date",
        "hostname",
        "id",
        "whoami",
        "echo",
    )
)
"""Programs whose output, as a word, is mostly one thing."""
PREFIXES = {"posix": "-+", "slash": "-/"}
"""The characters that an option starts with, where it is not the dash alone."""


class Arguments:
    """An argv taken apart.

    `flags` are pairs of an option's name with its dashes and its value (None when it has none); `operands` the
    words that no option owns; `prefixes` says that long options may be cut short, `folds` that case does not
    count; `described` are the options that the tool's rows name: one of them is never the short form of
    another (`--force` is not `--force-with-lease`). `unsure` says that an option word held something unknown;
    `leading` is how many flags stand in front of the first operand; `dashed` says that `--` stands in front of
    some operand.
    """

    __slots__ = ("dashed", "described", "flags", "folds", "leading", "operands", "prefixes", "style", "unsure")

    def __init__(self, style: str) -> None:
        self.flags: list[tuple[str, Value | None]] = []
        self.operands: list[Value] = []
        self.style = style
        self.prefixes = style in ("gnu", "bundle", "posix", "powershell")
        self.folds = style in ("powershell", "slash")
        self.unsure = False
        self.described: frozenset[str] = NO_VALUES
        self.leading = 0
        self.dashed = False

    def has(self, *names: str) -> bool:
        """Return whether one of the options was given."""
        for given, _ in self.flags:
            if given in names:
                return True
            if (self.folds or given[:2] == "--") and any(self._same(name, given) for name in names):
                return True
        return False

    def value(self, *names: str) -> Value | None:
        """Return the value of the last of the options that has one, or None."""
        found: Value | None = None
        for given, value in self.flags:
            if value is not None and any(self._same(name, given) for name in names):
                found = value
        return found

    def values(self, *names: str) -> list[Value]:
        """Return the values of all of the options, in order."""
        return [v for given, v in self.flags if v is not None and any(self._same(name, given) for name in names)]

    def _same(self, name: str, given: str) -> bool:
        """Return whether an option goes by this name; only where case folds or of a long one may it be another."""
        if given == name:
            return True
        if self.folds:
            name, given = name.lower(), given.lower()
            if given == name:
                return True
        if not self.prefixes or len(given) >= len(name) or not name.startswith(given) or given in self.described:
            return False
        return self.style == "powershell" or (given.startswith("--") and len(given) > 2)

    def listed(self) -> bool:
        """Return whether some word is what another command lists: nobody knows how many things that are."""
        values = [*self.operands, *(value for _, value in self.flags if value is not None)]
        return any(
            isinstance(part, Unknown) and not part.name_only and _is_list(part.why)
            for value in values
            if not value.known
            for part in value.parts
        )

    def meets(self, option: tuple[str, str]) -> bool:
        """Return whether an option of a pattern, a name (or a glob for it) and a glob for its value, was given."""
        name, wanted = option
        if name == "--":
            return self.dashed
        folds = self.folds
        for given, value in self.flags:
            same = given == name or ((folds or given[:2] == "--") and self._same(name, given))
            if same or ("*" in name and glob_match(name, given.lower())):
                if not wanted:
                    return True
                text = value.text if value is not None else ""
                if glob_match(wanted, text) or (folds and glob_match(wanted.lower(), text.lower())):
                    return True
        return False


def read_arguments(words: tuple[Value, ...], tool: Tool | None) -> Arguments:
    """Return the arguments behind a program's name, read in the tool's own style (GNU's when it is not known)."""
    style = tool.style if tool is not None else "gnu"
    arguments = Arguments(style)
    if style == "words" or style == "keys":
        arguments.operands = list(words)
        return arguments
    arguments.described = tool.flags if tool is not None else NO_VALUES
    values = tool.values if tool is not None else NO_VALUES
    verbs = tool.verbs if tool is not None else {}
    stops = tool.stops if tool is not None else NO_STOPS
    index, count = 0, len(words)
    ended = False
    verb = ""
    flags, operands = arguments.flags, arguments.operands
    prefixes = PREFIXES.get(style, "-")
    while index < count:
        word = words[index]
        index += 1
        text = word.exact
        if text is None:
            text = word.head()
        if not ended and len(text) > 1 and text[0] in prefixes:
            if text[0] == "/":
                if not _looks_like_path(text):
                    name, colon, _ = text.partition(":")
                    flags.append((name.lower(), word.cut(len(name) + 1) if colon else None))
                    continue
            elif text == "--" and word.known:
                ended = True
                continue
            else:
                owned = values if not verb else values | verbs.get(verb, NO_VALUES)
                index = _option(arguments, word, text, words, index, owned, style)
                continue
        if style == "bundle" and index == 1 and text.isalpha():
            index = _bundle(arguments, text, words, index, values)
            continue
        if not operands:
            arguments.leading = len(flags)
        if ended:
            arguments.dashed = True
        operands.append(word)
        stopped = bool(stops) and _stops_here(operands, stops)
        if stopped and not ended and index < count and words[index].exact == "--":
            index += 1  # `lxc exec NAME -- cmd`: it ends this command's own options
        if stopped or style == "posix":
            operands.extend(words[index:])
            break
        if verbs and not ended and len(operands) <= 2:
            verb = _verb(operands, verbs, verb)
    return arguments


def _stops_here(operands: list[Value], stops: dict[str, int]) -> bool:
    """Return whether all that follows belongs to another command (`docker exec NAME cmd -f`)."""
    for size in (1, 2):
        if len(operands) >= size:
            count = stops.get(" ".join(value.text for value in operands[:size]))
            if count is None and size == 1:
                count = stops.get("*")  # whatever the first operand is: `ssh -p 22 HOST -t cmd -f`
            if count is not None and len(operands) == size + count:
                return True
    return False


def _looks_like_path(text: str) -> bool:
    return text.count("/") > 1 or len(text) > 20


def _verb(operands: list[Value], verbs: dict[str, frozenset[str]], current: str) -> str:
    path = " ".join(value.text for value in operands)
    if path in verbs:
        return path
    return current if current in verbs else operands[0].text


def _option(
    arguments: Arguments,
    word: Value,
    text: str,
    words: tuple[Value, ...],
    index: int,
    owned: frozenset[str],
    style: str,
) -> int:
    """Add one option, taking its value from the same word or the next; return the index behind it."""
    flags = arguments.flags
    if text.startswith("--") or style in ("single", "powershell"):
        name, equals, _ = text.partition(":" if style == "powershell" else "=")
        if equals:
            flags.append((name, word.cut(len(name) + 1)))
            return index
        owns = name in owned or (arguments.prefixes and _abbreviated(name, owned, arguments))
        if owns and index < len(words):
            flags.append((name, words[index]))
            return index + 1
        flags.append((name, None))
        return index
    at = 1
    while at < len(text):
        name = text[0] + text[at]
        at += 1
        if name + "?" in owned:
            # A value that only ever stands in the same word: `mysql -psecret`, `sed -i.bak`.
            rest = word.cut(at)
            flags.append((name, rest if rest.parts and rest.parts != ("",) else None))
            return index
        if name in owned:
            rest = word.cut(at)
            if rest.parts and rest.parts != ("",):
                flags.append((name, rest))
                return index
            if index < len(words):
                flags.append((name, words[index]))
                return index + 1
        flags.append((name, None))
    if not word.known:
        arguments.unsure = True
    return index


def _abbreviated(name: str, owned: frozenset[str], arguments: Arguments) -> bool:
    if arguments.style == "powershell":
        lowered = name.lower()
        return any(option.lower().startswith(lowered) for option in owned)
    if len(name) < 4 or name in arguments.described:
        return False
    return any(option.startswith(name) for option in owned if option.startswith("--"))


def _bundle(arguments: Arguments, text: str, words: tuple[Value, ...], index: int, values: frozenset[str]) -> int:
    for char in text:
        name = "-" + char
        if name in values and index < len(words):
            arguments.flags.append((name, words[index]))
            index += 1
        else:
            arguments.flags.append((name, None))
    return index


def _is_list(why: str) -> bool:
    """Return whether the reason why a word is not known says that it may be many things."""
    return why.startswith(EACH_LINE_OF) or (why.startswith(OUTPUT_OF) and why[len(OUTPUT_OF) :] not in PRINT_ONE)


def holds(pattern: Pattern, arguments: Arguments, fed: bool) -> int:
    """Return how many operands the pattern's words take, or -1 when it does not hold.

    `fed` says that something is given on standard input.
    """
    operands = arguments.operands
    words = pattern.words
    if len(words) > len(operands) or (pattern.stdin and not fed) or (pattern.listed and not arguments.listed()):
        return -1
    folds = arguments.folds
    for alternatives, operand in zip(words, operands, strict=False) if words else ():
        text = operand.text.lower() if folds else operand.text
        if text not in alternatives and not any(glob_match(word, text) for word in alternatives):
            return -1
    if pattern.any_of or pattern.none_of:
        flags = arguments.flags
        if not flags and not arguments.dashed and pattern.any_of:
            return -1
        for group in pattern.any_of:
            for option in group:
                if arguments.meets(option):
                    break
            else:
                return -1
        if flags or arguments.dashed:
            for option in pattern.none_of:
                if arguments.meets(option):
                    return -1
    taken = len(words)
    behind = len(operands) - taken
    if behind < pattern.low or behind > pattern.high >= 0:
        return -1
    if pattern.some_operand or pattern.no_operand:
        texts = [value.text.lower() if folds else value.text for value in operands[taken:]]
        for group_of_globs in pattern.some_operand:
            if not any(glob_match(glob, text) for glob in group_of_globs for text in texts):
                return -1
        if any(glob_match(glob, text) for glob in pattern.no_operand for text in texts):
            return -1
    return taken


def plain(texts: list[str]) -> tuple[Value, ...]:
    """Return known values for texts."""
    return tuple(known(text) for text in texts)
