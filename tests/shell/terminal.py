"""A real interactive shell in a pty, as a person has it: keys go in, a screen comes out."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

PATIENCE_S = 20.0
"""How long a test waits for what must come: long, since the machine may be busy; nothing waits when it is there."""

QUIET_S = 0.08

ENTER, TAB, ESC = "\r", "\t", "\x1b"
PASTE_ON, PASTE_OFF = "\x1b[200~", "\x1b[201~"


def ctrl(letter: str) -> str:
    """Return what the Ctrl key makes of a letter."""
    return chr(ord(letter.upper()) & 0x1F)


class Terminal:
    """One shell in a pty with a home of its own; `ran(name)` tells whether the marker file was made by a line."""

    def __init__(
        self,
        shell: str,
        home: Path,
        rc: str = "",
        env: dict[str, str] | None = None,
        rows: int = 40,
        columns: int = 120,
        argv: list[str] | None = None,
    ) -> None:
        self.shell = shell
        self.home = home
        home.mkdir(parents=True, exist_ok=True)
        self.marks = home / "marks"
        self.marks.mkdir(exist_ok=True)
        (home / "tmp").mkdir(exist_ok=True)
        full = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "ZDOTDIR": str(home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TMPDIR": str(home / "tmp"),
            "STANDIN_DIR": str(home),
            "STANDIN_LOG": str(home / "judged"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NO_COLOR": "1",
        }
        full.update(env or {})
        self.spawn_argv = argv or self._write_rc(rc)
        self.raw = ""
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.serial = 0
        path = shutil.which(self.spawn_argv[0])
        assert path is not None, self.spawn_argv
        self.child = pexpect.spawn(
            path, self.spawn_argv[1:], env=full, dimensions=(rows, columns), encoding="utf-8",
            codec_errors="replace", timeout=PATIENCE_S, cwd=str(home),
        )  # fmt: skip
        self.child.delaybeforesend = None
        self.wait(lambda: self.raw != "")
        self.settle()

    def _write_rc(self, rc: str) -> list[str]:
        if self.shell == "bash":
            (self.home / ".bashrc").write_text("PS1='$ '\nbind 'set keyseq-timeout 30'\n" + rc)
            return ["bash", "--noprofile", "--rcfile", str(self.home / ".bashrc"), "-i"]
        if self.shell == "zsh":
            (self.home / ".zshrc").write_text("PS1='$ '\nunsetopt promptsp\n" + rc)
            return ["zsh", "-d", "-i"]
        config = self.home / ".config" / "fish"
        config.mkdir(parents=True, exist_ok=True)
        (config / "config.fish").write_text(
            "function fish_prompt; echo -n '$ '; end\nset -g fish_greeting ''\nset -g fish_escape_delay_ms 30\n" + rc
        )
        return ["fish", "-i"]

    # --- in and out --------------------------------------------------------------------------------------------------

    def read(self, wait_s: float = 0.02) -> str:
        """Take what the shell has written by now, at most for a moment."""
        try:
            text = str(self.child.read_nonblocking(1 << 16, timeout=wait_s))
        except pexpect.TIMEOUT:
            return ""
        except pexpect.EOF:
            return ""
        self.raw += text
        self.stream.feed(text)
        return text

    def wait(self, condition: Callable[[], bool], patience_s: float = PATIENCE_S) -> bool:
        """Read until the condition holds; return whether it did."""
        until = time.monotonic() + patience_s
        while True:
            self.read()
            if condition():
                return True
            if time.monotonic() > until:
                return False

    def settle(self, quiet_s: float = QUIET_S) -> None:
        """Read until nothing has come for a moment."""
        last = time.monotonic()
        until = last + PATIENCE_S
        while time.monotonic() - last < quiet_s and time.monotonic() < until:
            if self.read():
                last = time.monotonic()

    def prompt(self) -> None:
        """Wait until the prompt is back: by then nothing that is typed is thrown away any more."""
        assert self.wait(lambda: self.shown().endswith("$")), self.shown()
        self.settle()

    def send(self, keys: str) -> None:
        """Type keys, without waiting for anything."""
        self.child.send(keys)

    def see(self, text: str, patience_s: float = PATIENCE_S) -> None:
        """Wait until the text has been written since the last `forget`; fail with the screen when it never comes."""
        assert self.wait(lambda: text in self.plain(), patience_s), f"{text!r} did not appear\n{self.shown()}"

    def forget(self) -> None:
        """Start anew with what was written."""
        self.read()
        self.raw = ""

    def plain(self) -> str:
        """Return what was written, without escape sequences."""
        return re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\r", "", self.raw)

    def shown(self) -> str:
        """Return the screen as it is, without empty lines at its end."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    # --- markers -----------------------------------------------------------------------------------------------------

    def touch(self, name: str = "ran") -> str:
        """Return the command that stands for a dangerous one: it makes a marker file."""
        return f"touch {self.marks}/{name}"

    def ran(self, name: str = "ran") -> bool:
        """Return whether a marker was made."""
        return (self.marks / name).exists()

    def clear(self) -> None:
        """Remove all markers."""
        for mark in self.marks.iterdir():
            mark.unlink()

    def line(self, text: str) -> None:
        """Type a line and Enter."""
        self.send(text + ENTER)

    def alive(self) -> None:
        """Prove that the shell takes a line and runs it; a key that arrives while input is dropped is typed again."""
        self.serial += 1
        name = f"alive{self.serial}"
        self.wait(lambda: self.shown().endswith("$"), 2)
        self.settle()
        for _ in range(8):
            self.send(ctrl("u") + self.touch(name) + ENTER)
            if self.wait(lambda: self.ran(name), 3):
                (self.marks / name).unlink()
                self.settle()
                return
        raise AssertionError(f"the shell takes no more lines\n{self.shown()}")

    def output(self, command: str) -> str:
        """Run an allowed line that writes to a file, and return what it wrote."""
        self.serial += 1
        target = self.marks / f"out{self.serial}"
        done = self.marks / f"done{self.serial}"
        group = f"begin; {command}; end" if self.shell == "fish" else f"{{ {command}; }}"
        self.line(f"{group} >{target} 2>&1; touch {done}")
        assert self.wait(done.exists), f"no answer to {command!r}\n{self.shown()}"
        self.settle()
        return target.read_text(errors="replace")

    def judged(self) -> list[str]:
        """Return what the judge was asked, one entry a request."""
        path = self.home / "judged"
        return path.read_text(errors="replace").splitlines() if path.exists() else []

    def close(self) -> None:
        """Hang up, as a closed window does."""
        self.child.close(force=True)
