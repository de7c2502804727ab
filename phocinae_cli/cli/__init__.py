"""The commands: flags in, one call, text out; and the one place that turns an exception into a status."""

from __future__ import annotations

import os
import sys

from phocinae_cli.cli.screen import quiet, tell
from phocinae_cli.core.verdict import EXIT_FAILURE, EXIT_USAGE
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.render.marks import clean

INTERRUPTED = 130

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("check", "check", "Vet a command: exit 0 to allow, 10 to ask, 20 to deny."),
    ("explain", "explain", "Show the whole reasoning behind the verdict on a command."),
    (
        "ask",
        "ask",
        "Ask typed questions: yes/no, pick one, rate. Exit 0 when answered, 3 when not, 10 as --fail-on-escalate says.",
    ),
    (
        "allow",
        "allow",
        "Approve exactly this line in this directory, once within ten minutes unless an option says otherwise.",
    ),
    (
        "deny",
        "deny",
        "Add a deny rule for the program, operands and options of a line, with whatever else goes with them.",
    ),
    (
        "init",
        "init",
        'Print the shell hook: eval "$(phocinae init bash)" loads it; `phocinae install` does so for good.',
    ),
    (
        "install",
        "install",
        "Put the shell hook in place: the hook's file, and a marked block in the start-up file, with a backup.",
    ),
    ("uninstall", "uninstall", "Take the shell hook out: exactly the marked block, and the hook's file."),
    ("rules", "rules", "Show, add, remove and try your standing rules."),
    ("approvals", "approvals", "Show what you approved, and take it back."),
    ("bench", "bench", "Measure a judge on labelled commands; exit 10 when a requirement is missed."),
    ("log", "log", "Print the last verdicts from the audit log, the newest at the end."),
    (
        "stats",
        "stats",
        "Print how many verdicts there were, by decision and reason, the commonest findings, and how long they took.",
    ),
    ("kb", "kb", "Show, add and prove what is known of tools."),
    ("config", "config", "Show and check the configuration, and trust a project's file."),
    (
        "doctor",
        "doctor",
        "Try everything out: configuration, judge, worker, and in a real shell whether denied lines are stopped.",
    ),
    (
        "serve",
        "serve",
        "Serve the embedded engine over POST /v1/systemone until Ctrl-C; exit 0 then, 3 when it can't start.",
    ),
)
"""Each command: its name, the module of this folder that holds it as `app` or `command`, and its line of help.

A module is loaded when its command is called, so that no command pays for another.
"""


def main(argv: list[str]) -> int:
    """Run a command line and return its exit status."""
    from phocinae_cli.cli.group import run

    try:
        status = run(argv)
    except BrokenPipeError:
        status = 0  # the reader has seen enough
    except BaseException as error:
        status = failure(error)
    return status if _flushed(status != EXIT_FAILURE) else EXIT_FAILURE


def failure(error: BaseException) -> int:
    """Tell what went wrong and what to do about it; return the exit status that stands for it."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0 if error.code is None else EXIT_FAILURE
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, PhocinaeError):
        tell_error(error)
        return EXIT_USAGE if error.code == INVALID_ARGUMENTS else EXIT_FAILURE
    if isinstance(error, OSError):
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        tell_error(PhocinaeError("system", f"{place}{error.strerror or error}"))
        return EXIT_FAILURE
    _tell_fault(error)
    return EXIT_FAILURE


def tell_error(error: PhocinaeError) -> None:
    """Print an error to stderr: what happened, each further problem, what to do, and the code to search for."""
    details = [detail for detail in error.details if detail != error.message]
    tell(f"phocinae: {clean(error.message)}" + ("" if details or error.do else f"  [{error.code}]"))
    for detail in details:
        tell(f"  {clean(detail)}" + ("" if error.do or detail != details[-1] else f"  [{error.code}]"))
    if error.do:
        tell(f"  {clean(error.do)}  [{error.code}]")


def _tell_fault(error: BaseException) -> None:
    """Print what a fault of ours looks like; the traceback only to those who ask, it may hold private text."""
    tell(f"phocinae: internal error: {type(error).__name__}: {clean(str(error))}")
    if sys.flags.dev_mode:
        import traceback

        tell("".join(traceback.format_exception(error)))
    tell("  this is a fault in phocinae, please report it; PYTHONDEVMODE=1 shows where it happened  [internal-error]")


def _flushed(telling: bool) -> bool:
    """Flush both streams and return whether stdout took everything; a reader who left is no failure."""
    for stream in (sys.stderr, sys.stdout):
        if stream is None:
            continue
        try:
            stream.flush()
        except BrokenPipeError:
            quiet(stream)
        except OSError as error:
            quiet(stream)
            if stream is sys.stdout:
                if telling:
                    failure(error)
                return False
    return True
