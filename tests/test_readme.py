"""What the README and the documentation say holds: commands are there, examples run, links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from phocinae_cli.analysis.prove import contradictions
from phocinae_cli.cli import COMMANDS
from phocinae_cli.core.verdict import EXIT_FAILURE, EXIT_STATUS, EXIT_USAGE
from phocinae_cli.kb.compile import compile_tools, load_file
from phocinae_cli.kb.lookup import Knowledge
from tests.judging import knowledge

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
MARK = "<!-- runs -->\n```console\n"
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATIENCE_S = 60


class Visitor:
    """Somebody who types what stands in the README, in a project below a home of their own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.project = home / "project"
        programs = home / "programs"
        self.project.mkdir(parents=True)
        programs.mkdir()
        command = programs / "phocinae"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m phocinae_cli "$@"\n')
        command.chmod(0o755)
        self.env = {
            "HOME": str(home),
            "PATH": f"{programs}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "PYTHONSAFEPATH": "1",
        }

    def types(self, line: str, status: int = 0) -> tuple[str, int]:
        """Return what a line prints, the home as `~`, and its exit status; `status` is that of the line before."""
        done = subprocess.run(
            ["bash", "-c", f"(exit {status}); {line}"],
            cwd=self.project, env=self.env, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert done.stderr == "", line
        return done.stdout.replace(str(self.home), "~"), done.returncode


def blocks() -> list[list[tuple[str, str]]]:
    """Return the marked blocks, each as pairs of a typed line and what is said to be printed."""
    found = []
    for part in README.split(MARK)[1:]:
        steps = part.partition("```")[0].split("$ ")
        assert steps[0] == ""
        found.append([(step.partition("\n")[0], step.partition("\n")[2]) for step in steps[1:]])
    return found


@pytest.fixture
def visitor(tmp_path: Path) -> Visitor:
    return Visitor(tmp_path / "home")


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block[0][0][:60])
def test_a_block_prints_what_it_shows_and_exits_as_it_says(block: list[tuple[str, str]], visitor: Visitor) -> None:
    status = 0
    for line, shown in block:
        printed, after = visitor.types(line, status)
        assert printed == shown, line
        if line.startswith("phocinae check"):
            strictest = max(
                EXIT_STATUS[word] for word in EXIT_STATUS if re.search(rf"^(\S+: )?{word} ", shown, re.MULTILINE)
            )
            assert after == strictest, line
        else:
            assert after == 0, line
        status = after


def test_the_readme_has_blocks_that_run_with_every_decision() -> None:
    shown = "".join(text for block in blocks() for _, text in block)
    assert len(blocks()) > 4
    for decision in EXIT_STATUS:
        assert re.search(rf"^{decision} ", shown, re.MULTILINE), decision


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_every_command_stands_in_the_readme(name: str) -> None:
    assert re.search(rf"^\|.*`phocinae {name}`.*\|$", README, re.MULTILINE)


def test_every_exit_status_stands_in_the_readme() -> None:
    table = README.partition("| status | meaning |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = {int(row.split("|")[1]): row.split("|")[2].strip() for row in table.splitlines()}
    assert set(rows) == {*EXIT_STATUS.values(), EXIT_USAGE, EXIT_FAILURE}
    for decision, status in EXIT_STATUS.items():
        assert rows[status].startswith(decision)


def test_the_object_shown_is_what_json_prints(visitor: Visitor) -> None:
    shown = json.loads(README.partition("<!-- json -->\n```json\n")[2].partition("```")[0])
    printed = json.loads(visitor.types("phocinae check --json 'git clean -fd && make'")[0])
    assert list(shown) == list(printed)
    for key, value in shown.items():
        if key in ("confidence", "cwd", "taken_ms"):
            assert type(value) is type(printed[key])
        else:
            assert value == printed[key], key


def test_what_the_hook_is_said_to_show_is_what_its_own_page_shows() -> None:
    page = (ROOT / "docs" / "shell-hook.md").read_text(encoding="utf-8")
    shown = re.findall(r"```\n(phocinae: .*?)```", README, re.DOTALL)
    assert len(shown) == 2
    for block in shown:
        assert block in page


# --- the pages -------------------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """Return the names that a page's headings can be linked by."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page if not name else (page.parent / name).resolve()
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_linked_from_the_readme() -> None:
    linked = {link.partition("#")[0] for link in LINK.findall(README)}
    assert {f"docs/{page.name}" for page in PAGES if page.parent.name == "docs"} <= linked


# The page on configuration lists `make build` and others as text that a rule may name.
@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "configuration"], ids=lambda page: page.name)
def test_every_make_target_named_is_there(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    for target in re.findall(r"(?:`|^)make ([a-z][a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
        assert target in targets


def test_the_entries_shown_to_authors_of_knowledge_prove_themselves(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "knowledge.md").read_text(encoding="utf-8")
    shown = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert len(shown) == 2
    for number, text in enumerate(shown):
        path = tmp_path / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        tools = load_file(path)
        examples = [example for tool in tools for example in tool.examples]
        assert examples
        assert not contradictions(examples, Knowledge(knowledge().text, compile_tools(tools)))
