"""What code of any language does, recorded as effects of the command that runs it: the readers' common vocabulary."""

from __future__ import annotations

from phocinae_cli.analysis import outputs, runs, sending
from phocinae_cli.analysis.hosts import all_local, host_of
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Unknown, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

NETWORK = frozenset(("network",))
ENVIRONMENT = frozenset(("environment",))
SECRET = frozenset(("secret",))
SENSITIVE = frozenset(("secret", "environment", "dump"))


class Deeds:
    """The doings of one text of code: each method records one kind, by the same rules as a shell command's.

    `scope` is the state that the code sees and may change (its directory); `printed` what it has printed so far;
    `taken` what sensitive data it has read, `peer` the other machine it writes to, `asked` one that it reads from.
    """

    __slots__ = ("asked", "invocation", "language", "peer", "printed", "remote", "scope", "sent", "taken")

    def __init__(self, invocation: Invocation, language: str, remote: bool) -> None:
        self.invocation = invocation
        self.language = language
        self.remote = remote
        self.scope = invocation.scope.elsewhere() if remote else invocation.scope.child()
        self.printed = EMPTY
        self.taken = NOTHING
        self.peer: Value | None = None
        self.asked = False
        self.sent = False

    # --- files -----------------------------------------------------------------------------------------------

    def delete(self, value: Value, recursive: bool = False, what: str = "delete") -> None:
        """Record that a path is deleted, with everything below it if `recursive`."""
        why = "the code removes it with everything below" if recursive else "the code removes it for good"
        self.path("delete", value, recursive, what, why)

    def write(self, value: Value, append: bool = False, content: Stream | None = None, what: str = "") -> None:
        """Record that a file is written over or added to; `content` is what stands there afterwards."""
        kind = "append" if append else "overwrite"
        why = "the code adds to it" if append else "the code empties it before anything is written"
        self.path(kind, value, False, what or kind, why)
        path = self.scope.resolve(value.text) if value.known else None
        if path is not None and path != "/dev/null":
            self.scope.files[path] = (
                content if content is not None else Stream(None, NOTHING, f"what {self.language} wrote")
            )

    def path(self, kind: str, value: Value, recursive: bool, what: str, why: str) -> None:
        """Record an effect of any kind on a path."""
        self.invocation.evaluator.collector.path_effect(
            kind, value, self.scope, self.invocation.action, recursive, code=f"{self.language}.{what}", why=why
        )

    def read(self, value: Value) -> Value:
        """Return the content of a file as a value, known where the line itself wrote it."""
        stream = self.invocation.evaluator.collector.content(value, self.scope)
        self.taken |= stream.taint & SENSITIVE
        if stream.text is not None:
            return known(stream.text, stream.taint)
        return unknown(stream.why, stream.taint)

    # --- commands and code -------------------------------------------------------------------------------------

    def shell(self, value: Value, stdin: Stream = EMPTY) -> Value:
        """Judge a text that the code gives to a shell; return what that would print."""
        text = value.exact
        if text is None or "network" in value.taint:
            return self._inside(lambda: runs.code_of_value(self.invocation, "sh", value, self.remote, ()))
        scope = self.scope if self.remote else self.scope.child()
        return self._inside(lambda: self.invocation.run_text(text, scope, stdin=stdin))

    def argv(self, words: list[Value], stdin: Stream = EMPTY) -> Value:
        """Judge an argv that the code starts; return what that would print."""
        if not words:
            return unknown("the output of nothing")
        return self._inside(lambda: self.invocation.run(tuple(words), scope=self.scope, stdin=stdin))

    def code(self, language: str, value: Value) -> Value:
        """Judge a text as code of another language (`sql`, `python` ...)."""
        return self._inside(lambda: runs.code_of_value(self.invocation, language, value, self.remote, ()))

    def script(self, language: str, value: Value) -> Value:
        """Judge a file of code that this code loads."""
        from phocinae_cli.analysis import scripts

        return self._inside(lambda: scripts.run_file(self.invocation, language, value, ()))

    def _inside(self, action: object) -> Value:
        before, self.invocation.scope = self.invocation.scope, self.scope
        try:
            stream: Stream = action()  # type: ignore[operator]
        finally:
            self.invocation.scope = before
        self.taken |= stream.taint & SENSITIVE
        if stream.text is not None:
            return known(stream.text, stream.taint)
        return unknown(stream.why or "the output of a command", stream.taint)

    def foreign(self, value: Value, what: str) -> None:
        """Record that a text nobody can see here is run as code: the network's is destructive."""
        runs.unseen(self.invocation, Stream(None, value.taint, value.unknown_why() or what), what)

    def unsure(self, what: str, why: str) -> None:
        """Record that part of the code does something that can't be told."""
        self.invocation.effect("run-unknown-code", what, f"{self.language}.unclear", why, certain=False)

    # --- the network -------------------------------------------------------------------------------------------

    def send(self, host: Value, data: list[Value], what: str = "send") -> None:
        """Record that data goes to another machine; nothing is recorded when there is no data."""
        if not data:
            return
        taint, plain = NOTHING, True
        for value in data:
            taint |= value.taint | self._named_secret(value)
            plain = plain and value.known
        place = sending.data_place(taint, plain)
        if is_local(host):
            place = "local"
        else:
            self.peer = host
            self.sent = self.sent or place in SENSITIVE
        text = " ".join(value.text for value in data)[:120]
        why = "it goes to another machine"
        self.invocation.effect("send", text, f"{self.language}.{what}", why, place=place)

    def _named_secret(self, value: Value) -> frozenset[str]:
        for part in value.parts:
            if isinstance(part, Unknown) and sending.looks_secret(part.why):
                return SECRET
        return NOTHING

    def fetch(self, url: Value) -> Value:
        """Return what another machine answers; a secret in the address is sent there."""
        if url.taint & {"secret", "environment", "dump", "private"} or self._named_secret(url):
            self.send(url, [url])
        if not is_local(url):
            self.asked = True
            if not url.known:
                self.peer = url  # an address that is put together may carry something
        return unknown(f"what {url.text} answers", NOTHING if is_local(url) else NETWORK)

    def reach(self, host: Value) -> None:
        """Note that the code may write to another machine from here on."""
        if not is_local(host):
            self.peer = host

    def settle(self) -> None:
        """Record what was read and can only have gone to the other machine, where no call told it apart."""
        if self.peer is not None and self.taken and not self.sent:
            self.send(self.peer, [unknown("what the code has read", self.taken)])

    def request(self, method: str, url: Value, bodies: list[Value] | None = None) -> None:
        """Record what a request does to the data store, forge or server that it goes to."""
        from phocinae_cli.analysis import web_requests

        web_requests.judge(self.invocation, method, url, bodies or [])

    def listen(self, what: str) -> None:
        """Record that a port is opened."""
        self.invocation.effect("listen", what, f"{self.language}.listen", "others can connect to it")

    def remote_shell(self) -> None:
        """Record that a shell is handed to whoever stands at the other end of a connection."""
        why = "whoever is at the other end gets a shell here"
        self.invocation.effect("remote-shell", "a connection", f"{self.language}.remote-shell", why)

    def plain(self, kind: str, text: str, what: str, why: str) -> None:
        """Record an effect on something that is neither a path nor data."""
        self.invocation.effect(kind, text, f"{self.language}.{what}", why)

    # --- what it prints ------------------------------------------------------------------------------------------

    def print(self, value: Value, end: str = "\n") -> None:
        """Note what is printed; a secret on the screen is shown."""
        text = value.exact
        self.printed = self.printed.joined(
            Stream(None if text is None else text + end, value.taint, value.unknown_why())
        )
        if "secret" in value.taint:
            why = "whoever reads the output reads the secret"
            self.invocation.effect("show-secret", value.text, "secret.shown", why)

    def output(self, sure: bool = True) -> Stream:
        """Return what the code prints in all; `sure` says that every print was seen, and in order."""
        if sure and self.printed is not EMPTY and self.printed.text is not None:
            return self.printed
        taint = self.printed.taint | outputs.input_taint(self.invocation)
        return Stream(None, taint, f"the output of {self.language} code")

    def arguments(self) -> list[Value]:
        """Return the words behind the code: its arguments."""
        arguments = self.invocation.arguments
        given = any(
            name in ("-c", "-e", "-E", "-r", "-p", "-ne", "--eval", "--print", "--command", "--run")
            for name, _ in arguments.flags
        )
        return list(arguments.operands) if given else list(arguments.operands[1:])


def is_local(host: Value) -> bool:
    """Return whether a host or URL is this machine."""
    return bool(host_of(host.text)) and all_local([host])


def joined(values: list[Value]) -> Value:
    """Return values written one behind the other."""
    parts: list[str | Unknown] = []
    taint = NOTHING
    globs = False
    for value in values:
        taint |= value.taint
        globs = globs or value.globs
        for part in value.parts:
            if parts and isinstance(part, str) and isinstance(parts[-1], str):
                parts[-1] += part
            else:
                parts.append(part)
    return Value(tuple(parts) or ("",), globs, taint)


def strongest(values: list[Value]) -> frozenset[str]:
    """Return the taint of all of the values together."""
    taint = NOTHING
    for value in values:
        taint |= value.taint
    return taint
