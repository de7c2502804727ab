"""What is read, and what comes of it: the layers of a configuration, and the settings in force."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from phocinae_cli.config.problems import Problem
    from phocinae_cli.config.rules import Entry
    from phocinae_cli.core.settings import Settings

USER = "user"
PROJECT = "project"
ENVIRONMENT = "environment"
FLAG = "flag"


class Layer:
    """Values from one place: a user's or a project's file, the environment, or flags.

    `origin` is a path, or empty; `data` what was read, nested as in the file or flat by name; `text` the text of
    a file, for line numbers; `folder` where the file lies; `trusted` says that a project's file may loosen.
    """

    __slots__ = ("data", "folder", "kind", "origin", "text", "trusted")

    def __init__(
        self,
        kind: str,
        origin: str,
        data: Mapping[str, object],
        text: str = "",
        folder: str = "",
        trusted: bool = False,
    ) -> None:
        self.kind = kind
        self.origin = origin
        self.data = data
        self.text = text
        self.folder = folder
        self.trusted = trusted


class Loaded:
    """The settings in force and how they came about.

    `origins` names for each key that is not at its default where it was set; `problems` are entries of a
    project's file that were refused, since they would loosen; `notices` are lines for people; `faults` is what
    makes the configuration illegal (empty in what `load` returns); `entries` are the rules with their examples.
    """

    __slots__ = ("entries", "faults", "notices", "origins", "problems", "settings")

    def __init__(
        self,
        settings: Settings,
        origins: dict[str, str] | None = None,
        problems: tuple[Problem, ...] = (),
        notices: tuple[str, ...] = (),
        faults: tuple[Problem, ...] = (),
        entries: tuple[Entry, ...] = (),
    ) -> None:
        self.settings = settings
        self.origins = {} if origins is None else origins
        self.problems = problems
        self.notices = notices
        self.faults = faults
        self.entries = entries
