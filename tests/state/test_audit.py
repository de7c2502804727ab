from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli import __version__
from phocinae_cli.core.report import Report
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import ALLOW, DENY, DESTRUCTIVE, Finding, Verdict
from phocinae_cli.state.audit import TEXT_CHARS, Audit, entry, timestamp
from phocinae_cli.state.history import History
from tests.state import unprivileged


def report(text: str = "ls", **request: Any) -> Report:
    return Report(
        Request(text, **request), Verdict(ALLOW, "model-called-it-harmless", harm="harmless"), taken_ms=1.23456
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "phocinae" / "audit.jsonl"


def entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_an_entry_says_what_was_asked_and_what_was_answered(path: Path) -> None:
    findings = tuple(Finding(code, "delete", "/", DESTRUCTIVE, "gone") for code in ("rm.root", "rm.root", "rm.home"))
    verdict = Verdict(DENY, "never", harm=DESTRUCTIVE, confidence=0.987654, findings=findings)
    before = timestamp(time.time())
    done = Report(Request("rm -rf /", shell="zsh", cwd="/srv", audience="ci"), verdict, taken_ms=1.23456)
    assert Audit(str(path)).append(done) is None
    (row,) = entries(path)
    assert before <= row.pop("ts") <= timestamp(time.time())
    assert row == {
        "text": "rm -rf /", "cwd": "/srv", "shell": "zsh", "audience": "ci", "decision": "deny", "harm": "destructive",
        "confidence": 0.9877, "reason": "never", "codes": ["rm.root", "rm.home"], "taken_ms": 1.235, "pid": os.getpid(),
        "version": __version__,
    }  # fmt: skip


def test_the_error_of_a_failed_check_is_named(path: Path) -> None:
    failed = report()
    failed.error = ("PHOCINAE_SERVICE_ERROR", "it said no")
    assert json.loads(entry(failed))["error"] == "PHOCINAE_SERVICE_ERROR"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "1970-01-01T00:00:00.000Z"), (1e9 + 0.0015, "2001-09-09T01:46:40.001Z"), (4e9, "2096-10-02T07:06:40.000Z")],
)
def test_times_are_utc_with_milliseconds(seconds: float, expected: str) -> None:
    assert timestamp(seconds) == expected


def test_secrets_and_values_of_variables_are_not_kept(path: Path) -> None:
    env = {"DB_PASSWORD": "v4lue-of-it", "HOME": "/home/v4lue-of-it"}
    Audit(str(path)).append(report("PGPASSWORD=hunter2 psql -c 'select 1'", env=env))
    text = path.read_text()
    assert "hunter2" not in text
    assert "v4lue-of-it" not in text
    assert entries(path)[0]["text"] == "PGPASSWORD=*** psql -c 'select 1'"


def test_the_log_and_its_directory_are_for_the_user_alone(path: Path) -> None:
    old = os.umask(0)
    try:
        Audit(str(path)).append(report())
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@given(st.text(st.characters(), max_size=60) | st.just("\udc80 ls") | st.just("\x1b]0;x\x07\u202e\n\r\0"))
def test_any_text_gives_one_line_of_json_that_a_terminal_can_show(text: str) -> None:
    line = entry(report(text, cwd="/" + text))
    assert line.isprintable()
    row = json.loads(line.encode("utf-8"))
    assert row["cwd"] == json.loads(json.dumps("/" + text))


def test_a_long_text_is_cut_at_a_character(path: Path) -> None:
    for filler in ("é", "日", "😀", "\udc80"):
        text = "echo " + filler * 5000
        Audit(str(path)).append(report(text))
        row = entries(path)[-1]
        assert row["text"] == text[:TEXT_CHARS]
        assert row["chars"] == 5005
    Audit(str(path)).append(report("x" * TEXT_CHARS))
    assert "chars" not in entries(path)[-1]


def test_a_secret_across_the_cut_is_hidden(path: Path) -> None:
    secret = "ghp_" + "a1" * 20
    Audit(str(path)).append(report("x" * (TEXT_CHARS - 12) + " " + secret))
    assert "ghp_" not in path.read_text()


def test_a_line_that_a_crash_cut_off_does_not_take_the_next_one_with_it(path: Path) -> None:
    audit = Audit(str(path))
    audit.append(report("one"))
    with path.open("a") as file:
        file.write('{"ts": "2024-01-01T00:00:00.000Z", "text": "cut o')
    audit.append(report("two"))
    audit.append(report("three"))
    history = History(str(path))
    assert [row["text"] for row in history] == ["one", "two", "three"]
    assert history.unreadable == 1


def test_nothing_is_written_when_it_is_switched_off(path: Path) -> None:
    assert Audit(str(path), enabled=False).append(report()) is None
    assert not path.parent.exists()


def test_a_log_that_cannot_be_written_is_said_once_and_again_after_it_worked(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    audit = Audit(str(tmp_path / "file" / "audit.jsonl"))
    assert "can't be written" in str(audit.append(report()))
    assert audit.append(report()) is None
    (tmp_path / "file").unlink()
    assert audit.append(report()) is None
    (tmp_path / "file" / "audit.jsonl").unlink()
    (tmp_path / "file" / "audit.jsonl").mkdir()
    warning = audit.append(report())
    assert warning is not None
    assert "\n" not in warning
    assert "home directory" in str(Audit(None).append(report()))


def test_a_read_only_directory_is_said() -> None:
    with unprivileged.place() as place:
        said = unprivileged.run(
            "from tests.state.test_audit import report; from phocinae_cli.state.audit import Audit",
            f"import os; os.mkdir({str(place / 'locked')!r}, 0o500)\n"
            f"print(Audit({str(place / 'locked' / 'audit.jsonl')!r}).append(report()))",
        )
    assert "Permission denied" in said


def test_a_pipe_or_device_in_its_place_is_said_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "null").symlink_to("/dev/full")
    for name in ("fifo", "null"):
        assert "regular file" in str(Audit(str(tmp_path / name)).append(report()))


def test_a_full_disk_leaves_no_torn_line(path: Path) -> None:
    code = f"""
import resource, signal, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.state.test_audit import report
from phocinae_cli.state.audit import Audit
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
audit = Audit({str(path)!r})
audit.append(report("fits"))
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
print([audit.append(report("y" * 300)), audit.append(report("x" * 300)), audit.append(report("x" * 300))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("can't be written") == 1
    assert next(row["text"][0] for row in entries(path)) == "f"
    assert path.read_text().endswith("}\n")


def test_a_process_that_was_stopped_with_the_lock_holds_nobody_up(path: Path) -> None:
    audit = Audit(str(path))
    audit.append(report("one"))
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        began = time.monotonic()
        assert audit.append(report("two")) is None
        assert time.monotonic() - began < 5
    assert [row["text"] for row in entries(path)] == ["one", "two"]


def test_a_log_is_moved_aside_at_its_size_and_the_oldest_is_dropped(path: Path) -> None:
    audit = Audit(str(path), max_bytes=1000, keep=2)
    for number in range(40):
        audit.append(report(str(number)))
    names = sorted(each.name for each in path.parent.iterdir())
    assert names == ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]
    assert all(each.stat().st_size <= 1000 for each in path.parent.iterdir())
    kept = [int(row["text"]) for row in History(str(path))]
    assert kept == list(range(kept[0], 40))
    assert len(kept) > 4


def test_an_entry_larger_than_the_log_may_be_is_kept_all_the_same(path: Path) -> None:
    audit = Audit(str(path), max_bytes=100, keep=2)
    assert audit.append(report("x" * 500)) is None
    assert audit.append(report("y" * 500)) is None
    assert [row["text"][0] for row in History(str(path))] == ["x", "y"]


def test_a_log_that_cannot_be_moved_grows_on(path: Path) -> None:
    audit = Audit(str(path), max_bytes=500, keep=1)
    audit.append(report("one"))
    (path.parent / "audit.jsonl.1").mkdir()
    for text in ("two", "three", "four"):
        assert audit.append(report(text)) is None
    assert [row["text"] for row in entries(path)] == ["one", "two", "three", "four"]


FIFTY = """
import os, sys
sys.path.insert(0, {root!r})
from tests.state.test_audit import report
from phocinae_cli.state.audit import Audit
ready, go = os.pipe()
children = []
for number in range(50):
    child = os.fork()
    if not child:
        os.close(go)
        os.read(ready, 1)  # ends when all are there
        audit = Audit({path!r}, max_bytes={max_bytes}, keep=10_000)
        status = 0
        for count in range({count}):
            text = f"{{number}}/{{count}} " + "\\u00e9" * (count * 997 % 9000)
            status |= audit.append(report(text)) is not None
        os._exit(status)
    children.append(child)
os.close(go)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""


@pytest.mark.parametrize(("max_bytes", "count"), [(100_000_000, 20), (60_000, 20)])
def test_fifty_processes_lose_and_tear_no_line_while_the_log_is_rotated(path: Path, max_bytes: int, count: int) -> None:
    root = str(Path(__file__).parents[2])
    code = FIFTY.format(root=root, path=str(path), max_bytes=max_bytes, count=count)
    subprocess.run([sys.executable, "-c", code], check=True, timeout=100)
    history = History(str(path))
    seen = [row["text"].split()[0] for row in history]
    assert history.unreadable == 0
    assert sorted(seen) == sorted(f"{number}/{each}" for number in range(50) for each in range(count))
    assert (len(list(path.parent.iterdir())) > 5) == (max_bytes < 1_000_000)


def test_a_reader_meets_each_entry_once_while_the_log_is_rotated(path: Path) -> None:
    audit = Audit(str(path), max_bytes=1500, keep=50)
    for number in range(30):
        audit.append(report(str(number)))
    rows = iter(History(str(path)))
    seen = [int(next(rows)["text"])]
    for number in range(30, 60):
        audit.append(report(str(number)))
    seen += [int(row["text"]) for row in rows]
    assert seen[:30] == list(range(30))
    assert len(seen) == len(set(seen))


def test_writing_an_entry_loads_nothing_heavy(path: Path) -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from phocinae_cli.core.report import Report; from phocinae_cli.core.request import Request\n"
        "from phocinae_cli.core.verdict import Verdict; from phocinae_cli.state.audit import Audit\n"
        "from phocinae_cli.state.approvals import Approvals\n"
        f"Audit({str(path)!r}).append(Report(Request('ls'), Verdict('allow', 'x')))\n"
        f"assert not Approvals({str(path.parent / 'approvals.jsonl')!r}).allows(Request('ls'))\n"
        "print(*(name for name in set(sys.modules) - before if not name.startswith('phocinae_cli')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"__future__", "fcntl", "stat", "time"}
    assert path.exists()
