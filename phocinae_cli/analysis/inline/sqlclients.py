"""Commands of database clients that never reach the server: shells, files, scripts, pagers."""

from __future__ import annotations

from phocinae_cli.analysis.values import EMPTY, Stream, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.sql import Sql

ROWS = Stream(None, frozenset(("dump",)), "rows of a table")
PSQL_FILES = ("\\o", "\\out", "\\w", "\\write", "\\log")
READ_FILES = ("\\i", "\\ir", "\\include", "\\include_relative", "\\.", "source", ".read", "start", "@", "@@", ":r")
WRITE_FILES = (".output", ".once", ".backup", ".save", ".clone", ".log", "tee", "\\T", "spool", ":out")
SHELLS = ("\\!", "system", ".shell", ".system", "host", "ho", "!", "!!", ":!!")


def command(sql: Sql, line: str) -> None:
    """Record what one command of a client does; those that show, list or set are harmless."""
    word, _, rest = line.partition(" ")
    if line.startswith("\\!"):
        word, rest = "\\!", line[2:]
    elif line.startswith(("!", ":!!")) and word not in SHELLS:
        word, rest = "!", line.lstrip(":!")
    elif line.startswith("@"):
        word, rest = "@", line.lstrip("@")
    rest = rest.strip()
    lowered = word if word.startswith("\\") else word.lower()
    if lowered in SHELLS:
        sql.deeds.shell(known(rest or "true"))
    elif lowered in READ_FILES:
        sql.deeds.script("sql", known(_unquoted(rest)))
    elif lowered in (".import", "\\copy") or lowered == ".restore":
        _copy(sql, lowered, rest, line)
    elif lowered in WRITE_FILES or lowered in PSQL_FILES:
        _output(sql, rest)
    elif lowered in ("pager", "\\P"):
        sql.deeds.shell(known(rest or "true"))
    elif lowered in ("\\g", "\\gx") and rest:
        _output(sql, rest)
    elif lowered == "\\gexec":
        sql.unsure(line, "each cell of the result is run as a statement")
        sql.put_together()
    elif lowered == ".load":
        sql.deeds.plain("run-unknown-code", rest, "load", "it loads a library into the client")
    elif lowered in ("\\password",):
        sql.effect("account", "password", "it changes a password", line)
    elif lowered == "\\lo_unlink":
        sql.effect("db-write", "lo-unlink", "it deletes a large object", line)


def _output(sql: Sql, rest: str) -> None:
    if rest.startswith("|"):
        sql.deeds.shell(known(rest[1:].strip()), Stream(None, ROWS.taint, ROWS.why, seen=sql.rows))
    elif rest and rest.lower() not in ("off", "stdout", "-e", "-x"):
        sql.deeds.write(known(_unquoted(rest.split()[-1])), what="output")


def _copy(sql: Sql, word: str, rest: str, line: str) -> None:
    if word == ".restore":
        sql.effect("db-destroy", "restore", "it writes over the database that is open", line)
        return
    if word == ".import":
        first = rest.split()[0] if rest.split() else ""
        if first.startswith(("|", '"|', "'|")):
            sql.deeds.shell(known(_unquoted(rest.rpartition(" ")[0]).lstrip("|")))
        sql.effect("db-write", "import", "it adds rows", line)
        return
    lowered = rest.lower()
    for mark in (" to program ", " from program "):
        at = lowered.find(mark)
        if at >= 0:
            given = ROWS if mark.startswith(" to") else EMPTY
            sql.deeds.shell(known(_unquoted(rest[at + len(mark) :].strip())), given)
            return
    at = lowered.rfind(" to ")
    if at >= 0 and " from " not in lowered[at:]:
        target = rest[at + 4 :].strip().split()[0] if rest[at + 4 :].strip() else ""
        if target and target.lower() not in ("stdout", "pstdout"):
            sql.deeds.write(known(_unquoted(target)), what="copy")
    else:
        sql.effect("db-write", "copy", "it adds rows", line)


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] in "'\"" and text.find(text[0], 1) > 0:
        return text[1 : text.find(text[0], 1)]
    return text
