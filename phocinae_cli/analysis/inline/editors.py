"""Scripts of stream and text editors: sed, awk and vim, each by a reader of its own."""

from __future__ import annotations

from phocinae_cli.analysis import processes
from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.keynames import names_only
from phocinae_cli.analysis.values import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what a sed, awk or vim script does beside editing text, and return what it would print."""
    deeds = Deeds(invocation, language, remote)
    if language == "awk":
        from phocinae_cli.analysis.inline import awk

        awk.walk(deeds, text)
        deeds.settle()
        return _withheld(invocation, processes.column(text, deeds.output(sure=False)))
    elif language == "sed":
        from phocinae_cli.analysis.inline.sed import Sed

        Sed(deeds, text).walk()
    else:
        from phocinae_cli.analysis.inline.vim import ex

        for line in text.split("\n"):
            ex(deeds, line)
    return _withheld(invocation, deeds.output(sure=False))


def _withheld(invocation: Invocation, printed: Stream) -> Stream:
    """Return what is printed; a secret in it is shown only if it comes out at the end of the line."""
    if "secret" in printed.taint:
        if names_only(invocation):
            return Stream(None, printed.taint - {"secret"}, printed.why)
        invocation.evaluator.collector.withheld = True
    return printed
