"""The `[[rules]]` of a file: read, checked, and tied to the directory of the project they came from."""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise
from phocinae_cli.config.keys import nearest, shown
from phocinae_cli.config.problems import Problem, line_of
from phocinae_cli.core.settings import Rule
from phocinae_cli.core.verdict import ALLOW, ASK, DENY

DECISIONS = (ALLOW, ASK, DENY)
WORD_LISTS = ("subcommand", "flags", "paths", "words", "match", "no_match")
TEXTS = ("decision", "program", "reason")
FIELDS = TEXTS + WORD_LISTS


class Entry:
    """A rule with the examples that prove it: lines it must match, and lines it must not.

    `line` is where it stands in its file; `folder` the project's directory, None for a rule of the user's own.
    """

    __slots__ = ("folder", "line", "match", "no_match", "rule")

    def __init__(
        self,
        rule: Rule,
        match: tuple[str, ...] = (),
        no_match: tuple[str, ...] = (),
        line: int = 0,
        folder: str | None = None,
    ) -> None:
        self.rule = rule
        self.match = match
        self.no_match = no_match
        self.line = line
        self.folder = folder


def read_rules(raw: object, where: str, text: str, folder: str | None = None) -> tuple[list[Entry], list[Problem]]:
    """Return the rules of one file and what is wrong with them.

    `folder` is the project's directory: patterns on paths that are not absolute are read from there.
    """
    if not isinstance(raw, list) or not all(isinstance(table, dict) for table in raw):
        return [], [Problem(where, "rules", "this is not a list of tables", "start each rule with [[rules]]")]
    entries: list[Entry] = []
    problems: list[Problem] = []
    for nth, table in enumerate(raw):
        found = _faults(table)
        if found:
            problems += [
                Problem(
                    where, f"rules.{field}" if field else "rules", what, remedy, line_of(text, f"rules.{field}", nth)
                )
                for field, what, remedy in found
            ]
            continue
        entries.append(_entry(table, where, line_of(text, "rules.decision", nth), folder))
    return entries, problems


def _faults(table: dict[str, object]) -> list[tuple[str, str, str]]:
    """Return each fault of one rule as a field, what is wrong, and what to write instead."""
    faults: list[tuple[str, str, str]] = []
    for field, value in table.items():
        if field not in FIELDS:
            near = nearest(field, FIELDS)
            remedy = f"did you mean {near!r}?" if near else f"a rule has {', '.join(FIELDS)}"
            faults.append((field, "a rule has no such field", remedy))
        elif field in TEXTS and not isinstance(value, str):
            faults.append((field, f"{shown(value)} is not a text", "write it in quotes"))
        elif field in WORD_LISTS and not _is_words(value):
            faults.append((field, f"{shown(value)} is not a list of texts", 'write it as ["one", "two"]'))
    if faults:
        return faults
    decision = table.get("decision")
    if decision not in DECISIONS:
        what = "a rule needs a decision" if decision is None else f"{shown(decision)} is no decision"
        faults.append(("decision", what, "write one of allow, ask, deny"))
    if not any(table.get(field) for field in ("program", "subcommand", "flags", "paths", "words")):
        faults.append(("", "the rule does not say which commands it is for", 'name at least one, as program = "git"'))
    if table.get("words") and any(table.get(field) for field in ("program", "subcommand", "flags", "paths")):
        faults.append(("words", "words stand for the whole command, so no other pattern goes with them", "drop either"))
    return faults + _pattern_faults(table)


def _pattern_faults(table: dict[str, object]) -> list[tuple[str, str, str]]:
    faults: list[tuple[str, str, str]] = []
    program = table.get("program", "")
    if isinstance(program, str) and len(program.split()) > 1:
        faults.append(("program", f"{shown(program)} is more than one word", "put the others into subcommand"))
    for field in ("subcommand", "flags", "paths"):
        for word in _words(table.get(field)):
            if not word or (field != "paths" and any(char.isspace() for char in word)):
                faults.append((field, f"{shown(word)} is not one word", "write each word as an entry of its own"))
    for flag in _words(table.get("flags")):
        if any(not part.startswith(("-", "/", "+")) or len(part) < 2 for part in flag.split("|")):
            faults.append(("flags", f"{shown(flag)} is not an option", "write options with their dashes: -f|--force"))
    return faults


def _entry(table: dict[str, object], where: str, line: int, folder: str | None) -> Entry:
    words = _words(table.get("words"))
    rule = Rule(
        str(table["decision"]),
        str(table.get("program", "")),
        _words(table.get("subcommand")),
        _words(table.get("flags")),
        tuple(_tied(path, folder) for path in _words(table.get("paths"))),
        str(table.get("reason", "")),
        where,
        (_tied(words[0], folder), *words[1:]) if words else (),
    )
    return Entry(rule, _words(table.get("match")), _words(table.get("no_match")), line, folder)


def _tied(pattern: str, folder: str | None) -> str:
    if folder is None or "/" not in pattern or pattern.startswith(("/", "~/", "**/")):
        return pattern
    return normalise(pattern, folder) or pattern


def _is_words(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(word, str) for word in value))


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(str(word) for word in value) if isinstance(value, list) else ()


def as_toml(entry: Entry) -> str:
    """Return a rule as the lines of a file, from `[[rules]]` on."""
    rule = entry.rule
    lines = ["[[rules]]", f"decision = {_quoted(rule.decision)}"]
    lines += [f"program = {_quoted(rule.program)}"] if rule.program else []
    for field, words in (
        ("words", rule.words), ("subcommand", rule.subcommand), ("flags", rule.flags), ("paths", rule.paths),
    ):  # fmt: skip
        lines += [f"{field} = [{', '.join(map(_quoted, words))}]"] if words else []
    lines += [f"reason = {_quoted(rule.reason)}"] if rule.reason else []
    for field, words in (("match", entry.match), ("no_match", entry.no_match)):
        lines += [f"{field} = [{', '.join(map(_quoted, words))}]"] if words else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else _escape(char) for char in escaped) + '"'


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def described(rule: Rule) -> str:
    """Return a rule's pattern as one line for people."""
    if rule.words:
        return " ".join(rule.words)
    parts = [rule.program or "*", *rule.subcommand, *rule.flags]
    return " ".join(parts) + (f" on {', '.join(rule.paths)}" if rule.paths else "")
