"""Targets of a Makefile: what a recipe makes is build output, what else it does counts."""

from __future__ import annotations

import pytest

from tests.judging import Machine, decision

MAKEFILE = """TABLE := lib/table.txt
.PHONY: all clean

all: $(TABLE)

$(TABLE): notes.md
\tcat notes.md > $(TABLE).new
\tmv $(TABLE).new $(TABLE)

lib/copied.txt: notes.md
\tcp notes.md lib/copied.txt

swapped:
\tmv notes.md $(TABLE)

lib:
\trm -rf lib

clean:
\trm -f notes.md
"""
FILES = {
    f"/home/user/project/{name}": text
    for name, text in {
        "Makefile": MAKEFILE,
        "lib/table.txt": "old",
        "lib/copied.txt": "old",
        "notes.md": "text",
    }.items()
}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("make", "allow"),
        ("make lib/table.txt", "allow"),
        ("make lib/copied.txt", "allow"),
        ("make swapped", "ask"),
        ("make lib", "ask"),
        ("make clean", "ask"),
        ("mv lib/table.txt.new lib/table.txt", "ask"),
    ],
)
def test_a_recipe_may_write_the_file_that_it_makes_and_nothing_else(line: str, expected: str) -> None:
    machine = Machine(FILES, root="/home/user/project")
    assert decision(line, machine=machine, cwd="/home/user/project", home="/home/user") == expected
