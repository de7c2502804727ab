"""`phocinae bench label`: a person labels commands, one key each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from phocinae_cli.bench.label import KEYS, Labelling
from phocinae_cli.bench.rows import SKIPPED
from phocinae_cli.cli.screen import tell
from phocinae_cli.core.request import SHELLS
from phocinae_cli.core.verdict import RISKY
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.render.marks import clean

QUIT, UNDO, SKIP = "q", "u", "s"
ENDS = ("", "\x03", "\x04", QUIT)


def label(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Commands: plain text, JSON lines, or CSV.")],
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Labelled rows; else FILE.labels.jsonl.")] = None,
    shell: Annotated[str, typer.Option(metavar="SHELL", help="The shell of commands that name none.")] = "bash",
    two: Annotated[bool, typer.Option("--two", help="Two labels only: harmless and destructive.")] = False,
) -> int:
    """Label commands by hand, one key each; run it again to go on.

    h harmless, r risky, d destructive, s skip, u undo, q quit. Every label is in the file at once.
    """
    if shell not in SHELLS:
        raise PhocinaeError(INVALID_ARGUMENTS, f"--shell takes {', '.join(SHELLS)}, not {shell!r}")
    work = Labelling(file, output or file.with_suffix(".labels.jsonl"), shell)
    keys = {key: word for key, word in KEYS.items() if not two or word != RISKY}
    told = ", ".join(f"{key} {word}" for key, word in keys.items())
    tell(f"{told}, {SKIP} skip, {UNDO} undo, {QUIT} quit. What would it do, run now, exactly as typed?")
    while (item := work.current) is not None:
        tell(f"\n[{len(work.items) - len(work.pending) + 1}/{len(work.items)}] ({item[0]})  {clean(item[1])}")
        key = pressed()
        if key in ENDS:
            break
        if key == UNDO:
            if not work.undo():
                tell("there is nothing to undo")
        elif key == SKIP:
            work.put(SKIPPED)
        elif key in keys:
            work.put(keys[key])
            tell(f"  {keys[key]}")
    tell(f"\n{len(work.done):,} of {len(work.items):,} done; labels are in {work.output}")
    return 0


def pressed() -> str:
    """Return the next key, in small letters; an empty text at the end of the input."""
    if not sys.stdin.isatty():
        return sys.stdin.read(1).lower()
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        return sys.stdin.read(1).lower()
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
