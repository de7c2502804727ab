"""Effects, their targets, the actions that cause them, and the analysis that collects them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.queries import Query


class Target:
    """What an effect happens to.

    `text` is how a person would write it; `path` the absolute, normalised path when it is one and is known;
    `place` is a word for where or what it is (`project`, `home`, `system`, `disk`, `temp`, `database` ...: the
    list stands in `kb.schema`); `known` is False when part of it could not be resolved; `recursive` says that
    everything below is meant too.
    """

    __slots__ = ("known", "path", "place", "recursive", "text")

    def __init__(
        self, text: str, place: str, path: str | None = None, known: bool = True, recursive: bool = False
    ) -> None:
        self.text = text
        self.place = place
        self.path = path
        self.known = known
        self.recursive = recursive


class Effect:
    """What one action does to one target.

    `kind` is one of the effect words of `kb.schema`; `code` names the behaviour (`git.clean-force`); `harm` is
    set only where the knowledge base claims one outright, else the judge derives it from kind and place;
    `undo` is `easy`, `hard`, `none` or empty (the kind's own default); `certain` is False for what is unknown or
    unreadable.
    """

    __slots__ = ("action", "certain", "code", "harm", "instead", "kind", "target", "undo", "why")

    def __init__(
        self,
        kind: str,
        target: Target,
        action: Action,
        code: str = "",
        why: str = "",
        instead: str = "",
        undo: str = "",
        harm: str | None = None,
        certain: bool = True,
    ) -> None:
        self.kind = kind
        self.target = target
        self.action = action
        self.code = code
        self.why = why
        self.instead = instead
        self.undo = undo
        self.harm = harm
        self.certain = certain


class Action:
    """One command that would run, with its words resolved.

    `program` is the base name of what runs (empty for a bare redirection); `argv` are the resolved words as
    text, an unknown part shown as `<parameter DIR>`; `known` holds for each word whether it was resolved fully.
    `start`, `end` is the span in the text that was checked; `via` the chain of wrappers in front; `cwd` the
    directory it runs in or None when unknown; `place` names the file and line it was read from, if any;
    `described` says that the knowledge base knows the program; `remote` that it runs on another machine or in
    a container.
    """

    __slots__ = (
        "argv", "cwd", "described", "end", "known", "notes", "place", "program", "remote", "start", "via",
    )  # fmt: skip

    def __init__(
        self,
        program: str,
        argv: tuple[str, ...],
        known: tuple[bool, ...],
        start: int,
        end: int,
        via: tuple[str, ...] = (),
        cwd: str | None = None,
        place: str = "",
        remote: bool = False,
    ) -> None:
        self.program = program
        self.argv = argv
        self.known = known
        self.start = start
        self.end = end
        self.via = via
        self.cwd = cwd
        self.place = place
        self.remote = remote
        self.described = False
        self.notes: list[str] = []


class Analysis:
    """What a line would do: its actions, their effects, and what the machine should be asked.

    `unreadable` is a sentence when the text could not be judged at all (too long, too deep); `fault` a sentence
    when only part of it could be read (a syntax error, unfinished input), the rest is judged as it stands.
    `plain` says that the line is one simple command without operator, redirection or substitution: the
    auto-allow list applies to nothing else.
    """

    __slots__ = ("actions", "effects", "fault", "fault_at", "plain", "queries", "unfinished", "unreadable")

    def __init__(
        self,
        actions: tuple[Action, ...] = (),
        effects: tuple[Effect, ...] = (),
        queries: tuple[Query, ...] = (),
        fault: str = "",
        fault_at: int = 0,
        unfinished: bool = False,
        unreadable: str = "",
        plain: bool = False,
    ) -> None:
        self.actions = actions
        self.effects = effects
        self.queries = queries
        self.fault = fault
        self.fault_at = fault_at
        self.unfinished = unfinished
        self.unreadable = unreadable
        self.plain = plain
