"""The gate's question put to a decision service, alone or beside the embedded engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from phocinae_cli.backends import formulation, loopback, record, token
from phocinae_cli.backends.client import Client
from phocinae_cli.backends.systemone import Exchange, HttpExchange
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import DESTRUCTIVE, HARM_RANK, HARMLESS
from phocinae_cli.errors import PhocinaeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Analysis
    from phocinae_cli.core.request import Request
    from phocinae_cli.gate.case import Ask, Case

    Embedded = Callable[[Analysis, Request], Judgement]

SERVICE = "service"
BOTH = "both"


def make_ask(
    settings: Settings,
    embedded: Embedded,
    environment: Mapping[str, str] | None = None,
    recording: str | None = None,
    replaying: str | None = None,
) -> Ask:
    """Return the judge that `backend` names, as a function of a case.

    `embedded` judges without a service. `recording` names a file that every exchange is added to, `replaying` one
    that answers instead of the service; raises PhocinaeError (INVALID_ARGUMENTS) when that can't be read. A judge
    that can't answer raises SERVICE_UNAVAILABLE, SERVICE_ERROR, BAD_RESPONSE, or INVALID_CONFIG for an endpoint or
    token that may not be used.
    """

    def by_engine(case: Case) -> Judgement:
        return embedded(case.analysis, case.request)

    if settings.backend not in (SERVICE, BOTH):
        return by_engine
    client: list[Client] = []
    if replaying is not None:
        client.append(make_client(settings, environment, None, replaying))

    def by_service(case: Case) -> Judgement:
        # Made at the first question, so that a command that needs none makes no connection and no error.
        if not client:
            client.append(make_client(settings, environment, recording, replaying))
        return judge(client[0], case)

    if settings.backend == SERVICE:
        return by_service

    def by_both(case: Case) -> Judgement:
        return stricter_of(settings, by_engine(case), lambda: by_service(case))

    return by_both


def make_client(
    settings: Settings,
    environment: Mapping[str, str] | None = None,
    recording: str | None = None,
    replaying: str | None = None,
    retries: int = 0,
    timeout_s: float | None = None,
) -> Client:
    """Return a client for the service of these settings; raises PhocinaeError (INVALID_CONFIG)."""
    exchange: Exchange
    if replaying is not None:
        exchange = record.Replay(replaying)
    else:
        exchange = HttpExchange(
            loopback.endpoint(settings.endpoint),
            settings.allow_remote_endpoint,
            token.from_environment(os.environ if environment is None else environment),
        )
        if recording is not None:
            exchange = record.Record(recording, exchange)
    seconds = settings.timeout_ms / 1000 if timeout_s is None else timeout_s
    return Client(exchange, settings.model, settings.dialect, seconds, retries)


def judge(client: Client, case: Case) -> Judgement:
    """Return what the service says of a case; raises PhocinaeError when it says nothing usable."""
    mode = case.settings.gate_mode
    question = formulation.question(mode, case.settings.gate_threshold)
    text, was_cut = formulation.state(case)
    order = "averaged" if case.settings.permute_choice and question.options else "given"
    reply = client.ask(text, (question,), order)
    return formulation.judgement(
        mode,
        reply.answers[question.id],
        reply.confidence_kind,
        f"{SERVICE}:{reply.model}",
        was_cut or reply.truncated,
    )


def stricter_of(settings: Settings, own: Judgement, ask_service: Callable[[], Judgement]) -> Judgement:
    """Return the stricter of the engine's judgement and the service's.

    The service is not asked about what the engine calls destructive: nothing it says could change that. When it
    can't answer, its error goes on only where the engine alone would let the line pass.
    """
    if own.harm == DESTRUCTIVE:
        return own
    try:
        other = ask_service()
    except PhocinaeError:
        if _passes(settings, own):
            raise
        return own
    if _rank(other) > _rank(own) or (_rank(other) == _rank(own) and _passes(settings, own)):
        return _with_reasons(other, own)
    return own


def _passes(settings: Settings, judgement: Judgement) -> bool:
    return judgement.harm == HARMLESS and judgement.confidence >= settings.gate_min_confidence


def _rank(judgement: Judgement) -> int:
    """Return how strict a judgement is; one that makes no claim stands with `risky`, since both are put to a person."""
    claimed = judgement.harm
    if claimed is None and judgement.decision is not None:
        claimed = {"allow": "harmless", "ask": "risky", "deny": "destructive"}[judgement.decision]
    return HARM_RANK["risky"] if claimed is None else HARM_RANK[claimed]


def _with_reasons(other: Judgement, own: Judgement) -> Judgement:
    """The service gives no reasons: those that the engine found stay with its answer."""
    other.findings = other.findings or own.findings
    other.truncated = other.truncated or own.truncated
    return other
