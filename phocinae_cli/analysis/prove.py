"""Prove the examples of the knowledge base: each must have its code when analysed, or must not have it."""

from __future__ import annotations

from phocinae_cli.analysis.analyze import analyze
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.request import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Analysis
    from phocinae_cli.kb.compile import Example
    from phocinae_cli.kb.lookup import Knowledge


def contradictions(examples: list[Example], knowledge: Knowledge) -> list[str]:
    """Return one sentence for every example that does not hold, with what was found instead."""
    faults: list[str] = []
    for example in examples:
        analysis = analyze(Request(example.line, shell=example.shell), Facts(), knowledge)
        codes = sorted({effect.code for effect in analysis.effects})
        if (example.code in codes) != example.holds and not (example.holds and _runs(example, analysis)):
            wanted = "should have" if example.holds else "should not have"
            faults.append(f"{example.origin}: {example.line!r} {wanted} {example.code}; it has {codes or 'no effect'}")
    return faults


def _runs(example: Example, analysis: Analysis) -> bool:
    """A behaviour that only runs something has no effect of its own: it shows as a second action."""
    return (
        not analysis.effects
        and len(analysis.actions) > 1
        and example.code.partition(".")[0] in analysis.actions[0].program
    )
