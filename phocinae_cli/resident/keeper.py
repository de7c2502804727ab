"""Keeps a checker ready, and makes a new one as soon as anything it was made from has changed on disk."""

from __future__ import annotations

import os

from phocinae_cli import kb
from phocinae_cli.app import Checker
from phocinae_cli.config.files import project_file, user_file
from phocinae_cli.config.trust import trust_file
from phocinae_cli.state.approvals import Approvals
from phocinae_cli.state.audit import Audit
from phocinae_cli.state.places import approvals_file, config_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from phocinae_cli.core.report import Report
    from phocinae_cli.core.request import Request

    Make = Callable[[Mapping[str, str], str], Checker]
    Stamp = tuple[tuple[str | int, ...], ...]


def make_checker(env: Mapping[str, str], cwd: str) -> Checker:
    """Return a checker for a directory. Raises PhocinaeError for a broken configuration.

    The worker is started without site-packages. Only what asks a decision service needs them, and gets them here.
    """
    try:
        return Checker.from_environment(env, cwd=cwd)
    except ImportError:
        import site

        site.main()
        return Checker.from_environment(env, cwd=cwd)


class Later(Audit):
    """An audit log that writes after the answer has gone out: nobody should wait for the disk."""

    __slots__ = ("_audit", "_kept")

    def __init__(self, audit: Audit) -> None:
        super().__init__(audit.path)
        self._audit = audit
        self._kept: list[Report] = []

    def append(self, report: Report) -> str | None:
        """Take note of a report."""
        self._kept.append(report)
        return None

    def flush(self) -> None:
        """Write what was noted."""
        kept, self._kept = self._kept, []
        for report in kept:
            self._audit.append(report)


class Keeper:
    """Checks requests with the configuration and the knowledge as they are at that moment."""

    __slots__ = ("_checker", "_env", "_later", "_make", "_stamp", "approvals")

    def __init__(self, env: Mapping[str, str], make: Make = make_checker) -> None:
        place = approvals_file(env)
        self.approvals = None if place is None else Approvals(place)
        self._env = env
        self._make = make
        self._checker: Checker | None = None
        self._later: Later | None = None
        self._stamp: Stamp = ()

    def check(self, request: Request) -> Report:
        """Return the report on a request. Raises PhocinaeError for a broken configuration."""
        stamp = self._look(request.cwd)
        if self._checker is None or stamp != self._stamp:
            self._checker = None  # a configuration that broke must not leave the one before in force
            self._checker = self._make(self._env, request.cwd)
            if self._checker.audit is not None:
                self._later = Later(self._checker.audit)
                self._checker.audit = self._later
            self._stamp = stamp
        return self._checker.check(request)

    def settle(self) -> None:
        """Write the audit log, now that the answer is out."""
        if self._later is not None:
            self._later.flush()

    def _look(self, cwd: str) -> Stamp:
        config = config_dir(self._env)
        paths = [
            f"{kb.__file__.rpartition('/')[0]}/kb.txt",
            user_file(self._env),
            project_file(self._env, cwd),
            trust_file(self._env),
        ]
        seen = [_seen(path) for path in paths if path is not None]
        if config is not None:
            own = f"{config}/kb"
            seen.append(_seen(own))
            if len(seen[-1]) > 1:
                seen += [_seen(f"{own}/{name}") for name in _names(own)]
        return tuple(seen)


def _seen(path: str) -> tuple[str | int, ...]:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return (path,)
    return path, found.st_mtime_ns, found.st_size, found.st_ino


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
