"""`install` and `uninstall`: exactly a marked block comes and goes, whatever else the file holds."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.cli.init import Shell
from phocinae_cli.cli.init import command as init
from phocinae_cli.cli.install import command as install
from phocinae_cli.cli.rcblock import END, START, Torn, block, find, with_block, without_block
from phocinae_cli.cli.uninstall import command as uninstall
from phocinae_cli.resident.hook import hook_text

SHELLS = ("bash", "zsh", "fish")
RC = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}


@pytest.fixture(autouse=True)
def plain_places(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZDOTDIR", raising=False)
    (home / ".config" / "fish").mkdir(parents=True)


@given(st.text(alphabet="ab #\n>é"))
def test_in_and_out_again_leaves_the_text_as_it_was(text: str) -> None:
    put = with_block(text, block("bash", "/x/hook.bash"))
    assert find(put) is not None
    assert without_block(put) == text + ("" if not text or text.endswith("\n") else "\n")
    assert with_block(put, block("bash", "/x/hook.bash")) == put


@pytest.mark.parametrize("text", [START, END, f"{END}\n{START}\n", f"{START}\n{START}\n{END}\n"])
def test_half_a_block_is_left_to_the_person(text: str) -> None:
    with pytest.raises(Torn):
        with_block(text, "x")


@pytest.mark.parametrize("shell", SHELLS)
def test_installing_twice_changes_the_file_once_and_uninstalling_puts_it_back(
    home: Path, shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rc = home / RC[shell]
    rc.write_bytes(b"# mine \xff\n")
    rc.chmod(0o600)
    assert install([Shell(shell)]) == 0
    assert f"+{START}" in capsys.readouterr().out
    once = rc.read_bytes()
    assert install([Shell(shell)]) == 0
    assert "loads it already" in capsys.readouterr().out
    assert rc.read_bytes() == once
    assert (home / ".local/share/phocinae" / f"hook.{shell}").read_text() == hook_text(shell)
    assert rc.with_name(rc.name + ".phocinae-backup").read_bytes() == b"# mine \xff\n"
    assert uninstall([Shell(shell)]) == 0
    assert rc.read_bytes() == b"# mine \xff\n"
    assert rc.stat().st_mode & 0o777 == 0o600
    assert not (home / ".local/share/phocinae" / f"hook.{shell}").exists()


def test_a_dry_run_shows_the_change_and_makes_none(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert install([Shell.BASH], dry_run=True) == 0
    assert f"+{START}" in capsys.readouterr().out
    assert not (home / ".bashrc").exists()
    assert not (home / ".local/share/phocinae").exists()


def test_a_file_behind_a_link_stays_behind_it(home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "bashrc").write_text("# mine\n")
    (home / ".bashrc").symlink_to("dotfiles/bashrc")
    install([Shell.BASH])
    assert (home / ".bashrc").is_symlink()
    assert START in (home / "dotfiles" / "bashrc").read_text()


def test_a_torn_block_is_refused_and_the_file_left_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".bashrc").write_text(f"{START}\n# cut off\n")
    assert install([Shell.BASH]) == 3
    assert uninstall([Shell.BASH]) == 3
    assert (home / ".bashrc").read_text() == f"{START}\n# cut off\n"
    assert "missing or out of place" in capsys.readouterr().err


def test_a_file_that_can_not_be_written_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".bashrc").mkdir()
    assert install([Shell.BASH]) == 3
    assert str(home / ".bashrc") in capsys.readouterr().err


@pytest.mark.parametrize("shell", SHELLS)
def test_init_prints_the_hook_with_an_absolute_interpreter(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert init(Shell(shell)) == 0
    told = capsys.readouterr()
    assert told.out == hook_text(shell)
    assert told.err == ""
    assert "@python@" not in told.out
    assert "@run@" not in told.out
    baked = next(line for line in told.out.splitlines() if "__phocinae_python" in line and "/" in line)
    assert re.search(r"[= ]'?/", baked)
    assert init(Shell(shell), print_path=True) == 0
    assert capsys.readouterr().out.strip().endswith(f"shell/phocinae.{shell}")


def test_odd_paths_are_quoted_for_each_shell(tmp_path: Path) -> None:
    odd = str(tmp_path / "a 'b' \\c$d")
    for shell, start in (("bash", ["bash"]), ("zsh", ["zsh", "-f"]), ("fish", ["fish", "--no-config"])):
        hook = tmp_path / f"hook.{shell}"
        hook.write_text(hook_text(shell, python=odd))
        try:
            told = subprocess.run(
                [*start, "-c", f". {hook}; printf %s \"$__phocinae_python\""],
                capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            )  # fmt: skip
        except FileNotFoundError:
            pytest.skip(f"{shell} is not installed")
        assert told.stdout == odd, shell


def test_no_name_of_the_hooks_stands_outside_their_prefix() -> None:
    for shell in SHELLS:
        for line in hook_text(shell).splitlines():
            name = (
                line.partition("() {")[0]
                if "() {" in line
                else line[9:].split()[0]
                if line.startswith("function ")
                else ""
            )
            assert not name or name.startswith(("__phocinae_", "phocinae_off")), line
