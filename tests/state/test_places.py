from __future__ import annotations

import os
import pwd
import subprocess
import sys

import pytest

from phocinae_cli.state import places


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"HOME": "/home/u"}, "/home/u/.config/phocinae"),
        ({"HOME": "/home/u", "XDG_CONFIG_HOME": "/etc/x"}, "/etc/x/phocinae"),
        ({"HOME": "/home/u", "XDG_CONFIG_HOME": "/etc/x/"}, "/etc/x/phocinae"),
        ({"HOME": "/home/u", "XDG_CONFIG_HOME": ""}, "/home/u/.config/phocinae"),
        ({"HOME": "/home/u", "XDG_CONFIG_HOME": "relative/x"}, "/home/u/.config/phocinae"),
        ({"HOME": "/home/u", "XDG_CONFIG_HOME": "~/x"}, "/home/u/.config/phocinae"),
        ({"HOME": "/"}, "/.config/phocinae"),
        ({"XDG_CONFIG_HOME": "/etc/x"}, "/etc/x/phocinae"),
    ],
)
def test_config_dir_follows_the_xdg_rules(env: dict[str, str], expected: str) -> None:
    assert places.config_dir(env) == expected


def test_each_kind_has_a_place_of_its_own() -> None:
    env = {"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/f"}
    assert places.state_dir(env) == "/s/phocinae"
    assert places.cache_dir(env) == "/c/phocinae"
    assert places.audit_file(env) == "/s/phocinae/audit.jsonl"
    assert places.approvals_file(env) == "/s/phocinae/approvals.jsonl"
    assert places.state_dir({"HOME": "/h"}) == "/h/.local/state/phocinae"
    assert places.cache_dir({"HOME": "/h"}) == "/h/.cache/phocinae"


@pytest.mark.parametrize("env", [{}, {"HOME": ""}, {"HOME": "relative"}])
def test_without_a_usable_home_the_password_entry_counts(env: dict[str, str]) -> None:
    assert places.home_dir(env) == pwd.getpwuid(os.getuid()).pw_dir


def test_a_user_without_home_or_entry_has_no_places() -> None:
    code = (
        "import sys, types; no = types.ModuleType('pwd'); no.getpwuid = {}.__getitem__; sys.modules['pwd'] = no\n"
        "from phocinae_cli.state import places\n"
        "print(places.home_dir({}), places.config_dir({}), places.audit_file({}), places.approvals_file({}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["None"] * 4
