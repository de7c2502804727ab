"""`phocinae check` as a process: statuses, streams, encodings, pipes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from tests.backends.servers import flat_body
from tests.cli.conftest import ROOT, Run

ALLOWED, ASKED, DENIED = "ls -la", "git push", "rm -rf ~"


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        ([ALLOWED], 0),
        ([ASKED], 10),
        ([DENIED], 20),
        (["--fail-on", "deny", ASKED], 0),
        (["--fail-on", "deny", DENIED], 20),
        (["--fail-on", "ask", ASKED], 10),
        (["--quiet", DENIED], 20),
        (["rm", "-rf", "/etc"], 20),
        (["--", "rm", "-rf", "/etc"], 20),
        (["echo", "rm -rf /"], 0),
        (["echo", "$(rm -rf /)"], 0),
        (["echo $(rm -rf /)"], 20),
        (["--tool", "", ALLOWED], 10),
        (["--alias", "ls=rm -rf ~", "ls"], 20),
        (["--set", "gate.mode=off", DENIED], 0),
        ([""], 0),
        (["   "], 0),
        (["# nothing"], 0),
        ([], 2),
        (["--shell", "tcsh", ALLOWED], 2),
        (["--nonsense", ALLOWED], 2),
        (["--set", "gate.mode=sometimes", ALLOWED], 2),
        (["--set", "nonsense", ALLOWED], 2),
        (["--alias", "=x", ALLOWED], 2),
        (["--file", "missing.sh"], 3),
    ],
    ids=repr,
)
def test_the_status_is_the_answer(run: Run, argv: list[str], status: int) -> None:
    done = run("check", *argv)
    assert done.returncode == status, done.stderr.decode() + done.stdout.decode()
    assert (done.stderr != b"") == (status in (2, 3))
    assert b"Traceback" not in done.stderr


def test_an_argv_is_not_split_again(run: Run, project: Path) -> None:
    """`rm -rf 'a b'` names one thing; were it split, the second word would be another."""
    done = json.loads(run("check", "--json", "rm", "-rf", "x ~").stdout)
    assert "~" not in [found["target"] for found in done["findings"]]
    assert done["decision"] != "deny"


def test_quiet_prints_nothing(run: Run) -> None:
    done = run("check", "--quiet", DENIED)
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.parametrize("form", [["-"], ["--stdin"]])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"], ids=repr)
@pytest.mark.parametrize(("text", "status"), [(ALLOWED, 0), (DENIED, 20), ("", 0)])
def test_a_text_from_standard_input_may_end_with_a_line_end(
    run: Run, form: list[str], end: bytes, text: str, status: int
) -> None:
    assert run("check", *form, stdin=text.encode() + end).returncode == status


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=repr)
@pytest.mark.parametrize("text", [ALLOWED, ASKED, DENIED])
def test_a_line_end_behind_the_line_changes_nothing(run: Run, text: str, end: str) -> None:
    with_it, without = (json.loads(run("check", "--json", line).stdout) for line in (text + end, text))
    assert {**with_it, "taken_ms": 0} == {**without, "taken_ms": 0}


def test_one_object_is_printed(run: Run) -> None:
    done = run("check", "--json", DENIED)
    read = json.loads(done.stdout)
    assert (read["schema"], read["decision"], read["shell"], read["error"]) == (1, "deny", "bash", None)
    assert read["findings"][0]["span"] == [0, len(DENIED)]
    assert done.stdout.count(b"\n") == 1


@pytest.mark.parametrize(
    ("shell", "expected"),
    [("/usr/bin/zsh", "zsh"), ("/bin/dash", "sh"), ("/usr/bin/fish", "fish"), ("/bin/tcsh", "bash")],
)
def test_the_shell_is_the_one_of_the_environment(run: Run, shell: str, expected: str) -> None:
    assert json.loads(run("check", "--json", ALLOWED, env={"SHELL": shell}).stdout)["shell"] == expected


def test_an_exported_variable_is_seen_and_not_shown(run: Run) -> None:
    line = 'rm -rf "$SCRATCH/x"'
    assert run("check", line, env={"SCRATCH": "/tmp/job"}).returncode == 0
    assert run("check", line, env={"SCRATCH": "/etc"}).returncode == 20


def test_the_directory_counts(run: Run, project: Path) -> None:
    inside = json.loads(run("check", "--json", "rm -rf *").stdout)
    outside = json.loads(run("check", "--json", "--cwd", "/etc", "rm -rf *").stdout)
    assert inside["cwd"] == str(project)
    assert (outside["cwd"], outside["decision"]) == ("/etc", "deny")
    assert inside["decision"] != "deny"


# --- encodings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "env", [{}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_byte_that_is_no_text_gets_a_verdict(run: Run, env: dict[str, str], form: list[str]) -> None:
    done = run("check", *form, b"echo \x80", env=env)
    assert (done.returncode, done.stderr) == (10, b"")
    done.stdout.decode("utf-8")
    if form:
        assert json.loads(done.stdout)["reason"] == "line-not-readable"


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])
def test_letters_the_terminal_lacks_are_escaped(run: Run, env: dict[str, str]) -> None:
    done = run("check", "rm -rf ~/作業 ~", env=env)
    assert done.returncode == 20
    assert "作業" in done.stdout.decode() or "\\u4f5c\\u696d" in done.stdout.decode()
    assert run("check", "--help", env=env).returncode == 0
    assert run("--help", env=env).returncode == 0


def test_an_unfinished_backquote_before_a_wide_letter_asks(run: Run) -> None:
    assert run("check", "s`中").returncode == 10


def test_control_characters_do_not_reach_the_screen(run: Run) -> None:
    done = run("check", "rm -rf ~ \x1b[2J\u202e")
    assert b"\x1b" not in done.stdout
    assert "\u202e" not in done.stdout.decode()


# --- colour ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "colored"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "0"}, False),
    ],
    ids=repr,
)
def test_colour_is_for_those_who_want_it(run: Run, env: dict[str, str], colored: bool) -> None:
    assert (b"\x1b[" in run("check", DENIED, env=env).stdout) is colored
    assert (b"\x1b[" in run("explain", DENIED, env=env).stdout) is colored
    assert b"\x1b" not in run("check", "--json", DENIED, env=env).stdout


# --- pipes and full disks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("argv", [["explain", DENIED], ["check", DENIED], ["check", "--help"], ["--help"]], ids=repr)
@pytest.mark.parametrize("env", [{}, {"PYTHONUNBUFFERED": "1"}], ids=repr)
def test_a_reader_who_leaves_ends_it_quietly(home: Path, argv: list[str], env: dict[str, str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "phocinae_cli", *argv],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        env={"HOME": str(home), "PYTHONPATH": str(ROOT), **env},
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == (20 if argv == ["check", DENIED] else 0)


@pytest.mark.parametrize("argv", [["check", ALLOWED], ["check", "--json", ALLOWED], ["check", "--help"]], ids=repr)
def test_an_answer_that_can_not_be_written_is_a_failure(home: Path, argv: list[str]) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "phocinae_cli", *argv],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            env={"HOME": str(home), "PYTHONPATH": str(ROOT)},
            timeout=60,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.startswith(b"phocinae: ")
    assert done.stderr.count(b"\n") == 1


def test_closed_streams_leave_the_status(home: Path) -> None:
    command = f'exec "{sys.executable}" -m phocinae_cli check "rm -rf ~" <&- >&- 2>&-'
    env = {"HOME": str(home), "PYTHONPATH": str(ROOT)}
    assert subprocess.run(["/bin/sh", "-c", command], env=env, timeout=60, check=False).returncode == 20


# --- what else can go wrong ------------------------------------------------------------------------------------------


def test_a_broken_configuration_is_no_verdict(run: Run, home: Path) -> None:
    place = home / ".config" / "phocinae"
    place.mkdir(parents=True)
    (place / "config.toml").write_text("[gate]\nmod = 'off'\n")
    done = run("check", ALLOWED)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"gate.mod" in done.stderr
    assert b"[PHOCINAE_INVALID_CONFIG]" in done.stderr


def test_a_log_that_can_not_be_written_changes_no_verdict(run: Run, home: Path) -> None:
    blocked = home / "blocked"
    blocked.write_text("a file where the directory should be")
    done = run("check", DENIED, env={"XDG_STATE_HOME": str(blocked)})
    assert done.returncode == 20
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"phocinae: ")


def test_a_directory_that_is_gone_still_gets_a_verdict(home: Path, tmp_path: Path) -> None:
    command = (
        f'd="{tmp_path}/gone"; mkdir "$d" && cd "$d" && rmdir "$d" && exec "{sys.executable}" -m phocinae_cli "$@"'
    )
    env = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "PYTHONSAFEPATH": "1"}
    for argv, status in ((["check", ALLOWED], 0), (["check", DENIED], 20)):
        done = subprocess.run(
            ["/bin/sh", "-c", command, "sh", *argv], env=env, timeout=60, check=False, capture_output=True
        )
        assert (done.returncode, done.stderr) == (status, b"")


def test_no_environment_at_all_is_enough(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "phocinae_cli", "check", "--set", "gate.audit=false", DENIED],
        cwd=ROOT,
        env={},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 20


@pytest.mark.parametrize(
    "text", [b"( ls; " * 5000, b"echo " + b"a" * 200_000, b"$(" * 3000, b"ls\0rm", b"\xff" * 100], ids=len
)
def test_what_can_not_be_read_asks(run: Run, text: bytes) -> None:
    done = run("check", "-", stdin=text)
    assert (done.returncode, done.stderr) == (10, b"")


def test_a_run_can_be_interrupted(home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "phocinae_cli", "check", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"HOME": str(home), "PYTHONPATH": str(ROOT)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"command": "ls"}\n')
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"{")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize("argv", [[], ["/tmp"], ["/tmp", "x"], ["/tmp", "1", "ls"], ["/tmp", "²"]], ids=" ".join)
def test_a_worker_that_is_not_told_where_and_for_whom_is_wrong_usage(run: Run, argv: list[str]) -> None:
    done = run("check", "--worker", *argv)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--worker takes a directory" in done.stderr


def test_a_worker_without_a_place_is_a_failure_and_says_so(run: Run, project: Path) -> None:
    (project / "file").write_text("")
    done = run("check", "--worker", str(project / "file"), str(os.getpid()))
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"no worker could be set up below" in done.stderr


# --- exchanges with a service, kept and replayed ----------------------------------------------------------------------

SERVICE = ("--set", "backend=service", "--set", "dialect=flat", "--no-facts", "--json")
UNKNOWN = "frobnicate --all"
NOBODY_THERE = {"PHOCINAE_ENDPOINT": "http://127.0.0.1:9/v1/systemone"}


def without_time(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    return [{**json.loads(line), "taken_ms": 0} for line in done.stdout.splitlines()]


def test_a_recorded_run_comes_out_the_same_without_the_service(run: Run, httpserver: HTTPServer, home: Path) -> None:
    httpserver.expect_request("/v1/systemone").respond_with_json(flat_body(0, (0.9, 0.06, 0.04)))
    there = {"PHOCINAE_ENDPOINT": httpserver.url_for("/v1/systemone")}
    kept = str(home / "exchanges.jsonl")
    first = run("check", *SERVICE, "--record", kept, UNKNOWN, env=there)
    assert (first.returncode, first.stderr) == (0, b"")
    assert len(httpserver.log) == 1
    again = run("check", *SERVICE, f"--replay={kept}", UNKNOWN, env=NOBODY_THERE)
    assert (again.returncode, without_time(again)) == (0, without_time(first))
    stream = run("check", *SERVICE[:-1], "--replay", kept, "--jsonl", stdin=LINES, env=NOBODY_THERE)
    assert [row["decision"] for row in without_time(stream)] == ["allow", "ask"]
    assert b"has no answer to this request" in stream.stdout


LINES = b'{"command": "frobnicate --all"}\n{"command": "frobnicate --none"}\n'


@pytest.mark.parametrize("option", ["--record", "--replay"])
def test_with_the_engine_alone_there_is_no_exchange_to_keep(run: Run, option: str, home: Path) -> None:
    done = run("check", option, str(home / "file"), UNKNOWN)
    assert (done.returncode, done.stdout) == (2, b"")
    assert option.encode() + b" is about a decision service" in done.stderr
    assert b"backend=service" in done.stderr
    assert not (home / "file").exists()


def test_one_does_not_record_what_is_replayed(run: Run) -> None:
    done = run("check", *SERVICE, "--record", "a", "--replay", "b", UNKNOWN)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--record and --replay exclude each other" in done.stderr


def test_a_recording_that_cannot_be_read_is_wrong_usage_before_any_verdict(run: Run) -> None:
    done = run("check", *SERVICE, "--replay", "nowhere", UNKNOWN)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no recording that can be replayed" in done.stderr


# --- a package without its knowledge ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("makefile", "told"), [(True, "run `make kb` in {root}"), (False, "install phocinae anew")])
def test_a_missing_knowledge_base_comes_with_its_remedy(tmp_path: Path, run: Run, makefile: bool, told: str) -> None:
    root = tmp_path / "checkout"
    shutil.copytree(ROOT / "phocinae_cli", root / "phocinae_cli", ignore=shutil.ignore_patterns("__pycache__", "*.t*"))
    if makefile:
        (root / "Makefile").write_text("kb:\n")
    done = run("check", ALLOWED, env={"PYTHONPATH": str(root)})
    assert (done.returncode, done.stdout) == (3, b"")
    assert told.format(root=root).encode() in done.stderr
