"""What is written to start-up files, cron tables, units and hooks runs later by itself: judge it as if it ran."""

from __future__ import annotations

from phocinae_cli.analysis.context import Context
from phocinae_cli.analysis.scope import Fields
from phocinae_cli.analysis.shadows import judge_defined
from phocinae_cli.analysis.values import EMPTY, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.collect import Collector
    from phocinae_cli.analysis.evaluate import Evaluator
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.core.effects import Action

RUN_BY_THE_SHELL = ("PROMPT_COMMAND", "BASH_ENV", "ENV", "PS0", "PS1", "LD_PRELOAD", "precmd_functions")
UNIT_KEYS = ("ExecStart", "ExecStartPre", "ExecStartPost", "ExecStop", "ExecReload", "Exec")


def judge_planted(
    collector: Collector, evaluator: Evaluator, path: str, stream: Stream, scope: Scope, action: Action
) -> None:
    """Record what the planted text does; one from the network or a temporary place is a back door at once."""
    if "network" in stream.taint:
        _back_door(collector, path, action, "whoever serves it decides what runs here from now on")
        return
    text = stream.seen if stream.text is None else stream.text
    if not text:
        if "temp" in stream.taint:
            _back_door(collector, path, action, "something from a temporary place runs by itself from now on")
        return
    if path in collector.reading:
        return
    collector.reading.add(path)
    before = len(collector.effects)
    context = Context(text, "zsh" if "zsh" in path.rpartition("/")[2] else "bash")
    context.span = (action.start, action.end)
    name = path.rpartition("/")[2]
    context.via = (f"in {name}",)
    context.depth = 1
    inner = scope.copy()
    inner.variables = dict(scope.variables)
    for command in _commands(path, text):
        context.becomes(command, name)
        evaluator.run_text(command, inner, context, EMPTY)
    _run_definitions(evaluator, scope, inner, context)
    collector.reading.discard(path)
    judge_defined(collector, inner.aliases, inner.functions.keys() - scope.functions.keys(), text, action)
    # What an interactive start-up file does is only the author's business until it reaches outside.
    kept = [effect for effect in collector.effects[before:] if effect.kind not in ("unknown", "run-project-code")]
    del collector.effects[before:]
    collector.effects.extend(kept)
    for effect in kept:
        named = scope.resolve(effect.target.text)
        if effect.code == "code.unread-script" and named is not None and scope.where.place(named) == "temp":
            _back_door(collector, path, action, "something from a temporary place runs by itself from now on")


def _back_door(collector: Collector, path: str, action: Action, why: str) -> None:
    collector.effect("back-door", path, action, "startup.planted", why, "read it before it may run by itself")


def _commands(path: str, text: str) -> list[str]:
    """Return the command texts of a planted file: cron lines without their times, a unit's Exec lines, or all."""
    if "cron" in path:
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        return [command for line in lines for command in _cron_commands(line, path)]
    if "/udev/rules.d/" in path:
        return _quoted_behind(text, ("RUN+=", "RUN=", "RUN{program}+=", "PROGRAM=", "PROGRAM=="))
    if "/apt.conf.d/" in path:
        return [piece for line in text.splitlines() if "nvoke" in line for piece in line.split('"')[1::2]]
    if path.endswith(".plist"):
        return [_plist_command(text)]
    unit = path.endswith((".service", ".timer", ".desktop", ".path")) or ("/systemd/" in path and ".d/" in path)
    if unit or "[Service]" in text:
        found = []
        for line in text.splitlines():
            key, equals, command = line.partition("=")
            if equals and key.strip() in UNIT_KEYS:
                found.append(command.strip().lstrip("-@+!"))
        return found
    return [text]


def _quoted_behind(text: str, keys: tuple[str, ...]) -> list[str]:
    """Return what stands in quotes behind one of the keys, such as `RUN+="..."`."""
    found = []
    for key in keys:
        for piece in text.split(key + '"')[1:]:
            found.append(piece.partition('"')[0])
    return found


def _plist_command(text: str) -> str:
    """Return the command line of a job of launchd: its program, or the words of its `ProgramArguments`."""
    for key in ("ProgramArguments", "Program"):
        behind = text.partition(f"<key>{key}</key>")[2]
        words = behind.partition("</array>" if key == "ProgramArguments" else "</string>")[0].split("<string>")[1:]
        plain = [word.partition("</string>")[0] for word in words]
        if plain:
            return " ".join(_shell_word(word) for word in plain)
    return ""


def _shell_word(word: str) -> str:
    for mark, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        word = word.replace(mark, char)
    return "'" + word.replace("'", "'\\''") + "'"


def _cron_commands(line: str, path: str) -> list[str]:
    """Return what a cron line runs; the system's tables name a user in front of it, which people forget."""
    skip = 1 if line.startswith("@") else 5
    words = line.split(None, skip)
    if len(words) <= skip:
        return [line]
    command = words[skip]
    return [command, command.partition(" ")[2]] if path.startswith("/etc/") else [command]


def _run_definitions(evaluator: Evaluator, before: Scope, after: Scope, context: Context) -> None:
    """Walk what the file defines for later: functions, aliases, variables that the shell runs."""
    for name, body in after.functions.items():
        if before.functions.get(name) is not body:
            evaluator.call(name, body, (), after.copy(), context, EMPTY)
    for name, text in after.aliases.items():
        if before.aliases.get(name) != text:
            evaluator.run_text(text, after.copy(), context, EMPTY)
    for name in RUN_BY_THE_SHELL:
        for fields in _set_to(after, name):
            if fields and fields[0].exact:
                evaluator.run_text(fields[0].exact, after.copy(), context, EMPTY)


def _set_to(scope: Scope, name: str) -> list[Fields]:
    return scope.variables.get(name, [])
