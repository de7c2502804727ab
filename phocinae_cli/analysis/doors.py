"""Doors to another command or time: env and sudo with their variables, crontab with its table."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.environment import WATCHED, set_variable
from phocinae_cli.analysis.parse import parse
from phocinae_cli.analysis.syntax import Simple
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known
from phocinae_cli.analysis.words import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

# --- env, sudo and other doors ---------------------------------------------------------------------------------


def env(invocation: Invocation) -> Stream | None:
    """`env`: variables, then a command; `-S` splits a text into both."""
    arguments = invocation.arguments
    words = list(arguments.operands)
    split = arguments.value("-S", "--split-string")
    if split is not None:
        # What stands behind `-S TEXT` belongs to the command in the text, options too.
        words = [*split_words(invocation, split), *_behind_text(invocation, split)]
    scope = invocation.scope.copy()
    if arguments.has("-i", "--ignore-environment", "-"):
        scope.env = {}
    folder = arguments.value("-C", "--chdir")
    if folder is not None:
        scope.cwd = scope.resolve(folder.text) if folder.known else None
    while words:
        name, equals, _ = words[0].head().partition("=")
        if not equals or not name:
            break
        if name.isidentifier():
            scope.assign(name, [(words[0].cut(len(name) + 1),)])
            scope.exported |= {name}
            if name in WATCHED:
                set_variable(invocation.evaluator, name, words[0].cut(len(name) + 1), scope, invocation.context)
        words.pop(0)
    if words and words[0].exact == "run" and invocation.name.startswith("dotenv"):
        words.pop(0)
    if words and words[0].exact == "--":
        words.pop(0)
    if not words:
        return Stream(None, frozenset(("environment",)), "the environment")
    return invocation.run(tuple(words), "env", scope)


def _behind_text(invocation: Invocation, text: Value) -> tuple[Value, ...]:
    """Return the words behind the option of `env` that holds a text to split."""
    for number, word in enumerate(invocation.words):
        head = word.head()
        attached = head.startswith("--s") or (head[:1] == "-" and head[1:2] != "-" and "S" in head)
        if word is text or (attached and word.text.endswith(text.text) and head not in ("-S", "--split-string")):
            return invocation.words[number + 1 :]
    return ()


def split_words(invocation: Invocation, value: Value) -> list[Value]:
    """Return the words of a text as a shell would split it."""
    text = value.exact
    if text is None:
        return [value]
    body = parse(text, "sh").body
    found: list[Value] = []
    for node, _ in body.items:
        if isinstance(node, Simple):
            for assign in node.assigns:
                found.append(known(text[assign.start : assign.end]))
            for word in node.words:
                for fields in expand(word, invocation.scope):
                    found.extend(fields)
    return found


def wrapper_with_assignments(invocation: Invocation) -> Stream | None:
    """`sudo`, `doas`: options, variables, then a command; without one a shell, or a file to edit."""
    if invocation.arguments.has("-e", "--edit"):
        return None
    words = list(invocation.arguments.operands)
    scope = invocation.scope.copy()
    while words:
        name, equals, _ = words[0].head().partition("=")
        if not equals or not name.isidentifier():
            break
        scope.assign(name, [(words[0].cut(len(name) + 1),)])
        words.pop(0)
    if not words:
        return None
    out = invocation.run(tuple(words), invocation.name, scope)
    invocation.scope.files, invocation.scope.mounts = scope.files, scope.mounts
    return out


OWN_TABLE = "crontab"
"""The mark of what `crontab -l` prints: a table made from it keeps the old jobs."""


def crontab(invocation: Invocation) -> Stream | None:
    """`crontab FILE` and `crontab -`: the table it installs runs by itself, so it is judged as if it ran."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    arguments = invocation.arguments
    if arguments.has("-l"):
        return Stream(None, frozenset((OWN_TABLE,)), "the table of jobs")
    if arguments.has("-r", "-e", "-i", "-V"):
        return out
    collector = invocation.evaluator.collector
    named = arguments.operands[0] if arguments.operands else None
    if named is None or named.exact == "-":
        table = invocation.stdin
    else:
        table = collector.content(named, invocation.scope)
    if (named is not None and table is EMPTY) or (table.text is not None and not table.text.strip()):
        invocation.effect("destroy", "every job", "crontab.emptied", "an empty table takes the place of all jobs")
    elif table is invocation.stdin and table is not EMPTY and OWN_TABLE not in table.taint:
        invocation.effect(
            "destroy", "every other job", "crontab.replaced", "what is fed in takes the place of all jobs",
            instead="`(crontab -l; echo 'NEW JOB') | crontab -` adds one",
        )  # fmt: skip
    if table is not EMPTY:
        collector.planted(f"/var/spool/cron/{invocation.scope.user}", table, invocation.scope, invocation.action)
    return out


def commands_in_a_row(invocation: Invocation) -> Stream | None:
    """`tmux`: a word `;` separates commands of its own, each read like a first one."""
    segments: list[list[Value]] = [[]]
    for word in invocation.words:
        if word.exact == ";":
            segments.append([])
        else:
            segments[-1].append(word)
    if len(segments) == 1:
        return None
    out = EMPTY
    for segment in segments:
        if segment:
            out = out.joined(invocation.run((known(invocation.name), *segment)))
    return out


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {
    "env": env,
    "sudo": wrapper_with_assignments,
    "crontab": crontab,
    "commands-in-a-row": commands_in_a_row,
}
