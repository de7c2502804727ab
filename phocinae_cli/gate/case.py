"""What the gate decides on: a request, the settings in force, and what the line would do."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.core.effects import Analysis
    from phocinae_cli.core.questions import Judgement
    from phocinae_cli.core.request import Request
    from phocinae_cli.core.settings import Settings
    from phocinae_cli.core.verdict import Verdict


class Case:
    """One line before the gate; `approved` says that an approval for exactly this line in this place is valid."""

    __slots__ = ("analysis", "approved", "request", "settings")

    def __init__(self, request: Request, settings: Settings, analysis: Analysis, approved: bool = False) -> None:
        self.request = request
        self.settings = settings
        self.analysis = analysis
        self.approved = approved


if TYPE_CHECKING:
    Ask = Callable[[Case], Judgement]
    """Any callable that judges a case; one that can't raises PhocinaeError or whatever else it dies of."""

    Stage = Callable[[Case, Ask], Verdict | None]
    """Answers, or passes the case on with None. A stage never fetches anything."""
