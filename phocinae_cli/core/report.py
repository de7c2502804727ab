"""What a check gives back: the verdict with the request and the analysis that it rests on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.request import Request
    from phocinae_cli.core.verdict import Verdict


class Step:
    """One command that would run, as `explain` shows it.

    `argv` are the resolved words as text (an unknown part shown as `<...>`), `via` the wrappers in front,
    `effects` the lines that say what it does to what, `notes` what could not be known; `start`, `end` the span.
    """

    __slots__ = ("argv", "effects", "end", "notes", "start", "via")

    def __init__(
        self,
        argv: tuple[str, ...],
        via: tuple[str, ...],
        effects: tuple[str, ...],
        notes: tuple[str, ...],
        start: int,
        end: int,
    ) -> None:
        self.argv = argv
        self.via = via
        self.effects = effects
        self.notes = notes
        self.start = start
        self.end = end


class Report:
    """A verdict, the request it answers, and the steps and facts behind it.

    `taken_ms` is the wall time in milliseconds; `facts` are pairs of a question and its answer in words;
    `error` is a pair of code and message when the check itself failed, else None.
    """

    __slots__ = ("error", "facts", "notices", "request", "steps", "taken_ms", "verdict")

    def __init__(
        self,
        request: Request,
        verdict: Verdict,
        steps: tuple[Step, ...] = (),
        facts: tuple[tuple[str, str], ...] = (),
        taken_ms: float = 0.0,
        error: tuple[str, str] | None = None,
        notices: tuple[str, ...] = (),
    ) -> None:
        self.request = request
        self.verdict = verdict
        self.steps = steps
        self.facts = facts
        self.taken_ms = taken_ms
        self.error = error
        self.notices = notices
