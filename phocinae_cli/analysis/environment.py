"""Variables that programs run as code or load code from: setting one in front of a command is running it."""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise
from phocinae_cli.analysis.values import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.context import Context
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.scope import Scope

COMMANDS = frozenset(
    (
        "GIT_PAGER", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND",
        "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "PROMPT_COMMAND", "LESSOPEN",
        "LESSCLOSE", "BROWSER", "GIT_PROXY_COMMAND", "FZF_DEFAULT_COMMAND", "TAR_OPTIONS", "RSYNC_RSH", "SVN_SSH",
    )
)  # fmt: skip
"""Their value is a command."""
SCRIPTS = frozenset(("BASH_ENV", "ENV", "PYTHONSTARTUP", "ZDOTDIR"))
"""Their value names a file that is run."""
LIBRARIES = frozenset(
    ("LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "PERL5LIB",
     "PYTHONPATH", "RUBYLIB", "NODE_PATH")
)  # fmt: skip
"""Their value names code that is loaded into the program."""
OPTIONS = frozenset(("PERL5OPT", "RUBYOPT", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"))
HISTORY = frozenset(("HISTFILE", "HISTSIZE", "HISTFILESIZE", "SAVEHIST"))
"""Where the shell keeps what was typed, and how much of it."""
WATCHED = COMMANDS | SCRIPTS | LIBRARIES | OPTIONS | HISTORY | {"PATH"}
ALWAYS_WATCHED = HISTORY | {"PROMPT_COMMAND"}
"""They are the shell's own, so nothing needs to be exported."""
ORDINARY = frozenset(
    (
        "cat", "less", "more", "vim", "vi", "nvim", "nano", "emacs", "code", "true", "false", "bat", "delta", "ssh",
        "most",
        "subl", "micro", "hx", "emacsclient", "ed", "joe", "kate", "gedit", "mate", "", ":", "firefox", "chromium",
        "open",
    )
)  # fmt: skip
OWN_PLACES = frozenset(("project", "project-root", "disposable", "system", "home-data", "home-config"))


def set_variable(evaluator: Evaluator, name: str, value: Value, scope: Scope, context: Context) -> None:
    """Record what setting a watched variable for a program amounts to."""
    text = value.exact
    if name in HISTORY:
        if text in ("", "0", "/dev/null"):
            no_history(evaluator, scope, context)
    elif name in COMMANDS:
        words = (text or "").split()
        if text is not None and (not words or words[0].rpartition("/")[2] in ORDINARY):
            return
        _run(evaluator, name, value, scope, context)
    elif name in OPTIONS:
        if text is not None and any(word in text for word in ("-r", "--require", "-M", "-javaagent", "--import", "-e")):
            _unseen(evaluator, name, value, scope, context)
    elif name in ("PATH", *LIBRARIES, *SCRIPTS):
        for entry in ":".join(part if isinstance(part, str) else "" for part in value.parts).split(":"):
            if entry and _is_foreign(entry, name, scope):
                _unseen(evaluator, name, value, scope, context)
                return


def no_history(evaluator: Evaluator, scope: Scope, context: Context) -> None:
    """Record that the shell keeps no record of what is typed from here on."""
    action = evaluator.collector.action((), scope, context, "")
    evaluator.collector.effect(
        "evidence", "the shell's history", action, "history.off", "no record is kept of what is typed from here on",
        harm="risky",
    )  # fmt: skip


def _is_foreign(entry: str, name: str, scope: Scope) -> bool:
    path = normalise(entry, scope.cwd)
    if path is None:
        return True
    place = scope.where.place(path)
    return place not in OWN_PLACES or not name.endswith(("PATH", "LIB"))


def _run(evaluator: Evaluator, name: str, value: Value, scope: Scope, context: Context) -> None:
    text = value.exact
    if text is None:
        _unseen(evaluator, name, value, scope, context)
        return
    inner = context.inside(name)
    if inner.span is None:
        inner.span = (0, len(context.text))
    inner.becomes(text)
    evaluator.run_text(text, scope.child(), inner, EMPTY)


def _unseen(evaluator: Evaluator, name: str, value: Value, scope: Scope, context: Context) -> None:
    collector = evaluator.collector
    action = collector.action((), scope, context, "")
    if "network" in value.taint or any(
        "network" in scope.files[path].taint for path in value.text.split(":") if path in scope.files
    ):
        collector.effect(
            "run-remote-code", f"{name}={value.text}", action, "code.from-network",
            "whoever answers decides what runs here", "download to a file, read it, then run it",
        )  # fmt: skip
        return
    collector.effect(
        "run-unknown-code", f"{name}={value.text}", action, "code.from-environment",
        "the variable makes the program load code that can't be seen here", certain=False,
    )  # fmt: skip
