"""A name is found by bisection, whatever the other names are; several names share one description."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.kb.compile import compile_tools, load_file
from phocinae_cli.kb.lookup import Knowledge

EMPTY = ("values", "verbs", "flags", "special", "help", "stops", "rows")
NAMES = st.text(alphabet="ab-x.é", min_size=1, max_size=5)


def described(names: set[str]) -> str:
    fields = "\x1e".join(
        f"{key}={value}"
        for key, value in (
            ("style", "gnu"),
            ("output", "content"),
            ("undescribed", "ask"),
            *((key, "") for key in EMPTY),
        )
    )
    return "\n".join(sorted(f"{name}\t{fields}" for name in names)) + "\n"


@given(st.sets(NAMES, max_size=60), NAMES)
def test_a_name_is_found_exactly_when_it_is_described(names: set[str], other: str) -> None:
    knowledge = Knowledge(described(names))
    for name in names:
        assert knowledge.find(name) is not None
    assert (knowledge.find(other) is not None) == (other in names)


def test_names_that_can_not_be_there_are_not_found() -> None:
    knowledge = Knowledge(described({"a", "b"}))
    for name in ("", "a\n", "a\tb", "\udc80"):
        assert knowledge.find(name) is None


def test_a_second_name_leads_to_the_same_description(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('names = ["first", "second"]\nharmless = ["*"]\n')
    knowledge = Knowledge(compile_tools(load_file(path)))
    assert knowledge.find("second") is knowledge.find("first")


def test_a_user_s_own_entry_stands_in_front() -> None:
    own = described({"a"}).replace("style=gnu", "style=posix")
    found = Knowledge(described({"a"}), own).find("a")
    assert found is not None
    assert found.style == "posix"
