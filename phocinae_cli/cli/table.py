"""Typer commands made of the table in `options`, so that what `quick` reads and what Typer reads can't differ."""

from __future__ import annotations

import enum
import inspect
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from phocinae_cli.options import CHOICE, FLAG, LIST, OPTIONS, Values, split


class TableCommand(TyperCommand):
    """Leaves the words of an argv to the command they belong to, options included."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            options, words, problem = split(args)
            if problem:
                ctx.fail(problem)
            args = [*options, "--", *words] if words else options
        return super().parse_args(ctx, args)


def plain(given: dict[str, Any]) -> Values:
    """Return what Typer parsed in the form that `options.quick` gives."""
    values: Values = {"words": list(given["words"] or [])}
    for _, name, kind, _, _ in OPTIONS:
        value = given.get(name, False if kind == FLAG else None)
        values[name] = list(value or []) if kind == LIST else value.value if isinstance(value, enum.Enum) else value
    return values


def signature(without: tuple[str, ...] = ()) -> inspect.Signature:
    """Return the parameters of a command as the table has them, but for the options named."""
    words = Annotated[
        list[str] | None, typer.Argument(metavar="CMD", help="A line as one word, or a command as its words.")
    ]
    parameters = [inspect.Parameter("words", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=words)]
    for option, name, kind, value, text in OPTIONS:
        if option in without:
            continue
        annotation: Any = bool
        default: Any = False if kind == FLAG else None
        if kind == CHOICE:
            choices: Any = enum.Enum(name, {word: word for word in value})  # type: ignore[misc]
            annotation = choices | None
        elif kind != FLAG:
            annotation = (list[str] if kind == LIST else str) | None
        info = typer.Option(option, help=text, metavar=value if isinstance(value, str) and value else None)
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[annotation, info]
            )
        )
    return inspect.Signature(parameters, return_annotation=int)


def shape(function: Any, without: tuple[str, ...] = ()) -> None:
    """Give a function that takes any keyword the parameters that Typer should see."""
    function.__signature__ = signature(without)
    function.__annotations__ = {name: each.annotation for name, each in function.__signature__.parameters.items()}
