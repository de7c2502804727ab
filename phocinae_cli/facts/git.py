"""What only git itself can tell: whether a tree is clean, and what an alias stands for.

Git is started with a deadline and in a way in which nothing that the repository says is run: no hooks, monitors,
filters or pagers, no locks, no network.
"""

from __future__ import annotations

import os
from signal import SIGKILL
from time import monotonic, sleep

from phocinae_cli.core.queries import TextFact, TreeFact
from phocinae_cli.facts import read_small
from phocinae_cli.facts.worktree import WorkTree, lexical_root

CLEAN_S = 0.4
ALIAS_S = 0.2
ALIAS_BYTES = 16_000
_SAFELY = (
    "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "protocol.allow=never",
)  # fmt: skip
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")


def tree_fact(directory: str, tree: WorkTree | None, deadline: float) -> TreeFact:
    """Return the fact for the tree that was found around a directory; `deadline` is a monotonic time."""
    if tree is None:
        return TreeFact(None)
    if tree.root is None:
        return TreeFact(None, tree.branch())
    return TreeFact(lexical_root(directory, tree.root), tree.branch(), is_clean(tree, deadline))


def is_clean(tree: WorkTree, deadline: float) -> bool | None:
    """Return whether tracked files and index equal HEAD; None when git can't tell, or not in time.

    A file whose date changed and whose content did not may count as not clean.
    """
    if tree.root is None or _brings_programs(tree.git_dir):
        return None
    command = ("-C", tree.root, "diff-index", "--quiet", "--ignore-submodules=dirty", "HEAD", "--")
    done = _run((*_SAFELY, *command), min(deadline, monotonic() + CLEAN_S), tree.root)
    return {0: True, 1: False}.get(done[0]) if done is not None else None


def alias_fact(name: str, directory: str, deadline: float) -> TextFact:
    """Return what a git alias stands for in a directory, as git's configuration has it; else `missing` or why not."""
    if not name or not _LETTERS.issuperset(name):
        return TextFact(None, "missing")  # no alias can have this name
    where = directory if directory.startswith("/") else "/"
    command = ("-C", where, "config", "--get", f"alias.{name}")
    done = _run((*_SAFELY, *command), min(deadline, monotonic() + ALIAS_S), where)
    if done is None:
        return TextFact(None, "git did not answer")
    status, output = done
    if status == 0 and len(output) < ALIAS_BYTES:
        return TextFact(output.decode("utf-8", "surrogateescape").rstrip("\n"))
    return TextFact(None, "missing" if status == 1 else f"git exits with {status}")


def _brings_programs(git_dir: str) -> bool:
    """Return whether the repository's own configuration could make `diff-index` run something.

    A file that git wants to compare by content goes through the filters that attributes name. The user's own
    configuration may define such; one that came with the repository is nothing to start while vetting a command.
    """
    folders = [git_dir]
    common, _ = read_small(git_dir + "/commondir", 8192)
    if common is not None:
        folders.append(os.path.join(git_dir, os.fsdecode(common).rstrip("\n")))
    for folder in folders:
        for name in ("config", "config.worktree"):
            data, why = read_small(f"{folder}/{name}", 256_000)
            if data is None and why != "missing":
                return True
            text = (data or b"").lower()
            if b"[filter" in text or b"[include" in text:
                return True
    return False


def _program(keep_out: str) -> str | None:
    """Return the path of git; a relative or empty entry of PATH, or one inside the tree looked at, is passed over."""
    inside = "\0" if keep_out == "/" else keep_out.rstrip("/") + "/"
    for folder in os.environ.get("PATH", os.defpath).split(":"):
        if folder.startswith("/") and not (folder + "/").startswith(inside) and os.access(folder + "/git", os.X_OK):
            return folder + "/git"
    return None


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "XDG_CONFIG_HOME", "USER") if name in os.environ}
    return {
        **kept,
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _run(arguments: tuple[str, ...], deadline: float, keep_out: str) -> tuple[int, bytes] | None:
    """Return git's exit status and output; None when there is no git or it was not done in time (then it is killed)."""
    program = _program(keep_out)
    if program is None:
        return None
    output, into = os.pipe()
    try:
        os.set_blocking(output, False)
        try:
            process = os.posix_spawn(
                program,
                ["git", *arguments],
                _environment(),
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, into, 1),
                    (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
                ],
                setpgroup=0,  # so that all of it can be killed
            )
        except (OSError, ValueError):
            return None
        finally:
            os.close(into)
        return _collected(process, output, deadline)
    finally:
        os.close(output)


def _collected(process: int, output: int, deadline: float) -> tuple[int, bytes] | None:
    text = b""
    try:
        while monotonic() < deadline and len(text) <= ALIAS_BYTES:
            try:
                part = os.read(output, 4096)
            except BlockingIOError:
                sleep(0.001)
                continue
            text += part
            if not part:  # closed, so it is ending
                ended, code = os.waitpid(process, os.WNOHANG)
                if ended:
                    return os.waitstatus_to_exitcode(code), text
                sleep(0.001)
        os.killpg(process, SIGKILL)
        os.waitpid(process, 0)
    except (ChildProcessError, ProcessLookupError):
        pass  # somebody else collects our children
    return None
