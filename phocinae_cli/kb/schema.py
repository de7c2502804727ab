"""The words of the knowledge base: effect kinds, places, languages, keys, and how a pattern is read.

Pure and free of imports, since the look-up reads it on every check. `docs/knowledge.md` explains it to authors.
"""

from __future__ import annotations

# kind -> (what its target is, phrase, default harm, default undo)
# target type: `path` (the place decides the harm), `name` (the default harm holds), `data`, `code`, `none`.
KINDS: dict[str, tuple[str, str, str, str]] = {
    # files
    "read": ("path", "reads", "harmless", "easy"),
    "create": ("path", "creates", "by-place", "easy"),
    "write": ("path", "changes", "by-place", "hard"),
    "edit": ("path", "opens for editing", "by-place", "easy"),
    "append": ("path", "appends to", "by-place", "easy"),
    "overwrite": ("path", "overwrites", "by-place", "none"),
    "unpack": ("path", "unpacks over", "by-place", "none"),
    "delete": ("path", "deletes", "by-place", "none"),
    "scramble": ("path", "destroys the content of", "by-place", "none"),
    "move": ("path", "moves away", "by-place", "easy"),
    "link": ("path", "links to", "by-place", "easy"),
    "permissions": ("path", "changes permissions of", "by-place", "hard"),
    "open-to-all": ("path", "makes writable for everybody", "by-place", "hard"),
    "owner": ("path", "changes the owner of", "by-place", "hard"),
    "setuid": ("path", "lets everybody run as its owner", "destructive", "hard"),
    "write-disk": ("path", "writes raw data to", "by-place", "none"),
    "format": ("path", "formats", "by-place", "none"),
    "mount": ("path", "mounts or unmounts", "risky", "easy"),
    "storage": ("name", "changes storage", "risky", "easy"),
    "storage-destroy": ("name", "destroys storage", "destructive", "none"),
    # secrets and data on the move
    "show-secret": ("path", "shows secrets from", "show-secret", "easy"),
    "send": ("data", "sends to another machine", "by-data", "none"),
    "serve": ("data", "lets others fetch", "by-data", "none"),
    "fetch": ("name", "downloads", "harmless", "easy"),
    "listen": ("name", "opens a port", "risky", "easy"),
    "probe": ("name", "probes another machine", "risky", "easy"),
    "tunnel": ("name", "opens a tunnel", "risky", "easy"),
    "expose": ("name", "makes public", "destructive", "none"),
    # code
    "run-remote-code": ("code", "runs code from the network", "destructive", "none"),
    "run-unknown-code": ("code", "runs code that can't be seen", "risky", "none"),
    "run-project-code": ("code", "runs the project's own code", "harmless", "easy"),
    "remote-shell": ("name", "hands a shell to another machine", "destructive", "none"),
    "root-shell": ("name", "opens a root or remote shell", "risky", "easy"),
    "fork-bomb": ("none", "starts processes without end", "destructive", "none"),
    # the machine
    "install": ("name", "installs", "risky", "easy"),
    "uninstall": ("name", "removes", "risky", "easy"),
    "remove-essential": ("name", "removes what the system needs", "destructive", "none"),
    "service": ("name", "changes a service", "risky", "easy"),
    "kill": ("name", "ends a process", "risky", "easy"),
    "kill-all": ("name", "ends every process", "destructive", "none"),
    "power": ("none", "takes the machine down", "destructive", "none"),
    "account": ("name", "changes an account", "risky", "easy"),
    "back-door": ("name", "gives lasting access", "destructive", "hard"),
    "persistence": ("name", "makes something run by itself", "risky", "easy"),
    "security-off": ("name", "weakens a security control", "destructive", "hard"),
    "network-config": ("name", "changes the network", "risky", "easy"),
    "system-config": ("name", "changes the system's settings", "risky", "easy"),
    "evidence": ("name", "destroys a record", "destructive", "none"),
    "backup-destroy": ("name", "destroys a backup", "destructive", "none"),
    # version control
    "vcs-local": ("name", "changes the repository", "harmless", "easy"),
    "vcs-discard": ("name", "throws away uncommitted work", "risky", "none"),
    "vcs-rewrite": ("name", "rewrites local history", "risky", "easy"),
    "vcs-destroy": ("name", "destroys history", "destructive", "none"),
    "publish": ("name", "publishes", "risky", "easy"),
    # data stores, clouds, clusters
    "db-write": ("name", "changes rows", "risky", "hard"),
    "db-schema": ("name", "changes a schema", "risky", "hard"),
    "db-destroy": ("name", "destroys data in a database", "destructive", "none"),
    "cloud-change": ("name", "changes cloud resources", "risky", "easy"),
    "cloud-destroy": ("name", "destroys cloud resources", "destructive", "none"),
    "cluster-change": ("name", "changes the cluster", "risky", "easy"),
    "cluster-destroy": ("name", "destroys what the cluster runs", "destructive", "none"),
    "container-change": ("name", "changes containers", "risky", "easy"),
    "container-destroy": ("name", "destroys volumes or data of containers", "destructive", "none"),
    "prune": ("name", "clears caches or unused objects", "risky", "easy"),
    # the rest
    "change": ("name", "changes state", "risky", "easy"),
    "destroy": ("name", "destroys", "destructive", "none"),
    "unknown": ("name", "does something unknown", "risky", "none"),
}

LANGUAGES = (
    "argv",  # words that are a command already
    "sh", "powershell", "cmd",  # text for a shell
    "python", "perl", "ruby", "node", "php", "awk", "sed", "sql", "cypher", "redis", "mongo", "vim", "lua", "r",
    "applescript",
    "loose",  # text of a language that seldom runs anything: only what it plainly does counts
    "text-is-code",  # text of a language that is only read loosely
    "data",  # what it says is carried out, but only where it comes from matters (a manifest, a playbook)
)  # fmt: skip

HARMS = ("harmless", "risky", "destructive")
UNDO = ("easy", "hard", "none")
STYLES = (
    "gnu",  # short options combine, long ones may be abbreviated, options stand anywhere
    "exact",  # as gnu, but long options are never abbreviated (Go, Rust, Python click)
    "posix",  # options end at the first operand: wrappers
    "single",  # long options with one dash: find, java, terraform, openssl
    "bundle",  # the first word may be options without a dash: tar, ps, ar
    "keys",  # key=value operands: dd
    "words",  # no options at all: echo, test
    "powershell",  # parameters by any unambiguous prefix, case folded
    "slash",  # /f switches: cmd
)

TOOL_KEYS = (
    "names", "about", "style", "values", "verb_values", "harmless", "risky", "destructive", "behaviour", "special",
    "output", "runs", "undescribed", "shell", "help", "stops", "grammar",
)  # fmt: skip
BEHAVIOUR_KEYS = ("id", "when", "effects", "runs", "why", "instead", "match", "no_match", "undo", "harm")
EFFECT_KEYS = ("kind", "target", "recursive")

OUTPUTS = (
    "content",  # what it prints carries the content of its inputs (the default)
    "names",  # it prints names, sizes, states: nothing that could be a secret or code
    "network",  # it prints what another machine sent
    "secret",  # it prints secrets
    "environment",  # it prints the environment
    "dump",  # it prints a database or a whole system's data
    "none",  # it prints nothing
)

SEP_FIELD = "\x1e"
SEP_ROW = "\x1d"
SEP_ITEM = "\x1f"


class Pattern:
    """A compiled `when`: what words and options an invocation must have.

    `words` are alternatives of globs for the operands in order; `any_of` groups of options of which one each
    must be given (an option may carry a glob for its value); `none_of` options that must not be given;
    `some_operand`, `no_operand` globs held against the operands behind `words`; `low`, `high` bounds on
    their number (high -1: none); `stdin` True if something must be fed in; `listed` True if some word must be what
    another command lists; `production` True if production must be named, `empty` True if the first operand behind
    `words` must be a directory that holds nothing, `fed` globs of which one must match a line that is fed in.
    """

    __slots__ = (
        "any_of",
        "empty",
        "fed",
        "high",
        "listed",
        "low",
        "no_operand",
        "none_of",
        "production",
        "some_operand",
        "stdin",
        "words",
    )

    def __init__(self) -> None:
        self.words: tuple[tuple[str, ...], ...] = ()
        self.any_of: tuple[tuple[tuple[str, str], ...], ...] = ()
        self.none_of: tuple[tuple[str, str], ...] = ()
        self.some_operand: tuple[tuple[str, ...], ...] = ()
        self.no_operand: tuple[str, ...] = ()
        self.low = 0
        self.high = -1
        self.stdin = False
        self.listed = False
        self.production = False
        self.empty = False
        self.fed: tuple[str, ...] = ()

    def weight(self) -> int:
        """Return how specific the pattern is: literal words count most, then globs and options."""
        total = 0
        for alternatives in self.words:
            total += 2 if alternatives == ("*",) else 6 if any("*" in word for word in alternatives) else 8
        total += 3 * (len(self.any_of) + len(self.some_operand)) + bool(self.none_of) + bool(self.no_operand)
        total += 3 * (self.listed + self.production + self.empty + bool(self.fed))
        return total + (1 if self.low or self.high >= 0 or self.stdin else 0)


def read_pattern(text: str) -> Pattern:
    """Return the pattern that a `when` text stands for.

    Tokens, in any order but for the words: `clean` or `a|b` or `get-*` the next operand; `-f|--force` one of
    these options given; `-X=DELETE|--request=DELETE` with that value (a glob); `!-n|--dry-run` none given; `--` as
    an option: it was given in front of an operand; `~GLOB` some further operand matches (`~a|b`); `!~GLOB` none
    does; `#0`, `#1+`, `#2` the number of further operands; `<` something is fed to standard input, `<purge*|delete*`
    a line of it, in lower case, matches; `%` some word is what another command lists (a substitution, a loop over
    one, `xargs`): an unknown number of things; `^production` a word, a variable set for it, its directory or the
    machine it runs on says that it is production; `^empty` the first operand behind the words is a directory that
    holds nothing; `*` alone as the whole text: anything.
    """
    pattern = Pattern()
    words: list[tuple[str, ...]] = []
    any_of: list[tuple[tuple[str, str], ...]] = []
    none_of: list[tuple[str, str]] = []
    some: list[tuple[str, ...]] = []
    absent: list[str] = []
    for token in text.split():
        if token[0] == "<":
            pattern.stdin = True
            pattern.fed = tuple(token[1:].split("|")) if len(token) > 1 else ()
        elif token == "%":
            pattern.listed = True
        elif token == "^production":
            pattern.production = True
        elif token == "^empty":
            pattern.empty = True
        elif token[0] == "#" and len(token) > 1:
            number = token[1:]
            pattern.low = int(number.rstrip("+"))
            pattern.high = -1 if number.endswith("+") else pattern.low
        elif token.startswith("!~"):
            absent.extend(token[2:].split("|"))
        elif token[0] == "~" and len(token) > 1:
            some.append(tuple(token[1:].split("|")))
        elif token[0] == "!" and len(token) > 1:
            none_of.extend(_option(item) for item in token[1:].split("|"))
        elif token[0] in "-/+" and len(token) > 1 and token != "//":
            any_of.append(tuple(_option(item) for item in token.split("|")))
        else:
            words.append(tuple(token.split("|")))
    if words == [("*",)] and text == "*":
        words = []
    pattern.words = tuple(words)
    pattern.any_of = tuple(any_of)
    pattern.none_of = tuple(none_of)
    pattern.some_operand = tuple(some)
    pattern.no_operand = tuple(absent)
    return pattern


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    return (name, value if equals else "")


def glob_match(pattern: str, text: str) -> bool:
    """Return whether a glob with `*` and `?` matches the whole text; linear for one star, bounded for more."""
    if "*" not in pattern and "?" not in pattern:
        return pattern == text
    at, place, star, mark = 0, 0, -1, 0
    while at < len(text):
        if place < len(pattern) and (pattern[place] == "?" or pattern[place] == text[at]) and pattern[place] != "*":
            at += 1
            place += 1
        elif place < len(pattern) and pattern[place] == "*":
            star, mark = place, at
            place += 1
        elif star >= 0:
            place = star + 1
            mark += 1
            at = mark
        else:
            return False
    while place < len(pattern) and pattern[place] == "*":
        place += 1
    return place == len(pattern)
