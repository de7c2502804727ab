"""`phocinae config`: what is in force and where it came from, whether it is legal, and which projects are trusted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from phocinae_cli.app import load_knowledge, own_cwd
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.config.advice import advice
from phocinae_cli.config.docs import END, START, as_toml, reference
from phocinae_cli.config.files import PROJECT_FILE, exists, parse_file, project_file, read_bytes, user_file
from phocinae_cli.config.keys import KEYS
from phocinae_cli.config.layers import Loaded
from phocinae_cli.config.load import survey
from phocinae_cli.config.problems import Problem, summary
from phocinae_cli.config.resolve import merge
from phocinae_cli.config.trust import distrust, trust, trust_file
from phocinae_cli.core.verdict import EXIT_FAILURE
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.render.marks import clean

app = typer.Typer(
    help="Show and check the configuration, and trust a project's file.", add_completion=False, rich_markup_mode=None
)

DEFAULT = "default"
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.callback(invoke_without_command=True)
def config(context: typer.Context) -> int:
    """Show and check the configuration, and trust a project's file. Without a command: show."""
    return show_settings() if context.invoked_subcommand is None else 0


@app.command("show")
def show_settings(as_json: Json = False) -> int:
    """Print every setting in force with the place it came from."""
    loaded = _survey()
    rows = [(key.name, getattr(loaded.settings, key.attribute), loaded.origins.get(key.name, DEFAULT)) for key in KEYS]
    if as_json:
        settings = {name: {"value": value, "origin": origin} for name, value, origin in rows}
        faults = [*summary(loaded.faults), *summary(loaded.problems)]
        show(json.dumps({"schema": 1, "settings": settings, "rules": len(loaded.entries), "faults": faults}))
    else:
        for name, value, origin in rows:
            show(f"{name:<24}  {clean(as_toml(value)) or 'unset'}  ({clean(origin)})")
        show(f"{'rules':<24}  {len(loaded.entries)}  (`phocinae rules list` shows them)")
        _tell_problems(loaded)
    return EXIT_FAILURE if loaded.faults else 0


@app.command()
def path() -> int:
    """Print where files are looked for, and which of them are there."""
    user, project = user_file(os.environ), project_file(os.environ, own_cwd(os.environ))
    if user is None:
        show("user     none: there is no home directory")
    else:
        show(f"user     {clean(user)}{'' if exists(user) else '  (not there)'}")
    show(f"project  {clean(project) if project else f'none: no {PROJECT_FILE} here or above'}")
    show(f"trusted  {clean(trust_file(os.environ) or 'none: there is no home directory')}")
    return 0


@app.command()
def check() -> int:
    """Read the whole configuration and say what is wrong with it; exit 0 when it is legal and all of it is followed."""
    loaded = _survey()
    for word, problems in (("fault", loaded.faults), ("refused", loaded.problems), ("warning", advice(loaded))):
        for line in summary(problems):
            show(f"{word}: {clean(line)}")
    if loaded.faults or loaded.problems:
        return EXIT_FAILURE
    show("the configuration is legal")
    return 0


@app.command("trust")
def trust_project(
    file: Annotated[str, typer.Argument(help="The file; without it the project's file in force here.")] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Trust it no longer.")] = False,
) -> int:
    """Follow a project's file as it is now, also where it loosens; any edit of it ends that."""
    place = _project_place(file)
    if remove:
        show(f"{clean(place)} is {'no longer' if distrust(os.environ, place) else 'not'} trusted")
        return 0
    content = read_bytes(place)
    layer = parse_file(place, content, project=True) if isinstance(content, bytes) else content
    faults = (layer,) if isinstance(layer, Problem) else merge([layer]).faults
    if isinstance(layer, Problem) or faults or not isinstance(content, bytes):
        raise PhocinaeError(INVALID_CONFIG, f"{place} is not trusted", "mend what is named", summary(faults))
    trust(os.environ, place, content)
    show(f"{clean(place)} is followed as it is now; an edit ends that")
    for problem in merge([layer]).problems:
        show(f"  it sets {clean(problem.key)} on line {problem.line}, which loosens the gate")
    return 0


@app.command()
def docs(
    into: Annotated[str, typer.Option("--into", metavar="FILE", help="Put it between the marks of this page.")] = "",
) -> int:
    """Print every setting as a Markdown reference."""
    if not into:
        show(reference().rstrip("\n"))
        return 0
    page = Path(into)
    text = page.read_text(encoding="utf-8")
    if START not in text or END not in text:
        raise PhocinaeError(INVALID_ARGUMENTS, f"{into} has no lines {START.strip()} and {END.strip()}")
    before, rest = text.split(START, 1)
    page.write_text(before + START + reference() + END + rest.split(END, 1)[1], encoding="utf-8")
    return 0


def _survey() -> Loaded:
    return survey(os.environ, own_cwd(os.environ), None, lambda: load_knowledge(os.environ))


def _tell_problems(loaded: Loaded) -> None:
    for problem in (*summary(loaded.faults), *loaded.notices):
        tell(f"phocinae: {clean(problem)}")


def _project_place(file: str) -> str:
    if file:
        return os.path.abspath(file)
    found = project_file(os.environ, own_cwd(os.environ))
    if found is None:
        raise PhocinaeError(INVALID_ARGUMENTS, f"there is no {PROJECT_FILE} here or above", "name the file")
    return found
