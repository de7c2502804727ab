"""`phocinae check`: one command, or with --jsonl and --file many of them."""

from __future__ import annotations

from typing import Any

from phocinae_cli.cli.table import TableCommand, plain, shape
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.options import clash

COMMAND_CLASS = TableCommand
EPILOG = """One word is a line: check 'ls -la | wc -l'. Several words are one command, each word kept as it is:
check -- git commit -m 'a b'. Exit status: 0 allow, 10 ask, 20 deny, 2 wrong usage, 3 a failure of phocinae itself."""


def command(**given: Any) -> int:
    """Vet a command: exit 0 to allow, 10 to ask, 20 to deny."""
    values = plain(given)
    problem = clash(values)
    if problem:
        raise PhocinaeError(INVALID_ARGUMENTS, problem, "`phocinae check --help` shows how it is used")
    if values["jsonl"]:
        from phocinae_cli.cli.stream import vet_stream

        return vet_stream(values)
    if values["file"] is not None:
        from phocinae_cli.cli.script import vet_script

        return vet_script(values)
    from phocinae_cli.cli.line import vet

    return vet(values)


shape(command)
