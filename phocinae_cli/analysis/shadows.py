"""Programs put where the shell looks first, under the name of one that people trust: a false `sudo` in ~/.local/bin."""

from __future__ import annotations

from phocinae_cli.analysis.context import Context
from phocinae_cli.analysis.values import EMPTY, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.collect import Collector
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.core.effects import Action

ASK_FOR_PASSWORDS = frozenset(
    (
        "sudo",
        "su",
        "doas",
        "passwd",
        "login",
        "ssh",
        "ssh-add",
        "gpg",
        "gpg2",
        "pinentry",
        "pkexec",
        "scp",
        "op",
        "pass",
    )
)
TRUSTED = ASK_FOR_PASSWORDS | frozenset(
    (
        "ls", "cat", "ps", "git", "bash", "sh", "zsh", "env", "grep", "find", "cp", "mv", "rm", "id", "who", "top",
        "netstat", "ss", "lsof", "curl", "wget", "which", "python", "python3", "node", "npm", "pip", "make", "docker",
        "kubectl", "systemctl", "vim", "vi", "less", "man", "clear", "cd", "ping", "tar", "date", "uname",
    )
)  # fmt: skip
"""Names that everybody types without thinking where they lie."""
HIDDEN_INPUT = ("stty -echo", "read -s", "read -rs", "read -sr", "read -rsp", "read -sp", "getpass", "askpass")
REACHING = frozenset(("send", "run-remote-code", "remote-shell", "back-door", "evidence", "security-off", "setuid"))


def shadowed(path: str, scope: Scope) -> str:
    """Return the trusted name that a path takes in a directory where the shell looks first, else an empty text."""
    folder, _, name = path.rpartition("/")
    early = (scope.home + "/.local/bin", scope.home + "/bin", scope.home + "/.bin", "/usr/local/bin", "/usr/local/sbin")
    return name if name in TRUSTED and folder in early else ""


def judge_shadow(
    collector: Collector, evaluator: Evaluator, name: str, stream: Stream, scope: Scope, action: Action
) -> None:
    """Record a back door where the text reaches outside or takes passwords; a plain wrapper is none."""
    if "network" in stream.taint or "temp" in stream.taint:
        if name in ASK_FOR_PASSWORDS:
            _back_door(collector, name, action)
        return
    text = stream.seen or stream.text
    if not text:
        return
    if name in ASK_FOR_PASSWORDS and any(mark in text for mark in HIDDEN_INPUT):
        _back_door(collector, name, action)
        return
    before = len(collector.effects)
    context = Context(text, "bash")
    context.span = (action.start, action.end)
    context.via = (f"in {name}",)
    context.depth = 1
    evaluator.run_text(text, scope.child(), context, EMPTY)
    reaching = any(effect.kind in REACHING for effect in collector.effects[before:])
    del collector.effects[before:]
    if reaching:
        _back_door(collector, name, action)


def judge_copied(collector: Collector, path: str, scope: Scope, action: Action) -> None:
    """Record a back door where a program out of a temporary or hidden place takes the name of one that is trusted."""
    name = shadowed(path, scope)
    if name in ASK_FOR_PASSWORDS and any(lies_hidden(word) for word in action.argv[1:]):
        _back_door(collector, name, action)


def judge_defined(
    collector: Collector, aliases: dict[str, str], functions: set[str], text: str, action: Action
) -> None:
    """Record aliases and functions of a start-up file that stand in for a program that asks for passwords."""
    for name in ASK_FOR_PASSWORDS & aliases.keys():
        words = aliases[name].split()
        first = words[1:2] if words[:1] and words[0] in (name, "env", "exec", "command", "nohup") else words[:1]
        if any(lies_hidden(word) for word in first):
            _back_door(collector, name, action)
    for name in ASK_FOR_PASSWORDS & functions:
        if any(mark in text for mark in HIDDEN_INPUT):
            _back_door(collector, name, action)


def lies_hidden(word: str) -> bool:
    """Return whether a path lies in a temporary directory or below a hidden one."""
    parts = word.split("/")[:-1]
    hidden = any(part[:1] == "." and len(part) > 1 and part not in ("..", ".local") for part in parts)
    return word.startswith(("/tmp/", "/var/tmp/", "/dev/shm/")) or hidden


def _back_door(collector: Collector, name: str, action: Action) -> None:
    why = f"whoever types `{name}` runs this instead, without knowing"
    collector.effect("back-door", name, action, "path.shadowed", why, "give it a name of its own")
