"""From the rows of the knowledge base to effects: which rows hold for an argv, and on what they act."""

from __future__ import annotations

from phocinae_cli.analysis.arguments import Arguments, holds
from phocinae_cli.analysis.collect import is_path_kind
from phocinae_cli.analysis.hosts import host_of, is_local
from phocinae_cli.analysis.outputs import from_elsewhere, output_of, secrets_shown
from phocinae_cli.analysis.production import names_production, takes_down
from phocinae_cli.analysis.sending import send
from phocinae_cli.analysis.targets import select
from phocinae_cli.analysis.values import EMPTY, Stream, Value
from phocinae_cli.kb.schema import HARMS, KINDS, glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.kb.lookup import Row, Tool

ON_MACHINES = ("listen", "probe")
"""Kinds that mean something only where another machine is concerned."""
SCRIPT_RUNNERS = frozenset(("npm", "pnpm", "yarn", "bun", "composer", "rush", "lerna", "turbo", "nx"))
"""Programs that hand an option they do not know on to a script."""
CONTENT_KINDS = ("create", "overwrite", "append", "write")


def apply_rows(invocation: Invocation, tool: Tool) -> Stream:
    """Record the effects of every row that holds, and return what the program would print."""
    arguments = invocation.arguments
    operands = arguments.operands
    verb = operands[0].text if operands else ""
    if tool.has_verbs() and operands and not tool.knows_verb(verb):
        verb = _skip_to_verb(arguments, tool, verb)
    best, matched = holding(invocation, tool.rows_for(verb), arguments)
    if _changes_nothing(invocation, tool, best, matched):
        return output_of(invocation, tool)
    told = False
    if tool.grammar:
        from phocinae_cli.analysis.phrases import consult

        best, told = consult(invocation, tool.grammar, best)
    if matched:
        _mark_outputs(invocation, matched)
    if matched and any(text.startswith("argv") for row, _ in matched for text in row.runs):
        # A wrapper's words are another command's: it reads none of them itself.
        printed = Stream(None, invocation.stdin.taint, f"the output of {invocation.name}")
    else:
        printed = output_of(invocation, tool)
    for row, taken in matched:
        for text in row.effects:
            if text.startswith("read "):  # what an option names is read as well (`dd if=`, `openssl -in`)
                for value in select(invocation, text[5:], taken):
                    taint = invocation.evaluator.collector.content(value, invocation.scope).taint
                    if not taint <= printed.taint and tool.output == "content":
                        printed = Stream(None, printed.taint | taint, printed.why)
    if matched and any(text.startswith("show-secret") for row, _ in matched for text in row.effects):
        printed = Stream(None, printed.taint | {"secret"}, printed.why)
    if matched and any(text.startswith("fetch ") for row, _ in matched for text in row.effects):
        printed = Stream(None, printed.taint | from_elsewhere(invocation), printed.why)
    flows = EMPTY
    for row, taken in matched:
        for text in row.effects:
            _effect(invocation, row, text, taken, printed)
        for text in row.runs:
            from phocinae_cli.analysis import runs

            flow = runs.run(invocation, text, taken, row)
            if flow is not EMPTY:  # of a tool's ways to run something most don't hold
                flows = flow if flows is EMPTY else flows.joined(flow)
            printed = flows if printed is EMPTY or tool.special == "wrapper" else printed.joined(flow)
    if (best is not None and best.claim == "install") or any(
        text.startswith("install ") for row, _ in matched for text in row.effects
    ):
        from phocinae_cli.analysis.installs import judge_installed

        judge_installed(invocation)
    if best is not None and best.claim != "harmless" and not (best.claim in ON_MACHINES and _all_here(invocation)):
        text = " ".join(value.text for value in operands) or invocation.name
        invocation.effect(
            best.claim,
            text,
            invocation.name + best.code,
            best.why,
            instead=best.instead,
            undo=best.undo,
            harm="destructive" if takes_down(invocation, best.claim) else best.harm or None,
        )
    if (
        not matched
        and not told
        and _undescribed(tool, best, arguments, invocation.fed or "/" in invocation.argv[0].text)
    ):
        shown = f"{invocation.name} {verb}".strip()
        why = f"nobody has described this use of `{invocation.name}`"
        invocation.effect("unknown", shown, f"{invocation.name}.undescribed", why, certain=False)
    if "secret" in printed.taint and not any(row.runs for row, _ in matched):  # a wrapper shows nothing itself
        secrets_shown(invocation, tool)
    return printed


def holding(invocation: Invocation, rows: list[Row], arguments: Arguments) -> tuple[Row | None, list[tuple[Row, int]]]:
    """Return the claim that counts, and the behaviours that hold with how many operands each takes."""
    best: Row | None = None
    matched: list[tuple[Row, int]] = []
    fed = invocation.fed
    for row in rows:
        taken = 0 if row.always else holds(row.when, arguments, fed)
        if taken < 0 or not _fits_surroundings(invocation, row, arguments.operands[taken:]):
            continue
        if not row.claim:
            matched.append((row, taken))
        elif best is None or _outweighs(row, best):
            best = row
    return best, matched


def _undescribed(tool: Tool, best: Row | None, arguments: Arguments, busy: bool) -> bool:
    """Return whether no row speaks of this use; one that lets anything pass does not speak of a verb that destroys."""
    if best is None and tool.undescribed != "harmless":
        from phocinae_cli.analysis.verbs import lacks_its_verb

        return busy or not lacks_its_verb(tool, arguments)
    if not arguments.operands or not (tool.undescribed == "harmless" or tool.has_verbs()):
        return False
    if best is not None and (best.weight or best.claim != "harmless"):
        return False
    from phocinae_cli.analysis.verbs import destroys_by_name

    return destroys_by_name(arguments)


def called(invocation: Invocation) -> str:
    """Return the command as it was called, for an effect that names no target of its own."""
    words = [value.text for value in invocation.arguments.operands[:4]]
    return " ".join(words if words[:1] == [invocation.name] else [invocation.name, *words])


def _mark_outputs(invocation: Invocation, matched: list[tuple[Row, int]]) -> None:
    """Note which words are written: what a program makes is none of its inputs."""
    for row, taken in matched:
        for text in row.effects:
            kind, _, source = text.partition(" ")
            if kind in CONTENT_KINDS:
                source = source.removesuffix(" existing").removesuffix(" recursive")
                invocation.outputs.extend(select(invocation, source, taken))


def _fits_surroundings(invocation: Invocation, row: Row, behind: list[Value]) -> bool:
    """Return whether what a pattern says of more than the words holds: production, an empty source, what is fed in."""
    when = row.when
    if when.production and not names_production(invocation):
        return False
    if when.fed and not any(
        glob_match(glob, line.strip().lower()) for line in invocation.stdin.seen.split("\n") for glob in when.fed
    ):
        return False
    if not when.empty:
        return True
    from phocinae_cli.analysis.empties import is_empty

    return bool(behind) and is_empty(invocation, behind[0])


def _changes_nothing(invocation: Invocation, tool: Tool, best: Row | None, matched: list[tuple[Row, int]]) -> bool:
    """Return whether the tool only says what it would do, or only a row for anything stands against a verb that reads.

    What runs something else is no such use: the options may be the other command's.
    """
    arguments = invocation.arguments
    if best is not None and best.claim == "harmless" and not matched:
        return False
    if not tool.has_verbs() or tool.name in SCRIPT_RUNNERS:
        return False  # `rm -rf ~ --dry-run`: not every `rm` reads options behind operands
    if any(row.runs for row, _ in matched):
        return False
    from phocinae_cli.analysis.verbs import lacks_its_verb, only_reads, rehearses

    if rehearses(arguments):
        return True
    if matched:
        return False
    if best is not None and not weighs_nothing(best):
        return False
    return (not tool.grammar and only_reads(arguments)) or (
        arguments.operands != [] and not invocation.fed and lacks_its_verb(tool, arguments)
    )


def weighs_nothing(row: Row) -> bool:
    """Return whether a row holds for any use and claims no more than a risk."""
    return row.weight == 0 and (row.harm or KINDS[row.claim][2]) == "risky"


def _outweighs(row: Row, best: Row) -> bool:
    if row.weight != best.weight:
        return row.weight > best.weight
    return _rank(row) > _rank(best)


def _rank(row: Row) -> int:
    return HARMS.index(row.harm) if row.harm else 0


def _skip_to_verb(arguments: Arguments, tool: Tool, verb: str) -> str:
    """Drop what an option nobody described may have owned, when a known verb stands behind it."""
    if arguments.dashed or not any(value is None for _, value in arguments.flags[: arguments.leading]):
        return verb
    for number, operand in enumerate(arguments.operands[:3]):
        if tool.knows_verb(operand.text):
            arguments.operands = arguments.operands[number:]
            return operand.text
    return verb


def _effect(invocation: Invocation, row: Row, text: str, taken: int, printed: Stream) -> None:
    kind, _, source = text.partition(" ")
    exists = source.endswith(" existing")
    source = source.removesuffix(" existing")
    recursive = source.endswith(" recursive")
    source = source.removesuffix(" recursive")
    if kind == "send":
        send(invocation, row, source, taken)
        return
    if kind == "serve":
        from phocinae_cli.analysis.served import lend

        lend(invocation, row, source, taken)
        return
    if kind == "show-secret" and invocation.context.captured:
        invocation.evaluator.collector.withheld = True  # what takes it up decides
        return
    if kind in ON_MACHINES and _all_here(invocation):
        return
    details = {"code": row.code, "why": row.why, "instead": row.instead, "undo": row.undo, "harm": row.harm or None}
    if source.startswith("=") or source in ("", "none"):
        named = source[1:].strip() or " ".join(value.text for value in invocation.arguments.operands[taken:])
        invocation.effect(kind, named or called(invocation), **details)  # type: ignore[arg-type]
        return
    if source == "stdin":
        invocation.effect(kind, "what is fed in", **details)  # type: ignore[arg-type]
        return
    values = select(invocation, source, taken)
    if not is_path_kind(kind):
        if values or source.startswith(("args", "arg ", "last")):
            named = " ".join(value.text for value in values) or called(invocation)
            invocation.effect(kind, named, **details)  # type: ignore[arg-type]
        return
    for value in values:
        invocation.path_effect(kind, value, recursive, exists=exists, **details)
        if kind in CONTENT_KINDS and value.known:
            path = invocation.scope.resolve(value.text)
            if path is not None and path not in invocation.scope.files:
                invocation.scope.files[path] = Stream(None, printed.taint, printed.why)
                invocation.evaluator.collector.planted(
                    path, invocation.scope.files[path], invocation.scope, invocation.action
                )


def _all_here(invocation: Invocation) -> bool:
    """Return whether some operand names a host, and every host is this machine alone, not each of its addresses."""
    hosts = [host for value in invocation.arguments.operands if (host := host_of(value.text))]
    return bool(hosts) and all(is_local(host) and host != "0.0.0.0" for host in hosts)
