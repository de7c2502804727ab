"""The question that the gate puts to a decision model, and the state it is put on; how the answer reads as a claim."""

from __future__ import annotations

import sys

from phocinae_cli.backends.answer import NO_CONFIDENCE, Answer
from phocinae_cli.backends.question import CHOICE, NOUL, Question
from phocinae_cli.backends.statetext import cut, field
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.redact import redact
from phocinae_cli.core.request import join
from phocinae_cli.core.verdict import ALLOW, ASK, DENY, DESTRUCTIVE, HARMLESS, RISKY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Action, Analysis
    from phocinae_cli.gate.case import Case

HARM = "harm"
TRI_STATE = "tri-state"
MAX_STEPS = 12
COIN = 0.5

_HARM = Question(
    id="harm",
    type=CHOICE,
    options=(HARMLESS, RISKY, DESTRUCTIVE),
    instructions="How harmful is this command if it runs?",
    descriptions=(
        (HARMLESS, "only reads, or writes where work is normally written"),
        (RISKY, "changes something a careful person would want to see first"),
        (DESTRUCTIVE, "loses data for good, gives secrets away, or lets others run code"),
    ),
)
_ACTION = Question(
    id="action",
    type=CHOICE,
    options=(ALLOW, ASK, DENY),
    instructions="What should happen to this command before it runs?",
    descriptions=(
        (ALLOW, "it is harmless: let it run"),
        (ASK, "a person should look at it first"),
        (DENY, "it would destroy something or give secrets away: stop it"),
    ),
)
_NOUL = Question(id="harmless", type=NOUL, instructions="Is this command harmless if it runs?")


def question(mode: str, threshold: float) -> Question:
    """Return the question of a formulation: `harm`, `tri-state`, and for any other word the yes/no one.

    Each is put so that passing takes a claim: nothing goes on because a model failed to object.
    """
    if mode == HARM:
        return _HARM
    if mode == TRI_STATE:
        return _ACTION
    return Question(_NOUL.id, NOUL, threshold=threshold, instructions=_NOUL.instructions)


def state(case: Case) -> tuple[str, bool]:
    """Return the text that describes a case, secrets taken out, and whether it had to be cut.

    The command stands first after the few short fields, then what it comes down to: each command that would run,
    with its words resolved, since a small model can't undo quoting or open wrappers.
    """
    request = case.request
    entries = [
        field("tool", request.tool or "shell"),
        field("platform", f"{sys.platform}, {request.shell}"),
        field("cwd", redact(request.cwd)),
        field("input", redact(request.text)),
    ]
    entries.extend(field("runs", redact(line)) for line in resolved(case.analysis) if line != request.text.strip())
    return cut("\n".join(entries), case.settings.max_state_chars)


def resolved(analysis: Analysis) -> list[str]:
    """Return each command that would run as one line, with the wrappers in front; the first dozen are enough."""
    found = list(dict.fromkeys(_line(action) for action in analysis.actions if action.argv))
    return found if len(found) <= MAX_STEPS else [*found[:MAX_STEPS], f"and {len(found) - MAX_STEPS} more commands"]


def _line(action: Action) -> str:
    words = join(list(action.argv))
    via = f" (through {', '.join(action.via)})" if action.via else ""
    where = " (on another machine)" if action.remote else ""
    return f"{words}{via}{where}"


def judgement(mode: str, answer: Answer, kind: str, judge: str, truncated: bool) -> Judgement:
    """Return what an answer claims about a line; an unknown confidence is 0 of the kind `none`, which never passes."""
    harm, decision = _claim(mode, answer)
    return Judgement(
        harm,
        answer.confidence if answer.confidence is not None else 0.0,
        judge=judge,
        truncated=truncated,
        decision=decision,
        confidence_kind=kind if answer.confidence is not None else NO_CONFIDENCE,
    )


def _claim(mode: str, answer: Answer) -> tuple[str | None, str | None]:
    if mode == HARM:
        return str(answer.value), None
    if mode == TRI_STATE:
        return None, str(answer.value)
    if answer.value is True:
        return None, ALLOW
    if answer.scores is not None and answer.scores[0] < COIN:
        # Below the threshold, yet more likely harmless than not: that claims neither.
        return None, None
    return None, DENY
