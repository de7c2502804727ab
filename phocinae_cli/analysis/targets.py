"""Which words of an argv a target or a source of code in the knowledge base names."""

from __future__ import annotations

from phocinae_cli.analysis.values import Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation


def select(invocation: Invocation, source: str, taken: int) -> list[Value]:
    """Return the words that a target or a source of code names: `args`, `args 2+`, `arg 1`, `last`, `but-last`,
    `opt -o|--output`, `key of`, `after -exec` (all that follows an option), `base args` (the file names of
    addresses), `set -o NAME|NAME` (what such options set these names to), `plus` (operands behind a `+`)."""
    head, _, tail = source.partition(" ")
    operands = invocation.arguments.operands[taken:]
    if head == "args":
        skip = int(tail.rstrip("+")) - 1 if tail and tail.rstrip("+").isdigit() else 0
        return operands[skip:]
    if head == "arg":
        number = int(tail or "1")
        return operands[number - 1 : number]
    if head == "last":
        return operands[-1:]
    if head == "but-last":
        return operands[:-1] if len(operands) > 1 else operands
    if head == "but-first":
        return operands[1:]
    if head == "opt":
        return invocation.arguments.values(*tail.split("|"))
    if head == "key":
        return _keyed(invocation, operands, tail.split("|"))
    if head == "cwd":
        return [known(".")]
    if head == "base":
        return [known(name) for name in (_last_component(value) for value in select(invocation, tail, taken)) if name]
    if head == "set":
        return _settings(invocation, tail.split(" "))
    if head == "plus":
        return [value.cut(1) for value in operands if value.head().startswith("+") and len(value.head()) > 1]
    if head == "after":
        return _after(invocation, tail.split("|"))
    return []


def _keyed(invocation: Invocation, operands: list[Value], names: list[str]) -> list[Value]:
    """Return what words set these names to: `of=x`, `commands=["x","y"]`, `{"commands":["x"]}`."""
    found: list[Value] = []
    for value in (*operands, *(value for _, value in invocation.arguments.flags if value is not None)):
        head = value.head()
        if head.startswith("{"):
            from phocinae_cli.analysis.json_words import members

            found.extend(members(value, names))
        for name in names:
            if head.startswith(name + "="):
                found.extend(_each_item(value.cut(len(name) + 1)))
    return found


def _each_item(value: Value) -> list[Value]:
    if not value.head().startswith("["):
        return [value]
    from phocinae_cli.analysis.json_words import items

    return items(value)


def _last_component(value: Value) -> str:
    """Return the file name that a download of this address gets, or an empty text."""
    text = value.text.partition("?")[0].partition("#")[0].rstrip("/")
    path = text.partition("://")[2] if "://" in text else text
    return path.partition("/")[2].rpartition("/")[2]


def _settings(invocation: Invocation, words: list[str]) -> list[Value]:
    """Return what `-o NAME=VALUE` sets for some names; `words` are the option and the names."""
    names = words[1].lower().split("|")
    found = []
    for value in invocation.arguments.values(*words[0].split("|")):
        head = value.head()
        size = next((number for number, char in enumerate(head) if char in "= "), len(head))
        if head[:size].lower() in names:
            found.append(value.cut(size + 1))
    return found


def _after(invocation: Invocation, names: list[str]) -> list[Value]:
    for number, word in enumerate(invocation.words):
        if word.exact in names:
            return list(invocation.words[number + 1 :])
    return []
