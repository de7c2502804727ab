"""The options of `check` as one table: read here without any import, and turned into a Typer command by `cli`."""

from __future__ import annotations

FLAG = "flag"
VALUE = "value"
CHOICE = "choice"
LIST = "list"

OPTIONS: tuple[tuple[str, str, str, str | tuple[str, ...], str], ...] = (
    ("--stdin", "stdin", FLAG, "", "Read one command text from standard input; `-` as the command does the same."),
    ("--jsonl", "jsonl", FLAG, "", "Read one JSON object a line from standard input, answer each with one, in order."),
    ("--file", "file", VALUE, "SCRIPT", "Vet each command of a script, with line numbers."),
    (
        "--shell",
        "shell",
        CHOICE,
        ("bash", "zsh", "sh", "fish", "powershell", "cmd"),
        "The shell the command is for; without it $SHELL's name, else bash.",
    ),
    ("--cwd", "cwd", VALUE, "DIR", "The directory it would run in; without it the current one."),
    ("--tool", "tool", VALUE, "NAME", "The name held against gate.tools; without it `shell`."),
    (
        "--audience",
        "audience",
        CHOICE,
        ("agent", "ci", "person"),
        "Who would run it; without it `agent`. At a `person`'s prompt what can be undone passes.",
    ),
    ("--alias", "alias", LIST, "NAME=TEXT", "An alias the shell has; may be given several times."),
    ("--set", "set", LIST, "KEY=VALUE", "A setting for this run, such as gate.mode=noul; may be given several times."),
    ("--record", "record", VALUE, "FILE", "Add every exchange with the decision service to a file."),
    ("--replay", "replay", VALUE, "FILE", "Answer from such a file instead of the service."),
    ("--no-facts", "no_facts", FLAG, "", "Judge the text alone, without a look at files and git."),
    ("--json", "json", FLAG, "", "Print one JSON object."),
    ("--fail-on", "fail_on", CHOICE, ("ask", "deny"), "From which decision on the status is not 0; without it `ask`."),
    ("--quiet", "quiet", FLAG, "", "Print nothing; the exit status is the answer."),
)
"""Each row: how it is typed, its name in code, its kind, the word for its value or the choices, and its help."""

ROW_OF = {row[0]: row for row in OPTIONS}

Values = dict[str, "bool | str | list[str] | None"]
"""A value for each option by its name in code (False, None or an empty list when absent), and `words`."""


def quick(argv: list[str]) -> Values | None:
    """Return what the arguments behind `check` say, or None for everything that Typer should see: help and errors.

    Only the plain forms are read: a line, an argv, or one text from standard input.
    """
    options, words, problem = split(argv)
    if problem:
        return None
    values: Values = {row[1]: [] if row[2] == LIST else False if row[2] == FLAG else None for row in OPTIONS}
    values["words"] = words
    at = 0
    while at < len(options):
        name, equals, value = options[at].partition("=")
        row = ROW_OF.get(name)
        at += 1
        if row is None:
            return None
        if row[2] == FLAG:
            if equals:
                return None
            values[row[1]] = True
            continue
        if not equals:
            if at == len(options):
                return None
            value = options[at]
            at += 1
        if row[2] == CHOICE and value not in row[3]:
            return None
        held = values[row[1]]
        if isinstance(held, list):
            held.append(value)
        else:
            values[row[1]] = value
    if values["jsonl"] or values["file"] is not None or clash(values):
        return None
    return values


def split(argv: list[str]) -> tuple[list[str], list[str], str]:
    """Return the options, the words of the command, and a sentence on what is ambiguous (else empty).

    Options stand in front of the command, or behind a line that is one word here. With several words each one
    belongs to the command, options included: swallowing one would vet another command than the one meant.
    """
    at = 0
    while at < len(argv):
        if argv[at] == "--":
            return argv[:at], argv[at + 1 :], ""
        if not _is_option(argv[at]):
            break
        if argv[at].partition("=")[0] not in ROW_OF:
            return argv, [], ""  # help, or an option nobody knows: Typer has the answer
        at += _width(argv[at])
    else:
        return argv, [], ""
    front, first, rest = argv[:at], argv[at], argv[at + 1 :]
    ours, others = _sort(rest)
    if not others:
        return front + rest, [first], ""
    if ours:
        return argv, [], f"{ours!r} may be an option of check or a word of the command: put -- in front of the command"
    if all(_is_option(word) for word in rest) and any(char.isspace() for char in first):
        return argv, [], f"no such option: {others}"
    if first == "-":
        return argv, [], "- reads standard input and goes with no other word"
    return front, [first, *rest], ""


def clash(values: Values) -> str:
    """Return a sentence when the options contradict each other or name no command, else the empty string."""
    words = values["words"]
    given = [name for name in ("--stdin", "--jsonl", "--file") if values[name[2:]] not in (False, None)]
    if words and words != ["-"]:
        given.append("a command")
    elif words and not values["stdin"]:
        given.append("-")
    if not given:
        return "no command: give a line, an argv, - for standard input, --jsonl or --file"
    if len(given) > 1:
        return f"{given[0]} and {given[1]} exclude each other"
    if values["record"] is not None and values["replay"] is not None:
        return "--record and --replay exclude each other"
    if values["quiet"] and (values["json"] or values["jsonl"]):
        return "--quiet and --json exclude each other"
    return ""


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-"


def _width(option: str) -> int:
    """Return how many words an option of ours takes up, itself included."""
    name, equals, _ = option.partition("=")
    return 1 if equals or ROW_OF[name][2] == FLAG else 2


def _sort(rest: list[str]) -> tuple[str, str]:
    """Return the first of our options among the words behind the first, and the first word that is none."""
    ours = others = ""
    at = 0
    while at < len(rest):
        name = rest[at].partition("=")[0]
        if name == "--help":
            ours = ours or name
            at += 1
        elif name in ROW_OF:
            ours = ours or name
            at += _width(rest[at])
        else:
            others = others or rest[at] or "''"
            at += 1
    return ours, others
