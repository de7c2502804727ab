"""The order of the gate, stage by stage."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.core import reasons
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Rule, Settings
from phocinae_cli.core.verdict import ALLOW, ASK, DECISION_RANK, DENY, Verdict
from phocinae_cli.gate.case import Case
from phocinae_cli.gate.consult import strictest
from phocinae_cli.gate.decide import decide
from phocinae_cli.gate.stages import STAGES
from tests.gate.fakes import (
    Scripted,
    action,
    analysis,
    case,
    destructive,
    effect,
    harmless,
    risky,
    settings,
)

DENY_RM = Rule("deny", "rm")
ASK_RM = Rule("ask", "rm")
ALLOW_RM = Rule("allow", "rm")
RM = action("rm notes.txt")
RM_ROOT = action("rm -rf /")
ROOT_GONE = analysis(RM_ROOT, effects=(effect(RM_ROOT, "delete", "/", "root", "/"),))


def no_tool(request: Request) -> None:
    request.tool = " "


def other_tool(request: Request) -> None:
    request.tool = "Read"


def test_the_order_is_that_of_the_documentation() -> None:
    assert [stage.__name__ for stage in STAGES] == [
        "off", "tool_missing", "tool_not_gated", "unreadable", "nothing_to_run", "user_deny", "never", "approved",
        "user_ask", "auto_allow", "user_allow", "consult",
    ]  # fmt: skip


# Each row would be answered otherwise by every stage below the one it names.
ROWS: list[tuple[str, Case, Judgement, str, str, int]] = [
    ("off", case(ROOT_GONE, settings(DENY_RM, gate_enabled=False)), destructive(), ALLOW, reasons.GATE_DISABLED, 0),
    ("mode off", case(ROOT_GONE, settings(DENY_RM, gate_mode="off")), destructive(), ALLOW, reasons.GATE_DISABLED, 0),
    ("no tool", case(ROOT_GONE, settings(DENY_RM), change=no_tool), harmless(), ASK, reasons.TOOL_NAME_MISSING, 0),
    (
        "other tool", case(ROOT_GONE, settings(DENY_RM, gate_tools=("bash", "shell*")), change=other_tool),
        destructive(), ALLOW, reasons.TOOL_NOT_GATED, 0,
    ),
    (
        "unreadable", case(Analysis(unreadable="it is too long"), settings(DENY_RM), approved=True), harmless(),
        ASK, reasons.LINE_NOT_READABLE, 0,
    ),
    ("deny rule", case(ROOT_GONE, settings(DENY_RM), approved=True), harmless(), DENY, reasons.DENIED_BY_RULE, 0),
    (
        "never", case(ROOT_GONE, settings(ALLOW_RM, gate_auto_allow=("rm",)), approved=True), harmless(),
        DENY, reasons.NEVER, 0,
    ),
    ("approved", case(analysis(RM), settings(ASK_RM), approved=True), destructive(), ALLOW, reasons.APPROVED, 0),
    (
        "ask rule", case(analysis(RM), settings(ASK_RM, ALLOW_RM, gate_auto_allow=("rm",))), harmless(),
        ASK, reasons.ASKED_BY_RULE, 1,
    ),
    ("auto-allow", case("git status", settings(Rule("allow", "git"))), risky(), ALLOW, reasons.ON_AUTO_ALLOW_LIST, 0),
    ("allow rule", case(analysis(RM), settings(ALLOW_RM)), destructive(), ALLOW, reasons.ALLOWED_BY_RULE, 0),
    ("destructive", case("rm notes.txt"), destructive(), DENY, reasons.CALLED_DESTRUCTIVE, 1),
    ("risky", case("rm notes.txt"), risky(), ASK, reasons.CALLED_RISKY, 1),
    ("harmless", case("rm notes.txt"), harmless(), ALLOW, reasons.CALLED_HARMLESS, 1),
    ("unsure", case("rm notes.txt"), harmless(0.44), ASK, reasons.CONFIDENCE_BELOW_THRESHOLD, 1),
    ("no claim", case("rm notes.txt"), Judgement(None, 0.99), ASK, reasons.CONFIDENCE_BELOW_THRESHOLD, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("of", "judgement", "decision", "reason", "asked"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_the_first_stage_that_answers_wins(
    of: Case, judgement: Judgement, decision: str, reason: str, asked: int
) -> None:
    ask = Scripted(judgement)
    verdict = decide(of, ask)
    assert (verdict.decision, verdict.reason, len(ask.asked)) == (decision, reason, asked)
    assert verdict.message


def test_the_trail_lists_the_stages_up_to_the_answer() -> None:
    verdict = decide(case(analysis(RM), settings(DENY_RM)), Scripted())
    assert verdict.trail == ("off", "tool_missing", "tool_not_gated", "unreadable", "nothing_to_run", "user_deny")
    assert decide(case("rm notes.txt"), Scripted()).trail == tuple(stage.__name__ for stage in STAGES)


def test_an_ask_rule_does_not_soften_what_the_judge_denies() -> None:
    verdict = decide(case(analysis(RM), settings(ASK_RM)), Scripted(destructive()))
    assert (verdict.decision, verdict.reason) == (DENY, reasons.CALLED_DESTRUCTIVE)


def test_an_ask_rule_asks_a_person_too() -> None:
    verdict = decide(case(analysis(RM), settings(ASK_RM), audience="person"), Scripted(harmless()))
    assert (verdict.decision, verdict.note) == (ASK, "")


def test_a_rule_is_named_in_the_message_with_its_reason_and_file() -> None:
    rule = Rule("deny", "rm", reason="use trash instead", origin="/home/user/.config/phocinae/config.toml")
    verdict = decide(case(analysis(RM), settings(rule)), Scripted())
    assert verdict.message.endswith("use trash instead (/home/user/.config/phocinae/config.toml)")


def test_the_never_list_says_what_it_found() -> None:
    verdict = decide(case(ROOT_GONE), Scripted())
    assert [(found.effect, found.target, found.harm) for found in verdict.findings] == [("delete", "/", "destructive")]
    assert verdict.findings[0].why


@pytest.mark.parametrize("tool", ["bash", "BASH", "Bash(zsh)", "run_shell"])
def test_tools_are_held_against_globs_without_case(tool: str) -> None:
    def change(request: Request) -> None:
        request.tool = tool

    of = case("rm notes.txt", settings(gate_tools=("bash*", "*_SHELL")), change=change)
    assert decide(of, Scripted(risky())).reason == reasons.CALLED_RISKY


@pytest.mark.parametrize("text", ["", " \t\n", "# a comment", "  # one\n\n# two\n"])
def test_a_line_with_nothing_to_run_is_allowed(text: str) -> None:
    ask = Scripted(destructive())
    verdict = decide(Case(Request(text), Settings(), Analysis()), ask)
    assert (verdict.decision, verdict.reason, ask.asked) == (ALLOW, reasons.CALLED_HARMLESS, [])


@pytest.mark.parametrize("shell", ["bash", "zsh", "sh", "fish", "powershell"])
def test_a_comment_is_nothing_to_run_in_every_shell_that_has_them(shell: str) -> None:
    request = Request("# a; rm -rf ~", shell=shell)
    assert decide(Case(request, Settings(), Analysis()), Scripted(destructive())).decision == ALLOW


@pytest.mark.parametrize(
    ("text", "shell", "comments"),
    [
        ("# a; rm -rf ~", "zsh", False),
        ("# a; rm -rf ~", "bash", False),
        ("# & del x", "cmd", True),
        ("x=1", "bash", True),
    ],
)
def test_what_only_looks_empty_goes_to_the_judge(text: str, shell: str, comments: bool) -> None:
    ask = Scripted(risky())
    request = Request(text, shell=shell, comments=comments)
    assert decide(Case(request, Settings(), Analysis()), ask).decision == ASK
    assert len(ask.asked) == 1


def test_a_comment_with_a_fault_is_not_nothing() -> None:
    verdict = decide(Case(Request("# x"), Settings(), Analysis(fault="odd")), Scripted())
    assert verdict.decision == ASK


def verdicts() -> st.SearchStrategy[Verdict]:
    return st.builds(Verdict, st.sampled_from([ALLOW, ASK, DENY]), st.just(reasons.CALLED_RISKY))


@given(st.lists(verdicts(), min_size=1), verdicts())
def test_one_more_verdict_never_loosens_the_line(seen: list[Verdict], extra: Verdict) -> None:
    rank = DECISION_RANK
    assert rank[strictest([*seen, extra]).decision] >= rank[strictest(seen).decision]


def test_of_equals_the_first_is_kept_and_no_verdict_at_all_asks() -> None:
    first, second = Verdict(ASK, "a"), Verdict(ASK, "b")
    assert strictest([Verdict(ALLOW, "c"), first, second]) is first
    assert strictest([]).decision == ASK


def test_every_reason_has_a_sentence() -> None:
    seen = {decide(of, Scripted(judgement)).reason for _, of, judgement, _, _, _ in ROWS}
    assert seen <= set(reasons.MESSAGES)


def test_no_combination_of_rule_list_and_approval_opens_the_never_list() -> None:
    rules = (ALLOW_RM, Rule("allow", "*"), Rule("allow", "", words=("rm", "-rf", "/")))
    for chosen, approved, audience in itertools.product(rules, (True, False), ("agent", "ci", "person")):
        of = case(
            ROOT_GONE,
            settings(chosen, gate_auto_allow=("rm",), gate_auto_allow_exact=("rm -rf /",)),
            audience,
            approved,
        )
        assert decide(of, Scripted(harmless())).decision == DENY
