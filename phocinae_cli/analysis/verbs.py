"""What verbs and options say by the grammar that tools share: `... list`, `... describe-x`, `--dry-run`, `db drop`.

Only where no row of the knowledge base speaks, or one that holds for anything; what a row says of a verb wins.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.arguments import Arguments
    from phocinae_cli.kb.lookup import Tool

REHEARSALS = frozenset(("--dry-run", "--dryrun", "--dry_run", "--simulate", "--what-if", "--whatif", "--just-print"))
"""Long options with which a tool says what it would do; one that does not know them stops with an error."""
NOT_MEANT = ("none", "false", "no", "off", "0")
READING = frozenset(
    (
        "list", "ls", "show", "status", "info", "describe", "version", "help", "search", "inspect", "lookup", "whoami",
        "validate", "verify", "lint", "diff", "plan", "preview", "explain", "view", "stats", "history", "count", "get",
        "check-update", "check-updates", "checkupdate", "checkupdates", "outdated",
    )
)  # fmt: skip
READING_STARTS = (
    "list-",
    "ls-",
    "show-",
    "describe-",
    "get-",
    "search-",
    "batch-get-",
    "lookup-",
    "count-",
    "list_",
    "show_",
    "get_",
)
READING_ENDS = ("-list", "-ls", "-show", "-status", "-info", "-describe", "-diff", "-read", "_list", "_show", "_status")
SECRET_WORDS = frozenset(
    ("secret", "secrets", "password", "passwords", "passwd", "credential", "credentials", "token", "tokens", "otp")
)
"""Nouns of which a verb that reads shows more than it should."""
CHANGING = frozenset(
    (
        "add", "apply", "attach", "cancel", "change", "clean", "clear", "create", "delete", "destroy", "detach",
        "disable", "disallow", "drop", "edit", "enable", "exec", "execute", "export", "flush", "import", "init",
        "install", "kill", "load", "migrate", "move", "new", "prune", "purge", "push", "put", "release", "remove",
        "rename", "replace", "reset", "restart", "restore", "revoke", "rm", "rollback", "run", "scale", "send", "set",
        "shell", "ssh", "start", "stop", "terminate", "update", "upgrade", "upload", "wipe", "write",
    )
)  # fmt: skip
DESTROYING = frozenset(
    (
        "drop", "destroy", "delete", "purge", "wipe", "nuke", "truncate", "erase", "teardown", "terminate", "unpublish",
        "deprovision",
    )
)  # fmt: skip
RUNNING = frozenset(("test", "tests", "bench", "run", "build", "check", "lint", "start", "dev", "exec", "add", "help"))
"""Verbs behind which a name stands, not another verb."""
DEPTH = 3
"""How many words a verb phrase has at most: `aws ec2 describe-instances`, `docker buildx imagetools inspect`."""


def rehearses(arguments: Arguments) -> bool:
    """Return whether an option asks the tool to say what it would do and to do nothing."""
    return any(
        name in REHEARSALS and (value is None or (value.exact or "").lower() not in NOT_MEANT)
        for name, value in arguments.flags
    )


def only_reads(arguments: Arguments) -> bool:
    """Return whether the verb phrase in front is one that reads, and has no word in it that changes something."""
    words = [value.exact or "" for value in arguments.operands[:DEPTH]]
    if not CHANGING.isdisjoint(words) or not SECRET_WORDS.isdisjoint(words):
        return False
    return any(
        word in READING or word.startswith(READING_STARTS) or word.endswith(READING_ENDS) for word in words if word
    )


def lacks_its_verb(tool: Tool, arguments: Arguments) -> bool:
    """Return whether a tool is called alone, or with the name of a group of verbs alone: it prints how to use it."""
    if arguments.flags:
        return False
    if not arguments.operands:
        return True
    word = arguments.operands[0].exact
    return word is not None and len(arguments.operands) == 1 and tool.has_group(word)


def destroys_by_name(arguments: Arguments) -> bool:
    """Return whether the verb is one that destroys: `db drop`, `db:drop`, `delete-vm`."""
    operands = [value.exact or "" for value in arguments.operands[:2]]
    words = [word.replace(":", "-").replace("_", "-").split("-") for word in operands if not set(word) & set("/.")]
    if operands and operands[0] in RUNNING:
        words = words[:1]
    if len(operands) == 1 and words and len(words[0]) == 1:
        return False  # one word may as well be a name: `jest delete`
    return any(not DESTROYING.isdisjoint(pieces) for pieces in words)
