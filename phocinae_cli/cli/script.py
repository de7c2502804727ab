"""`check --file`: each top-level command of a script vetted, with its line number."""

from __future__ import annotations

import os
import sys
from bisect import bisect_right
from collections import Counter
from pathlib import Path
from time import perf_counter

from phocinae_cli.analysis.parse import parse
from phocinae_cli.analysis.syntax import Literal, Node, Simple
from phocinae_cli.app import READ_AS, Checker
from phocinae_cli.cli.line import ask_for, fail_on, open_checker, read_text, status_of
from phocinae_cli.cli.screen import screen_width, show, tell_notices, wants_color
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.report import Report
from phocinae_cli.core.request import SHELLS, Request
from phocinae_cli.core.verdict import ALLOW, ASK, DENY
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.options import Values
from phocinae_cli.render.json import as_object, dump
from phocinae_cli.render.marks import clean, line_number
from phocinae_cli.render.text import as_text

UNREADABLE = "unreadable-file"
LARGEST = 4 << 20
CHUNK = 60_000
"""Characters analysed as one text: below what the analysis takes. What one chunk sets is not known in the next."""

SUFFIXES = {".ps1": "powershell", ".bat": "cmd", ".cmd": "cmd", ".zsh": "zsh", ".fish": "fish"}
PARSED = ("bash", "zsh", "sh", "fish")


def vet_script(values: Values) -> int:
    """Vet each command of the script that --file names, print what is not allowed, and return the strictest status."""
    path = str(values["file"])
    text = read_script(path)
    shell = str(values["shell"] or "") or shell_of(path, text)
    checker = open_checker(values)
    counts: Counter[str] = Counter()
    status = 0
    for chunk, offset in chunks(text, shell):
        first = line_number(text, offset)
        for start, report in vet_each(checker, ask_for(checker, chunk, values | {"shell": shell})):
            counts[report.verdict.decision] += 1
            status = max(status, status_of(report, fail_on(values)))
            line = first + line_number(chunk, start) - 1
            shown = values["quiet"] or (
                show_json(path, line, report, offset) if values["json"] else show_text(path, line, report, first)
            )
            if not shown:
                return status
    tell_notices(checker.notices)
    if not values["quiet"] and not values["json"]:
        told = ", ".join(f"{counts[decision]} {decision}" for decision in (DENY, ASK, ALLOW) if counts[decision])
        commands = "1 command" if counts.total() == 1 else f"{counts.total()} commands"
        show(f"{clean(path)}: {commands}{': ' if told else ''}{told}")
    return status


def show_text(path: str, line: int, report: Report, first_line: int) -> bool:
    """Print one command's answer unless it is allowed, with the line of what was found first.

    Returns False when nobody reads any more.
    """
    if report.verdict.decision == ALLOW:
        return True
    for finding in report.verdict.findings[:1]:
        line = first_line + line_number(report.request.text, finding.start) - 1
    text = as_text(report, wants_color(sys.stdout, os.environ), screen_width(sys.stdout), first_line)
    return show(f"{clean(path)}:{line}: {text}")


def show_json(path: str, line: int, report: Report, offset: int) -> bool:
    """Print one command's answer as an object, its spans as offsets into the whole script."""
    for finding in report.verdict.findings:
        finding.start += offset
        finding.end += offset
    return show(dump({"file": path, "line": line, **as_object(report)}))


# --- reading ---------------------------------------------------------------------------------------------------------


def read_script(path: str) -> str:
    """Return the text of a script with plain line feeds; raises PhocinaeError when it can't be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise PhocinaeError(UNREADABLE, f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > LARGEST:
        raise PhocinaeError(UNREADABLE, f"{path}: larger than {LARGEST >> 20} MB", "vet it in parts")
    return read_text(data.removeprefix(b"\xef\xbb\xbf")).replace("\r\n", "\n")


def shell_of(path: str, text: str) -> str:
    """Return the shell that the first line or the suffix names, else bash; raises PhocinaeError for other languages."""
    first = text.partition("\n")[0]
    if not first.startswith("#!"):
        return SUFFIXES.get(Path(path).suffix.lower(), "bash")
    words = [word for word in first[2:].split() if not word.startswith("-")]
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if "=" not in word]
    name = words[0].rpartition("/")[2] if words else "sh"
    shell = READ_AS.get(name, name)
    if shell not in SHELLS:
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"{path}: its first line names {name!r}, which is no shell",
            f"`--shell` takes one of {', '.join(SHELLS)} all the same",
        )
    return shell


def chunks(text: str, shell: str) -> list[tuple[str, int]]:
    """Return the text in pieces that can be analysed, each with its offset.

    A text is only cut between top-level commands, so a single huge command stays whole, and is asked about.
    """
    if len(text) <= CHUNK or shell not in PARSED:
        return [(text, 0)]
    cuts = [0]
    starts = [node.start for node, _ in parse(text, "zsh" if shell == "zsh" else "bash").body.items]
    for start, following in zip(starts, [*starts[1:], len(text)], strict=True):
        if following - cuts[-1] > CHUNK and start > cuts[-1]:
            cuts.append(start)
    return [(text[start:end], start) for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True)]


# --- vetting ---------------------------------------------------------------------------------------------------------


def vet_each(checker: Checker, request: Request) -> list[tuple[int, Report]]:
    """Return a report for each top-level command with the offset where it starts.

    The text is analysed as a whole, so a variable or a directory that one command sets counts in the next; then
    each command is decided on by itself. Spans are offsets into the whole text.
    """
    facts = Facts()
    began = perf_counter()
    analysis, failed = checker.analysis(request, facts)
    nodes = [node for node, _ in parse(request.text, request.shell).body.items] if request.shell in PARSED else []
    if not nodes and request.shell in PARSED and not (failed or analysis.unreadable or analysis.fault):
        return []  # blank lines and comments
    if failed is not None or analysis.unreadable or not nodes:
        return [(0, checker.report(request, analysis, facts, began, failed))]
    starts = [node.start for node in nodes]
    if analysis.fault and analysis.fault_at >= nodes[-1].end:
        starts.append(analysis.fault_at)
        nodes.append(Node(analysis.fault_at, len(request.text)))
    reports = []
    for at, piece in enumerate(divided(analysis, starts)):
        piece.plain = is_plain(nodes[at], piece)
        alone = alone_of(request, request.text[starts[at] : (*starts, len(request.text))[at + 1]].strip())
        report = checker.report(alone, piece, facts, began)
        report.request = request
        reports.append((starts[at], report))
        began = perf_counter()
    return reports


def divided(analysis: Analysis, starts: list[int]) -> list[Analysis]:
    """Return what each piece of a text would do, by where its actions stand."""

    def home(at: int) -> int:
        return max(bisect_right(starts, at) - 1, 0)

    actions: list[list[int]] = [[] for _ in starts]
    effects: list[list[int]] = [[] for _ in starts]
    for number, action in enumerate(analysis.actions):
        actions[home(action.start)].append(number)
    for number, effect in enumerate(analysis.effects):
        effects[home(effect.action.start)].append(number)
    pieces = [
        Analysis(tuple(analysis.actions[number] for number in ours), tuple(analysis.effects[number] for number in done))
        for ours, done in zip(actions, effects, strict=True)
    ]
    if analysis.fault:
        hurt = pieces[home(analysis.fault_at)]
        hurt.fault, hurt.fault_at, hurt.unfinished = analysis.fault, analysis.fault_at, analysis.unfinished
    return pieces


def is_plain(node: Node, piece: Analysis) -> bool:
    """Return whether a piece is one command of literal words that runs as it is written."""
    if not isinstance(node, Simple) or node.redirects or node.assigns or node.late_assigns or not node.words:
        return False
    literal = all(isinstance(part, Literal) for word in node.words for part in word.parts)
    # A function or an alias of that name would show as other actions.
    name = node.words[0].bare()
    return literal and name is not None and [action.argv[:1] for action in piece.actions] == [(name,)]


def alone_of(request: Request, text: str) -> Request:
    """Return the request for one command of a script's text."""
    return Request(
        text,
        request.shell,
        request.cwd,
        request.env,
        request.aliases,
        request.functions,
        request.home,
        request.user,
        request.audience,
        request.tool,
        request.comments,
    )
