"""What all tests share: a home of their own, a fresh knowledge base, goldens, and programs that must be there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
KB = ROOT / "phocinae_cli" / "kb"
IN_CI = os.environ.get("CI", "") not in ("", "0", "false")

# Deadlines measure the neighbours on a shared machine; the same examples on every run make a failure repeatable.
hypothesis.settings.register_profile("phocinae", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("phocinae")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden from what is printed now")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the knowledge base when a source of it is newer: a verdict from an old one would prove nothing."""
    if hasattr(config, "workerinput"):
        return  # the process that started this one has done it
    if not (KB / "compile.py").exists():
        return
    from phocinae_cli.kb.compile import compile_all

    output = KB / "kb.txt"
    sources = [*KB.glob("commands/*.toml"), *KB.glob("*.py")]
    if not output.exists() or output.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        fresh = output.with_suffix(f".{os.getpid()}")
        compile_all(KB / "commands", fresh)
        fresh.replace(output)  # whole or not at all: another run may be reading it


# --- a skip is a hole that nobody looks at: in CI it fails ------------------------------------------------------------


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"nothing is skipped in CI: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.fixture(scope="session")
def program() -> Callable[[str], str]:
    """Find a program such as `zsh`; where it is missing the test is skipped, which in CI is a failure."""

    def find(name: str) -> str:
        found = shutil.which(name)
        if found is None:
            pytest.skip(f"{name} is not installed")
        return found

    return find


# --- surroundings -----------------------------------------------------------------------------------------------------


def _settle(patch: pytest.MonkeyPatch, home: Path) -> None:
    """Point every place that is read or written at `home`, and forget the settings of whoever runs the tests."""
    for name in list(os.environ):
        if name.startswith("PHOCINAE_"):
            patch.delenv(name)
    home.mkdir(parents=True, exist_ok=True)
    patch.setenv("HOME", str(home))
    for name, place in (
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_RUNTIME_DIR", ".run"),
    ):
        (home / place).mkdir(parents=True, exist_ok=True, mode=0o700)
        patch.setenv(name, str(home / place))


@pytest.fixture(scope="session", autouse=True)
def strangers_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep every test away from the real home. Shared by all tests: one that writes takes `home` instead."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("home")
        _settle(patch, place)
        yield place


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for one test, with the XDG folders inside it and no setting of phocinae in the environment."""
    place = tmp_path / "home"
    _settle(monkeypatch, place)
    return place


# --- goldens ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Hold a text against tests/golden/NAME; with --update-golden it is written there instead."""

    def compare(name: str, text: str) -> None:
        path = TESTS / "golden" / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path} is missing: look at the text, then write it with --update-golden"
        assert text == path.read_text(encoding="utf-8")

    return compare
