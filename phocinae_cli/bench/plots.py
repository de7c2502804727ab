"""Pictures of a run as SVG text: reliability, sweep, latency, confusion. Colours are left to the page they stand in."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from phocinae_cli.core.verdict import DECISION_RANK, HARM_RANK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#010203"
"""Stands for the colour of text and lines, which is `currentColor` in the page, so that it suits light and dark."""

COLOURS = ("#2a86c9", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9")
"""Told apart by people who see no red or no green, and readable on white and on black."""

MARKERS = "osD^vP"
SIZE = (5.6, 3.8)


def pictures(summary: Mapping[str, Any], timing: Mapping[str, Any]) -> dict[str, str]:
    """Return the SVG of each picture by its title, without those that there are no figures for.

    Raises ImportError when matplotlib is not installed.
    """
    import matplotlib

    settings: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "phocinae",  # equal runs give equal files
        "font.family": "sans-serif",
        "text.color": INK,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "axes.titlecolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": INK,
        "ytick.color": INK,
        "legend.frameon": False,
        "legend.labelcolor": INK,
    }
    judges = summary["judges"]
    found = {}
    with matplotlib.rc_context(settings):
        if any(judge["calibration"] for judge in judges.values()):
            found["Reliability"] = _reliability(judges)
        if any(len(judge["sweep"]["min_confidence"]) > 1 for judge in judges.values()):
            found["What other thresholds would give"] = _sweep(judges)
        times = {**timing.get("judges", {}), **timing.get("ways", {})}
        if any(each["count"] for each in times.values()):
            found["Time for one answer"] = _latency(times)
        for name, judge in judges.items():
            if judge["rows"]:
                found[f"Decisions of {name} by label"] = _confusion(name, judge["confusion"])
    return found


def _reliability(judges: Mapping[str, Any]) -> str:
    figure, axes = _figure()
    axes.plot([0, 1], [0, 1], color=INK, linewidth=1, linestyle=":", label="sure as often as right")
    for place, (name, judge) in enumerate(judges.items()):
        if fit := judge["calibration"]:
            at = [each["confidence"] for each in fit["bins"]]
            right = [each["accuracy"] for each in fit["bins"]]
            label = f"{name} (ECE {fit['ece']:.3f})"
            axes.plot(at, right, color=_colour(place), marker=MARKERS[place % 6], label=label)
            sizes = [20 + 180 * each["rows"] / fit["rows"] for each in fit["bins"]]
            axes.scatter(at, right, s=sizes, color=_colour(place), alpha=0.35, linewidths=0)
    axes.set(xlim=(0, 1.02), ylim=(0, 1.04), xlabel="confidence", ylabel="share right")
    axes.legend(loc="upper left")
    return _svg(figure)


def _sweep(judges: Mapping[str, Any]) -> str:
    figure, axes = _figure()
    for place, (name, judge) in enumerate(judges.items()):
        points = judge["sweep"]["min_confidence"]
        if len(points) < 2:
            continue
        at = [point["threshold"] for point in points]
        purity = [point["purity"]["value"] for point in points]
        passed = [point["harmless_passed"]["value"] for point in points]
        axes.step(at, [_gap(value) for value in purity], where="post", color=_colour(place), label=f"{name}: purity")
        label = f"{name}: harmless rows passed"
        axes.step(
            at, [_gap(value) for value in passed], where="post", color=_colour(place), linestyle="--", label=label
        )
    axes.set(xlim=(0, 1), ylim=(0, 1.04), xlabel="threshold from which a claim of harmless passes", ylabel="share")
    axes.legend(loc="lower left", fontsize="small")
    return _svg(figure)


def _latency(times: Mapping[str, Any]) -> str:
    shown = {name: each for name, each in times.items() if each["count"]}
    figure, axes = _figure(0.5 + 0.55 * len(shown))
    for place, (name, each) in enumerate(shown.items()):
        axes.plot([each["p50_ms"], each["p99_ms"]], [place, place], color=_colour(place), linewidth=4, alpha=0.4)
        for marker, word in zip("osD", ("p50_ms", "p95_ms", "p99_ms"), strict=True):
            axes.plot(each[word], place, marker=marker, color=_colour(place))
        axes.annotate(name, (each["p50_ms"], place), xytext=(0, 7), textcoords="offset points", color=INK)
    axes.set(xscale="log", yticks=[], ylim=(-0.6, len(shown) - 0.2))
    axes.set_xlabel("milliseconds: median (circle), 95 % (square), 99 % (diamond)")
    return _svg(figure)


def _confusion(name: str, confusion: Mapping[str, Mapping[str, int]]) -> str:
    figure, axes = _figure(2.6)
    decisions = list(DECISION_RANK)
    labels = [label for label in HARM_RANK if label in confusion]
    for row, label in enumerate(labels):
        total = sum(confusion[label].values())
        for column, decision in enumerate(decisions):
            count = confusion[label].get(decision, 0)
            good = HARM_RANK[label] == DECISION_RANK[decision]
            colour, share = COLOURS[0] if good else COLOURS[1], count / total
            axes.add_patch(_box(column, row, colour, share))
            axes.annotate(f"{count:,}\n{share:.1%}", (column, row), ha="center", va="center", color=INK)
    axes.set_xticks(range(len(decisions)), decisions)
    axes.set_yticks(range(len(labels)), labels)
    axes.set(xlim=(-0.5, len(decisions) - 0.5), ylim=(len(labels) - 0.5, -0.5))
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return _svg(figure)


def _box(column: int, row: int, colour: str, share: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, color=colour, alpha=0.06 + 0.5 * share, linewidth=0)


def _figure(height: float = SIZE[1]) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure as NewFigure

    figure = NewFigure(figsize=(SIZE[0], height), layout="constrained")
    return figure, figure.add_subplot()


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _gap(value: float | None) -> float:
    return float("nan") if value is None else value


def _svg(figure: Figure) -> str:
    """Return a figure as an `svg` element that can stand in a page."""
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor").strip()
