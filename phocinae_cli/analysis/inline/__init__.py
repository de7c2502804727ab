"""Code of other languages on a command line: each reader is loaded when its language is first met."""

from __future__ import annotations

from phocinae_cli.analysis.values import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation


def read_code(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what a text of code does, and return what it would print; an unread language asks."""
    if language == "python":
        from phocinae_cli.analysis.inline.python import read
    elif language == "sql":
        from phocinae_cli.analysis.inline.sql import read
    elif language == "cypher":
        from phocinae_cli.analysis.inline.cypher import read
    elif language in ("redis", "mongo"):
        from phocinae_cli.analysis.inline.stores import read
    elif language == "applescript":
        from phocinae_cli.analysis.inline.applescript import read
    elif language in ("awk", "sed", "vim"):
        from phocinae_cli.analysis.inline.editors import read
    elif language == "transfer":
        from phocinae_cli.analysis.inline.transfers import read
    elif language in ("text-is-code", "loose"):
        from phocinae_cli.analysis.inline.loosely import read
    else:
        from phocinae_cli.analysis.inline.scripting import read
    return read(invocation, language, text, remote)
