"""Cypher, the language of graph databases: what only matches, changes some nodes, or deletes all of a pattern."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.values import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

WRITES = frozenset(("CREATE", "MERGE", "SET", "REMOVE", "FOREACH"))
ACCOUNTS = frozenset(("USER", "ROLE", "PRIVILEGE"))
SERVER = frozenset(("STOP", "START", "ALTER", "GRANT", "DENY", "REVOKE", "RENAME", "DEALLOCATE", "ENABLE", "DRYRUN"))


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what Cypher statements do; what they print is data of unknown content."""
    deeds = Deeds(invocation, language, remote)
    for statement in statements(text):
        judge(deeds, statement)
    return Stream(None, frozenset(), "nodes of a graph")


def statements(text: str) -> list[list[str]]:
    """Return the words of each statement: strings in their quotes, names, marks; comments are dropped."""
    found: list[list[str]] = []
    words: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            at = len(text) if end < 0 else end + 2
        elif char in "'\"`":
            end = _closing(text, at)
            words.append(text[at:end])
            at = end
        elif char.isalnum() or char in "_$.":
            start = at
            while at < len(text) and (text[at].isalnum() or text[at] in "_$."):
                at += 1
            words.append(text[start:at])
        else:
            if char == ";":
                found.append(words)
                words = []
            elif not char.isspace():
                words.append(char)
            at += 1
    return [one for one in (*found, words) if one]


def _closing(text: str, at: int) -> int:
    quote, at = text[at], at + 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))


def judge(deeds: Deeds, words: list[str]) -> None:
    """Record what one statement does."""
    upper = [word.upper() for word in words]
    shown = " ".join(words)[:100]
    if words[0] == ":" or upper[0] in ("EXPLAIN", "SHOW"):
        return
    for word in words:
        if word[0] in "'\"" and upper[0] == "CALL":
            for inner in statements(word[1:-1]):
                judge(deeds, inner)  # `apoc.periodic.iterate('MATCH ...', 'DETACH DELETE n')`
    if "DROP" in upper:
        _drop(deeds, upper, shown)
    elif "REPLACE" in upper and upper[0] == "CREATE" and "DATABASE" in upper:
        deeds.plain("db-destroy", shown, "replace-database", "what the database holds is gone for good")
    elif "DELETE" in upper:
        _delete(deeds, words, upper, shown)
    elif _sets_all(words, upper):
        deeds.plain("db-destroy", shown, "set-all", "it changes every node that the pattern takes")
    elif not WRITES.isdisjoint(upper) or upper[:2] == ["LOAD", "CSV"]:
        account = upper[0] == "CREATE" and not ACCOUNTS.isdisjoint(upper[1:5])
        deeds.plain("account" if account else "db-write", shown, "write", "it changes the graph")
    elif upper[0] in SERVER:
        deeds.plain("db-schema", shown, upper[0].lower(), "it changes the server or who may use it")


def _drop(deeds: Deeds, upper: list[str], shown: str) -> None:
    if upper[0] == "DROP" and ("DATABASE" in upper[:4] or "GRAPH" in upper[:4]):
        deeds.plain("db-destroy", shown, "drop-database", "what it holds is gone for good")
    else:
        deeds.plain("db-schema", shown, "drop", "it can be made again only from its definition")


def _delete(deeds: Deeds, words: list[str], upper: list[str], shown: str) -> None:
    if narrows(words, upper):
        deeds.plain("db-write", shown, "delete", "it deletes the nodes that match")
    else:
        deeds.plain("db-destroy", shown, "delete-all", "it deletes every node that the pattern takes")


def narrows(words: list[str], upper: list[str]) -> bool:
    """Return whether a condition, a property in the pattern or a limit keeps a statement to some nodes."""
    if "WHERE" in upper and upper[upper.index("WHERE") + 1 : upper.index("WHERE") + 2] != ["TRUE"]:
        return True
    end = next((at for at, word in enumerate(upper) if word in ("DELETE", "SET")), len(words))
    return "LIMIT" in upper or "{" in words[:end]


def _sets_all(words: list[str], upper: list[str]) -> bool:
    """`MATCH (n) SET n.a = 1`: no label and no condition, so every node is changed."""
    if "SET" not in upper or upper[0] != "MATCH" or narrows(words, upper):
        return False
    return ":" not in words[: upper.index("SET")]
