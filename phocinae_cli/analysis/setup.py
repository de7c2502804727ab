"""Set-up code that described programs print for the shell that started them: `eval "$(brew shellenv)"`."""

from __future__ import annotations

from phocinae_cli.analysis.values import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

WORDS = frozenset(
    (
        "completion", "completions", "shellenv", "init", "hook", "activate", "docker-env", "podman-env", "shell-init",
        "env", "shell.bash", "shell.zsh", "shell.posix", "--bash", "--zsh", "--alias", "--bash-completion-script",
        "--zsh-completion-script", "--completion", "--completions", "--generate-completion", "--search-paths",
        "--completion-script-bash", "--completion-script-zsh", "--shellenv", "--generate-shell-completion",
        "generate-completion", "--sh-syntax", "bash-completion", "generate-shell-completion", "gen-completions",
        "shell-completion",
    )
)  # fmt: skip
"""Verbs and options that ask for set-up code, whatever the program."""
PROGRAMS = frozenset(
    (
        "path_helper", "dircolors", "lesspipe", "lesspipe.sh", "ssh-agent", "keychain", "resize", "locale", "tset",
        "register-python-argcomplete", "dbus-launch", "gpg-agent",
    )
)  # fmt: skip
"""All they print is meant for the shell that started them."""
USES = frozenset(
    (
        "direnv export", "luarocks path", "hub alias", "navi widget", "sheldon source", "op signin",
    )
)  # fmt: skip
"""Verbs that print set-up code in one program only."""
READERS = frozenset(
    (
        "cat", "head", "tail", "sed", "awk", "grep", "egrep", "cut", "tr", "sort", "uniq", "jq", "yq", "base64", "gpg",
        "envsubst", "bat", "tac", "rev", "strings", "xxd", "openssl", "paste", "column", "nl", "fold",
    )
)  # fmt: skip
"""What they print is what a file of that name holds."""


def is_setup(invocation: Invocation) -> bool:
    """Return whether a described program prints code of its own for the shell to take up."""
    if invocation.stdin is not EMPTY:
        return False
    name, words = invocation.name, invocation.action.argv[1:]
    if name in PROGRAMS or (words and f"{name} {words[0]}" in USES):
        return True
    if not WORDS.isdisjoint(words):
        return name not in READERS
    # `_FLASK_COMPLETE=bash_source flask`: how programs made with click are asked
    return not words and any(word[:1] == "_" and word.endswith("_COMPLETE") for word in invocation.scope.exported)
