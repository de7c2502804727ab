"""A project's file only tightens, key by key and as a whole; a trusted one is followed as it is."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.config.keys import KEYS, NOTHING, Key, Value
from phocinae_cli.config.layers import ENVIRONMENT, PROJECT, USER, Layer, Loaded
from phocinae_cli.config.load import load
from phocinae_cli.config.resolve import merge
from phocinae_cli.config.trust import distrust, is_trusted, trust, trust_file
from phocinae_cli.core.questions import Judgement
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import DECISION_RANK
from phocinae_cli.errors import SERVICE_UNAVAILABLE, PhocinaeError
from phocinae_cli.gate.decide import decide
from tests.gate.fakes import Scripted, action, analysis, case, effect, finding

WHERE = "/repo/.phocinae.toml"


def nested(values: dict[str, object]) -> dict[str, object]:
    """Return dotted names as the tables of a file."""
    data: dict[str, object] = {}
    for name, value in values.items():
        table, _, key = name.rpartition(".")
        held = data.setdefault(table, {}) if table else data
        assert isinstance(held, dict)
        held[key] = list(value) if isinstance(value, tuple) else value
    return data


def both(user: dict[str, object], project: dict[str, object], trusted: bool = False) -> Loaded:
    loaded = merge(
        [Layer(USER, "/user.toml", nested(user)), Layer(PROJECT, WHERE, nested(project), "", "/repo", trusted)]
    )
    assert loaded.faults == ()
    return loaded


# Each row: key, what the user has, what the project says, what comes out. An equal value is never refused.
ROWS: list[tuple[str, Value, Value, Value]] = [
    ("backend", "embedded", "both", "both"), ("backend", "service", "both", "both"),
    ("backend", "both", "embedded", "both"), ("backend", "service", "embedded", "service"),
    ("backend", "embedded", "service", "embedded"),
    ("endpoint", "http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1", "http://127.0.0.1:1/v1"),
    ("allow_remote_endpoint", True, False, False), ("allow_remote_endpoint", False, True, False),
    ("model", "a", "b", "a"), ("dialect", "auto", "flat", "auto"),
    ("timeout_ms", 10, 20, 10), ("timeout_ms", 20, 10, 20),
    ("max_state_chars", 100, 200, 100), ("max_state_chars", 200, 100, 200),
    ("escalate_at", 0.5, 0.6, 0.6), ("escalate_at", 0.5, 0.4, 0.5),
    ("escalate_at_noul", 0.5, 0.6, 0.6), ("escalate_at_noul", 0.5, 0.4, 0.5),
    ("escalate_at_choice", 0.5, 0.6, 0.6), ("escalate_at_choice", 0.5, 0.4, 0.5),
    ("escalate_at_score", 0.5, 0.6, 0.6), ("escalate_at_score", 0.5, 0.4, 0.5),
    ("permute_choice", False, True, False), ("permute_choice", True, False, True),
    ("gate.enabled", False, True, True), ("gate.enabled", True, False, True),
    ("gate.mode", "off", "harm", "harm"), ("gate.mode", "harm", "off", "harm"), ("gate.mode", "harm", "noul", "harm"),
    ("gate.min_confidence", 0.5, 0.9, 0.9), ("gate.min_confidence", 0.5, 0.1, 0.5),
    ("gate.threshold", 0.5, 0.9, 0.9), ("gate.threshold", 0.5, 0.1, 0.5),
    ("gate.risky_decision", "ask", "deny", "deny"), ("gate.risky_decision", "deny", "ask", "deny"),
    ("gate.tools", ("bash",), ("zsh", "bash"), ("bash", "zsh")), ("gate.tools", ("*",), ("bash",), ("*", "bash")),
    ("gate.fail_mode", "open", "closed", "closed"), ("gate.fail_mode", "closed", "open", "closed"),
    ("gate.auto_allow", ("ls", "git log"), ("ls",), ("ls",)), ("gate.auto_allow", ("ls",), ("ls", "rm"), ("ls",)),
    ("gate.auto_allow", ("git log",), ("git log -1", "git"), ("git log -1",)), ("gate.auto_allow", ("ls",), (), ()),
    ("gate.auto_allow_exact", ("make",), ("make", "make x"), ("make",)), ("gate.auto_allow_exact", ("make",), (), ()),
    ("gate.person_asks", "irreversible", "risky", "risky"), ("gate.person_asks", "risky", "irreversible", "risky"),
    ("gate.person_notes", False, True, True), ("gate.person_notes", True, False, True),
    ("gate.audit", False, True, True), ("gate.audit", True, False, True),
]  # fmt: skip


def test_every_key_has_its_rows() -> None:
    assert {row[0] for row in ROWS} == {key.name for key in KEYS}


@pytest.mark.parametrize(("name", "user", "project", "result"), ROWS)
def test_a_projects_value_is_followed_only_where_it_tightens(
    name: str, user: Value, project: Value, result: Value
) -> None:
    loaded = both({name: user}, {name: project})
    value = getattr(loaded.settings, name.replace(".", "_"))
    assert value == result
    followed = value == project or (
        isinstance(project, tuple) and isinstance(value, tuple) and set(project) <= set(value)
    )
    assert bool(loaded.problems) is not followed
    for problem in loaded.problems:
        assert (problem.where, problem.key) == (WHERE, name)
        assert "config trust" in problem.remedy
    assert len(loaded.notices) == len(loaded.problems)
    assert loaded.origins[name] == (WHERE if value != user else "/user.toml")


@pytest.mark.parametrize(("name", "user", "project", "result"), ROWS)
def test_a_trusted_project_is_followed_as_it_is(name: str, user: Value, project: Value, result: Value) -> None:
    loaded = both({name: user}, {name: project}, trusted=True)
    assert getattr(loaded.settings, name.replace(".", "_")) == project
    assert (loaded.problems, loaded.origins[name]) == ((), f"{WHERE} (trusted)")


@pytest.mark.parametrize("key", [key for key in KEYS if key.project == NOTHING], ids=lambda key: key.name)
def test_a_key_that_is_not_the_projects_business_is_refused_by_name(key: Key) -> None:
    (row,) = [row for row in ROWS if row[0] == key.name][:1]
    (problem,) = both({key.name: row[1]}, {key.name: row[2]}).problems
    assert key.name in str(problem)
    assert "can't set this key" in problem.what


def test_an_unset_floor_is_not_known_to_be_lower_than_a_projects() -> None:
    assert both({}, {"escalate_at_noul": 0.1}).settings.escalate_at_noul is None


def test_a_project_adds_deny_and_ask_rules_and_no_allow_rule() -> None:
    rules = [{"decision": word, "program": "rm"} for word in ("allow", "ask", "deny")]
    loaded = merge([Layer(PROJECT, WHERE, {"rules": rules}, "", "/repo")])
    assert [rule.decision for rule in loaded.settings.rules] == ["ask", "deny"]
    assert [rule.origin for rule in loaded.settings.rules] == [WHERE, WHERE]
    (problem,) = loaded.problems
    assert "allow rule" in problem.what


def test_a_projects_patterns_are_read_from_its_directory() -> None:
    rules = [{"decision": "deny", "paths": ["secrets/**", "*.pem", "~/x/*", "/etc/*", "**/y", "./z"]}]
    loaded = merge([Layer(PROJECT, WHERE, {"rules": rules}, "", "/repo")])
    (rule,) = loaded.settings.rules
    assert rule.paths == ("/repo/secrets/**", "*.pem", "~/x/*", "/etc/*", "**/y", "/repo/z")


def test_the_environment_outranks_a_project() -> None:
    layers = [
        Layer(PROJECT, WHERE, nested({"gate.min_confidence": 0.9})),
        Layer(ENVIRONMENT, "", {"PHOCINAE_GATE_MIN_CONFIDENCE": "0.1"}),
    ]
    assert merge(layers).settings.gate_min_confidence == 0.1


# --- as a law ---------------------------------------------------------------------------------------------------------

RULES = st.lists(
    st.fixed_dictionaries(
        {
            "decision": st.sampled_from(["allow", "ask", "deny"]),
            "program": st.sampled_from(["rm", "git", "mytool", "*", "sudo"]),
        },
        optional={"subcommand": st.just(["push"]), "flags": st.just(["-f|--force"]), "paths": st.just(["**/x"])},
    ),
    max_size=3,
)
VALUES: dict[str, st.SearchStrategy[object]] = {
    "backend": st.sampled_from(["embedded", "service", "both"]),
    "gate.enabled": st.booleans(),
    "gate.mode": st.sampled_from(["harm", "tri-state", "noul", "off"]),
    "gate.min_confidence": st.sampled_from([0.0, 0.45, 0.9, 1.0]),
    "gate.threshold": st.sampled_from([0.0, 0.5, 0.8, 1.0]),
    "gate.risky_decision": st.sampled_from(["ask", "deny"]),
    "gate.tools": st.lists(st.sampled_from(["*", "bash", "shell", "sh*"]), min_size=1, max_size=2),
    "gate.fail_mode": st.sampled_from(["closed", "open"]),
    "gate.auto_allow": st.lists(st.sampled_from(["git", "git push", "rm", "mytool"]), max_size=2),
    "gate.auto_allow_exact": st.lists(st.sampled_from(["git push", "mytool", "rm x"]), max_size=2),
    "gate.person_asks": st.sampled_from(["irreversible", "risky"]),
    "escalate_at": st.sampled_from([0.0, 0.6, 1.0]),
    "timeout_ms": st.sampled_from([1, 3000]),
    "max_state_chars": st.sampled_from([16, 4096]),
}
CONFIGURATIONS = st.fixed_dictionaries({}, optional=VALUES)

LINES = [action("git push --force"), action("git push"), action("rm x"), action("mytool x"), action("mytool")]
JUDGEMENTS = [
    Judgement("harmless", 0.6), Judgement("risky", 0.9, (finding(),)), Judgement("destructive", 0.5),
    Judgement(None, 0.7, decision="allow"), Judgement(None, 0.9, decision="ask"), Judgement(None, 0.9, decision="deny"),
    Judgement(None, 0.0), PhocinaeError(SERVICE_UNAVAILABLE, "nobody is there"),
]  # fmt: skip
CASES = list(itertools.product(LINES, JUDGEMENTS, ["agent", "person"]))


def layer(kind: str, values: dict[str, object], rules: list[dict[str, object]]) -> Layer:
    return Layer(kind, WHERE, {**nested(values), "rules": rules}, "", "/repo")


@given(CONFIGURATIONS, RULES, CONFIGURATIONS, RULES, st.sampled_from(CASES))
def test_no_merge_of_a_projects_file_ever_loosens_a_verdict(
    user: dict[str, object],
    user_rules: list[dict[str, object]],
    project: dict[str, object],
    project_rules: list[dict[str, object]],
    chosen: tuple[object, object, str],
) -> None:
    own = layer(USER, user, user_rules)
    alone, joined = merge([own]), merge([own, layer(PROJECT, project, project_rules)])
    assert alone.faults == joined.faults == ()
    line, judgement, audience = chosen
    before, after = (verdict(loaded.settings, line, judgement, audience) for loaded in (alone, joined))
    assert DECISION_RANK[after] >= DECISION_RANK[before]


def verdict(settings: Settings, line: object, judgement: object, audience: str) -> str:
    of = analysis(line, effects=(effect(line, "unknown"),))  # type: ignore[arg-type]

    def bash(request: Request) -> None:
        request.tool = "bash"

    return decide(case(of, settings, audience, change=bash), Scripted(judgement)).decision  # type: ignore[arg-type]


# --- trust ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def project(home: Path) -> Path:
    path = home / "repo/.phocinae.toml"
    path.parent.mkdir()
    path.write_text('[gate]\nenabled = false\n[[rules]]\ndecision = "allow"\nprogram = "rm"\n')
    return path


def test_what_loosens_is_refused_until_exactly_this_content_is_trusted(home: Path, project: Path) -> None:
    env = {"HOME": str(home)}
    cwd = str(project.parent)
    loaded = load(env, cwd)
    assert (loaded.settings.gate_enabled, loaded.settings.rules) == (True, ())
    assert [problem.line for problem in loaded.problems] == [2, 4]
    trust(env, str(project), project.read_bytes())
    loaded = load(env, cwd)
    assert (loaded.settings.gate_enabled, len(loaded.settings.rules)) == (False, 1)
    assert loaded.origins["gate.enabled"] == f"{project} (trusted)"
    project.write_text(project.read_text() + "# an edit\n")
    assert load(env, cwd).settings.gate_enabled
    trust(env, str(project), project.read_bytes())
    assert distrust(env, str(project))
    assert not distrust(env, str(project))
    assert load(env, cwd).settings.gate_enabled


def test_the_same_content_elsewhere_is_not_trusted(home: Path, project: Path) -> None:
    env = {"HOME": str(home)}
    trust(env, str(project), project.read_bytes())
    assert is_trusted(env, str(project), project.read_bytes())
    assert not is_trusted(env, str(home / "other/.phocinae.toml"), project.read_bytes())


def test_trusting_again_replaces_what_was_trusted_before(home: Path, project: Path) -> None:
    env = {"HOME": str(home)}
    for content in (b"a", b"b"):
        trust(env, str(project), content)
    trust(env, str(home / "x\ny"), b"c")
    assert not is_trusted(env, str(project), b"a")
    assert is_trusted(env, str(project), b"b")
    assert is_trusted(env, str(home / "x\ny"), b"c")
    listing = trust_file(env)
    assert listing is not None
    assert len(Path(listing).read_text().splitlines()) == 2
    assert Path(listing).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in Path(listing).parent.iterdir()] == ["trusted"]


def test_a_list_that_others_may_write_trusts_nothing(home: Path, project: Path) -> None:
    env = {"HOME": str(home)}
    listing = Path(trust(env, str(project), b"a"))
    listing.chmod(0o620)
    assert not is_trusted(env, str(project), b"a")


def test_a_trust_that_is_not_kept_does_not_look_kept(home: Path, project: Path) -> None:
    (home / ".local/state/phocinae").write_text("in the way")
    with pytest.raises(OSError, match="exists"):
        trust({"HOME": str(home)}, str(project), b"a")
