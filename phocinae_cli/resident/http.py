"""`phocinae serve`: the embedded engine as a decision service, both dialects on one route."""

from __future__ import annotations

import hmac
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from phocinae_cli.backends.loopback import is_loopback
from phocinae_cli.resident import httpreply
from phocinae_cli.resident.asking import MODEL, Engine
from phocinae_cli.resident.httpbody import Rejected, body_of
from phocinae_cli.resident.httpform import Asked, Invalid, read, read_batch, read_json

ERROR_TYPES = {401: "authentication_error", 403: "permission_error", 404: "not_found", 429: "rate_limit_error"}
USAGE_ERROR = "api_usage_error"


def create_app(engine: Engine, token: str | None = None, local: bool = True) -> Starlette:
    """Return the ASGI application.

    With a `token`, everything under `/v1/` needs it as a bearer token. `local` refuses requests made under a
    name that isn't this machine's: a web page could reach a loopback port under a name of its own.
    """
    began = time.monotonic()

    async def root(request: Request) -> Response:
        return Json({"service": "phocinae", "model": MODEL, "docs": None, "health": "/health"})

    async def health(request: Request) -> Response:
        return Json(httpreply.health(time.monotonic() - began))

    async def models(request: Request) -> Response:
        return Json(httpreply.models())

    async def one(request: Request) -> Response:
        return Json(await run_in_threadpool(_answer, engine, read(await _json(request))))

    async def batch(request: Request) -> Response:
        asked = read_batch(await _json(request))
        return Json(await run_in_threadpool(lambda: [_answer(engine, item) for item in asked]))

    app = Starlette(
        routes=[
            Route("/", root, methods=["GET"]),
            Route("/health", health, methods=["GET"]),
            Route("/v1/models", models, methods=["GET"]),
            Route("/v1/systemone", one, methods=["POST"]),
            Route("/v1/systemone/permute", one, methods=["POST"]),
            Route("/v1/systemone/batch", batch, methods=["POST"]),
        ],
        exception_handlers={Invalid: _invalid, Rejected: _rejected, HTTPException: _http, Exception: _fault},
    )
    app.router.redirect_slashes = False
    app.add_middleware(partial(_Door, token=token, local=local))
    return app


def _answer(engine: Engine, asked: Asked) -> dict[str, object]:
    """The engine looks at no option order, so that there is nothing to average on the permuting route."""
    return httpreply.reply(asked, engine.answers(asked.state, asked.questions))


async def _json(request: Request) -> object:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        # A web page can send text/plain anywhere without asking first, but not JSON.
        raise Invalid([{"loc": ["body"], "msg": "Content-Type should be application/json", "type": "content_type"}])
    return read_json(await body_of(request))


class Json(Response):
    """JSON in ASCII: an id may be a lone surrogate, which is legal in JSON but not in UTF-8."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Return the body; raises ValueError for NaN, which is not JSON."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class _Door:
    """Lets a request in, or turns it away before any of its body is read; every answer gets an id."""

    def __init__(self, app: ASGIApp, token: str | None, local: bool) -> None:
        self._app = app
        self._expected = None if token is None else f"Bearer {token}".encode()
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])

        async def send_with_id(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                own = [*_list(message.get("headers")), (b"x-typesafe-request-id", secrets.token_hex(8).encode())]
                message = {**message, "headers": own}
            await send(message)

        turned_away = self._refusal(str(scope["path"]), headers)
        answer: Callable[[Scope, Receive, Send], Awaitable[None]] = turned_away or self._app
        await answer(scope, receive, send_with_id)  # type: ignore[arg-type]

    def _refusal(self, path: str, headers: dict[bytes, bytes]) -> Response | None:
        if self._local and not _names_this_machine(headers.get(b"host", b"").decode("latin-1")):
            return _error(403, "this server answers under the name of this machine only")
        if self._expected is None or not path.startswith("/v1/"):
            return None
        given = headers.get(b"authorization", b"")
        if hmac.compare_digest(given, self._expected):
            return None
        said = "key not accepted" if given else "a bearer token is needed"
        return _error(401, said, {"WWW-Authenticate": "Bearer"})


def _list(headers: object) -> list[object]:
    return list(headers) if isinstance(headers, (list, tuple)) else []


def _names_this_machine(host: str) -> bool:
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    name = name.lower()
    return name in ("", "localhost") or name.endswith(".localhost") or is_loopback(name)


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> Json:
    """Return an error that clients of either dialect can read."""
    kind = ERROR_TYPES.get(status, USAGE_ERROR)
    body: dict[str, object] = {"detail": {"error_type": kind, "message": message}}
    if status == 413:
        body["error"] = {"code": status, "message": message}
    return Json(body, status, headers)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, Invalid)
    return Json({"detail": error.detail}, error.status)


async def _rejected(request: Request, error: Exception) -> Response:
    assert isinstance(error, Rejected)
    headers = {"Accept-Encoding": "identity, gzip"} if error.status == 415 else {}
    return _error(error.status, error.message, {**headers, "Connection": "close"})


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, str(error.detail), dict(error.headers or {}))


async def _fault(request: Request, error: Exception) -> Response:
    return Json({"detail": {"error_type": "internal_error", "message": "phocinae itself failed"}}, 500)
