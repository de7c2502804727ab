"""The marked block that `install` puts into a shell's start-up file: found, written and taken out as text."""

from __future__ import annotations

START = "# >>> phocinae >>>"
END = "# <<< phocinae <<<"

SHELLS = ("bash", "zsh", "fish")


class Torn(Exception):
    """One of the two marks is missing or stands in the wrong place, so it can't be told what is ours."""


def block(shell: str, hook: str) -> str:
    """Return the block for a shell: it loads the hook where that is readable, and says nothing where it is not."""
    path = _quoted(hook, shell)
    if shell == "fish":
        load = f"test -r {path}; and source {path}"
    elif shell == "zsh":
        load = f"[[ ! -r {path} ]] || source {path}"
    else:
        load = f"if [ -r {path} ]; then . {path}; fi"
    said = "# Vets each line before it runs. `phocinae uninstall` takes this out, `phocinae_off` is for one shell."
    return f"{START}\n{said}\n{load}\n{END}\n"


def with_block(text: str, new: str) -> str:
    """Return a file's text with the block in it: in the place of an older one, else at the end. May raise Torn."""
    span = find(text)
    if span is not None:
        return text[: span[0]] + new + text[span[1] :]
    if not text:
        return new
    return text + ("" if text.endswith("\n") else "\n") + "\n" + new


def without_block(text: str) -> str:
    """Return a file's text without the block and the empty line that was put in front of it. May raise Torn."""
    span = find(text)
    if span is None:
        return text
    before, after = text[: span[0]], text[span[1] :]
    if before.endswith("\n\n") and not after:
        before = before[:-1]
    return before + after


def find(text: str) -> tuple[int, int] | None:
    """Return where the block starts and ends, line end included; None when there is none. May raise Torn."""
    lines = text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.strip() == START]
    ends = [number for number, line in enumerate(lines) if line.strip() == END]
    if not starts and not ends:
        return None
    if len(starts) != 1 or len(ends) != 1 or ends[0] < starts[0]:
        raise Torn
    return sum(map(len, lines[: starts[0]])), sum(map(len, lines[: ends[0] + 1]))


def _quoted(path: str, shell: str) -> str:
    if shell == "fish":
        return "'" + path.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "'" + path.replace("'", "'\"'\"'") + "'"
