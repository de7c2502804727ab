"""The page on configuration says what the program does: its table, its sample and its names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from phocinae_cli.config.docs import END, START, reference
from phocinae_cli.config.files import PROJECT_FILE
from phocinae_cli.config.keys import BY_VARIABLE, KEYS
from phocinae_cli.config.layers import USER, Layer
from phocinae_cli.config.load import OTHER_VARIABLES
from phocinae_cli.config.prove import prove, read_knowledge
from phocinae_cli.config.resolve import merge
from phocinae_cli.config.rules import FIELDS

PAGE = Path(__file__).parents[2] / "docs/configuration.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_page_holds_the_reference_as_it_is_now(page: str) -> None:
    inside = page.partition(START)[2].partition(END)[0]
    assert inside == reference(), "`phocinae config docs --into docs/configuration.md` renews it"


def test_every_key_has_a_row(page: str) -> None:
    assert re.findall(r"^\| `([a-z_.]+)` \|.*\|.*\|.*\|.*\|$", reference(), re.M) == [key.name for key in KEYS]


def test_the_sample_is_legal_and_its_examples_hold(page: str) -> None:
    (sample,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    loaded = merge([Layer(USER, "sample", tomllib.loads(sample), sample)])
    assert loaded.faults == ()
    assert len(loaded.entries) >= 3
    assert all(entry.match and entry.no_match for entry in loaded.entries)
    assert [str(problem) for problem in prove(loaded.entries, read_knowledge(), "/home/user")] == []


def test_every_field_of_a_rule_is_explained(page: str) -> None:
    rows = re.findall(r"^\| (`.*?`) \|", page.partition("## Rules")[2], re.M)
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == set(FIELDS)


def test_every_name_on_the_page_exists(page: str) -> None:
    variables = set(re.findall(r"PHOCINAE_[A-Z_]+", page)) - {"PHOCINAE_"}
    assert variables <= set(BY_VARIABLE) | set(OTHER_VARIABLES)
    assert PROJECT_FILE in page
