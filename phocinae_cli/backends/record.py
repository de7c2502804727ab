"""Exchanges with a service kept in a file, and answered from it later: a measurement repeated without the server."""

from __future__ import annotations

import base64
import hashlib
import json
import os

from phocinae_cli.backends.loopback import Deadline
from phocinae_cli.backends.systemone import Call, Exchange, Lost, Response
from phocinae_cli.errors import INVALID_ARGUMENTS, SERVICE_UNAVAILABLE, PhocinaeError

FORMAT = 1


def key_of(call: Call) -> str:
    """Return the key of a request: equal requests have equal keys, whatever service they go to."""
    return hashlib.sha256(b"\n".join((call.method.encode(), call.route.encode(), call.body))).hexdigest()


class Record:
    """Makes each exchange and adds it to a file: one JSON object a line, readable by its owner only.

    The state of a request is kept as its hash alone. Failures are kept too, so that a replay fails alike.
    """

    def __init__(self, path: str, exchange: Exchange) -> None:
        self._path = path
        self._exchange = exchange

    def __call__(self, call: Call, deadline: Deadline) -> Response:
        """Return the response to one call, once it is on file."""
        try:
            response = self._exchange(call, deadline)
        except Lost as error:
            self._add(call, {"lost": error.what, "untouched": error.untouched, "late": error.late})
            raise
        try:
            body: dict[str, object] = {"text": response.body.decode("utf-8")}
        except UnicodeDecodeError:
            body = {"base64": base64.b64encode(response.body).decode("ascii")}
        self._add(call, {"status": response.status, "media_type": response.media_type, **body})
        return response

    def _add(self, call: Call, outcome: dict[str, object]) -> None:
        line = json.dumps({"format": FORMAT, "key": key_of(call), "route": call.route, **outcome}) + "\n"
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(line.encode("ascii"))
        except OSError as error:
            raise PhocinaeError(
                INVALID_ARGUMENTS, f"{self._path}: can't be recorded to: {error.strerror}", do="name a writable file"
            ) from None


class Replay:
    """Answers from a file, never from a service. What stands there twice is answered in order, then the last again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept: dict[str, list[dict[str, object]]] = {}
        try:
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    self._keep(number, line)
        except (OSError, UnicodeDecodeError) as error:
            raise self._unusable(str(error)) from None

    def __call__(self, call: Call, deadline: Deadline) -> Response:
        """Return the response on file for the same request; raises PhocinaeError when there is none."""
        kept = self._kept.get(key_of(call))
        if not kept:
            raise PhocinaeError(
                SERVICE_UNAVAILABLE,
                f"{self._path} has no answer to this request ({call.method} {call.route})",
                do="record it with the service running: --record FILE",
            )
        found = kept.pop(0) if len(kept) > 1 else kept[0]
        if "lost" in found:
            raise Lost(str(found["lost"]), found.get("untouched") is True, found.get("late") is True)
        text, packed, status = found.get("text"), found.get("base64"), found.get("status")
        body = text.encode("utf-8") if isinstance(text, str) else base64.b64decode(str(packed))
        return Response(status if isinstance(status, int) else 0, str(found.get("media_type")), body)

    def _keep(self, number: int, line: str) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            raise self._unusable(f"line {number} is no JSON") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("key"), str):
            raise self._unusable(f"line {number} is not of a recording")
        self._kept.setdefault(found["key"], []).append(found)

    def _unusable(self, why: str) -> PhocinaeError:
        return PhocinaeError(
            INVALID_ARGUMENTS, f"{self._path}: no recording that can be replayed: {why}", do="make one with --record"
        )
