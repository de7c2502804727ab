"""The learned part: how likely is a command harmless whose program nobody described?

A hashed linear model over the words of the argv, trained on commands of described programs (bench/unknown). It may
claim `harmless` or raise a verdict, never lower one. Pure Python, a few dozen additions a command.
"""

from __future__ import annotations

import os
from math import exp, sqrt
from zlib import crc32

BUCKETS = 8192
CLASSES = 3
FLOOR = 0.9
"""Below this probability nothing is claimed."""
WEIGHTS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "kb", "unknown.bin")

_weights: bytes | None = None


def probabilities(program: str, words: tuple[str, ...]) -> tuple[float, float, float] | None:
    """Return the probabilities of harmless, risky and destructive, or None when the weights can't be read.

    `words` are those behind the program's name.
    """
    weights = _load()
    if weights is None:
        return None
    scale = int.from_bytes(weights[0:4], "little") / 1e6
    totals = [int.from_bytes(weights[4 + 4 * k : 8 + 4 * k], "little", signed=True) / 1e6 for k in range(CLASSES)]
    names = features(program, words)
    scale /= sqrt(len(names))
    for name in names:
        at = 16 + CLASSES * (crc32(name.encode("utf-8", "replace")) % BUCKETS)
        for k in range(CLASSES):
            value = weights[at + k]
            totals[k] += (value - 256 if value > 127 else value) * scale
    highest = max(totals)
    raised = [exp(total - highest) for total in totals]
    whole = sum(raised)
    return raised[0] / whole, raised[1] / whole, raised[2] / whole


def features(program: str, words: tuple[str, ...]) -> list[str]:
    """Return the features of an argv: pieces of the name, verbs by position, options, shapes of operands."""
    found = ["bias"]
    name = f"^{program.lower()[:24]}$"
    found.extend(f"n:{name[at : at + size]}" for size in (3, 4) for at in range(len(name) - size + 1))
    found.extend(f"np:{part}" for part in program.lower().replace("_", "-").split("-") if part)
    position = 0
    for word in words[:24]:
        if word[:1] == "-" and len(word) > 1:
            option = word.partition("=")[0][:24]
            found.append(f"o:{option}")
            if option.startswith("--"):
                found.extend(f"op:{part}" for part in option[2:].split("-"))
            continue
        shape = _shape(word)
        if shape == "word" and position < 3:
            lowered = word.lower()[:24]
            found.append(f"v{position}:{lowered}")
            found.append(f"v:{lowered}")
            found.extend(f"vp:{part}" for part in lowered.replace("_", "-").split("-"))
        else:
            found.append(f"s:{shape}")
        position += 1
    found.append(f"c:{min(position, 4)}")
    return found


def _shape(word: str) -> str:
    if "://" in word:
        return "url"
    if word[:1] == "<":
        return "unknown"
    if "/" in word or word[:1] in "~.":
        return "path"
    if "@" in word:
        return "address"
    if "=" in word:
        return "setting"
    if "." in word:
        return "file:" + word.rpartition(".")[2][:6].lower()
    if word[:1].isdigit():
        return "number"
    if " " in word or "*" in word:
        return "text"
    return "word"


def _load() -> bytes | None:
    global _weights
    if _weights is None:
        try:
            with open(WEIGHTS, "rb") as file:
                _weights = file.read()
        except OSError:
            _weights = b""
    return _weights if len(_weights) == 16 + CLASSES * BUCKETS else None
