from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from phocinae_cli.cli.group import build
from phocinae_cli.cli.log import parse_since
from phocinae_cli.cli.stats import percentile
from phocinae_cli.core.report import Report
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import Finding, Verdict
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.state.audit import Audit, timestamp

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def log(home: Path) -> Path:
    return home / ".local" / "state" / "phocinae" / "audit.jsonl"


def add(log: Path, text: str, decision: str = "allow", *codes: str, taken_ms: float = 1.0) -> None:
    findings = tuple(Finding(code, "delete", "x", "risky", "why") for code in codes)
    reason = {"allow": "model-called-it-harmless", "ask": "model-called-it-risky", "deny": "never"}[decision]
    done = Report(Request(text, cwd="/srv"), Verdict(decision, reason, findings=findings), taken_ms=taken_ms)
    assert Audit(str(log)).append(done) is None


def call(module: str, *argv: str) -> int:
    return int(build(module, module, "").main(args=list(argv), prog_name=module, standalone_mode=False) or 0)


def test_the_last_entries_are_shown_with_their_reasons(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(30):
        add(log, f"ls {number}")
    add(log, "rm -rf /\n\x1b[31m --password=hunter2", "deny", "rm.root", "rm.more")
    assert call("log") == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 20
    assert out[0].endswith("allow  ls 11  [model-called-it-harmless]")
    assert out[-1].endswith("deny   rm -rf /\\n\\x1b[31m --password=***  [rm.root, rm.more]")
    assert time.strftime("%Y-%m-%d") in out[-1]
    call("log", "-n", "0")
    assert len(capsys.readouterr().out.splitlines()) == 31


def test_entries_can_be_picked_by_decision_and_time(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.parent.mkdir(parents=True)
    rows = [{"ts": timestamp(time.time() - 7200), "decision": "deny", "text": "old"}]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    add(log, "new", "deny")
    add(log, "other", "ask")
    call("log", "--decision", "deny", "--json")
    assert [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()] == ["old", "new"]
    call("log", "--since", "1h", "--json")
    assert [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()] == ["new", "other"]


def test_no_log_and_no_match_are_said_on_stderr(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for module in ("log", "stats"):
        assert call(module) == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "no such entry" in captured.err


def test_a_torn_line_and_odd_fields_do_not_end_the_list(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(log, "one")
    odd: list[Any] = [{"ts": 5, "text": ["x"], "codes": "y", "taken_ms": "z"}, {}, [], "text", {"ts": "9999-99"}]
    with log.open("a") as file:
        file.write("".join(json.dumps(each) + "\n" for each in odd) + '{"ts": "20')
    add(log, "two")
    for module in ("log", "stats"):
        assert call(module) == 0
        captured = capsys.readouterr()
        assert "3 lines" in captured.err
        assert captured.out
    call("stats", "--json")
    assert json.loads(capsys.readouterr().out)["count"] == 5


@pytest.mark.parametrize(
    "argv", [("--decision", "maybe"), ("--since", "soon"), ("--since", "9" * 40 + "d"), ("--since", "d")]
)
def test_what_makes_no_sense_is_refused(log: Path, argv: tuple[str, ...]) -> None:
    with pytest.raises(PhocinaeError) as caught:
        call("log", *argv)
    assert caught.value.code == INVALID_ARGUMENTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30m", "2026-05-01T11:30:00.000Z"),
        ("2h", "2026-05-01T10:00:00.000Z"),
        ("7d", "2026-04-24T12:00:00.000Z"),
        ("2w", "2026-04-17T12:00:00.000Z"),
        ("0s", "2026-05-01T12:00:00.000Z"),
        ("2026-04-30T23:00:00+02:00", "2026-04-30T21:00:00.000Z"),
        ("2026-04-30T23:00:00.5Z", "2026-04-30T23:00:00.500Z"),
    ],
)
def test_times_to_start_from(text: str, expected: str) -> None:
    assert parse_since(text, NOW) == expected


def test_a_date_is_meant_as_it_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert parse_since("2026-05-01", NOW) == "2026-04-30T15:00:00.000Z"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_totals(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(1, 19):
        add(log, "ls", taken_ms=number)
    add(log, "git push", "ask", "git.push", taken_ms=19)
    add(log, "rm -rf /", "deny", "rm.root", "git.push", taken_ms=1000)
    call("stats", "--json")
    totals = json.loads(capsys.readouterr().out)
    assert totals.pop("first") <= totals.pop("last")
    assert totals == {
        "schema": 1,
        "count": 20,
        "decisions": {"allow": 18, "ask": 1, "deny": 1},
        "audiences": {"agent": 20},
        "reasons": {"model-called-it-harmless": 18, "model-called-it-risky": 1, "never": 1},
        "codes": {"git.push": 2, "rm.root": 1},
        "taken_ms": {"p50": 10.0, "p95": 19.0},
    }
    call("stats")
    out = capsys.readouterr().out
    assert "       18   90.0%  allow\n" in out
    assert "        2   10.0%  git.push\n" in out
    assert "half of them took at most 10.0 ms, 95 % at most 19.0 ms" in out


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([], 0.5, None), ([7.0], 0.5, 7.0), ([7.0], 0.95, 7.0), ([1.0, 2.0], 0.5, 1.0), ([1.0, 2.0, 3.0], 0.5, 2.0)],
)
def test_percentiles(values: list[float], share: float, expected: float | None) -> None:
    assert percentile(values, share) == expected
