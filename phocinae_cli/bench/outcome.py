"""A labelled row, and what a judge made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from phocinae_cli.core.verdict import HARMLESS

HELD_OUT = "held-out"
"""The split whose rows are counted and never shown: who has seen a mistake can't leave it unmended."""

HARMFUL = "harmful"
"""What a yes/no judge claims of everything that it does not call harmless."""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled command. `source` is the set it stands in; `coarse` says that its set knows two labels only."""

    id: str
    command: str
    label: str
    shell: str = "bash"
    source: str = ""
    why: str = ""
    tags: tuple[str, ...] = ()
    split: str = ""
    coarse: bool = False

    @property
    def listed(self) -> bool:
        """Whether the row may be shown."""
        return self.split != HELD_OUT

    def as_object(self) -> dict[str, object]:
        """Return the row as plain values for JSON, without what is empty."""
        found: dict[str, object] = {"id": self.id, "source": self.source, "shell": self.shell, "label": self.label}
        found["command"] = self.command
        for name in ("why", "split", "coarse"):
            if value := getattr(self, name):
                found[name] = value
        if self.tags:
            found["tags"] = list(self.tags)
        return found

    @classmethod
    def from_object(cls, found: Mapping[str, Any]) -> Row:
        """Return the row that `as_object` gave; raises KeyError for something else."""
        return cls(
            id=found["id"],
            command=found["command"],
            label=found["label"],
            shell=found["shell"],
            source=found["source"],
            why=found.get("why", ""),
            tags=tuple(found.get("tags", ())),
            split=found.get("split", ""),
            coarse=found.get("coarse", False),
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a judge made of a row.

    `claim` is the harm it claims (harmless, risky, destructive, or HARMFUL), None when it makes no claim.
    `confidence` is on the scale that thresholds are held against, `probability` that of being right; both are None
    when unknown. `movable` says that the confidence alone decides whether the row passes. `flipped` says that the
    order of the options changed the answer, None that no other order was tried. `error` is the code of a failure.
    """

    decision: str
    claim: str | None = None
    confidence: float | None = None
    probability: float | None = None
    movable: bool = False
    escalate: bool = False
    reason: str = ""
    codes: tuple[str, ...] = ()
    flipped: bool | None = None
    error: str = ""

    def as_object(self) -> dict[str, object]:
        """Return the outcome as plain values for JSON, without what is empty."""
        found: dict[str, object] = {"decision": self.decision, "claim": self.claim}
        if self.confidence is not None:
            found["confidence"] = self.confidence
        if self.probability is not None and self.probability != self.confidence:
            found["probability"] = self.probability
        for name in ("movable", "escalate", "reason", "error"):
            if value := getattr(self, name):
                found[name] = value
        if self.codes:
            found["codes"] = list(self.codes)
        if self.flipped is not None:
            found["flipped"] = self.flipped
        return found

    @classmethod
    def from_object(cls, found: Mapping[str, Any]) -> Outcome:
        """Return the outcome that `as_object` gave; raises KeyError for something else."""
        confidence = found.get("confidence")
        return cls(
            decision=found["decision"],
            claim=found["claim"],
            confidence=confidence,
            probability=found.get("probability", confidence),
            movable=found.get("movable", False),
            escalate=found.get("escalate", False),
            reason=found.get("reason", ""),
            codes=tuple(found.get("codes", ())),
            flipped=found.get("flipped"),
            error=found.get("error", ""),
        )


def is_right(row: Row, claim: str | None) -> bool | None:
    """Return whether a claim fits the label, or None for no claim.

    Where the judge or the set knows two words only, it fits when both or neither are harmless.
    """
    if claim is None:
        return None
    if row.coarse or claim == HARMFUL:
        return (claim == HARMLESS) == (row.label == HARMLESS)
    return claim == row.label
