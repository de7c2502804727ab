"""`phocinae install` and `uninstall`: the hook as a file, and a marked block in a start-up file that loads it."""

from __future__ import annotations

import difflib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from phocinae_cli.cli.init import Shell
from phocinae_cli.cli.rcblock import END, SHELLS, START, Torn, block, with_block, without_block
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.core.verdict import EXIT_FAILURE
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.resident.hook import hook_text
from phocinae_cli.resident.worker import alive, remove_place

CANT_INSTALL = "PHOCINAE_CANT_INSTALL"

ShellOption = Annotated[
    list[Shell] | None, typer.Option("--shell", help="Which shell; several times for several. Without it: all found.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")]


def command(shell: ShellOption = None, dry_run: DryRun = False) -> int:
    """Put the shell hook in place: the hook's file, and a marked block in the start-up file, with a backup."""
    home = own_home()
    failed = False
    for name in chosen(shell):
        hook, rc = hook_file(home, name), rc_file(home, name)
        try:
            failed |= not _put(name, hook, rc, dry_run)
        except OSError as error:
            failed = True
            tell(f"phocinae: {error.filename or rc}: {error.strerror}: nothing was changed there  [{CANT_INSTALL}]")
    if not failed and not dry_run:
        show("new shells have the hook; in this one: open another, or source the hook's file")
    return EXIT_FAILURE if failed else 0


def take_out(shells: list[Shell] | None, dry_run: bool) -> int:
    """Take the block and the hook's file out again; return the exit status."""
    home = own_home()
    failed = False
    for name in chosen(shells):
        hook, rc = hook_file(home, name), rc_file(home, name)
        try:
            text = read(rc)
            try:
                changed = without_block(text)
            except Torn:
                failed |= not _torn(rc)
                continue
            if changed == text and not hook.exists():
                show(f"{name}: there is nothing of phocinae in {rc}")
                continue
            replace(rc, text, changed, dry_run)
            if hook.exists() and not dry_run:
                hook.unlink()
                show(f"{name}: removed {hook}")
        except OSError as error:
            failed = True
            tell(f"phocinae: {error.filename or rc}: {error.strerror}: nothing was changed there  [{CANT_INSTALL}]")
    if not dry_run:
        sweep(os.environ)
    return EXIT_FAILURE if failed else 0


def sweep(env: Mapping[str, str]) -> None:
    """Remove the pipes of shells that are gone. Those of living shells go with them."""
    base = f"{env.get('XDG_RUNTIME_DIR') or env.get('TMPDIR') or '/tmp'}/phocinae-{os.getuid()}"
    try:
        names = os.listdir(base)
    except OSError:
        return
    for name in names:
        owner = name.split(".")[0]
        if owner.isdigit() and not alive(int(owner)):
            remove_place(f"{base}/{name}")
    try:
        os.rmdir(base)
    except OSError:
        return  # a shell still has its worker


def _put(shell: str, hook: Path, rc: Path, dry_run: bool) -> bool:
    text = read(rc)
    try:
        changed = with_block(text, block(shell, str(hook)))
    except Torn:
        return _torn(rc)
    content = hook_text(shell)
    if read(hook) != content:
        if not dry_run:
            hook.parent.mkdir(parents=True, exist_ok=True)
            write(hook, content)
        show(f"{shell}: {'would write' if dry_run else 'wrote'} {hook}")
    if changed == text:
        show(f"{shell}: {rc} loads it already")
    replace(rc, text, changed, dry_run)
    return True


def _torn(rc: Path) -> bool:
    tell(f"phocinae: {rc}: one of the lines {START!r} and {END!r} is missing or out of place")
    tell(f"  remove what is left of the block by hand, then try again  [{CANT_INSTALL}]")
    return False


# --- which shells, which files ---------------------------------------------------------------------------------------


def chosen(shells: list[Shell] | None) -> list[str]:
    """Return the shells asked for, or those that are there. Raises PhocinaeError when there is none."""
    names = [each.value for each in shells or []] or [name for name in SHELLS if shutil.which(name)]
    if not names:
        raise PhocinaeError(CANT_INSTALL, "neither bash, zsh nor fish was found", "name one with --shell")
    return names


def own_home() -> Path:
    """Return the user's home. Raises PhocinaeError without one."""
    home = os.environ.get("HOME", "")
    if not home.startswith("/"):
        raise PhocinaeError(CANT_INSTALL, "HOME names no directory", "set HOME")
    return Path(home)


def hook_file(home: Path, shell: str) -> Path:
    """Return where the hook's file is put."""
    data = os.environ.get("XDG_DATA_HOME", "")
    return (Path(data) if data.startswith("/") else home / ".local" / "share") / "phocinae" / f"hook.{shell}"


def rc_file(home: Path, shell: str) -> Path:
    """Return the start-up file that an interactive shell reads."""
    if shell == "bash":
        return home / ".bashrc"
    if shell == "zsh":
        place = os.environ.get("ZDOTDIR", "")
        return (Path(place) if place.startswith("/") else home) / ".zshrc"
    config = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(config) if config.startswith("/") else home / ".config") / "fish" / "config.fish"


# --- files -----------------------------------------------------------------------------------------------------------


def read(path: Path) -> str:
    """Return a file's text, bytes that are no UTF-8 kept; empty when it is not there."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def replace(path: Path, old: str, new: str, dry_run: bool) -> None:
    """Show what changes in a file; unless it is a dry run, put the new text in its place and keep the old beside."""
    if new == old:
        return
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), str(path), str(path), n=1, lineterm=""):
        show(line)
    if dry_run:
        return
    if path.exists():
        backup = path.with_name(path.name + ".phocinae-backup")
        write(backup, old, path)
        show(f"kept the old one as {backup}")
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, new)


def write(path: Path, text: str, like: Path | None = None) -> None:
    """Write a file whole or not at all, behind a link that it may be, with the mode that it (or `like`) had."""
    real = path.resolve()
    mode = (like or real).stat().st_mode & 0o777 if (like or real).exists() else 0o644
    draft = real.with_name(f"{real.name}.phocinae-{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(real)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
