"""The resident worker: one for each shell, answers its hook over two FIFOs, and ends with the shell or when idle."""

from __future__ import annotations

import os
import select

from phocinae_cli.resident import protocol
from phocinae_cli.resident.protocol import Malformed, Query, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[Query], Reply]
    Settle = Callable[[], None]

IDLE_S = 900.0
WATCH_S = 2.0
"""How often the shell is looked for where the system can't tell us that it ended."""

REQUESTS, REPLIES = "q", "r"


def main(argv: list[str], answer: Answer | None = None, idle_s: float = IDLE_S, settle: Settle | None = None) -> int:
    """Serve the shell whose number is argv[1] from a directory below argv[0], until it ends; return 0, or 1 on failure.

    `settle` is called when the answers are out.

    As soon as the pipes are there, the line `PID DIRECTORY` goes to standard output, which is then let go.
    """
    try:
        base, shell = argv[0], int(argv[1])
    except (IndexError, ValueError):
        return 1
    detach()
    try:
        place = make_place(base, shell)
    except OSError:  # nowhere to put a pipe: the hook sees the end of our output and does without
        return 1
    try:
        requests = os.open(f"{place}/{REQUESTS}", os.O_RDWR | os.O_NONBLOCK)
        replies = os.open(f"{place}/{REPLIES}", os.O_RDWR | os.O_NONBLOCK)
        retire_others(base, place, shell)
        if answer is None:
            from phocinae_cli.resident.question import Desk

            desk = Desk.from_environment()
            answer, settle = desk.answer, desk.settle
        announce(place)
        serve(requests, replies, shell, answer, idle_s, place, settle)
    except OSError:
        return 1
    finally:
        remove_place(place)
    return 0


def detach() -> None:
    """Let go of the terminal and the directory. (The hook starts us with the terminal's signals ignored.)"""
    try:
        os.setsid()
    except OSError:
        pass  # we lead a process group already: the ignored signals are enough
    os.chdir("/")
    os.umask(0o077)
    os.closerange(3, 1024)  # what the shell had open is none of ours to hold


def make_place(base: str, shell: int) -> str:
    """Make a directory of our own below `base`, with both pipes in it, and return its path.

    Raises OSError when it can't be made or when `base` is not a directory that only this user can write to.
    """
    try:
        os.mkdir(base, 0o700)
    except FileExistsError:
        pass
    status = os.lstat(base)
    # In a shared /tmp somebody else may have made it first, or put a link there.
    if status.st_uid != os.geteuid() or status.st_mode & 0o170000 != 0o040000:
        raise PermissionError(base)
    if status.st_mode & 0o077:
        os.chmod(base, 0o700)
    place = f"{base}/{shell}.{os.getpid()}.{os.urandom(4).hex()}"
    os.mkdir(place, 0o700)
    for name in (REPLIES, REQUESTS):
        os.mkfifo(f"{place}/{name}", 0o600)
    return place


def remove_place(place: str) -> None:
    """Remove a directory with its pipes; what is gone already is fine."""
    for name in (REQUESTS, REPLIES):
        try:
            os.unlink(f"{place}/{name}")
        except OSError:
            pass
    try:
        os.rmdir(place)
    except OSError:
        pass


def retire_others(base: str, place: str, shell: int) -> None:
    """Tell older workers of the same shell to quit (`exec` keeps its number), and remove what dead shells left."""
    for name in os.listdir(base):
        other = f"{base}/{name}"
        owner = name.split(".")[0]
        if other == place or not owner.isdigit():
            continue
        if int(owner) == shell:
            _tell(other)
        elif not alive(int(owner)):
            remove_place(other)


def _tell(place: str) -> None:
    try:
        pipe = os.open(f"{place}/{REQUESTS}", os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # nobody reads it any more
        remove_place(place)
        return
    try:
        os.write(pipe, protocol.QUIT + b"\n")
    except OSError:
        pass  # full: its reader hangs, and the hook does not use it any more
    finally:
        os.close(pipe)


def alive(process: int) -> bool:
    """Return whether there is a process with this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def announce(place: str) -> None:
    """Say on standard output that we are ready, then let go of it, since the hook waits for its end."""
    os.write(1, f"{os.getpid()} {place}\n".encode())
    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)


def serve(
    requests: int, replies: int, shell: int, answer: Answer, idle_s: float, place: str, settle: Settle | None = None
) -> None:
    """Answer until the shell ends, `quit` comes, nothing came for `idle_s` seconds, or our pipe was removed."""
    own = _seen(__file__)
    ended = watch(shell)
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    if ended >= 0:
        poll.register(ended, select.POLLIN)
    buffer, waited, leaving = b"", 0.0, False
    while True:
        step = min(WATCH_S if ended < 0 else 30.0, idle_s)
        ready = [descriptor for descriptor, _ in poll.poll(0 if leaving else int(step * 1000) + 1)]
        if ended in ready:
            return
        if requests not in ready:
            if leaving:
                return
            waited += step
            if not alive(shell) or not os.path.exists(f"{place}/{REQUESTS}"):
                return
            if waited >= idle_s:
                # A line may be on its way already: take the pipe away first, then look once more.
                os.unlink(f"{place}/{REQUESTS}")
                leaving = True
            continue
        waited = 0.0
        buffer += os.read(requests, 65536)
        buffer, done = respond(buffer, replies, answer)
        if settle is not None:
            settle()
        if done or _seen(__file__) != own:
            return  # told to quit, or another version was installed: the next line starts that one


def respond(buffer: bytes, replies: int, answer: Answer) -> tuple[bytes, bool]:
    """Answer every whole request of the buffer; return what is left of it and whether we were told to quit."""
    while buffer:
        if buffer.startswith(protocol.QUIT + b"\n"):
            return b"", True
        try:
            query, buffer = protocol.take(buffer)
        except Malformed:
            return b"", False  # the hook's time runs out, and it asks another way
        if query is None:
            return buffer, False
        _send(replies, protocol.answer(query.number, answer(query)))
    return buffer, False


def _send(replies: int, raw: bytes) -> None:
    # The hook reads as we write, or has given up; a pipe that stays full must not keep us here.
    while raw:
        try:
            raw = raw[os.write(replies, raw) :]
        except BlockingIOError:
            poll = select.poll()
            poll.register(replies, select.POLLOUT)
            if not poll.poll(2000):
                return


def _seen(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_ino


def watch(shell: int) -> int:
    """Return a descriptor that becomes readable when the shell ends, or -1 where there is none to be had."""
    opener = getattr(os, "pidfd_open", None)
    if opener is not None:
        try:
            return int(opener(shell))
        except OSError:
            return -1
    return -1
