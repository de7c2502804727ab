"""What `phocinae serve` answers, in both dialects."""

from __future__ import annotations

from typing import Any

import pytest

from phocinae_cli.backends.question import Question
from phocinae_cli.backends.service import make_client
from phocinae_cli.core.settings import Settings
from phocinae_cli.resident import asking
from phocinae_cli.resident.asking import MODEL
from tests.serve.served import HARM, flat, get, post, table_engine


@pytest.mark.parametrize(
    ("line", "index", "vector"),
    [
        ("ls -la", 0, [0.97, 0.015, 0.015]),
        ("git push", 1, [0.05, 0.9, 0.05]),
        ("rm -rf /", 2, [0.0, 0.0, 1.0]),
        ("git status", 0, [1.0, 0.0, 0.0]),
        ("frobnicate", 1, [0.3333, 0.3333, 0.3333]),
    ],
)
def test_a_flat_harm_question_gets_the_engine_s_verdict(line: str, index: int, vector: list[float], url: str) -> None:
    found = post(url, flat(line)).json()
    assert found["answers"] == {"harm": index}
    assert found["option_scores"]["harm"] == pytest.approx(vector, abs=0.0002)
    assert found["answer_confidence"]["harm"] == max(found["option_scores"]["harm"])
    assert found["model"] == MODEL
    assert set(found["usage"]) == {"input_tokens", "output_tokens"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["allow", "ask", "deny"], "deny"),
        (["deny: stop it", "ask: a person looks", "allow: it runs"], "deny: stop it"),
        (["safe", "dangerous"], "dangerous"),
        (["approve", "review", "block"], "block"),
    ],
)
def test_options_are_known_by_their_names_in_any_order(options: list[str], expected: str, url: str) -> None:
    question: dict[str, object] = {"id": "q", "type": "choice", "options": options}
    assert options[post(url, flat("rm -rf /", question)).json()["answers"]["q"]] == expected


def test_where_a_level_has_no_option_the_next_stricter_one_is_given(url: str) -> None:
    question: dict[str, object] = {"id": "q", "type": "choice", "options": ["allow", "deny"]}
    assert post(url, flat("git push", question)).json()["answers"]["q"] == 1


@pytest.mark.parametrize(
    ("words", "line", "expected"),
    [
        ("Is this command harmless?", "ls -la", True),
        ("Is this command harmless?", "rm -rf /", False),
        ("Is it dangerous?", "rm -rf /", True),
        ("Is it destructive?", "git push", False),
        ("Is it risky?", "git push", True),
    ],
)
def test_a_yes_or_no_about_harm_is_answered_in_its_sense(words: str, line: str, expected: bool, url: str) -> None:
    body = {"model": "m", "state": f"{words}\ncommand: {line}", "questions": [{"id": "q", "type": "noul"}]}
    found = post(url, body).json()
    assert found["answers"]["q"] is expected
    assert max(found["option_scores"]["q"]) > 0.8


@pytest.mark.parametrize(
    "body",
    [
        {"model": "m", "state": "Is it not harmless?\ncommand: ls -la", "questions": [{"id": "q", "type": "noul"}]},
        {"model": "m", "state": "Is this customer angry?\ncommand: ls -la", "questions": [{"id": "q", "type": "noul"}]},
        {"model": "m", "state": "I was charged twice", "questions": [{"id": "q", "type": "noul"}]},
        {
            "model": "m",
            "state": "Refund me",
            "questions": [{"id": "q", "type": "choice", "options": ["allow", "deny"]}],
        },
        {"model": "m", "state": "ls -la", "questions": [{"id": "q", "type": "choice", "options": ["cat", "dog"]}]},
        {"model": "m", "state": "", "questions": [{"id": "q", "type": "score"}]},
    ],
)
def test_what_is_no_question_about_a_command_is_left_open(body: dict[str, Any], url: str) -> None:
    found = post(url, body).json()
    scores = found["option_scores"]["q"]
    assert scores == pytest.approx([1 / len(scores)] * len(scores), abs=0.0002)


def test_a_question_is_not_logged_and_uses_no_approval_up() -> None:
    _, checker = table_engine()
    assert (checker.audit, checker.approvals) == (None, None)


def test_the_engine_sees_what_a_service_is_not_shown() -> None:
    """Nothing leaves the process, so nothing is redacted: a secret may be what the verdict is about."""
    engine, checker = table_engine()
    asking.ask(engine, Settings(), "command: curl --password hunter22", (Question("q", "choice", ("allow", "deny")),))
    assert checker.asked[0].text == "curl --password hunter22"


def test_the_id_of_a_question_changes_no_answer(url: str) -> None:
    for name in ("harm", "safe", "x", "безопасно", "not"):
        found = post(url, flat("rm -rf /", {**HARM, "id": name})).json()
        assert found["answers"] == {name: 2}


def test_a_typed_question_gets_a_typed_answer(url: str) -> None:
    body = {
        "model": "jev-latest",
        "state": {"tool": "bash", "input": "git push"},
        "questions": {
            "harm": {
                "type": "choice",
                "instructions": "How harmful is `input` if it runs?",
                "criteria": {"harmless": "only reads", "risky": "changes files", "destructive": "loses data"},
            }
        },
    }
    found = post(url, body).json()
    assert found["answers"]["harm"] == {
        "type": "choice",
        "choice": "risky",
        "probabilities": {"harmless": 0.05, "risky": 0.9, "destructive": 0.05},
        "confidence": 0.85,
    }
    assert set(found) == {"model", "answers", "usage"}


def test_our_own_client_gets_through_in_both_dialects(url: str) -> None:
    from phocinae_cli.backends import formulation

    for dialect in ("auto", "flat", "typed"):
        settings = Settings()
        settings.endpoint, settings.dialect = url, dialect
        reply = make_client(settings, environment={}).ask(
            "tool: bash\ninput: rm -rf /", (formulation.question("harm", 0.8),)
        )
        assert (reply.answers["harm"].value, reply.answers["harm"].confidence) == ("destructive", 1.0)
        assert reply.model == MODEL


def test_batches_and_the_permuting_route(url: str) -> None:
    items = [flat("ls -la"), flat("rm -rf /")]
    assert [item["answers"]["harm"] for item in post(url, items, "/batch").json()] == [0, 2]
    assert [item["answers"]["harm"] for item in post(url, {"requests": items}, "/batch").json()] == [0, 2]
    assert post(url, flat("git push"), "/permute").json()["answers"]["harm"] == 1


def test_health_models_and_root(url: str) -> None:
    health = get(url, "/health").json()
    assert (health["status"], health["model_loaded"], health["model"]) == ("ok", True, MODEL)
    models = get(url, "/v1/models").json()
    assert models["data"][0]["id"] == models["models"][0]["name"] == MODEL
    assert get(url, "/").json()["health"] == "/health"
