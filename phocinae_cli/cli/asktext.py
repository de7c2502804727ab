"""The answers of `ask` as a person or a script reads them."""

from __future__ import annotations

from phocinae_cli.backends.result import BELOW, FLIPPED, NOT_ANSWERED, TRUNCATED, UNKNOWN, Result
from phocinae_cli.render.marks import clean

WORDS = {
    TRUNCATED: "the state was longer than the model can read",
    NOT_ANSWERED: "the engine knows commands only, and left something open",
    UNKNOWN: "the service did not say how sure it is",
    FLIPPED: "the answer changes with the order of the options",
    BELOW: "an answer is less sure than asked for",
}
"""What each reason to escalate means, as the end of a sentence."""


def as_text(result: Result) -> str:
    """Return one line an answer, then what they rest on, then the reason to escalate, if there is one."""
    lines = [_line(result, name) for name in result.answers]
    models = ", ".join(dict.fromkeys(result.answered_by.values()))
    asked = f", {clean(result.asked_model)} was asked for" if result.asked_model not in (result.model, "") else ""
    weak = ", a small model that is often wrong" if result.engine == "general" else ""
    lines.append(f"answered by {clean(models)} ({result.engine}{weak}{asked})")
    if result.escalation_reason:
        names = ", ".join(clean(name) for name in result.escalated_ids)
        lines.append(f"escalate {names}: {WORDS[result.escalation_reason]} [{result.escalation_reason}]")
    return "\n".join(lines)


def as_values(result: Result) -> str:
    """Return the answers alone, one a line, in the order asked; what was left open is `null`."""
    return "\n".join(shown(value) for value in result.answers.values())


def shown(value: bool | str | int | float | None) -> str:
    """Return an answer as it is written: `true`, `false`, `null`, a number, or the name of the option."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(value) if isinstance(value, str) else f"{value:g}"


def _line(result: Result, name: str) -> str:
    confidence = result.confidence[name]
    said = "confidence unknown" if confidence is None else f"confidence {confidence:.2f}"
    flips = ", flips with the order" if result.flipped and name in result.flipped else ""
    mark = ", escalate" if name in result.escalated_ids else ""
    return f"{clean(name)}: {shown(result.answers[name])} ({said}{flips}{mark})"
