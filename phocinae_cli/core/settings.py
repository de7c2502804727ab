"""The settings that a check works with, after all files, variables and flags were merged.

The defaults here are those of the table in `config.keys`; a test holds the two against each other.
"""

from __future__ import annotations

AUTO_ALLOW_PREFIXES = (
    "git status", "git log", "git diff", "git show", "git blame", "git rev-parse", "git describe", "git ls-files",
    "git shortlog", "git remote -v",
    "ls", "pwd", "whoami", "id", "uname", "date", "uptime", "wc", "head", "tail", "file", "stat", "du", "df", "tree",
    "grep", "which", "type", "printenv", "hostname", "basename", "dirname", "realpath", "readlink", "true", "false",
    "pytest", "python -m pytest", "npm test", "npm run test", "npm run lint", "npm run build", "cargo test",
    "cargo build", "cargo check", "cargo clippy", "go test", "go build", "go vet", "ruff check", "mypy", "tsc",
)  # fmt: skip
"""A prefix allows its arguments. The verbs only read, or build or test with the project's own scripts."""

AUTO_ALLOW_EXACT = ("make", "make test", "make check", "make build", "make lint", "git branch", "git stash list", "env")
"""A whole command: `make destroy-everything` does not match `make`."""


class Rule:
    """A standing rule of the user's: a decision for commands that match a pattern on the parsed command.

    `program`, `subcommand` are globs on the program's name and on its verb words; `flags` must all be given;
    `paths` are globs of which at least one argument must match; `words` are globs for the whole command, word by
    word; `decision` is allow, ask or deny; `origin` names the file it came from. An empty pattern part matches
    everything.
    """

    __slots__ = ("decision", "flags", "origin", "paths", "program", "reason", "subcommand", "words")

    def __init__(
        self,
        decision: str,
        program: str,
        subcommand: tuple[str, ...] = (),
        flags: tuple[str, ...] = (),
        paths: tuple[str, ...] = (),
        reason: str = "",
        origin: str = "",
        words: tuple[str, ...] = (),
    ) -> None:
        self.decision = decision
        self.program = program
        self.subcommand = subcommand
        self.flags = flags
        self.paths = paths
        self.reason = reason
        self.origin = origin
        self.words = words


class Settings:
    """Every setting with its default; names are those of the configuration file with dots as underscores."""

    def __init__(self) -> None:
        self.backend = "embedded"
        self.endpoint = "http://127.0.0.1:8155/v1/systemone"
        self.allow_remote_endpoint = False
        self.model = "Phocinae-Largha-150M-v1"
        self.dialect = "auto"
        self.timeout_ms = 3000
        self.max_state_chars = 4096
        self.escalate_at = 0.6
        self.escalate_at_noul: float | None = None
        self.escalate_at_choice: float | None = None
        self.escalate_at_score: float | None = None
        self.permute_choice = False
        self.gate_enabled = True
        self.gate_mode = "harm"
        self.gate_min_confidence = 0.45
        self.gate_threshold = 0.8
        self.gate_risky_decision = "deny"
        self.gate_tools: tuple[str, ...] = ("*",)
        self.gate_fail_mode = "closed"
        self.gate_auto_allow: tuple[str, ...] = AUTO_ALLOW_PREFIXES
        self.gate_auto_allow_exact: tuple[str, ...] = AUTO_ALLOW_EXACT
        self.gate_person_asks = "irreversible"
        self.gate_person_notes = True
        self.gate_audit = True
        self.rules: tuple[Rule, ...] = ()
