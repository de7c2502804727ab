"""SQL statements by their kind, and the commands of database clients: what only reads, changes, or destroys."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.inline.sqlclients import ROWS
from phocinae_cli.analysis.inline.sqltext import Piece, Word, pieces
from phocinae_cli.analysis.inline.sqlwhere import always_true, condition
from phocinae_cli.analysis.inline.wordlist import listed
from phocinae_cli.analysis.production import names_production
from phocinae_cli.analysis.values import EMPTY, Stream, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

READS = frozenset(
    listed(
        """
        SELECT VALUES TABLE EXPLAIN DESCRIBE DESC SHOW USE SET BEGIN START COMMIT ROLLBACK END SAVEPOINT RELEASE PRAGMA
        DECLARE FETCH CLOSE OPEN LISTEN UNLISTEN NOTIFY DISCARD RESET CHECKPOINT ANALYZE ANALYSE VACUUM REINDEX PREPARE
        DEALLOCATE LOCK UNLOCK HELP LIST PRINT CHECK CHECKSUM WITH ABORT EXISTS IF GO FLUSH OPTIMIZE TRACING CONSISTENCY
        ATTACH DETACH SUMMARIZE FROM HANDLER STATUS CONNECT EXIT QUIT DBCC MOVE PIVOT ECHO CLEAR
        """
    )
)
DATA_OBJECTS = frozenset(
    (
        "TABLE",
        "DATABASE",
        "SCHEMA",
        "KEYSPACE",
        "TABLESPACE",
        "CATALOG",
        "OWNED",
        "COLUMNFAMILY",
        "PARTITION",
        "BUCKET",
        "MEASUREMENT",
        "SERIES",
        "SHARD",
        "TABLES",
        "DB",
        "NAMESPACE",
    )
)
ACCOUNTS = frozenset(("USER", "ROLE", "LOGIN", "GROUP"))
KEPT_WORDS = frozenset(
    (
        "CONSTRAINT",
        "DEFAULT",
        "NOT",
        "INDEX",
        "KEY",
        "FOREIGN",
        "PRIMARY",
        "IDENTITY",
        "EXPRESSION",
        "CHECK",
        "UNIQUE",
        "POLICY",
        "TRIGGER",
        "STATISTICS",
    )
)
DBCC_CHANGES = frozenset(
    listed(
        """
        SHRINKDATABASE SHRINKFILE FREEPROCCACHE DROPCLEANBUFFERS FREESYSTEMCACHE FREESESSIONCACHE CLEANTABLE DBREINDEX
        INDEXDEFRAG CHECKIDENT UPDATEUSAGE TRACEON TRACEOFF FLUSHPROCINDB STACKDUMP CLONEDATABASE
        """
    )
)
REPLACED = frozenset(("TABLE", "DATABASE", "SCHEMA", "STAGE"))
FILE_PLACES = frozenset(("temp", "disposable"))
RUN_BY_NAME = (
    ".php", ".jsp", ".asp", ".aspx", ".sh", ".so", ".phtml", ".dll", "/.profile", "/.bashrc", "/.zshrc", "/.zshenv",
    "/.zprofile", "/.bash_profile", "/.bash_login", "/.pythonrc", "/.psqlrc", "/.sqliterc", "/.duckdbrc", "/.vimrc",
)  # fmt: skip
RUN_BY_PLACE = (
    "authorized_keys", "/cron", "/etc/profile", "/etc/ld.so", "/etc/sudoers", "/etc/systemd/", "/etc/init.d/",
    "/etc/rc", "/etc/passwd", "/etc/shadow", "/.config/autostart/", "/.config/systemd/", "/.git/hooks/",
    "/LaunchAgents/", "/LaunchDaemons/", "/etc/bash.bashrc", "/etc/environment",
)  # fmt: skip
"""Endings and folders of files that somebody's server, shell or timer runs."""
SERVER_CALLS = {
    "PG_TERMINATE_BACKEND": ("kill", "it ends somebody's connection"),
    "PG_CANCEL_BACKEND": ("kill", "it stops a running query"),
    "PG_DROP_REPLICATION_SLOT": ("db-schema", "it drops a replication slot"),
    "LO_UNLINK": ("db-write", "it deletes a large object"),
    "LO_EXPORT": ("db-write", "it writes a file on the server"),
    "LO_IMPORT": ("db-write", "it reads a file of the server into the database"),
    "DBLINK_EXEC": ("db-write", "it runs a statement on another database"),
    "SYS_EXEC": ("run-unknown-code", "it runs a command on the server"),
    "SYS_EVAL": ("run-unknown-code", "it runs a command on the server"),
    "LOAD_EXTENSION": ("run-unknown-code", "it loads a library into the database"),
    "PG_READ_FILE": ("db-write", "it reads a file of the server"),
    "LOAD_FILE": ("db-write", "it reads a file of the server"),
    "PG_SWITCH_WAL": ("db-schema", "it switches the log"),
    "PG_PROMOTE": ("service", "it makes a replica the primary"),
    "SETVAL": ("db-write", "it sets a sequence"),
}


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what SQL statements and client commands do; the rows that they print are data of unknown content."""
    client = invocation.name
    reader = Sql(Deeds(invocation, language, remote), client)
    found = pieces(text, client)
    reader.rows = "\n".join(filter(None, map(_put_together, found)))
    for piece in found:
        reader.piece(piece)
    return Stream(None, frozenset(), "rows of a database", seen=reader.rows)


def generated(text: str) -> str:
    """Return the lines of a text that are statements which change something: what a query put together."""
    return "\n".join(line for line in text.split("\n") if line.split()[:1] and line.split()[0].upper() in STATEMENTS)


def _put_together(piece: Piece) -> str:
    """Return the text that a query puts together in each of its rows, with a name for what a row brings."""
    words = piece.words
    if not words or words[0].upper not in ("SELECT", "WITH", "VALUES"):
        return ""
    level = min(word.depth for word in words)
    end = next((n for n, word in enumerate(words) if word.upper == "FROM" and word.depth == level), len(words))
    strings = [n for n, word in enumerate(words[:end]) if word.kind == "str"]
    texts = [words[n].text for n in strings]
    if not any(" " in text for text in texts):
        return ""
    more = strings[-1] + 1 < end and words[strings[-1] + 1].text[:1] in ("|", "+", ",")
    return ("x".join(texts) + ("x" if more else "")).replace("\n", " ")


class Sql:
    """Judges statements one by one; temporary tables are remembered by name."""

    def __init__(self, deeds: Deeds, client: str) -> None:
        self.deeds = deeds
        self.client = client
        self.temporary: set[str] = set()
        self.scratch = _scratch(deeds, client)
        self.level = 0
        self.rows = ""

    def piece(self, piece: Piece) -> None:
        """Record what one statement or client command does."""
        if piece.command:
            from phocinae_cli.analysis.inline import sqlclients

            sqlclients.command(self, piece.command)
            return
        self.statement(piece.words, piece.text)

    def effect(self, kind: str, what: str, why: str, text: str, instead: str = "", undo: str = "") -> None:
        """Record an effect on the database; in a scratch one nothing is lost."""
        harm = "harmless" if self.scratch and kind.startswith("db-") else None
        self.deeds.invocation.effect(
            kind, " ".join(text.split())[:100], f"sql.{what}", why, instead=instead, undo=undo, harm=harm
        )

    def unsure(self, text: str, why: str) -> None:
        """Record a statement that nobody can judge."""
        self.deeds.invocation.effect("unknown", " ".join(text.split())[:100], "sql.unclear", why, certain=False)

    def put_together(self) -> None:
        """Judge the statements that the queries of the text put together."""
        self.nested(generated(self.rows))

    def nested(self, text: str) -> None:
        """Judge SQL that stands in a string of a statement which runs it."""
        self.level += 1
        if self.level < 5:
            for piece in pieces(text, self.client):
                words = piece.words
                while words and words[0].upper in ("BEGIN", "DECLARE", "THEN", "ELSE", "LOOP"):
                    words = words[1:]
                self.statement(words, piece.text, nested=True)
        self.level -= 1

    def statement(self, words: list[Word], text: str, nested: bool = False) -> None:
        """Record what one statement does."""
        while words and words[0].text == "(":
            words = words[1:]
        if not words:
            return
        first = words[0].upper
        if first == "EXPLAIN" or first in ("DESCRIBE", "DESC"):
            if "ANALYZE" in [word.upper for word in words[1:6]]:
                start = next(
                    (
                        n
                        for n, word in enumerate(words)
                        if word.upper in ("DELETE", "UPDATE", "INSERT", "MERGE", "TRUNCATE", "WITH")
                    ),
                    None,
                )
                if start is not None:
                    self.statement(words[start:], text)
            return
        method = STATEMENTS.get(first)
        if method is not None:
            method(self, words, text)
        elif first in READS:
            self._read(words, text)
        elif not nested:
            self.unsure(text, "no statement that is known starts like this")
        if first == "WITH" or nested or first in ("IF", "BEGIN"):
            self._inside(words, text)
        self._calls(words, text)

    # --- reads -------------------------------------------------------------------------------------------------

    def _read(self, words: list[Word], text: str) -> None:
        first = words[0].upper
        uppers = [word.upper for word in words]
        if first in ("SELECT", "WITH", "FROM", "TABLE", "VALUES") and "INTO" in uppers:
            at = uppers.index("INTO")
            following = uppers[at + 1] if at + 1 < len(words) else ""
            if following in ("OUTFILE", "DUMPFILE") and at + 2 < len(words):
                self._server_file(words[at + 2].text, "create")  # refuses where a file is
            elif (
                words[at].depth == 0
                and first != "WITH"
                and not (words[at + 1 :] and words[at + 1].text.startswith(("@", "#", ":")))
            ):
                self.effect("db-schema", "select-into", "it makes a new table", text)
        elif first == "SET" and len(words) > 1:
            if words[1].upper in ("GLOBAL", "PERSIST"):
                self.effect("system-config", "set-global", "it changes a setting of the whole server", text)
            elif words[1].upper == "PASSWORD":
                self.effect("account", "set-password", "it changes a password", text)
        elif first == "DBCC":
            self._dbcc(uppers, text)
        elif first == "PRAGMA" and "WRITABLE_SCHEMA" in uppers:
            self.effect("db-schema", "writable-schema", "it lets the schema be edited by hand", text)
        elif first == "RESET" and len(words) > 1 and words[1].upper in ("MASTER", "BINARY"):
            self.effect("db-destroy", "reset-master", "it deletes the binary logs that a recovery needs", text)
        elif first == "RESET" and len(words) > 1 and words[1].upper in ("SLAVE", "REPLICA"):
            self.effect("service", "reset-replica", "it stops replication", text)

    def _dbcc(self, uppers: list[str], text: str) -> None:
        verb = uppers[1] if len(uppers) > 1 else ""
        if "REPAIR_ALLOW_DATA_LOSS" in uppers or verb == "WRITEPAGE":
            self.effect("db-destroy", "dbcc-repair", "it gives up rows that it can't read", text, "restore a backup")
        elif "REPAIR_REBUILD" in uppers or "REPAIR_FAST" in uppers or verb in DBCC_CHANGES:
            self.effect("db-schema", "dbcc", "it rebuilds files, caches or counters of the server", text)

    def _server_file(self, path: str, kind: str = "overwrite") -> None:
        startup = path.endswith(RUN_BY_NAME) or any(part in path for part in RUN_BY_PLACE)
        if startup:
            self.deeds.plain(
                "back-door", path, "outfile", "it plants a file on the server that something there will run"
            )
        else:
            self.deeds.path(kind, known(path), False, "outfile", "it writes a file on the server")

    def _inside(self, words: list[Word], text: str) -> None:
        """Judge statements inside a statement: in a WITH, a block, behind a condition."""
        for at in range(1, len(words)):
            upper = words[at].upper
            following = words[at + 1].upper if at + 1 < len(words) else ""
            starts = (
                (upper == "DELETE" and following == "FROM")
                or (upper == "INSERT" and following in ("INTO", "OVERWRITE"))
                or (
                    upper == "UPDATE" and words[at - 1].upper not in ("FOR", "ON", "KEY", "DO", "MATCHED", "THEN", "NO")
                )
                or (upper == "DROP" and following in DATA_OBJECTS)
                or (upper == "TRUNCATE" and words[at - 1].upper not in ("GRANT",))
                or (upper == "MERGE" and following == "INTO")
            )
            if starts:
                depth = words[at].depth
                end = next((n for n in range(at, len(words)) if words[n].depth < depth), len(words))
                rest = words[at:end]
                self.statement([_lifted(word, depth) for word in rest], text)
                return

    def _calls(self, words: list[Word], text: str) -> None:
        """Record functions of the server that do more than compute."""
        for at, word in enumerate(words):
            if word.kind != "name":
                continue
            found = SERVER_CALLS.get(word.upper)
            if found is not None and at + 1 < len(words) and words[at + 1].text == "(":
                self.effect(found[0], word.text.lower().replace("_", "-"), found[1], text)
            elif word.upper == "WRITEFILE":
                names = [one.text for one in words[at + 1 : at + 3] if one.kind == "str"]
                self._server_file(names[0] if names else "a file")
            elif word.upper == "XP_CMDSHELL":
                self._command_shell(words[at + 1 :], text)

    def _command_shell(self, rest: list[Word], text: str) -> None:
        strings = [word.text for word in rest if word.kind == "str"]
        if strings and not any(word.upper == "RECONFIGURE" for word in rest):
            self.deeds.plain("run-unknown-code", strings[0], "xp-cmdshell", "it runs a command on the database server")
            self.deeds.shell(known(strings[0]))
        else:
            self.effect("run-unknown-code", "xp-cmdshell", "it runs a command on the database server", text)

    # --- rows --------------------------------------------------------------------------------------------------

    def _insert(self, words: list[Word], text: str) -> None:
        if self._is_temporary(_object(words, ("INTO", "TABLE", "OVERWRITE"))):
            return
        self.effect("db-write", "insert", "it adds or replaces rows", text)

    def _update(self, words: list[Word], text: str) -> None:
        self._rows(words, text, _object(words, ("UPDATE", "ONLY")), "update", "it changes every row of the table")

    def _delete(self, words: list[Word], text: str) -> None:
        if self.client == "rman":
            self._backups(words, text)
            return
        name = _object(words, ("FROM",)) or _object(words, ("DELETE",))
        self._rows(words, text, name, "delete", "it deletes every row of the table")

    def _backups(self, words: list[Word], text: str) -> None:
        """`DELETE` of Oracle's recovery manager: what is obsolete or missing may go, other backups are lost."""
        if any(word.upper in ("OBSOLETE", "EXPIRED") for word in words):
            self.effect("prune", "delete-obsolete", "it deletes backups that no rule keeps", text)
        else:
            self.effect("backup-destroy", "delete-backup", "it deletes backups", text)

    def _rows(self, words: list[Word], text: str, name: str, what: str, why: str) -> None:
        if self._is_temporary(name):
            return
        uppers = [word.upper for word in words]
        where = next(
            (n for n, word in enumerate(words) if word.upper == "WHERE" and word.depth == words[0].depth), None
        )
        limited = "LIMIT" in uppers or "JOIN" in uppers or (len(words) > 1 and words[1].upper == "TOP")
        narrow = limited if where is None else not always_true(condition(words[where + 1 :]))
        if narrow:
            kind = "it changes rows" if what == "update" else "it deletes rows"
            self.effect("db-write", what, kind, text, "look with a SELECT first, and keep it in a transaction")
        else:
            self.effect("db-destroy", f"{what}-all", why, text, "add a WHERE, and look with a SELECT first")

    def _merge(self, words: list[Word], text: str) -> None:
        self.effect("db-write", "merge", "it changes rows", text)

    # --- schema ------------------------------------------------------------------------------------------------

    def _drop(self, words: list[Word], text: str) -> None:
        uppers = [word.upper for word in words]
        kind = next(
            (
                word
                for word in uppers[1:4]
                if word
                and word
                not in ("IF", "EXISTS", "MATERIALIZED", "FOREIGN", "EXTERNAL", "TEMPORARY", "TEMP", "TRANSIENT", "ALL")
            ),
            "",
        )
        name = _object(words, (kind, "EXISTS"))
        if "TEMPORARY" in uppers[1:3] or "TEMP" in uppers[1:3] or (kind == "TABLE" and self._is_temporary(name)):
            return
        if kind == "USER" and "CASCADE" in uppers:
            self.effect("db-destroy", "drop-user-cascade", "everything that the account owns goes with it", text)
        elif kind in ACCOUNTS:
            self.effect("account", f"drop-{kind.lower()}", "it removes an account", text)
        elif kind in DATA_OBJECTS:
            self.effect(
                "db-destroy",
                f"drop-{kind.lower()}",
                "what it holds is gone for good",
                text,
                "make a dump first, or rename it",
            )
        else:
            self.effect(
                "db-schema", f"drop-{kind.lower() or 'object'}", "it can be made again only from its definition", text
            )

    def _truncate(self, words: list[Word], text: str) -> None:
        if not self._is_temporary(_object(words, ("TABLE", "TRUNCATE", "ONLY"))):
            self.effect(
                "db-destroy",
                "truncate",
                "it deletes every row, mostly without a way back",
                text,
                "make a dump of the table first",
            )

    def _alter(self, words: list[Word], text: str) -> None:
        uppers = [word.upper for word in words]
        if len(uppers) > 1 and uppers[1] in ACCOUNTS:
            self.effect("account", "alter-account", "it changes an account", text)
            return
        if len(uppers) > 1 and uppers[1] == "SYSTEM":
            self.effect("system-config", "alter-system", "it changes a setting of the whole server", text)
            return
        for at, upper in enumerate(uppers):
            following = uppers[at + 1] if at + 1 < len(uppers) else ""
            if upper == "DROP" and at > 1 and following not in KEPT_WORDS and uppers[1] == "TABLE":
                if uppers[at - 1] in ("COLUMN",) or _behind_alter_column(uppers, at):
                    continue
                self.effect(
                    "db-destroy",
                    "drop-column",
                    "the column's data is gone for good",
                    text,
                    "make a dump of the table first",
                )
                return
            if upper == "TRUNCATE" and following == "PARTITION":
                self.effect("db-destroy", "truncate-partition", "it deletes every row of the partition", text)
                return
            if upper == "DELETE" and at > 1:
                self._rows(words[at:], text, "", "delete", "it deletes every row of the table")
                return
            if upper == "UPDATE" and at > 1 and "WHERE" in uppers:
                self._rows(words[at:], text, "", "update", "it changes every row of the table")
                return
            if upper == "DROP" and following == "DETACHED":
                self.effect("db-destroy", "drop-detached", "what it holds is gone for good", text)
                return
        self.effect("db-schema", "alter", "it changes the schema", text)

    def _create(self, words: list[Word], text: str) -> None:
        uppers = [word.upper for word in words]
        head = uppers[1:6]
        if "TEMP" in head or "TEMPORARY" in head:
            self.temporary.add(_object(words, ("TABLE", "VIEW", "EXISTS")).lower())
            return
        if head[:2] == ["OR", "REPLACE"] and REPLACED.intersection(head[2:4]):
            why = "the one that is there goes with all it holds"
            self.effect("db-destroy", "create-or-replace", why, text, "give the new one another name first")
        elif any(word in ACCOUNTS for word in head[:1]):
            self.effect("account", "create-account", "it makes an account", text)
        elif "SONAME" in uppers:
            self.effect("back-door", "create-soname", "it loads a library that then runs inside the server", text)
        else:
            name = _object(words, ("TABLE", "EXISTS"))
            if name.startswith("#"):
                return
            self.effect("db-schema", "create", "it adds to the schema", text, undo="easy")

    def _is_temporary(self, name: str) -> bool:
        return name.startswith("#") or name.lower() in self.temporary

    def _rename(self, words: list[Word], text: str) -> None:
        self.effect("db-schema", "rename", "it renames what others look for", text, undo="easy")

    # --- the rest ----------------------------------------------------------------------------------------------

    def _copy(self, words: list[Word], text: str) -> None:
        uppers = [word.upper for word in words]
        for at, upper in enumerate(uppers):
            if upper == "PROGRAM" and at + 1 < len(words):
                given = EMPTY if uppers[at - 1] == "FROM" else ROWS
                self.deeds.shell(known(words[at + 1].text), given)
                self.effect("db-write", "copy-program", "it runs a command on the server", text)
                if uppers[at - 1] == "FROM":
                    self.effect("db-write", "copy", "it adds rows", text)
                return
        if "TO" in uppers:
            target = words[uppers.index("TO") + 1] if uppers.index("TO") + 1 < len(words) else None
            if target is not None and target.kind == "str":
                self._server_file(target.text)
        else:
            self.effect("db-write", "copy", "it adds rows", text)

    def _load(self, words: list[Word], text: str) -> None:
        if len(words) > 1 and words[1].upper in ("DATA", "XML"):
            self.effect("db-write", "load-data", "it adds rows", text)
        elif len(words) > 1 and words[1].kind == "str":
            self.effect("run-unknown-code", "load", "it loads a library into the server", text)

    def _grant(self, words: list[Word], text: str) -> None:
        compact = "".join(word.text for word in words).upper()
        everybody = any(word.text == "%" for word in words if word.kind == "str") or "@%" in compact
        if (
            words[0].upper == "GRANT"
            and "ALL" in [word.upper for word in words[:3]]
            and "ON*.*" in compact
            and everybody
        ):
            self.effect(
                "back-door", "grant-all", "whoever reaches the server can do everything with that account", text
            )
        else:
            self.effect("account", words[0].text.lower(), "it changes who may do what", text)

    def _execute(self, words: list[Word], text: str) -> None:
        uppers = [word.upper for word in words]
        strings = [word.text for word in words if word.kind == "str"]
        if "XP_CMDSHELL" in uppers or any("xp_cmdshell" in one.lower() for one in strings):
            if "SP_CONFIGURE" in uppers:
                self.effect(
                    "security-off", "enable-xp-cmdshell", "it lets the database run commands of the system", text
                )
            return
        name = uppers[1] if len(uppers) > 1 else ""
        if (
            words[0].upper == "DO"
            or name in ("IMMEDIATE", "SP_EXECUTESQL", "")
            or (len(words) > 1 and words[1].text == "(")
        ):
            if strings:
                self.nested(strings[0])
            else:
                self.unsure(text, "what it runs is put together only then")
        elif name.startswith("SP_MSFOREACH") and strings:
            self.nested(strings[0].replace("?", "each_one"))
        elif name.startswith(("SP_HELP", "SP_WHO", "SP_SPACEUSED", "SP_COLUMNS", "SP_TABLES", "SP_DATABASES")):
            return
        elif name in ("SP_CONFIGURE", "SP_RENAME", "SP_ADDLOGIN", "SP_ADDSRVROLEMEMBER", "SP_DROPLOGIN"):
            self.effect(
                "system-config" if name == "SP_CONFIGURE" else "account", name.lower(), "it changes the server", text
            )
        else:
            self.unsure(text, "a procedure whose text can't be seen")

    def _server(self, words: list[Word], text: str) -> None:
        if words[0].upper == "SHUTDOWN" and names_production(self.deeds.invocation):
            self.effect("power", "shutdown-production", "it stops a database that people depend on", text)
            return
        self.effect("service", words[0].text.lower(), "it changes what the server does", text)

    def _kill(self, words: list[Word], text: str) -> None:
        self.effect("kill", "kill", "it ends somebody's connection or query", text)

    def _purge(self, words: list[Word], text: str) -> None:
        self.effect("db-destroy", "purge", "it deletes logs that a recovery may need", text)

    def _restore(self, words: list[Word], text: str) -> None:
        if "REPLACE" in [word.upper for word in words]:
            self.effect("db-destroy", "restore", "it writes over the database that is there", text)
        else:
            self.effect("db-write", "restore", "it brings a backup in", text)

    def _comment(self, words: list[Word], text: str) -> None:
        self.effect("db-schema", "comment", "it changes a description", text, undo="easy")

    def _refresh(self, words: list[Word], text: str) -> None:
        self.effect("db-write", "refresh", "it computes stored rows anew", text, undo="easy")


STATEMENTS = {
    "INSERT": Sql._insert,
    "REPLACE": Sql._insert,
    "UPSERT": Sql._insert,
    "UPDATE": Sql._update,
    "DELETE": Sql._delete,
    "MERGE": Sql._merge,
    "DROP": Sql._drop,
    "REMOVE": Sql._drop,
    "TRUNCATE": Sql._truncate,
    "ALTER": Sql._alter,
    "CREATE": Sql._create,
    "RENAME": Sql._rename,
    "COPY": Sql._copy,
    "LOAD": Sql._load,
    "GRANT": Sql._grant,
    "REVOKE": Sql._grant,
    "DENY": Sql._grant,
    "EXEC": Sql._execute,
    "EXECUTE": Sql._execute,
    "CALL": Sql._execute,
    "DO": Sql._execute,
    "SHUTDOWN": Sql._server,
    "STARTUP": Sql._server,
    "SYSTEM": Sql._server,
    "CHANGE": Sql._server,
    "STOP": Sql._server,
    "INSTALL": Sql._server,
    "KILL": Sql._kill,
    "PURGE": Sql._purge,
    "RESTORE": Sql._restore,
    "BACKUP": Sql._refresh,
    "COMMENT": Sql._comment,
    "REFRESH": Sql._refresh,
    "CLUSTER": Sql._refresh,
    "IMPORT": Sql._merge,
    "BULK": Sql._merge,
    "REASSIGN": Sql._grant,
    "SECURITY": Sql._comment,
    "UNDROP": Sql._refresh,
    "REPAIR": Sql._refresh,
}


def _scratch(deeds: Deeds, client: str) -> bool:
    """Return whether the database is one that is thrown away: in memory, or a file among temporary ones."""
    if client not in ("sqlite3", "sqlite", "duckdb"):
        return False
    operands = deeds.invocation.arguments.operands
    if not operands:
        return client == "duckdb"
    if operands[0].exact in (":memory:", ""):
        return True
    targets = deeds.invocation.evaluator.collector.targets(operands[0], deeds.scope)
    return bool(targets) and all(target.place in FILE_PLACES for target in targets)


def _lifted(word: Word, depth: int) -> Word:
    return Word(word.kind, word.text, word.depth - depth)


def _behind_alter_column(uppers: list[str], at: int) -> bool:
    """Whether this DROP belongs to ALTER COLUMN (`ALTER COLUMN c DROP NOT NULL`)."""
    return at >= 2 and (uppers[at - 2] in ("ALTER", "COLUMN", "MODIFY") and at > 4)


def _object(words: list[Word], behind: tuple[str, ...]) -> str:
    """Return the name that stands behind the last of some words at the front of a statement."""
    found = ""
    for at, word in enumerate(words[:12]):
        if (
            word.upper in behind
            and word.upper
            and at + 1 < len(words)
            and words[at + 1].kind in ("name", "quoted")
            and words[at + 1].upper not in ("IF", "NOT", "EXISTS", "ONLY", "SET", "WHERE")
        ):
            found = words[at + 1].text
            if at + 3 < len(words) and words[at + 2].text == ".":
                found += "." + words[at + 3].text
    return found
