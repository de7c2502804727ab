from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae_cli.core.queries import Facts, PathFact, TextFact, TreeFact
from phocinae_cli.facts import observe

IDENTITY = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@h", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@h"}


class Repo:
    """A git work tree that a test may do anything in."""

    def __init__(self, root: Path, home: Path, *options: str) -> None:
        self.root = root
        self.env = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", **IDENTITY}
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *words: str, given: str | None = None) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, env=self.env, input=given, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def write(self, name: str, text: str = "text\n") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def commit(self, *names: str) -> None:
        for name in names:
            self.write(name)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "more")

    def state(self, name: str) -> str:
        return path_fact(str(self.root / name)).git

    def tree(self, below: str = "") -> TreeFact:
        return tree_fact(str(self.root / below) if below else str(self.root))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def make_repo(tmp_path: Path, home: Path) -> Callable[..., Repo]:
    return lambda name="repo", *options: Repo(tmp_path / name, home, *options)


@pytest.fixture
def repo(make_repo: Callable[..., Repo]) -> Repo:
    return make_repo()


def path_fact(path: str) -> PathFact:
    facts = Facts()
    observe((("path", path),), facts, budget_s=20)
    return facts.paths[path]


def text_fact(path: str) -> TextFact:
    facts = Facts()
    observe((("text", path),), facts, budget_s=20)
    return facts.texts["text", path]


def tree_fact(directory: str) -> TreeFact:
    facts = Facts()
    observe((("tree", directory),), facts, budget_s=20)
    return facts.trees[directory]


def alias_fact(argument: str) -> TextFact:
    facts = Facts()
    observe((("git-alias", argument),), facts, budget_s=20)
    return facts.texts["git-alias", argument]
