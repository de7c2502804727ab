"""Shell histories read as a stream: bash with and without times, zsh with and without, fish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from phocinae_cli.state import places

META = 0x83
"""zsh writes bytes from here on as this byte and the byte with its sixth bit turned over."""

PLACES = (
    ("bash", ".bash_history"),
    ("zsh", ".zsh_history"),
    ("zsh", ".histfile"),
    ("fish", ".local/share/fish/fish_history"),
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that was typed, and when (seconds since 1970), or 0 where the history does not say."""

    line: str
    at: int = 0


def found_files(env: Mapping[str, str]) -> list[tuple[str, Path]]:
    """Return the histories of this user that are there, each with its shell; $HISTFILE counts first."""
    home = places.home_dir(env)
    named = env.get("HISTFILE", "")
    found = [(shell_of(named), Path(named))] if named.startswith("/") and Path(named).is_file() else []
    for shell, name in PLACES if home else ():
        path = Path(env["XDG_DATA_HOME"], "fish/fish_history") if _own_fish(env, shell) else Path(home or "/", name)
        if path.is_file() and path not in [each for _, each in found]:
            found.append((shell, path))
    return found


def shell_of(path: str) -> str:
    """Return the shell whose history a file is likely to be, by its name."""
    name = path.rpartition("/")[2]
    if "fish" in name:
        return "fish"
    return "zsh" if "zsh" in name or name == ".histfile" else "bash"


def read(path: Path, shell: str) -> Iterator[Typed]:
    """Yield the lines of a history in order; raises OSError when it can't be read."""
    with open(path, "rb") as file:
        if shell == "fish":
            yield from fish(file)
        elif shell == "zsh":
            yield from zsh(file)
        else:
            yield from bash(file)


def bash(lines: Iterable[bytes]) -> Iterator[Typed]:
    """Yield what a bash history holds. With times, all up to the next one is one entry, however many lines it has."""
    at, timed = 0, False
    entry: list[str] = []
    for raw in lines:
        line = _text(raw.rstrip(b"\n"))
        if line[:1] == "#" and line[1:].isascii() and line[1:].isdecimal():
            yield from _entry(entry, at)
            entry, at, timed = [], int(line[1:]), True
        elif timed:
            entry.append(line)
        else:
            yield from _entry([line], 0)
    yield from _entry(entry, at)


def zsh(lines: Iterable[bytes]) -> Iterator[Typed]:
    """Yield what a zsh history holds, simple or extended (`: TIME:ELAPSED;LINE`)."""
    entry: list[str] = []
    for raw in lines:
        line = _text(unmetafied(raw.rstrip(b"\n")))
        # An odd number of backslashes at the end: the line end belongs to the entry.
        if (len(line) - len(line.rstrip("\\"))) % 2:
            entry.append(line[:-1])
            continue
        entry.append(line)
        yield from _zsh_entry("\n".join(entry))
        entry = []
    if entry:
        yield from _zsh_entry("\n".join(entry))


def _zsh_entry(text: str) -> Iterator[Typed]:
    head, semicolon, rest = text.partition(";")
    words = head[2:].split(":") if head.startswith(": ") else []
    if semicolon and len(words) == 2 and all(word.strip().isdecimal() for word in words):
        yield from _entry([rest], int(words[0]))
    else:
        yield from _entry([text], 0)


def fish(lines: Iterable[bytes]) -> Iterator[Typed]:
    """Yield what a fish history holds: `- cmd: LINE`, `  when: TIME`, line ends and backslashes escaped."""
    line, at = "", 0
    for raw in lines:
        text = _text(raw.rstrip(b"\n"))
        if text.startswith("- cmd: "):
            yield from _entry([line], at)
            line, at = _unescaped(text[7:]), 0
        elif text.startswith("  when: ") and text[8:].strip().isdecimal():
            at = int(text[8:])
    yield from _entry([line], at)


def unmetafied(raw: bytes) -> bytes:
    """Return the bytes that zsh meant."""
    if META not in raw:
        return raw
    found, turned = bytearray(), False
    for byte in raw:
        if turned:
            found.append(byte ^ 32)
            turned = False
        elif byte == META:
            turned = True
        else:
            found.append(byte)
    return bytes(found)


def _unescaped(text: str) -> str:
    found, escaped = [], False
    for char in text:
        if escaped:
            found.append({"n": "\n", "\\": "\\"}.get(char, "\\" + char))
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            found.append(char)
    return "".join(found)


def _entry(lines: list[str], at: int) -> Iterator[Typed]:
    text = "\n".join(lines).strip()
    if text:
        yield Typed(text, at)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _own_fish(env: Mapping[str, str], shell: str) -> bool:
    return shell == "fish" and env.get("XDG_DATA_HOME", "").startswith("/")
