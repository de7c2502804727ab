"""Vets shell commands before they run: allow, ask or deny."""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__", "ask", "check"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from phocinae_cli.backends.question import Question
    from phocinae_cli.backends.result import Result
    from phocinae_cli.core.report import Report

# Nothing is imported up here: this file is read by every one-shot check.


def check(
    command: str | Sequence[str],
    *,
    shell: str = "",
    cwd: str = "",
    audience: str = "agent",
    tool: str | None = "shell",
    settings: Mapping[str, object] | None = None,
) -> Report:
    """Return the report on a command line (a text), or on an argv (words that are not split again).

    `report.verdict.decision` is `allow`, `ask` or `deny`, with `harm`, `confidence`, `reason` and `findings`.
    `shell` is that of $SHELL, `cwd` the current directory when left out; `audience` is `agent`, `ci` or `person`;
    `settings` are values by the names of the configuration file and outrank it. The command is never run. A
    failure to judge is an ask with `report.error` set; a broken configuration raises PhocinaeError.
    """
    from phocinae_cli.app import Checker
    from phocinae_cli.core.request import join

    checker = Checker.from_environment(flags=dict(settings or {}))
    text = command if isinstance(command, str) else join(list(command))
    return checker.check(checker.request(text, shell=shell, cwd=cwd, audience=audience, tool=tool))


def ask(
    state: object,
    questions: Sequence[Question] | Sequence[Mapping[str, object]] | Mapping[str, Mapping[str, object]],
    *,
    permute: bool = False,
    settings: Mapping[str, object] | None = None,
) -> Result:
    """Return the answers to typed questions about a state (a text, or an object or array that JSON can carry).

    Questions are an array of objects with `id` and `type` (`noul`, `choice`, `score`), or an object by id, as in
    `phocinae ask --questions`. With the default `backend` the engine in this process answers what is about a
    command and leaves the rest open (None, confidence 0, escalate); `settings={"backend": "service"}` asks the
    decision service. `permute` asks each choice in several option orders. Raises PhocinaeError.
    """
    import os

    from phocinae_cli.app import Checker
    from phocinae_cli.backends.question import Question
    from phocinae_cli.backends.questionform import full
    from phocinae_cli.config.load import load
    from phocinae_cli.resident import asking

    given = questions if isinstance(questions, dict) else list(questions)
    ready = isinstance(given, list) and all(isinstance(question, Question) for question in given)
    flags = dict(settings or {})
    loaded = load(os.environ, os.getcwd(), flags).settings
    asker = asking.open_asker(loaded, lambda: Checker.from_environment(flags=flags))
    order = "compared" if permute else "averaged" if loaded.permute_choice else "given"
    asked = tuple(question for question in given if isinstance(question, Question)) if ready else tuple(full(given))
    return asking.ask(asker, loaded, state, asked, order)
