"""`phocinae serve`: the embedded engine as a decision service on this machine."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from phocinae_cli.backends.token import from_file
from phocinae_cli.cli.screen import tell
from phocinae_cli.core.verdict import EXIT_FAILURE
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError

TOKEN_VARIABLE = "PHOCINAE_TOKEN"


def command(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes one that is free.")] = 8155,
    token_file: Annotated[
        str | None,
        typer.Option("--token-file", metavar="FILE", help="Ask every client for the token in this file (mode 0600)."),
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Allow an address that other machines reach; takes a token.")
    ] = False,
    access_log: Annotated[bool, typer.Option("--access-log", help="Log each request's route and status.")] = False,
    no_facts: Annotated[
        bool, typer.Option("--no-facts", help="Judge the text alone, without a look at files and git.")
    ] = False,
) -> int:
    """Serve the embedded engine over POST /v1/systemone until Ctrl-C; exit 0 then, 3 when it can't start."""
    secret = token_of(token_file)
    try:
        from phocinae_cli.resident.http import create_app
        from phocinae_cli.resident.httpserver import bound, is_local, run, url_of
    except ImportError as error:
        raise PhocinaeError(
            INVALID_CONFIG, f"serving needs {error.name}, which is not installed", do="pip install 'phocinae[serve]'"
        ) from None
    from phocinae_cli.app import Checker
    from phocinae_cli.resident.asking import Engine

    # Whatever the configuration says: a service that asked a service might ask itself.
    checker = Checker.from_environment(flags={"backend": "embedded"}, facts=not no_facts)
    listener = bound(host, port, allow_remote, secret is not None)
    with listener:
        app = create_app(Engine(checker), secret, local=is_local(listener))
        guarded = " with a token" if secret else ""
        tell(f"phocinae: serving at {url_of(listener)}/v1/systemone{guarded}; Ctrl-C stops it")
        return 0 if run(app, listener, access_log) else EXIT_FAILURE


def token_of(path: str | None) -> str | None:
    """Return the token that clients must send, or None when none is needed; raises PhocinaeError."""
    if path is not None:
        held = from_file(path)
    elif text := os.environ.get(TOKEN_VARIABLE):
        from phocinae_cli.backends.token import from_environment

        found = from_environment({TOKEN_VARIABLE: text})
        assert found is not None
        held = found
    else:
        return None
    secret = held.header().removeprefix("Bearer ")
    if len(secret) < 8:
        raise PhocinaeError(INVALID_ARGUMENTS, "the token is shorter than 8 characters", do="take a long random one")
    return secret
