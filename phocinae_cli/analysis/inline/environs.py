"""Whether code takes up the whole environment, rather than one variable of it."""

from __future__ import annotations

# language -> (what names the environment, what may not follow it when all of it is meant)
WHOLE: dict[str, tuple[tuple[str, str], ...]] = {
    "node": (("process.env", ".[?"), ("Deno.env.toObject", ""), ("Bun.env", ".[?")),
    "ruby": (
        ("ENV.to_", ""), ("ENV.map", ""), ("ENV.each", ""), ("ENV.inspect", ""), ("ENV.collect", ""),
        ("ENV.select", ""), ("ENV.sort", ""), ("ENV", ".[_=?:"),
    ),
    "perl": (("%ENV", ""), ("$ENV{$", "")),
    "php": (("$_ENV", "[_"), ("$_SERVER", "[_"), ("getenv()", "")),
    "r": (("Sys.getenv()", ""),),
    "awk": (("in ENVIRON", ""),),
}  # fmt: skip
NAMES_ONLY = ("Object.keys(", "keys ", "keys(", "ENV.keys")
"""What takes only the names of the variables."""


def whole_environment(language: str, text: str) -> bool:
    """Return whether a text of code takes up all of the environment at once."""
    return any(_stands(text, mark, but) for mark, but in WHOLE.get(language, ()))


def _stands(text: str, mark: str, but: str) -> bool:
    at = text.find(mark)
    while at >= 0:
        behind = text[at + len(mark) :].lstrip()[:1]
        before = text[max(at - 14, 0) : at]
        word = mark[0].isalpha() and (before[-1:].isalnum() or before[-1:] in ("_", "$"))
        if not word and not before.endswith(NAMES_ONLY) and not (behind and behind in but):
            return True
        at = text.find(mark, at + 1)
    return False
