"""What a task runner would run: recipes of a Makefile or justfile, scripts of a package.json."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.values import Stream, TooMuch, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
JUSTFILES = ("justfile", "Justfile", ".justfile")
MAX_RECIPES = 2000
PRODUCING = ("create", "overwrite", "append", "write")
COMMON_SCRIPTS = frozenset(("test", "install", "time", "watch", "build", "start", "check", "type", "set", "link"))
"""Names of scripts that are also names of programs: of these the script is meant."""
PACKAGE_VERBS = ("run", "run-script", "rum", "urn")
PACKAGE_SHORT = ("test", "t", "tst", "start", "stop", "restart")


class Recipe:
    """The lines of one target: what it needs first, its commands, and the line of the file it starts on."""

    __slots__ = ("commands", "needs")

    def __init__(self, needs: tuple[str, ...]) -> None:
        self.needs = needs
        self.commands: list[tuple[int, str]] = []


def make(invocation: Invocation) -> Stream | None:
    """`make`: its recipes are read where the Makefile can be; the rows judge the target's name besides."""
    arguments = invocation.arguments
    targets: list[str] = []
    given: dict[str, str] = {}
    for value in arguments.operands:
        name, equals, rest = value.text.partition("=")
        if equals and name.rstrip(":?+").isidentifier():
            given[name.rstrip(":?+")] = rest
            _value_as_command(invocation, rest)
        else:
            targets.append(value.text)
    staged = _is_staged(invocation, given.get("DESTDIR", ""))
    arguments.operands = [
        value for value in arguments.operands if "=" not in value.text and not (staged and value.text == "install")
    ]
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    if arguments.has("-n", "--dry-run", "--just-print", "--recon", "-q", "--question", "-p"):
        return out
    folder = arguments.value("-C", "--directory")
    named = arguments.value("-f", "--file", "--makefile")
    found = _read_first(invocation, folder.text if folder else "", (named.text,) if named else MAKEFILES)
    if found is not None:
        shown, text = found
        variables, recipes = read_makefile(text)
        variables.update(given)
        _run_targets(
            invocation, shown, recipes, targets or [_first_target(recipes)], lambda line: expand_make(line, variables)
        )
    return out


def _is_staged(invocation: Invocation, folder: str) -> bool:
    """Return whether `DESTDIR` leads what is installed into a directory of one's own."""
    path = invocation.scope.resolve(folder) if folder else None
    return path is not None and invocation.scope.place(path) in ("temp", "disposable", "project")


def _value_as_command(invocation: Invocation, text: str) -> None:
    """A variable's value may be run as a command; only what it surely does counts, since it may be no command."""
    if " " not in text and "`" not in text and "$(" not in text:
        return
    collector = invocation.evaluator.collector
    before = len(collector.effects)
    invocation.run_text(text.replace("$(shell ", "$("), invocation.scope.child(), "make")
    kept = [effect for effect in collector.effects[before:] if effect.certain and effect.kind != "unknown"]
    collector.effects[before:] = kept


def _read_first(invocation: Invocation, folder: str, names: tuple[str, ...]) -> tuple[str, str] | None:
    for name in names:
        shown = f"{folder.rstrip('/')}/{name}" if folder and not name.startswith("/") else name
        path = invocation.scope.resolve(shown)
        if path is None:
            return None
        fact = invocation.evaluator.collector.text_fact(("text", path))
        if fact is None:
            return None
        if fact.text is not None:
            return shown, fact.text
    return None


def read_makefile(text: str) -> tuple[dict[str, str], dict[str, Recipe]]:
    """Return the plain variables and the recipes of a Makefile; what is conditional counts as there."""
    variables: dict[str, str] = {}
    recipes: dict[str, Recipe] = {}
    current: list[Recipe] = []
    number = 0
    lines = text.split("\n")
    while number < len(lines):
        line = lines[number]
        start = number + 1
        number += 1
        while line.endswith("\\") and number < len(lines):
            line = line[:-1] + " " + lines[number].lstrip("\t")
            number += 1
        if line.startswith("\t"):
            for recipe in current:
                recipe.commands.append((start, line[1:]))
            continue
        plain = line.partition("#")[0].strip()
        if not plain:
            continue
        name, value = _assignment(plain)
        if name:
            variables.setdefault(name, value)
            continue
        targets, colon, needs = plain.partition(":")
        if colon and not targets.startswith(("ifeq", "ifneq", "export ", "define")):
            needs, _, command = needs.lstrip(":").partition(";")
            current = []
            for target in targets.split():
                recipe = recipes.setdefault(target, Recipe(()))
                recipe.needs += tuple(word for word in needs.split() if word != "|")
                if command.strip():
                    recipe.commands.append((start, command.strip()))
                current.append(recipe)
    return variables, recipes


def _assignment(line: str) -> tuple[str, str]:
    for sign in (":::=", "::=", ":=", "?=", "+=", "!=", "="):
        name, found, value = line.partition(sign)
        name = name.removeprefix("export ").strip()
        if found and name and all(char.isalnum() or char in "_.-" for char in name):
            return name, value.strip()
    return "", ""


def expand_make(line: str, variables: dict[str, str], depth: int = 0) -> str:
    """Return a recipe line with make's variables filled in; what is not known becomes a shell variable nobody set."""
    if "$" not in line:
        return line
    done: list[str] = []
    at = 0
    while at < len(line):
        char = line[at]
        if char != "$" or at + 1 >= len(line):
            done.append(char)
            at += 1
            continue
        follow = line[at + 1]
        if follow == "$":
            done.append("$")
            at += 2
        elif follow in "({":
            end = _closing(line, at + 1)
            done.append(_reference(line[at + 2 : end], variables, depth))
            at = end + 1
        else:
            done.append("make_target" if follow in "@<^?*+%|" else variables.get(follow, ""))
            at += 2
    return "".join(done)


def _closing(line: str, start: int) -> int:
    opening, closing = line[start], ")" if line[start] == "(" else "}"
    depth = 0
    for at in range(start, len(line)):
        if line[at] == opening:
            depth += 1
        elif line[at] == closing:
            depth -= 1
            if depth == 0:
                return at
    return len(line)


def _reference(name: str, variables: dict[str, str], depth: int) -> str:
    if name.startswith("shell "):
        return "$(" + expand_make(name[6:], variables, depth + 1) + ")"
    if name == "MAKE":
        return "make"
    value = variables.get(name)
    if value is not None and depth < 8:
        return expand_make(value, variables, depth + 1)
    if name and all(char.isalnum() or char == "_" for char in name):
        return "${" + name + "}"
    return "${make_function}"


def _first_target(recipes: dict[str, Recipe]) -> str:
    for name in recipes:
        if not name.startswith("."):
            return name
    return ""


def _run_targets(
    invocation: Invocation, shown: str, recipes: dict[str, Recipe], targets: list[str], fill: Callable[[str], str]
) -> None:
    waiting, done = list(targets), set()
    scope = invocation.scope.child()
    count = 0
    while waiting:
        if count >= MAX_RECIPES:
            raise TooMuch  # what is left out could be the one that matters
        name = waiting.pop(0)
        recipe = recipes.get(name)
        if recipe is None or name in done:
            continue
        done.add(name)
        waiting.extend(recipe.needs)
        before = len(invocation.evaluator.collector.effects)
        for number, line in recipe.commands:
            count += 1
            command = fill(line.lstrip().lstrip("@-+").lstrip())
            invocation.run_text(command, scope.copy(), f"{invocation.name} {name}", place=shown, line=number)
        _leave_out_the_product(invocation, before, fill(name))


def _leave_out_the_product(invocation: Invocation, before: int, name: str) -> None:
    """Drop that a recipe writes the file it is there to make: that is build output, wherever in the project."""
    made = invocation.scope.resolve(name)
    effects = invocation.evaluator.collector.effects
    effects[before:] = [
        effect
        for effect in effects[before:]
        if effect.kind not in PRODUCING
        or effect.target.path != made
        or effect.target.place != "project"
        or effect.target.recursive
    ]


# --- package.json ------------------------------------------------------------------------------------------------


def _from(invocation: Invocation, word: Value) -> tuple[Value, ...]:
    """Return a word with all that stands behind it: a command line of its own, options and all."""
    at = next((number for number, value in enumerate(invocation.words) if value is word), 0)
    return tuple(invocation.words[at:])


def package(invocation: Invocation) -> Stream | None:
    """`npm run X`, `yarn X`, `pnpm X`: the script of that name, read where the package.json can be."""
    operands = invocation.arguments.operands
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    words = [value.text for value in operands]
    name = ""
    if len(words) > 2 and (words[0] == "workspace" or words[:2] == ["workspaces", "foreach"]):
        # The rest is a command line of its own, for one workspace or for each.
        return out.joined(invocation.run((known(invocation.name), *operands[2:]), invocation.name))
    if len(words) > 1 and words[0] in PACKAGE_VERBS:
        name = words[1]
        if words[0] == "run" and invocation.name == "yarn" and _installed_program(invocation, name):
            return invocation.run(_from(invocation, operands[1]), invocation.name)
    elif words and words[0] in PACKAGE_SHORT:
        name = {"t": "test", "tst": "test"}.get(words[0], words[0])
    elif words and invocation.name in ("yarn", "pnpm", "bun"):
        name = words[0]
        if _installed_program(invocation, name):
            return invocation.run(_from(invocation, operands[0]), invocation.name)
    if not name:
        return out
    folder = invocation.arguments.value("--prefix", "-C", "--cwd", "--dir")
    found = _read_first(invocation, folder.text if folder else "", ("package.json",))
    if found is None:
        return out
    shown, text = found
    scripts = _scripts(text)
    for key in ("pre" + name, name, "post" + name):
        command = scripts.get(key)
        if command:
            line = text[: text.find(f'"{key}"')].count("\n") + 1
            invocation.run_text(command, invocation.scope.child(), f"{invocation.name} {name}", place=shown, line=line)
    return out


def _installed_program(invocation: Invocation, name: str) -> bool:
    """Return whether `yarn X` names no verb and no script but a program that the project installed (`yarn tsc`)."""
    tool, collector = invocation.tool, invocation.evaluator.collector
    if tool is None or tool.knows_verb(name) or collector.knowledge.find(name) is None or name in COMMON_SCRIPTS:
        return False
    found = _read_first(invocation, "", ("package.json",))
    return found is None or name not in _scripts(found[1])


def _scripts(text: str) -> dict[str, str]:
    import json

    try:
        document = json.loads(text)
    except ValueError:
        return {}
    scripts = document.get("scripts") if isinstance(document, dict) else None
    if not isinstance(scripts, dict):
        return {}
    return {name: command for name, command in scripts.items() if isinstance(command, str)}


# --- justfile ------------------------------------------------------------------------------------------------------


def just(invocation: Invocation) -> Stream | None:
    """`just X`: the recipe of that name, read where the justfile can be."""
    arguments = invocation.arguments
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    if arguments.has("-n", "--dry-run", "-l", "--list", "--show", "-s", "--summary", "--dump", "--evaluate"):
        return out
    named = arguments.value("-f", "--justfile")
    found = _read_first(invocation, "", (named.text,) if named else JUSTFILES)
    if found is not None:
        shown, text = found
        recipes = read_justfile(text)
        targets = [value.text for value in arguments.operands if value.text in recipes] or [_first_target(recipes)]
        _run_targets(invocation, shown, recipes, targets, _fill_just)
    return out


def read_justfile(text: str) -> dict[str, Recipe]:
    """Return the recipes of a justfile."""
    recipes: dict[str, Recipe] = {}
    current: Recipe | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1] in (" ", "\t"):
            if current is not None and line.strip():
                current.commands.append((number, line.strip()))
            continue
        current = None
        head, colon, needs = line.partition(":")
        if (
            colon
            and not needs.startswith("=")
            and head.strip()
            and not head.startswith(("#", "[", "set ", "alias ", "export "))
        ):
            name = head.split()[0].lstrip("@_")
            current = recipes[name] = Recipe(tuple(word.strip("()") for word in needs.split() if word != "&&"))
    return recipes


def _fill_just(line: str) -> str:
    done, rest = "", line
    while "{{" in rest:
        before, _, rest = rest.partition("{{")
        name, _, rest = rest.partition("}}")
        name = name.strip()
        done += before + ("${" + name + "}" if name.isidentifier() else "${just_value}")
    return done + rest


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"make": make, "package": package, "just": just}
