"""Configuration tools on a command line: `ansible -m`, `salt TARGET FUN`, `puppet resource`, and what is like them."""

from __future__ import annotations

from phocinae_cli.analysis import modules, runs
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known
from phocinae_cli.kb.modules import (
    ANSIBLE,
    ANSIBLE_READS,
    ANSIBLE_WHOLE,
    RESOURCES,
    SALT,
    SALT_READS,
    SALT_WHOLE,
)
from phocinae_cli.kb.schema import glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.modules import Given
    from phocinae_cli.analysis.scope import Scope

REHEARSED = ("--check", "--list-hosts", "--syntax-check", "--list-tasks", "--list-tags")
FREE = ("command", "shell", "raw", "win_command", "win_shell", "script", "expect")
"""Modules that take a free text, which is a command."""
NOT_MEANT = ("false", "False", "no", "0")


def ansible(invocation: Invocation) -> Stream | None:
    """`ansible HOSTS -m MODULE -a ARGS`: without a module it is a command."""
    arguments = invocation.arguments
    if arguments.has(*REHEARSED, "-C"):
        return None
    named = arguments.value("-m", "--module-name")
    given = arguments.value("-a", "--args")
    name = named.text if named is not None else "command"
    scope, remote = where(invocation)
    return module(invocation, name, given if given is not None else known(""), scope, remote)


def where(invocation: Invocation) -> tuple[Scope, bool]:
    """Return the scope that a tool acts in, and whether that is on other machines than this."""
    arguments = invocation.arguments
    connection = arguments.value("-c", "--connection")
    host = arguments.operands[0].exact if arguments.operands else None
    if host in ("localhost", "127.0.0.1") or (connection is not None and connection.exact == "local"):
        return invocation.scope.child(), False
    return runs.inside(invocation), True


def module(
    invocation: Invocation,
    name: str,
    text: Value,
    scope: Scope,
    remote: bool,
    variables: dict[str, Value] | None = None,
) -> Stream | None:
    """Judge a module of ansible with its arguments as one text; None if what it does is not all told by that."""
    name = name.rpartition(".")[2]
    words = modules.read_words(text, variables)
    given = modules.given_by(words, name in FREE)
    if name in FREE and not (words and words[0].head().startswith(("cmd=", "argv="))):
        given["_"] = [modules.templated(text, variables or {})]
    return module_given(invocation, name, given, scope, remote)


def module_given(invocation: Invocation, name: str, given: Given, scope: Scope, remote: bool) -> Stream | None:
    """Judge a module of ansible with what it is given; None if what it does is not all told by that."""
    name = name.rpartition(".")[2]
    out = modules.judge(invocation, ANSIBLE, name, given, scope, remote)
    if name in ANSIBLE_WHOLE or any(glob_match(glob, name) for glob in ANSIBLE_READS):
        return out if out is not EMPTY else Stream(None, why=f"the output of {invocation.name}")
    return None


def salt(invocation: Invocation) -> Stream | None:
    """`salt TARGET FUN ARGS`, and `salt-call FUN ARGS` for this machine."""
    operands = invocation.arguments.operands
    local = invocation.name == "salt-call"
    words = operands if local else operands[1:]
    if not words:
        return None
    scope = invocation.scope.child() if local else runs.inside(invocation)
    if invocation.arguments.has("-r", "--raw", "--raw-shell"):
        return runs.code_of_value(invocation, "sh", runs.spaced(words), not local, ())
    functions, rest = words[0].text.split(","), words[1:]
    given = modules.given_by(rest, functions[0].startswith("cmd."))
    if any(value.exact not in NOT_MEANT for value in given.get("test", ())):
        return Stream(None, why="what salt would do")
    told = True
    for name in functions:
        modules.judge(invocation, SALT, name, given, scope, not local)
        told = told and (name in SALT_WHOLE or any(glob_match(glob, name) for glob in SALT_READS))
    return Stream(None, why="the output of salt") if told else None


def puppet(invocation: Invocation) -> Stream | None:
    """`puppet resource TYPE NAME key=value`, `puppet apply -e CODE`."""
    arguments = invocation.arguments
    operands = arguments.operands
    if arguments.has("--noop") or not operands:
        return None
    if operands[0].exact == "resource":
        given = modules.given_by(operands[3:])
        if len(operands) < 4:
            return Stream(None, why="what puppet finds")
        given["title"] = [operands[2]]
        modules.judge(invocation, RESOURCES, operands[1].text, given, invocation.scope.child(), False)
    elif operands[0].exact == "apply":
        from phocinae_cli.analysis import manifests

        for code in arguments.values("-e", "--execute"):
            manifests.puppet_code(invocation, code.text)
        if invocation.fed and invocation.stdin.text is not None and len(operands) == 1:
            manifests.puppet_code(invocation, invocation.stdin.text)
    return None


def task(invocation: Invocation) -> Stream | None:
    """`bolt task run TYPE key=value`, `chef-run HOST TYPE NAME key=value`."""
    operands = invocation.arguments.operands
    if invocation.arguments.has("--noop"):
        return None
    texts = [value.exact for value in operands[:3]]
    scope = runs.inside(invocation)
    if texts[:2] == ["task", "run"] and len(operands) > 2:
        modules.judge(invocation, RESOURCES, operands[2].text, modules.given_by(operands[3:]), scope)
    elif invocation.name == "chef-run" and len(operands) > 2:
        given = modules.given_by(operands[3:])
        given["title"] = [operands[2]]
        modules.judge(invocation, RESOURCES, operands[1].text, given, scope)
    return None


def playbook(invocation: Invocation) -> Stream | None:
    """`ansible-playbook FILE`: read where it can be; the rows say besides that hosts are changed."""
    if invocation.arguments.has(*REHEARSED, "-C"):
        return None
    from phocinae_cli.analysis import playbooks

    for operand in invocation.arguments.operands:
        playbooks.judge(invocation, operand)
    return None


def recipe(invocation: Invocation) -> Stream | None:
    """`chef-apply -e RECIPE`, or a recipe on standard input."""
    arguments = invocation.arguments
    if invocation.name == "chef-apply" and not arguments.has("-W", "--why-run"):
        from phocinae_cli.analysis import manifests

        texts = [value.text for value in arguments.values("-e", "--execute")]
        if arguments.has("-s", "--stdin") and invocation.stdin.text is not None:
            texts.append(invocation.stdin.text)
        for text in texts:
            manifests.chef_code(invocation, text)
    return None


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {
    "ansible": ansible, "salt": salt, "puppet": puppet, "task": task, "playbook": playbook,
    "recipe": recipe,
}  # fmt: skip
