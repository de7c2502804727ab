"""`phocinae check`: the Typer command made from the table in `options`, and the forms that read many commands."""

from __future__ import annotations

import enum
import inspect
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.options import CHOICE, FLAG, LIST, OPTIONS, Values, clash, split

EPILOG = """Exit status: 0 allow, 10 ask, 20 deny, 2 wrong usage, 3 a failure of phocinae itself; 1 is never a verdict.
One word is a line, as in `phocinae check 'ls -la | wc -l'`. Several words are one command, each kept as it is,
as in `phocinae check -- git commit -m 'a b'`."""


class CheckCommand(TyperCommand):
    """Leaves the words of an argv to the command they belong to, options included."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**{**attributes, "epilog": EPILOG})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            options, words, problem = split(args)
            if problem:
                ctx.fail(problem)
            args = [*options, "--", *words] if words else options
        return super().parse_args(ctx, args)


COMMAND_CLASS = CheckCommand


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


def plain(given: dict[str, Any]) -> Values:
    """Return what Typer parsed in the form that `options.quick` gives."""
    values: Values = {"words": list(given["words"] or [])}
    for _, name, kind, _, _ in OPTIONS:
        value = given[name]
        values[name] = list(value or []) if kind == LIST else value.value if isinstance(value, enum.Enum) else value
    return values


def signature() -> inspect.Signature:
    """Return the parameters of the command as the table has them."""
    words = Annotated[
        list[str] | None, typer.Argument(metavar="CMD", help="A line as one word, or a command as its words.")
    ]
    parameters = [inspect.Parameter("words", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=words)]
    for option, name, kind, value, text in OPTIONS:
        annotation: Any = bool
        default: Any = False if kind == FLAG else None
        if kind == CHOICE:
            annotation = enum.Enum(name, {word: word for word in value}) | None
        elif kind != FLAG:
            annotation = (list[str] if kind == LIST else str) | None
        info = typer.Option(option, help=text, metavar=value if isinstance(value, str) and value else None)
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[annotation, info]
            )
        )
    return inspect.Signature(parameters, return_annotation=int)


command.__signature__ = signature()  # type: ignore[attr-defined]
command.__annotations__ = {name: each.annotation for name, each in signature().parameters.items()}
