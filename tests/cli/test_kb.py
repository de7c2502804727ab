"""`phocinae kb`: a new entry is proven, shown, used and refused like any other."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

ENTRY = """
names = ["frob"]
harmless = ["list|apply"]

[[behaviour]]
id = "frob.delete"
when = "rm !-n"
effects = ["delete args"]
why = "removes files"
match = ["frob rm old"]
no_match = ["frob rm -n old"]
"""


def test_a_new_entry_is_written_once_and_proves(run: Run, home: Path) -> None:
    made = run("kb", "new", "frob")
    assert made.returncode == 0
    path = Path(made.stdout.decode().strip())
    assert path == home / ".config" / "phocinae" / "kb" / "frob.toml"
    assert run("kb", "test").returncode == 0
    again = run("kb", "new", "frob")
    assert again.returncode == 2
    assert b"is there already" in again.stderr


def test_an_entry_is_used_by_check(run: Run, home: Path) -> None:
    folder = home / ".config" / "phocinae" / "kb"
    folder.mkdir(parents=True)
    assert run("check", "frob apply").returncode == 10
    (folder / "frob.toml").write_text(ENTRY)
    assert run("kb", "test").returncode == 0
    assert run("check", "frob apply").returncode == 0
    assert run("check", "frob rm ~/work -r").returncode == 10


def test_a_contradicted_example_is_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "frob.toml"
    path.write_text(ENTRY.replace('no_match = ["frob rm -n old"]', 'no_match = ["frob rm old"]'))
    proof = run("kb", "test", str(path))
    assert proof.returncode == 3
    assert b"'frob rm old' should not have frob.delete" in proof.stdout


def test_faults_are_told_together(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(
        'names = ["x"]\nstyle = "odd"\noutput = "loud"\nundescribed = "pass"\nharmless = ["*"]\n'
        '[[behaviour]]\nid = "x.y"\nwhy = "so"\neffects = [{ kind = "delete", target = "args", harm = "risky" }]\n'
    )
    proof = run("kb", "test", str(path))
    assert proof.returncode == 3
    assert b"unknown style 'odd'" in proof.stdout
    assert b"unknown output 'loud'" in proof.stdout
    assert b"undescribed is 'pass'" in proof.stdout
    assert b"x.y: effect has no key 'harm'" in proof.stdout


def test_what_is_known_is_shown(run: Run) -> None:
    shown = run("kb", "show", "shred")
    assert shown.returncode == 0
    assert b"shred.file" in shown.stdout
    assert run("kb", "show", "no-such-program").returncode == 3


def test_every_name_is_listed_and_a_closed_pipe_is_quiet(run: Run) -> None:
    listed = run("kb", "list")
    names = listed.stdout.decode().split("\n")
    assert {"git", "rm", "docker", "kubectl"} <= set(names)
