"""The one exception that crosses folders: a code for programs, a sentence for people, and what to do."""

from __future__ import annotations


class PhocinaeError(Exception):
    """A failure that can be explained.

    `code` is stable and can be searched for; `message` says what happened, `do` what mends it. `details` holds
    further problems of the same kind, so that a person can mend a file once.
    """

    def __init__(self, code: str, message: str, do: str = "", details: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.do = do
        self.details = details


INVALID_CONFIG = "PHOCINAE_INVALID_CONFIG"
INVALID_ARGUMENTS = "PHOCINAE_INVALID_ARGUMENTS"
SERVICE_UNAVAILABLE = "PHOCINAE_SERVICE_UNAVAILABLE"
SERVICE_ERROR = "PHOCINAE_SERVICE_ERROR"
BAD_RESPONSE = "PHOCINAE_BAD_RESPONSE"
