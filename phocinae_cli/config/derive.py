"""A rule for a line as it stands, for those who would rather point than write patterns."""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise
from phocinae_cli.config.rules import Entry
from phocinae_cli.core.settings import Rule
from phocinae_cli.core.verdict import ALLOW
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Action, Analysis

BY_HAND = "write it with `phocinae rules add`"


def rule_for(decision: str, line: str, analysis: Analysis, reason: str = "") -> Entry:
    """Return a rule with its line as the example that proves it; raises PhocinaeError (INVALID_ARGUMENTS).

    An allow rule pins the command word by word. Others take the program, its operands and its options, so that
    the same command with more words is matched too.
    """
    action = _only_action(line, analysis)
    if decision == ALLOW:
        program = action.argv[0]
        if "/" in program:
            program = normalise(program, action.cwd) or program
        rule = Rule(decision, "", reason=reason, words=(program, *action.argv[1:]))
        return Entry(rule, (line,))
    operands, flags = _parted(action.argv[1:])
    return Entry(Rule(decision, action.program, operands, flags, reason=reason), (line,))


def _only_action(line: str, analysis: Analysis) -> Action:
    if analysis.fault or analysis.unreadable:
        why = analysis.fault or analysis.unreadable
        raise PhocinaeError(INVALID_ARGUMENTS, f"the line can't be read: {why}", "give one whole command")
    typed = [action for action in analysis.actions if not action.place]
    if len(typed) != 1 or typed[0].via or not typed[0].argv or not typed[0].program:
        raise PhocinaeError(INVALID_ARGUMENTS, f"`{line}` is not one plain command", f"give one command, or {BY_HAND}")
    action = typed[0]
    if not all(action.known) or any(char in word for word in action.argv for char in "*?"):
        what = f"`{line}` holds words that are known only when it runs"
        raise PhocinaeError(INVALID_ARGUMENTS, what, f"give the words as they will be, or {BY_HAND}")
    return action


def _parted(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    end = words.index("--") if "--" in words else len(words)
    flags = tuple(word for word in words[:end] if len(word) > 1 and word[0] == "-")
    operands = tuple(word for word in words[:end] if word not in flags) + words[end + 1 :]
    return operands, flags
