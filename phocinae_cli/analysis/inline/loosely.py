"""Code of languages without a reader of their own (Lisp, Tcl, AppleScript, Elixir, Java and their kind), read loosely.

What its text plainly says counts: a command given to whatever starts processes, a path that is deleted or written, a
shell wired to a connection, a secret that is sent. The rest stays unsure, unless nothing but printing is left.
"""

from __future__ import annotations

from phocinae_cli.analysis.hosts import host_of, is_local
from phocinae_cli.analysis.inline import loosetables as tables
from phocinae_cli.analysis.inline.deeds import NETWORK, Deeds, joined
from phocinae_cli.analysis.inline.loosetokens import Piece, argument, closing, last_part, pieces
from phocinae_cli.analysis.paths import normalise
from phocinae_cli.analysis.values import NOTHING, Stream, Unknown, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "cmd", "cmd.exe", "powershell", "pwsh"))
MAX_PIECES = 20000
TCL = (("{", "'"), ("}", "'"), ("$env(HOME)", "$HOME"), ("$::env(HOME)", "$HOME"), ("[file normalize ", ""), ("]", ""))
"""How Tcl writes what a shell writes otherwise."""


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what a text plainly does, and that the rest of it can't be told."""
    deeds = Deeds(invocation, "code", remote)
    found = pieces(text)
    if len(found) <= MAX_PIECES:
        collector = invocation.evaluator.collector
        before = len(collector.effects)
        reader = Loose(deeds, text, found)
        reader.walk()
        kept = [effect for effect in collector.effects[before:] if effect.certain and effect.kind != "unknown"]
        told = reader.all_told() and len(kept) == len(collector.effects) - before
        collector.effects[before:] = kept
        if told or language == "loose":
            return deeds.output(sure=False)
    if text.strip():
        invocation.effect(
            "run-unknown-code", text, "code.unread-language", "nobody reads this language here", certain=False
        )
    return Stream(None, NOTHING, "the output of code")


class Loose:
    """Walks the pieces of a text once, call by call; `names` are all names in it, by their last part."""

    def __init__(self, deeds: Deeds, text: str, found: list[Piece]) -> None:
        self.deeds = deeds
        self.text = text
        self.pieces = found
        self.names = {last_part(piece.text) for piece in found if piece.kind == "name"}
        self.strings = [piece.text for piece in found if piece.kind in ("str", "cmd")]
        self.strange = self._other_machine()
        self.started = False

    def all_told(self) -> bool:
        """Return whether every name computes, prints or was judged, and no command is put together elsewhere."""
        left = self.names - tables.PURE - tables.JUDGED
        return not self.started and all(len(name) == 1 for name in left)

    def walk(self) -> None:
        """Record every call whose name says that it reaches outside."""
        at = 0
        while at < len(self.pieces):
            at = self._step(at)
        self._network()

    def _step(self, at: int) -> int:
        piece = self.pieces[at]
        if piece.kind == "op" and piece.text == "!" and at:
            self._behind_text(at - 1)
        elif piece.kind == "op" and piece.text == "!":
            self._judge(known(self.text.strip()[1:].strip()))
            return len(self.pieces)
        if piece.kind != "name":
            return at + 1
        name = last_part(piece.text)
        if name == "script" and at and self.pieces[at - 1].text.lower() in ("shell", "do"):
            return self._start(at, "shell-script")
        if name == "execute" and at > 1 and self.pieces[at - 1].text == ".":
            self._behind_text(at - 2)
        elif name in tables.STARTERS or (name == "open" and self._piped(at)):
            return self._start(at, name)
        elif name == "file" and self._word(at + 1) == "delete":
            self._delete(at + 1, True)
            return at + 2
        elif name in tables.DELETES_TREE or name in tables.DELETES:
            self._delete(at, name in tables.DELETES_TREE)
        elif name in tables.WRITES:
            self._write(at)
        return at + 1

    def _piped(self, at: int) -> bool:
        """`open "|command"` of Tcl and Perl's kin."""
        return at + 1 < len(self.pieces) and self.pieces[at + 1].text.startswith("|")

    def _word(self, at: int) -> str:
        return self.pieces[at].text.lower() if at < len(self.pieces) and self.pieces[at].kind == "name" else ""

    # --- commands ------------------------------------------------------------------------------------------------

    def _behind_text(self, at: int) -> None:
        """`"ls -l".execute()`, `"ls -l" !`: the command stands in front."""
        if self.pieces[at].kind == "op" and self.pieces[at].text == "." and at:
            at -= 1
        piece = self.pieces[at]
        if piece.kind == "str":
            self._command([known(piece.text)])
        elif piece.text == "]":
            start = at
            while start and self.pieces[start].text != "[":
                start -= 1
            self._command([known(one.text) for one in self.pieces[start:at] if one.kind == "str"])

    def _start(self, at: int, name: str) -> int:
        """Judge what is started; return the place from where on the text is still to be read."""
        first, end = argument(self.pieces, at)
        inside = self.pieces[first:end]
        bare = (
            (name in ("exec", "spawn") or (name == "shell" and at == 0))
            and first == at + 1
            and (at == 0 or self.pieces[at - 1].text != "(")
        )
        if bare and inside and inside[0].kind == "name":
            raw = self.text[inside[0].start : inside[-1].end]
            for mark, plain in TCL:
                raw = raw.replace(mark, plain)
            self._judge(known(raw))
            self.started = self.started or "$" in raw.replace("$HOME", "")
            return end
        for piece in inside:
            if piece.kind == "cmd":
                self._judge(known(piece.text))
        words = [self._at_home(value) for value in self._values(inside)]
        if words and words[0].head().startswith("|"):
            words[0] = words[0].cut(1)
        if name in tables.NAMED_FIRST:
            self._command(words[2:])
            words = words[1:]
        self._command(words)
        if not words and not bare:
            self.started = True  # what is run is put together elsewhere
        return at + 1

    def _command(self, words: list[Value]) -> None:
        if not words:
            return
        head = words[0].head()
        if " " in head.strip() or (len(words) == 1 and not words[0].known):
            self._judge(words[0])
            return
        if head.rpartition("/")[2].lower() in SHELLS:
            self.started = self.started or len(words) < 3 or not words[2].known
        self.deeds.argv(words)

    def _judge(self, value: Value) -> None:
        if not value.known:
            self.started = True
        if value.head().strip():
            self.deeds.shell(value)

    # --- files ---------------------------------------------------------------------------------------------------

    def _delete(self, at: int, recursive: bool) -> None:
        first, end = argument(self.pieces, at)
        inside = self.pieces[first:end]
        words = {last_part(piece.text) for piece in inside if piece.kind == "name"}
        for value in self._paths(at, inside):
            self.deeds.delete(value, recursive or "recursive" in words or "-force" in self.text)

    def _write(self, at: int) -> None:
        first, end = argument(self.pieces, at)
        for value in self._paths(at, self.pieces[first:end])[:3]:
            if looks_like_path(value):
                self.deeds.write(value, append="append" in self.text)

    def _paths(self, at: int, inside: list[Piece]) -> list[Value]:
        found = [self._at_home(value) for value in self._values(inside) if value.head() not in ("", "-force", "--")]
        if found:
            return found
        bare = self.text[inside[0].start : inside[-1].end].replace("$env(HOME)", "~").split() if inside else []
        found = [self._at_home(known(word)) for word in bare if looks_like_path(known(word))]
        if found:
            return found
        variables = [piece.text for piece in inside if piece.kind == "name"][:2]
        if not inside and at > 1 and self.pieces[at - 1].text == ".":  # `new File("x").deleteDir()`
            start = at - 2
            while start > 0 and self.pieces[start].kind != "str":
                start -= 1
            return [self._at_home(value) for value in self._values(self.pieces[max(start - 6, 0) : at])][-1:]
        for number, piece in enumerate(self.pieces[:at]):
            if piece.kind == "name" and piece.text in variables:
                return [
                    self._at_home(value) for value in self._values(self.pieces[number:at]) if looks_like_path(value)
                ]
        return []

    def _at_home(self, value: Value) -> Value:
        if value.head() == "~" or value.head().startswith("~/"):
            return joined([known(self.deeds.scope.home), value.cut(1)])
        return value

    # --- texts ---------------------------------------------------------------------------------------------------

    def _values(self, inside: list[Piece]) -> list[Value]:
        """Return the texts in a call: what is put together with an operator or joined as a path is one."""
        found: list[list[Value]] = []
        joining = -1
        glued = False
        for at, piece in enumerate(inside):
            if joining >= 0 and at >= joining:
                joining, glued = -1, False
            value = self._one(inside, at)
            if value is not None:
                if found and glued:
                    slash = joining >= 0 and not value.head().startswith("/") and not found[-1][-1].text.endswith("/")
                    found[-1].extend([known("/"), value] if slash else [value])
                else:
                    found.append([value])
                glued = joining >= 0
            elif piece.kind == "op" and piece.text in tables.CONCATS and found:
                glued = True
            elif piece.kind == "name" and last_part(piece.text) in tables.JOINS and joining < 0:
                joining = closing(inside, at)
                glued = glued and bool(found)
            elif piece.kind == "name" and piece.text in tables.BETWEEN:
                continue
            elif piece.kind == "name" and glued and found and joining < 0:
                found[-1].append(unknown(piece.text))
                glued = False
        return [self._swapped(joined(values)) for values in found]

    def _swapped(self, value: Value) -> Value:
        """`(expand-file-name "x" "~")` names the folder last."""
        head, tilde, rest = value.text.partition("/~")
        return known(f"~/{head}") if value.known and tilde and not rest and not head.startswith(("/", "~")) else value

    def _one(self, inside: list[Piece], at: int) -> Value | None:
        piece = inside[at]
        if piece.kind == "str":
            if piece.text in tables.HOME_NAMES:
                return known(self.deeds.scope.home)
            return self._filled(piece.text)
        if piece.kind == "name":
            name = last_part(piece.text)
            if name in tables.HOMES or piece.text.endswith("env.HOME") or piece.text == "HOME":
                return known(self.deeds.scope.home)
            if name in tables.FOLDERS and self.deeds.scope.cwd is not None:
                return known(self.deeds.scope.cwd)
        return None

    def _filled(self, text: str) -> Value:
        """Return a string with what is filled into it unknown, but for the home directory."""
        parts: list[str | Unknown] = []
        while text:
            spots = [(text.find(mark), mark) for mark in ("#{", "${", "$(", "$env(") if mark in text]
            if not spots:
                parts.append(text)
                break
            spot, mark = min(spots)
            end = text.find(")" if mark.endswith("(") else "}", spot)
            if end < 0 or mark == "$(":
                parts.append(text)
                break
            code = text[spot + len(mark) : end + 1].lower()
            home = any(word in code for word in ("home", "user.home"))
            parts.extend([text[:spot], self.deeds.scope.home if home else Unknown(code[:-1])])
            text = text[end + 1 :].lstrip(")}") if code.count("(") else text[end + 1 :]
        return joined([Value((part,)) for part in parts if part != ""] or [known("")])

    # --- the network ---------------------------------------------------------------------------------------------

    def _other_machine(self) -> str:
        """Return the first other machine that the text names, or an empty text."""
        for word in (*self.strings, *self.text.replace('"', " ").replace("'", " ").split()):
            host = host_of(word.strip("[](){},;"))
            if host and not is_local(host) and ("." in host or ":" in host):
                return host
        return ""

    def _network(self) -> None:
        wired = bool(self.names & tables.CONNECTS) and not self._all_local()
        if wired and self.started:
            self.deeds.remote_shell()
        if not self.strange:
            return
        web = any("://" in text for text in self.strings) or "http" in self.text
        if web and self.names & tables.FETCHES and (self.names & tables.EVALS or self.started):
            self.deeds.foreign(Value((Unknown("what another machine answers"),), False, NETWORK), self.strange)
        if self.names & tables.SENDS:
            self._sent()

    def _all_local(self) -> bool:
        return not self.strange and any(word in self.text for word in ("localhost", "127.0.0.1"))

    def _sent(self) -> None:
        carried: list[Value] = []
        for text in self._values(self.pieces):
            value = self._at_home(text)
            if looks_like_path(value) and value.known and normalise(value.text, self.deeds.scope.cwd) is not None:
                carried.append(self.deeds.read(value))
        if "process-environment" in self.names or "system.getenv()" in self.text.lower() or "get_env()" in self.text:
            carried.append(unknown("the environment", frozenset(("environment",))))
        if any(value.taint & {"secret", "environment", "private"} for value in carried):
            self.deeds.send(known(self.strange), carried)


def looks_like_path(value: Value) -> bool:
    """Return whether a text is meant as a path rather than as words."""
    head = value.head()
    return head.startswith(("/", "~", "./", "../", ".env", ".git", ".ssh")) and " " not in head and "://" not in head
