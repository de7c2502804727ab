"""Bind arguments as Windows does: parameters of cmdlets, switches of programs."""

from __future__ import annotations

from phocinae_cli.analysis.arguments import Arguments
from phocinae_cli.analysis.values import NOTHING, Value, known
from phocinae_cli.analysis.windows.invocation import Argument
from phocinae_cli.analysis.windows.paths import Located, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.analysis.windows.things import Thing
    from phocinae_cli.kb.lookup import Tool

COMMON_VALUES = frozenset(
    (
        "-erroraction", "-ea", "-errorvariable", "-ev", "-warningaction", "-wa", "-warningvariable", "-wv",
        "-informationaction", "-infa", "-informationvariable", "-iv", "-outvariable", "-ov", "-outbuffer", "-ob",
        "-pipelinevariable", "-pv", "-progressaction", "-credential", "-computername", "-cn", "-cimsession",
        "-session", "-encoding",
        "-filter", "-include", "-exclude", "-throttlelimit", "-vmname", "-scope",
    )
)  # fmt: skip
SWITCHES = frozenset(
    ("-force", "-recurse", "-confirm", "-whatif", "-verbose", "-debug", "-passthru", "-asjob", "-wait")
)
"""Parameters without a value that any cmdlet may have."""
SLOT_ONE = ("-path", "-literalpath", "-pspath", "-lp", "-filepath")
SLOT_TWO = ("-destination", "-destinationpath", "-newname")


def bind(tool: Tool | None, given: list[Argument], scope: WindowsScope) -> Arguments:
    """Bind parameters: names cut short, values behind them, paths by their names as well as by position."""
    arguments = Arguments("powershell")
    owned = frozenset(name.lower() for name in tool.values) if tool is not None else NOTHING
    any_noun = tool is not None and tool.name.endswith("-*")
    requests = tool is not None and tool.name.removeprefix("powershell:") == "invoke-azrestmethod"
    first: list[Value] = []
    second: list[Value] = []
    positional: list[Value] = []
    index = 0
    while index < len(given):
        item = given[index]
        index += 1
        if not item.name:
            positional.extend(located(value, scope.home) for value in item.thing.values)
            continue
        name, thing, bound = item.name.lower(), item.thing, item.bound
        if "=" in name:
            name = name.partition("=")[0]
        owns = _takes_value(name, owned) or (any_noun and name not in SWITCHES)
        if not bound and index < len(given) and not given[index].name and owns:
            thing, bound = given[index].thing, True
            item.thing = thing  # the handlers look parameters up by name
            index += 1
        values = [located(value, scope.home) for value in thing.values]
        if bound and _is(name, SLOT_ONE):
            first.extend(values)
        elif bound and _is(name, SLOT_TWO):
            second.extend(values)
        if bound and len(values) == 1 and _false(values[0]) and not owns:
            continue  # `-Force:$false`
        if (any_noun or requests) and thing.table is not None:
            arguments.flags.extend(_fields(thing, scope))
        if not values:
            arguments.flags.append((name, None))
        arguments.flags.extend((name, value) for value in values)
    arguments.operands = [*first, *positional, *second] if first or second else positional
    if second and not first and positional:
        arguments.operands = [*positional, *second]
    first_word = arguments.operands[0].text.lower() if arguments.operands else ""
    if tool is not None and tool.knows_verb(first_word):
        fold_verbs(arguments, tool)
    return arguments


def _fields(thing: Thing, scope: WindowsScope) -> list[tuple[str, Value | None]]:
    """Return the fields of a table as options: `-BodyParameter @{state = 'disabled'}` is `-state disabled`."""
    found: list[tuple[str, Value | None]] = []
    for name, value in (thing.table or {}).items():
        if value.table is not None:
            found.extend(_fields(value, scope))
        elif value.values:
            found.append(("-" + name.lower(), located(value.one(), scope.home)))
    return found


def _false(value: Value) -> bool:
    return (value.exact or "").lower() in ("false", "$false")


def _is(name: str, full: tuple[str, ...]) -> bool:
    return name in full or (len(name) > 2 and any(item.startswith(name) for item in full))


def _takes_value(name: str, owned: frozenset[str]) -> bool:
    if name in owned or name in COMMON_VALUES:
        return True
    if _is(name, SLOT_ONE) or _is(name, SLOT_TWO):
        return True
    if any(item.startswith(name) for item in owned):
        return not any(item.startswith(name) for item in ("-force", "-recurse", "-whatif", "-confirm"))
    return len(name) > 3 and any(item.startswith(name) for item in COMMON_VALUES)


def fold_verbs(arguments: Arguments, tool: Tool | None) -> Arguments:
    """Write verbs in lower case, as the rows do: Windows does not tell them apart."""
    if tool is not None:
        for number, value in enumerate(arguments.operands[:5]):
            low = value.text.lower()
            if value.known and low != value.text and low.isalpha() and (number or tool.knows_verb(low)):
                arguments.operands[number] = known(low, value.taint)
    return arguments


def read_slash(words: tuple[Value, ...], tool: Tool) -> Arguments:
    """Read switches as programs of Windows do: `/f/s/q`, `/t:10`, `-t 10`; a path is no switch."""
    arguments = Arguments("slash")
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        text = word.text if word.known else word.head()
        if text[:1] not in ("/", "-") or len(text) < 2:
            arguments.operands.append(word)
            continue
        name, colon, _ = text.partition(":")
        if colon:
            arguments.flags.append(
                (
                    "/" + name[1:].lower(),
                    word.cut(len(name) + 1) if not isinstance(word, Located) else known(text[len(name) + 1 :]),
                )
            )
            continue
        pieces = text[1:].split("/")
        if len(pieces) > 1 and any(len(piece) > 3 for piece in pieces):
            arguments.operands.append(word)
            continue
        for piece in pieces:
            flag = "/" + piece.lower()
            if flag in tool.values and index < len(words) and piece == pieces[-1]:
                arguments.flags.append((flag, words[index]))
                index += 1
            else:
                arguments.flags.append((flag, None))
    return arguments
