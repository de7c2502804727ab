from __future__ import annotations

import json
from pathlib import Path

import pytest

from phocinae_cli.cli.group import build
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.state.approvals import Approvals


@pytest.fixture
def kept(home: Path) -> Approvals:
    return Approvals(str(home / ".local" / "state" / "phocinae" / "approvals.jsonl"))


def call(*argv: str) -> int:
    return int(build("approvals", "approvals", "").main(args=list(argv), prog_name="x", standalone_mode=False) or 0)


def test_what_is_approved_is_listed(kept: Approvals, capsys: pytest.CaptureFixture[str]) -> None:
    first = kept.approve("TOKEN=abc deploy\x1b[0m", "/srv", ttl_s=3600, uses=1)
    kept.approve_program("frobnicate")
    kept.issue("rm -rf x", "/")
    assert call() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{first.id}  line  TOKEN=*** deploy\\x1b[0m  in /srv  once  until ")
    assert lines[1] == "frobnicate  program  frobnicate"
    assert "  code not used yet  rm -rf x  in /  until " in lines[2]
    call("list", "--json")
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == 1
    assert [each["kind"] for each in data["approvals"]] == ["line", "program", "code"]
    assert data["approvals"][0]["uses"] == 1


def test_an_approval_is_taken_back_by_its_id_or_name(kept: Approvals, capsys: pytest.CaptureFixture[str]) -> None:
    first = kept.approve("ls", "/")
    kept.approve_program("frob")
    kept.approve_program("frobnicate")
    assert call("remove", first.id, "frob") == 0
    assert capsys.readouterr().out.count("removed: ") == 2
    assert not kept.approved("ls", "/")
    assert kept.programs() == ("frobnicate",)
    assert call("remove", "--all") == 0
    assert kept.listed() == []


def test_nothing_approved_is_said_on_stderr(kept: Approvals, capsys: pytest.CaptureFixture[str]) -> None:
    for argv in ((), ("remove", "--all")):
        assert call(*argv) == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "nothing is approved" in captured.err


@pytest.mark.parametrize("argv", [("remove",), ("remove", "nope"), ("remove", "nope", "--all")])
def test_what_is_not_there_cannot_be_taken_back(kept: Approvals, argv: tuple[str, ...]) -> None:
    kept.approve("ls", "/")
    with pytest.raises(PhocinaeError) as caught:
        call(*argv)
    assert caught.value.code == INVALID_ARGUMENTS
    assert kept.approved("ls", "/")


@pytest.mark.parametrize("line", ["rm -rf ~", "sudo rm -rf /", "git push origin main --force"])
def test_a_line_that_no_approval_opens_is_not_approved(kept: Approvals, home: Path, line: str) -> None:
    config = home / ".config" / "phocinae" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[[rules]]\ndecision = "deny"\nprogram = "git"\nflags = ["--force"]\n')
    with pytest.raises(PhocinaeError, match="no approval opens this line") as caught:
        build("allow", "allow", "").main(args=[line], prog_name="x", standalone_mode=False)
    assert caught.value.code == INVALID_ARGUMENTS
    assert kept.listed() == []


def test_a_line_that_the_engine_denies_can_be_approved(kept: Approvals) -> None:
    build("allow", "allow", "").main(args=["rm -rf /srv/data"], prog_name="x", standalone_mode=False)
    assert len(kept.listed()) == 1
