"""`from phocinae_cli import check, ask`: the same code as the commands, for programs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from phocinae_cli import ask, check
from phocinae_cli.backends.question import Question
from phocinae_cli.core.report import Report
from phocinae_cli.errors import PhocinaeError
from tests.backends.servers import flat_body

HARM = {"id": "harm", "type": "choice", "options": ["harmless", "risky", "destructive"]}


def test_check_returns_a_report() -> None:
    report = check("rm -rf /")
    assert isinstance(report, Report)
    assert (report.verdict.decision, report.verdict.harm, report.error) == ("deny", "destructive", None)
    assert check("ls -la").verdict.decision == "allow"


def test_the_words_of_an_argv_are_not_split_again() -> None:
    assert check(["echo", "; rm -rf /"]).verdict.decision == "allow"
    assert check(["rm", "-rf", "/"]).verdict.decision == "deny"


def test_a_setting_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(PhocinaeError):
        check("ls", settings={"modle": "x"})


@pytest.mark.parametrize("questions", [[HARM], {"harm": {"type": "choice", "options": HARM["options"]}}])
def test_the_engine_answers_what_is_about_a_command(questions: object) -> None:
    result = ask({"tool": "bash", "input": "rm -rf /"}, questions)  # type: ignore[arg-type]
    assert result.answers == {"harm": "destructive"}
    assert (result.engine, result.model, result.escalate) == ("embedded", "phocinae-embedded-1", False)


def test_the_engine_leaves_everything_else_open() -> None:
    result = ask("I was charged twice", [Question("refund", "noul", instructions="Do they want money back?")])
    assert (result.answers, result.confidence) == ({"refund": None}, {"refund": 0.0})
    assert (result.escalate, result.escalation_reason) == (True, "not-answered")


def test_a_service_is_asked_where_the_settings_say_so(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body())
    settings = {"backend": "service", "endpoint": httpserver.url_for("/"), "dialect": "flat"}
    result = ask("rm --password=hunter22", [HARM], settings=settings)
    assert (result.answers, result.confidence, result.engine) == ({"harm": "harmless"}, {"harm": 0.9}, "service")
    assert result.as_object()["schema"] == 1
    assert "hunter22" not in httpserver.log[0][0].get_data(as_text=True)


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import phocinae_cli; print(sorted(set(sys.modules) - before))"
    seen = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert seen.stdout.strip() == "['__future__', 'phocinae_cli']"


def test_the_examples_of_the_page_run() -> None:
    page = (Path(__file__).parents[2] / "docs" / "library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/library.md", "exec"), names)
    assert isinstance(names["report"], Report)
    assert names["result"].engine == "embedded"  # type: ignore[attr-defined]
