"""Where a configuration is looked for, and what happens to a file that is there and can't be used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from phocinae_cli.config.files import MAX_BYTES, project_file, user_file
from phocinae_cli.config.load import NO_HOME, load, survey
from phocinae_cli.core.settings import Settings
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config(home: Path) -> Path:
    """The user's file, with its folder made and nothing in it yet."""
    path = home / ".config/phocinae/config.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    return {"HOME": str(home)}


def details(env: dict[str, str], cwd: str) -> tuple[str, ...]:
    with pytest.raises(PhocinaeError) as caught:
        load(env, cwd)
    assert caught.value.code == INVALID_CONFIG
    assert caught.value.do
    return caught.value.details


def test_nothing_configured_gives_the_defaults(env: dict[str, str], home: Path) -> None:
    loaded = load(env, str(home))
    assert vars(loaded.settings) == vars(Settings())
    assert (loaded.origins, loaded.problems, loaded.notices, loaded.faults) == ({}, (), (), ())


def test_nothing_configured_imports_nothing_heavy(home: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from phocinae_cli.config.load import load\n"
        f"load({{'HOME': {str(home)!r}, 'PHOCINAE_TOKEN': 'x'}}, {str(home)!r})\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-IS", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    seen = set(run.stdout.split())
    heavy = {"re", "json", "tomllib", "typing", "enum", "collections", "functools", "hashlib", "difflib", "ipaddress"}
    assert not seen & heavy
    ours = {name for name in seen if name.startswith("phocinae_cli.config.")}
    assert ours == {f"phocinae_cli.config.{name}" for name in ("load", "files", "layers", "problems")}


def test_a_value_is_followed_and_its_origin_named(env: dict[str, str], config: Path, home: Path) -> None:
    config.write_text("[gate]\nmin_confidence = 0.9\n")
    loaded = load(env, str(home))
    assert loaded.settings.gate_min_confidence == 0.9
    assert loaded.origins == {"gate.min_confidence": str(config)}


def test_the_later_place_wins(env: dict[str, str], config: Path, home: Path) -> None:
    config.write_text("[gate]\nmin_confidence = 0.5\nthreshold = 0.5\nperson_notes = false\n")
    env |= {"PHOCINAE_GATE_MIN_CONFIDENCE": "0.6", "PHOCINAE_GATE_THRESHOLD": "0.6", "PHOCINAE_GATE_MODE": ""}
    loaded = load(env, str(home), {"gate.threshold": "0.7"})
    settings = loaded.settings
    assert (settings.gate_min_confidence, settings.gate_threshold, settings.gate_person_notes) == (0.6, 0.7, False)
    assert loaded.origins == {
        "gate.min_confidence": "PHOCINAE_GATE_MIN_CONFIDENCE",
        "gate.threshold": "flag",
        "gate.person_notes": str(config),
    }


def test_flags_take_texts_and_values(env: dict[str, str], home: Path) -> None:
    settings = load(env, str(home), {"gate.enabled": "off", "timeout_ms": 5, "gate.tools": ["a"]}).settings
    assert (settings.gate_enabled, settings.timeout_ms, settings.gate_tools) == (False, 5, ("a",))


def test_flags_alone_at_fault_are_wrong_usage(env: dict[str, str], home: Path, config: Path) -> None:
    with pytest.raises(PhocinaeError) as caught:
        load(env, str(home), {"gate.mod": "noul"})
    assert caught.value.code == INVALID_ARGUMENTS
    config.write_text("x = 1\n")
    with pytest.raises(PhocinaeError) as caught:
        load(env, str(home), {"gate.mod": "noul"})
    assert (caught.value.code, len(caught.value.details)) == (INVALID_CONFIG, 2)


# --- broken -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('backend = "embedded\n', 1), ("a = 1\na = 1\n", 2), ("\n\n[gate\n", 3), ("x = [1,\n2", 2),
        ("\n[gate]\n[gate]\n", 3), ("x = 1 y = 2\n", 1),
    ],
)  # fmt: skip
def test_a_file_that_is_no_toml_is_named_with_its_line(
    env: dict[str, str], config: Path, home: Path, text: str, line: int
) -> None:
    config.write_text(text)
    (detail,) = details(env, str(home))
    assert detail.startswith(f"{config}:{line}: ")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"# ok\nx = '\xff'\n", ":2: the file is not UTF-8"),
        (b"x = " + b"[" * 5000 + b"]" * 5000, "TOML"),
        (b"#" * (MAX_BYTES + 1), "more than"),
        (b"\x00", "TOML"),
    ],
    ids=["bytes", "deep", "long", "nul"],
)
def test_odd_content_is_a_fault(env: dict[str, str], config: Path, home: Path, content: bytes, says: str) -> None:
    config.write_bytes(content)
    (detail,) = details(env, str(home))
    assert says in detail


def test_a_byte_order_mark_and_windows_line_ends_are_read(env: dict[str, str], config: Path, home: Path) -> None:
    config.write_bytes(b'\xef\xbb\xbf[gate]\r\nmode = "noul"\r\n')
    assert load(env, str(home)).settings.gate_mode == "noul"


def test_an_unreadable_file_is_broken_not_absent(env: dict[str, str], config: Path, home: Path) -> None:
    config.mkdir()
    (detail,) = details(env, str(home))
    assert "not a plain file" in detail


def test_a_file_that_may_not_be_read_is_broken(env: dict[str, str], config: Path, home: Path) -> None:
    if os.geteuid() != 0:
        config.write_text("")
        config.chmod(0)
    else:  # root may read every file, but not this one
        config.symlink_to("/proc/self/mem")
    (detail,) = details(env, str(home))
    assert "can't be read" in detail


def test_a_fifo_does_not_hang(env: dict[str, str], config: Path, home: Path) -> None:
    os.mkfifo(config)
    (detail,) = details(env, str(home))
    assert "not a plain file" in detail


def test_a_dangling_link_is_broken(env: dict[str, str], config: Path, home: Path) -> None:
    config.symlink_to(home / "nothing")
    (detail,) = details(env, str(home))
    assert "can't be read" in detail


def test_a_loop_of_links_is_broken(env: dict[str, str], config: Path, home: Path) -> None:
    config.symlink_to(config)
    (detail,) = details(env, str(home))
    assert "can't be read" in detail


def test_everything_illegal_is_reported_together(env: dict[str, str], config: Path, home: Path) -> None:
    config.write_text(
        'backend = "embeded"\ntimeout_ms = "fast"\nmode = "harm"\n[gate]\nmin_confidense = 0.5\nendpoint = "x"\n'
        "[other]\nx = 1\n[empty]\n[[rules]]\n[[rules]]\ndecision = 'deny'\nprogram = 'rm'\nflag = ['-r']\n"
    )
    env |= {"PHOCINAE_GATE_MOD": "x", "PHOCINAE_GATE_FAIL_MODE": "shut"}
    found = details(env, str(home))
    for start, part in (
        (f"{config}:1: backend: ", "did you mean 'embedded'?"),
        (f"{config}:2: timeout_ms: ", "'fast'"),
        (f"{config}:3: mode: ", "mode belongs under [gate]"),
        (f"{config}:5: gate.min_confidense: ", "did you mean gate.min_confidence?"),
        (f"{config}:6: gate.endpoint: ", "endpoint belongs at the top"),
        (f"{config}:7: other: ", "config show"),
        (f"{config}:9: empty: ", "no such setting"),
        (f"{config}:10: rules.decision: ", "allow, ask, deny"),
        (f"{config}:14: rules.flag: ", "did you mean 'flags'?"),
        ("PHOCINAE_GATE_MOD: ", "did you mean PHOCINAE_GATE_MODE?"),
        ("PHOCINAE_GATE_FAIL_MODE: ", "closed, open"),
    ):
        (line,) = [line for line in found if line.startswith(start)]
        assert part in line
    assert len(found) == 12


def test_what_is_legal_is_not_lost_beside_a_fault(env: dict[str, str], config: Path, home: Path) -> None:
    config.write_text('[gate]\nmode = "stirct"\nmin_confidence = 0.9\n')
    loaded = survey(env, str(home))
    assert loaded.settings.gate_min_confidence == 0.9
    assert len(loaded.faults) == 1


def test_both_files_are_read_even_if_the_first_is_broken(env: dict[str, str], config: Path, home: Path) -> None:
    config.write_text("x = \n")
    (home / ".phocinae.toml").write_text("y = \n")
    assert [detail.split(":")[0] for detail in details(env, str(home))] == [str(config), str(home / ".phocinae.toml")]


# --- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["", "conf", "./conf", "../conf"])
def test_an_empty_or_relative_xdg_folder_counts_as_unset(env: dict[str, str], config: Path, value: str) -> None:
    assert user_file(env | {"XDG_CONFIG_HOME": value}) == str(config)


def test_an_absolute_xdg_folder_is_followed(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "x/phocinae").mkdir(parents=True)
    (tmp_path / "x/phocinae/config.toml").write_text("timeout_ms = 5\n")
    assert load(env | {"XDG_CONFIG_HOME": str(tmp_path / "x")}, "/").settings.timeout_ms == 5


def test_without_any_home_nothing_crashes_and_one_notice_is_given() -> None:
    # A child under a number that has no password entry, as in a container.
    code = (
        f"import os, sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from phocinae_cli.config.load import load\n"
        "import pwd\n"
        "def nobody(number): raise KeyError(number)\n"
        "pwd.getpwuid = nobody\n"
        "loaded = load({}, '/')\n"
        "print(loaded.settings.backend, *loaded.notices, sep='|')"
    )
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.strip() == f"embedded|{NO_HOME}"


def test_the_nearest_project_file_is_taken_up_to_the_top_of_the_tree(env: dict[str, str], home: Path) -> None:
    inner = home / "a/b/c"
    inner.mkdir(parents=True)
    (home / "a/.phocinae.toml").touch()
    assert project_file(env, str(inner)) == str(home / "a/.phocinae.toml")
    (home / "a/b/.git").mkdir()
    assert project_file(env, str(inner)) is None
    (home / "a/b/.phocinae.toml").touch()
    assert project_file(env, str(inner)) == str(home / "a/b/.phocinae.toml")
    assert project_file(env, str(inner) + "/../../") == str(home / "a/.phocinae.toml")


def test_nothing_above_home_is_looked_at(tmp_path: Path, env: dict[str, str], home: Path) -> None:
    (tmp_path / ".phocinae.toml").touch()
    (home / "x").mkdir()
    assert project_file(env, str(home / "x")) is None
    assert project_file(env, str(home)) is None
    assert project_file(env, str(tmp_path)) == str(tmp_path / ".phocinae.toml")


@pytest.mark.parametrize("cwd", ["", "x", ".", "/no/such/place", "/dev/null", "/x\0y"])
def test_an_odd_directory_has_no_project(env: dict[str, str], cwd: str) -> None:
    assert project_file(env, cwd) is None
