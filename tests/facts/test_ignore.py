from __future__ import annotations

from pathlib import Path

import pytest

from phocinae_cli.facts.ignore import is_ignored
from tests.facts.conftest import Repo

PATHS = [
    "a", "a.log", "b.log", "build", "build/x", "build/sub/x", "sub/build/x", "sub/a.log", "sub/deep/a.log",
    "docs/a.txt", "docs/sub/a.txt", "keep.log", "sub/keep.log", "foo/bar", "foo/baz", "x/foo/bar", "#hash", "a b",
    "a b ", "!bang",
    "node_modules/m/index.js", "packages/p/node_modules/m/x", "deep/a/b/c/file", "abc", "abbc", "ac",
    ".env", "out.d/x",
]  # fmt: skip

RULES = [
    "*.log\n",
    "*.log\n!keep.log\n",
    "/build\n",
    "build/\n",
    "build/\n!build/x\n",
    "build/*\n!build/x\n",
    "docs/*.txt\n",
    "docs/**\n",
    "**/bar\n",
    "foo/**/bar\n",
    "foo/bar\n",
    "deep/**/file\n",
    "node_modules\n",
    "a?c\nab*c\n",
    "*\n!a\n",
    "*\n!*/\n!*.txt\n",
    "# comment\n\n\\#hash\n",
    "a b\n",
    "a b \n",
    ".env*\r\n",
    "sub/\n",
    "*.d/\n",
    "**\n",
    "/\n",
    "!*.log\n*.log\n",
    "[ab].log\n!keep.log\n",
    "*.log\n![k]eep.log\n",
    "a\n/sub/build\ndocs/sub/\n",
]


@pytest.mark.parametrize("rules", RULES)
def test_git_agrees_on_what_is_ignored(repo: Repo, rules: str) -> None:
    repo.write(".gitignore", rules)
    _compare(repo, exact="\\" not in rules and "[" not in rules)


def test_a_deeper_file_outweighs_a_higher_one_and_both_outweigh_the_exclude_file(repo: Repo) -> None:
    repo.write(".git/info/exclude", "*.txt\nabc\n")
    repo.write(".gitignore", "*.log\n!docs/a.txt\n")
    repo.write("sub/.gitignore", "!a.log\n/deep\nbuild\n")
    _compare(repo, exact=True)


def test_what_cannot_be_understood_counts_as_not_ignored(repo: Repo) -> None:
    repo.write(".gitignore", "*.log\n![k]eep.log\n")
    assert not is_ignored(str(repo.root), str(repo.root / ".git"), "a.log", False)
    repo.write(".gitignore", "x" * 70_000 + "\n*.log\n")
    assert not is_ignored(str(repo.root), str(repo.root / ".git"), "a.log", False)
    assert not is_ignored(str(repo.root), str(repo.root / ".git"), "a/" * 50 + "x.log", False)


def test_a_pattern_with_many_stars_takes_no_time(repo: Repo) -> None:
    repo.write(".gitignore", "*a" * 200 + "b\n" + "**/" * 12 + "x\n")
    assert not is_ignored(str(repo.root), str(repo.root / ".git"), "/".join(["a" * 200] * 19), False)


def _compare(repo: Repo, exact: bool) -> None:
    for path in sorted(PATHS, key=len, reverse=True):  # `build/x` before `build`
        if not (repo.root / path).exists():
            repo.write(path)
    listed = repo.git("check-ignore", "--no-index", "-z", "--stdin", given="\0".join(PATHS) + "\0")
    expected = set(listed.split("\0")) - {""}
    ours = {
        path
        for path in PATHS
        if is_ignored(str(repo.root), str(repo.root / ".git"), path, Path(repo.root, path).is_dir())
    }
    assert ours == expected if exact else ours <= expected
