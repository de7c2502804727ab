"""`[[rules]]` as they are read, proven by their examples, derived from a line, and written to a file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.analysis.analyze import analyze
from phocinae_cli.config.advice import DISASTERS, advice
from phocinae_cli.config.derive import rule_for
from phocinae_cli.config.edit import add_rule, remove_rule
from phocinae_cli.config.layers import USER, Layer, Loaded
from phocinae_cli.config.load import load
from phocinae_cli.config.problems import line_of
from phocinae_cli.config.prove import matches, read_knowledge
from phocinae_cli.config.resolve import merge
from phocinae_cli.config.rules import FIELDS, Entry, as_toml, described, read_rules
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Rule, Settings
from phocinae_cli.errors import INVALID_ARGUMENTS, PhocinaeError
from phocinae_cli.kb.lookup import Knowledge

HOME = "/home/user"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return read_knowledge()


def read(text: str) -> tuple[list[Entry], list[str]]:
    entries, problems = read_rules(tomllib.loads(text)["rules"], "f", text)
    return entries, [str(problem) for problem in problems]


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "field", "remedy"),
    [
        ({}, "decision", "allow, ask, deny"),
        ({"decision": "never", "program": "x"}, "decision", "allow, ask, deny"),
        ({"decision": True, "program": "x"}, "decision", "quotes"),
        ({"decision": "deny"}, "rules", "program"),
        ({"decision": "deny", "program": ""}, "rules", "program"),
        ({"decision": "deny", "program": 1}, "program", "quotes"),
        ({"decision": "deny", "program": "git push"}, "program", "subcommand"),
        ({"decision": "deny", "programm": "git"}, "programm", "'program'"),
        ({"decision": "deny", "program": "x", "zzz": 1}, "zzz", "no_match"),
        ({"decision": "deny", "subcommand": "compose down"}, "subcommand", "entry of its own"),
        ({"decision": "deny", "subcommand": [""]}, "subcommand", "entry of its own"),
        ({"decision": "deny", "subcommand": [1]}, "subcommand", '["one", "two"]'),
        ({"decision": "deny", "flags": ["force"]}, "flags", "dashes"),
        ({"decision": "deny", "flags": ["-f|force"]}, "flags", "dashes"),
        ({"decision": "deny", "flags": ["-"]}, "flags", "dashes"),
        ({"decision": "deny", "paths": {}}, "paths", '["one", "two"]'),
        ({"decision": "deny", "words": ["rm"], "program": "rm"}, "words", "drop"),
        ({"decision": "deny", "program": "rm", "match": 3}, "match", '["one", "two"]'),
    ],
)
def test_a_faulty_rule_is_named_with_its_field(table: dict[str, object], field: str, remedy: str) -> None:
    entries, problems = read_rules([table], "f", "")
    assert entries == []
    assert any(problem.key.endswith(field) and remedy in problem.remedy for problem in problems)


@pytest.mark.parametrize("raw", [{}, "x", [1], [[]]])
def test_rules_are_a_list_of_tables(raw: object) -> None:
    entries, problems = read_rules(raw, "f", "")
    assert (entries, len(problems)) == ([], 1)
    assert "[[rules]]" in problems[0].remedy


def test_each_fault_has_its_line_and_good_rules_are_kept() -> None:
    text = (
        'x = 1\n[[rules]]\ndecision = "deny"\nprogram = "a"\n\n[[rules]] # odd\nprogram = "b"\ndecision = "no"\n'
        '[[ rules ]]\nprogram = "c"\n\n[gate]\n[[rules]]\ndecision = "ask"\nflags = ["x"]\n'
    )
    entries, problems = read(text)
    assert [(entry.rule.program, entry.line) for entry in entries] == [("a", 3)]
    assert [problem.split(": ")[0] for problem in problems] == ["f:8", "f:9", "f:15"]


def test_a_single_word_may_stand_for_a_list() -> None:
    (entry,), problems = read('[[rules]]\ndecision = "deny"\nsubcommand = "push"\nmatch = "git push"\n')
    assert (entry.rule.subcommand, entry.match, problems) == (("push",), ("git push",), [])


@pytest.mark.parametrize(
    ("key", "nth", "line"),
    [
        ("a", 0, 1), ("gate.mode", 0, 4), ("gate", 0, 3), ("rules.x", 0, 6), ("rules.x", 1, 8), ("rules.y", 1, 7),
        ("none", 0, 0), ("gate.none", 0, 3), ("other.z", 0, 10),
    ],
)  # fmt: skip
def test_the_line_of_a_key_is_found_in_the_text(key: str, nth: int, line: int) -> None:
    text = "a = 1\n\n[gate]\nmode = 2\n[[rules]]\nx = 1\n[[rules]]\nx = 2\n\nother.z = 1\n"
    assert line_of(text.replace("other.z", "[other]\n'z'").replace("\n\n[other]", "\n[other]"), key, nth) == line


# --- examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("toml", "line", "wanted"),
    [
        ('decision = "deny"\nprogram = "git"\nsubcommand = ["push"]', "cd x && sudo git -C y push", True),
        ('decision = "deny"\nprogram = "git"\nsubcommand = ["push"]', "bash -c 'git push'", True),
        ('decision = "deny"\nprogram = "git"\nsubcommand = ["push"]', "g\\it 'push'", True),
        ('decision = "deny"\nprogram = "git"\nsubcommand = ["push"]', "echo 'git push'", False),
        ('decision = "deny"\nprogram = "git"\nsubcommand = ["push"]', "git commit -m 'git push'", False),
        ('decision = "deny"\nprogram = "git"\nsubcommand = ["push"]', "x=push; git $x", True),
        ('decision = "ask"\npaths = ["~/finance/**"]', "echo x > ~/finance/a", True),
        ('decision = "ask"\npaths = ["~/finance/**"]', "cd ~/finance && rm a", True),
        ('decision = "ask"\npaths = ["~/finance/**"]', "rm -rf ~", True),
        ('decision = "ask"\npaths = ["~/finance/**"]', "rm -rf ~/finances", False),
        ('decision = "deny"\nprogram = "sudo"', "sudo ls", True),
        ('decision = "allow"\nprogram = "mytool"', "mytool x", True),
        ('decision = "allow"\nprogram = "mytool"', "cd /tmp && mytool x 2>/dev/null | head", True),
        ('decision = "allow"\nprogram = "mytool"', "mytool x > ~/.bashrc", False),
        ('decision = "allow"\nprogram = "mytool"', "mytool x; rm -rf ~/work", False),
        ('decision = "allow"\nprogram = "mytool"', "mytool $X", False),
        ('decision = "allow"\nprogram = "mytool"', "sudo mytool x", False),
        ('decision = "allow"\nprogram = "mytool"', "time mytool x", True),
        ('decision = "allow"\nprogram = "mytool"', "mytool x | sh", False),
        ('decision = "allow"\nprogram = "mytool"', "mytool (", False),
        ('decision = "allow"\nprogram = "rm"', "rm -rf /", False),
        ('decision = "allow"\nprogram = "rm"', "rm -rf ~", False),
        ('decision = "allow"\nwords = ["rm", "-rf", "/tmp/app/scratch"]', "rm -rf /tmp/app/scratch", True),
        (
            'decision = "allow"\nwords = ["rm", "-rf", "/tmp/app/scratch"]',
            'rm -rf /tmp/app/scratch && rm -rf "$HOME/important"', False,
        ),
    ],
)  # fmt: skip
def test_rules_are_held_against_what_a_line_would_run(toml: str, line: str, wanted: bool, knowledge: Knowledge) -> None:
    (entry,), problems = read(f"[[rules]]\n{toml}\n")
    assert problems == []
    assert matches(entry, line, knowledge, HOME) is wanted


def test_a_rule_that_contradicts_its_example_is_refused_with_both_shown(home: Path) -> None:
    file = home / ".config/phocinae/config.toml"
    file.parent.mkdir(parents=True)
    rule = '[[rules]]\ndecision = "deny"\nprogram = "git"\nsubcommand = ["push"]\n'
    file.write_text(f'{rule}match = ["git push", "git pull"]\nno_match = ["ls", "sudo git push"]\n')
    with pytest.raises(PhocinaeError) as caught:
        load({"HOME": str(home)}, str(home))
    assert [detail.partition(": ")[2] for detail in caught.value.details] == [
        "rules.match: the deny rule for `git push` does not match its own example `git pull`; "
        "change the pattern or the example",
        "rules.no_match: the deny rule for `git push` matches its own example `sudo git push`; "
        "change the pattern or the example",
    ]


def test_a_projects_examples_are_read_from_its_directory(home: Path) -> None:
    repo = home / "repo"
    (repo / "sub").mkdir(parents=True)
    (repo / ".phocinae.toml").write_text(
        '[[rules]]\ndecision = "deny"\npaths = ["secrets/**"]\n'
        'match = ["rm secrets/a"]\nno_match = ["rm sub/secrets/a"]\n'
    )
    for cwd in (repo, repo / "sub"):
        (rule,) = load({"HOME": str(home)}, str(cwd)).settings.rules
        assert rule.paths == (f"{repo}/secrets/**",)


# --- advice -----------------------------------------------------------------------------------------------------------


def warned(text: str) -> list[str]:
    loaded = merge([Layer(USER, "f", tomllib.loads(text), text)])
    assert loaded.faults == ()
    return [str(warning) for warning in advice(loaded)]


@pytest.mark.parametrize(
    "text",
    [
        '[[rules]]\ndecision = "allow"\nprogram = "rm"\n',
        '[[rules]]\ndecision = "allow"\nprogram = "*"\n',
        '[[rules]]\ndecision = "allow"\nprogram = "rm"\npaths = ["/**"]\n',
        '[[rules]]\ndecision = "allow"\nflags = ["-rf"]\n',
        '[[rules]]\ndecision = "allow"\nprogram = "bash"\n',
        '[[rules]]\ndecision = "allow"\nprogram = "git"\n',
        '[gate]\nauto_allow = ["rm"]\n',
        '[gate]\nauto_allow = ["git push"]\n',
        "[gate]\nenabled = false\n",
        '[gate]\nmode = "off"\n',
        'backend = "both"\n[gate]\nfail_mode = "open"\n',
        "allow_remote_endpoint = true\n",
    ],
)
def test_what_lets_too_much_through_is_warned_of(text: str) -> None:
    assert warned(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[[rules]]\ndecision = "deny"\nprogram = "*"\n',
        '[[rules]]\ndecision = "allow"\nprogram = "mytool"\n',
        '[[rules]]\ndecision = "allow"\nprogram = "rm"\npaths = ["/tmp/scratch/**"]\n',
        '[[rules]]\ndecision = "allow"\nwords = ["terraform", "apply", "plan.out"]\n',
        '[gate]\nauto_allow = ["git status", "mytool list"]\n',
    ],
)
def test_what_is_narrow_is_not_warned_of(text: str) -> None:
    assert warned(text) == []


def test_the_warning_shows_what_would_pass() -> None:
    (warning,) = warned('[[rules]]\ndecision = "allow"\nprogram = "rm"\n')
    assert "`rm -rf /home/user`" in warning
    assert all(len(line.split()) >= 2 for line in DISASTERS)


# --- a rule for a line ------------------------------------------------------------------------------------------------


def derive(decision: str, line: str, knowledge: Knowledge) -> Entry:
    return rule_for(decision, line, analyze(Request(line), Facts(), knowledge))


def test_an_allow_rule_for_a_line_pins_every_word(knowledge: Knowledge) -> None:
    entry = derive("allow", "mytool sync '--all'", knowledge)
    assert entry.rule.words == ("mytool", "sync", "--all")
    assert matches(entry, "mytool sync --all", knowledge, HOME)
    assert not matches(entry, "mytool sync --all x", knowledge, HOME)
    assert derive("allow", "./deploy.sh prod", knowledge).rule.words == ("/home/user/project/deploy.sh", "prod")


def test_a_deny_rule_for_a_line_stops_it_with_more_words_too(knowledge: Knowledge) -> None:
    entry = derive("deny", "git push --force", knowledge)
    assert described(entry.rule) == "git push --force"
    assert matches(entry, "sudo git -C x push origin --force", knowledge, HOME)


@pytest.mark.parametrize(
    "line", ["ls; rm x", "ls | sh", "rm $X", "rm *.pyc", "(", "", "# x", "sudo rm x", "x=1", "> f"]
)
@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_only_one_plain_command_makes_a_rule(line: str, decision: str, knowledge: Knowledge) -> None:
    with pytest.raises(PhocinaeError) as caught:
        derive(decision, line, knowledge)
    assert caught.value.code == INVALID_ARGUMENTS


# --- the file ---------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(st.lists(TEXTS, min_size=1, max_size=4), TEXTS, st.lists(TEXTS, max_size=3))
def test_a_rule_reads_back_as_it_was_written(words: list[str], reason: str, match: list[str]) -> None:
    entry = Entry(Rule("deny", "", reason=reason, words=tuple(words)), tuple(match), ())
    (back,), problems = read(as_toml(entry))
    assert problems == []
    assert (back.rule.words, back.rule.reason, back.match) == (tuple(words), reason, tuple(match))


def test_every_field_is_written() -> None:
    written = as_toml(Entry(Rule("ask", "a", ("b",), ("-c",), ("d",), "e"), ("f",), ("g",)))
    assert set(tomllib.loads(written)["rules"][0]) == set(FIELDS) - {"words"}


def test_adding_and_removing_leaves_the_rest_of_the_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "deep/config.toml"
    add_rule(str(file), Entry(Rule("deny", "first")))
    assert file.stat().st_mode & 0o777 == 0o600
    text = '# mine\nbackend = "embedded" # here\n\n[[rules]]\ndecision = "deny"\nwords = [\n"[[rules]]",\n]'
    file.write_text(text)
    file.chmod(0o640)
    add_rule(str(file), Entry(Rule("allow", "mytool", reason='"quoted" \\ and\nlines')))
    assert file.read_text().startswith(text + "\n\n[[rules]]\n")
    assert file.stat().st_mode & 0o777 == 0o640
    remove_rule(str(file), 1)
    assert file.read_text().strip() == text
    remove_rule(str(file), 0)
    assert file.read_text().strip() == '# mine\nbackend = "embedded" # here'
    with pytest.raises(PhocinaeError):
        remove_rule(str(file), 0)
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


def test_a_rule_between_tables_is_taken_out_alone(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    rule = '[[rules]]\ndecision = "deny"\nprogram = "{}"\n'
    file.write_text(
        rule.format("a") + "[gate]\nenabled = true\n" + rule.format("b") + "\n# about c\n" + rule.format("c")
    )
    remove_rule(str(file), 1)
    data = tomllib.loads(file.read_text())
    assert ([rule["program"] for rule in data["rules"]], data["gate"]) == (["a", "c"], {"enabled": True})


@pytest.mark.parametrize(
    "text", ["x = \n", "unknown = 1\n", "rules = []\n", 'rules = [{decision = "deny", program = "x"}]\n']
)
def test_a_file_that_can_not_be_added_to_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(PhocinaeError):
        add_rule(str(file), Entry(Rule("deny", "x")))
    assert file.read_text() == text


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.toml", tmp_path / "config.toml"
    real.touch()
    link.symlink_to(real)
    add_rule(str(link), Entry(Rule("deny", "x")))
    assert link.is_symlink()
    assert "deny" in real.read_text()


def test_no_warning_of_its_own_defaults() -> None:
    assert advice(Loaded(Settings())) == []
