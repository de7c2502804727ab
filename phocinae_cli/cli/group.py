"""The Typer group of all commands, each loaded only when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, MutableMapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from phocinae_cli import __version__
from phocinae_cli.cli import COMMANDS
from phocinae_cli.cli.screen import show, tell
from phocinae_cli.core.verdict import EXIT_FAILURE, EXIT_USAGE
from phocinae_cli.render.marks import clean

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
CLI_ERROR: type[Exception] = typer.BadParameter.__mro__[2]
"""What Typer raises for a wrong command line: its versions keep these classes in different places."""


class Lazy(MutableMapping[str, Any]):
    """Commands by name, each built when it is first asked for."""

    def __init__(self, rows: tuple[tuple[str, str, str], ...]) -> None:
        self.rows = {name: (module, line) for name, module, line in rows}
        self.built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.built:
            module, line = self.rows[name]
            self.built[name] = build(name, module, line)
        return self.built[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self.built[name] = command

    def __delitem__(self, name: str) -> None:
        del self.rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


class Commands(TyperGroup):
    """A group whose list of commands is the table, in its order."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = Lazy(COMMANDS)

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, _, line in COMMANDS])


class Whole(TyperGroup):
    """A group below a command, with each line of help printed whole."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, " ".join((command.help or "").split())) for name, command in commands if command]
            )


def build(name: str, module: str, line: str) -> Any:
    """Return the command in a module: its Typer `app`, or one made of its function `command`."""
    loaded = importlib.import_module(f"phocinae_cli.cli.{module}")
    app = getattr(loaded, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name, cls=getattr(loaded, "COMMAND_CLASS", None), epilog=getattr(loaded, "EPILOG", None))(
            loaded.command
        )
    app._add_completion = False  # it belongs to the root alone
    app.info.cls = Whole
    built = typer.main.get_command(app)
    built.name = name
    built.short_help = line
    return built


root = typer.Typer(cls=Commands, rich_markup_mode=None, pretty_exceptions_enable=False)


def _version(wanted: bool) -> None:
    if wanted:
        show(f"phocinae {__version__}")
        raise typer.Exit


@root.callback(context_settings={"help_option_names": ["--help", "-h"]})
def phocinae(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Vets shell commands before they run: allow, ask or deny."""


def run(argv: list[str]) -> int:
    """Run a command line and return its status; what a command raises is left to the caller."""
    try:
        result = typer.main.get_command(root).main(args=argv, prog_name="phocinae", standalone_mode=False)
    except CLI_ERROR as error:
        return _wrong(error)
    except typer.Abort:
        return EXIT_FAILURE
    except SystemExit as end:
        if end.code == 1:  # what Typer makes of a reader who has left; no command of ours ends so
            raise BrokenPipeError from end
        raise
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _wrong(error: Any) -> int:
    """Tell what is wrong with the command line; asked for nothing at all, show the help."""
    context = getattr(error, "ctx", None)
    if not error.format_message():
        tell(context.get_help() if context is not None else "")
        return EXIT_USAGE
    message = " ".join(error.format_message().replace("Value error, ", "").split())  # Typer's may run over lines
    tell(f"phocinae: {clean(message)}")
    path = context.command_path if context is not None else "phocinae"
    tell(f"  `{path} --help` shows how it is used  [PHOCINAE_INVALID_ARGUMENTS]")
    return EXIT_USAGE
