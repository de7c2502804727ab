"""The checker: the loop of analysis and facts, and what it makes of everything that can fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from phocinae_cli.app import ROUNDS, Checker, load_knowledge, own_shell
from phocinae_cli.core.queries import Facts, PathFact, Query
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.report import Report
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import ALLOW, ASK, DENY, HARMLESS
from phocinae_cli.errors import SERVICE_UNAVAILABLE, PhocinaeError
from phocinae_cli.gate.case import Case
from phocinae_cli.kb.lookup import Knowledge
from phocinae_cli.state.approvals import Approvals
from phocinae_cli.state.audit import Audit


class Scripted:
    """A judge that gives one answer, or dies of one error, and remembers how often it was asked."""

    def __init__(self, answer: Judgement | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, case: Case) -> Judgement:
        self.asked.append(case.request.text)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Shortsighted:
    """Looks at one thing a round, and remembers the rounds."""

    def __init__(self) -> None:
        self.rounds = 0

    def __call__(self, queries: tuple[Query, ...], facts: Facts) -> None:
        self.rounds += 1
        facts.looked = True
        for kind, argument in queries:
            if kind == "path" and argument not in facts.paths:
                facts.paths[argument] = PathFact("directory", argument)
                return


class BrokenKnowledge(Knowledge):
    """Fails as a fault of ours in the analysis would."""

    def __init__(self) -> None:
        super().__init__("")

    def find(self, name: str) -> None:
        raise KeyError(name)


SURE = Judgement(HARMLESS, 0.99)


def checker(judge: Scripted, **parts: object) -> Checker:
    made = Checker(Settings(), load_knowledge({}), judge, look=None, env={"HOME": "/home/ada", "USER": "ada"})
    for name, part in parts.items():
        setattr(made, name, part)
    return made


def vet(made: Checker, text: str = "frobnicate x") -> Report:
    return made.check(made.request(text, cwd="/srv/app"))


def test_a_sure_judge_allows() -> None:
    report = vet(checker(Scripted(SURE)))
    assert (report.verdict.decision, report.error) == (ALLOW, None)
    assert report.taken_ms > 0


@pytest.mark.parametrize(
    "error", [KeyError("x"), RecursionError(), MemoryError(), OSError("disk"), ValueError("é\udc80")]
)
def test_a_judge_that_dies_is_an_ask_with_an_error(error: Exception) -> None:
    report = vet(checker(Scripted(error)))
    assert (report.verdict.decision, report.verdict.reason) == (ASK, "internal-error")
    assert report.error is not None
    assert report.error[0] == "internal-error"
    assert type(error).__name__ in report.error[1]


def test_a_service_that_can_not_be_reached_says_so_with_its_code() -> None:
    error = PhocinaeError(SERVICE_UNAVAILABLE, "nothing listens on port 8155", "start it")
    settings = Settings()
    settings.backend = "service"
    report = vet(checker(Scripted(error), settings=settings))
    assert (report.verdict.decision, report.verdict.reason) == (ASK, "decision-service-unavailable")
    assert report.error == (SERVICE_UNAVAILABLE, "nothing listens on port 8155")


def test_a_fault_in_the_analysis_is_never_allowed() -> None:
    judge = Scripted(SURE)
    report = vet(checker(judge, knowledge=BrokenKnowledge()))
    assert (report.verdict.decision, report.verdict.reason) == (ASK, "internal-error")
    assert report.error == ("internal-error", "KeyError: 'frobnicate'")
    assert judge.asked == []


def test_a_look_that_dies_is_never_allowed() -> None:
    def look(queries: tuple[Query, ...], facts: Facts) -> None:
        raise OSError("the file system is gone")

    report = vet(checker(Scripted(SURE), look=look), "rm -rf a b c")
    assert (report.verdict.decision, report.verdict.reason) == (ASK, "internal-error")


def test_a_gate_that_is_off_stays_off_whatever_fails() -> None:
    settings = Settings()
    settings.gate_enabled = False
    assert vet(checker(Scripted(SURE), knowledge=BrokenKnowledge(), settings=settings)).verdict.decision == ALLOW


def test_the_machine_is_looked_at_until_nothing_is_asked_but_not_for_ever() -> None:
    look = Shortsighted()
    vet(checker(Scripted(SURE), look=look), "rm -rf a")
    assert 1 <= look.rounds <= ROUNDS
    few = look.rounds
    look = Shortsighted()
    vet(checker(Scripted(SURE), look=look), "rm -rf a b c d e f g h i j k l m n")
    assert few <= look.rounds == ROUNDS


def test_one_checker_serves_many_and_remembers_nothing() -> None:
    made = checker(Scripted(SURE))
    lines = ["ls", "rm -rf ~", "X=/etc", "rm -rf $X", "alias ls='rm -rf ~'", "ls", "cd /", "rm -rf etc"]
    first = [vet(made, line).verdict.decision for line in lines]
    assert [vet(made, line).verdict.decision for line in lines] == first
    assert first[:2] == [ALLOW, DENY]


def test_an_approval_opens_exactly_its_line_there(home: Path) -> None:
    approvals = Approvals(str(home / "approvals.jsonl"))
    approvals.approve("git push", "/srv/app")
    made = checker(Scripted(Judgement("risky", 0.9)), approvals=approvals)
    assert vet(made, "git push").verdict.reason == "approved"
    assert vet(made, "git push --force").verdict.decision == ASK
    assert made.check(made.request("git push", cwd="/srv")).verdict.decision == ASK


def test_a_one_time_approval_is_spent_by_the_line_that_passes_on_it_alone(home: Path) -> None:
    approvals = Approvals(str(home / "approvals.jsonl"))
    for line in ("git push", "ls", "rm -rf /"):
        approvals.approve(line, "/srv/app", uses=1)
    made = checker(Scripted(Judgement("risky", 0.9)), approvals=approvals)
    assert vet(made, "rm -rf /").verdict.reason == "never"
    assert vet(made, "ls").verdict.reason == "approved"
    assert vet(made, "ls").verdict.reason == "command-on-auto-allow-list"
    made.settings.gate_mode = "off"
    assert vet(made, "git push").verdict.reason == "gate-disabled"
    made.settings.gate_mode, made.spends = "harm", False
    assert vet(made, "git push").verdict.reason == "approved"
    made.spends = True
    assert [vet(made, "git push").verdict.reason for _ in range(2)] == ["approved", "model-called-it-risky"]
    assert [each.shown for each in approvals.listed()] == ["rm -rf /"]


class Raced(Approvals):
    """Another process spends the last use between our look and our spending."""

    def spend(self, text: str, cwd: str, now: float | None = None) -> bool:
        Approvals(self.path).remove(self.listed()[0].id)
        return super().spend(text, cwd, now)


def test_of_two_processes_that_saw_the_last_use_one_goes_without(home: Path) -> None:
    approvals = Raced(str(home / "approvals.jsonl"))
    approvals.approve("git push", "/srv/app", uses=1)
    made = checker(Scripted(Judgement("risky", 0.9)), approvals=approvals)
    assert vet(made, "git push").verdict.reason == "model-called-it-risky"


def test_a_person_can_vouch_for_a_program_nobody_described(home: Path) -> None:
    env = {"HOME": str(home)}
    made = Checker.from_environment(env, facts=False)
    assert made.approvals is not None

    def decided(line: str, audience: str = "person") -> str:
        return made.check(made.request(line, cwd="/srv/app", audience=audience)).verdict.decision

    assert decided("frobnicate x") == ASK
    made.approvals.approve_program("frobnicate")
    assert decided("frobnicate x") == ALLOW
    assert decided("frobnicate x", "agent") == ASK
    assert decided("sudo frobnicate x") == ASK
    assert decided("frobnicate x; other y") == ASK
    assert decided("frobnicate x > ~/.bashrc") == DENY
    assert decided("frobnicate x && rm -rf ~") == DENY


def test_every_verdict_is_kept_and_a_log_that_fails_is_told(home: Path) -> None:
    log = home / "audit.jsonl"
    made = checker(Scripted(SURE), audit=Audit(str(log)), notices=("from the configuration",))
    assert vet(made).notices == ("from the configuration",)
    assert vet(made, "rm -rf ~").verdict.decision == DENY
    assert log.read_text().count("\n") == 2
    made.audit = Audit(str(log / "below a file"))
    report = vet(made)
    assert report.verdict.decision == ALLOW
    assert len(report.notices) == 2


def test_a_request_is_filled_from_the_environment() -> None:
    made = checker(Scripted(SURE), env={"HOME": "/home/ada", "SHELL": "/bin/zsh", "A": "b"})
    request = made.request("ls\r\nrm x\r\n")
    assert (request.text, request.shell, request.home, request.user) == ("ls\nrm x", "zsh", "/home/ada", "ada")
    assert request.env["A"] == "b"
    assert request.cwd == os.getcwd()
    assert made.request("ls", cwd="sub/../x").cwd == os.path.join(os.getcwd(), "x")
    request.env["A"] = "changed"
    assert made.request("ls").env["A"] == "b"


@pytest.mark.parametrize("text", ["ls", "ls\n", "ls\r\n"])
def test_one_line_end_is_not_part_of_the_line(text: str) -> None:
    assert checker(Scripted(SURE)).request(text).text == "ls"


@pytest.mark.parametrize(
    ("value", "shell"),
    [
        ("", "bash"),
        ("/bin/zsh", "zsh"),
        ("fish", "fish"),
        ("/bin/ksh", "sh"),
        ("/opt/nu", "bash"),
        ("/x/pwsh", "powershell"),
    ],
)
def test_the_name_of_the_shell(value: str, shell: str) -> None:
    assert own_shell({"SHELL": value}) == shell


def test_own_entries_stand_in_front(home: Path) -> None:
    env = {"HOME": str(home)}
    made = Checker.from_environment(env, facts=False)
    assert vet(made).verdict.decision == ASK
    place = home / ".config" / "phocinae" / "kb"
    place.mkdir(parents=True)
    entry = place / "frobnicate.toml"
    entry.write_text('harmless = ["*"]\n')
    assert vet(Checker.from_environment(env, facts=False)).verdict.decision == ALLOW
    assert (home / ".cache" / "phocinae" / "kb-user.txt").exists()
    assert vet(Checker.from_environment(env, facts=False)).verdict.decision == ALLOW
    entry.write_text('risky = { "*" = "does things" }\n')
    assert vet(Checker.from_environment(env, facts=False)).verdict.decision == ASK
    entry.unlink()
    assert vet(Checker.from_environment(env, facts=False)).verdict.decision == ASK


def test_own_entries_need_no_cache(home: Path) -> None:
    place = home / ".config" / "phocinae" / "kb"
    place.mkdir(parents=True)
    (place / "frobnicate.toml").write_text('harmless = ["*"]\n')
    (home / "blocked").write_text("")
    env = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "blocked")}
    assert vet(Checker.from_environment(env, facts=False)).verdict.decision == ALLOW


def test_an_own_entry_at_fault_is_told_and_nothing_is_decided(home: Path) -> None:
    place = home / ".config" / "phocinae" / "kb"
    place.mkdir(parents=True)
    (place / "frobnicate.toml").write_text("harmles = []\n")
    with pytest.raises(PhocinaeError) as caught:
        Checker.from_environment({"HOME": str(home)})
    assert any("harmles" in detail for detail in caught.value.details)


def test_an_own_entry_that_contradicts_its_example_is_refused_with_both_shown(home: Path) -> None:
    place = home / ".config" / "phocinae" / "kb"
    place.mkdir(parents=True)
    text = """
[[behaviour]]
id = "frobnicate.wipe"
when = "wipe"
effects = [{ kind = "destroy", target = "=disks" }]
why = "wipes it"
match = ["frobnicate wipe x", "frobnicate clear x"]
no_match = ["frobnicate show"]
"""
    (place / "frobnicate.toml").write_text(text)
    with pytest.raises(PhocinaeError) as caught:
        Checker.from_environment({"HOME": str(home)})
    assert ["frobnicate clear x" in detail and "frobnicate.wipe" in detail for detail in caught.value.details] == [True]
    (place / "frobnicate.toml").write_text(text.replace(', "frobnicate clear x"', ""))
    made = Checker.from_environment({"HOME": str(home)}, facts=False)
    assert vet(made, "sudo frobnicate wipe x").verdict.decision == DENY


def test_flags_outrank_the_environment(home: Path) -> None:
    env = {"HOME": str(home), "PHOCINAE_GATE_MODE": "harm"}
    made = Checker.from_environment(env, {"gate.mode": "off"}, facts=False)
    assert vet(made, "rm -rf ~").verdict.reason == "gate-disabled"
