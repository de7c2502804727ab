"""A real interactive shell with the person's own start-up files in a pty: what is typed there is stopped, or not."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from pathlib import Path

QUIET_S = 0.4
START_S = 10.0
ANSWER_S = 8.0
"""How long a line may take until it has run; a stopped one has had this long to run."""

PASTE_ON, PASTE_OFF = "\x1b[200~", "\x1b[201~"

TRIALS = ("allowed", "denied", "several lines", "pasted")


class Trial:
    """One shell under trial. `marks` is an empty directory of ours that only the lines typed here write to."""

    def __init__(self, shell: str, marks: Path) -> None:
        self.shell = shell
        self.marks = marks
        self.seen = ""
        self.ended = False
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:  # pragma: no cover, another program from here on
            try:
                os.chdir(marks)
                os.execvp(shell, [shell, "-i"])
            finally:
                os._exit(127)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def settle(self, quiet_s: float = QUIET_S, limit_s: float = START_S) -> None:
        """Read until nothing has come for a moment."""
        end = time.monotonic() + limit_s
        while not self.ended and time.monotonic() < end and self._read(quiet_s):
            pass

    def type(self, keys: str) -> None:
        """Type keys."""
        if not self.ended:
            os.write(self.terminal, keys.encode())

    def ran(self, name: str, limit_s: float = ANSWER_S) -> bool:
        """Return whether the marker appears in time."""
        end = time.monotonic() + limit_s
        while not (self.marks / name).exists():
            if self.ended or time.monotonic() > end:
                return (self.marks / name).exists()
            self._read(0.05)
        return True

    def close(self) -> None:
        """Hang up and wait for the shell to end."""
        os.close(self.terminal)
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                break
            for _ in range(40):
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    return
                time.sleep(0.025)

    def _read(self, wait_s: float) -> bool:
        ready, _, _ = select.select([self.terminal], [], [], wait_s)
        if not ready:
            return False
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError:  # Linux answers so when the shell has ended
            data = b""
        self.ended = not data
        self.seen += data.decode("utf-8", "replace")
        return bool(data)


def observe(shell: str, marks: Path, stand_in: str) -> dict[str, bool | None]:
    """Return for each of TRIALS whether it went as it should; None where it could not be told.

    `stand_in` is a line that the judge denies and that does no harm where it runs all the same. In front of it
    stands the one command that counts: it makes a marker, which must not appear.
    """
    trial = Trial(shell, marks)
    found: dict[str, bool | None] = dict.fromkeys(TRIALS)
    try:
        trial.settle(1.0)
        if not _allowed(trial, "allowed", 3):
            found["allowed"] = False
            return found
        found["allowed"] = True
        for name, groups in typed(shell, marks, stand_in).items():
            for keys in groups:
                trial.type(keys)
                trial.settle()
            trial.settle(1.0)
            # The next line ran, so the shell is done with the one before: had it run any part, the marker were there.
            found[name] = not (marks / name).exists() if _allowed(trial, f"after {name}", 3) else None
            if (marks / name).exists():
                found[name] = False
    finally:
        trial.close()
    return found


def typed(shell: str, marks: Path, stand_in: str) -> dict[str, tuple[str, ...]]:
    """Return the keys of each trial with a line that must be stopped, in groups that are sent one after another."""

    def touch(name: str) -> str:
        return f"touch '{marks}/{name}'"

    loop = ("for i in 1", "end") if shell == "fish" else ("for i in 1; do", "done")
    several = (f"{loop[0]}\r", f"{touch('several lines')}\r", f"{stand_in}\r", f"{loop[1]}\r")
    block = "\n".join([touch("pasted"), stand_in, touch("pasted")])
    return {
        "denied": (f"{touch('denied')}; {stand_in}\r",),
        "several lines": several,
        "pasted": (f"{PASTE_ON}{block}{PASTE_OFF}", "\r"),
    }


def _allowed(trial: Trial, name: str, tries: int) -> bool:
    for _ in range(tries):  # what is typed while the hook empties the input is lost: it is typed again
        trial.type(f"\x15touch '{trial.marks}/{name}'\r")
        if trial.ran(name, ANSWER_S / 2):
            trial.settle()
            return True
        trial.type("n")  # a question that is still open: no
        trial.settle()
    return False
