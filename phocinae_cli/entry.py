"""The console script: the plain forms of `check` go straight to the checker, everything else to Typer."""

from __future__ import annotations

import gc
import os
import sys

from phocinae_cli import bundle
from phocinae_cli.options import quick

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.options import Values

FAILURE = 3
WORKER = "--worker"


def main() -> int:
    """Run the command line of this process and return its status; a plain check ends the process itself."""
    argv = sys.argv[1:]
    values = quick(argv[1:]) if argv[:1] == ["check"] else None
    if values is not None:
        gc.disable()  # one command makes too little garbage to pay for a search
    status = run(argv, values)
    if values is not None:
        # All output is flushed by now. What is skipped is the interpreter's tidying up, a tenth of the whole run.
        os._exit(status)
    return status


def run(argv: list[str], values: Values | None) -> int:
    """Return the status of a command line, whatever happens: no exception leaves, since a crash would exit with 1."""
    try:
        if argv[:2] == ["check", WORKER]:
            return work(argv[2:])
        if values is None:
            from phocinae_cli.cli import main as run_command

            return run_command(argv)
        bundled = bundle.attach()
        from phocinae_cli.cli.line import vet

        status = vet(values)
        if not bundled:
            bundle.save()
        return status
    except BaseException as error:
        try:
            from phocinae_cli.cli import failure

            return failure(error)
        except BaseException:  # the report on the failure failed as well: a full disk, a second Ctrl-C
            return FAILURE


def work(argv: list[str]) -> int:
    """Serve the shell that `check --worker BASE PID` names until it ends; raises PhocinaeError for other arguments.

    It is what `resident/run.py` does for the hook, which can't afford the console script.
    """
    from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

    if len(argv) != 2 or not argv[1].isdecimal():
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"{WORKER} takes a directory and the number of a process, and nothing else",
            "the shell hook starts it: `phocinae install`",
        )
    from phocinae_cli.resident import worker

    if worker.main(argv):
        raise PhocinaeError(
            "system", f"no worker could be set up below {argv[0]}", "it must be a directory of your own"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
