"""`phocinae doctor`: whether everything is well, shown by trying it rather than by reading the configuration."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from phocinae_cli import __version__
from phocinae_cli.app import Checker
from phocinae_cli.cli.init import Shell
from phocinae_cli.cli.install import hook_file, own_home, rc_file, read
from phocinae_cli.cli.rcblock import SHELLS, START
from phocinae_cli.cli.screen import show
from phocinae_cli.cli.trial import observe
from phocinae_cli.config.load import survey
from phocinae_cli.config.problems import summary
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import DENY, EXIT_FAILURE
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.render.marks import clean
from phocinae_cli.resident.hook import interpreter
from phocinae_cli.resident.latency import round_trips

STAND_INS = (
    # Denied, and harmless where it runs all the same: there is no such disk.
    "wipefs -a /dev/phocinae-self-test-no-such-disk",
    "mkfs.ext4 /dev/phocinae-self-test-no-such-disk",
)

BLIND = (
    "what a script does that can't be read, or that changes before it runs: the line that starts it is vetted",
    "shells that no person types at: `bash -c`, ssh with a command, editors, make",
    "`fc` and `r`, which run a line from the history again: the hook asks about them, it can't see what they run",
    "bash without line editing or with ble.sh, and keys that were bound to accept-line after the hook was loaded",
)

COMPANY = ("bash-preexec", "ble.sh", "atuin", "starship", "direnv", "fzf", "oh-my-zsh", "powerlevel10k", "zsh-vi-mode",
           "zsh-autosuggestions", "zsh-syntax-highlighting", "tirith", "thefuck", "zoxide", "mcfly")  # fmt: skip

WELL, WRONG, UNKNOWN, ABSENT = "ok", "wrong", "unknown", "absent"


class Finding:
    """One thing looked at: `told` is what was seen, `do` what mends it.

    `state` is WELL, WRONG, UNKNOWN, or ABSENT for what was never put in place.
    """

    def __init__(self, name: str, state: str, told: str, do: str = "", data: dict[str, object] | None = None) -> None:
        self.name = name
        self.state = state
        self.told = told
        self.do = do
        self.data = data or {}


def command(
    shell: Annotated[
        list[Shell] | None, typer.Option("--shell", help="Try only this shell; several times for several.")
    ] = None,
    no_shells: Annotated[bool, typer.Option("--no-shells", help="Open no shell.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Try everything out: configuration, judge, worker, and in a real shell whether denied lines are stopped."""
    findings = [version(), configuration(), judge(), worker()]
    if not no_shells:
        names = [each.value for each in shell or []] or [name for name in SHELLS if shutil.which(name)]
        stand_in = denied_line()
        findings += [hook(name, stand_in) for name in names]
    if as_json:
        rows = [
            {"name": each.name, "state": each.state, "seen": each.told, "do": each.do, **each.data} for each in findings
        ]
        show(json.dumps({"schema": 1, "version": __version__, "checks": rows, "not_seen": list(BLIND)}))
    else:
        for each in findings:
            show(f"{each.state:<8}{each.name:<15}{clean(each.told)}")
            if each.do:
                show(f"{'':<23}{clean(each.do)}")
        show("\nThe hook can't see:")
        for line in BLIND:
            show(f"  {line}")
    # Who names a shell wants to hear that its lines are stopped; otherwise a shell may well go without a hook.
    bad = (WRONG, ABSENT) if shell else (WRONG,)
    return EXIT_FAILURE if any(each.state in bad for each in findings) else 0


def version() -> Finding:
    """Return which phocinae this is, and which interpreter the hook would start."""
    python = interpreter()
    with open(python, "rb") as file:
        is_script = file.read(2) == b"#!"
    told = f"phocinae {__version__}, {python} ({'.'.join(map(str, sys.version_info[:3]))})"
    if is_script:
        return Finding("version", WRONG, told, "this interpreter is a script and slow to start: install with another")
    return Finding("version", WELL, told)


def configuration() -> Finding:
    """Return whether the configuration in force here can be read."""
    try:
        loaded = survey(os.environ, os.getcwd())
    except PhocinaeError as error:
        return Finding("configuration", WRONG, error.message, error.do)
    faults = [*summary(loaded.faults), *summary(loaded.problems)]
    if faults:
        return Finding("configuration", WRONG, faults[0], "`phocinae config check` shows all", {"faults": faults})
    return Finding("configuration", WELL, "readable, nothing in it is at fault")


def judge() -> Finding:
    """Return whether a line gets an answer from the judge that the settings name, and how fast."""
    try:
        checker = Checker.from_environment()
        checker.audit = None
        report = checker.check(request("ls -la"))
    except PhocinaeError as error:
        return Finding("judge", WRONG, error.message, error.do)
    backend = checker.settings.backend
    if report.error is not None:
        return Finding(
            "judge", WRONG, f"{backend}: {report.error[1]}", "until then every line it is asked about asks you"
        )
    return Finding("judge", WELL, f"{backend}, {report.taken_ms:.1f} ms for `ls -la`", data={"ms": report.taken_ms})


def worker() -> Finding:
    """Return how long a round trip to a worker takes, measured on one of our own."""
    try:
        times = round_trips(40)
    except OSError as error:
        return Finding("worker", WRONG, str(error), "lines are then vetted by a process of their own, which is slower")
    middle, high = times[len(times) // 2], times[int(len(times) * 0.95)]
    return Finding("worker", WELL, f"answers in {middle:.2f} ms (95 % in {high:.2f} ms)", data={"ms": middle})


def denied_line() -> str:
    """Return a line that the judge denies here and that does no harm; empty when there is none."""
    try:
        checker = Checker.from_environment()
        checker.audit = None
        for line in STAND_INS:
            if checker.check(request(line)).verdict.decision == DENY:
                return line
    except PhocinaeError:
        return ""
    return ""


def request(text: str) -> Request:
    """Return what the hook would ask about a text."""
    home = os.environ.get("HOME", "/")
    return Request(text, cwd=os.getcwd(), home=home, user=os.environ.get("USER", ""), audience="person")


def hook(shell: str, stand_in: str) -> Finding:
    """Return what was seen in a real interactive shell: whether allowed lines run and denied ones do not."""
    name = f"hook in {shell}"
    home = own_home()
    rc, file = rc_file(home, shell), hook_file(home, shell)
    text = read(rc)
    data: dict[str, object] = {"installed": START in text, "company": company(text)}
    if shutil.which(shell) is None:
        return Finding(name, UNKNOWN, f"{shell} is not installed", data=data)
    if not stand_in:
        return Finding(name, UNKNOWN, "no line was denied that could be tried without harm", "look at your rules", data)
    with tempfile.TemporaryDirectory(prefix="phocinae-doctor-") as marks:
        seen = observe(shell, Path(marks), stand_in)
    data["seen"] = seen
    beside = f"; beside {', '.join(company(text))}" if company(text) else ""
    stops = [seen[trial] for trial in ("denied", "several lines", "pasted")]
    if not seen["allowed"]:
        return Finding(name, WRONG, f"an allowed line did not run within the time{beside}", "try `phocinae_off`", data)
    if all(stops):
        old = f"; the hook is of another version: `phocinae install --shell {shell}`" if is_old(file) else ""
        return Finding(name, WELL, f"stops lines: typed, of several lines, and pasted{beside}{old}", data=data)
    missed = [trial for trial in ("denied", "several lines", "pasted") if seen[trial] is False]
    if not missed:
        return Finding(name, UNKNOWN, "the shell did not answer after a denied line", data=data)
    if START not in text:
        return Finding(
            name, ABSENT, "lines are not stopped: no hook was installed", f"`phocinae install --shell {shell}`", data
        )
    return Finding(
        name, WRONG, f"not stopped: {', '.join(missed)}{beside}", "load the hook last in your start-up file", data
    )


def is_old(file: Path) -> bool:
    """Return whether a hook's file is there and of another version."""
    text = read(file)
    return bool(text) and f"__phocinae_hook={__version__}\n" not in text and f"'{__version__}'" not in text


def company(text: str) -> list[str]:
    """Return which other tools that hook into the prompt a start-up file names, in its order."""
    found = [(text.find(name), name) for name in COMPANY if name in text]
    return [name for _, name in sorted(found)]
