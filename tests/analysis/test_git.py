"""What git does depends on the machine: a clean tree, the branch that is checked out, aliases, files."""

from __future__ import annotations

import pytest

from tests.judging import Machine, decision


@pytest.mark.parametrize("line", ["git reset --hard", "git checkout -- .", "git restore src", "git switch -f topic"])
def test_a_clean_tree_has_nothing_to_lose(line: str) -> None:
    assert decision(line, machine=Machine(clean=True)) == "allow"
    assert decision(line, machine=Machine(clean=False)) == "ask"


@pytest.mark.parametrize("line", ["git clean -fd", "git stash drop", "git worktree remove --force ../wt"])
def test_what_is_no_change_of_a_tracked_file_is_lost_in_a_clean_tree_too(line: str) -> None:
    assert decision(line, machine=Machine(clean=True)) == "ask"


def test_a_forced_push_without_a_branch_is_one_of_the_branch_that_is_checked_out() -> None:
    assert decision("git push --force", machine=Machine(root="/home/user/project")) == "deny"
    assert decision("git push --force origin HEAD", machine=Machine(root="/home/user/project")) == "deny"
    assert decision("git push --force", machine=Machine()) == "ask"
    assert decision("git switch topic && git push --force", machine=Machine(root="/home/user/project")) == "ask"
