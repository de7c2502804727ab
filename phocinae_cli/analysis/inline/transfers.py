"""Commands of a file transfer session (sftp, lftp, ftp, smbclient): what goes out, comes in and is deleted there."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import host_of
from phocinae_cli.analysis.inline.deeds import Deeds, is_local
from phocinae_cli.analysis.values import NOTHING, Stream, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

LOOKING = frozenset(
    (
        "ls", "cd", "pwd", "lpwd", "lls", "bye", "quit", "exit", "close", "open", "user", "dir", "nlist", "binary",
        "ascii", "bin", "asc", "passive", "prompt", "set", "progress", "version", "help", "?", "df", "cat", "more",
        "zcat", "less", "status", "verbose", "hash", "cls", "find", "du", "echo", "jobs", "wait", "connect", "timeout",
        "mode", "type", "lcd", "reget-list", "lmkdir", "alias", "debug", "cache", "rels", "renlist", "stat", "recurse",
        "allinfo", "showacls", "volume", "site-help", "epsv", "pasv", "cdup", "remotehelp", "size", "modtime", "system",
    )
)  # fmt: skip
SENDS = frozenset(("put", "mput", "send", "reput", "newer-put", "append"))
FETCHES = frozenset(("get", "mget", "recv", "reget", "pget", "get1", "newer"))
DELETES = frozenset(("rm", "delete", "del", "mdelete", "mrm", "rmdir", "deltree", "unlink", "glob-rm", "rrm"))
CHANGES = frozenset(
    ("rename", "mv", "chmod", "chown", "chgrp", "ln", "symlink", "mkdir", "md", "rd", "mmv", "quote", "site", "umask")
)
PREFIXES = frozenset(("glob", "queue", "repeat", "command", "local", "edit"))
OPTIONS_WITH_VALUE = ("-o", "-O", "-n", "-x", "-i", "-X", "-I", "--exclude", "--include", "-P", "--parallel", "-c")


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what the commands of a session do; one that nobody knows changes something there."""
    deeds = Deeds(invocation, invocation.name, remote)
    reader = Transfer(deeds)
    for line in _statements(text):
        reader.do(line)
    return Stream(None, NOTHING, "the course of a session")


def _statements(text: str) -> list[list[str]]:
    """Return the words of each command: one a line, or between `;` and `&&`; `!` takes its whole line."""
    found: list[list[str]] = []
    for line in text.split("\n"):
        line = line.strip().lstrip("-@").lstrip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("!"):
            found.append(["!", line[1:].strip()])
            continue
        words: list[str] = []
        for word in _words(line):
            if word in (";", "&&", "||", "&"):
                found.append(words)
                words = []
            else:
                words.append(word)
        found.append(words)
    return [words for words in found if words]


def _words(line: str) -> list[str]:
    words: list[str] = []
    word, quote, started = "", "", False
    for char in line + " ":
        if quote:
            word, quote = (word, "") if char == quote else (word + char, quote)
        elif char in "\"'":
            quote, started = char, True
        elif char.isspace() or char == ";":
            if word or started:
                words.append(word)
            word, started = "", False
            if char == ";":
                words.append(";")
        else:
            word += char
    return words + ([word] if word.strip() else [])


class Transfer:
    """One session; `host` is the machine at the other end."""

    def __init__(self, deeds: Deeds) -> None:
        self.deeds = deeds
        self.host = next(
            (value for value in deeds.invocation.arguments.operands if host_of(value.text)),
            next(iter(deeds.invocation.arguments.operands), known("the server")),
        )

    def do(self, words: list[str]) -> None:
        """Record one command."""
        verb, rest = words[0].lower(), words[1:]
        if verb == "!":
            if rest[0]:
                self.deeds.shell(known(rest[0]))
        elif verb in PREFIXES:
            if rest:
                self.do(rest)
        elif verb == "mirror":
            self._mirror(rest)
        elif verb in SENDS:
            self._send(verb, _operands(rest))
        elif verb in FETCHES:
            self._fetch(verb, rest)
        elif verb in DELETES:
            self._delete(verb, rest)
        elif verb in ("open", "connect") and rest:
            self.host = known(_operands(rest)[-1] if _operands(rest) else rest[-1])
        elif verb == "lcd" and rest:
            self.deeds.scope.cwd = self.deeds.scope.resolve(self._local(rest[-1]).text)
        elif verb in LOOKING:
            return
        else:
            why = "changes something on another machine" if verb in CHANGES else "nobody has described this command"
            self._change("cloud-change", " ".join(words), "change", why)

    def _change(self, kind: str, text: str, what: str, why: str) -> None:
        if not is_local(self.host):
            self.deeds.plain(kind, text, what, why)

    def _local(self, text: str) -> Value:
        return known(self.deeds.scope.home + text[1:] if text == "~" or text.startswith("~/") else text)

    def _send(self, verb: str, operands: list[str]) -> None:
        several = verb == "mput" or self.deeds.language == "lftp"
        for text in operands if several else operands[:1]:
            value = self._local(text)
            taint = self.deeds.read(Value(value.parts, "*" in text, value.taint)).taint
            self.deeds.send(self.host, [Value(value.parts, False, taint)], "upload")

    def _fetch(self, verb: str, rest: list[str]) -> None:
        """A download replaces the file of that name; where it was not named, it is a new file here."""
        operands = _operands(rest)
        target = rest[rest.index("-o") + 1] if "-o" in rest[:-1] else ""
        if not target and len(operands) > 1 and verb in ("get", "recv", "reget") and self.deeds.language != "lftp":
            target = operands[1]
        if target and target not in (".", "./"):
            content = Stream(None, frozenset(("network",)), "what was downloaded")
            self.deeds.write(self._local(target), content=content, what="download")

    def _delete(self, verb: str, rest: list[str]) -> None:
        text = " ".join(_operands(rest)) or verb
        wide = "*" in text or verb in ("deltree", "rrm") or any(word[:1] == "-" and "r" in word for word in rest)
        if wide:
            self._change("cloud-destroy", text, "remote-delete-all", "deletes many things on another machine")
        else:
            self._change("cloud-change", text, "remote-delete", "deletes something on another machine")

    def _mirror(self, rest: list[str]) -> None:
        operands = _operands(rest)
        deleting = any(word in ("--delete", "-e", "--delete-first") or _short(word, "e") for word in rest)
        if any(word in ("-R", "--reverse") or _short(word, "R") for word in rest):
            if deleting:
                why = "deletes on the other side what is missing here"
                self._change("cloud-destroy", " ".join(operands), "mirror", why)
            self._send("put", operands[:1] or ["."])
        elif deleting and operands:
            why = "deletes here what is missing on the other side"
            self.deeds.path("delete", self._local(operands[-1]), True, "mirror", why)
        elif len(operands) > 1:
            self.deeds.path("create", self._local(operands[1]), True, "mirror", "downloads into it")


def _short(word: str, letter: str) -> bool:
    return word[:1] == "-" and word[1:2] != "-" and letter in word


def _operands(words: list[str]) -> list[str]:
    found: list[str] = []
    owned = False
    for word in words:
        if owned:
            owned = False
        elif word.startswith("-") and len(word) > 1:
            owned = word in OPTIONS_WITH_VALUE
        else:
            found.append(word)
    return found
