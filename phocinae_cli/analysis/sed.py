"""What a row can't say of `sed`: an ending for copies that stands in a word of its own."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.values import Stream


def sed(invocation: Invocation) -> Stream | None:
    """`sed -i '' SCRIPT FILE` as BSD reads it: what follows `-i` is the ending of a copy, not the script."""
    words = invocation.words
    for option, ending in pairwise(words):
        text = ending.exact
        if (
            option.exact in ("-i", "-I")
            and text is not None
            and (text == "" or (text[0] == "." and text[1:].isalnum()))
        ):
            operands = invocation.arguments.operands
            invocation.arguments.operands = [value for value in operands if value is not ending]
    return None


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"sed": sed}
