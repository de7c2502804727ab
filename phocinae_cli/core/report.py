"""What a check gives back: the verdict with the request and the analysis that it rests on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.core.request import Request
    from phocinae_cli.core.verdict import Verdict

    Told = tuple[tuple["Step", ...], tuple[tuple[str, str], ...]]


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

    `taken_ms` is the wall time in milliseconds; `steps` are the commands that would run, `facts` pairs of a question
    and its answer in words: both are worked out by `explained` when somebody first asks for them, since a plain check
    never does. `error` is a pair of code and message when the check itself failed, else None.
    """

    __slots__ = ("_told", "error", "explained", "notices", "request", "taken_ms", "verdict")

    def __init__(
        self,
        request: Request,
        verdict: Verdict,
        explained: Callable[[], Told] | None = None,
        taken_ms: float = 0.0,
        error: tuple[str, str] | None = None,
        notices: tuple[str, ...] = (),
    ) -> None:
        self.request = request
        self.verdict = verdict
        self.explained = explained
        self.taken_ms = taken_ms
        self.error = error
        self.notices = notices
        self._told: Told | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The commands that would run, as `explain` shows them."""
        return self._explanation()[0]

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What was looked up on the machine, each question with its answer."""
        return self._explanation()[1]

    def _explanation(self) -> Told:
        if self._told is None:
            self._told = self.explained() if self.explained is not None else ((), ())
        return self._told
