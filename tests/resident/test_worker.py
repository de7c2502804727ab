from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from phocinae_cli.resident import protocol
from phocinae_cli.resident.hook import PACKAGE
from phocinae_cli.resident.keeper import Keeper
from phocinae_cli.resident.latency import round_trips
from tests.test_loaded_modules import HEAVY

RUN = str(PACKAGE / "resident" / "run.py")
HOOKS_FORM = (sys.executable, "-I", "-S", RUN, "worker")
PATIENCE_S = 20.0


class Worker:
    """A real worker process, and its two pipes as the hook uses them."""

    def __init__(self, base: Path, shell: int, start: tuple[str, ...] = HOOKS_FORM) -> None:
        self.process = subprocess.Popen(
            [*start, str(base), str(shell)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert self.process.stdout is not None
        with self.process.stdout as ready:
            self.told = ready.readline().decode().strip()
        self.place = Path(self.told.partition(" ")[2])

    def send(self, raw: bytes) -> None:
        pipe = os.open(self.place / "q", os.O_RDWR)
        os.write(pipe, raw)
        self.keep = pipe  # as long as nobody reads, closing would lose what was written

    def ask(self, number: int, text: str, cwd: str) -> bytes:
        replies = os.open(self.place / "r", os.O_RDWR)
        try:
            self.send(
                protocol.ask(number, "check", protocol.body([("s", "bash"), ("c", cwd), ("d", cwd), ("t", text)]))
            )
            ready, _, _ = select.select([replies], [], [], PATIENCE_S)
            return os.read(replies, 1 << 16) if ready else b""
        finally:
            os.close(replies)
            os.close(self.keep)

    def ended(self) -> bool:
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            return False
        return True


@pytest.fixture
def shell() -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for the shell."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


@pytest.fixture
def worker(home: Path, shell: subprocess.Popen[bytes]) -> Iterator[Worker]:
    made = Worker(home / "run", shell.pid)
    yield made
    made.process.kill()
    made.process.wait()


def test_it_tells_its_number_and_place_and_answers(worker: Worker, home: Path) -> None:
    assert worker.told.split(" ")[0] == str(worker.process.pid)
    assert worker.ask(1, "ls", str(home)).startswith(b"1 allow 0 - -\n")
    assert worker.ask(2, "ls", str(home)).startswith(b"2 allow 0 - -\n")


def test_the_command_starts_one_too(home: Path, shell: subprocess.Popen[bytes]) -> None:
    path = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})"
    code = f"{path}; from phocinae_cli.entry import main; sys.exit(main())"
    made = Worker(home / "run", shell.pid, (sys.executable, "-I", "-S", "-c", code, "check", "--worker"))
    assert made.ask(1, "ls", str(home)).startswith(b"1 allow 0 - -\n")
    made.send(b"quit\n")
    assert made.ended()
    os.close(made.keep)
    assert made.process.returncode == 0


def test_its_place_is_for_nobody_else(worker: Worker) -> None:
    modes = [
        path.stat().st_mode & 0o777
        for path in (worker.place.parent, worker.place, worker.place / "q", worker.place / "r")
    ]
    assert modes == [0o700, 0o700, 0o600, 0o600]


def test_it_ends_with_its_shell_and_takes_its_place_along(worker: Worker, shell: subprocess.Popen[bytes]) -> None:
    shell.kill()
    shell.wait()
    assert worker.ended()
    assert not worker.place.exists()


def test_it_ends_when_told_to(worker: Worker) -> None:
    worker.send(b"quit\n")
    assert worker.ended()
    os.close(worker.keep)
    assert not worker.place.exists()


def test_a_new_worker_of_the_same_shell_retires_the_one_before(
    worker: Worker, home: Path, shell: subprocess.Popen[bytes]
) -> None:
    newer = Worker(home / "run", shell.pid)
    try:
        assert worker.ended()
        assert newer.ask(1, "ls", str(home)).startswith(b"1 allow")
    finally:
        newer.process.kill()
        newer.process.wait()


def test_what_dead_shells_left_is_removed(home: Path, shell: subprocess.Popen[bytes]) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    left = home / "run" / f"{gone.pid}.1.ab"
    left.mkdir(parents=True, mode=0o700)
    os.mkfifo(left / "q")
    made = Worker(home / "run", shell.pid)
    made.process.kill()
    made.process.wait()
    assert not left.exists()


def test_garbage_does_not_end_it(worker: Worker, home: Path) -> None:
    worker.send(b"\xff\xfe\n\n\n" * 5)
    time.sleep(0.1)
    os.close(worker.keep)
    assert worker.ask(3, "ls", str(home)).startswith(b"3 allow")


def test_the_signals_of_a_terminal_do_not_reach_it(worker: Worker, home: Path) -> None:
    assert os.getsid(worker.process.pid) == worker.process.pid
    assert os.readlink(f"/proc/{worker.process.pid}/cwd") == "/"


def test_a_base_that_is_a_link_or_somebody_elses_is_refused(home: Path, shell: subprocess.Popen[bytes]) -> None:
    (home / "elsewhere").mkdir()
    (home / "run").symlink_to(home / "elsewhere")
    made = Worker(home / "run", shell.pid)
    assert made.told == ""
    assert made.ended()
    assert made.process.returncode == 1
    assert list((home / "elsewhere").iterdir()) == []


def test_a_changed_configuration_counts_from_the_next_line_on(worker: Worker, home: Path) -> None:
    project = str(home)
    assert worker.ask(1, "ls", project).startswith(b"1 allow")
    config = home / ".config" / "phocinae" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[[rules]]\ndecision = "deny"\nprogram = "ls"\n')
    assert worker.ask(2, "ls", project).startswith(b"2 deny")
    config.write_text("[[rules]\n")
    assert worker.ask(3, "ls", project).startswith(b"3 ask")
    config.unlink()
    assert worker.ask(4, "ls", project).startswith(b"4 allow")
    (home / ".phocinae.toml").write_text('[[rules]]\ndecision = "deny"\nprogram = "ls"\n')
    assert worker.ask(5, "ls", project).startswith(b"5 deny")


def test_a_killed_worker_leaves_pipes_that_the_next_removes(
    worker: Worker, home: Path, shell: subprocess.Popen[bytes]
) -> None:
    worker.process.send_signal(signal.SIGKILL)
    worker.process.wait()
    assert worker.place.exists()
    newer = Worker(home / "run", shell.pid)
    newer.process.kill()
    newer.process.wait()
    assert not worker.place.exists()


def test_once_answers_on_standard_output(home: Path) -> None:
    body = protocol.body([("s", "bash"), ("c", str(home)), ("d", str(home)), ("t", "ls")])
    ran = subprocess.run(
        [sys.executable, "-I", "-S", RUN, "once", "check"], input=body, capture_output=True, check=False
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == (b"0 allow 0 - -\n", b"", 0)


@pytest.mark.parametrize("argv", [["once"], ["once", "erase"], ["twice", "check"], []])
def test_once_without_a_question_gives_no_answer(argv: list[str]) -> None:
    ran = subprocess.run([sys.executable, "-I", "-S", RUN, *argv], input=b"", capture_output=True, check=False)
    assert (ran.stdout, ran.returncode) == (b"", 1)


def test_once_with_a_body_that_is_none_gives_no_answer() -> None:
    ran = subprocess.run(
        [sys.executable, "-I", "-S", RUN, "once", "check"], input=b"t9:x", capture_output=True, check=False
    )
    assert (ran.stdout, ran.returncode) == (b"", 1)


def test_the_worker_loads_nothing_heavy(worker: Worker, home: Path) -> None:
    worker.ask(1, "git status && ls", str(home))
    status = Path(f"/proc/{worker.process.pid}/status").read_text()
    resident_kb = int(status.partition("VmRSS:")[2].split()[0])
    bare = int(subprocess.run(
        [sys.executable, "-I", "-S", "-c", "print(open('/proc/self/status').read().partition('VmRSS:')[2].split()[0])"],
        capture_output=True, text=True, check=True,
    ).stdout)  # fmt: skip
    assert resident_kb < 2.5 * bare


def test_round_trips_are_measured_on_a_worker_of_their_own(home: Path) -> None:
    times = round_trips(3)
    assert len(times) == 3
    assert times == sorted(times)
    assert times[0] > 0


def test_the_keeper_makes_a_checker_only_when_something_changed(home: Path) -> None:
    from phocinae_cli.core.request import Request
    from phocinae_cli.resident.keeper import make_checker

    made: list[str] = []

    def make(env: object, cwd: str) -> object:
        made.append(cwd)
        return make_checker(os.environ, cwd)

    keeper = Keeper(os.environ, make)  # type: ignore[arg-type]
    for _ in range(3):
        keeper.check(Request("ls", cwd=str(home)))
    assert len(made) == 1
    (home / ".phocinae.toml").write_text("")
    keeper.check(Request("ls", cwd=str(home)))
    assert len(made) == 2


def test_one_question_loads_nothing_heavy(home: Path) -> None:
    body = protocol.body([("s", "bash"), ("c", str(home)), ("d", str(home)), ("t", "ls -la | head")])
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", RUN, "once", "check"],
        input=body, capture_output=True, check=False,
    )  # fmt: skip
    names = {line.rsplit("|", 1)[1].strip() for line in ran.stderr.decode().splitlines() if "|" in line}
    assert ran.stdout.startswith(b"0 allow ")
    assert names & HEAVY == set()
