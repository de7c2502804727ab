"""Gather what a walk finds: actions, effects, and the questions for the machine; place every target."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import is_local
from phocinae_cli.analysis.paths import ALWAYS_DISPOSABLE, normalise, reads_as_secret
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Unknown, Value
from phocinae_cli.core.effects import Action, Effect, Target
from phocinae_cli.kb.schema import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.analysis.syntax import Fault, Sequence
    from phocinae_cli.core.queries import Facts, PathFact, Query, TextFact
    from phocinae_cli.core.request import Request
    from phocinae_cli.kb.lookup import Knowledge

LOOKED_UP = frozenset(
    (
        "delete",
        "scramble",
        "overwrite",
        "create",
        "write",
        "move",
        "permissions",
        "open-to-all",
        "owner",
        "link",
        "write-disk",
    )
)
"""Kinds whose verdict can turn on what really lies at the path."""
NEVER_LOOKED_UP = frozenset(
    (
        "root", "home", "system", "disk", "device", "stream", "network", "temp-root", "rc", "log", "access", "vital",
    )
)  # fmt: skip
"""Places that matter whether or not something lies there now."""
EVERYTHING = ("*", ".*", "**", ".[!.]*", ".[^.]*", ".??*", "*.*", "**/*", "{*,.*}")
NOWHERE = frozenset(("elsewhere", "project", "disposable", "temp"))
SETTINGS = frozenset(("system", "system-local", "vital", "startup", "secret", "access"))
"""Places where settings of the system lie."""
SETTING_KINDS = frozenset(("write", "link", "create", "delete", "scramble", "move", "overwrite"))
MAX_QUERIES = 64
ACCOUNTS = "accounts"
"""The mark of what lists the accounts of a machine: a path in there is somebody's home."""
PID_OF = "pid:"
"""The mark of a process number: what follows is the name of the process, as `pkill` takes it."""


class Collector:
    """The findings of one analysis, with the facts and the knowledge it may use."""

    def __init__(self, request: Request, facts: Facts, knowledge: Knowledge) -> None:
        self.request = request
        self.facts = facts
        self.knowledge = knowledge
        self.actions: list[Action] = []
        self.effects: list[Effect] = []
        self.queries: dict[Query, None] = {}
        self.consumers: dict[str, tuple[Sequence, Scope, Context]] = {}
        self.evaluator: Evaluator | None = None
        self.first_fault: Fault | None = None
        self.reading: set[str] = set()
        self.read_paths: set[str] = set()
        self.listed: set[str] = set()  # patterns that a loop or a search goes through: what they match is there
        self.served: list[tuple[Effect, str]] = []
        self.withheld = False  # a secret went into a variable or a word; it may yet come out on the screen

    # --- actions and effects ---------------------------------------------------------------------------

    def action(self, argv: tuple[Value, ...], scope: Scope, context: Context, program: str) -> Action:
        """Record a command that would run."""
        start, end = context.span if context.span is not None else (0, len(context.text))
        action = Action(
            program,
            tuple([value.text for value in argv]),
            tuple([value.known for value in argv]),
            start,
            end,
            context.via,
            scope.cwd,
            context.place,
            context.remote,
        )
        self.actions.append(action)
        return action

    def effect(
        self,
        kind: str,
        text: str,
        action: Action,
        code: str = "",
        why: str = "",
        instead: str = "",
        undo: str = "",
        harm: str | None = None,
        certain: bool = True,
        place: str = "named",
    ) -> None:
        """Record an effect on something that is not a path."""
        target = Target(text, place)
        self.effects.append(Effect(kind, target, action, code or kind, why, instead, undo, harm, certain))

    def path_effect(
        self,
        kind: str,
        value: Value,
        scope: Scope,
        action: Action,
        recursive: bool = False,
        code: str = "",
        why: str = "",
        instead: str = "",
        undo: str = "",
        harm: str | None = None,
        exists: bool = False,
    ) -> None:
        """Record an effect on a path: one for each place that the value may stand for.

        `exists` says that the command makes sense only if something lies there already.
        """
        seen: set[str] = set()
        for target in self.targets(value, scope, recursive):
            if target.place in seen:
                continue
            seen.add(target.place)
            certain = target.place != "unknown"
            real = self._with_facts(kind, target, scope, exists)
            if real == "overwrite" and not exists and target.place == "project" and value.stamped():
                real = "create"
            self.effects.append(Effect(real, target, action, code or kind, why, instead, undo, harm, certain))
            if target.path is not None and "bin/" in target.path and real in ("create", "overwrite", "link"):
                from phocinae_cli.analysis.shadows import judge_copied

                judge_copied(self, target.path, scope, action)
            if target.path is not None and target.place in SETTINGS and kind in SETTING_KINDS:
                from phocinae_cli.analysis.settings import judge_changed

                judge_changed(self, kind, target.path, action)

    def targets(self, value: Value, scope: Scope, recursive: bool = False) -> list[Target]:
        """Return the targets that a word may stand for when it is a path."""
        found: list[Target] = []
        for number, reading in enumerate(value.readings()):
            if number and not reading:
                continue
            if number == 0 and value.leading_unknown():
                last = reading.rstrip("/").rpartition("/")[2]
                elsewhere = "home-other" if ACCOUNTS in value.taint else "unknown"
                place = "disposable" if last in ALWAYS_DISPOSABLE else elsewhere
                found.append(Target(value.text, place, None, False, recursive))
                continue
            target = self.target(reading, value, scope, recursive)
            # `$X/build` with nothing in front is `/build`, which is nowhere; `$X/` is `/`, and `$X/usr` is `/usr`.
            if number == 0 or target.place not in NOWHERE:
                found.append(target)
        if scope.cwd is None and scope.lost is not None and value.globs and value.text.removeprefix("./") in EVERYTHING:
            target = self.target(f"{scope.lost}/{value.text}", value, scope, True)
            if target.place not in NOWHERE:
                found.append(target)
        return found

    def target(self, text: str, value: Value, scope: Scope, recursive: bool) -> Target:
        """Return the target for one reading of a word."""
        host, colon, _ = text.partition(":")
        if colon and "/" not in host and len(host) > 1 and not text.startswith("/"):
            return Target(value.text, "remote", None, value.known, recursive)
        path = normalise(text, scope.cwd)
        if path is None:
            last = text.rstrip("/").rpartition("/")[2]
            place = "disposable" if last in ALWAYS_DISPOSABLE and ".." not in text else "unknown"
            return Target(value.text, place, None, False, recursive)
        place = scope.place(path)
        wide = recursive or "*" in path or "?" in path
        return Target(value.text, place, path, value.known, wide)

    def _with_facts(self, kind: str, target: Target, scope: Scope, exists: bool) -> str:
        path = target.path
        if scope.mounts and path is not None and kind not in ("delete", "move", "link"):
            from phocinae_cli.analysis.mounts import behind_link

            leads_to = behind_link(path, scope.mounts)
            if leads_to is not None:
                target.place = scope.place(leads_to)
        if kind not in LOOKED_UP or path is None or not target.known or target.place in NEVER_LOOKED_UP:
            return kind
        if scope.home == "/home/remote":
            return kind
        if "*" in path or "?" in path:
            new = kind == "overwrite" and not exists and target.place == "project" and self._is_made_from(path)
            return "create" if new else kind
        fact = self.path_fact(path)
        if fact is None:
            return kind
        if fact.real != path and (target.text.endswith("/") or kind not in ("delete", "move", "link")):
            place = scope.place(fact.real)
            # A link may lead somewhere that matters more; one that leads to a better place changes nothing.
            if place not in ("project", "disposable", "temp"):
                target.place = place
        if kind == "create" and path in self.read_paths and target.place == "project":
            return "overwrite"  # what the line reads is there, whatever was seen
        if fact.kind == "missing":
            writes = kind in ("overwrite", "write-disk")
            return "create" if writes and not exists and path not in self.read_paths else kind
        if kind == "create" and fact.kind in ("file", "link") and target.place == "project" and fact.git != "tracked":
            return "overwrite"
        return kind

    def goes_through(self, values: Iterable[Value]) -> None:
        """Note what a loop or a search goes through, one file after the other."""
        self.listed.update(value.text.rpartition("/")[2] for value in values if value.globs)

    def _is_made_from(self, path: str) -> bool:
        """Return whether a pattern names new files, each made from a name that is gone through: `$f.md5`."""
        name = path.rpartition("/")[2]
        text = self.evaluator.checked if self.evaluator is not None else name
        if not name.strip("*?.") or name in self.listed or name in text or path in self.read_paths:
            return False
        return bool(self.listed)

    # --- facts ---------------------------------------------------------------------------------------------

    def path_fact(self, path: str) -> PathFact | None:
        """Return what lies at a path, or None (and ask) when nobody has looked yet."""
        self._ask(("path", path))
        return self.facts.paths.get(path)

    def text_fact(self, query: Query) -> TextFact | None:
        """Return the text of a file or alias, or None (and ask)."""
        self._ask(query)
        return self.facts.texts.get(query)

    def tree_clean(self, directory: str | None) -> bool | None:
        """Return whether the git work tree at a directory is known to be clean; None when it is not known."""
        if directory is None:
            return None
        self._ask(("tree", directory))
        fact = self.facts.trees.get(directory)
        return fact.clean if fact is not None else None

    def branch(self, directory: str | None) -> str | None:
        """Return the branch that is checked out at a directory, or None."""
        if directory is None:
            return None
        self._ask(("tree", directory))
        fact = self.facts.trees.get(directory)
        return fact.branch if fact is not None else None

    def _ask(self, query: Query) -> None:
        if not self.facts.knows(query) and len(self.queries) < MAX_QUERIES:
            self.queries[query] = None

    # --- streams -------------------------------------------------------------------------------------------

    def content(self, value: Value, scope: Scope) -> Stream:
        """Return what reading a file gives: what the line wrote there, else its taint by place."""
        text = value.exact
        if text is None:
            taint = value.taint
            for target in self.targets(value, scope):
                if target.place != "root":  # `$from/*`: nobody means the whole system
                    taint |= data_taint(target.place, target.path or "")
            return Stream(None, taint, f"the content of {value.text}")
        path = normalise(text, scope.cwd)
        if path is not None and path in scope.files:
            return scope.files[path]
        if path is None:
            return Stream(None, value.taint, f"the content of {text}")
        if scope.mounts:
            from phocinae_cli.analysis.mounts import behind_link

            path = behind_link(path, scope.mounts) or path
        place = scope.place(path)
        if path == "/dev/null":
            return EMPTY
        self.read_paths.add(path)
        taint = data_taint(place, path)
        if path.endswith(".pid"):
            taint |= pid_file_mark(path)
        if place == "network":
            taint |= {"network"}
        return Stream(None, taint, f"the content of {text}", path)

    def written(self, out: Stream, outputs: list[Value], scope: Scope, silent: bool) -> Stream:
        """Note what was written to files and hand it to `>( )` consumers; return what is still printed."""
        for value in outputs:
            path = scope.resolve(value.text) if value.known else None
            if path is None:
                continue
            if path.startswith(("/dev/tcp/", "/dev/udp/")):
                self._sent(path, out)
                continue
            consumer = self.consumers.pop(path, None)
            if consumer is not None and self.evaluator is not None:
                body, inner, context = consumer
                self.evaluator.node(body, inner, context, out)
            elif path != "/dev/null":
                scope.files[path] = out
                self.planted(path, out, scope)
        return EMPTY if outputs or silent else out

    def _sent(self, path: str, out: Stream) -> None:
        """Record what a redirection to the shell's network paths sends; a probe that sends nothing is none."""
        host = path.split("/")[3] if path.count("/") > 3 else ""
        if out is EMPTY or is_local(host) or not (out.taint or out.text is None):
            return
        place = next((word for word in ("secret", "environment", "dump", "private") if word in out.taint), "file")
        self.effect(
            "send", f"{out.why or 'what is printed'} to {host}", self.actions[-1], "redirect.send",
            "the redirection goes to another machine", place=place,
        )  # fmt: skip

    def planted(self, path: str, stream: Stream, scope: Scope, action: Action | None = None) -> None:
        """Judge what is written where it will run by itself: later counts as run."""
        place = scope.place(path)
        if place in SETTINGS:
            from phocinae_cli.analysis.settings import judge_written

            judge_written(self, path, stream.seen or stream.text, action or self.actions[-1])
        if path.rpartition("/")[0].endswith("bin") and self.evaluator is not None:
            from phocinae_cli.analysis import shadows

            name = shadows.shadowed(path, scope)
            if name:
                shadows.judge_shadow(self, self.evaluator, name, stream, scope, action or self.actions[-1])
        if place not in ("startup", "rc") or self.evaluator is None:
            return
        from phocinae_cli.analysis.planting import judge_planted

        judge_planted(self, self.evaluator, path, stream, scope, action or self.actions[-1])

    # --- trouble -------------------------------------------------------------------------------------------

    def fault(self, fault: Fault, context: Context) -> None:
        """Note that part of a text could not be read; inside another command that is an unsure effect."""
        if context.depth == 0 and not context.file:
            if self.first_fault is None:
                self.first_fault = fault
            return
        if fault.code == "unfinished" and not context.file:
            return
        action = Action(
            "", (), (), *(context.span or (0, len(context.text))), context.via, None, context.where(fault.at)
        )
        self.effect(
            "run-unknown-code", fault.message, action, "code.unreadable", "part of it can't be read", certain=False
        )

    def fork_bomb(self, name: str, context: Context) -> None:
        """Record a function that starts copies of itself without end."""
        start, end = context.span if context.span is not None else (0, len(context.text))
        action = Action(name, (name,), (True,), start, end, context.via)
        self.effect("fork-bomb", name, action, "fork-bomb", "it starts copies of itself until the machine stops")


def data_taint(place: str, path: str) -> frozenset[str]:
    """Return what reading a path of some place taints the data with."""
    if place in ("secret", "project-secret") or (place == "access" and reads_as_secret(path)):
        return frozenset(("secret",))
    if place in ("home", "home-other", "root"):
        return frozenset(("private",))
    if place == "disk":
        return frozenset(("dump",))
    if path == "/etc/passwd":
        return frozenset((ACCOUNTS,))
    return NOTHING


def pid_file_mark(path: str) -> frozenset[str]:
    """Return the mark of a file of the system's with a process number: what `/run/sshd.pid` holds is that of sshd."""
    if not path.startswith(("/run/", "/var/run/")):
        return NOTHING
    return frozenset((PID_OF + path.rpartition("/")[2].removesuffix(".pid"),))


def known_parts(value: Value) -> str:
    """Return the texts of a value with unknown parts left out."""
    return "".join(part for part in value.parts if not isinstance(part, Unknown))


def is_path_kind(kind: str) -> bool:
    """Return whether an effect of this kind happens to a path."""
    return KINDS[kind][0] == "path"
