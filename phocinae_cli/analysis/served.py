"""Directories that a server lends: private where a home or a secret lies below and others reach the port."""

from __future__ import annotations

from phocinae_cli.analysis import sending, targets
from phocinae_cli.analysis.hosts import is_local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.collect import Collector
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.kb.lookup import Row

EVERYBODY = ("0.0.0.0", "::", "[::]", "*")
"""Addresses that stand for every interface."""


def lend(invocation: Invocation, row: Row, source: str, taken: int) -> None:
    """Record that a directory is served; what is not private passes, and so does a port that only this machine sees."""
    collector = invocation.evaluator.collector
    values = targets.select(invocation, source, taken)
    taint = frozenset[str]()
    for value in values:
        taint |= collector.content(value, invocation.scope).taint
    place = sending.data_place(taint, False)
    if place == "file":
        return
    here = _bound_here(invocation)
    text = " ".join(value.text for value in values)
    invocation.effect(
        "serve", text, row.code, row.why, instead=row.instead, harm=row.harm or None, place="local" if here else place
    )
    if here:
        collector.served.append((collector.effects[-1], place))


def _bound_here(invocation: Invocation) -> bool:
    """Return whether some word is an address of this machine alone."""
    for word in invocation.words:
        text = word.text.rpartition("=")[2].removeprefix("http://")
        host = text if text.count(":") > 1 else text.partition(":")[0]
        if host not in EVERYBODY and is_local(host):
            return True
    return False


def settle(collector: Collector) -> None:
    """A tunnel on the same line opens to others what was meant for this machine alone."""
    if collector.served and any(effect.kind == "tunnel" for effect in collector.effects):
        for effect, place in collector.served:
            effect.target.place = place
