"""The map of imports is held by `lint-imports`; here each of its rules is broken once, to see that it holds."""

from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RULES = ROOT / ".importlinter"

# rule -> (the module that breaks it, the statement that does)
BREACHES = {
    "map": ("core/verdict.py", "from phocinae_cli import app"),
    "pure": ("analysis/words.py", "import os"),
    "typer": ("config/files.py", "import typer"),
    "rich": ("render/text.py", "import rich"),
    "http": ("backends/loopback.py", "import httpx"),
    "server": ("resident/worker.py", "import starlette"),
    "general": ("gate/consult.py", "import numpy"),
    "windows": ("analysis/parse.py", "import tree_sitter"),
    "sql": ("analysis/parse.py", "import sqlglot"),
    "plots": ("cli/screen.py", "import matplotlib"),
}

# Parts that are pure on the map; one that is not written yet joins the rule with its first line.
PURE = (
    *("errors", "options", "core", "analysis", "gate", "render", "hosts", "kb.schema", "kb.lookup", "config.keys"),
    *("config.resolve", "backends.wire", "resident.protocol", "bench.score"),
)


def lint(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Hold the package in `folder` against the rules of this checkout."""
    script = Path(sys.executable).with_name("lint-imports")
    command = [str(script), "--no-cache", "--no-logo", *options, str(RULES)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100, check=False
    )


def rules() -> configparser.ConfigParser:
    """Read the rules of this checkout."""
    parser = configparser.ConfigParser()
    parser.read(RULES)
    return parser


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that a test may spoil; returns the folder that holds it."""
    shutil.copytree(
        ROOT / "phocinae_cli", tmp_path / "phocinae_cli", ignore=shutil.ignore_patterns("*.pyc", "*.toml", "kb.txt")
    )
    return tmp_path


def test_the_package_keeps_to_the_map(package: Path) -> None:
    seen = lint(package)
    assert seen.returncode == 0, seen.stdout + seen.stderr


def test_every_pure_part_is_under_the_rule_for_them() -> None:
    listed = set(rules()["importlinter:contract:pure"]["source_modules"].split())
    places = {f"phocinae_cli.{part}": ROOT / "phocinae_cli" / part.replace(".", "/") for part in PURE}
    assert listed == {name for name, place in places.items() if place.is_dir() or place.with_suffix(".py").exists()}


def test_every_rule_is_broken_here_once() -> None:
    named = {section.rpartition(":")[2] for section in rules().sections() if ":contract:" in section}
    assert named == set(BREACHES)


@pytest.mark.parametrize("rule", BREACHES)
def test_a_breach_is_caught(rule: str, package: Path) -> None:
    where, statement = BREACHES[rule]
    spoilt = package / "phocinae_cli" / where
    spoilt.write_text(spoilt.read_text(encoding="utf-8") + f"\n{statement}\n", encoding="utf-8")
    seen = lint(package, "--contract", rule)
    module = "phocinae_cli." + where.removesuffix(".py").replace("/", ".")
    assert seen.returncode == 1, seen.stdout + seen.stderr
    assert "BROKEN" in seen.stdout
    assert module in seen.stdout
