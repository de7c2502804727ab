"""`phocinae ask`: typed questions about a state, put to the decision service or to the engine in this process."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from phocinae_cli.backends import questionform
from phocinae_cli.backends.question import Question
from phocinae_cli.backends.result import Result
from phocinae_cli.backends.wire import FLAT
from phocinae_cli.cli.asktext import as_text, as_values
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.config.load import load
from phocinae_cli.core.jsontext import encode
from phocinae_cli.core.settings import Settings
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.resident import asking

EXIT_ESCALATE = 10
RETRIES = 2
STATE_HELP = "The text to judge; - reads standard input, @FILE a file."

Texts = list[str] | None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.app import Checker


@dataclass(frozen=True, slots=True)
class Job:
    """What the flags of one run come to."""

    settings: Settings
    questions: tuple[Question, ...]
    template: str | None
    order: str
    asker: asking.Asker | None

    def answer(self, state: object) -> Result:
        """Return the result for a state; raises PhocinaeError."""
        assert self.asker is not None
        return asking.ask(self.asker, self.settings, state, self.questions, self.order)


def command(
    state: Annotated[str | None, typer.Option("--state", metavar="TEXT", help=STATE_HELP)] = None,
    noul: Annotated[
        Texts, typer.Option("--noul", metavar="ID[:THRESHOLD]", help="A yes/no question; yes from a probability on.")
    ] = None,
    choice: Annotated[Texts, typer.Option("--choice", metavar="ID:a,b,c", help="A pick-one question.")] = None,
    score: Annotated[Texts, typer.Option("--score", metavar="ID", help="A rating from 2 to 10.")] = None,
    questions: Annotated[
        str | None, typer.Option("--questions", metavar="FILE", help="Questions in full form, as JSON or TOML.")
    ] = None,
    template: Annotated[
        str | None,
        typer.Option("--template", metavar="TEXT", help="The state to send; {state} or {FIELD} of a row is put in."),
    ] = None,
    jsonl: Annotated[
        str | None,
        typer.Option("--jsonl", metavar="FILE", help="Ask about each row of a file, - for standard input, in order."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", metavar="FILE", help="With --jsonl: append answers here; run again to go on."),
    ] = None,
    batch: Annotated[int, typer.Option("--batch", min=1, max=64, help="With --jsonl: rows in one request.")] = 1,
    max_time: Annotated[
        float | None, typer.Option("--max-time", metavar="SECONDS", min=0, help="With --jsonl: stop after so long.")
    ] = None,
    escalate_at: Annotated[
        float | None, typer.Option("--escalate-at", min=0, max=1, help="Escalate answers less sure than this.")
    ] = None,
    escalate_at_noul: Annotated[float | None, typer.Option(min=0, max=1, help="The same for yes/no.")] = None,
    escalate_at_choice: Annotated[float | None, typer.Option(min=0, max=1, help="The same for choices.")] = None,
    escalate_at_score: Annotated[float | None, typer.Option(min=0, max=1, help="The same for scores.")] = None,
    fail_on_escalate: Annotated[
        bool, typer.Option("--fail-on-escalate", help="Exit with 10 when an answer should be escalated.")
    ] = False,
    permute: Annotated[
        bool, typer.Option("--permute", help="Ask each choice in several option orders; tell which answers flip.")
    ] = False,
    value: Annotated[bool, typer.Option("--value", help="Print the answers alone, one a line.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the request and send nothing.")] = False,
    general: Annotated[
        bool,
        typer.Option("--general", help="Without a service: let a small, weak model answer what is not about commands."),
    ] = False,
    backend: Annotated[str | None, typer.Option("--backend", help="embedded or service.")] = None,
    endpoint: Annotated[str | None, typer.Option("--endpoint", metavar="URL", help="The service to ask.")] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model to ask for.")] = None,
    dialect: Annotated[str | None, typer.Option("--dialect", help="auto, flat or typed.")] = None,
    timeout_ms: Annotated[
        int | None, typer.Option("--timeout-ms", metavar="MS", help="The time allowed for each request.")
    ] = None,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Add every exchange with the service to a file.")
    ] = None,
    replay: Annotated[
        str | None, typer.Option("--replay", metavar="FILE", help="Answer from such a file instead of the service.")
    ] = None,
    set_: Annotated[
        Texts, typer.Option("--set", metavar="KEY=VALUE", help="A setting for this run; may be given several times.")
    ] = None,
) -> int:
    """Ask typed questions: yes/no, pick one, rate. Exit 0 when answered, 3 when not, 10 as --fail-on-escalate says."""
    flags = _flags(locals())
    if json and value:
        raise _wrong("--json and --value exclude each other")
    if replay is not None and record is not None:
        raise _wrong("--record and --replay exclude each other")
    if jsonl is None and (output is not None or max_time is not None):
        raise _wrong("--output and --max-time go with --jsonl")
    if jsonl is not None and (state is not None or value):
        raise _wrong(f"--jsonl and {'--value' if value else '--state'} exclude each other")
    if jsonl is None and state is None:
        raise _wrong("no state: give --state TEXT, --state - for standard input, --state @FILE, or --jsonl FILE")
    asked = questionform.short(noul or (), choice or (), score or ())
    if questions is not None:
        asked += questionform.full(_document(questions))
    job = Job(
        settings=load(os.environ, os.getcwd(), flags).settings,
        questions=tuple(asked),
        template=None if template is None else _text(template, "--template"),
        order="compared" if permute else "given",
        asker=None,
    )
    if job.settings.permute_choice and not permute:
        job = _with(job, order="averaged")
    if not dry_run:
        opened = asking.open_asker(
            job.settings,
            lambda: _checker(flags),
            general=general,
            recording=record,
            replaying=replay,
            retries=RETRIES,
        )
        job = _with(job, asker=opened)
    if jsonl is not None:
        from phocinae_cli.cli.askrows import ask_rows

        return ask_rows(job, jsonl, output, batch, max_time, EXIT_ESCALATE if fail_on_escalate else 0, dry_run)
    assert state is not None
    text = filled(job.template, {"state": _text(state, "--state", stdin=True)})
    if dry_run:
        show(encode(plan(job, text)))
        return 0
    result = job.answer(text)
    show(encode(result.as_object()) if json else as_values(result) if value else as_text(result))
    return EXIT_ESCALATE if fail_on_escalate and result.escalate else 0


def _checker(flags: dict[str, str]) -> Checker:
    from phocinae_cli.app import Checker  # parser, knowledge and all: only the engine needs it

    return Checker.from_environment(flags=flags)


def filled(template: str | None, fields: dict[str, object]) -> object:
    """Return the state for a row: the template with its fields put in, or the row's own `state`.

    A name in braces that the row lacks is an error; other braces stay. Raises PhocinaeError.
    """
    import re

    from phocinae_cli.backends.statetext import as_text as state_text

    if template is None:
        return fields["state"]

    def put(found: re.Match[str]) -> str:
        if found[1] not in fields:
            raise _wrong(f"the template has {{{found[1]}}}, the row has no such field")
        return state_text(fields[found[1]])

    return re.sub(r"\{([A-Za-z_]\w*)\}", put, template)


def plan(job: Job, state: object) -> dict[str, object]:
    """Return what would be sent: the address, the dialect and the bodies."""
    from phocinae_cli.backends.client import Client
    from phocinae_cli.backends.loopback import endpoint

    dialect = job.settings.dialect
    if dialect == "auto":
        tell("phocinae: the dialect would be the service's; the flat one is shown")
        dialect = FLAT

    def nothing(*_: object) -> Any:
        raise AssertionError("a dry run sends nothing")

    client = Client(nothing, job.settings.model, dialect)
    prepared, was_cut = asking.prepare(state, job.settings.max_state_chars)
    return {
        "url": endpoint(job.settings.endpoint).url("/v1/systemone"),
        "dialect": dialect,
        "requests": client.plan(prepared, job.questions, dialect),
        "truncated": was_cut,
    }


def _flags(given: dict[str, Any]) -> dict[str, str]:
    """Return the flags that are settings, as texts by the name of the key."""
    own = {
        "backend": given["backend"] or ("service" if given["endpoint"] or given["record"] or given["replay"] else None),
        **{name: given[name] for name in ("endpoint", "model", "dialect", "timeout_ms", "escalate_at")},
    }
    flags = {name: str(value) for name, value in own.items() if value is not None}
    for type_ in ("noul", "choice", "score"):
        if (bar := given[f"escalate_at_{type_}"]) is not None:
            flags[f"escalate_at_{type_}"] = str(bar)
    if not given["set_"]:
        return flags
    from phocinae_cli.cli.line import pairs

    return {**flags, **pairs(given["set_"], "--set")}


def _with(job: Job, **changes: Any) -> Job:
    from dataclasses import replace

    return replace(job, **changes)


def _text(given: str, option: str, stdin: bool = False) -> str:
    """Return a text that is given as it is, by @FILE, or on standard input."""
    if stdin and given == "-":
        return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    return _file(given[1:]).decode("utf-8", "surrogateescape") if given.startswith("@") else given


def _file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _document(path: str) -> object:
    data = _file(path)
    if path.endswith(".toml"):
        import tomllib

        try:
            return tomllib.loads(data.decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise _wrong(f"{path}: no TOML: {error}") from None
    from phocinae_cli.backends.strictjson import NotJson, parse

    try:
        return parse(data)
    except NotJson as error:
        raise _wrong(f"{path}: {error}") from None


def _wrong(message: str) -> PhocinaeError:
    return PhocinaeError(INVALID_ARGUMENTS, message, "`phocinae ask --help` shows how it is used")
