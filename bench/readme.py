"""Writes the tables of the README from kept results, between `<!-- bench:begin -->` and `<!-- bench:end -->`.

`python bench/readme.py` takes the newest folder of each label under bench/results; `--check` only says whether the
block is what they give, by exit status 1 when it is not.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from phocinae_cli.bench import table  # noqa: E402
from phocinae_cli.bench.report import grid, made_by  # noqa: E402
from phocinae_cli.bench.results import MACHINE, SUMMARY, TIMING, load  # noqa: E402

RESULTS = ROOT / "bench" / "results"
README = ROOT / "README.md"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"

SECTIONS = {
    "embedded": (
        "The embedded engine on the labelled sets that come along (`phocinae bench`). The `held-out` rows of `blind` "
        "were written from the policy by authors who had not seen the engine, and nobody looked at them since; nothing "
        "was fitted on them. All other rows were looked at while faults were mended."
    ),
    "guards": (
        "Other guards on the held-out bash and zsh rows of `blind`, in the same run, as their own hooks answer. The "
        "labels are ours, and the guards were made with other aims: not all of them mean to stop everything that is "
        "called destructive here."
    ),
    "formulations": (
        "The three ways to put the question to a decision service, on 53 commands: to `phocinae serve`, and to a small "
        "general model (sparrow), recorded."
    ),
}
"""The labels of the runs that stand in the README, each with what is said in front of its table."""


def newest(label: str) -> Path | None:
    """Return the newest kept run with a label, or None."""
    found = [path for path in RESULTS.glob(f"????-??-??-{label}*") if rest_is_number(path.name[11:], label)]
    return max(found, key=lambda path: (path.name[:10], len(path.name), path.name), default=None)


def rest_is_number(name: str, label: str) -> bool:
    """Say whether a folder's name is the label, or the label with a number behind it."""
    rest = name.removeprefix(label)
    return not rest or (rest[0] == "-" and rest[1:].isdigit())


def section(label: str, folder: Path) -> list[str]:
    """Return the lines of one table."""
    summary, timing, machine = (load(folder, name) for name in (SUMMARY, TIMING, MACHINE))
    lines = [SECTIONS[label], "", *grid(*table.main_table(summary, timing)), ""]
    return [*lines, f"From `bench/results/{folder.name}`: {made_by(machine)}", *speed(label, timing), ""]


def speed(label: str, timing: dict[str, Any]) -> list[str]:
    """Return the sentence on speed, for the engine alone: it is the only one that was measured in all ways."""
    ways = timing.get("ways") or {}
    if label != "embedded" or not ways:
        return []
    told = [f"in process {table.milliseconds(timing['judges']['embedded']['p50_ms'])} ms"]
    told += [f"{name} {table.milliseconds(times['p50_ms'])} ms" for name, times in ways.items()]
    return [
        f"Median time of an answer: {', '.join(told)}; {timing['rows_per_s']:,.0f} rows/s on {timing['jobs']} core."
    ]


def block() -> str:
    """Return the whole block, markers included."""
    lines = [BEGIN, "<!-- written by bench/readme.py from bench/results: change neither by hand -->", ""]
    for label in SECTIONS:
        folder = newest(label)
        if folder is not None:
            lines += section(label, folder)
    return "\n".join([*lines, table.EXPLAINED[0].upper() + table.EXPLAINED[1:] + ".", "", END])


def written(text: str) -> str:
    """Return a README with the block put between its markers; raises ValueError when they are not there once each."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"there must be one {BEGIN} and one {END} behind it")
    return text[: text.index(BEGIN)] + block() + text[text.index(END) + len(END) :]


def main() -> int:
    """Rewrite the block, or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the block is out of date")
    parser.add_argument("--print", action="store_true", help="print the block instead")
    parser.add_argument("--readme", type=Path, default=README, help="the file (default: %(default)s)")
    args = parser.parse_args()
    if args.print:
        print(block())
        return 0
    before = args.readme.read_text(encoding="utf-8")
    try:
        after = written(before)
    except ValueError as error:
        print(f"{args.readme}: {error}")
        return 1
    if args.check:
        print("the block is up to date" if after == before else "the block is out of date: run bench/readme.py")
        return int(after != before)
    args.readme.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
