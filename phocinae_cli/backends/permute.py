"""One choice put in several option orders, and the answers made into one: small models like the first option."""

from __future__ import annotations

import random
from dataclasses import replace

from phocinae_cli.backends.answer import CHANCE_CORRECTED, Answer
from phocinae_cli.backends.question import CHOICE, Question
from phocinae_cli.backends.typed import choice_confidence

ORDERS = 4


def orders(count: int) -> tuple[tuple[int, ...], ...]:
    """Return up to four orders of `count` options: as given, reversed, and two shuffled the same each time."""
    given = tuple(range(count))
    found = [given, given[::-1]]
    dice = random.Random(0)
    for _ in range(16):
        shuffled = list(given)
        dice.shuffle(shuffled)
        found.append(tuple(shuffled))
    return tuple(dict.fromkeys(found))[:ORDERS]


def variants(question: Question) -> tuple[Question, ...]:
    """Return the question once for each order of its options, the given order first; others than choices have one."""
    if question.type != CHOICE or len(question.options) < 2:
        return (question,)
    others = orders(len(question.options))[1:]
    return (question, *(_in(order, number, question) for number, order in enumerate(others, 1)))


def _in(order: tuple[int, ...], number: int, question: Question) -> Question:
    options = tuple(question.options[place] for place in order)
    return replace(question, id=f"{question.id} (order {number})", options=options)


def merge(question: Question, asked: tuple[Question, ...], answers: tuple[Answer, ...], kind: str) -> Answer:
    """Return the one answer that the variants give together: the highest mean probability.

    Where one of them came without probabilities, the answer in the given order stands and its confidence is
    unknown. `flipped` says whether the order made a difference.
    """
    first = answers[0]
    if len(answers) == 1:
        return first
    flipped = any(answer.value != first.value for answer in answers)
    means = _means(question, asked, answers)
    if means is None:
        return replace(first, confidence=None, scores=None, flipped=flipped)
    best = max(range(len(means)), key=means.__getitem__)
    confidence = choice_confidence(means, best) if kind == CHANCE_CORRECTED else means[best]
    known = all(answer.confidence is not None for answer in answers)
    return replace(
        first, value=question.options[best], confidence=confidence if known else None, scores=means, flipped=flipped
    )


def _means(question: Question, asked: tuple[Question, ...], answers: tuple[Answer, ...]) -> tuple[float, ...] | None:
    sums = dict.fromkeys(question.options, 0.0)
    for variant, answer in zip(asked, answers, strict=True):
        if answer.scores is None:
            return None
        for option, share in zip(variant.options, answer.scores, strict=True):
            sums[option] += share
    return tuple(sums[option] / len(answers) for option in question.options)
