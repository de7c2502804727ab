"""The audit log: one JSON object a line for each verdict, added by any number of processes at once.

Each entry is a single write in append mode, so even without a lock no two entries mix. The lock on the log itself is
for what needs more than one step: mending a line that a crash cut off, taking back a write that did not fit on the
disk, and rotation, after which whoever waited sees that the file has moved and opens the new one. A lock is waited
for only so long: a stopped process must not hold up a check, and an entry written without it is still whole.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time

from phocinae_cli import __version__
from phocinae_cli.core.jsontext import encode
from phocinae_cli.core.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.report import Report

MAX_BYTES = 5_000_000
"""From this size on the log is moved aside."""
KEEP = 3
"""How many logs that were moved aside are kept."""
TEXT_CHARS = 4096
"""How much of a command text is kept."""
_LOOKED_AT_CHARS = 16 * TEXT_CHARS  # a secret at the end of what is kept may be recognised by what follows it
_LOCK_S = 0.25


class Audit:
    """The log at a path; None for the path when there is no home directory to keep it in."""

    __slots__ = ("_has_warned", "enabled", "keep", "max_bytes", "path")

    def __init__(self, path: str | None, enabled: bool = True, max_bytes: int = MAX_BYTES, keep: int = KEEP) -> None:
        self.path = path
        self.enabled = enabled
        self.max_bytes = max_bytes
        self.keep = keep
        self._has_warned = False

    def append(self, report: Report) -> str | None:
        """Add an entry for a report. Never raises: a log that can't be written changes no verdict.

        Returns None, or one line that says why nothing was written; until a write succeeds again it is said once.
        """
        if not self.enabled:
            return None
        try:
            if self.path is None:
                problem = "there is no home directory to keep the audit log in"
            else:
                problem = self._add(self.path, (entry(report) + "\n").encode("utf-8"))
        except OSError as error:
            problem = f"the audit log {self.path} can't be written: {error.strerror or error}"
        if not problem:
            self._has_warned = False
            return None
        told, self._has_warned = self._has_warned, True
        return None if told else problem

    def _add(self, path: str, line: bytes) -> str:
        """Write the line and return nothing, or what went wrong; raises OSError."""
        deadline = time.monotonic() + _LOCK_S
        while True:
            handle = _opened(path)
            try:
                found = os.fstat(handle)
                if not stat.S_ISREG(found.st_mode):
                    return f"the audit log {path} is not a regular file"
                if not _locked(handle, deadline):
                    os.write(handle, line)
                    return ""
                if not _is_at(path, handle):
                    continue  # it was moved aside while we waited
                size = os.fstat(handle).st_size
                if size and size + len(line) > self.max_bytes and self._moved_aside(path):
                    continue
                _write_whole(handle, size, line)
                return ""
            finally:
                os.close(handle)

    def _moved_aside(self, path: str) -> bool:
        """Rotate the logs, to be called by whoever holds the lock on the one at the path; False where it can't be."""
        try:
            for number in range(self.keep - 1, 0, -1):
                try:
                    os.rename(f"{path}.{number}", f"{path}.{number + 1}")
                except FileNotFoundError:
                    continue
            if self.keep:
                os.rename(path, f"{path}.1")
            else:
                os.unlink(path)
        except OSError:
            return False  # a log that grows too large is better than none
        return True


def entry(report: Report) -> str:
    """Return the entry for a report as JSON on one line: secrets hidden, a long text cut at a character."""
    request, verdict = report.request, report.verdict
    text = redact(request.text[:_LOOKED_AT_CHARS])
    fields: dict[str, object] = {
        "ts": timestamp(time.time()),
        "text": text[:TEXT_CHARS],
        "cwd": request.cwd[:TEXT_CHARS],
        "shell": request.shell,
        "audience": request.audience,
        "decision": verdict.decision,
        "harm": verdict.harm,
        "confidence": round(verdict.confidence, 4),
        "reason": verdict.reason,
        "codes": _unique([finding.code for finding in verdict.findings]),
        "taken_ms": round(report.taken_ms, 3),
        "pid": os.getpid(),
        "version": __version__,
    }
    if len(text) > TEXT_CHARS or len(request.text) > _LOOKED_AT_CHARS:
        fields["chars"] = len(request.text)
    if report.error is not None:
        fields["error"] = report.error[0]
    return encode(fields)


def timestamp(seconds: float) -> str:
    """Return a time in seconds since the epoch as RFC 3339 has it, in UTC with milliseconds."""
    millis = int(seconds * 1000)
    now = time.gmtime(millis // 1000)
    day = f"{now.tm_year:04}-{now.tm_mon:02}-{now.tm_mday:02}"
    return f"{day}T{now.tm_hour:02}:{now.tm_min:02}:{now.tm_sec:02}.{millis % 1000:03}Z"


def _unique(codes: list[str]) -> list[str]:
    return list(dict.fromkeys(codes))


def _opened(path: str) -> int:
    # Not blocking, since a pipe in this place would wait for a reader.
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        handle = os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        handle = os.open(path, flags, 0o600)
    return handle


def _locked(handle: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:  # taken, or a file system without locks
            if time.monotonic() > deadline:
                return False
            time.sleep(0.001)


def _is_at(path: str, handle: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _write_whole(handle: int, size: int, line: bytes) -> None:
    """Add a line to a locked file of this size, on a line of its own, or leave the file as it was."""
    if size and os.pread(handle, 1, size - 1) != b"\n":
        line = b"\n" + line  # somebody crashed in the middle of an entry
    written = 0
    try:
        written = os.write(handle, line)
    finally:
        if written < len(line):
            os.ftruncate(handle, size)
    if written < len(line):
        raise OSError(28, "No space left on device")
