"""Measures what a check costs, as ratios: its start against a bare interpreter, a decision against `shlex`, growth.

Milliseconds depend on the neighbours of the machine; every figure here is a ratio of two CPU times that were taken
next to each other. Exit status 1 says that a bound was missed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

Given = TypeVar("Given")

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "everyday.jsonl"
LINE = "rm -rf ./build && ls -la"

START_BOUND, START_AIM = 2.0, 1.35
DECISION_BOUND = 3.0
GROWTH_BOUND = 3.0  # twice the input: 2 is linear, 4 is quadratic


class Outcome:
    """One measured figure held against its bound; `rows` are the samples that it was made from."""

    def __init__(self, name: str, ratio: float, bound: float, rows: Sequence[object], detail: str = "") -> None:
        self.name = name
        self.ratio = ratio
        self.bound = bound
        self.rows = rows
        self.detail = detail

    @property
    def well(self) -> bool:
        return self.ratio <= self.bound

    def __str__(self) -> str:
        word = "ok  " if self.well else "MISS"
        return f"{word} {self.name:<44} {self.ratio:6.2f}x  (bound {self.bound:g}x) {self.detail}".rstrip()


# --- start-up: an installed wheel, one process a sample -------------------------------------------------------------


def run(*command: str | Path) -> None:
    """Run a step of the installation; its output is shown only when it fails."""
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{shlex.join(map(str, command))} failed:\n{done.stdout}")


def install(folder: Path) -> Path:
    """Build the wheel, install it into a fresh virtual environment in `folder`, and return that environment's bin."""
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder / "dist", ROOT)
    (wheel,) = (folder / "dist").glob("*.whl")
    run(sys.executable, "-m", "venv", folder / "venv")
    bin_ = folder / "venv" / "bin"
    run(bin_ / "python", "-m", "pip", "install", "--quiet", wheel)
    run(bin_ / "python", "-m", "compileall", "-q", folder / "venv" / "lib")
    return bin_


def reinstall_with_current_pip(bin_: Path, folder: Path) -> None:
    """Install the same wheel by a current pip: the command that older ones write imports `re` at every start."""
    (wheel,) = (folder / "dist").glob("*.whl")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--upgrade", "pip")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel)


def cpu_s(command: Sequence[str], cwd: Path, env: dict[str, str], statuses: tuple[int, ...]) -> float:
    """Return the CPU seconds (user and system) of one process that must end with one of `statuses`."""
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen(command, cwd=cwd, env=env, stdin=null, stdout=null, stderr=null)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in statuses:
        raise SystemExit(f"{shlex.join(command)} ended with {child.returncode}, which is no verdict")
    return usage.ru_utime + usage.ru_stime


def paired(ours: Callable[[], float], baseline: Callable[[], float], pairs: int) -> list[tuple[float, float]]:
    """Take both measurements `pairs` times next to each other, the order drawn afresh each time."""
    order = random.Random(1)
    rows = []
    for _ in range(pairs):
        if order.random() < 0.5:
            mine, bare = ours(), baseline()
        else:
            bare, mine = baseline(), ours()
        rows.append((mine, bare))
    return rows


def start_up(pairs: int) -> Iterator[Outcome]:
    """One-shot `check` of an installed wheel against `python -I -c pass` of the same environment."""
    with tempfile.TemporaryDirectory(prefix="phocinae-speed-") as name:
        folder = Path(name)
        (folder / "home").mkdir()
        (folder / "project").mkdir()
        bin_ = install(folder)
        env = {"HOME": str(folder / "home"), "PATH": f"{bin_}:/usr/bin:/bin", "LANG": "C.UTF-8"}

        def ours() -> float:
            return cpu_s([str(bin_ / "phocinae"), "check", LINE], folder / "project", env, (0, 10, 20))

        def bare() -> float:
            return cpu_s([str(bin_ / "python"), "-I", "-c", "pass"], folder / "project", env, (0,))

        for current in (False, True):
            if current:
                reinstall_with_current_pip(bin_, folder)
            version = subprocess.run(
                [str(bin_ / "python"), "-m", "pip", "--version"], capture_output=True, text=True, check=True
            ).stdout.split()[1]
            paired(ours, bare, 3)  # the first runs read from the disk
            rows = paired(ours, bare, pairs)
            ratio = statistics.median(mine / base for mine, base in rows)
            aim = "aim reached" if ratio <= START_AIM else f"aim {START_AIM:g}x not reached"
            yield Outcome(f"one-shot check (command by pip {version})", ratio, START_BOUND, rows, aim)


# --- one decision: in process, line by line -------------------------------------------------------------------------


def best_ns(action: Callable[[Given], object], given: Given, rounds: int) -> int:
    """Return the least CPU time of this thread, in nanoseconds, that `action(given)` took in so many rounds."""
    best = 1 << 62
    for _ in range(rounds):
        begun = time.thread_time_ns()
        action(given)
        best = min(best, time.thread_time_ns() - begun)
    return best


def commands(corpus: Path, count: int) -> tuple[list[str], str]:
    """Return `count` one-line commands that `shlex` can split too, drawn with a fixed seed, and where they are from."""
    if corpus.exists():
        rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
        lines = [row["command"] for row in rows if "nl2bash" in row.get("source", "")]
        origin = f"nl2bash lines of {corpus.name}"
    else:
        print(f"no corpus at {corpus}: the commands of bench/datasets are measured instead (--corpus names another)")
        files = sorted((ROOT / "bench" / "datasets").rglob("*.jsonl"))
        rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
        lines = [row["command"] for row in rows if row.get("shell", "bash") in ("bash", "sh", "posix", "zsh")]
        origin = "commands of bench/datasets"
    lines = [line for line in dict.fromkeys(lines) if "\n" not in line and splits(line)]
    random.Random(1).shuffle(lines)
    return lines[:count], origin


def splits(line: str) -> bool:
    """Say whether `shlex.split` can read this line."""
    try:
        return bool(shlex.split(line))
    except ValueError:
        return False


def decision(corpus: Path, count: int) -> Iterator[Outcome]:
    """A whole decision (analysis, judge, gate) against `shlex.split` of the same text: the median of the ratios.

    What the machine is asked and what is written to the log are other things, and depend on the disk.
    """
    from phocinae_cli.app import Checker
    from phocinae_cli.core.request import Request

    lines, origin = commands(corpus, count)
    checker = Checker.from_environment(facts=False)
    checker.audit = checker.approvals = None
    rows = []
    for line in lines:
        request = Request(line, shell="bash", cwd="/home/u/project", home="/home/u")
        first = best_ns(checker.check, request, 1)
        ours = best_ns(checker.check, request, 5)
        split = best_ns(shlex.split, line, 5)
        rows.append((first, ours, split))
    ratios = sorted(ours / split for _, ours, split in rows)
    micros = statistics.median(ours for _, ours, _ in rows) / 1000
    first_time = statistics.median(first / split for first, _, split in rows)
    detail = (
        f"p90 {ratios[len(ratios) * 9 // 10]:.2f}x, seen for the first time {first_time:.2f}x,"
        f" {micros:.0f} µs; {len(rows)} {origin}"
    )
    yield Outcome("whole decision / shlex.split, p50", statistics.median(ratios), DECISION_BOUND, rows, detail)


# --- growth: twice the input, at most about twice the time ------------------------------------------------------------

DEEP: dict[str, Callable[[int], str]] = {
    "(": lambda n: "(" * n + "rm x" + ")" * n,
    "( never closed": lambda n: "(" * n,
    "$(": lambda n: "echo " + "$(echo " * n + "x" + ")" * n,
    '"$(': lambda n: "echo " + '"$(echo ' * n + "x" + ')"' * n,
    "${x:-": lambda n: "echo " + "${x:-" * n + "}" * n,
    "$((": lambda n: "echo " + "$((" * n + "1" + "))" * n,
    "{": lambda n: "{ " * n + "rm x; " + "}; " * n,
    "if": lambda n: "if true; then " * n + "rm x; " + "fi; " * n,
    "<(": lambda n: "cat " + "<(cat " * n + "x" + ")" * n,
    "sudo": lambda n: "sudo " * n + "rm x",
    "braces": lambda n: "echo " + "{a," * n + "b" + "}" * n,
    "braces never closed": lambda n: "echo " + "{a," * n,
}
LONG: dict[str, Callable[[int], str]] = {
    "one word": lambda n: "echo " + "a" * n,
    "words": lambda n: "echo" + " ab" * (n // 3),
    "commands": lambda n: "ls;" * (n // 3),
    "pipeline": lambda n: "cat x" + "|cat" * (n // 4),
    "quotes": lambda n: "echo " + "'a'" * (n // 3),
    "parameters": lambda n: "echo " + "$a" * (n // 2),
    "removals": lambda n: "rm" + " a/b" * (n // 4),
    "here-document": lambda n: "cat <<EOF\n" + "line\n" * (n // 5) + "EOF\n",
    "here-documents": lambda n: "cat <<E\nx\nE\n" * (n // 12),
    "assignments": lambda n: "".join(f"v{i:05}=1;" for i in range(n // 9)) + "ls",
    "backslashes": lambda n: "echo " + "\\a" * (n // 2),
    "redirections": lambda n: "ls" + " >x" * (n // 3),
    "globs": lambda n: "ls" + " *" * (n // 2),
    "functions": lambda n: "f() { ls; };" * (n // 12),
}


def growth() -> Iterator[Outcome]:
    """The time of n against 2n: 10,000 deep, and up to 64 kB long."""
    from phocinae_cli.app import Checker
    from phocinae_cli.core.request import Request

    checker = Checker.from_environment()

    def spent(text: str, rounds: int) -> int:
        return best_ns(checker.check, Request(text, shell="bash", cwd="/home/u/project", home="/home/u"), rounds)

    # 200 bytes are left for what stands around the repeated part: beyond 64 kB there is nothing left to measure.
    kinds = [(f"10,000 deep: {name}", make, 5_000) for name, make in DEEP.items()]
    kinds += [(f"64 kB: {name}", make, (64 * 1024 - 200) // 2) for name, make in LONG.items()]
    for name, make, size in kinds:
        half, whole = spent(make(size), 3), spent(make(2 * size), 3)
        if whole > GROWTH_BOUND * half:  # perhaps a neighbour: more rounds come nearer to the truth
            half, whole = min(half, spent(make(size), 12)), min(whole, spent(make(2 * size), 12))
        detail = f"{half / 1e6:.1f} -> {whole / 1e6:.1f} ms"
        yield Outcome(name, whole / max(half, 1), GROWTH_BOUND, [(half, whole)], detail)


# --- all together ---------------------------------------------------------------------------------------------------


def save(label: str, outcomes: Sequence[Outcome]) -> Path:
    """Keep the figures, their samples and the machine under bench/results; returns the file."""
    folder = ROOT / "bench" / "results" / f"{datetime.date.today():%Y-%m-%d}-{label}"
    folder.mkdir(parents=True, exist_ok=True)
    machine = {"python": sys.version, "system": platform.platform(), "cpu": platform.machine(), "cores": os.cpu_count()}
    figures = [
        {"name": one.name, "ratio": round(one.ratio, 3), "bound": one.bound, "detail": one.detail, "rows": one.rows}
        for one in outcomes
    ]
    path = folder / "speed.json"
    path.write_text(json.dumps({"machine": machine, "figures": figures}) + "\n", encoding="utf-8")
    return path


def main() -> int:
    """Measure what was asked for; returns 1 when a bound was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help="start, decision, growth; all of them when none is named"
    )
    parser.add_argument("--pairs", type=int, default=41, help="pairs of processes for start-up (default: 41)")
    parser.add_argument("--lines", type=int, default=1000, help="commands for the decision (default: 1000)")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="JSON lines with `command` and `source`")
    parser.add_argument("--save", metavar="LABEL", help="keep figures, samples and machine under bench/results")
    args = parser.parse_args()
    parts: dict[str, Callable[[], Iterator[Outcome]]] = {
        "start": lambda: start_up(args.pairs),
        "decision": lambda: decision(args.corpus, args.lines),
        "growth": growth,
    }
    if unknown := set(args.parts) - set(parts):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="phocinae-home-") as home:
        # In process too, nobody's settings are read and nobody's log is written.
        for name in [name for name in os.environ if name.startswith(("PHOCINAE_", "XDG_"))]:
            del os.environ[name]
        os.environ["HOME"] = home
        os.environ["PHOCINAE_GATE_AUDIT"] = "false"  # to write a line into the log is no part of deciding
        for part in args.parts or parts:
            for outcome in parts[part]():
                outcomes.append(outcome)
                print(outcome, flush=True)
    if args.save:
        print(f"kept in {save(args.save, outcomes).relative_to(ROOT)}")
    missed = sum(not outcome.well for outcome in outcomes)
    print(f"{len(outcomes) - missed} within bounds, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
