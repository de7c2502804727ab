"""Fit the table of confidences on the `fit` half of our labelled commands, and say how good it is on the other half.

Usage: python bench/calibrate.py [--write]     rewrites the table in phocinae_cli/backends/confidence.py
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from phocinae_cli.backends import confidence  # noqa: E402
from phocinae_cli.backends.embedded import judge  # noqa: E402
from phocinae_cli.core.request import Request  # noqa: E402
from tests.judging import analysed  # noqa: E402

MODULE = ROOT / "phocinae_cli" / "backends" / "confidence.py"
DATASETS = ("own", "blind", "tricky-harmless")
FEW = 12
"""A ground with fewer labelled commands than this has no row of its own."""


def rows(split: str) -> list[dict[str, str]]:
    """Return the labelled commands of one half."""
    found = []
    for name in DATASETS:
        path = ROOT / "bench" / "datasets" / name / "rows.jsonl"
        found += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in found if row["split"] == split]


def claims(split: str) -> list[tuple[str, str, float, bool]]:
    """Return harm, ground, confidence and whether it was right, for every row that a harm was claimed of."""
    found = []
    grounds: list[str] = []
    plain = confidence.confidence_of

    def watched(harm: str, ground: str) -> float:
        grounds.append(ground)
        return plain(harm, ground)

    judge.__globals__["confidence_of"] = watched
    for row in rows(split):
        request = Request(row["command"], shell=row["shell"])
        judgement = judge(analysed(request), request)
        if judgement.harm is not None:
            found.append((judgement.harm, grounds[-1], judgement.confidence, judgement.harm == row["label"]))
    judge.__globals__["confidence_of"] = plain
    return found


def fitted(split: str) -> tuple[dict[str, float], dict[str, float]]:
    """Return the share that was right by ground, and by harm, each drawn a little towards the middle."""
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for harm, ground, _, correct in claims(split):
        for key in (f"{harm} {ground}", harm):
            seen[key] += 1
            right[key] += correct
    share = {key: round((right[key] + 1) / (count + 2), 3) for key, count in seen.items()}
    table = {key: share[key] for key in sorted(seen) if " " in key and seen[key] >= FEW}
    return table, {harm: share[harm] for harm in ("harmless", "risky", "destructive")}


def report(split: str) -> float:
    """Print the reliability table of one half and return the calibration error."""
    bins: dict[float, list[bool]] = {}
    found = claims(split)
    for _, _, chance, correct in found:
        bins.setdefault(round(chance, 3), []).append(correct)
    error = 0.0
    print(f"{split}: {len(found)} claims\n  claimed  right    n")
    for chance, hits in sorted(bins.items()):
        share = sum(hits) / len(hits)
        error += len(hits) / len(found) * abs(share - chance)
        print(f"  {chance:.3f}    {share:.3f} {len(hits):5d}")
    print(f"  calibration error {error:.4f}")
    return error


def write(table: dict[str, float], other: dict[str, float]) -> None:
    """Put the fitted figures into the module."""
    text = MODULE.read_text(encoding="utf-8")
    start, end = text.index("TABLE = {"), text.index('"""For a ground')
    lines = "".join(f'    "{key}": {value},\n' for key, value in table.items())
    middle = ", ".join(f'"{key}": {value}' for key, value in other.items())
    MODULE.write_text(f"{text[:start]}TABLE = {{\n{lines}}}\nOTHER = {{{middle}}}\n{text[end:]}", encoding="utf-8")


def main() -> None:
    """Fit, report, and write if asked to."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true")
    if options.parse_args().write:
        table, other = fitted("fit")
        write(table, other)
        confidence.TABLE.clear()
        confidence.TABLE.update(table)
        confidence.OTHER.update(other)
    report("fit")
    report("held-out")


if __name__ == "__main__":
    main()
