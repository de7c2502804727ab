"""What a line has set so far: variables, directory, functions, aliases, files it wrote. A subshell gets a copy."""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise, whereabouts
from phocinae_cli.analysis.values import NOTHING, Stream, Unknown, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from phocinae_cli.analysis.syntax import CommandSub, Node, ProcessSub
    from phocinae_cli.core.request import Request

Fields = tuple[Value, ...]


class Body:
    """A function's body, with the text its spans point into and the file it was read from, if any."""

    __slots__ = ("node", "place", "text")

    def __init__(self, node: Node, text: str, place: str) -> None:
        self.node = node
        self.text = text
        self.place = place


class Scope:
    """The state of one shell process, as far as the line determines it.

    `variables` maps a name to its alternatives, each a tuple of values (one for a scalar); `env` is what the
    caller gave; `positional` the arguments, None when they are not known; `files` maps a path written on this
    line to what was written; `cwd` is None once it is no longer known, `lost` then where the shell is if the variable
    that was to lead it somewhere is empty; `where` classifies paths. `mounts` are pairs of a directory and the one
    that it shows (in a container one of this machine), and `host` classifies paths of this machine.
    `machine` is how another machine or a container was named, empty for this one; `moved` that the line changed the
    directory.
    """

    __slots__ = (
        "aliases", "cwd", "env", "exported", "files", "functions", "home", "host", "ifs", "lost", "machine", "mounts",
        "moved", "name", "oldpwd", "on_process", "on_substitute", "positional", "user", "variables", "where", "zsh",
    )  # fmt: skip

    def __init__(self, request: Request) -> None:
        self.variables: dict[str, list[Fields]] = {}
        self.env = request.env
        self.exported: frozenset[str] = NOTHING
        self.functions: dict[str, Body] = {}
        self.aliases: dict[str, str] = dict(request.aliases) if request.aliases else {}
        self.files: dict[str, Stream] = {}
        self.cwd: str | None = request.cwd
        self.oldpwd: str | None = None
        self.lost: str | None = None
        self.home = request.home.rstrip("/") or "/root"
        self.user = request.user
        self.positional: Fields | None = None
        self.name = "shell"
        self.ifs = " \t\n"
        self.zsh = request.shell == "zsh"
        self.where = self.host = whereabouts(request.cwd, self.home)
        self.mounts: tuple[tuple[str, str], ...] = ()
        self.machine = ""
        self.moved = False
        self.on_substitute: Callable[[CommandSub, Scope], Value] = _no_substitute
        self.on_process: Callable[[ProcessSub, Scope], Value] = _no_substitute

    def copy(self) -> Scope:
        """Return the scope of a subshell: changes there stay there, files written are seen by all."""
        twin = Scope.__new__(Scope)
        twin.variables = self.variables.copy()
        twin.functions = self.functions.copy()
        twin.aliases = self.aliases.copy()
        twin.env, twin.exported, twin.files = self.env, self.exported, self.files
        twin.cwd, twin.oldpwd, twin.home, twin.user = self.cwd, self.oldpwd, self.home, self.user
        twin.lost = self.lost
        twin.positional, twin.name, twin.ifs, twin.zsh = self.positional, self.name, self.ifs, self.zsh
        twin.where, twin.on_substitute, twin.on_process = self.where, self.on_substitute, self.on_process
        twin.host, twin.mounts, twin.machine, twin.moved = self.host, self.mounts, self.machine, self.moved
        return twin

    def child(self) -> Scope:
        """Return the scope of a program started from here: only exported variables, no functions or aliases."""
        twin = self.copy()
        twin.variables = {
            name: value for name, value in self.variables.items() if name in self.exported or name in self.env
        }
        twin.functions = {}
        twin.aliases = {}
        twin.positional = ()
        twin.ifs = " \t\n"
        return twin

    def elsewhere(self) -> Scope:
        """Return the scope of a shell on another machine or in a container: nothing from here is known there."""
        twin = self.copy()
        twin.variables, twin.functions, twin.aliases, twin.env = {}, {}, {}, {}
        twin.home, twin.user, twin.cwd, twin.lost = "/home/remote", "remote", "/home/remote", None
        twin.host = self.where
        twin.where = whereabouts("", twin.home)
        twin.mounts, twin.moved = (), False
        twin.positional = ()
        return twin

    def place(self, path: str) -> str:
        """Return the place of an absolute, normalised path; where something is mounted that of what it shows."""
        if self.mounts:
            from phocinae_cli.analysis.mounts import on_host

            outside = on_host(path, self.mounts)
            if outside is not None:
                return self.host.place(outside) if outside.startswith("/") else "remote"
        return self.where.place(path)

    def substitute(self, part: CommandSub) -> Value:
        """Return what a command substitution gives; its commands are judged on the way."""
        return self.on_substitute(part, self)

    def process(self, part: ProcessSub) -> Value:
        """Return the path that stands for a process substitution; its commands are judged on the way."""
        return self.on_process(part, self)

    def variable(self, name: str) -> list[Fields]:
        """Return the alternatives of a variable: what the line set, else what the caller gave, else Unknown."""
        found = self.variables.get(name)
        if found is not None:
            return found
        if name == "HOME":
            return [(known(self.home),)]
        if name == "PWD":
            return [(known(self.cwd) if self.cwd is not None else unknown("the directory", may_be_empty=False),)]
        if name == "IFS":
            return [(known(self.ifs),)]
        if name == "OLDPWD" and self.oldpwd is not None:
            return [(known(self.oldpwd),)]
        given = self.env.get(name)
        if given is not None:
            return [(known(given),)]
        return [(_standard(name, self),)]

    def argument(self, number: int) -> Value:
        """Return a positional parameter; `$0` is the shell's name."""
        if number == 0:
            return known(self.name)
        if self.positional is None:
            return unknown(f"argument {number}")
        return self.positional[number - 1] if number <= len(self.positional) else known("")

    def assign(self, name: str, alternatives: Sequence[Fields]) -> None:
        """Give a variable its alternatives."""
        self.variables[name] = list(alternatives)
        if name == "IFS":
            text = alternatives[0][0].exact if alternatives and alternatives[0] else None
            self.ifs = text if text is not None else " \t\n"
        elif name == "HOME" and len(alternatives) == 1 and alternatives[0]:
            text = alternatives[0][0].exact
            self.home = text.rstrip("/") or "/" if text is not None else self.home

    def merge(self, others: list[Scope]) -> None:
        """Take up what branches may have set: a variable then has the alternatives of every branch."""
        for other in others:
            for name, alternatives in other.variables.items():
                mine = self.variables.get(name)
                if mine is alternatives:
                    continue
                if mine is None:
                    mine = self.variable(name)
                self.variables[name] = [*mine, *(choice for choice in alternatives if choice not in mine)]
            self.functions.update(other.functions)
            self.aliases.update(other.aliases)
            self.exported |= other.exported
            if other.cwd != self.cwd:
                self.cwd, self.lost = other.cwd, other.lost

    def resolve(self, path: str) -> str | None:
        """Return an absolute, normalised path, or None when the directory is not known."""
        return normalise(path, self.cwd)


CI_FILES = frozenset(
    ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_STATE", "RUNNER_TEMP")
)


def _standard(name: str, scope: Scope) -> Value:
    if name in ("USER", "LOGNAME"):
        return known(scope.user)
    if name == "TMPDIR":
        return known("/tmp")
    if name == "SHELL":
        return known("/bin/bash")
    if name == "TERM":
        return known("xterm")
    if name in CI_FILES:
        return known(f"/tmp/ci/{name}")  # a CI runner's own scratch files
    if name == "PATH":
        return Value((Unknown("the search path", False),))
    return unknown(f"parameter {name}")


def _no_substitute(_part: object, _scope: Scope) -> Value:
    return unknown("a substitution")
