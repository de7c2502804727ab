"""`phocinae bench`: a judge measured on labelled commands, and what goes with it."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from phocinae_cli.bench import gates, results, session
from phocinae_cli.bench.invariance import POSIX
from phocinae_cli.bench.judges import EMBEDDED, Spec, specs_of
from phocinae_cli.bench.rows import sources_of
from phocinae_cli.bench.run import Plan, cores
from phocinae_cli.bench.speed import Times, one_shot, times_of
from phocinae_cli.cli import benchhistory, benchlabel, benchshow
from phocinae_cli.cli.screen import tell
from phocinae_cli.core.request import AUDIENCES, SHELLS
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

HELP = "Measure a judge on labelled commands; exit 10 when a requirement is missed."
MISSED = 10
INTERRUPTED = 130
TRIPS, STARTS = 200, 15

app = typer.Typer(help=HELP, add_completion=False, rich_markup_mode=None)
app.command("history")(benchhistory.history)
app.command("label")(benchlabel.label)

Texts = list[str] | None


@app.callback(invoke_without_command=True)
def bench(
    context: typer.Context,
    data: Annotated[
        Texts,
        typer.Option(metavar="SET|FILE", help="A shipped set, or labelled commands as JSON lines or CSV; all sets."),
    ] = None,
    shell: Annotated[str, typer.Option(metavar="SHELL", help="The shell of rows that name none.")] = "bash",
    split: Annotated[str, typer.Option(metavar="NAME", help="Only rows of this split (fit, held-out).")] = "",
    only: Annotated[
        Texts, typer.Option(metavar="SHELL", help="Only rows of this shell; bash stands for zsh, sh.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N rows.")] = None,
    judge: Annotated[
        Texts,
        typer.Option(
            metavar="JUDGE",
            help="embedded; service: the question alone; recorded:FILE: the same from a recording; gate: a service "
            "behind the whole gate; both; answers:FILE: what `check --jsonl` printed.",
        ),
    ] = None,
    formulation: Annotated[
        Texts, typer.Option(metavar="MODE", help="How a service is asked: harm, tri-state, noul, or all.")
    ] = None,
    adapter: Annotated[Texts, typer.Option(metavar="FILE", help="Another guard, described in a TOML file.")] = None,
    audience: Annotated[str, typer.Option(metavar="WHO", help="Who asks: agent, ci or person.")] = "agent",
    configured: Annotated[
        bool, typer.Option("--configured", help="Measure under your own configuration instead of the defaults.")
    ] = False,
    set_: Annotated[
        Texts, typer.Option("--set", metavar="KEY=VALUE", help="A setting to measure under (endpoint, gate.threshold).")
    ] = None,
    permute: Annotated[
        bool, typer.Option("--permute", help="Ask choices in several option orders and count the answers that flip.")
    ] = False,
    record: Annotated[str | None, typer.Option(metavar="FILE", help="Keep every exchange with the service.")] = None,
    replay: Annotated[str | None, typer.Option(metavar="FILE", help="Answer from a recording instead.")] = None,
    jobs: Annotated[int, typer.Option(min=0, metavar="N", help="Processes; 0 is one for each core.")] = 1,
    spellings: Annotated[
        int, typer.Option(min=0, metavar="N", help="Try other spellings of N rows on the embedded engine; 0: none.")
    ] = 200,
    no_speed: Annotated[
        bool, typer.Option("--no-speed", help="Don't measure the resident worker and the one-shot check.")
    ] = False,
    require: Annotated[
        Texts, typer.Option(metavar="REQUIREMENT", help="recall>=0.99, JUDGE:false_alarm@own<=0.03, recall>=baseline.")
    ] = None,
    baseline: Annotated[Path | None, typer.Option(metavar="DIR", help="Show what changed since these results.")] = None,
    recommend: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="PURITY", help="Recommend thresholds whose passes are harmless to this."),
    ] = None,
    write_config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the recommendation for the first judge as TOML.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as Markdown.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as one HTML file.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the requirements as JUnit XML.")] = None,
    folder: Annotated[
        Path | None, typer.Option("--results", metavar="DIR", help="Where runs are kept; else in the state directory.")
    ] = None,
    label: Annotated[str, typer.Option(metavar="NAME", help="Part of the name of the run's folder.")] = "bench",
    resume: Annotated[Path | None, typer.Option(metavar="DIR", help="Go on with an interrupted run.")] = None,
    no_keep: Annotated[bool, typer.Option("--no-keep", help="Keep nothing.")] = False,
) -> int:
    """Measure a judge on labelled commands; exit 10 when a requirement is missed.

    Without options: the embedded engine on the sets that come with phocinae. Nothing is ever run.
    """
    if context.invoked_subcommand is not None:
        return 0
    wanted = gates.requirements(require or [])
    earlier = None if baseline is None else _earlier(baseline)
    base = _base(audience, configured, set_ or [], permute, record, replay)
    if shell not in SHELLS:
        raise _wrong(f"--shell takes {', '.join(SHELLS)}, not {shell!r}")
    plan = Plan(
        sources_of(data or [], shell),
        specs_of(judge or [], formulation or [], adapter or [], base),
        jobs or cores(),
        split,
        limit,
        _shells(only or []),
    )
    if write_config is not None and (recommend is None or write_config.exists()):
        raise _wrong("--write-config takes a new file, and --recommend to say what is wanted")
    surveys = session.surveys_of(plan)
    if next(plan.rows(), None) is None:
        raise _wrong("no row is of the split and the shells asked for")
    with ExitStack() as stack:
        place = _place(stack, resume, folder, label, no_keep)
        with benchshow.progress(sum(each.rows for each in surveys.values()), limit) as told:
            found = session.run(plan, place, surveys, resume is not None, spellings, told)
        if not no_speed and not found.measured.stopped and any(spec.kind == EMBEDDED for spec in plan.specs):
            session.keep_timing(found, ways_to_ask())
        if earlier is not None and baseline is not None:
            found.summary["baseline"] = _changes(baseline, earlier[0], found)
        held = gates.held(wanted, found.summary, found.timing, earlier)
        advice = benchshow.recommendations(plan, found, recommend)
        if write_config is not None:
            benchshow.write_text(write_config, advice[0])
        benchshow.show_all(found, held, advice, as_json)
        benchshow.write_reports(found, held, markdown, html, junit)
        if not no_keep:
            tell(f"phocinae: kept in {place}")
    if found.measured.stopped:
        tell(f"phocinae: interrupted after {found.summary['rows']:,} rows" + _how_to_go_on(place, no_keep))
        return INTERRUPTED
    return 0 if all(result.met for result in held) else MISSED


def ways_to_ask() -> dict[str, Times]:
    """Return the times of the worker that a shell hook asks, and of `check` as a process of its own."""
    from phocinae_cli.resident.latency import round_trips

    found = {}
    try:
        found["resident worker"] = times_of(round_trips(TRIPS))
    except OSError as error:
        tell(f"phocinae: the resident worker was not measured: {error}")
    found["one-shot check"] = one_shot(STARTS)
    return found


def _base(
    audience: str, configured: bool, settings: list[str], permute: bool, record: str | None, replay: str | None
) -> Spec:
    """Return what all judges of a run share; raises PhocinaeError for settings that are not legal."""
    from phocinae_cli.cli.line import pairs
    from phocinae_cli.config.keys import KEYS
    from phocinae_cli.config.load import load

    if audience not in AUDIENCES:
        raise _wrong(f"--audience takes {', '.join(AUDIENCES)}, not {audience!r}")
    given = pairs(settings, "--set")
    values: tuple[tuple[str, Any], ...] = ()
    if given:
        nobody = {"XDG_CONFIG_HOME": os.devnull, "HOME": "/"}
        loaded = load(nobody, "/", given).settings
        values = tuple((key.attribute, getattr(loaded, key.attribute)) for key in KEYS if key.name in given)
    return Spec("", "", values, "", audience, configured, record, replay, permute)


def _shells(names: list[str]) -> tuple[str, ...]:
    if odd := [name for name in names if name not in SHELLS]:
        raise _wrong(f"--only takes {', '.join(SHELLS)}, not {odd[0]!r}")
    return tuple(dict.fromkeys(shell for name in names for shell in (POSIX if name == "bash" else (name,))))


def _place(stack: ExitStack, resume: Path | None, folder: Path | None, label: str, no_keep: bool) -> Path:
    if resume is not None:
        if no_keep:
            raise _wrong("--resume keeps what it goes on with: leave out --no-keep")
        return resume
    if no_keep:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="phocinae-bench-")))
    place = results.fresh(folder or results.default_folder(os.environ), label)
    stack.callback(results.drop_empty, place)
    return place


def _earlier(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    return results.load(folder, results.SUMMARY), results.load(folder, results.TIMING)


def _changes(folder: Path, earlier: dict[str, Any], found: session.Session) -> dict[str, Any]:
    """Return what changed for the first judge, against the one of the same name, else the first."""
    new = next(iter(found.summary["judges"]))
    old = new if new in earlier["judges"] else next(iter(earlier["judges"]))
    return results.changes(results.judged(folder, [old]), results.judged(found.folder, [new]), old, new)


def _how_to_go_on(place: Path, no_keep: bool) -> str:
    return "" if no_keep else f"; the same command with --resume {place} goes on"


def _wrong(message: str) -> PhocinaeError:
    return PhocinaeError(INVALID_ARGUMENTS, message)
