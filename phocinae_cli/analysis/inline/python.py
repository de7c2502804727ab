"""Python code, read by its own parser and walked with what is known of its values; nothing of it runs."""

from __future__ import annotations

import ast

from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.inline.pywalk import Stop, Walker
from phocinae_cli.analysis.inline.storecalls import mentions
from phocinae_cli.analysis.values import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what Python code does, and return what it would print; code that can't be parsed asks."""
    tree = parsed(text)
    if tree is None:
        return _unparsed(invocation, text, remote)
    deeds = Deeds(invocation, language, remote)
    if mentions(text):
        from phocinae_cli.analysis.inline.pystores import sweep

        sweep(deeds, tree)
    walker = Walker(deeds)
    try:
        walker.run(tree)
    except (Stop, RecursionError):
        deeds.unsure(text[:60], "it is too long or too deep to be followed")
        walker.sure = False
    deeds.settle()
    return deeds.output(walker.sure)


def parsed(text: str) -> ast.Module | None:
    """Return the tree of a text of Python 3, or of Python 2 whose statements can be read as calls, else None."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for attempt in (text, _dedented(text), _modern(text)):
            try:
                return ast.parse(attempt)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return None


def _dedented(text: str) -> str:
    import textwrap

    return textwrap.dedent(text.strip("\n"))


def _modern(text: str) -> str:
    """Return Python 2 text with its `print` and `exec` statements written as calls."""
    lines = []
    for line in text.split("\n"):
        pieces = []
        for piece in line.split(";"):
            bare = piece.lstrip()
            indent = piece[: len(piece) - len(bare)]
            head, colon, tail = bare.partition(":")
            if (
                colon
                and tail.strip().startswith(("print ", "exec "))
                and head.split()[:1] in (["for"], ["if"], ["while"], ["else"], ["try"])
            ):
                word, _, rest = tail.strip().partition(" ")
                pieces.append(f"{indent}{head}: {word}({rest.rstrip(', ')})")
                continue
            word, space, rest = bare.partition(" ")
            if word in ("print", "exec") and space:
                rest = rest.partition(",")[2] if rest.startswith(">>") else rest
                pieces.append(f"{indent}{word}({rest.rstrip(', ')})")
            elif word == "except" and "," in rest:
                pieces.append(indent + "except " + rest.replace(",", " as", 1))
            else:
                pieces.append(piece)
        lines.append(";".join(pieces))
    return "\n".join(lines)


def _unparsed(invocation: Invocation, text: str, remote: bool) -> Stream:
    """Judge the calls that can be told from their names, and ask about the rest."""
    from phocinae_cli.analysis.inline import scripting

    out = scripting.read(invocation, "python", text, remote)
    invocation.effect(
        "run-unknown-code", text[:60], "python.unreadable", "part of the code can't be read", certain=False
    )
    return out
