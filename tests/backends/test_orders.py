"""Many requests in one, and one question in several option orders."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from phocinae_cli.backends import permute
from phocinae_cli.backends.answer import Reply
from phocinae_cli.backends.client import Client
from phocinae_cli.backends.systemone import Call, Response
from tests.backends.table import Table, answer_flat, choice


def test_a_batch_keeps_its_order_and_is_split_at_64() -> None:
    table = Table(answer_flat)
    replies = Client(table, dialect="flat").ask_batch([(f"s{n}", (choice(f"q{n}"),)) for n in range(150)])
    assert [list(reply.answers) for reply in replies if isinstance(reply, Reply)] == [[f"q{n}"] for n in range(150)]
    assert [len(json.loads(call.body)) for call in table.calls] == [64, 64, 22]
    assert {call.route for call in table.calls} == {"/v1/systemone/batch"}


@pytest.mark.parametrize("change", [lambda b: b[:-1], lambda b: [*b, b[0]], lambda b: {"0": b}, lambda b: b[0], bool])
def test_a_batch_answered_by_another_number_is_no_answer(change: Callable[[list[object]], object]) -> None:
    def answer(call: Call, body: object) -> object:
        found = answer_flat(call, body)
        assert isinstance(found, list)
        return change(found)

    replies = Client(Table(answer), dialect="flat").ask_batch([("s", (choice(),))] * 3)
    assert [getattr(reply, "code", None) for reply in replies] == ["PHOCINAE_BAD_RESPONSE"] * 3


def test_a_refused_batch_is_halved_until_the_item_at_fault_stands_alone() -> None:
    def answer(call: Call, body: object) -> object:
        items: list[dict[str, object]] = body if isinstance(body, list) else [body]  # type: ignore[list-item]
        if any(item["state"] == "bad" for item in items):
            return Response(422, "application/json", b'{"detail": "no"}')
        return answer_flat(call, body)

    states = ["a", "b", "bad", "c", "d"]
    replies = Client(Table(answer), dialect="flat").ask_batch([(state, (choice(),)) for state in states])
    assert [isinstance(reply, Reply) for reply in replies] == [True, True, False, True, True]


def test_a_bad_item_of_a_batch_is_not_sent_and_spoils_no_other() -> None:
    replies = Client(Table(answer_flat), dialect="flat").ask_batch([("s", (choice(),)), ("s", ()), ("s", (choice(),))])
    assert [getattr(reply, "code", "fine") for reply in replies] == ["fine", "PHOCINAE_INVALID_ARGUMENTS", "fine"]


def test_the_deadline_of_a_batch_grows_with_it() -> None:
    client = Client(Table(answer_flat), timeout_s=2)
    assert client.deadline(16).seconds == 16 * client.deadline().seconds


@pytest.mark.parametrize(("count", "orders"), [(1, 1), (2, 2), (3, 4), (4, 4), (255, 4)])
def test_the_orders_are_different_and_start_with_the_given_one(count: int, orders: int) -> None:
    found = permute.orders(count)
    assert len(set(found)) == len(found) == orders
    assert found[0] == tuple(range(count))
    assert all(sorted(order) == list(range(count)) for order in found)


def first_option(call: Call, body: dict[str, object]) -> object:
    """A model that likes whatever stands first."""
    questions = body["questions"]
    assert isinstance(questions, list)
    scores = {q["id"]: [0.6] + [0.4 / (len(q["options"]) - 1)] * (len(q["options"]) - 1) for q in questions}
    return {"model": "m", "answers": dict.fromkeys(scores, 0), "option_scores": scores, "usage": None}


def test_an_answer_that_hangs_on_the_order_is_found_out() -> None:
    reply = Client(Table(first_option), dialect="flat").ask("s", [choice("q", "a", "b", "c")], "compared")
    assert reply.answers["q"].flipped is True
    assert reply.answers["q"].confidence is not None
    assert reply.answers["q"].confidence < 0.6


def test_an_answer_that_stands_is_averaged_over_the_orders() -> None:
    def likes_b(call: Call, body: dict[str, object]) -> object:
        questions = body["questions"]
        assert isinstance(questions, list)
        rest = {q["id"]: 0.2 / (len(q["options"]) - 1) for q in questions}
        scores = {q["id"]: [0.8 if option == "b" else rest[q["id"]] for option in q["options"]] for q in questions}
        answers = {q["id"]: q["options"].index("b") for q in questions}
        return {"model": "m", "answers": answers, "option_scores": scores, "usage": None}

    asked = [choice("q", "a", "b", "c"), choice("z", "b", "y")]
    reply = Client(Table(likes_b), dialect="flat").ask("s", asked, "compared")
    assert list(reply.answers) == ["q", "z"]
    assert (reply.answers["q"].value, reply.answers["q"].flipped) == ("b", False)
    assert reply.answers["q"].scores == pytest.approx((0.1, 0.8, 0.1))


def test_the_gate_uses_the_permuting_route_of_a_flat_server() -> None:
    table = Table(answer_flat)
    Client(table, dialect="flat").ask("s", [choice()], "averaged")
    assert [call.route for call in table.calls] == ["/v1/systemone/permute"]


@pytest.mark.parametrize("status", [404, 405])
def test_a_server_without_that_route_is_asked_in_several_orders(status: int) -> None:
    def answer(call: Call, body: dict[str, object]) -> object:
        if call.route.endswith("/permute"):
            return Response(status, "application/json", b'{"detail": "Not Found"}')
        return answer_flat(call, body)

    table = Table(answer)
    Client(table, dialect="flat").ask("s", [choice("q", "a", "b", "c")], "averaged")
    assert [call.route for call in table.calls] == ["/v1/systemone/permute", "/v1/systemone"]
    assert len(table.bodies()[1]["questions"]) == 4  # type: ignore[arg-type]
