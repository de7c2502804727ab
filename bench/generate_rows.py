"""Writes any number of labelled rows: the shipped ones over and over, each with a comment that makes it a new text.

`python bench/generate_rows.py 1000000 > rows.jsonl` is what `phocinae bench --data rows.jsonl` was held to constant
memory with.
"""

from __future__ import annotations

import json
import sys
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from phocinae_cli.bench.invariance import POSIX  # noqa: E402
from phocinae_cli.bench.rows import read, shipped  # noqa: E402


def main(count: int) -> None:
    """Write so many rows to standard output."""
    rows = [row for source in shipped().values() for row in read(source) if row.shell in POSIX]
    rows = [row for row in rows if "\n" not in row.command and "<<" not in row.command]
    for number, row in enumerate(islice(cycle(rows), count), 1):
        found = {"id": f"generated-{number}", "command": f"{row.command} # {number}", "shell": row.shell}
        print(json.dumps({**found, "label": row.label, "tags": row.tags}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
