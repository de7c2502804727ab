from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phocinae_cli.core.request import Request
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.state.approvals import CODE_S, NOT_STORED, Approvals


@pytest.fixture
def approvals(tmp_path: Path) -> Approvals:
    return Approvals(str(tmp_path / "state" / "approvals.jsonl"))


def test_exactly_the_text_in_exactly_the_directory_is_approved(approvals: Approvals) -> None:
    approvals.approve("rm -rf x", "/srv")
    assert approvals.approved("rm -rf x", "/srv")
    assert approvals.allows(Request("rm -rf x", cwd="/srv"))
    for text, cwd in [
        ("rm -rf x", "/srv/"), ("rm -rf x", "/"), ("rm -rf  x", "/srv"), ("rm -rf x ", "/srv"), ("rm -rf x\n", "/srv"),
        ("RM -rf x", "/srv"), ("", "/srv"), ("rm -rf x/", "srv"), ("rm -rf x\0/srv", ""), ("rm -rf", " x/srv"),
    ]:  # fmt: skip
        assert not approvals.approved(text, cwd), (text, cwd)


TEXTS = st.text(st.characters(), max_size=8) | st.sampled_from(["\udc80", "\ud800", "4:line", "é", "e\u0301"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_no_other_pair_is_approved_with_it(approvals: Approvals, text: str, cwd: str, other: str, place: str) -> None:
    Path(approvals.path).unlink(missing_ok=True)
    approvals.approve(text, cwd)
    assert approvals.approved(text, cwd)
    assert approvals.approved(other, place) == ((text, cwd) == (other, place))


def test_an_approval_ends_at_its_time(approvals: Approvals) -> None:
    approvals.approve("make deploy", "/srv", ttl_s=60)
    now = time.time()
    assert approvals.approved("make deploy", "/srv", now + 50)
    assert not approvals.approved("make deploy", "/srv", now + 61)


def test_limited_uses_are_used_up(approvals: Approvals) -> None:
    approvals.approve("make deploy", "/srv", uses=2)
    assert [approvals.spend("make deploy", "/srv") for _ in range(4)] == [True, True, False, False]
    approvals.approve("make deploy", "/srv")
    assert [approvals.spend("make deploy", "/srv") for _ in range(4)] == [True] * 4


def test_looking_spends_nothing(approvals: Approvals) -> None:
    approvals.approve("make deploy", "/srv", uses=1)
    before = Path(approvals.path).read_bytes()
    assert [approvals.allows(Request("make deploy", cwd="/srv")) for _ in range(3)] == [True] * 3
    assert Path(approvals.path).read_bytes() == before
    assert not approvals.spend("make deploy", "/")
    assert approvals.spend("make deploy", "/srv")
    assert not approvals.allows(Request("make deploy", cwd="/srv"))


def test_a_code_lets_its_line_pass_once_in_its_directory(approvals: Approvals) -> None:
    code = approvals.issue("rm -rf x", "/srv")
    assert not approvals.approved("rm -rf x", "/srv")
    granted = approvals.allow_once(code)
    assert (granted.shown, granted.cwd, granted.uses) == ("rm -rf x", "/srv", 1)
    assert not approvals.spend("rm -rf x", "/")
    assert not approvals.spend("rm -rf y", "/srv")
    assert approvals.spend("rm -rf x", "/srv")
    assert not approvals.spend("rm -rf x", "/srv")
    assert not os.path.exists(approvals.path)  # and no later check pays for it


def test_a_code_counts_once_and_for_ten_minutes(approvals: Approvals) -> None:
    code = approvals.issue("rm -rf x", "/srv")
    with pytest.raises(PhocinaeError) as caught:
        approvals.allow_once(code, time.time() + CODE_S + 1)
    assert caught.value.code == INVALID_ARGUMENTS
    code = approvals.issue("rm -rf x", "/srv")
    approvals.allow_once(code)
    with pytest.raises(PhocinaeError):
        approvals.allow_once(code)
    assert not approvals.approved("rm -rf x", "/srv", time.time() + CODE_S + 1)


def test_a_code_can_be_typed_as_people_type(approvals: Approvals) -> None:
    for spell in (str.lower, lambda code: code.replace("-", ""), lambda code: f" {code.replace('0', 'o')} "):
        code = approvals.issue("ls", "/")
        approvals.allow_once(spell(code))
    code = approvals.issue("ls", "/")
    approvals.allow_once(code.replace("1", "l"))


def test_codes_cannot_be_guessed_and_are_not_stored(approvals: Approvals) -> None:
    codes = {approvals.issue(f"line {number}", "/") for number in range(20)}
    assert len(codes) == 20
    assert all(len(code.replace("-", "")) == 10 for code in codes)
    stored = Path(approvals.path).read_text()
    assert not any(code in stored or code.replace("-", "") in stored for code in codes)
    for wrong in ("", "-", "AAAAA-AAAAA", "\udc80", "x" * 1000):
        with pytest.raises(PhocinaeError):
            approvals.allow_once(wrong)


def test_a_second_code_for_a_line_ends_the_first(approvals: Approvals) -> None:
    first = approvals.issue("ls", "/")
    second = approvals.issue("ls", "/")
    with pytest.raises(PhocinaeError):
        approvals.allow_once(first)
    approvals.allow_once(second)


def test_a_program_is_approved_by_name(approvals: Approvals) -> None:
    assert approvals.programs() == ()
    approvals.approve_program("frobnicate")
    approvals.approve_program("frobnicate")
    approvals.approve_program("étude")
    assert approvals.programs() == ("frobnicate", "étude")
    assert not approvals.approved("frobnicate", "/")
    approvals.remove("frobnicate")
    assert approvals.programs() == ("étude",)


def test_what_is_listed_can_be_taken_back(approvals: Approvals) -> None:
    assert approvals.listed() == []
    approvals.approve("PASSWORD=hunter2 deploy", "/srv", ttl_s=60)
    approvals.approve("x" * 500, "/srv")
    approvals.issue("ls", "/")
    first, second, third = approvals.listed()
    assert (first.kind, first.shown, first.cwd) == ("line", "PASSWORD=*** deploy", "/srv")
    assert len(second.shown) == 200
    assert third.kind == "code"
    assert "hunter2" not in Path(approvals.path).read_text()
    assert [each.key for each in approvals.remove(first.id)] == [first.key]
    assert not approvals.approved("PASSWORD=hunter2 deploy", "/srv")
    for name in ("", "nope", first.id, second.id[:3]):
        with pytest.raises(PhocinaeError):
            approvals.remove(name)
    assert len(approvals.listed()) == 2


def test_the_file_is_for_the_user_alone(approvals: Approvals) -> None:
    old = os.umask(0)
    try:
        approvals.approve("ls", "/")
    finally:
        os.umask(old)
    for place in (Path(approvals.path), Path(approvals.path + ".lock")):
        assert place.stat().st_mode & 0o777 == 0o600
    assert Path(approvals.path).parent.stat().st_mode & 0o777 == 0o700


def test_a_file_that_others_could_have_written_approves_nothing(approvals: Approvals) -> None:
    approvals.approve("ls", "/")
    approvals.approve_program("frob")
    os.chmod(approvals.path, 0o622)
    assert not approvals.approved("ls", "/")
    assert approvals.programs() == ()
    for change in (lambda: approvals.approve("pwd", "/"), approvals.listed, lambda: approvals.issue("x", "/")):
        with pytest.raises(PhocinaeError) as caught:
            change()
        assert caught.value.code == NOT_STORED


def test_a_file_of_somebody_else_approves_nothing(approvals: Approvals) -> None:
    approvals.approve("ls", "/")
    if os.getuid() == 0:
        os.chown(approvals.path, 12345, -1)
    else:
        os.unlink(approvals.path)
        os.symlink("/etc/passwd", approvals.path)
    assert not approvals.approved("ls", "/")
    with pytest.raises(PhocinaeError):
        approvals.listed()


def test_a_grant_that_cannot_be_stored_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    approvals = Approvals(str(tmp_path / "file" / "approvals.jsonl"))
    assert not approvals.approved("ls", "/")
    assert approvals.programs() == ()
    for grant in (
        lambda: approvals.approve("ls", "/"),
        lambda: approvals.approve_program("frob"),
        lambda: approvals.issue("ls", "/"),
        lambda: approvals.allow_once("AAAAA-AAAAA"),
    ):
        with pytest.raises(PhocinaeError) as caught:
            grant()
        assert caught.value.code == NOT_STORED
        assert "nothing was approved" in caught.value.do


def test_a_use_that_cannot_be_written_down_is_no_use(approvals: Approvals) -> None:
    approvals.approve("ls", "/", uses=1)
    os.unlink(approvals.path + ".lock")
    os.mkdir(approvals.path + ".lock")
    assert not approvals.spend("ls", "/")
    os.rmdir(approvals.path + ".lock")
    assert approvals.spend("ls", "/")


def test_a_full_disk_keeps_what_was_approved_before(approvals: Approvals) -> None:
    approvals.approve("ls", "/")
    code = f"""
import resource, signal
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.state.approvals import Approvals
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
try:
    Approvals({approvals.path!r}).approve("x" * 500, "/")
except PhocinaeError as error:
    print(error.code)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == NOT_STORED
    assert approvals.approved("ls", "/")
    assert sorted(each.name for each in Path(approvals.path).parent.iterdir()) == [
        "approvals.jsonl",
        "approvals.jsonl.lock",
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"expires": "never"}, {"expires": True}, {"uses": "many"}, {"uses": 0}, {"uses": -1}, {"uses": True},
        {"uses": 1.5}, {"kind": "other"}, {"kind": None}, {"cwd": 1}, {"made": None}, {"expires": 1}, {"key": "0" * 64},
    ],
)  # fmt: skip
def test_a_row_that_is_not_as_it_should_be_approves_nothing(approvals: Approvals, change: dict[str, object]) -> None:
    approvals.approve("ls", "/")
    row = json.loads(Path(approvals.path).read_text())
    Path(approvals.path).write_text(json.dumps({**row, **change}) + "\n")
    assert not approvals.approved("ls", "/")
    for missing in row:
        Path(approvals.path).write_text(json.dumps({name: row[name] for name in row if name != missing}) + "\n")
        assert not approvals.approved("ls", "/")


def test_lines_that_are_not_understood_are_left_in_place(approvals: Approvals) -> None:
    approvals.approve("ls", "/")
    with open(approvals.path, "ab") as file:
        file.write(b'{"kind": "of a later version"}\n\xff not json')
    approvals.approve("pwd", "/")
    assert approvals.approved("ls", "/")
    assert approvals.approved("pwd", "/")
    data = Path(approvals.path).read_bytes()
    assert b'{"kind": "of a later version"}\n' in data
    assert b"\xff not json\n" in data


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b'{"kind": "line"', b"[]\n1\nnull\n", b"[" * 100_000])
def test_a_broken_file_approves_nothing(approvals: Approvals, content: bytes) -> None:
    approvals.approve("ls", "/")
    key = json.loads(Path(approvals.path).read_text())["key"]
    Path(approvals.path).write_bytes(content + key.encode() + b'"kind": "line"')
    assert not approvals.approved("ls", "/")
    approvals.approve("ls", "/")
    assert approvals.approved("ls", "/")


FIFTY = """
import os, sys
from phocinae_cli.errors import PhocinaeError
from phocinae_cli.state import approvals as module
module._LOCK_S = 60
ready, go = os.pipe()
children = []
for number in range(50):
    child = os.fork()
    if not child:
        os.close(go)
        os.read(ready, 1)
        approvals = module.Approvals({path!r})
        {work}
    children.append(child)
os.close(go)
print(sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))
"""


def test_fifty_processes_lose_no_approval(approvals: Approvals) -> None:
    work = "approvals.approve(f'line {number}', '/'); approvals.approve_program(f'p{number}'); os._exit(0)"
    code = FIFTY.format(path=approvals.path, work=work)
    subprocess.run([sys.executable, "-c", code], check=True, timeout=100)
    assert all(approvals.approved(f"line {number}", "/") for number in range(50))
    assert sorted(approvals.programs()) == sorted(f"p{number}" for number in range(50))


def test_of_fifty_processes_one_gets_the_one_use(approvals: Approvals) -> None:
    approvals.allow_once(approvals.issue("rm x", "/"))
    code = FIFTY.format(path=approvals.path, work="os._exit(approvals.spend('rm x', '/'))")
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=100, capture_output=True, text=True)
    assert done.stdout.strip() == "1"
