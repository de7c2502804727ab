"""Train the model for programs that nobody described, and say how good it is on programs it has never seen.

The teacher is the engine itself: every command of a *described* program in the corpus and in our own labelled set
has a harm, and the model learns to tell it from the words alone. Programs are split by the hash of their name, so
the figures are about programs that were held out. Writes `phocinae_cli/kb/unknown.bin`.

Usage: python bench/unknown/train.py [--corpus DIR] [--write]
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from phocinae_cli.backends.unknown import BUCKETS, CLASSES, FLOOR, features  # noqa: E402
from phocinae_cli.core.request import Request  # noqa: E402
from phocinae_cli.core.verdict import HARM_RANK  # noqa: E402
from tests.judging import analysed, judged, knowledge  # noqa: E402

OUTPUT = ROOT / "phocinae_cli" / "kb" / "unknown.bin"
LICENCES = ("CC-BY-4.0", "CC0-1.0", "MIT", "Apache-2.0", "BSD-3-Clause")

SEEN_IN = 5
Array = np.ndarray
Sample = tuple[str, tuple[str, ...], int, float]


def samples(corpus: Path) -> list[Sample]:
    """Return program, words, class and weight of every command that is one call of a described program."""
    found: dict[tuple[str, tuple[str, ...]], Sample] = {}
    lines: list[tuple[str, str | None, float]] = []
    for row in read(ROOT / "bench" / "datasets" / "own" / "rows.jsonl"):
        if row["split"] == "fit" and row["shell"] in ("bash", "zsh"):
            lines.append((row["command"], row["label"], 3.0))
    if corpus.exists():
        for row in read(corpus / "everyday.jsonl"):
            if row["shell"] == "posix" and row["license"].startswith(LICENCES):
                lines.append((row["command"], None, 1.0))
    else:
        print(f"no corpus at {corpus}: training on our own labelled set alone")
    for line, label, weight in lines:
        analysis = analysed(Request(line))
        if len(analysis.actions) != 1 or analysis.fault or analysis.unreadable:
            continue
        action = analysis.actions[0]
        tool = knowledge().find(action.program)
        if tool is None or tool.special or not action.program:
            continue
        harm = label or judged(line).harm
        if harm is not None:
            words = action.argv[1:]
            found[action.program, words] = (action.program, words, HARM_RANK[harm], weight)
    return list(found.values())


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def matrix(rows: list[Sample]) -> tuple[list[Array], Array, Array]:
    """Return the bucket numbers of each row, the classes and the weights (every program counts alike in the end)."""
    per_program: dict[str, int] = {}
    for program, *_ in rows:
        per_program[program] = per_program.get(program, 0) + 1
    indices = [np.array([crc32(f.encode("utf-8", "replace")) % BUCKETS for f in features(p, w)]) for p, w, _, _ in rows]
    weights = np.array([weight / np.sqrt(per_program[p]) for p, _, _, weight in rows])
    return indices, np.array([klass for _, _, klass, _ in rows]), weights / weights.mean()


def fit(rows: list[Sample], rounds: int = 3, rate: float = 0.05, decay: float = 1e-5) -> tuple[Array, Array]:
    """Return weights and biases of a softmax regression, by AdaGrad over shuffled rows.

    Only features that at least SEEN_IN programs have get a weight: what one program says teaches nothing of another.
    """
    indices, classes, importance = matrix(rows)
    programs: dict[int, set[str]] = {}
    for row, where in zip(rows, indices, strict=True):
        for bucket in where.tolist():
            programs.setdefault(bucket, set()).add(row[0])
    shared = np.array([len(programs.get(bucket, ())) >= SEEN_IN for bucket in range(BUCKETS)])
    weights, bias = np.zeros((BUCKETS, CLASSES)), np.zeros(CLASSES)
    steps = np.full((BUCKETS, CLASSES), 1e-2)
    order = np.random.default_rng(7)
    for _ in range(rounds):
        for row_number in order.permutation(len(rows)):
            size = np.sqrt(len(indices[row_number]))
            where = indices[row_number][shared[indices[row_number]]]
            totals = weights[where].sum(axis=0) / size + bias
            slope = np.exp(totals - totals.max())
            slope /= slope.sum()
            slope[classes[row_number]] -= 1.0
            slope *= importance[row_number]
            np.add.at(steps, where, (slope / size) ** 2)
            np.add.at(weights, where, -rate * (slope / size) / np.sqrt(steps[where]))
            weights[where] *= 1 - decay
            bias -= rate * 0.05 * slope
    return weights, bias


def quantised(weights: Array, bias: Array, temperature: float) -> bytes:
    """Return the model as bytes: the scale, the biases, then one signed byte a weight."""
    cold, shift = weights / temperature, bias / temperature
    scale = max(np.abs(cold).max() / 127, 1e-6)
    head: bytes = round(scale * 1e6).to_bytes(4, "little")
    head += b"".join(round(value * 1e6).to_bytes(4, "little", signed=True) for value in shift)
    steps = np.clip(np.round(cold / (round(scale * 1e6) / 1e6)), -127, 127)
    return head + bytes(steps.astype(np.int8).tobytes())


def scores(rows: list[Sample], weights: Array, bias: Array) -> tuple[Array, Array]:
    """Return the totals of every row by class, and the classes."""
    indices, classes, _ = matrix(rows)
    return np.array([weights[where].sum(axis=0) / np.sqrt(len(where)) + bias for where in indices]), classes


def softmax(totals: Array) -> Array:
    """Return the probabilities that totals stand for."""
    raised = np.exp(totals - totals.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def best_temperature(totals: Array, classes: Array) -> float:
    """Return the temperature with the least log loss."""

    def loss(temperature: float) -> float:
        chances = softmax(totals / temperature)
        return float(-np.log(np.maximum(chances[np.arange(len(classes)), classes], 1e-9)).mean())

    return float(min(np.arange(0.6, 6.0, 0.1), key=loss))


def report(totals: Array, classes: Array, temperature: float) -> None:
    """Print how good the claims are on programs that were held out."""
    chances = softmax(totals / temperature)
    top = chances.max(axis=1)
    right = chances.argmax(axis=1) == classes
    edges = np.linspace(0, 1, 11)
    ece = 0.0
    for low, high in pairwise(edges):
        inside = (top > low) & (top <= high)
        if inside.any():
            ece += inside.mean() * abs(right[inside].mean() - top[inside].mean())
    claimed = chances[:, 0] >= FLOOR
    majority = np.bincount(classes).max() / len(classes)
    print(f"held out: {len(classes)} commands, accuracy {right.mean():.3f} (majority {majority:.3f})")
    print(f"temperature {temperature:.1f}, calibration error {ece:.3f}")
    for klass, name in enumerate(("harmless", "risky", "destructive")):
        mine = classes == klass
        print(f"{name}: {mine.sum()} commands, claimed harmless at p >= {FLOOR}: {claimed[mine].mean():.3f}")
    print(f"purity of the claims: {(classes[claimed] == 0).mean():.4f} of {claimed.sum()}")


def main() -> None:
    """Train, report, and write the weights if asked to."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    options.add_argument("--write", action="store_true", help="train on everything and write the weights")
    given = options.parse_args()
    rows = samples(given.corpus)
    held = [row for row in rows if crc32(row[0].encode()) % 5 == 0]
    rest = [row for row in rows if crc32(row[0].encode()) % 5 != 0]
    print(f"{len(rows)} commands of {len({row[0] for row in rows})} described programs; {len(held)} held out")
    weights, bias = fit(rest)
    totals, classes = scores(held, weights, bias)
    temperature = best_temperature(totals, classes)
    report(totals, classes, temperature)
    if given.write:
        weights, bias = fit(rows)
        OUTPUT.write_bytes(quantised(weights, bias, temperature))
        print(f"wrote {OUTPUT.relative_to(ROOT)}: {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
