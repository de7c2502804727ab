"""The table of keys: what each may hold, what is said about what it may not, and what it is called elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phocinae_cli.config.endpoint import endpoint_fault, leaves_the_machine
from phocinae_cli.config.keys import (
    BOOL,
    BY_NAME,
    CHOICE,
    COMMANDS,
    ENDPOINT,
    INTEGER,
    KEYS,
    NAMES,
    NUMBER,
    PREFIXES,
    TEXT,
    IllegalError,
    Key,
    read_text,
    read_value,
)
from phocinae_cli.config.load import OTHER_VARIABLES, load
from phocinae_cli.core.settings import Settings
from phocinae_cli.errors import INVALID_CONFIG, PhocinaeError

ROOT = Path(__file__).parents[2]

NAN, INF = float("nan"), float("inf")

# What no key of a kind takes from a file, with a word that the remedy must hold.
ILLEGAL: dict[str, list[tuple[object, str]]] = {
    BOOL: [("true", "quotes"), (1, "true or false"), (0, "true or false"), ([], "true or false"), ("", "true")],
    INTEGER: [("3000", "quotes"), (2.5, "whole number"), (True, "whole number"), (-1, "from"), (0, "from")],
    NUMBER: [("0.5", "quotes"), (True, "number"), (1.01, "0 to 1"), (-0.1, "0 to 1"), (NAN, "0 to 1"), (INF, "0 to 1")],
    CHOICE: [("", "write one of"), (1, "quotes"), (True, "quotes"), ([], "quotes"), ("Zzz", "write one of")],
    TEXT: [("", "text"), ("  ", "text"), ("a\nb", "text"), (1, "quotes"), (None, "quotes")],
    ENDPOINT: [("", "address"), (1, "quotes"), ("localhost:8155", "http"), ("ftp://127.0.0.1/", "http")],
    NAMES: [("bash", "["), ([1], "["), ([], "gate.enabled"), ([""], "rules"), ({}, "[")],
    PREFIXES: [("ls", "["), ([1], "["), (["ls | sh"], "rules"), (["sudo"], "rules"), ([""], "rules")],
    COMMANDS: [("make", "["), ([1], "["), (["make; rm"], "rules"), (["make $X"], "rules")],
}  # fmt: skip
CASES = [(key, value, remedy) for key in KEYS for value, remedy in ILLEGAL[key.kind]]


@pytest.mark.parametrize(("key", "value", "remedy"), CASES, ids=[f"{key.name}-{value}" for key, value, _ in CASES])
def test_an_illegal_value_is_refused_with_a_remedy(key: Key, value: object, remedy: str) -> None:
    with pytest.raises(IllegalError) as caught:
        read_value(key, value)
    assert remedy in caught.value.remedy
    assert caught.value.what


@pytest.mark.parametrize("key", KEYS, ids=[key.name for key in KEYS])
def test_the_message_names_the_key_the_value_and_the_remedy(key: Key, home: Path) -> None:
    value = {BOOL: '"maybe"', INTEGER: '"many"', NUMBER: "7.5", TEXT: "99", ENDPOINT: '"nowhere"'}.get(
        key.kind, '"zzz"'
    )
    table, _, name = key.name.rpartition(".")
    file = home / ".config/phocinae/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(f"# a comment\n{f'[{table}]' if table else ''}\n{name} = {value}\n")
    with pytest.raises(PhocinaeError) as caught:
        load({"HOME": str(home)}, str(home))
    assert caught.value.code == INVALID_CONFIG
    (detail,) = caught.value.details
    assert detail.startswith(f"{file}:3: {key.name}: ")
    assert value.strip('"') in detail
    assert "; " in detail


@pytest.mark.parametrize("key", KEYS, ids=[key.name for key in KEYS])
def test_every_default_is_legal_and_reads_back(key: Key) -> None:
    if key.default is None:
        assert key.optional
        return
    default = list(key.default) if isinstance(key.default, tuple) else key.default
    assert read_value(key, default) == key.default
    text = ",".join(key.default) if isinstance(key.default, tuple) else str(key.default)
    assert read_text(key, text) == key.default


def test_every_setting_has_a_key_and_every_key_a_setting() -> None:
    assert {key.attribute for key in KEYS} | {"rules"} == set(vars(Settings()))
    assert len({key.name for key in KEYS}) == len(KEYS)


def test_the_table_has_the_documented_defaults() -> None:
    assert {name: BY_NAME[name].default for name in ("backend", "timeout_ms", "gate.min_confidence", "gate.mode")} == {
        "backend": "embedded", "timeout_ms": 3000, "gate.min_confidence": 0.45, "gate.mode": "harm",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("gate.enabled", "FALSE", False), ("gate.enabled", "on", True), ("gate.enabled", "0", False),
        ("timeout_ms", " 250 ", 250), ("gate.threshold", "1", 1.0), ("gate.tools", "bash, zsh ,", ("bash", "zsh")),
        ("gate.auto_allow", "git status,ls", ("git status", "ls")), ("gate.auto_allow", "", ()),
        ("model", "m", "m"), ("gate.mode", "tri-state", "tri-state"),
    ],
)  # fmt: skip
def test_texts_from_the_environment_are_read_by_type(name: str, text: str, value: object) -> None:
    assert read_text(BY_NAME[name], text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gate.enabled", "maybe"), ("timeout_ms", "3s"), ("timeout_ms", "0"), ("gate.threshold", "nan"),
        ("gate.threshold", "80%"), ("gate.mode", "HARM"), ("backend", "embeded"), ("gate.auto_allow", "ls,sudo"),
    ],
)  # fmt: skip
def test_illegal_texts_are_refused(name: str, text: str) -> None:
    with pytest.raises(IllegalError):
        read_text(BY_NAME[name], text)


def test_a_wrong_word_is_answered_with_the_right_one() -> None:
    with pytest.raises(IllegalError) as caught:
        read_value(BY_NAME["gate.fail_mode"], "close")
    assert caught.value.remedy == "did you mean 'closed'?"


def test_environment_names_are_the_keys_in_capitals() -> None:
    assert BY_NAME["gate.mode"].variable == "PHOCINAE_GATE_MODE"
    assert BY_NAME["backend"].variable == "PHOCINAE_BACKEND"
    assert not {key.variable for key in KEYS} & set(OTHER_VARIABLES)


def test_every_variable_that_the_program_reads_is_a_setting_or_known_to_be_none() -> None:
    python = "\n".join(file.read_text("utf-8") for file in (ROOT / "phocinae_cli").rglob("*.py"))
    shell = "\n".join(file.read_text("utf-8") for file in (ROOT / "shell").glob("phocinae.*"))
    named = dict(re.findall(r'(\w+) = "(PHOCINAE_[A-Z_]+)"', python))
    looked_up = re.findall(r"env\w*(?:\.get\(|\.pop\(|\[)\"?(\w+)", python)
    read = {named.get(name, name) for name in looked_up} | set(re.findall(r"\bPHOCINAE_[A-Z_]+", shell))
    found = {name for name in read if name.startswith("PHOCINAE_")}
    assert {"PHOCINAE_OFF", "PHOCINAE_TOKEN"} <= found
    assert found - {key.variable for key in KEYS} - set(OTHER_VARIABLES) == set()


# --- the address ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8155/v1/systemone", "http://localhost:8000/v1/systemone", "https://[::1]:8155/v1/systemone",
        "http://127.0.0.1", "HTTP://127.8.9.1:1/x", "http://[::ffff:127.0.0.1]:8000/v1", "http://my-box:8155/v1",
    ],
)  # fmt: skip
def test_addresses_that_may_be_this_machine_are_taken(address: str) -> None:
    assert endpoint_fault(address) is None
    assert leaves_the_machine(address) is None


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:8155", "file:///etc/passwd", "http://", "http:///v1", "http://user:secret@127.0.0.1/v1",
        "http://127.0.0.1:0/v1", "http://127.0.0.1:65536/v1", "http://127.0.0.1:x/v1", "http://[::1/v1",
        "http://[::1]x/v1", "http://::1/v1", "http://127.0.0.1/v1?x=1", "http://127.0.0.1/v1#x", "http://127.0.0.1\\@x/",
        "http://127.0.0.1 /v1", "http://127.0.0.1:\u0668\u0661/v1",
    ],
)  # fmt: skip
def test_addresses_of_no_known_form_are_refused(address: str) -> None:
    assert endpoint_fault(address) is not None


def test_a_password_in_an_address_is_not_repeated() -> None:
    fault = endpoint_fault("http://user:hunter2@127.0.0.1/v1")
    assert fault is not None
    assert "hunter2" not in "".join(fault)


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("http://10.0.0.5:8000/v1", "allow_remote_endpoint"), ("http://[2001:db8::1]:8000/v1", "allow_remote_endpoint"),
        ("http://[::ffff:10.0.0.5]:8000/v1", "allow_remote_endpoint"), ("http://0.0.0.0:8000/v1", "127.0.0.1"),
        ("http://[::]:8000/v1", "127.0.0.1"), ("http://2130706433/v1", "127.0.0.1"), ("http://0x7f.1/v1", "127.0.0.1"),
        ("http://127.1/v1", "127.0.0.1"), ("http://127.0.0.01/v1", "127.0.0.1"), ("http://169.254.169.254/", "remote"),
    ],
)  # fmt: skip
def test_addresses_that_are_not_this_machine_are_refused_with_a_hint(address: str, hint: str) -> None:
    assert endpoint_fault(address) is None
    fault = leaves_the_machine(address)
    assert fault is not None
    assert hint in fault[1]


def test_a_remote_address_is_legal_once_it_is_allowed(home: Path) -> None:
    env = {"HOME": str(home), "PHOCINAE_ENDPOINT": "http://10.0.0.5:8000/v1"}
    with pytest.raises(PhocinaeError) as caught:
        load(env, str(home))
    assert "10.0.0.5" in caught.value.details[0]
    env["PHOCINAE_ALLOW_REMOTE_ENDPOINT"] = "yes"
    assert load(env, str(home)).settings.endpoint == "http://10.0.0.5:8000/v1"
