"""PowerShell and cmd as a whole: verdicts on the labelled rows, spans, faults, other shells, missing grammar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phocinae_cli.analysis.foreign import looks_foreign
from phocinae_cli.analysis.windows import tree
from phocinae_cli.core.request import Request
from tests.judging import Machine, analysed, decision, judged

DATASETS = Path(__file__).parents[2] / "bench" / "datasets"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATASETS / name / "rows.jsonl").read_text(encoding="utf-8").splitlines()]


def test_of_the_reference_kind_nothing_is_missed_and_nothing_alarms() -> None:
    wanted = {"destructive": "deny", "harmless": "allow"}
    wrong = [
        row["command"]
        for row in rows("reference-kind")
        if decision(row["command"], row["shell"]) != wanted[row["label"]]
    ]
    assert wrong == []


@pytest.mark.parametrize("shell", ["powershell", "cmd"])
def test_no_destructive_row_is_allowed_and_no_harmless_one_denied(shell: str) -> None:
    bad = {("destructive", "allow"), ("harmless", "deny")}
    own = [row for row in rows("own") if row["shell"] == shell]
    assert [row["id"] for row in own if (row["label"], decision(row["command"], shell)) in bad] == []


def test_a_span_marks_the_command_in_the_text() -> None:
    text = "Write-Host 'ä'; Remove-Item C:\\Windows -Recurse; Get-Date"
    finding = judged(text, "powershell").findings[0]
    assert text[finding.start : finding.end] == "Remove-Item C:\\Windows -Recurse"


def test_a_span_in_cmd_marks_the_command() -> None:
    text = "echo a & rd /s /q C:\\Users & echo b"
    finding = judged(text, "cmd").findings[0]
    assert text[finding.start : finding.end].strip() == "rd /s /q C:\\Users"


def test_the_chain_of_wrappers_is_kept() -> None:
    finding = judged('cmd /c "powershell -c Stop-Computer"', "cmd").findings[0]
    assert finding.via == ("cmd /c", "powershell -Command")


def test_a_script_is_read_where_it_can_be() -> None:
    machine = Machine({"/home/user/project/clean.ps1": "Remove-Item C:\\Users -Recurse -Force\nWrite-Host done"})
    assert decision(".\\clean.ps1", "powershell", machine) == "deny"
    assert decision("pwsh -File clean.ps1", "bash", machine) == "deny"


def test_a_batch_file_is_read_where_it_can_be() -> None:
    machine = Machine({"/home/user/project/clean.bat": "@echo off\nrd /s /q C:\\Users"})
    assert decision(".\\clean.bat", "cmd", machine) == "deny"


@pytest.mark.parametrize(
    ("text", "shell"),
    [
        ("Get-ChildItem -Recurse", "powershell"),
        ("ls | Where-Object Name", "powershell"),
        ("vssadmin list shadows", "cmd"),
        ("reg delete HKLM\\Software\\x /f", "cmd"),
        ("del /f /s /q C:\\*", "cmd"),
        ("rd /s /q %TEMP%\\x", "cmd"),
        ("git commit -m 'Remove-Item'", ""),
        ("ls -la /etc", ""),
        ("type python3", ""),
        ("apt-get install foo", ""),
        ("net-tools --version", ""),
    ],
)
def test_a_line_of_another_shell_is_known_by_its_words(text: str, shell: str) -> None:
    assert looks_foreign(text) == shell


def test_a_foreign_line_says_so() -> None:
    found = analysed(Request("Get-Frobnication C:\\x"))
    assert any("PowerShell" in note for action in found.actions for note in action.notes)


def test_without_the_grammar_a_line_asks_and_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise tree.NoGrammar

    monkeypatch.setattr(tree, "_parser", missing)
    found = analysed(Request("Get-Date", shell="powershell"))
    assert "phocinae[windows]" in found.unreadable
    assert decision("Get-Date", "powershell") == "ask"
    assert decision("pwsh -c Get-Date", "bash") == "ask"
    assert decision("dir", "cmd") == "allow"


PIECES = st.sampled_from(
    [
        "Remove-Item", "C:\\", "-Recurse", "|", "{", "}", "(", ")", "$x", "$_", '"', "'", "@'", "\n", ";", "%", "&",
        "if", "for", "%i", "in", "do", "=", "`", "^", "cmd", "/c", "powershell", "-enc", "AAAA", "[IO.File]",
        "::Delete", "iex", "@{", ",",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25), st.sampled_from(["powershell", "cmd"]))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_gives_a_verdict(pieces: list[str], shell: str) -> None:
    assert decision(" ".join(pieces), shell) in ("allow", "ask", "deny")


@pytest.mark.parametrize("shell", ["powershell", "cmd"])
@pytest.mark.parametrize("text", ["(" * 5000, "{" * 5000, "$(" * 3000, "a|" * 20000, "&" * 2000, "%a" * 5000])
def test_deep_and_long_texts_are_never_allowed(text: str, shell: str) -> None:
    assert decision(text, shell) != "allow"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Remove-Item C:\\Users -Recurse -Force", "rm -r -fo C:\\Users"),
        ("Remove-Item C:\\Users -Recurse -Force", "ri -LiteralPath c:/users -Recurse"),
        ("Remove-Item C:\\Users -Recurse -Force", "$a='C:\\';$b='Users'; ri (\"$a\" + $b) -rec"),
        ("Remove-Item C:\\Users -Recurse -Force", "'C:\\Users' | Remove-Item -Recurse"),
        ("Remove-Item C:\\Users -Recurse -Force", "& { param($p) rm $p -Recurse } 'C:\\Users'"),
        ("Remove-Item C:\\Users -Recurse -Force", "Invoke-Expression 'ri C:\\Users -r'"),
        ("Remove-Item C:\\Users -Recurse -Force", "cmd /c rd /s /q C:\\Users"),
        ("Remove-Item C:\\Users -Recurse -Force", "[IO.Directory]::Delete('C:\\Users', $true)"),
        ("Set-MpPreference -DisableRealtimeMonitoring $true", "Set-MpPreference -DisableRealtimeMonitoring:1"),
        ("Stop-Service WinDefend", "Get-Service WinDefend | Stop-Service -Force"),
        ("Stop-Service WinDefend", "sc.exe stop WinDefend"),
        ("Stop-Service WinDefend", "net stop WinDefend"),
    ],
)
def test_the_same_effect_gets_the_same_verdict_however_it_is_spelled(one: str, other: str) -> None:
    assert decision(one, "powershell") == decision(other, "powershell") == "deny"
