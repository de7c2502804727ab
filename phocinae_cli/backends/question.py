"""A typed question: yes or no (`noul`), pick one (`choice`), rate (`score`); and what keeps it from being sent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

NOUL = "noul"
CHOICE = "choice"
SCORE = "score"
TYPES = (NOUL, CHOICE, SCORE)

MAX_QUESTIONS = 64
MAX_OPTIONS = 255
SCORE_LOWEST = 2
SCORE_HIGHEST = 10


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a state.

    `options` are the names to pick from (`choice` only); `threshold` is the probability of yes from which the
    answer is yes (`noul` only); `instructions` is the question in words; `descriptions` says more on an option
    (`choice`: by name; `noul`: by `true` and `false`); `levels` are the rungs of a `score`, lowest first. A score
    without levels is rated from 2 to 10.
    """

    id: str
    type: str
    options: tuple[str, ...] = ()
    threshold: float = 0.5
    instructions: str = ""
    descriptions: tuple[tuple[str, str], ...] = ()
    levels: tuple[str, ...] = ()

    def described(self, name: str) -> str:
        """Return what is said on an option, or an empty text."""
        return dict(self.descriptions).get(name, "")


def problems(questions: Iterable[Question]) -> tuple[str, ...]:
    """Return everything that is wrong with a set of questions, one sentence each; nothing wrong gives ()."""
    found: list[str] = []
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            found.append(f"question {question.id!r} is asked twice")
        seen.add(question.id)
        found.extend(f"question {question.id!r}: {problem}" for problem in _of_one(question))
    if not seen:
        found.append("there is no question")
    return tuple(found)


def _of_one(question: Question) -> list[str]:
    found: list[str] = []
    if not question.id:
        found.append("the id is empty")
    if question.type not in TYPES:
        return [*found, f"type is {question.type!r}, known are noul, choice and score"]
    if not _encodable(question):
        found.append("a text in it can't be written as UTF-8")
    if question.type == NOUL and not (math.isfinite(question.threshold) and 0 <= question.threshold <= 1):
        found.append(f"the threshold {question.threshold} is not within 0 and 1")
    if question.type == CHOICE:
        found.extend(_of_names("option", question.options, 1, MAX_OPTIONS))
    elif question.options:
        found.append(f"a {question.type} has no options")
    if question.type == SCORE and question.levels:
        found.extend(_of_names("level", question.levels, 2, 10))
    elif question.levels:
        found.append(f"a {question.type} has no levels")
    return found


def _of_names(noun: str, names: tuple[str, ...], fewest: int, most: int) -> list[str]:
    found: list[str] = []
    if not fewest <= len(names) <= most:
        found.append(f"it has {len(names)} {noun}s, {fewest} to {most} are possible")
    if "" in names:
        found.append(f"one {noun} is empty")
    twice = sorted({name for name in names if names.count(name) > 1})
    found.extend(f"{noun} {name!r} stands twice" for name in twice)
    return found


def _encodable(question: Question) -> bool:
    texts = [question.id, question.instructions, *question.options, *question.levels]
    texts.extend(text for pair in question.descriptions for text in pair)
    try:
        "".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
