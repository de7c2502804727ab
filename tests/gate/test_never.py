"""The short list that nothing opens."""

from __future__ import annotations

import pytest

from phocinae_cli.gate.never import ANYWHERE, NEVER, first_never
from phocinae_cli.kb.schema import KINDS
from tests.gate.fakes import action, analysis, effect


def test_every_kind_on_the_list_is_one_that_the_engine_knows() -> None:
    assert {kind for kind, _ in NEVER} <= set(KINDS)


def test_the_list_is_short() -> None:
    assert len(NEVER) <= 16


@pytest.mark.parametrize(
    ("kind", "place", "listed"),
    [
        ("delete", "root", True), ("delete", "home", True), ("overwrite", "disk", True), ("write-disk", "disk", True),
        ("format", "disk", True), ("fork-bomb", "elsewhere", True),
        ("delete", "home-data", False), ("delete", "project", False), ("read", "root", False), ("read", "home", False),
        ("create", "home", False), ("permissions", "home", False), ("write-disk", "project", False),
    ],
)  # fmt: skip
def test_kind_and_place_decide(kind: str, place: str, listed: bool) -> None:
    of = action("x")
    found = first_never(analysis(of, effects=(effect(of, "read"), effect(of, kind, "it", place))))
    assert (found is not None) is listed


def test_an_effect_that_is_claimed_harmless_is_not_on_the_list() -> None:
    of = action("x")
    claimed = effect(of, "delete", "/", "root")
    claimed.harm = "harmless"
    assert first_never(analysis(of, effects=(claimed,))) is None


def test_anywhere_is_no_place() -> None:
    of = action("x")
    assert first_never(analysis(of, effects=(effect(of, "delete", "*", ANYWHERE),))) is None
