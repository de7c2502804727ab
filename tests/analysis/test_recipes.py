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


def test_a_target_behind_many_others_is_read_like_the_first() -> None:
    steps = "".join(f"step{number}:\n\techo {number}\n" for number in range(100))
    needs = " ".join(f"step{number}" for number in range(100))
    makefile = f"all: {needs} last\n{steps}last:\n\trm -rf ~\n"
    machine = Machine({"/home/user/project/Makefile": makefile})
    assert decision("make all", machine=machine) == "deny"
