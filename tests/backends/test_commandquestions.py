"""What counts as a question about a command, and which command it is about."""

from __future__ import annotations

import pytest

from phocinae_cli.backends.commandquestions import Line, answer
from phocinae_cli.backends.question import CHOICE, NOUL, SCORE, Question
from phocinae_cli.core.verdict import Verdict

HARM = Question("q", CHOICE, ("harmless", "risky", "destructive"))
SAFE = Question("q", NOUL, instructions="Is this command safe?")


class Vetted:
    """Calls every command destructive, and remembers which ones it was shown."""

    def __init__(self, harm: str | None = "destructive", confidence: float = 0.9) -> None:
        self.lines: list[Line] = []
        self._harm, self._confidence = harm, confidence

    def __call__(self, line: Line) -> Verdict:
        self.lines.append(line)
        decision = {"harmless": "allow", "risky": "ask", "destructive": "deny"}.get(self._harm or "", "ask")
        kind = "calibrated" if self._harm else "none"
        return Verdict(decision, "r", harm=self._harm, confidence=self._confidence, confidence_kind=kind)


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("rm -rf /", Line("rm -rf /")),
        ("How bad?\nrm -rf /", Line("rm -rf /")),
        ("How bad?\ntool: bash\ncwd: /srv\ninput: rm -rf /", Line("rm -rf /", "/srv")),
        ("tool: bash\ninput: for x in a\n  do rm $x\n  done\nruns: rm a", Line("for x in a\ndo rm $x\ndone")),
        ("command: rm -rf /\necho two", Line("rm -rf /\necho two")),
        ("command: echo\n  tool: other\nshell: zsh", Line("echo\ntool: other", None, "zsh")),
        ('{"command": "rm -rf /", "cwd": "/srv"}', Line("rm -rf /", "/srv")),
        ({"command": "rm -rf /"}, Line("rm -rf /")),
        ({"tool": "bash", "input": "rm -rf /"}, Line("rm -rf /")),
        ({"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "cwd": "/srv"}, Line("rm -rf /", "/srv")),
        ({"tool": "bash", "input": {"command": "rm -rf /"}}, Line("rm -rf /")),
    ],
)
def test_the_command_is_found_in_the_state(state: object, line: Line) -> None:
    vetted = Vetted()
    assert answer(HARM, state, vetted).value == "destructive"
    assert vetted.lines == [line]


@pytest.mark.parametrize(
    "state",
    [
        {"input": "rm -rf /"},  # nothing says that it is a command
        {"text": "rm -rf /"},
        {"command": ["rm", "-rf"]},
        {"command": ""},
        {"a": {"b": {"c": {"d": {"command": "rm"}}}}},
        ["rm -rf /"],
        "",
        "   ",
        "command: ",
        '{"not json',
    ],
)
def test_where_there_is_no_command_nothing_is_answered(state: object) -> None:
    vetted = Vetted()
    found = answer(Question("q", CHOICE, ("allow", "ask", "deny")), state, vetted)
    assert (found.value, found.confidence, found.scores) == (None, 0.0, None)
    assert vetted.lines == []


@pytest.mark.parametrize(
    "question",
    [
        Question("q", CHOICE, ("cat", "dog")),
        Question("q", CHOICE, ("harmless", "allow")),
        Question("q", CHOICE, ("safe", "harmless")),
        Question("q", CHOICE, ("harmless",)),
        Question("harmless", NOUL),
        Question("q", NOUL, instructions="Is it not harmless?"),
        Question("q", NOUL, instructions="Isn't it dangerous?"),
        Question("q", NOUL, instructions="Is it safe or dangerous?"),
        Question("q", NOUL, instructions="Does it print something?"),
        Question("q", SCORE, instructions="How long does it take?"),
    ],
)
def test_a_question_that_is_not_about_harm_is_left_open(question: Question) -> None:
    vetted = Vetted()
    assert answer(question, "command: rm -rf /", vetted).value is None
    assert vetted.lines == []


@pytest.mark.parametrize(
    ("harm", "expected"), [("harmless", (True, 2, 0)), ("risky", (False, 6, 1)), ("destructive", (False, 10, 2))]
)
def test_the_three_types_agree(harm: str, expected: tuple[bool, int, int]) -> None:
    state = "command: x"
    levels = Question("q", SCORE, instructions="How dangerous is it?", levels=("not", "some", "very"))
    rated = Question("q", SCORE, instructions="How dangerous is it?")
    vetted = Vetted(harm)
    found = (answer(SAFE, state, vetted), answer(rated, state, vetted), answer(levels, state, vetted))
    assert tuple(each.value for each in found) == expected
    assert min(each.confidence or 0 for each in found) >= 0.9 - 1e-9


def test_what_the_engine_is_not_sure_of_has_no_confidence_in_it() -> None:
    found = answer(HARM, "command: x", Vetted(None, 0.0))
    assert found.value == "risky", "the verdict's own level"
    assert found.confidence == pytest.approx(1 / 3)


def test_a_decision_is_that_of_the_gate_and_not_of_the_harm() -> None:
    def unsure(line: Line) -> Verdict:
        return Verdict("ask", "r", harm="harmless", confidence=0.4, confidence_kind="calibrated")

    assert answer(Question("q", CHOICE, ("allow", "ask", "deny")), "command: x", unsure).value == "ask"
    assert answer(HARM, "command: x", unsure).value == "harmless"
