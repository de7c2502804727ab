"""Laws: no body whatever becomes a pass unless it is a complete answer, and reading one never fails otherwise."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from phocinae_cli.backends import formulation, wire
from phocinae_cli.backends.client import Client
from phocinae_cli.backends.loopback import Deadline
from phocinae_cli.backends.question import CHOICE, NOUL, Question
from phocinae_cli.backends.service import judge
from phocinae_cli.backends.statetext import as_text, cut, field, neutral
from phocinae_cli.backends.systemone import Call, Response
from phocinae_cli.core.verdict import Verdict
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.gate.decide import decide
from tests.backends.servers import IDS, case_for, flat_body, settings_for, typed_body

LEAVES = (
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text(max_size=6)
    | st.sampled_from([0, 1, 2, 0.9, 1.0, "harmless", "allow", True, [], {}, "", "0"])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["harm", "action", "harmless", "x"])
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.just("m") | VALUES,
        "answers": st.dictionaries(NAMES, LEAVES, max_size=2) | VALUES,
        "answer_confidence": st.dictionaries(NAMES, LEAVES, max_size=2) | VALUES,
        "option_scores": st.dictionaries(NAMES, st.lists(st.floats(0, 1) | LEAVES, max_size=3), max_size=2) | VALUES,
        "usage": st.just({"input_tokens": 9, "output_tokens": 0}) | VALUES,
    },
)


def verdict_on(data: bytes, mode: str, dialect: str) -> Verdict:
    config = settings_for("http://127.0.0.1:1", gate_mode=mode)

    def exchange(call: Call, deadline: Deadline) -> Response:
        return Response(200, "application/json", data)

    client = Client(exchange, dialect=dialect)
    return decide(case_for("frobnicate", config), lambda case: judge(client, case))


def may_pass(body: Any, mode: str, dialect: str) -> bool:
    """Return, written independently of the reader, whether a body is a confident claim of harmless."""
    name = IDS[mode]
    if not isinstance(body, dict) or not isinstance(body.get("answers"), dict) or list(body["answers"]) != [name]:
        return False
    answer = body["answers"][name]
    if dialect == "typed":
        if not isinstance(answer, dict):
            return False
        return answer.get("choice") in ("harmless", "allow") or type(answer.get("noul")) in (int, float)
    if answer is not True if mode == "noul" else (type(answer) is not int or answer != 0):
        return False
    scores, confidence = body.get("option_scores"), body.get("answer_confidence")
    return any(isinstance(known, dict) and known.get(name) is not None for known in (scores, confidence))


@settings(max_examples=250)
@given(body=FIELDS | VALUES, mode=st.sampled_from(list(IDS)), dialect=st.sampled_from(["flat", "typed"]))
def test_a_random_body_never_passes_unless_it_claims_harmless(body: object, mode: str, dialect: str) -> None:
    verdict = verdict_on(json.dumps(body).encode(), mode, dialect)
    assert verdict.decision != "allow" or may_pass(body, mode, dialect)


@settings(max_examples=150)
@given(data=st.data(), dialect=st.sampled_from(["flat", "typed"]))
def test_a_good_body_with_one_part_replaced_never_passes_by_accident(data: st.DataObject, dialect: str) -> None:
    body: Any = flat_body() if dialect == "flat" else typed_body()
    spot = data.draw(st.sampled_from(sorted(body)))
    new = data.draw(VALUES)
    inner = body[spot]
    if isinstance(inner, dict) and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(inner)))
        inner[key] = new
    else:
        body[spot] = new
    verdict = verdict_on(json.dumps(body).encode(), "harm", dialect)
    assert verdict.decision != "allow" or may_pass(body, "harm", dialect)


@settings(max_examples=120)
@given(cut_at=st.integers(0, 400), junk=st.binary(max_size=12))
def test_a_good_body_cut_or_overwritten_never_passes(cut_at: int, junk: bytes) -> None:
    whole = json.dumps(flat_body()).encode()
    data = whole[:cut_at] + junk
    if data.strip() != whole:
        verdict = verdict_on(data, "harm", "flat")
        assert verdict.decision == "ask"


@settings(max_examples=120)
@given(data=st.binary(max_size=200), dialect=st.sampled_from(["flat", "typed"]))
def test_reading_raises_nothing_but_our_own_error(data: bytes, dialect: str) -> None:
    query: wire.Query = ("s", (formulation.question("harm", 0.8),))
    errors: list[PhocinaeError] = []
    for read in (lambda: [wire.read(dialect, data, query, "m")], lambda: wire.read_batch(dialect, data, [query], "m")):
        try:
            errors += [found for found in read() if isinstance(found, PhocinaeError)]
        except PhocinaeError as error:
            errors.append(error)
    assert {error.code for error in errors} <= {"PHOCINAE_BAD_RESPONSE"}
    assert all(error.message.isprintable() for error in errors)
    assert wire.fault(data).isprintable()


@given(p=st.floats(0, 1), threshold=st.floats(0, 1))
def test_a_flat_yes_or_no_has_the_probability_of_the_side_given(p: float, threshold: float) -> None:
    given_yes = p >= threshold
    body = {"model": "m", "answers": {"q": given_yes}, "option_scores": {"q": [1 - p, p]}}
    reply = wire.read("flat", json.dumps(body).encode(), ("s", (Question("q", NOUL, threshold=threshold),)), "m")
    confidence = reply.answers["q"].confidence
    assert confidence is not None
    assert math.isclose(confidence, p if given_yes else 1 - p, abs_tol=1e-9)


@given(
    text=st.text(alphabet=st.characters() | st.sampled_from("<>[]|/\n\r\0"), max_size=120), limit=st.integers(0, 150)
)
def test_the_state_that_is_sent_is_tame(text: str, limit: int) -> None:
    entry = neutral(field("input", text))
    assert all(char.isprintable() or char in "\n\t" for char in entry)
    assert all(line.startswith("  ") for line in entry.split("\n")[1:])
    assert not any(marker in entry for marker in ("<eos>", "<bos>", "<pad>", "<unk>", "<mask>"))
    assert neutral(entry) == entry
    entry.encode("utf-8")
    _, lost = cut(entry, limit)
    assert lost == (len(entry) > limit)


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8), min_size=1, max_size=20, unique=True))
def test_options_go_out_and_come_back_in_their_order(options: list[str]) -> None:
    question = Question("q", CHOICE, tuple(options))
    for place, option in enumerate(options):
        body = {"model": "m", "answers": {"q": place}}
        reply = wire.read("flat", json.dumps(body).encode(), ("s", (question,)), "m")
        assert reply.answers["q"].value == option
    assert as_text({"a": [1]}) == '{"a": [1]}'
