"""`phocinae config`, `rules`, `allow` and `deny` as they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from phocinae_cli.cli import allow, config, deny, failure, rules
from phocinae_cli.config.keys import KEYS
from phocinae_cli.core.verdict import EXIT_FAILURE, EXIT_USAGE

Run = Callable[..., tuple[int, str, str]]

APPS = {"config": config.app, "rules": rules.app}
for name, function in (("allow", allow.command), ("deny", deny.command)):
    APPS[name] = typer.Typer(add_completion=False)
    APPS[name].command()(function)


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Type a command in an empty project; returns its status, its answer and its talk."""
    project = home / "project"
    project.mkdir()
    monkeypatch.chdir(project)

    def typed(command: str, *words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            status = typer.main.get_command(APPS[command]).main(args=list(words), standalone_mode=False)
        except BaseException as error:
            status = failure(error)
        said = capsys.readouterr()
        return status or 0, said.out, said.err

    return typed


@pytest.fixture
def file(home: Path) -> Path:
    path = home / ".config/phocinae/config.toml"
    path.parent.mkdir(parents=True)
    return path


def test_config_shows_every_key_with_its_value_and_origin(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("timeout_ms = 5\n")
    monkeypatch.setenv("PHOCINAE_MODEL", "m")
    status, out, err = run("config")
    assert (status, err) == (0, "")
    rows = {line.split()[0]: line for line in out.splitlines()}
    assert set(rows) == {key.name for key in KEYS} | {"rules"}
    assert rows["timeout_ms"].endswith(f"5  ({file})")
    assert rows["model"].endswith('"m"  (PHOCINAE_MODEL)')
    assert rows["backend"].endswith('"embedded"  (default)')
    assert run("config", "show")[1] == out


def test_config_show_as_json(run: Run, file: Path) -> None:
    file.write_text("timeout_ms = 5\n")
    status, out, _ = run("config", "show", "--json")
    data = json.loads(out)
    assert (status, data["schema"]) == (0, 1)
    assert data["settings"]["timeout_ms"] == {"value": 5, "origin": str(file)}


def test_a_faulty_configuration_is_shown_as_far_as_it_goes(run: Run, file: Path) -> None:
    file.write_text("timeout_ms = 5\nx = 1\n")
    status, out, err = run("config")
    assert status == EXIT_FAILURE
    assert "timeout_ms" in out
    assert f"{file}:2: x: " in err


def test_config_path_says_what_is_there(run: Run, file: Path, home: Path) -> None:
    _, out, _ = run("config", "path")
    assert f"{file}  (not there)" in out
    assert "none: no .phocinae.toml here or above" in out
    file.touch()
    (home / "project/.phocinae.toml").touch()
    _, out, _ = run("config", "path")
    assert f"{file}\n" in out
    assert str(home / "project/.phocinae.toml") in out


def test_config_check_names_faults_refusals_and_warnings(run: Run, file: Path, home: Path) -> None:
    assert run("config", "check") == (0, "the configuration is legal\n", "")
    file.write_text('[[rules]]\ndecision = "allow"\nprogram = "rm"\n')
    status, out, _ = run("config", "check")
    assert status == 0
    assert out.startswith("warning: ")
    assert "`rm -rf /home/user`" in out
    (home / "project/.phocinae.toml").write_text("gate.enabled = false\n")
    file.write_text("x = 1\n")
    status, out, _ = run("config", "check")
    assert status == EXIT_FAILURE
    assert [line.partition(":")[0] for line in out.splitlines()] == ["fault", "refused"]


def test_trust_follows_a_file_until_it_is_edited_or_taken_back(run: Run, home: Path) -> None:
    project = home / "project/.phocinae.toml"
    project.write_text("[gate]\nmode = 'off'\n")
    status, out, _ = run("config", "trust")
    assert status == 0
    assert "gate.mode on line 2" in out
    assert f"({project} (trusted))" in run("config")[1]
    assert run("config", "trust", "--remove", ".phocinae.toml")[1].endswith("no longer trusted\n")
    assert "(trusted)" not in run("config")[1]
    assert run("config", "trust", "--remove")[1].endswith("not trusted\n")


@pytest.mark.parametrize("text", ["x = 1\n", "x = \n"])
def test_a_broken_file_is_not_trusted(run: Run, home: Path, text: str) -> None:
    (home / "project/.phocinae.toml").write_text(text)
    status, out, err = run("config", "trust")
    assert (status, out) == (EXIT_FAILURE, "")
    assert ":1: " in err
    assert not (home / ".local/state/phocinae/trusted").exists()


def test_there_must_be_something_to_trust(run: Run) -> None:
    assert run("config", "trust")[0] == EXIT_USAGE
    assert run("config", "trust", "nothing.toml")[0] == EXIT_FAILURE


def test_config_docs_renews_a_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- settings -->\nstale rows\n<!-- end of settings -->\nafter\n")
    assert run("config", "docs", "--into", str(page))[0] == 0
    text = page.read_text()
    assert text.startswith("before\n<!-- settings -->\n| key |")
    assert text.endswith("<!-- end of settings -->\nafter\n")
    assert "stale rows" not in text
    assert run("config", "docs")[1].strip() in text
    page.write_text("no marks")
    assert run("config", "docs", "--into", str(page))[0] == EXIT_USAGE


# --- rules ------------------------------------------------------------------------------------------------------------


def test_rules_are_added_listed_tried_and_removed(run: Run, file: Path) -> None:
    status, out, _ = run(
        "rules", "add", "deny", "--program", "git", "--subcommand", "push", "--flag", "-f|--force",
        "--reason", "not here", "--match", "git push -f", "--no-match", "git push",
    )  # fmt: skip
    assert (status, out) == (0, f"{file}: deny git push -f|--force\n")
    assert run("rules", "add", "ask", "--path", "~/finance/**")[0] == 0
    listed = run("rules", "list")[1]
    assert listed == run("rules")[1]
    assert [line.split()[:3] for line in listed.splitlines()] == [["1", "deny", "git"], ["2", "ask", "*"]]
    assert f"({file}:2)" in listed
    rows = json.loads(run("rules", "list", "--json")[1])["rules"]
    assert (rows[0]["flags"], rows[0]["reason"], rows[1]["paths"]) == (["-f|--force"], "not here", ["~/finance/**"])
    _, out, _ = run("rules", "test", "cd x && sudo git push --force")
    assert [line.split()[0] for line in out.splitlines()] == ["matches", "no", "verdict:"]
    assert "verdict: deny (denied-by-rule)" in out
    assert run("rules", "remove", "1")[1] == "removed: deny git push -f|--force\n"
    assert run("rules")[1].split()[1] == "ask"


def test_a_projects_rules_are_listed_with_their_file_and_not_removed(run: Run, home: Path) -> None:
    project = home / "project/.phocinae.toml"
    project.write_text('[[rules]]\ndecision = "deny"\nprogram = "x"\n[[rules]]\ndecision = "allow"\nprogram = "y"\n')
    status, out, err = run("rules")
    assert status == 0
    assert f"({project}:2)" in out
    assert len(out.splitlines()) == 1
    assert "allow rule would loosen" in err
    assert run("rules", "remove", "1")[0] == EXIT_USAGE


@pytest.mark.parametrize(
    "words",
    [
        ["maybe", "--program", "x"], ["deny"], ["deny", "--flag", "force"],
        ["deny", "--program", "git", "--match", "ls"], ["deny", "--program", "git", "--no-match", "cd x; git log"],
    ],
)  # fmt: skip
def test_a_rule_that_is_not_legal_or_not_true_is_not_added(run: Run, file: Path, words: list[str]) -> None:
    status, out, err = run("rules", "add", *words)
    assert (status, out) == (EXIT_USAGE, "")
    assert "not added" in err
    assert not file.exists()


def test_a_wide_rule_is_added_with_a_warning(run: Run) -> None:
    status, _, err = run("rules", "add", "allow", "--program", "rm")
    assert status == 0
    assert "warning" in err


def test_nothing_is_added_to_a_broken_file(run: Run, file: Path) -> None:
    file.write_text("x = 1\n")
    status, _, err = run("deny", "git push")
    assert status == EXIT_FAILURE
    assert f"{file}:1: x: " in err
    assert file.read_text() == "x = 1\n"


def test_trying_rules_logs_nothing_and_uses_nothing_up(run: Run, home: Path) -> None:
    run("allow", "rm -rf work")
    before = (home / ".local/state/phocinae/approvals.jsonl").read_bytes()
    run("rules", "test", "rm -rf work")
    assert (home / ".local/state/phocinae/approvals.jsonl").read_bytes() == before
    assert not (home / ".local/state/phocinae/audit.jsonl").exists()


# --- allow and deny ---------------------------------------------------------------------------------------------------


def verdict(run: Run, line: str) -> str:
    """Return what the gate says of a line, by the last line of `rules test`."""
    return run("rules", "test", line)[1].rpartition("verdict: ")[2].split()[0]


def test_deny_stops_a_line_and_its_like_from_now_on(run: Run) -> None:
    assert run("deny", "ls secrets", "--reason", "none of your business")[0] == 0
    assert verdict(run, "ls -l secrets") == "deny"
    assert verdict(run, "ls") == "allow"


def test_allow_always_covers_exactly_those_words(run: Run) -> None:
    assert verdict(run, "mytool sync") == "ask"
    assert run("allow", "--always", "mytool sync")[0] == 0
    assert verdict(run, "mytool sync") == "allow"
    assert verdict(run, "mytool sync x") == "ask"
    assert verdict(run, "mytool sync; rm -rf ~/work") == "deny"


def test_an_approval_is_kept_for_this_line_here(run: Run, home: Path) -> None:
    status, out, _ = run("allow", "rm -rf work")
    assert status == 0
    assert f"once, within 10 minutes, in {home}/project: rm -rf work" in out
    status, out, _ = run("allow", "--here", "rm -rf work")
    assert "from now on" in out
    rows = [json.loads(line) for line in (home / ".local/state/phocinae/approvals.jsonl").read_text().splitlines()]
    assert [(row["uses"], row["expires"]) for row in rows] == [(None, None)]


@pytest.mark.parametrize(
    "words",
    [
        [], ["x", "--once", "ABC"], ["--here"], ["x", "--here", "--always"], ["--once", "AAAAA-AAAAA"],
        ["x", "--reason", "y"], ["--once", "AAAAA-AAAAA", "--here"],
    ],
)  # fmt: skip
def test_allow_wants_one_thing_at_a_time(run: Run, words: list[str]) -> None:
    status, out, err = run("allow", *words)
    assert (status, out) == (EXIT_USAGE, "")
    assert err


@pytest.mark.parametrize("command", ["allow", "deny"])
def test_a_line_that_is_no_plain_command_makes_no_rule(run: Run, command: str) -> None:
    words = ["--always"] if command == "allow" else []
    status, _, err = run(command, *words, "mytool | sh")
    assert status == EXIT_USAGE
    assert "rules add" in err


def test_an_approval_that_can_not_be_kept_is_an_error(run: Run, home: Path) -> None:
    (home / ".local/state/phocinae").write_text("in the way")
    status, out, err = run("allow", "rm x")
    assert (status, out) == (EXIT_FAILURE, "")
    assert "can't be used" in err
