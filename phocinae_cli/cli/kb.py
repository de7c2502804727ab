"""`phocinae kb`: what is known of a tool, a new entry of one's own, and the proof of its examples."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from phocinae_cli.analysis.prove import contradictions
from phocinae_cli.app import load_knowledge
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.core.verdict import EXIT_FAILURE
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.kb.compile import Tool, compile_tools, load_file
from phocinae_cli.kb.lookup import Knowledge
from phocinae_cli.kb.lookup import Tool as Described
from phocinae_cli.render.marks import clean
from phocinae_cli.state.places import config_dir

app = typer.Typer(help="Show, add and prove what is known of tools.", add_completion=False, rich_markup_mode=None)

NEW = """# What `{name}` does. `phocinae kb test {path}` proves it; the format: docs/knowledge.md.
names = ["{name}"]
about = ""
values = []                       # options in front of the verb that own the next word
harmless = ["list|status", "rm -n|--dry-run"]   # uses that only read, or write where work is normally written

[risky]
"apply" = "change: changes state in a way one would want to see first"

[destructive]
# "destroy" = "destroy: removes it for good"

# [[behaviour]]
# id = "{name}.delete"
# when = "rm !-n|--dry-run"
# effects = ["delete args"]
# why = "removes files"
# instead = "`{name} rm -n` lists them first"
# match = ["{name} rm old"]
# no_match = ["{name} rm -n old"]
"""


@app.command()
def new(
    tool: Annotated[str, typer.Argument(help="The program's name.")],
    to: Annotated[str, typer.Option("--to", help="The file to write; default: your own knowledge folder.")] = "",
) -> int:
    """Write a first entry for a tool into your own knowledge folder, to be filled in."""
    if not tool or "/" in tool or not tool.isprintable():
        raise PhocinaeError(
            INVALID_ARGUMENTS, f"{tool!r} is no program's name", "name it as you call it, without a path"
        )
    path = Path(to) if to else own_folder() / f"{tool}.toml"
    if path.exists():
        raise PhocinaeError(INVALID_ARGUMENTS, f"{path} is there already", "edit it, or name another file with --to")
    known = load_knowledge(os.environ).find(tool)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(NEW.format(name=tool, path=path), encoding="utf-8")
    show(str(path))
    if known is not None:
        tell(f"{clean(tool)} is described already; your entry takes its place as a whole")
    return 0


@app.command("test")
def prove_entries(
    files: Annotated[list[Path] | None, typer.Argument(help="TOML files; default: all of your own.")] = None,
) -> int:
    """Prove every example of entries: each must match its behaviour, or must not. Exit 3 when one does not hold."""
    paths = files or sorted(own_folder().glob("*.toml"))
    if not paths:
        tell(f"there is no entry in {own_folder()}; `phocinae kb new TOOL` writes a first one")
        return 0
    tools: list[Tool] = []
    faults: list[str] = []
    for path in paths:
        try:
            tools.extend(load_file(path))
        except PhocinaeError as error:
            faults.extend(error.details or (error.message,))
        except OSError as error:
            faults.append(f"{path}: {error.strerror}")
    examples = [example for tool in tools for example in tool.examples]
    if not faults:
        faults = contradictions(examples, with_overlay(compile_tools(tools)))
    for fault in faults:
        show(clean(fault))
    tell(f"{len(examples)} examples of {len(tools)} tools, {len(faults)} faults")
    return EXIT_FAILURE if faults else 0


@app.command("show")
def show_tool(
    tool: Annotated[
        str, typer.Argument(help="The program's name; `powershell:NAME` and `cmd:NAME` for Windows shells.")
    ],
) -> int:
    """Print what is known of a tool: how it reads its arguments, and what each use does. Exit 3 when it is not."""
    found = load_knowledge(os.environ).find(tool)
    if found is None:
        tell(f"nobody has described {clean(tool)}; `phocinae kb new {clean(tool)}` writes a first entry")
        return EXIT_FAILURE
    for line in described(found):
        show(clean(line))
    return 0


@app.command("list")
def list_tools() -> int:
    """Print every described name, one a line."""
    for name in load_knowledge(os.environ).names():
        if not show(name):
            break
    return 0


def own_folder() -> Path:
    """Return the folder of the user's own entries; raises PhocinaeError where there is no home."""
    place = config_dir(os.environ)
    if place is None:
        raise PhocinaeError(
            INVALID_CONFIG, "there is no home directory for your own entries", "set HOME or XDG_CONFIG_HOME"
        )
    return Path(place) / "kb"


def with_overlay(text: str) -> Knowledge:
    """Return the shipped knowledge base with these entries in front."""
    shipped = load_knowledge({})
    return Knowledge(shipped.text, text)


def described(tool: Described) -> list[str]:
    """Return what is known of a tool, in lines."""
    lines = [f"{tool.name}  (arguments in the {tool.style} style, prints {tool.output})"]
    if tool.values:
        lines.append(f"  options with a value: {' '.join(sorted(tool.values))}")
    for verb, options in tool.verbs.items():
        lines.append(f"  behind {verb}: {' '.join(sorted(options))}")
    if tool.special:
        lines.append(f"  read by code of its own: {tool.special}")
    for row in tool.every_row():
        if row.claim == "harmless":
            lines.append(f"  harmless     {row.text or 'any use'}")
            continue
        harm = row.harm or "by place"
        does = row.claim or "; ".join((*row.effects, *(f"runs {run}" for run in row.runs)))
        lines.append(
            f"  {harm:12} {row.text or 'any use'}  ->  {does}{': ' + row.why if row.why else ''}  [{row.code}]"
        )
    return lines
