"""Code of other languages on a command line: each reader is loaded when its language is first met."""

from __future__ import annotations

from phocinae_cli.analysis.values import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation


def read_code(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what a text of code does, and return what it would print; an unread language asks."""
    if language == "python":
        from phocinae_cli.analysis.inline import python as reader
    elif language in ("sql",):
        from phocinae_cli.analysis.inline import sql as reader  # type: ignore[no-redef]
    elif language in ("redis", "mongo"):
        from phocinae_cli.analysis.inline import stores as reader  # type: ignore[no-redef]
    elif language in ("awk", "sed", "vim"):
        from phocinae_cli.analysis.inline import editors as reader  # type: ignore[no-redef]
    else:
        from phocinae_cli.analysis.inline import scripting as reader  # type: ignore[no-redef]
    return reader.read(invocation, language, text, remote)
