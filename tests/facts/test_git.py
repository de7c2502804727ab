from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae_cli.core.queries import Facts
from phocinae_cli.facts import observe
from tests.facts.conftest import Repo, alias_fact, path_fact, tree_fact

MakeRepo = Callable[..., Repo]


# --- the tree --------------------------------------------------------------------------------------------------------


def test_a_tree_by_its_root_branch_and_state(repo: Repo) -> None:
    repo.commit("a.txt", "sub/b.txt")
    for below in ("", "sub", "sub/not-yet/there"):
        fact = repo.tree(below)
        assert (fact.root, fact.branch, fact.clean) == (str(repo.root), "main", True)


def test_a_changed_or_staged_file_makes_it_unclean_and_an_untracked_one_does_not(repo: Repo) -> None:
    repo.commit("a.txt")
    repo.write("new.txt")
    assert repo.tree().clean is True
    repo.git("add", "new.txt")
    assert repo.tree().clean is False
    repo.git("commit", "-q", "-m", "x")
    assert repo.tree().clean is True
    repo.write("a.txt", "other")
    assert repo.tree().clean is False


def test_a_change_that_was_only_staged_is_seen(repo: Repo) -> None:
    repo.commit("a.txt")
    repo.write("a.txt", "other")
    repo.git("add", "a.txt")
    repo.write("a.txt", "text\n")
    assert repo.tree().clean is False


def test_nothing_is_claimed_about_a_tree_without_a_commit(repo: Repo) -> None:
    fact = repo.tree()
    assert (fact.root, fact.branch, fact.clean) == (str(repo.root), "main", None)


def test_outside_of_any_tree(tmp_path: Path) -> None:
    fact = tree_fact(str(tmp_path))
    assert (fact.root, fact.branch, fact.clean) == (None, None, None)


def test_a_detached_head_is_no_branch_and_a_slash_is_part_of_a_name(repo: Repo) -> None:
    repo.commit("a.txt")
    repo.git("switch", "-q", "-c", "topic/one")
    assert repo.tree().branch == "topic/one"
    repo.git("switch", "-q", "--detach")
    assert repo.tree().branch is None


def test_a_second_work_tree_and_a_submodule_have_their_own_root(repo: Repo, make_repo: MakeRepo) -> None:
    repo.commit("a.txt")
    repo.git("worktree", "add", "-q", "-b", "second", "../second")
    second = tree_fact(str(repo.root.parent / "second"))
    assert (second.root, second.branch, second.clean) == (str(repo.root.parent / "second"), "second", True)
    assert path_fact(str(repo.root.parent / "second" / "a.txt")).git == "tracked"
    inner = make_repo("inner")
    inner.commit("deep.txt")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "mod")
    assert tree_fact(str(repo.root / "mod")).root == str(repo.root / "mod")
    assert path_fact(str(repo.root / "mod" / "deep.txt")).git == "tracked"


def test_nothing_is_checked_out_in_a_bare_repository_or_within_dot_git(make_repo: MakeRepo, repo: Repo) -> None:
    bare = make_repo("bare", "--bare")
    fact = tree_fact(str(bare.root))
    assert (fact.root, fact.branch, fact.clean) == (None, "main", None)
    assert tree_fact(str(repo.root / ".git" / "hooks")).root is None
    assert path_fact(str(repo.root / ".git" / "config")).git == ""


def test_the_root_is_spelled_as_the_directory_was(repo: Repo) -> None:
    repo.commit("sub/a.txt")
    link = repo.root.parent / "link"
    link.symlink_to(repo.root)
    assert tree_fact(f"{link}/sub").root == str(link)
    into = repo.root.parent / "into"
    into.symlink_to(repo.root / "sub")
    assert tree_fact(str(into)).root == str(repo.root)


def test_an_empty_dot_git_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "d" / ".git").mkdir(parents=True)
    assert tree_fact(str(tmp_path / "d")).root is None
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / ".git").write_text("gitdir: /nowhere\n")
    assert tree_fact(str(tmp_path / "f")).root is None


# --- aliases ---------------------------------------------------------------------------------------------------------


def test_an_alias_is_what_git_says_it_is(repo: Repo, home: Path) -> None:
    (home / ".gitconfig").write_text('[alias]\n\tst = status\n\tWipe = "!rm -rf /"\n')
    repo.git("config", "alias.st", "reset --hard")
    here = f"\0{repo.root}"
    assert alias_fact("st" + here).text == "reset --hard"
    assert alias_fact("wipe" + here).text == "!rm -rf /"
    assert alias_fact("st").text == "status"
    assert alias_fact(f"st\0{repo.root.parent}").text == "status"


@pytest.mark.parametrize("name", ["nope", "", "a.b", "-x", "--list", "a b", "é", "\udc80", "a\nb"])
def test_a_name_without_alias_is_missing(name: str) -> None:
    fact = alias_fact(name)
    assert (fact.text, fact.why) == (None, "missing")


def test_a_broken_configuration_is_not_a_missing_alias(home: Path) -> None:
    (home / ".gitconfig").write_text("[alias\n")
    fact = alias_fact("co")
    assert fact.text is None
    assert fact.why != "missing"


# --- nothing is run, nothing holds up --------------------------------------------------------------------------------


def test_nothing_that_a_repository_brings_along_is_run(repo: Repo) -> None:
    trap = repo.root.parent / "trap"
    marker = repo.root.parent / "it-was-run"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    trap.chmod(0o755)
    repo.commit("a.txt")
    repo.write(".gitattributes", "* filter=evil diff=evil\n")
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.process", "diff.evil.textconv", "diff.external"):
        repo.git("config", key, str(trap))
    hooks = repo.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction"):
        (hooks / hook).symlink_to(trap)
    os.utime(repo.root / "a.txt")  # so that the content would have to be compared
    assert repo.tree().clean is None
    assert path_fact(str(repo.root / "a.txt")).git == "tracked"
    alias_fact(f"st\0{repo.root}")
    repo.git("config", "--unset", "filter.evil.clean")
    repo.git("config", "--unset", "filter.evil.process")
    repo.tree()
    assert not marker.exists()
    repo.git("status")
    assert marker.exists()  # the traps do work


def test_a_filter_of_the_users_own_is_no_reason_to_look_away(repo: Repo, home: Path) -> None:
    (home / ".gitconfig").write_text('[filter "lfs"]\n\tclean = cat\n')
    repo.commit("a.txt")
    assert repo.tree().clean is True


def test_looking_leaves_the_index_as_it_was(repo: Repo) -> None:
    repo.commit("a.txt")
    os.utime(repo.root / "a.txt", (1, 1))
    before = (repo.root / ".git" / "index").stat()
    repo.tree()
    after = (repo.root / ".git" / "index").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


@pytest.fixture
def slow_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "slow-bin"
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nsleep 60 &\necho $! >> {tmp_path}/pid\nwait\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path / "pid"


def test_a_git_that_hangs_is_killed_with_its_children(repo: Repo, slow_git: Path) -> None:
    repo.commit()
    slow_git.unlink(missing_ok=True)
    began = time.monotonic()
    facts = Facts()
    observe((("tree", str(repo.root)), ("git-alias", f"st\0{repo.root}")), facts)
    assert time.monotonic() - began < 10
    assert facts.trees[str(repo.root)].clean is None
    assert facts.texts["git-alias", f"st\0{repo.root}"].text is None
    if slow_git.exists():  # on a very slow machine the stand-in may have been killed before it said a word
        for pid in slow_git.read_text().split():
            assert _is_gone(int(pid))


def _is_gone(pid: int) -> bool:
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # waits for whoever inherited it
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("path", ["", ".:relative/bin", "/nonexistent"])
def test_without_a_trustworthy_git_nothing_is_claimed(repo: Repo, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    repo.commit("a.txt")
    (repo.root / "git").write_text("#!/bin/sh\nexit 0\n")
    (repo.root / "git").chmod(0o755)
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", path)
    fact = repo.tree()
    assert (fact.root, fact.branch, fact.clean) == (str(repo.root), "main", None)
    assert alias_fact("st").text is None


def test_a_git_inside_of_the_tree_is_not_the_one_to_ask(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.txt")
    repo.write("a.txt", "changed")
    repo.write("bin/git", "#!/bin/sh\nexit 0\n").chmod(0o755)
    monkeypatch.setenv("PATH", f"{repo.root}/bin:{os.environ['PATH']}")
    assert repo.tree().clean is False
