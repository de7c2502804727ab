"""Questions that the embedded engine can answer: what a command would do. All others it leaves open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from phocinae_cli.backends.answer import Answer
from phocinae_cli.backends.question import CHOICE, NOUL, SCORE_LOWEST, Question
from phocinae_cli.backends.typed import PLAIN_LEVELS
from phocinae_cli.core.verdict import ALLOW, DECISION_RANK, DENY, HARM_RANK, Verdict

LEVELS = 3
HARM_WORDS = {
    "harmless": 0, "safe": 0, "benign": 0,
    "risky": 1, "caution": 1, "suspicious": 1,
    "destructive": 2, "dangerous": 2, "harmful": 2, "unsafe": 2, "malicious": 2,
}  # fmt: skip
DECISION_WORDS = {
    "allow": 0, "approve": 0, "accept": 0, "run": 0,
    "ask": 1, "review": 1, "escalate": 1, "confirm": 1,
    "deny": 2, "block": 2, "reject": 2, "refuse": 2,
}  # fmt: skip
FROM_LEVEL = {"risky": 1, "harmful": 1, "unsafe": 1, "suspicious": 1, "dangerous": 1, "destructive": 2, "malicious": 2}
"""A yes to such a word covers everything from this level on."""
NEGATIONS = frozenset(("not", "no", "never", "without", "neither", "nor", "isn", "doesn", "won", "t"))

COMMAND_KEYS = ("command", "cmd", "command_line", "input")
AMBIGUOUS_KEY = "input"
CONTEXT_KEYS = ("tool", "tool_name", "cwd", "shell", "platform")
NESTED_KEYS = ("tool_input", "arguments", "input", "action", "call")
_ENTRY = re.compile(r"(command|cmd|command_line|input|tool|tool_name|cwd|shell|platform|runs): ?(.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """A command found in a state, with what the state says about where it would run; None is not said."""

    text: str
    cwd: str | None = None
    shell: str | None = None


Vet = Callable[[Line], Verdict]


def answer(question: Question, state: object, vet: Vet) -> Answer:
    """Return the engine's answer, or one without a value and with confidence 0 for what it knows nothing of."""
    words, line = _split(question, state)
    levels = _levels(question, words)
    if line is None or levels is None or not line.text.strip():
        return Answer(question.id, question.type, None, 0.0)
    return _answer(question, levels, vet(line))


def _split(question: Question, state: object) -> tuple[str, Line | None]:
    """Return the words of the question and the command it is about; a flat state holds both."""
    if not isinstance(state, str):
        return question.instructions, _in_tree(state)
    try:
        tree = json.loads(state) if state.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        tree = None
    if isinstance(tree, dict):
        return question.instructions, _in_tree(tree)
    head, entries = _entries(state)
    words = f"{question.instructions}\n{head}"
    if entries:
        return words, _in_tree(entries)
    first, _, rest = state.partition("\n")
    if first.rstrip().endswith("?") and rest.strip():
        return words, Line(rest)
    # A bare text is taken for a command only on the exact scale of the gate: prose is none.
    bare = question.type == CHOICE and set(_names(question)) <= set(HARM_RANK)
    return words, Line(state) if bare else None


def _entries(state: str) -> tuple[str, dict[str, object]]:
    """Return what stands in front of the `name: value` entries, and the entries; indented lines go on with a value."""
    found: dict[str, object] = {}
    head: list[str] = []
    last = ""
    for line in state.split("\n"):
        entry = _ENTRY.fullmatch(line)
        if entry and entry[1] not in found:
            last = entry[1]
            found[last] = entry[2]
        elif last and line.startswith("  "):
            found[last] = f"{found[last]}\n{line[2:]}"
        elif not last:
            head.append(line)
        elif last in COMMAND_KEYS:
            # Somebody else's state: a command of several lines that were not indented.
            found[last] = f"{found[last]}\n{line}"
    return "\n".join(head), found


def _in_tree(tree: object, depth: int = 0, context: bool = False) -> Line | None:
    if not isinstance(tree, dict) or depth > 3:
        return None
    context = context or any(key in tree for key in CONTEXT_KEYS)
    for key in COMMAND_KEYS:
        text = tree.get(key)
        if isinstance(text, str) and (key != AMBIGUOUS_KEY or context):
            cwd = tree.get("cwd")
            return Line(text, cwd if isinstance(cwd, str) else None, _shell_in(tree))
    for key in NESTED_KEYS:
        found = _in_tree(tree.get(key), depth + 1, context)
        if found is not None:
            cwd = tree.get("cwd")
            return Line(
                found.text, found.cwd or (cwd if isinstance(cwd, str) else None), found.shell or _shell_in(tree)
            )
    return None


def _shell_in(tree: dict[str, object]) -> str | None:
    """Return the shell that a state names: by itself, or behind the system as the gate does (`linux, bash`)."""
    shell, platform = tree.get("shell"), tree.get("platform")
    if isinstance(shell, str):
        return shell
    return platform.rpartition(",")[2].strip() or None if isinstance(platform, str) else None


# --- what is asked ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Levels:
    """How a question lies on the scale: for each of its possible answers, the levels of harm that amount to it.

    `decides` says that it asks what to do with the command rather than how harmful it is.
    """

    of: tuple[tuple[int, ...], ...]
    decides: bool = False


def _levels(question: Question, words: str) -> _Levels | None:
    if question.type == CHOICE:
        return _of_options(_names(question))
    named = set(re.findall(r"[a-z]+", words.lower()))
    spoken = named & HARM_WORDS.keys()
    if question.type == NOUL:
        return _of_yes(spoken) if not named & NEGATIONS else None
    if not spoken:
        return None
    count = len(question.levels or PLAIN_LEVELS)
    places = (0, (count - 1) // 2 if count > 2 else count - 1, count - 1)
    return _Levels(tuple(tuple(level for level in range(LEVELS) if places[level] == place) for place in range(count)))


def _names(question: Question) -> tuple[str, ...]:
    return tuple(option.partition(":")[0].strip().lower() for option in question.options)


def _of_options(names: tuple[str, ...]) -> _Levels | None:
    for vocabulary, decides in ((HARM_WORDS, False), (DECISION_WORDS, True)):
        if all(name in vocabulary for name in names):
            places = [vocabulary[name] for name in names]
            if len(set(places)) == len(places) > 1:
                # A level without an option of its own goes to the next stricter one, else to the strictest.
                to = [min((p for p in places if p >= level), default=max(places)) for level in range(LEVELS)]
                return _Levels(tuple(tuple(x for x in range(LEVELS) if to[x] == place) for place in places), decides)
    return None


def _of_yes(spoken: set[str]) -> _Levels | None:
    """A yes/no question must use one word of the scale, and no negation, or its sense is a guess."""
    if len(spoken) != 1:
        return None
    word = next(iter(spoken))
    if HARM_WORDS[word] == 0:
        return _Levels(((1, 2), (0,)))
    start = FROM_LEVEL.get(word, 1)
    return _Levels((tuple(range(start)), tuple(range(start, LEVELS))))


# --- what is answered -------------------------------------------------------------------------------------------------


def _answer(question: Question, levels: _Levels, verdict: Verdict) -> Answer:
    level = _level(verdict, levels.decides)
    shares = _shares(verdict, level)
    vector = tuple(sum(shares[each] for each in of) for of in levels.of)
    # Where nothing is known all are alike, and the verdict's own level is named: never the first by chance.
    best = max(range(len(vector)), key=lambda place: (round(vector[place], 9), level in levels.of[place]))
    value: bool | str | int | float
    if question.type == CHOICE:
        value = question.options[best]
    elif question.type == NOUL:
        value = vector[1] >= question.threshold
        best = int(value)
    else:
        value = best if question.levels else best + SCORE_LOWEST
    return Answer(question.id, question.type, value, vector[best], vector)


def _level(verdict: Verdict, decides: bool) -> int:
    return DECISION_RANK[verdict.decision] if decides or verdict.harm is None else HARM_RANK[verdict.harm]


def _shares(verdict: Verdict, level: int) -> tuple[float, ...]:
    """Return a probability for each level of harm; what the verdict is not sure of is spread over the other two."""
    if verdict.confidence_kind != "none":
        sure = verdict.confidence
    else:
        # A rule or a list decides without a judge; an ask without a confidence means that nothing is known.
        sure = 1.0 if verdict.decision in (ALLOW, DENY) else 0.0
    sure = max(sure, 1 / LEVELS)
    return tuple(sure if place == level else (1 - sure) / (LEVELS - 1) for place in range(LEVELS))
