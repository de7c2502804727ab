"""What a move loses: many files that get one name, and what a running service keeps taken away under its feet."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.values import Stream, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

EACH = ("find -exec", "fd -x", "xargs", "parallel", "zargs")
KEPT_ASIDE = (".bak", ".old", ".orig", "-old", "-bak", ".broken", ".save", "~", "_old", "_bak", "-backup", ".backup")
"""How a directory ends that no service uses any more."""
STORES = frozenset(("main", "data", "db"))
"""What the directory of a store is called below that of its service."""
ONE_NAME = "every file overwrites the one before, so that only the last is left"


def judge_moved(invocation: Invocation, sources: list[Value], target: Value) -> None:
    """Judge what `mv` takes away, one source after the other."""
    for value in sources:
        if len(sources) == 1 and _one_of_many(invocation, value) and _names_a_file(invocation, value, target):
            invocation.path_effect(
                "delete", value, True, code="mv.onto-one", why=ONE_NAME, instead="give each a name of its own"
            )
        if _is_live(invocation, value):
            invocation.effect(
                "service", value.text, "mv.live-data", "the service loses what it keeps there while it runs",
                instead="stop the service first", harm="destructive",
            )  # fmt: skip


def _one_of_many(invocation: Invocation, value: Value) -> bool:
    """Return whether a command runs once for each of the files that a pattern finds."""
    if not value.globs:
        return False
    if any(name in invocation.context.via for name in EACH):
        return True
    variables = invocation.scope.variables.values()
    return any(item.text == value.text for choices in variables for fields in choices for item in fields)


def _names_a_file(invocation: Invocation, source: Value, target: Value) -> bool:
    """Return whether a target is one file for all: written out on the line, and with the ending of what is moved."""
    name, final = source.text.rpartition("/")[2], target.text.rpartition("/")[2]
    ending = name.rpartition(".")[2] if "." in name else ""
    if not target.known or "*" not in name or "*" in final or ending in ("", "d", "*"):
        return False
    if not final.endswith("." + ending):
        return False
    return final in invocation.evaluator.collector.request.text  # `img$i.jpg` is another one each time


def _is_live(invocation: Invocation, value: Value) -> bool:
    """Return whether a service keeps its data there and nothing on the line stopped it."""
    path = invocation.scope.resolve(value.text) if value.known else None
    if path is None or not path.startswith("/var/lib/") or path.endswith(KEPT_ASIDE):
        return False
    parts = path.split("/")
    if len(parts) > 4 and parts[-1] not in STORES and not (len(parts) == 5 and parts[4] == "*"):
        return False
    actions = invocation.evaluator.collector.actions
    return not any("stop" in word or word in ("down", "kill") for action in actions for word in action.argv)


def rename(invocation: Invocation) -> Stream | None:
    """`rename -f 's/.*/x/'`: an expression that gives every file one name loses all but one."""
    arguments = invocation.arguments
    if arguments.has("-f", "--force") and arguments.operands and _gives_one_name(arguments.operands[0].text):
        for value in arguments.operands[1:]:
            invocation.path_effect("delete", value, True, code="rename.onto-one", why=ONE_NAME)
    return infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]


def _gives_one_name(code: str) -> bool:
    """Return whether a substitution takes in the whole name, or all but its ending, and puts a fixed text there."""
    pieces = code[2:].split(code[1:2]) if code[:1] == "s" and code[1:2] in ("/", "|", "#", ",", "!") else []
    if len(pieces) != 3 or "e" in pieces[2] or any(mark in pieces[1] for mark in "$\\@&"):
        return False
    pattern = pieces[0].removeprefix("^").removesuffix("$").strip("()")
    head, dot, tail = pattern.partition("\\.")
    return head in (".*", ".+", ".*?", ".+?", "[^.]*", "[^.]+") and (not dot or tail.strip("*+.").isalnum() or not tail)


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"rename": rename}
