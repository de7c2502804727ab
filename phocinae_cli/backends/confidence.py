"""How often a verdict is right, by what it rests on: a table fitted on labelled commands by bench/calibrate.py.

A ground is the harm claimed and the kind of thing that decided it: `path` (where a path lies), `name` (what the
knowledge base says of a command), `data` (what is sent), `code` (what would run), `none`, and for harmless `plain` when
no effect was found at all. `mixed` says that something else on the line is not certain.
"""

from __future__ import annotations

TABLE = {
    "destructive code": 0.989,
    "destructive data": 0.987,
    "destructive mixed": 0.969,
    "destructive name": 0.998,
    "destructive none": 0.975,
    "destructive path": 0.997,
    "harmless path": 0.96,
    "harmless plain": 0.995,
    "risky name": 0.988,
    "risky path": 0.949,
}
OTHER = {"harmless": 0.989, "risky": 0.983, "destructive": 0.999}
"""For a ground that too few labelled commands have."""
UNSURE = 0.3
"""When nothing harmful is known but something is not known at all: no harm is claimed then."""


def confidence_of(harm: str, ground: str) -> float:
    """Return the calibrated probability that a claim of this harm on this ground is right."""
    return TABLE.get(f"{harm} {ground}", OTHER[harm])
