"""Shell histories as the shells write them, and what a replay says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from phocinae_cli.app import Checker
from phocinae_cli.bench.history import Typed, bash, fish, found_files, read, shell_of, zsh
from phocinae_cli.bench.replay import Replay, replay
from phocinae_cli.cli import main

DAY = 86_400


def lines(text: str | bytes) -> list[bytes]:
    raw = text.encode() if isinstance(text, str) else text
    return raw.splitlines(keepends=True)


def test_bash_without_times() -> None:
    assert list(bash(lines("ls\n\n# a comment\ngit push\n"))) == [Typed("ls"), Typed("# a comment"), Typed("git push")]


def test_bash_with_times_keeps_lines_that_belong_together() -> None:
    found = list(bash(lines("old\n#1700000000\nfor i in 1 2; do\necho $i\ndone\n#1700000100\nls\n")))
    assert found == [Typed("old"), Typed("for i in 1 2; do\necho $i\ndone", 1700000000), Typed("ls", 1700000100)]


def test_zsh_simple_and_extended() -> None:
    found = list(zsh(lines(": 1700000000:0;ls; pwd\n: 1700000001:3;echo a\\\nb\nplain; line\necho \\\\\n: nothing\n")))
    assert found == [
        Typed("ls; pwd", 1700000000),
        Typed("echo a\nb", 1700000001),
        Typed("plain; line"),
        Typed("echo \\\\"),
        Typed(": nothing"),
    ]


def test_zsh_turns_bytes_over() -> None:
    # 'ä' is C3 A4; zsh keeps bytes from 83 on as 83 and the byte with bit 32 turned over.
    assert list(zsh([b"echo \x83\xe3\x83\x84\n"])) == [Typed("echo ä")]


def test_fish_escapes() -> None:
    text = "- cmd: echo a\\nb\\\\c\n  when: 1700000000\n  paths:\n    - a\n- cmd: ls\n"
    assert list(fish(lines(text))) == [Typed("echo a\nb\\c", 1700000000), Typed("ls")]


@pytest.mark.parametrize(
    ("path", "shell"),
    [("/h/.bash_history", "bash"), ("/h/.zsh_history", "zsh"), ("/h/.histfile", "zsh"), ("/h/fish_history", "fish")],
)
def test_the_shell_is_told_by_the_name(path: str, shell: str) -> None:
    assert shell_of(path) == shell


def test_histories_are_found(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert found_files(env) == []
    for name in (".bash_history", ".local/share/fish/fish_history", "own"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("ls\n")
    kinds = [(shell, path.name) for shell, path in found_files({**env, "HISTFILE": str(tmp_path / "own")})]
    assert kinds == [("bash", "own"), ("bash", ".bash_history"), ("fish", "fish_history")]


HISTORY = "".join(
    f"#{at}\n{line}\n"
    for at, line in (
        (1 * DAY, "ls -la"),
        (1 * DAY + 5, "rm -rf ~"),
        (1 * DAY + 9, "git push"),
        (3 * DAY, "rm -rf ~"),
        (3 * DAY + 1, "sudo dd if=/dev/zero of=/dev/sda"),
        (3 * DAY + 2, "echo 'rm -rf ~'"),
    )
)


def test_a_replay_by_hand(home: Path) -> None:
    checker = Checker.from_environment(facts=False)
    found = Replay()
    replay(checker, bash(lines(HISTORY)), "bash", "person", found)
    assert found.lines == 6
    assert dict(found.decisions) == {"allow": 3, "deny": 3}  # a push is easily seen by who typed it
    assert (found.interrupted, found.noted, len(found.days)) == (3, 1, 2)
    assert found.per_day == 1.5
    causes = {code: (cause.decision, cause.count, list(cause.examples)) for code, cause in found.commonest()}
    assert sorted(count for _, count, _ in causes.values()) == [1, 2]
    assert ["rm -rf ~"] in [examples for _, _, examples in causes.values()]


def test_an_agent_is_asked_about_what_a_person_is_not(home: Path) -> None:
    found = Replay()
    replay(Checker.from_environment(facts=False), [Typed("git push")], "bash", "agent", found)
    assert dict(found.decisions) == {"ask": 1}
    assert found.per_day is None


def test_the_command_tells_figures_and_keeps_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".bash_history").write_text(HISTORY)
    before = {path for path in home.rglob("*") if path.is_file()}
    assert main(["bench", "history"]) == 0
    out = capsys.readouterr().out
    assert "6 lines, 3 of which would have been held up: one in 2" in out
    assert "1.50 a day, on 2 days" in out
    assert "dd if" not in out
    assert main(["bench", "history", "--json"]) == 0
    assert "rm -rf" not in capsys.readouterr().out
    assert main(["bench", "history", "--examples"]) == 0
    assert "dd if=/dev/zero" in capsys.readouterr().out
    assert {path for path in home.rglob("*") if path.is_file()} == before


def test_no_history_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "history"]) == 2
    assert "no shell history" in capsys.readouterr().err


def test_a_file_is_read_for_the_shell_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(": 1700000000:0;ls\n")
    assert list(read(path, "zsh")) == [Typed("ls", 1700000000)]
    assert list(read(path, "bash")) == [Typed(": 1700000000:0;ls")]
