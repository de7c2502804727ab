from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phocinae_cli.core.queries import Facts
from phocinae_cli.facts import TEXT_BYTES, observe
from tests.facts.conftest import path_fact, text_fact
from tests.state import unprivileged


def test_kinds_of_paths(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("12345")
    (tmp_path / "run").write_text("")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "dir").mkdir()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "fifo")
    kinds = {name: path_fact(str(tmp_path / name)).kind for name in os.listdir(tmp_path)}
    assert {**kinds, "home": "directory"} == {
        "file": "file", "run": "file", "dir": "directory", "link": "link", "dangling": "link", "fifo": "other",
        "home": "directory",
    }  # fmt: skip
    assert path_fact("/dev/null").kind == "device"
    assert path_fact(str(tmp_path / "nope")).kind == "missing"
    assert path_fact(str(tmp_path / "file" / "below")).kind == "missing"
    assert path_fact("relative").kind == "other"
    fact = path_fact(str(tmp_path / "file"))
    assert (fact.size, fact.executable) == (5, False)
    assert path_fact(str(tmp_path / "run")).executable


def test_real_paths_lead_through_every_link(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "in").symlink_to("a/b")
    (tmp_path / "a" / "b" / "out").symlink_to("/etc")
    base = os.path.realpath(tmp_path)
    assert path_fact(str(tmp_path / "in")).real == f"{base}/a/b"
    assert path_fact(str(tmp_path / "in" / "out")).real == "/etc"
    assert path_fact(str(tmp_path / "in" / "new")).real == f"{base}/a/b/new"
    assert path_fact(str(tmp_path / "in" / "out" / "new")).real == "/etc/new"


def test_links_in_a_circle_and_in_a_long_chain_are_answered(tmp_path: Path) -> None:
    (tmp_path / "x").symlink_to("y")
    (tmp_path / "y").symlink_to("x")
    assert path_fact(str(tmp_path / "x")).kind == "link"
    assert path_fact(str(tmp_path / "x" / "below")).kind in ("other", "missing")
    (tmp_path / "0").symlink_to("/etc")
    for number in range(1, 1500):
        (tmp_path / str(number)).symlink_to(str(number - 1))
    assert path_fact(str(tmp_path / "1499")).kind == "link"
    assert text_fact(str(tmp_path / "1499")).text is None


def test_text_of_a_script(tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(b"#!/bin/sh\nrm -rf \xff\n")
    assert text_fact(str(tmp_path / "s")).text == "#!/bin/sh\nrm -rf \udcff\n"
    (tmp_path / "empty").write_bytes(b"")
    assert text_fact(str(tmp_path / "empty")).text == ""


def test_what_is_no_text_says_why(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "large").write_bytes(b"x" * (TEXT_BYTES + 1))
    (tmp_path / "fits").write_bytes(b"x" * TEXT_BYTES)
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "to-fifo").symlink_to("fifo")
    answers = {name: text_fact(str(tmp_path / name)) for name in ("binary", "large", "fifo", "to-fifo", "nope", ".")}
    assert all(fact.text is None for fact in answers.values())
    assert {name: fact.why for name, fact in answers.items()} == {
        "binary": "binary", "large": "too large", "fifo": "not a regular file", "to-fifo": "not a regular file",
        "nope": "missing", ".": "not a regular file",
    }  # fmt: skip
    assert text_fact(str(tmp_path / "fits")).text is not None
    assert text_fact("/dev/zero").why == "not a regular file"
    assert text_fact("relative").text is None


def test_a_file_that_claims_no_size_is_bounded_all_the_same() -> None:
    # Without a /proc both are missing, which is no text either.
    assert text_fact("/proc/self/mem").text is None
    assert text_fact("/proc/kallsyms").text is None


def test_what_may_not_be_read_says_so() -> None:
    with unprivileged.place() as place:
        said = unprivileged.run(
            "from tests.facts.conftest import path_fact, text_fact",
            f"os.mkdir({str(place / 'locked')!r}, 0); inside = {str(place / 'locked' / 'x')!r}\n"
            "print(path_fact(inside).kind, text_fact(inside).why)",
        )
    assert said == "other Permission denied"


def test_a_query_is_answered_once(tmp_path: Path) -> None:
    path = tmp_path / "x"
    facts = Facts()
    assert not facts.looked
    observe((("path", str(path)), ("text", str(path))), facts)
    path.write_text("now it is there")
    observe((("path", str(path)), ("text", str(path))), facts)
    assert facts.looked
    assert facts.paths[str(path)].kind == "missing"
    assert facts.texts["text", str(path)].why == "missing"


def test_without_time_left_nothing_is_claimed(tmp_path: Path) -> None:
    queries = (("path", "/"), ("text", "/etc/passwd"), ("tree", str(tmp_path)), ("git-alias", "co"), ("else", "x"))
    facts = Facts()
    observe(queries, facts, budget_s=-1)
    assert facts.looked
    assert not any(facts.knows(query) for query in queries)


ODD = st.text(st.sampled_from("/.ab\0\n\udc80\ud800é-$*") | st.characters(), max_size=30)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["path", "text", "tree"]),
    ODD.map("/".__add__) | ODD | st.just("/" + "x/" * 3000) | st.just("/" + "x" * 5000),
)
def test_any_argument_gets_an_answer(kind: str, argument: str) -> None:
    facts = Facts()
    observe(((kind, argument),), facts, budget_s=20)
    assert facts.knows((kind, argument))


def test_looking_at_a_path_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from phocinae_cli.facts import observe; from phocinae_cli.core.queries import Facts\n"
        "observe((('path', '/etc/passwd'), ('text', '/etc/passwd')), Facts())\n"
        "print(*(name for name in set(sys.modules) - before if not name.startswith('phocinae_cli')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"__future__", "stat", "time"}


def test_a_pipe_that_nobody_writes_to_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for name in (".git", ".gitignore"):
        os.mkfifo(tmp_path / name)
    began = time.monotonic()
    facts = Facts()
    queries = (("path", f"{tmp_path}/fifo"), ("text", f"{tmp_path}/fifo"), ("tree", str(tmp_path)))
    observe(queries, facts)
    assert time.monotonic() - began < 5
    assert facts.trees[str(tmp_path)].root is None
