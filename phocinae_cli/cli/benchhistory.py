"""`phocinae bench history`: how often you would have been interrupted, before anything is installed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from phocinae_cli.app import Checker
from phocinae_cli.bench import history as histories
from phocinae_cli.bench.replay import Replay, replay
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.core.request import AUDIENCES
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.render.marks import clean, cut

KINDS = ("bash", "zsh", "fish")


def history(
    file: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="A history; without any, your own.")] = None,
    shell: Annotated[str, typer.Option(metavar="SHELL", help="Whose history FILE is: bash, zsh or fish.")] = "",
    audience: Annotated[str, typer.Option(metavar="WHO", help="As whom: person, agent or ci.")] = "person",
    examples: Annotated[bool, typer.Option("--examples", help="Show lines of the history for each cause.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, without any line.")] = False,
) -> int:
    """Replay your shell history: how often would you have been interrupted, and by what?

    Nothing is run, stored or sent. Directories are not known, nor which files were there: paths are judged as text.
    """
    if audience not in AUDIENCES or shell not in ("", *KINDS):
        raise PhocinaeError(INVALID_ARGUMENTS, f"--audience takes {', '.join(AUDIENCES)}; --shell {', '.join(KINDS)}")
    files = [(shell or histories.shell_of(str(path)), path) for path in file or ()]
    files = files or histories.found_files(os.environ)
    if not files:
        raise PhocinaeError(INVALID_ARGUMENTS, "no shell history was found", do="name the file of one")
    # The configuration in force, but nothing kept of what is asked, and no service told of it.
    checker = Checker.from_environment(flags={"backend": "embedded"}, facts=False)
    checker.audit = checker.approvals = None
    found = Replay()
    for kind, path in files:
        try:
            replay(checker, histories.read(path, kind), kind, audience, found)
        except OSError as error:
            raise PhocinaeError(INVALID_ARGUMENTS, f"{path}: {error.strerror}") from None
        if not as_json:
            tell(f"phocinae: read {clean(str(path))} ({kind})")
    show(json.dumps(found.as_object()) if as_json else "\n".join(as_lines(found, examples)))
    return 0


def as_lines(found: Replay, examples: bool) -> list[str]:
    """Return the figures as a person reads them."""
    if not found.lines:
        return ["there are no lines in it"]
    lines = [f"{found.lines:,} lines, {found.interrupted:,} of which would have been held up"]
    if found.interrupted:
        lines[0] += f": one in {found.lines / found.interrupted:,.0f}"
    if found.per_day is not None:
        lines.append(f"{found.per_day:.2f} a day, on {len(found.days):,} days at the shell")
    for word, said in (("ask", "a question"), ("deny", "a refusal"), ("allow", "nothing")):
        count = found.decisions[word]
        lines.append(f"{count:>9,}  {count / found.lines:>6.1%}  {said}")
    if found.noted:
        lines.append(f"{found.noted:>9,}  {found.noted / found.lines:>6.1%}  a dim line, of those that pass")
    if found.causes:
        lines += ["", "commonest causes"]
    for code, cause in found.commonest():
        lines.append(f"{cause.count:>9,}  {cause.decision:<5} {clean(code)}: {clean(cause.why)}")
        lines += [f"{'':>16}{cut(clean(line), 90)}" for line in cause.examples] if examples else []
    return lines
