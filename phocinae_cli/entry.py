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


if __name__ == "__main__":
    sys.exit(main())
