"""What the shell hook adds to a prompt: round trip, Enter to prompt, start of a shell, memory of the worker.

Every figure stands beside its control from the same run, taken in turn with it: on a shared machine milliseconds by
themselves say little. Nothing is asserted here; `--check` holds the medians against the targets.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from phocinae_cli.resident.hook import PACKAGE, hook_text  # noqa: E402

SHELLS = ("bash", "zsh")
SHORT = "ls -la"
LINE = "git status && ls -la build | head"
TARGETS = {"round trip": 0.5, "start-up": 10.0, "worker": 25.0}

# Runs at the end of the rc file, where the hook is loaded: no pty and no line editor in the figures.
LOOPS = {
    "bash": r"""
__bench() { local t=$EPOCHREALTIME; "${@:2}" >/dev/null 2>&1; echo "$1 $t $EPOCHREALTIME" >>$OUT; }
__trip() { __phocinae_pack "$LINE" "$LINE"; __phocinae_query check; }
__short() { __phocinae_pack "$SHORT" "$SHORT"; __phocinae_query check; }
__once() { __phocinae_pack "$LINE" "$LINE"; __phocinae_once check; }
""",
    "zsh": r"""
zmodload zsh/datetime
__bench() { local t=$EPOCHREALTIME; "${@[2,-1]}" >/dev/null 2>&1; echo "$1 $t $EPOCHREALTIME" >>$OUT; }
__trip() { __phocinae_pack "$LINE" "$LINE"; __phocinae_query check; }
__short() { __phocinae_pack "$SHORT" "$SHORT"; __phocinae_query check; }
__once() { __phocinae_pack "$LINE" "$LINE"; __phocinae_once check; }
""",
}
LOOP = r"""
__trip; __once
i=0; while [ $i -lt $N ]; do i=$((i+1))
  __bench trip __trip; __bench short __short
  if [ $((i % 8)) = 0 ]; then
    __bench true /bin/true; __bench python $PY -I -S -c pass; __bench once __once
    __bench script $PHOCINAE check "$LINE"
  fi
done
echo "verdict $__phocinae_verdict" >>$OUT; cp /proc/$__phocinae_pid/smaps_rollup $OUT.memory
exit
"""


def main() -> int:
    """Measure, print the table, and return 1 when --check is given and a target is missed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=200, help="round trips measured (default 200)")
    options.add_argument("--check", action="store_true", help="fail when a median misses its target")
    options.add_argument("--save", metavar="DIR", help="keep the figures and the machine as DIR/summary.json")
    given = options.parse_args()
    found: dict[str, dict[str, dict[str, float]]] = {}
    for shell in SHELLS:
        if shutil.which(shell) is None:
            print(f"{shell} is not installed: nothing was measured for it")
            continue
        with tempfile.TemporaryDirectory(prefix="phocinae-bench-") as place:
            bench = Bench(shell, Path(place), given.rounds)
            found[shell] = {**bench.inside(), **bench.prompt(), **bench.start()}
        table(shell, found[shell])
    if given.save:
        keep(Path(given.save), found)
    missed = misses(found)
    for line in missed:
        print(line)
    return 1 if missed and given.check else 0


class Bench:
    """The measurements for one shell in a home of its own."""

    def __init__(self, shell: str, home: Path, rounds: int) -> None:
        self.shell = shell
        self.home = home
        self.rounds = rounds
        (home / "tmp").mkdir()
        (home / "hook").write_text(hook_text(shell))
        script = Path(sys.executable).with_name("phocinae")
        self.env = {
            "PATH": os.environ["PATH"], "HOME": str(home), "ZDOTDIR": str(home), "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8", "TMPDIR": str(home / "tmp"), "OUT": str(home / "out"), "LINE": LINE, "SHORT": SHORT,
            "N": str(rounds), "PY": os.path.realpath(sys.executable),
            "PHOCINAE": str(script) if script.exists() else "/bin/false",
        }  # fmt: skip

    def rc(self, text: str) -> None:
        (self.home / (".bashrc" if self.shell == "bash" else ".zshrc")).write_text(text)

    def spawn(self) -> pexpect.spawn[str]:
        argv = ["--noprofile", "--rcfile", str(self.home / ".bashrc"), "-i"] if self.shell == "bash" else ["-d", "-i"]
        child: pexpect.spawn[str] = pexpect.spawn(
            shutil.which(self.shell) or self.shell,
            argv,
            env=self.env,
            cwd=str(self.home),
            encoding="utf-8",
            timeout=120,
        )
        child.delaybeforesend = None
        return child

    def inside(self) -> dict[str, dict[str, float]]:
        """Round trips and their controls, taken inside the shell."""
        self.rc(f". {self.home}/hook\n{LOOPS[self.shell]}{LOOP}")
        child = self.spawn()
        child.expect(pexpect.EOF)
        times: dict[str, list[float]] = {}
        verdict = ""
        for line in (self.home / "out").read_text().splitlines():
            name, *rest = line.split()
            if name == "verdict":
                verdict = rest[0]
            else:
                times.setdefault(name, []).append((float(rest[1]) - float(rest[0])) * 1000)
        if verdict not in ("allow", "ask", "deny"):
            raise SystemExit(f"{self.shell}: the worker gave no answer ({verdict!r}), so nothing was measured")
        names = {"short": "round trip", "trip": "round trip, long line", "true": "spawn /bin/true",
                 "python": "python -I -S -c pass", "once": "one-shot from the hook",
                 "script": "phocinae check"}  # fmt: skip
        result = {names[name]: summary(values) for name, values in times.items()}
        sizes = [line.split() for line in (self.home / "out.memory").read_text().splitlines()[1:]]
        memory = {row[0].rstrip(":"): int(row[1]) / 1024 for row in sizes}
        result["worker, MB"] = dict.fromkeys(("low", "median", "p95"), memory["Rss"])
        return result

    def prompt(self) -> dict[str, dict[str, float]]:
        """Enter to the next prompt, with and without the hook, in turn."""
        number = "\\#" if self.shell == "bash" else "%!"
        children = {}
        for name, source in (("without", ""), ("with", f". {self.home}/hook\n")):
            self.rc(f"HISTSIZE=100000\nPS1='<{number}>'\n{source}")
            children[name] = self.spawn()
            children[name].expect_exact("<1>")
            time.sleep(0.3)
        times: dict[str, list[float]] = {name: [] for name in children}
        for turn in range(1, max(self.rounds // 2, 20) + 1):
            for name, child in children.items():
                child.send(": x")
                child.expect_exact("x")
                began = time.perf_counter()
                child.send("\r")
                child.expect_exact(f"<{turn + 1}>")
                if turn > 2:  # the first line starts the worker
                    times[name].append((time.perf_counter() - began) * 1000)
        for child in children.values():
            child.close(force=True)
        return {f"Enter to prompt, {name}": summary(values) for name, values in times.items()}

    def start(self) -> dict[str, dict[str, float]]:
        """Start of an interactive shell until its rc file is through, with and without the hook, in turn."""
        times: dict[str, list[float]] = {"without": [], "with": []}
        for _ in range(25):
            for name, source in (("without", ""), ("with", f". {self.home}/hook\n")):
                self.rc(f"{source}exit\n")
                began = time.perf_counter()
                child = self.spawn()
                child.expect(pexpect.EOF)
                times[name].append((time.perf_counter() - began) * 1000)
                child.close()
        pairs = sorted(after - before for before, after in zip(times["without"], times["with"], strict=True))
        added = {"low": pairs[len(pairs) // 10], "median": pairs[len(pairs) // 2], "p95": pairs[int(len(pairs) * 0.95)]}
        return {**{f"start-up, {name}": summary(values) for name, values in times.items()}, "start-up, added": added}


def summary(values: list[float]) -> dict[str, float]:
    """Return 10th percentile (what a quiet machine gives), median and 95th percentile."""
    ordered = sorted(values)
    return {
        "low": ordered[len(ordered) // 10],
        "median": ordered[len(ordered) // 2],
        "p95": ordered[int(len(ordered) * 0.95)],
        "n": float(len(ordered)),
    }


def table(shell: str, rows: dict[str, dict[str, float]]) -> None:
    """Print the figures of one shell."""
    print(f"\n{shell}{'':<26}     p10 ms  median ms     p95 ms")
    for name, row in rows.items():
        print(f"  {name:<28}{row['low']:>10.2f} {row['median']:>10.2f} {row['p95']:>10.2f}")


def misses(found: dict[str, dict[str, dict[str, float]]]) -> list[str]:
    """Return a line for each median over its target."""
    rows = {"round trip": "round trip", "start-up, added": "start-up", "worker, MB": "worker"}
    return [
        f"{shell}: {row} is {figures[row]['median']:.2f}, the target is {TARGETS[target]}"
        for shell, figures in found.items()
        for row, target in rows.items()
        if figures[row]["median"] > TARGETS[target]
    ]


def keep(place: Path, found: dict[str, dict[str, dict[str, float]]]) -> None:
    """Write the figures with the machine they were taken on."""
    place.mkdir(parents=True, exist_ok=True)
    versions: dict[str, str] = {}
    run: Callable[[list[str]], str] = lambda argv: subprocess.run(argv, capture_output=True, text=True).stdout  # noqa: E731
    for shell in found:
        versions[shell] = run([shell, "--version"]).splitlines()[0]
    machine = {"system": platform.platform(), "cores": os.cpu_count(), "python": platform.python_version(), **versions}
    summary_file = place / "summary.json"
    summary_file.write_text(
        json.dumps({"machine": machine, "package": PACKAGE.name, "figures": found}, indent=1) + "\n"
    )


if __name__ == "__main__":
    sys.exit(main())
