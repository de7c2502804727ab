"""Read playbooks: every task of every play is judged as the command that its module stands for."""

from __future__ import annotations

from phocinae_cli.analysis import managed, modules, runs
from phocinae_cli.analysis.scripts import STANDARD_INPUT
from phocinae_cli.analysis.values import TooMuch, Value, known
from phocinae_cli.analysis.yamltext import Node, Unread, read_documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.modules import Given
    from phocinae_cli.analysis.scope import Scope

KEYWORDS = frozenset(
    (
        "name", "when", "become", "become_user", "become_method", "become_flags", "tags", "register", "loop",
        "loop_control", "notify", "listen", "ignore_errors", "ignore_unreachable", "changed_when", "failed_when",
        "delegate_to", "delegate_facts", "run_once", "vars", "environment", "args", "until", "retries", "delay",
        "no_log", "check_mode", "diff", "async", "poll", "any_errors_fatal", "throttle", "timeout", "connection",
        "remote_user", "module_defaults", "collections", "debugger", "port", "block", "rescue", "always",
    )
)  # fmt: skip
TASKS = ("pre_tasks", "tasks", "post_tasks", "handlers")
NESTED = ("block", "rescue", "always")
ELSEWHERE = ("import_tasks", "include_tasks", "import_role", "include_role", "include", "import_playbook")
MAX_ITEMS = 500

Variables = dict[str, Value]


def judge(invocation: Invocation, name: Value) -> None:
    """Judge the playbook in a file, or on standard input, as far as it can be read."""
    text = _text(invocation, name)
    if text is None:
        return
    try:
        documents = read_documents(text)
    except Unread:
        return  # the rows ask
    for document in documents:
        for play in document if isinstance(document, list) else ():
            if isinstance(play, dict):
                _play(invocation, play)


def _text(invocation: Invocation, name: Value) -> str | None:
    if name.exact in STANDARD_INPUT:
        return invocation.stdin.text
    path = invocation.scope.resolve(name.text) if name.known else None
    if path is None:
        return None
    written = invocation.scope.files.get(path)
    if written is not None:
        return written.text
    fact = invocation.evaluator.collector.text_fact(("text", path))
    return fact.text if fact is not None else None


def _play(invocation: Invocation, play: dict[str, Node]) -> None:
    local = play.get("connection") == "local" or play.get("hosts") in ("localhost", "127.0.0.1")
    scope = invocation.scope.child() if local else runs.inside(invocation)
    if isinstance(play.get("hosts"), str):
        scope.machine += f" {play['hosts']}"
    variables = _variables(play, {})
    for part in TASKS:
        _tasks(invocation, play.get(part), variables, scope, not local)


def _variables(node: dict[str, Node], known_already: Variables) -> Variables:
    given = node.get("vars")
    if not isinstance(given, dict):
        return known_already
    return {**known_already, **{name: known(text) for name, text in given.items() if isinstance(text, str)}}


def _tasks(invocation: Invocation, tasks: Node | None, variables: Variables, scope: Scope, remote: bool) -> None:
    for task in tasks if isinstance(tasks, list) else ():
        if not isinstance(task, dict) or task.get("check_mode") in ("true", "yes", "True"):
            continue
        mine = _variables(task, variables)
        for part in NESTED:
            _tasks(invocation, task.get(part), mine, scope, remote)
        names = [key for key in task if key not in KEYWORDS and not key.startswith("with_") and key not in ELSEWHERE]
        for item in _items(task):
            for name in names:
                _task(invocation, name, task, {**mine, **item}, scope, remote)


def _items(task: dict[str, Node]) -> list[Variables]:
    """Return what the loop of a task sets, once for each round; one empty round where there is none."""
    loop = task.get("loop")
    for name in ("with_items", "with_list", "with_flattened"):
        loop = loop if loop is not None else task.get(name)
    if not isinstance(loop, list):
        return [{}]
    if len(loop) > MAX_ITEMS:
        raise TooMuch  # what is left out could be the one that matters
    rounds: list[Variables] = []
    for item in loop:
        if isinstance(item, str):
            rounds.append({"item": known(item)})
        elif isinstance(item, dict):
            rounds.append({f"item.{key}": known(text) for key, text in item.items() if isinstance(text, str)})
    return rounds or [{}]


def _task(
    invocation: Invocation, name: str, task: dict[str, Node], variables: Variables, scope: Scope, remote: bool
) -> None:
    what = task[name]
    if name in ("action", "local_action") and isinstance(what, str):
        name, _, what = what.partition(" ")
    if isinstance(what, str):
        managed.module(invocation, name, known(what), scope, remote, variables)
        return
    if isinstance(what, list):
        return
    more = task.get("args")
    managed.module_given(
        invocation, name, _given({**what, **(more if isinstance(more, dict) else {})}, variables), scope, remote
    )


def _given(node: dict[str, Node], variables: Variables) -> Given:
    given: Given = {}
    for key, value in node.items():
        items = value if isinstance(value, list) else [value]
        texts = [item for item in items if isinstance(item, str)]
        values = [modules.templated(known(text.strip()), variables) for text in texts]
        if values:
            given[key] = values
    return given
