from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phocinae_cli.facts import index
from tests.facts.conftest import Repo, path_fact

MakeRepo = Callable[..., Repo]

FORMATS: list[tuple[str, ...]] = [(), ("--object-format=sha256",)]


@pytest.fixture(params=["2", "4", "sha256-2", "sha256-4"])
def any_repo(request: pytest.FixtureRequest, make_repo: MakeRepo) -> Repo:
    """A repository in each format of the index."""
    options = ("--object-format=sha256",) if request.param.startswith("sha256") else ()
    repo = make_repo("repo", *options)
    repo.git("config", "index.version", request.param[-1])
    return repo


def test_states_of_files(any_repo: Repo) -> None:
    repo = any_repo
    repo.write(".gitignore", "*.log\n/out/\n")
    repo.write("run.sh").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    repo.commit("a.txt", "sub/a.txt", "sub/deep/a.txt", "b.txt", "gone.txt", "sub/é ü.txt", "c.txt", "x.sh")
    repo.write("b.txt", "longer than before\n")
    repo.write("c.txt", "TEXT\n")
    repo.write("new.txt")
    repo.write("sub/x.log")
    repo.write("out/x")
    (repo.root / "x.sh").chmod(0o755)
    (repo.root / "gone.txt").unlink()
    (repo.root / "sub/deep/a.txt").unlink()
    (repo.root / "sub/deep/a.txt").symlink_to("../a.txt")
    names = [
        "a.txt", "sub/a.txt", "sub/é ü.txt", "run.sh", "link", "b.txt", "c.txt", "x.sh", "sub/deep/a.txt", "new.txt",
        "sub/x.log", "out/x", "out", "sub", "gone.txt", "deep/a.txt",
    ]  # fmt: skip
    assert {name: repo.state(name) for name in names} == {
        "a.txt": "tracked", "sub/a.txt": "tracked", "sub/é ü.txt": "tracked", "run.sh": "tracked", "link": "tracked",
        "b.txt": "modified", "c.txt": "modified", "x.sh": "modified", "sub/deep/a.txt": "modified",
        "new.txt": "untracked", "sub/x.log": "ignored", "out/x": "ignored", "out": "ignored", "sub": "",
        "gone.txt": "", "deep/a.txt": "",
    }  # fmt: skip


def test_a_new_date_alone_changes_nothing_and_an_old_date_hides_nothing(any_repo: Repo) -> None:
    repo = any_repo
    repo.commit("a.txt", "b.txt")
    os.utime(repo.root / "a.txt", (1, 1))
    assert repo.state("a.txt") == "tracked"
    dates = (repo.root / "b.txt").stat()
    repo.write("b.txt", "TEXT\n")
    os.utime(repo.root / "b.txt", ns=(dates.st_atime_ns, dates.st_mtime_ns))
    assert repo.state("b.txt") == "modified"


def test_a_file_changed_in_the_moment_of_the_commit_is_seen(repo: Repo) -> None:
    repo.commit("a.txt")
    repo.git("update-index", "--refresh")
    found = (repo.root / "a.txt").stat()
    # What git itself has to guard against: same size, same dates as the entry, and the index no younger.
    os.utime(repo.root / ".git" / "index", ns=(found.st_mtime_ns, found.st_mtime_ns))
    assert repo.state("a.txt") == "tracked"
    data = bytearray((repo.root / ".git" / "index").read_bytes())
    at = data.index(b"a.txt\0") - 22
    data[at] ^= 1  # the entry now stands for other content
    (repo.root / ".git" / "index").write_bytes(bytes(data))
    os.utime(repo.root / ".git" / "index", ns=(found.st_mtime_ns, found.st_mtime_ns))
    assert repo.state("a.txt") == "modified"


def test_an_entry_without_content_or_with_a_conflict_is_no_safe_copy(any_repo: Repo) -> None:
    repo = any_repo
    repo.commit("a.txt", "b.txt")
    repo.write("promised.txt")
    repo.git("add", "-N", "promised.txt")
    assert repo.state("promised.txt") == "modified"
    assert repo.state("a.txt") == "tracked"  # beside an entry with extended flags
    repo.git("checkout", "-q", "-f", "-b", "other")
    repo.write("a.txt", "theirs\n")
    repo.git("commit", "-q", "-a", "-m", "theirs")
    repo.git("checkout", "-q", "main")
    repo.write("a.txt", "ours\n")
    repo.git("commit", "-q", "-a", "-m", "ours")
    repo.git("merge", "-q", "other")
    assert repo.state("a.txt") == "modified"


def test_an_entry_that_git_leaves_aside_is_compared_all_the_same(any_repo: Repo) -> None:
    repo = any_repo
    repo.commit("a.txt", "b.txt")
    repo.git("update-index", "--assume-unchanged", "a.txt")
    repo.git("update-index", "--skip-worktree", "b.txt")
    assert (repo.state("a.txt"), repo.state("b.txt")) == ("tracked", "tracked")
    repo.write("a.txt", "changed")
    repo.write("b.txt", "changed")
    assert (repo.state("a.txt"), repo.state("b.txt")) == ("modified", "modified")


def test_names_that_end_alike_are_told_apart(any_repo: Repo) -> None:
    repo = any_repo
    names = [f"{'d/' * depth}a" for depth in range(12)] + [f"{'x' * length}a" for length in range(1, 40)]
    repo.commit(*names[1:])
    assert {name: repo.state(name) for name in names[1:]} == dict.fromkeys(names[1:], "tracked")
    repo.write("a")
    assert repo.state("a") == "untracked"


def test_long_names_and_many_files(any_repo: Repo) -> None:
    repo = any_repo
    long = "/".join(["n" * 200] * 15) + "/file"
    repo.commit(long, *(f"many/{number:04}.txt" for number in range(3000)))
    assert repo.state(long) == "tracked"
    assert repo.state("many/2999.txt") == "tracked"
    repo.write("many/3000.txt")
    assert repo.state("many/3000.txt") == "untracked"


def test_a_shared_index_says_nothing_about_what_it_does_not_hold(repo: Repo) -> None:
    repo.commit("a.txt", "b.txt")
    repo.git("update-index", "--split-index")
    repo.write("c.txt")
    assert repo.state("c.txt") == ""
    assert repo.state("a.txt") in ("", "tracked")


def test_an_index_that_is_missing_huge_or_broken_says_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("a.txt")
    assert repo.state("a.txt") == ""
    repo.commit("a.txt")
    path = repo.root / ".git" / "index"
    whole = path.read_bytes()
    for broken in (b"", b"DIRC", b"XXXX" + whole[4:], whole[:4] + b"\0\0\0\x09" + whole[8:]):
        path.write_bytes(broken)
        assert repo.state("a.txt") == ""
    path.write_bytes(whole + b"\0" * index.INDEX_BYTES)
    assert repo.state("a.txt") == ""


@pytest.mark.parametrize("version", ["2", "4"])
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_index_never_makes_a_changed_file_tracked(
    version: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    repo = _damaged.get(version)
    if repo is None:
        base = tmp_path_factory.mktemp("damaged")
        (base / "home").mkdir()
        repo = _damaged[version] = Repo(base / "repo", base / "home")
        repo.git("config", "index.version", version)
        repo.commit("a.txt", "b/c.txt", "b/d.txt")
        (base / "index").write_bytes((repo.root / ".git" / "index").read_bytes())
        repo.write("b/c.txt", "TEXT\n")
    whole = bytearray((repo.root.parent / "index").read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(8, len(whole) - 1))] = data.draw(st.integers(0, 255))
    (repo.root / ".git" / "index").write_bytes(bytes(whole[: data.draw(st.integers(12, len(whole)))]))
    assert path_fact(f"{repo.root}/b/c.txt").git in ("", "modified", "untracked")


_damaged: dict[str, Repo] = {}
