"""Every documented key, set alone in the user's file, changes the outcome that it is said to change."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as HttpRequest
from werkzeug import Response

from phocinae_cli.app import Checker
from phocinae_cli.backends.result import bars
from phocinae_cli.config.keys import KEYS
from phocinae_cli.config.load import load
from phocinae_cli.core.report import Report
from phocinae_cli.errors import PhocinaeError

MODEL = "Phocinae-Largha-150M-v1"
ROUTE = "/v1/systemone"
SERVICE = 'backend = "service"\ndialect = "flat"\n'

Outcome = Callable[[Report], object]


class Service:
    """A decision service with one opinion: an index of the options (or a yes/no) and how sure it is of it."""

    def __init__(self) -> None:
        self.answer: int | bool = 0
        self.sure = 0.9
        self.delay_s = 0.0

    def __call__(self, request: HttpRequest) -> Response:
        time.sleep(self.delay_s)
        body = json.loads(request.data)
        if body["model"] != MODEL or not isinstance(body["questions"], list):
            return Response('{"detail": "no"}', 422, content_type="application/json")
        question = body["questions"][0]
        answer: int | bool = self.answer
        if question["type"] == "noul":
            answer = self.sure >= question["threshold"]
            scores = [round(1 - self.sure, 4), self.sure]
        else:
            scores = [round((1 - self.sure) / 2, 4)] * 3
            scores[int(answer)] = self.sure
            if request.path.endswith("/permute"):  # seen in any order, this one looks worse
                answer, scores = 2, [0.05, 0.05, 0.9]
        reply = {
            "model": MODEL, "answers": {question["id"]: answer}, "usage": {"input_tokens": 60, "output_tokens": 0},
            "answer_confidence": {question["id"]: max(scores)}, "option_scores": {question["id"]: scores},
        }  # fmt: skip
        return Response(json.dumps(reply), content_type="application/json")


@pytest.fixture
def service(httpserver: HTTPServer) -> Service:
    made = Service()
    for route in (ROUTE, ROUTE + "/permute"):
        httpserver.expect_request(route).respond_with_handler(made)
    return made


def decision(report: Report) -> object:
    return report.verdict.decision


def escalate(report: Report) -> object:
    return report.verdict.escalate


def note(report: Report) -> object:
    return bool(report.verdict.note)


# key: (what stands in the file already, what is added, the line, who asks, what is looked at, before, after).
# SERVICE stands for a service that calls everything harmless with 0.9.
ROWS: dict[str, tuple[str, str, str, str, Outcome, object, object]] = {
    "backend": ("", SERVICE, "git push", "agent", decision, "ask", "allow"),
    "endpoint": (SERVICE, 'endpoint = "http://127.0.0.1:1/v1"', "git push", "agent", decision, "allow", "ask"),
    "model": (SERVICE, 'model = "other"', "git push", "agent", decision, "allow", "ask"),
    "max_state_chars": (SERVICE, "max_state_chars = 60", "git push " + "x" * 60, "agent", decision, "allow", "ask"),
    "permute_choice": (SERVICE, "permute_choice = true", "git push", "agent", decision, "allow", "deny"),
    "escalate_at": ("", "escalate_at = 1.0", "mkdir x", "agent", escalate, False, True),
    "escalate_at_choice": (SERVICE, "escalate_at_choice = 0.95", "git push", "agent", escalate, False, True),
    "escalate_at_noul": (
        SERVICE + 'gate.mode = "noul"\n', "escalate_at_noul = 0.95", "git push", "agent", escalate, False, True,
    ),
    "gate.enabled": ("", "gate.enabled = false", "rm -rf ~/work", "agent", decision, "deny", "allow"),
    "gate.mode": ("", 'gate.mode = "off"', "rm -rf ~/work", "agent", decision, "deny", "allow"),
    "gate.min_confidence": ("", "gate.min_confidence = 1.0", "mkdir x", "agent", decision, "allow", "ask"),
    "gate.threshold": (
        SERVICE + 'gate.mode = "noul"\n', "gate.threshold = 0.95", "git push", "agent", decision, "allow", "ask",
    ),
    "gate.tools": ("", 'gate.tools = ["other"]', "git push", "agent", decision, "ask", "allow"),
    "gate.fail_mode": (
        SERVICE + 'endpoint = "http://127.0.0.1:1/v1"\n', 'gate.fail_mode = "open"',
        "git push", "agent", decision, "ask", "allow",
    ),
    "gate.auto_allow": ("", 'gate.auto_allow = ["mytool frob"]', "mytool frob x", "agent", decision, "ask", "allow"),
    "gate.auto_allow_exact": ("", 'gate.auto_allow_exact = ["mytool"]', "mytool", "agent", decision, "ask", "allow"),
    "gate.person_asks": (
        "", 'gate.person_asks = "risky"', "chmod 600 notes.txt", "person", decision, "allow", "ask",
    ),
    "gate.person_notes": (
        "", "gate.person_notes = false", "chmod 600 notes.txt", "person", note, True, False,
    ),
}  # fmt: skip


def check(home: Path, text: str, line: str, audience: str = "agent") -> Report:
    """Return the report on a line with this text as the user's file."""
    file = home / ".config/phocinae/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    checker = Checker.from_environment(env, cwd=str(home / "project"), facts=False)
    return checker.check(checker.request(line, shell="bash", cwd=str(home / "project"), audience=audience))


def toml(parts: str, port: int) -> str:
    """Return the lines with the service's address where it is used and no other is named."""
    needs = "service" in parts and "endpoint" not in parts
    return (f'endpoint = "http://127.0.0.1:{port}{ROUTE}"\n' if needs else "") + parts


@pytest.mark.parametrize("key", ROWS)
def test_a_key_changes_the_verdict(key: str, home: Path, service: Service, httpserver: HTTPServer) -> None:
    base, added, line, audience, outcome, before, after = ROWS[key]
    assert outcome(check(home, toml(base, httpserver.port), line, audience)) == before
    assert outcome(check(home, toml(base + "\n" + added, httpserver.port), line, audience)) == after


def test_the_deadline_is_followed(home: Path, service: Service, httpserver: HTTPServer) -> None:
    service.delay_s = 0.5
    base = toml(SERVICE, httpserver.port)
    assert decision(check(home, base, "git push")) == "allow"
    assert decision(check(home, base + "timeout_ms = 50\n", "git push")) == "ask"


def test_the_dialect_is_followed(home: Path, service: Service, httpserver: HTTPServer) -> None:
    base = toml(SERVICE, httpserver.port)
    assert decision(check(home, base, "git push")) == "allow"
    assert decision(check(home, base.replace("flat", "typed"), "git push")) == "ask"


def test_the_risky_decision_is_followed(home: Path, service: Service, httpserver: HTTPServer) -> None:
    service.sure = 0.1
    base = toml(SERVICE, httpserver.port) + '[gate]\nmode = "noul"\n'
    assert decision(check(home, base, "mkdir x")) == "deny"
    assert decision(check(home, base + 'risky_decision = "ask"\n', "mkdir x")) == "ask"


def test_a_remote_address_needs_leave(home: Path) -> None:
    base = SERVICE + 'endpoint = "http://192.0.2.1:9/v1"\ntimeout_ms = 1\n'
    with pytest.raises(PhocinaeError):
        check(home, base, "mkdir x")
    assert decision(check(home, base + "allow_remote_endpoint = true\n", "mkdir x")) == "ask"


def test_the_audit_log_is_kept_unless_it_is_switched_off(home: Path) -> None:
    log = home / ".local/state/phocinae/audit.jsonl"
    check(home, "[gate]\naudit = false\n", "git push")
    assert not log.exists()
    check(home, "", "git push")
    assert log.exists()


def test_ratings_have_a_bar_of_their_own(home: Path) -> None:
    env = {"HOME": str(home), "PHOCINAE_ESCALATE_AT_SCORE": "0.25"}
    own = bars(load(env, str(home)).settings)
    assert (own.score, own.choice) == (0.25, 0.6)


OTHERWISE = {"timeout_ms", "dialect", "gate.risky_decision", "allow_remote_endpoint", "gate.audit", "escalate_at_score"}


def test_no_key_is_left_out() -> None:
    assert set(ROWS) | OTHERWISE == {key.name for key in KEYS}


def test_rules_change_verdicts(home: Path) -> None:
    for word, line, before, after in (
        ("deny", "ls", "allow", "deny"), ("ask", "ls", "allow", "ask"), ("allow", "git push", "ask", "allow"),
    ):  # fmt: skip
        assert decision(check(home, "", line)) == before
        rule = f'[[rules]]\ndecision = "{word}"\nprogram = "{line.split()[0]}"\n'
        assert decision(check(home, rule, line)) == after
