"""The user's standing rules, held against the parsed commands of a line, never against its text.

A deny or ask rule errs towards matching: it looks inside wrappers, at the values of options, at what effects
reach, and takes every reading of the words. An allow rule errs towards not matching.
"""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.verdict import ALLOW, HARMLESS
from phocinae_cli.gate.globs import path_match, reaches_into
from phocinae_cli.gate.never import on_the_list
from phocinae_cli.kb.schema import glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from phocinae_cli.core.effects import Action, Effect
    from phocinae_cli.core.request import Request
    from phocinae_cli.core.settings import Rule

CASELESS_SHELLS = ("powershell", "cmd")

PROGRAM_DIRS = (
    "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/snap/bin",
)  # fmt: skip
"""Where a program called by its path is the one that its plain name means."""

TRANSPARENT = frozenset(
    (
        "bash", "builtin", "command", "dash", "eval", "exec", "ionice", "ksh", "nice", "nohup", "sh", "setsid",
        "stdbuf", "time", "timeout", "zsh",
    )
)  # fmt: skip
"""Wrappers that add nothing to what the command inside does, so an allow rule for that command covers both."""

QUIET = frozenset(("read", "run-project-code"))
"""Effects that only look, or say that code follows whose own effects are listed beside them."""


def first_match(rules: tuple[Rule, ...], decision: str, request: Request, analysis: Analysis) -> Rule | None:
    """Return the first rule with this decision (deny or ask) that matches some command of the line, or None."""
    if not rules:
        return None
    rules = tuple(rule for rule in rules if rule.decision == decision)
    effects = by_action(analysis) if rules else {}
    for rule in rules:
        for action in analysis.actions:
            if touches(rule, action, effects.get(id(action), ()), request):
                return rule
    return None


def allowing(rules: tuple[Rule, ...], request: Request, analysis: Analysis) -> tuple[Rule, Analysis] | None:
    """Return the first allow rule that covers a command of the line, and what is left of the line without all
    that allow rules cover; None when they cover nothing, or the line is not wholly read.
    """
    if not rules:
        return None
    rules = tuple(rule for rule in rules if rule.decision == ALLOW)
    if not rules or analysis.fault or analysis.unfinished or analysis.unreadable:
        return None
    first: Rule | None = None
    covered: set[int] = set()
    grouped = by_action(analysis)
    for action in analysis.actions:
        effects = grouped.get(id(action), ())
        rule = None if any(map(on_the_list, effects)) else _covering(rules, action, effects, request)
        if rule is not None:
            covered.add(id(action))
            first = first or rule
    if first is None:
        return None
    rest = Analysis(
        tuple(action for action in analysis.actions if id(action) not in covered),
        tuple(effect for effect in analysis.effects if id(effect.action) not in covered),
    )
    return first, rest


def only_reads(analysis: Analysis) -> bool:
    """Return whether every command is described and fully known, and nothing is done beyond reading."""
    known = all(all(action.known) and (action.described or not action.argv) for action in analysis.actions)
    return known and all(effect.certain and _shows_or_drops(effect) for effect in analysis.effects)


def by_action(analysis: Analysis) -> dict[int, Sequence[Effect]]:
    """Return the effects that each action causes, by the identity of the action."""
    grouped: dict[int, list[Effect]] = {}
    for effect in analysis.effects:
        grouped.setdefault(id(effect.action), []).append(effect)
    return {owner: tuple(effects) for owner, effects in grouped.items()}


def is_quiet(effect: Effect) -> bool:
    """Return whether the effect does nothing beyond reading, by its kind or by what the knowledge base claims."""
    return effect.harm == HARMLESS or (effect.harm is None and effect.kind in QUIET)


# --- deny and ask: any reading that matches, matches ------------------------------------------------------------------


def touches(rule: Rule, action: Action, effects: Sequence[Effect], request: Request) -> bool:
    """Return whether a deny or ask rule matches an action, one of its wrappers, or what its effects reach."""
    if rule.words:
        return _words_match(rule.words, action, request)
    if not _names(rule.program, action, request):
        return _names_wrapper(rule, action, request)
    if not verbs_match(rule.subcommand, action.argv, request):
        return False
    if not _has_flags(rule, action):
        return False
    return not rule.paths or _touches_path(rule, action, effects, request)


def _names(pattern: str, action: Action, request: Request) -> bool:
    if not pattern or pattern == "*":
        return True
    if "/" in pattern:
        path = normalise(action.argv[0], action.cwd) if action.argv else None
        return path is not None and path_match(pattern, path, request.cwd, request.home)
    return _glob(pattern, action.program, request)


def _names_wrapper(rule: Rule, action: Action, request: Request) -> bool:
    # A wrapper keeps no words of its own in an analysis, so only a rule on the bare program can be told to match.
    if rule.subcommand or rule.flags or rule.paths:
        return False
    return any(_glob(rule.program, _wrapper_name(item), request) for item in action.via)


def _wrapper_name(item: str) -> str:
    return item.split(" ", 1)[0].rpartition("/")[2]


def _touches_path(rule: Rule, action: Action, effects: Sequence[Effect], request: Request) -> bool:
    paths = [normalise(word, action.cwd) for word in path_words(action.argv)]
    for effect in effects:
        target = effect.target
        paths.append(target.path)
        if target.recursive and target.path is not None:
            if any(reaches_into(pattern, target.path, request.cwd, request.home) for pattern in rule.paths):
                return True
    return any(path_match(pattern, path, request.cwd, request.home) for path in paths if path for pattern in rule.paths)


def verbs_match(patterns: tuple[str, ...], argv: tuple[str, ...], request: Request) -> bool:
    """Return whether the operands may start with the patterns: an option in front of a verb may own a value.

    `git -C sub push`: the verb is `sub` if -C stands alone and `push` if it takes a value. Both are tried.
    """
    reached = {0}
    may_be_value = options_ended = False
    for word in argv[1:]:
        if len(patterns) in reached:
            return True
        if not options_ended and _is_flag(word):
            options_ended = word == "--"
            may_be_value = not options_ended and "=" not in word
            continue
        after = {at + 1 for at in reached if _is_verb(patterns[at], word, request)}
        reached = after | reached if may_be_value else after
        may_be_value = False
    return len(patterns) in reached


def _words_match(patterns: tuple[str, ...], action: Action, request: Request) -> bool:
    if len(patterns) != len(action.argv) or not patterns:
        return False
    words = (action.program, *action.argv[1:])
    first = _names(patterns[0], action, request)
    return first and all(_glob(pattern, word, request) for pattern, word in zip(patterns[1:], words[1:], strict=True))


def _is_verb(pattern: str, word: str, request: Request) -> bool:
    return any(_glob(part, word, request) for part in pattern.split("|"))


def _glob(pattern: str, text: str, request: Request) -> bool:
    if request.shell in CASELESS_SHELLS:
        return glob_match(pattern.lower(), text.lower())
    return glob_match(pattern, text)


# --- allow: only what is certain --------------------------------------------------------------------------------------


def _covering(rules: tuple[Rule, ...], action: Action, effects: Sequence[Effect], request: Request) -> Rule | None:
    if not all(action.known) or not _wrappers_covered(rules, action, request):
        return None
    for rule in rules:
        if covers(rule, action, effects, request):
            return rule
    return None


def _wrappers_covered(rules: tuple[Rule, ...], action: Action, request: Request) -> bool:
    for item in action.via:
        name = _wrapper_name(item)
        if name in TRANSPARENT:
            continue
        if not any(_is_bare(rule) and rule.program and _glob(rule.program, name, request) for rule in rules):
            return False
    return True


def _is_bare(rule: Rule) -> bool:
    return not (rule.subcommand or rule.flags or rule.paths or rule.words)


def covers(rule: Rule, action: Action, effects: Sequence[Effect], request: Request) -> bool:
    """Return whether an allow rule covers one action, its wrappers aside, with everything that it does."""
    if not action.program or not plain_name(action, rule.program or (rule.words[0] if rule.words else "")):
        return False
    if rule.words:
        return _words_match(rule.words, action, request)
    if not _names(rule.program, action, request):
        return False
    if not _verbs_in_front(rule.subcommand, action.argv, request) or not _has_flags(rule, action):
        return False
    return not rule.paths or _stays_inside(rule, action, effects, request)


def plain_name(action: Action, pattern: str) -> bool:
    """Return whether the program is the one its name means: `./git` is not `git`, unless a pattern names the path."""
    called = action.argv[0] if action.argv else action.program
    return "/" not in called or "/" in pattern or called.rpartition("/")[0] in PROGRAM_DIRS


def _verbs_in_front(patterns: tuple[str, ...], argv: tuple[str, ...], request: Request) -> bool:
    # Behind an option nobody can tell here whether a word is a verb or the option's value: that is not covered.
    front = [word for word in argv[1:] if not (_is_flag(word) and "=" in word)][: len(patterns)]
    if len(front) < len(patterns):
        return False
    return all(
        not _is_flag(word) and _is_verb(pattern, word, request) for pattern, word in zip(patterns, front, strict=True)
    )


def _stays_inside(rule: Rule, action: Action, effects: Sequence[Effect], request: Request) -> bool:
    """Return whether every path the action names or changes matches: one that matches must not carry another."""
    words = path_words(action.argv)
    skipped = 0
    paths: list[str | None] = []
    for word in words:
        if skipped < len(rule.subcommand) and _is_verb(rule.subcommand[skipped], word, request):
            skipped += 1
            continue
        paths.append(normalise(word, action.cwd))
    named = len(paths)
    for effect in effects:
        if effect.target.path is not None and not is_quiet(effect):
            paths.append(effect.target.path)
    if not named:
        return False
    return all(
        path is not None and any(path_match(pattern, path, request.cwd, request.home) for pattern in rule.paths)
        for path in paths
    )


def _shows_or_drops(effect: Effect) -> bool:
    # A redirection is an action of its own, without words: one into /dev/null drops what it gets.
    return is_quiet(effect) or (not effect.action.argv and effect.target.place == "stream")


# --- words ------------------------------------------------------------------------------------------------------------


def path_words(argv: tuple[str, ...]) -> list[str]:
    """Return every word, or value inside an option or a `key=value`, that may be a path."""
    found: list[str] = []
    options = True
    for word in argv[1:]:
        if options and word == "--":
            options = False
            continue
        flag = options and _is_flag(word)
        _, equals, value = word.partition("=")
        if not flag:
            found.append(word)
        if equals and value and (flag or "/" in value or not word.startswith((".", "/", "~"))):
            found.append(value)
        elif flag and not word.startswith("--") and ("/" in word or "." in word or "~" in word):
            found.append(word[2:])
    return found


def _has_flags(rule: Rule, action: Action) -> bool:
    if not rule.flags:
        return True
    end = action.argv.index("--") if "--" in action.argv else len(action.argv)
    flags = [word for word in action.argv[1:end] if _is_flag(word)]
    return all(has_flag(flag, flags) for flag in rule.flags)


def has_flag(wanted: str, flags: list[str]) -> bool:
    """Return whether an option is given: `-f|--force` either of them, `-rf` both letters, `--out` also `--out=x`."""
    return any(_one_flag(option, flags) for option in wanted.split("|"))


def _one_flag(wanted: str, flags: list[str]) -> bool:
    for flag in flags:
        if flag == wanted or flag.startswith(wanted + "="):
            return True
    if wanted.startswith("--") or len(wanted) < 2 or wanted[0] != "-":
        return False
    return all(any(_in_cluster(letter, flag) for flag in flags) for letter in wanted[1:])


def _in_cluster(letter: str, flag: str) -> bool:
    return len(flag) > 1 and flag[1] != "-" and flag[1:].isalnum() and letter in flag[1:]


def _is_flag(word: str) -> bool:
    return len(word) > 1 and word[0] == "-"
