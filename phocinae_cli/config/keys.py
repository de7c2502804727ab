"""Every setting as one row: its type, default, meaning, and which way a project's file may move it.

Validation, environment names, `config show` and the documentation page all read this table.
"""

from __future__ import annotations

from phocinae_cli.config.endpoint import endpoint_fault
from phocinae_cli.core.settings import Settings
from phocinae_cli.gate.autoallow import covered_by, refusal

BOOL = "true or false"
INTEGER = "whole number"
NUMBER = "number"
CHOICE = "word"
TEXT = "text"
ENDPOINT = "address"
NAMES = "list of names"
PREFIXES = "list of command prefixes"
COMMANDS = "list of whole commands"
LISTS = (NAMES, PREFIXES, COMMANDS)

# What a project's file may do with a key.
NOTHING = "not at all"
RAISE = "raise it"
STRICTER = "to {}"
LEAVE_OFF = "switch it from off"
ADD = "add to it"
SHORTEN = "take entries out"

TRUE_WORDS = ("true", "yes", "on", "1")
FALSE_WORDS = ("false", "no", "off", "0")

Value = bool | int | float | str | tuple[str, ...] | None


class Key:
    """One setting.

    `name` is how it is written in a file; `kind` one of the kinds above; `choices` its legal words; `low` and
    `high` its bounds; `project` what a project's file may do, `strict` the values that are stricter than any
    other; `doc` one clause; `optional` says that it may be left unset.
    """

    __slots__ = ("choices", "default", "doc", "high", "kind", "low", "name", "optional", "project", "strict")

    def __init__(
        self,
        name: str,
        kind: str,
        doc: str,
        project: str = NOTHING,
        choices: tuple[str, ...] = (),
        strict: tuple[Value, ...] = (),
        low: float = 0,
        high: float = 1,
        optional: bool = False,
    ) -> None:
        self.name = name
        self.kind = kind
        self.doc = doc
        self.project = project
        self.choices = choices
        self.strict = strict
        self.low = low
        self.high = high
        self.optional = optional
        self.default: Value = getattr(Settings(), self.attribute)

    @property
    def attribute(self) -> str:
        """The name of the attribute of Settings."""
        return self.name.replace(".", "_")

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return "PHOCINAE_" + self.attribute.upper()


KEYS: tuple[Key, ...] = (
    Key(
        "backend", CHOICE,
        "who judges: the embedded engine, a decision service, or both, of which the stricter counts",
        STRICTER, choices=("embedded", "service", "both"), strict=("both",),
    ),
    Key("endpoint", ENDPOINT, "where the decision service listens; on this machine unless `allow_remote_endpoint`"),
    Key(
        "allow_remote_endpoint", BOOL,
        "let the service be on another machine: commands are private, so leaving this one is a decision",
        STRICTER, strict=(False,),
    ),
    Key("model", TEXT, "the model that the service is asked for, by its exact name"),
    Key(
        "dialect", CHOICE, "how the service is spoken to; `auto` looks at its list of models",
        choices=("auto", "flat", "typed"),
    ),
    Key(
        "timeout_ms", INTEGER, "deadline in milliseconds for the whole exchange with the service; nothing is retried",
        low=1, high=600_000,
    ),
    Key(
        "max_state_chars", INTEGER,
        "how much of a line the service is sent; a line that is cut can't be allowed on its answer",
        low=16, high=1_000_000,
    ),
    Key("escalate_at", NUMBER, "an answer under this confidence is marked `escalate`; it changes no decision", RAISE),
    Key("escalate_at_noul", NUMBER, "the same for yes/no questions to a service", RAISE, optional=True),
    Key("escalate_at_choice", NUMBER, "the same for questions with options", RAISE, optional=True),
    Key("escalate_at_score", NUMBER, "the same for ratings", RAISE, optional=True),
    Key("permute_choice", BOOL, "have the service average over several orders of the options"),
    Key("gate.enabled", BOOL, "switch the gate on or off", STRICTER, strict=(True,)),
    Key(
        "gate.mode", CHOICE,
        "the question put to a service: `harm`, `tri-state` or `noul` (yes/no); `off` allows everything",
        LEAVE_OFF, choices=("harm", "tri-state", "noul", "off"),
    ),
    Key("gate.min_confidence", NUMBER, "a line is allowed only on an answer of at least this confidence", RAISE),
    Key("gate.threshold", NUMBER, "the same with `gate.mode = \"noul\"`, in its place", RAISE),
    Key(
        "gate.risky_decision", CHOICE, "what a line that is not called safe gets with `gate.mode = \"noul\"`",
        STRICTER, choices=("ask", "deny"), strict=("deny",),
    ),
    Key("gate.tools", NAMES, "the tools whose commands are gated; `*` stands for anything, case is ignored", ADD),
    Key(
        "gate.fail_mode", CHOICE, "what happens when the service gives no answer: `closed` asks, `open` allows",
        STRICTER, choices=("closed", "open"), strict=("closed",),
    ),
    Key(
        "gate.auto_allow", PREFIXES,
        "plain commands that pass without a judge, any arguments behind; an entry does not apply where the engine "
        "knows of an effect beyond reading",
        SHORTEN,
    ),
    Key("gate.auto_allow_exact", COMMANDS, "the same for whole commands, with no argument behind", SHORTEN),
    Key(
        "gate.person_asks", CHOICE,
        "what a person at a prompt is asked about: only what can't be undone, or everything risky",
        STRICTER, choices=("irreversible", "risky"), strict=("risky",),
    ),
    Key(
        "gate.person_notes", BOOL, "show a person one dim line on what passed as risky",
        STRICTER, strict=(True,),
    ),
    Key("gate.audit", BOOL, "keep a log of every decision", STRICTER, strict=(True,)),
)  # fmt: skip

BY_NAME = {key.name: key for key in KEYS}
BY_VARIABLE = {key.variable: key for key in KEYS}


class IllegalError(ValueError):
    """A value that a key can't have: what is wrong with it, and what to write instead."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


def read_value(key: Key, value: object) -> Value:
    """Return a value from a TOML file as the settings hold it; raises IllegalError."""
    if key.kind == BOOL:
        return _bool(value)
    if key.kind in (INTEGER, NUMBER):
        return _number(key, value)
    if key.kind in LISTS:
        return _list(key, value)
    return _text(key, value)


def read_text(key: Key, text: str) -> Value:
    """Return a value from an environment variable or a flag; a list has commas between its entries."""
    text = text.strip()
    if key.kind == BOOL:
        word = text.lower()
        return _bool(word in TRUE_WORDS if word in TRUE_WORDS + FALSE_WORDS else text)
    if key.kind in (INTEGER, NUMBER):
        return _number(key, _parsed_number(key, text))
    if key.kind in LISTS:
        return _list(key, [entry.strip() for entry in text.split(",") if entry.strip()])
    return _text(key, text)


def _parsed_number(key: Key, text: str) -> int | float | str:
    try:
        return int(text) if key.kind == INTEGER else float(text)
    except ValueError:
        return text


def _bool(value: object) -> bool:
    if value is True or value is False:
        return value
    raise IllegalError(f"{shown(value)} is not true or false", "write true or false, without quotes")


def _number(key: Key, value: object) -> int | float:
    bounds = f"{key.low:g} to {key.high:g}" if key.kind == NUMBER else f"{int(key.low)} to {int(key.high)}"
    remedy = f"write a {key.kind} from {bounds}, without quotes"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise IllegalError(f"{shown(value)} is not a {key.kind}", remedy)
    if key.kind == INTEGER and not isinstance(value, int):
        raise IllegalError(f"{shown(value)} is not a {key.kind}", remedy)
    if not key.low <= value <= key.high:  # not for NaN either
        raise IllegalError(f"{shown(value)} is out of range", remedy)
    return value if key.kind == INTEGER else float(value)


def _text(key: Key, value: object) -> str:
    if not isinstance(value, str):
        raise IllegalError(f"{shown(value)} is not a text", f"write a {key.kind} in quotes")
    if key.kind == CHOICE and value not in key.choices:
        words = ", ".join(key.choices)
        raise IllegalError(
            f"{shown(value)} is not one of {words}", _near(value, key.choices) or f"write one of {words}"
        )
    if not value.strip() or any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise IllegalError(f"{shown(value)} is empty or holds control characters", f"write a {key.kind}")
    if key.kind == ENDPOINT:
        fault = endpoint_fault(value)
        if fault is not None:
            raise IllegalError(*fault)
    return value


def _list(key: Key, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise IllegalError(f"{shown(value)} is not a list of texts", 'write it as ["one", "two"]')
    if key.kind == NAMES and not value:
        raise IllegalError("an empty list would gate nothing", "to switch the gate off, say gate.enabled = false")
    for entry in value:
        why = refusal(entry, key.kind == COMMANDS) if key.kind != NAMES else "" if entry.strip() else "an empty name"
        if why:
            raise IllegalError(f"{shown(entry)}: {why}", "take the entry out, or write a [[rules]] entry for it")
    return tuple(value)


def shown(value: object) -> str:
    """Return a value as a message shows it: quoted, and cut when it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _near(word: str, words: tuple[str, ...]) -> str:
    near = nearest(word, words)
    return f"did you mean {near!r}?" if near else ""


def nearest(word: str, words: tuple[str, ...]) -> str:
    """Return the word that was probably meant, or an empty text."""
    from difflib import get_close_matches  # costs more than a whole check, and is needed for an error only

    found = get_close_matches(word, words, 1, 0.6) or get_close_matches(word.lower(), words, 1, 0.6)
    return found[0] if found else ""


# --- a project's file only tightens -----------------------------------------------------------------------------------


def tightened(key: Key, old: Value, new: Value, settings: Settings) -> tuple[Value, str]:
    """Return what a project's value makes of the value in force, and what of it is refused (else empty).

    The result is never looser than `old`. `settings` are those in force without the project's file.
    """
    if key.project == ADD and isinstance(old, tuple) and isinstance(new, tuple):
        return old + tuple(entry for entry in new if entry not in old), ""
    if key.project == SHORTEN and isinstance(old, tuple) and isinstance(new, tuple):
        return _shortened(key, new, settings)
    if new == old or _is_stricter(key, old, new):
        return new, ""
    return old, shown(new)


def _is_stricter(key: Key, old: Value, new: Value) -> bool:
    if key.project == RAISE:
        # An unset bar stands for escalate_at, so what is set in its place is not known to be higher.
        return isinstance(old, int | float) and isinstance(new, int | float) and new >= old
    if key.project == LEAVE_OFF:
        return old == "off"
    return key.project == STRICTER and new in key.strict


def _shortened(key: Key, new: tuple[str, ...], settings: Settings) -> tuple[Value, str]:
    whole = key.kind == COMMANDS
    kept: list[str] = []
    refused: list[str] = []
    for entry in new:
        fits = covered_by(entry, settings.gate_auto_allow, settings.gate_auto_allow_exact, whole)
        (kept if fits else refused).append(entry)
    return tuple(kept), ", ".join(shown(entry) for entry in refused)
