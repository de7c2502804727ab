"""The tables of the README come from kept results, and only from there."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from phocinae_cli.bench.results import MACHINE, PLAN, ROWS, SUMMARY, TIMING

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results"


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_readme", ROOT / "bench" / "readme.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_block_is_written_between_its_markers(script: ModuleType) -> None:
    text = f"# x\n\n{script.BEGIN}\nold | table\n{script.END}\n\ny\n"
    after = script.written(text)
    assert after.startswith("# x\n\n<!-- bench:begin -->")
    assert after.endswith("<!-- bench:end -->\n\ny\n")
    assert "old | table" not in after
    assert script.written(after) == after


@pytest.mark.parametrize("text", ["", "<!-- bench:end --><!-- bench:begin -->", "<!-- bench:begin -->" * 2])
def test_without_its_markers_nothing_is_written(script: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match="there must be one"):
        script.written(text)


def test_the_block_of_the_readme_is_what_the_results_give(script: ModuleType) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    if script.BEGIN in text:
        assert script.written(text) == text, "python bench/readme.py writes it anew"


def test_every_run_that_the_readme_tells_of_was_kept_whole(script: ModuleType) -> None:
    for label in script.SECTIONS:
        folder = script.newest(label)
        assert folder is not None, f"no run is kept under the label {label}"
        assert {SUMMARY, TIMING, MACHINE, PLAN, ROWS} <= {path.name for path in folder.iterdir()}
        assert f"From `bench/results/{folder.name}`" in script.block()


@pytest.mark.parametrize(
    ("name", "same"), [("guards", True), ("guards-2", True), ("guards-x", False), ("guards2", False)]
)
def test_the_newest_run_of_a_label_counts(script: ModuleType, name: str, same: bool) -> None:
    assert script.rest_is_number(name, "guards") is same
