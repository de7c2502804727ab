"""The short list of effects that no rule, list or approval opens."""

from __future__ import annotations

from phocinae_cli.core.verdict import HARMLESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Analysis, Effect

ANYWHERE = "*"

NEVER = frozenset(
    (
        ("delete", "root"), ("overwrite", "root"), ("scramble", "root"), ("format", "root"),
        ("delete", "home"), ("overwrite", "home"), ("scramble", "home"),
        ("delete", "disk"), ("overwrite", "disk"), ("scramble", "disk"), ("write-disk", "disk"), ("format", "disk"),
        ("fork-bomb", ANYWHERE),
    )
)  # fmt: skip
"""Pairs of an effect's kind and its target's place. The places are the things themselves: `home` is the home
directory as a whole, `root` is `/`, `disk` a block device; what lies inside a home has other places."""


def on_the_list(effect: Effect) -> bool:
    """Return whether the effect is one that nothing opens."""
    if effect.harm == HARMLESS:
        return False
    return (effect.kind, effect.target.place) in NEVER or (effect.kind, ANYWHERE) in NEVER


def first_never(analysis: Analysis) -> Effect | None:
    """Return the first effect of the line that nothing opens, or None."""
    for effect in analysis.effects:
        if on_the_list(effect):
            return effect
    return None
