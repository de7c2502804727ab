"""The verbs of cloud command lines, by what they do to their noun."""

from __future__ import annotations

DELETE = (
    "delete", "del", "remove", "rm", "destroy", "terminate", "purge", "wipe", "erase", "nuke", "drop", "deprovision",
    "teardown", "isolate", "deregister", "unregister", "expunge", "decommission", "truncate", "deletion", "undeploy",
    "unpublish", "abandon", "discard", "rb", "uninstall",
)  # fmt: skip
OFF = (
    "disable", "stop", "suspend", "deactivate", "disassociate", "dissociate", "detach", "unprotect", "unset", "revoke",
    "pause", "cancel", "disallow", "unlink", "leave", "unsubscribe", "clear", "disconnect", "unassign", "shutdown",
    "poweroff", "off", "exclude", "abort", "halt", "unlock", "close",
)  # fmt: skip
READ = (
    "list", "ls", "get", "show", "describe", "view", "read", "lookup", "inspect", "whoami", "validate", "preview",
    "download", "wait", "tail", "explain", "fetch", "calculate", "estimate", "simulate", "verify", "diff", "whois",
)  # fmt: skip
MAKE = (
    "create", "add", "new", "launch", "make", "mk", "mb", "provision", "register", "allocate", "clone", "issue",
    "generate", "append", "invite", "enroll", "purchase", "order",
)  # fmt: skip
CHANGE = (
    "update", "set", "put", "modify", "edit", "patch", "change", "apply", "enable", "attach", "associate", "assign",
    "reboot", "restart", "reset", "resize", "scale", "move", "rename", "rotate", "rollback", "upload", "publish",
    "promote", "migrate", "replace", "grant", "authorize", "untag", "invoke", "execute", "exec", "send", "switch",
    "rebuild", "reinstall", "start", "swap", "merge", "install", "accept", "approve", "reject", "confirm", "trigger",
    "rerun", "retry", "redeploy", "refresh", "renew", "bind", "unbind", "reserve", "resume", "failover", "undelete",
    "recover", "reimage", "activate", "reactivate", "configure", "increase", "decrease", "extend", "convert", "submit",
    "release", "write", "drain", "cordon", "reload", "repair", "ingest",
)  # fmt: skip
READ_OR_NOUN = (
    "search", "query", "status", "info", "history", "logs", "log", "check", "find", "head", "cat", "du", "stat", "tree",
    "count", "stats", "usage", "ps", "top", "plan", "version", "help", "watch", "compare", "metadata", "test", "events",
    "metrics",
)  # fmt: skip
CHANGE_OR_NOUN = (
    "run", "deploy", "build", "copy", "cp", "mv", "sync", "rsync", "mirror", "backup", "restore", "import", "export",
    "lock", "link", "push", "open", "tag", "mount", "upgrade", "protect", "fork", "transfer", "request", "on", "up",
    "down", "load", "flush", "scan", "share", "ssh", "connect", "login", "init",
)  # fmt: skip

VERBS: dict[str, str] = {
    verb: kind
    for kind, verbs in (
        ("read", READ_OR_NOUN), ("change", CHANGE_OR_NOUN), ("change", CHANGE), ("make", MAKE), ("read", READ),
        ("off", OFF), ("delete", DELETE),
    )
    for verb in verbs
}  # fmt: skip
"""Each verb's class."""

UNSURE = frozenset((*READ_OR_NOUN, *CHANGE_OR_NOUN, "off", "release", "order", "issue", "clear", "close", "exec"))
"""Words that name things as often as they are verbs."""

UNSURE_LAST = frozenset(("set", "list", "view", "read", "write", "start", "show", "new", "make"))
"""Verbs that, at the end of a word, mostly belong to a noun: `record-set`, `access-list`, `log-view`."""
