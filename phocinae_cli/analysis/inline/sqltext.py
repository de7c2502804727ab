"""SQL text taken apart: comments dropped, strings and names kept whole, statements and client commands told apart."""

from __future__ import annotations

BACKSLASHED = ("mysql", "mariadb", "clickhouse", "clickhouse-client")
"""Clients whose strings know the backslash as an escape."""


class Word:
    """One token of SQL: `kind` is `name`, `quoted`, `str`, `num` or `op`; `depth` counts the brackets that are open."""

    __slots__ = ("depth", "kind", "text", "upper")

    def __init__(self, kind: str, text: str, depth: int) -> None:
        self.kind = kind
        self.text = text
        self.depth = depth
        self.upper = text.upper() if kind == "name" else ""


class Piece:
    """One statement, or one command of the client itself (`command` is then its whole line)."""

    __slots__ = ("command", "text", "words")

    def __init__(self, words: list[Word], text: str, command: str = "") -> None:
        self.words = words
        self.text = text
        self.command = command


def pieces(text: str, client: str) -> list[Piece]:
    """Return the statements and client commands of a text, in order, as the named client would read them."""
    return _Splitter(text, client).split()


class _Splitter:
    def __init__(self, text: str, client: str) -> None:
        self.text = text
        self.client = client
        self.mysql = client.startswith(("mysql", "maria"))
        self.at = 0
        self.start = 0
        self.depth = 0
        self.words: list[Word] = []
        self.found: list[Piece] = []

    def split(self) -> list[Piece]:
        while self.at < len(self.text):
            char = self.text[self.at]
            if char.isspace():
                self.at += 1
            elif self._command(char) or self._comment(char):
                continue
            elif char == ";":
                self._end()
                self.at += 1
            else:
                self._word(char)
        self._end()
        return self.found

    def _end(self) -> None:
        if self.words:
            self.found.append(Piece(self.words, self.text[self.start : self.at].strip()))
        self.words, self.depth = [], 0
        self.start = self.at + 1

    def _command(self, char: str) -> bool:
        """Commands of the client: `\\!` of psql and mysql, `.shell` of sqlite, `host` of sqlplus."""
        text = self.text
        fresh = not self.words and not text[text.rfind("\n", 0, self.at) + 1 : self.at].strip()
        if char == "\\" and self.at + 1 < len(text):
            end = self._line_end()
            line = text[self.at : end]
            if self.mysql and line[1] in "Gg":
                self._end()
                self.at += 2
                return True
            if line.startswith(("\\g", "\\crosstab", "\\watch", "\\G", "\\parse", "\\bind")) and self.words:
                self.found.append(Piece(list(self.words), text[self.start : self.at].strip()))
                self.words = []
            self.at = end
            self._line(line)
            return True
        opens = (char == "." and self.client in ("sqlite3", "sqlite", "duckdb", "litecli")) or (
            char in "!:@" and self.client in ("sqlcmd", "sqlplus", "sql")
        )
        if (fresh and opens) or (fresh and self._client_word()):
            end = self._line_end()
            line = text[self.at : end]
            self.at = end
            self._line(line)
            return True
        return False

    def _line_end(self) -> int:
        end = self.text.find("\n", self.at)
        return len(self.text) if end < 0 else end

    def _line(self, line: str) -> None:
        self.found.append(Piece([], line.strip(), line.strip().rstrip(";")))
        self.start = self.at

    def _client_word(self) -> bool:
        first = (
            self.text[self.at : self.at + 12].split(None, 1)[0].lower().rstrip(";")
            if self.text[self.at : self.at + 12].strip()
            else ""
        )
        if self.mysql:
            return first in ("system", "source", "tee", "pager", "delimiter", "notee", "nopager", "edit")
        return self.client in ("sqlplus", "sql") and first in ("host", "spool", "start", "ho")

    def _comment(self, char: str) -> bool:
        text = self.text
        if text.startswith("--", self.at) or (char == "#" and self.mysql):
            self.at = self._line_end()
            return True
        if not text.startswith("/*", self.at):
            return False
        if text.startswith(("/*!", "/*+", "/*M!"), self.at) and not text.startswith("/*+", self.at):
            # What stands in /*! ... */ runs on MySQL.
            end = text.find("*/", self.at)
            end = len(text) if end < 0 else end
            inside = text[self.at + 3 : end].lstrip("!0123456789")
            self.text = text = text[: self.at] + " " + inside + " " + text[end + 2 :]
            return True
        depth, at = 1, self.at + 2
        while at < len(text) and depth:
            if text.startswith("*/", at):
                depth -= 1
                at += 2
            elif text.startswith("/*", at) and not self.mysql:
                depth += 1
                at += 2
            else:
                at += 1
        self.at = at
        return True

    def _word(self, char: str) -> None:
        text, start = self.text, self.at
        if char == "'" or (char in "nNxXbBeE" and text.startswith("'", start + 1)):
            escaped = self.client in BACKSLASHED or char in "eE" or self.mysql
            self.at += 0 if char == "'" else 1
            self._add("str", self._quoted("'", escaped))
        elif char == '"':
            self._add("str" if self.mysql else "quoted", self._quoted('"', self.mysql))
        elif char == "`":
            self._add("quoted", self._quoted("`", False))
        elif char == "[" and self.client in ("sqlcmd", "isql", "osql"):
            end = text.find("]", start)
            self.at = len(text) if end < 0 else end + 1
            self._add("quoted", text[start + 1 : self.at - 1])
        elif char == "$" and self._dollar():
            return
        elif char.isalpha() or char == "_" or char in "#@":
            self.at += 1
            while self.at < len(text) and (text[self.at].isalnum() or text[self.at] in "_$#@"):
                self.at += 1
            self._add("name", text[start : self.at])
        elif char.isdigit():
            self.at += 1
            while self.at < len(text) and (text[self.at].isalnum() or text[self.at] == "."):
                self.at += 1
            self._add("num", text[start : self.at])
        else:
            if char == ")":
                self.depth = max(0, self.depth - 1)
            op = text[start : start + 2]
            op = op if op in ("<>", "!=", ">=", "<=", "||", "::", ":=") else char
            self.at += len(op)
            self._add("op", op)
            if char == "(":
                self.depth += 1

    def _add(self, kind: str, text: str) -> None:
        self.words.append(Word(kind, text, self.depth))

    def _quoted(self, mark: str, escaped: bool) -> str:
        text = self.text
        self.at += 1
        done: list[str] = []
        while self.at < len(text):
            char = text[self.at]
            if escaped and char == "\\" and self.at + 1 < len(text):
                done.append(text[self.at + 1])
                self.at += 2
                continue
            if char == mark:
                if not text.startswith(mark, self.at + 1):
                    break
                self.at += 1
            done.append(char)
            self.at += 1
        self.at += 1
        return "".join(done)

    def _dollar(self) -> bool:
        text = self.text
        end = self.at + 1
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        tag = text[self.at : end + 1]
        if not tag.endswith("$") or len(tag) < 2 or tag[1].isdigit():
            return False
        close = text.find(tag, end + 1)
        close = len(text) if close < 0 else close
        body = text[end + 1 : close]
        self.at = close + len(tag)
        self._add("str", body)
        return True
