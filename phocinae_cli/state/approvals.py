"""Approvals that a person gave: for exactly one text in one directory, until a time, and for programs.

A file of JSON lines, read by every check and written by few: changes are made to a copy under a lock, and the copy
takes the file's place at once. Texts may hold secrets, so what counts is their hash; what is listed is redacted.
"""

from __future__ import annotations

import os
import stat
import time

from phocinae_cli.core.jsontext import encode
from phocinae_cli.core.redact import redact
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.core.request import Request

NOT_STORED = "PHOCINAE_NOT_STORED"
"""The code of the error that says that an approval could not be kept."""
LINE, PROGRAM, CODE = "line", "program", "code"
CODE_S = 600.0
"""How long a one-time code can be used, and then the approval that it gave."""
MAX_BYTES = 4_000_000
PREVIEW_CHARS = 200
_LOCK_S = 2.0
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without letters that are read as digits
_MISREAD = str.maketrans("OIL", "011")


class Approval:
    """One approval as it is stored.

    `kind` is LINE, PROGRAM or CODE (a code that is yet to be used); `key` is a hash, or the program's name; `cwd`
    is the directory it holds for; `shown` the text fit to be listed; `expires` and `made` are seconds since the
    epoch, None never expires; `uses` is how often it still counts, None without limit.
    """

    __slots__ = ("cwd", "expires", "key", "kind", "line", "made", "shown", "uses")

    def __init__(
        self,
        kind: str,
        key: str,
        shown: str,
        cwd: str = "",
        made: float = 0.0,
        expires: float | None = None,
        uses: int | None = None,
        line: str = "",
    ) -> None:
        self.kind = kind
        self.key = key
        self.shown = shown
        self.cwd = cwd
        self.made = made
        self.expires = expires
        self.uses = uses
        self.line = line

    @property
    def id(self) -> str:
        """What the approval is called in lists."""
        return self.key if self.kind == PROGRAM else self.key[:8]

    def is_called(self, name: str) -> bool:
        """Return whether a person means this one by `name`."""
        if self.kind == PROGRAM:
            return self.key == name
        return len(name) >= 4 and self.key.startswith(name)

    def is_over(self, now: float) -> bool:
        """Return whether it no longer counts."""
        return (self.expires is not None and self.expires <= now) or (self.uses is not None and self.uses < 1)


class Approvals:
    """The approvals kept in one file."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def allows(self, request: Request) -> bool:
        """Return whether exactly this text is approved in this directory. No use is spent by looking."""
        return self.approved(request.text, request.cwd)

    def approved(self, text: str, cwd: str, now: float | None = None) -> bool:
        """Return whether the text is approved in the directory, at a time in seconds since the epoch (now).

        Never raises: a file that is missing, unreadable or not only ours approves nothing.
        """
        return bool(self._found(text, cwd, time.time() if now is None else now))

    def spend(self, text: str, cwd: str, now: float | None = None) -> bool:
        """Return whether the text may pass on an approval now; one with limited uses has one use less then.

        Of many processes at once only as many get True as there are uses. Never raises: an approval whose use can't
        be written down is none.
        """
        now = time.time() if now is None else now
        found = self._found(text, cwd, now)
        if any(each.uses is None for each in found):
            return True
        return bool(found) and self._use_up(found[0].key, now)

    def programs(self) -> tuple[str, ...]:
        """Return the names of the programs whose harmless-looking use is approved. Never raises."""
        try:
            data = _read(self.path)
        except OSError:
            return ()
        if b'"kind": "program"' not in data:
            return ()
        return tuple(each.key for each in _parsed(data)[0] if each.kind == PROGRAM and not each.is_over(time.time()))

    def listed(self) -> list[Approval]:
        """Return what is approved now, the oldest first. Raises PhocinaeError when it can't be read."""
        try:
            data = _read(self.path)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _failed(self.path, error) from error
        now = time.time()
        return [each for each in _parsed(data)[0] if not each.is_over(now)]

    def approve(self, text: str, cwd: str, ttl_s: float | None = None, uses: int | None = None) -> Approval:
        """Keep an approval of the text in the directory, for so many seconds and uses (None: without end).

        Raises PhocinaeError when it can't be kept.
        """
        now = time.time()
        expires = None if ttl_s is None else now + ttl_s
        made = Approval(LINE, _line_key(text, cwd), _preview(text), cwd, now, expires, uses)
        self._change(lambda kept: [*(each for each in kept if (each.kind, each.key) != (LINE, made.key)), made], now)
        return made

    def approve_program(self, program: str) -> Approval:
        """Keep an approval of a program's harmless-looking use. Raises PhocinaeError when it can't be kept."""
        now = time.time()
        made = Approval(PROGRAM, program, program, "", now)
        self._change(lambda kept: [*(each for each in kept if (each.kind, each.key) != (PROGRAM, program)), made], now)
        return made

    def issue(self, text: str, cwd: str) -> str:
        """Return a new code with which this text can be approved once in this directory, within ten minutes.

        An earlier code for the same line ends. Raises PhocinaeError when it can't be kept.
        """
        now = time.time()
        code = "".join([_ALPHABET[byte % 32] for byte in os.urandom(10)])
        line = _line_key(text, cwd)
        made = Approval(CODE, _hash("code", code), _preview(text), cwd, now, now + CODE_S, line=line)
        self._change(lambda kept: [*(each for each in kept if each.kind != CODE or each.line != line), made], now)
        return f"{code[:5]}-{code[5:]}"

    def allow_once(self, code: str, now: float | None = None) -> Approval:
        """Turn a code into an approval that counts once, and return that. The code is then used up.

        Raises PhocinaeError for a code that was never given, is over or was used, and when nothing can be kept.
        """
        now = time.time() if now is None else now
        key = _hash("code", code.strip().upper().replace("-", "").translate(_MISREAD))
        granted: list[Approval] = []

        def exchange(kept: list[Approval]) -> list[Approval]:
            found = next((each for each in kept if each.kind == CODE and each.key == key), None)
            if found is None:
                raise PhocinaeError(
                    INVALID_ARGUMENTS, "this code is unknown, over or used", "type the line again to get a new code"
                )
            granted.append(Approval(LINE, found.line, found.shown, found.cwd, now, now + CODE_S, 1))
            # What is approved for longer stays so.
            return [*(each for each in kept if each is not found), *granted]

        self._change(exchange, now)
        return granted[0]

    def remove(self, name: str) -> list[Approval]:
        """Take back the approvals with this id (for a program its name, else four or more signs of the hash).

        Returns them; raises PhocinaeError when there is none, or when the change can't be kept.
        """
        gone: list[Approval] = []

        def without(kept: list[Approval]) -> list[Approval]:
            gone.extend(each for each in kept if each.is_called(name))
            if not gone:
                raise PhocinaeError(
                    INVALID_ARGUMENTS, f"no approval is called {name!r}", "see `phocinae approvals list`"
                )
            return [each for each in kept if each not in gone]

        self._change(without, time.time())
        return gone

    def _found(self, text: str, cwd: str, now: float) -> list[Approval]:
        """Return the approvals of the text in the directory that count at a time."""
        try:
            data = _read(self.path)
        except OSError:
            return []
        if b'"kind": "line"' not in data:
            return []
        key = _line_key(text, cwd)
        if key.encode() not in data:
            return []
        return [each for each in _parsed(data)[0] if each.kind == LINE and each.key == key and not each.is_over(now)]

    def _use_up(self, key: str, now: float) -> bool:
        """Take one use of the approvals of a line; False when somebody else had the last, or it can't be kept."""
        used: list[Approval] = []

        def take(kept: list[Approval]) -> list[Approval]:
            for each in kept:
                if each.kind == LINE and each.key == key and each.uses is not None and not used:
                    each.uses -= 1
                    used.append(each)
            return kept

        try:
            self._change(take, now)
        except PhocinaeError:
            return False
        return bool(used)

    def _change(self, change: Callable[[list[Approval]], list[Approval]], now: float) -> None:
        """Replace the file by one with the changed approvals, those that are over left out; whole or not at all."""
        try:
            os.makedirs(os.path.dirname(self.path), 0o700, exist_ok=True)
            lock = _locked(self.path + ".lock")
            try:
                try:
                    kept, foreign = _parsed(_read(self.path))
                except FileNotFoundError:
                    kept, foreign = [], []
                changed = change([each for each in kept if not each.is_over(now)])
                lines = [_stored(each) for each in changed if not each.is_over(now)]
                _replace(self.path, b"".join([*foreign, *lines]))
            finally:
                os.close(lock)
        except OSError as error:
            raise _failed(self.path, error) from error


# --- the file --------------------------------------------------------------------------------------------------------


def _read(path: str) -> bytes:
    """Return the content of the file; raises OSError, also for one that others could have written."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_BYTES:
            raise OSError(0, "not a regular file of a sane size")
        if found.st_uid != os.geteuid() or found.st_mode & 0o022:
            raise OSError(0, "it belongs to somebody else, or others may write to it")
        parts = []
        while part := os.read(handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def _parsed(data: bytes) -> tuple[list[Approval], list[bytes]]:
    """Return the approvals, and the lines that are none of ours: they approve nothing and are kept."""
    import json  # only when something was found

    kept: list[Approval] = []
    foreign: list[bytes] = []
    for line in data.splitlines(keepends=True):
        try:
            row = json.loads(line)
            kept.append(_approval(row))
        except (ValueError, KeyError, TypeError, RecursionError):
            if line.strip():
                foreign.append(line if line.endswith(b"\n") else line + b"\n")
    return kept, foreign


def _approval(row: dict[str, object]) -> Approval:
    kind, key, shown, cwd, line = (row[name] for name in ("kind", "key", "text", "cwd", "line"))
    made, expires, uses = row["made"], row["expires"], row["uses"]
    texts = (kind, key, shown, cwd, line)
    if not all(isinstance(each, str) for each in texts) or kind not in (LINE, PROGRAM, CODE):
        raise ValueError("not an approval")
    # A number that is missing or odd must not read as "for ever".
    if not isinstance(made, (int, float)) or not isinstance(expires, (int, float, type(None))):
        raise ValueError("not an approval")
    if isinstance(uses, bool) or not isinstance(uses, (int, type(None))):
        raise ValueError("not an approval")
    return Approval(str(kind), str(key), str(shown), str(cwd), made, expires, uses, str(line))


def _stored(approval: Approval) -> bytes:
    row = {
        "kind": approval.kind,
        "key": approval.key,
        "text": approval.shown,
        "cwd": approval.cwd,
        "made": approval.made,
        "expires": approval.expires,
        "uses": approval.uses,
        "line": approval.line,
    }
    return (encode(row) + "\n").encode("utf-8")


def _replace(path: str, data: bytes) -> None:
    if not data:
        try:
            os.unlink(path)  # nothing is approved: the next check need not read
        except FileNotFoundError:
            pass
        return
    fresh = f"{path}.{os.getpid()}.new"
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            rest = data
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(fresh, path)
    except OSError:
        os.unlink(fresh)
        raise


def _locked(path: str) -> int:
    """Return a handle that holds the lock until it is closed; raises OSError when it is not to be had in time."""
    import fcntl  # only for a change

    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + _LOCK_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except OSError as error:
            if time.monotonic() > deadline:
                os.close(handle)
                raise OSError(error.errno, "another process holds the lock") from error
            time.sleep(0.002)


def _failed(path: str, error: OSError) -> PhocinaeError:
    return PhocinaeError(
        NOT_STORED,
        f"the approvals in {path} can't be used: {error.strerror or error}",
        "nothing was approved; see that the file and its directory are yours and can be written",
    )


# --- keys ------------------------------------------------------------------------------------------------------------


def _line_key(text: str, cwd: str) -> str:
    return _hash("line", text, cwd)


def _hash(*parts: str) -> str:
    from hashlib import sha256  # only where approvals exist

    # The length in front keeps apart what would read the same when joined.
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return sha256(b"".join([b"%d:" % len(part) + part for part in encoded])).hexdigest()


def _preview(text: str) -> str:
    shown = redact(text)
    return shown if len(shown) <= PREVIEW_CHARS else shown[: PREVIEW_CHARS - 3] + "..."
