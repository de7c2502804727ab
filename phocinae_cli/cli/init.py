"""`phocinae init`: prints the shell hook, ready to be evaluated or kept in a file."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from phocinae_cli.cli.screen import show
from phocinae_cli.resident.hook import hook_text, source_path


class Shell(StrEnum):
    """The shells that there is a hook for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def command(
    shell: Annotated[Shell, typer.Argument(help="The shell to print the hook for.")],
    print_path: Annotated[
        bool, typer.Option("--print-path", help="Print where the hook's source lies, instead of the hook.")
    ] = False,
) -> int:
    """Print the shell hook: eval "$(phocinae init bash)" loads it; `phocinae install` does so for good."""
    show(str(source_path(shell.value)) if print_path else hook_text(shell.value).removesuffix("\n"))
    return 0
