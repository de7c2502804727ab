"""Read the commands of clouds as phrases of a verb and a noun, whoever's grammar it is: `rds delete-db-instance`,
`storage account delete`, `ecs DeleteInstance`, `is instance-delete`, `pg:backups:delete`.

A tool whose entry says `grammar = "NAME"` is judged by the rows of that entry besides its own. They see the class of
the verb (`read`, `make`, `change`, `off`, `delete`), the noun in the singular with its service in front, the verb
itself and the other operands; options in lower case with dashes between their words, and options of our own, which
start with `--:`, for what only code can see.
"""

from __future__ import annotations

from phocinae_cli.analysis.arguments import Arguments
from phocinae_cli.analysis.infer import called, holding, weighs_nothing
from phocinae_cli.analysis.phrase_verbs import UNSURE, UNSURE_LAST, VERBS
from phocinae_cli.analysis.values import Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.kb.lookup import Row

DEPTH = 6
"""How many words a phrase has at most: `beta compute instance-groups managed instance-configs delete`."""
IN_FRONT = frozenset(("batch", "bulk", "admin", "force", "async", "schedule", "request", "do", "maybe", "permanent"))
"""Words that stand in front of a verb in one word with it: `batch-delete-image`, `schedule-key-deletion`."""
PREPOSITIONS = ("-from-", "-in-", "-for-", "-by-", "-to-", "-with-", "-on-", "-of-")
EACH, WILDCARD = "--:each", "--:wildcard"
ANY = ("*",)
"""An operand of a pattern that may be any word."""
OPEN_POLICY, ALL_RIGHTS = "--:open-policy", "--:all-rights"


def consult(invocation: Invocation, grammar: str, best: Row | None) -> tuple[Row | None, bool]:
    """Record what the phrase does besides the tool's own rows, and return the row that counts and whether one held.

    What the tool's own rows claim of a verb wins; only where they claim nothing, or the same of any use, the
    grammar's claim does.
    """
    tool = invocation.evaluator.collector.knowledge.find(grammar)
    phrase = read_phrase(invocation.arguments.operands) if tool is not None else None
    if tool is None or phrase is None:
        return best, False
    arguments = _arguments(invocation, phrase)
    claim, matched = holding(invocation, tool.rows_for(phrase.kind), arguments)
    for row, _ in matched:
        for effect in row.effects:
            invocation.effect(
                effect.partition(" ")[0], called(invocation), row.code, row.why, instead=row.instead, undo=row.undo,
                harm=row.harm or None,
            )  # fmt: skip
    speaks = claim is not None and (best is None or weighs_nothing(best) or _says_less(best, phrase))
    return (claim if speaks else best), bool(matched)


def _says_less(best: Row, phrase: Phrase) -> bool:
    """Return whether a harmless row says nothing of the verb: `apps` of `apps destroy`, `* * show` of `a rm show`."""
    if best.claim != "harmless" or not phrase.clear or phrase.kind == "read":
        return False
    words = best.when.words
    if phrase.at >= len(words):
        return phrase.at > 0
    return words[phrase.at] == ANY == words[0]


class Phrase:
    """A verb's class, the verb, what it is done to, where the verb stands, and how many operands the phrase takes.

    `clear` says that the verb is not as often a noun.
    """

    __slots__ = ("at", "clear", "kind", "noun", "taken", "verb")

    def __init__(self, verb: str, noun: str, at: int, taken: int, clear: bool) -> None:
        self.kind = VERBS[verb]
        self.verb = verb
        self.noun = noun
        self.at = at
        self.taken = taken
        self.clear = clear


def read_phrase(operands: list[Value]) -> Phrase | None:
    """Return the phrase that the first operands make, or None where no verb is among them.

    The first word with a clear verb counts; a word that may as well be a noun (`run services delete`) only where
    none has one.
    """
    words: list[list[str]] = []
    unsure: Phrase | None = None
    for number, operand in enumerate(operands[:DEPTH]):
        pieces = _pieces(operand.exact or "")
        if not pieces:
            break
        verb, rest, clear = _verb_of(pieces)
        if verb:
            nouns = [*(piece for word in words for piece in word), *rest]
            taken = number + 1
            if not nouns and taken < len(operands):  # `delete cluster NAME`
                nouns = _pieces(operands[taken].exact or "")
                taken += bool(nouns)
            phrase = Phrase(verb, _noun(nouns), number, taken, clear)
            if clear:
                return phrase
            unsure = unsure or phrase
        words.append(pieces)
    return unsure


def _pieces(word: str) -> list[str]:
    """Return the words of which an operand is made, or nothing where it is no part of a phrase."""
    plain = word.replace("-", "").replace("_", "").replace(":", "")
    if not plain.isalnum() or not plain.isascii() or not word[0].isalpha():
        return []
    return [piece for piece in kebab(word).replace(":", "-").split("-") if piece]


def kebab(text: str) -> str:
    """Return a name in lower case with dashes between its words: `DBInstanceId` is `db-instance-id`."""
    found = ""
    for number, char in enumerate(text):
        before = text[number - 1] if number else "-"
        after = text[number + 1] if number + 1 < len(text) else ""
        if char.isupper() and before.isalnum() and (not before.isupper() or (after.islower() and after != "s")):
            found += "-"
        found += "-" if char == "_" else char.lower()
    return found


def _verb_of(pieces: list[str]) -> tuple[str, list[str], bool]:
    """Return the verb among the pieces of one word, first or last, the other pieces, and whether it is clearly one."""
    for at in (1, 2):
        if len(pieces) > at and pieces[0] in IN_FRONT and pieces[at] in VERBS:
            return pieces[at], [*pieces[1:at], *pieces[at + 1 :]], True
    first, last = pieces[0], pieces[-1]
    if first in VERBS and first not in UNSURE:
        return first, pieces[1:], True
    if last in VERBS and last not in UNSURE:
        return last, pieces[:-1], last not in UNSURE_LAST
    return (first, pieces[1:], False) if first in VERBS else ("", [], False)


def _noun(pieces: list[str]) -> str:
    text = "-".join(_singular(piece) for piece in pieces)
    for word in PREPOSITIONS:
        text = text.partition(word)[0]
    return text


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "dns", "kms", "rds", "sqs", "sns", "aws")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches")) else word[:-1]


def _arguments(invocation: Invocation, phrase: Phrase) -> Arguments:
    """Return what the rows of the grammar see."""
    arguments = Arguments("exact")
    operands = invocation.arguments.operands[phrase.taken :]
    arguments.operands = [known(phrase.kind), known(phrase.noun), known(phrase.verb), *operands]
    arguments.flags = [(name, value) for name, value in invocation.arguments.flags if not name.startswith("--")]
    arguments.flags += _long_options(invocation)
    if any(word.one_of_many() for word in invocation.words):
        arguments.flags.append((EACH, None))
    if any("*" in operand.text for operand in operands):
        arguments.flags.append((WILDCARD, None))
    return arguments


def _long_options(invocation: Invocation) -> list[tuple[str, Value | None]]:
    """Return the long options with the word behind each as its value, whether or not the tool's entry names them."""
    found: list[tuple[str, Value | None]] = []
    words = invocation.words
    for number, word in enumerate(words):
        if not word.head().startswith("--") or len(word.head()) < 3:
            continue
        name, equals, _ = word.head().partition("=")
        value = word.cut(len(name) + 1) if equals else None
        if value is None and number + 1 < len(words) and not words[number + 1].head().startswith("-"):
            value = words[number + 1]
        found.append(("--" + kebab(name[2:]), _compact(value)))
        if value is not None:
            found += _inner_options(name, value)
            found += _policy_options(invocation, value)
    return found


def _compact(value: Value | None) -> Value | None:
    """Return a value in lower case and without blanks and quotes, so that a glob finds `"Enabled": false`."""
    if value is None:
        return None
    text = value.readings()[0].lower()
    return known("".join(char for char in text if char not in " \t\r\n\"'"))


def _inner_options(name: str, value: Value) -> list[tuple[str, Value | None]]:
    """Return what `--set a.b=c` sets as an option of its own."""
    path, equals, text = value.text.partition("=")
    if name != "--set" or not equals:
        return []
    return [("--" + kebab(path.rpartition(".")[2]), known(text.lower()))]


def _policy_options(invocation: Invocation, value: Value) -> list[tuple[str, Value | None]]:
    """Return our own options for a policy that lets everybody in, or gives all rights."""
    text = _text_of(invocation, value)
    if "Statement" not in text:
        return []
    from phocinae_cli.analysis.access_policies import gives_all_rights, lets_everybody_in

    found: list[tuple[str, Value | None]] = []
    if lets_everybody_in(text):
        found.append((OPEN_POLICY, None))
    if gives_all_rights(text):
        found.append((ALL_RIGHTS, None))
    return found


def _text_of(invocation: Invocation, value: Value) -> str:
    """Return a value's text, or what the line itself wrote to the file that it names."""
    if not value.head().startswith("file://"):
        return value.readings()[0]
    source = value.cut(len("file://"))
    if source.exact in ("/dev/stdin", "/dev/fd/0", "-"):
        return invocation.stdin.seen
    return invocation.evaluator.collector.content(source, invocation.scope).seen
