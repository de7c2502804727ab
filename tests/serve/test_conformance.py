"""The public conformance suite, and the official SDK as a client, against a running server."""

from __future__ import annotations

import pytest
from jevcompat import report, runner
from typesafe_sdk import Choice, Noul, Score, TypeSafeClient

from phocinae_cli.resident.asking import MODEL
from tests.serve.served import running, table_engine

TOKEN = "correct-horse-battery"


@pytest.mark.parametrize("token", [None, TOKEN])
@pytest.mark.timeout(100)
def test_every_must_and_every_should_is_met(token: str | None) -> None:
    with running(table_engine()[0], token) as url:
        found = runner.run(url, key=token, timeout=20)
    failed = [result.id for result in found.results if result.status == "fail"]
    assert failed == [], report.terminal(found, color=False)
    assert found.verdict == "conformant", report.terminal(found, color=False)
    skipped = {result.id for result in found.results if result.status == "skip"}
    # Each of the two runs leaves out what only the other can test; the shape of other errors is held in test_serve.
    other = {"auth.bearer", "auth.missing", "auth.invalid"} if token is None else {"auth.ignored-when-off"}
    assert skipped == {*other, "errors.shape"}


def test_the_official_client_gets_what_the_engine_says() -> None:
    engine, checker = table_engine()
    state = {"tool": "bash", "cwd": "/srv/app", "input": "rm -rf /"}
    harm = Choice(
        instructions="How harmful?", criteria={"harmless": "reads", "risky": "changes", "destructive": "loses"}
    )
    with running(engine) as url, TypeSafeClient(api_key="any", base_url=url, timeout=20) as client:
        found = client.system_one(
            state=state,
            questions={
                "harm": harm,
                "safe": Noul(instructions="Is this command safe to run?"),
                "damage": Score(instructions="How destructive is it?", criteria=["not", "some", "all"]),
                "mood": Choice(instructions="What is the mood?", criteria={"good": None, "bad": None}),
            },
            model="jev-latest",
        )
    assert found.model == MODEL
    assert found.choices["harm"].choice == "destructive"
    assert found.choices["harm"].confidence == 1.0
    assert found.nouls["safe"].noul == 0.0
    assert found.scores["damage"].score == 2.0
    assert found.choices["mood"].confidence == 0.0
    assert {request.cwd for request in checker.asked} == {"/srv/app"}
