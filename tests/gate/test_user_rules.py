"""The user's rules: held against parsed commands, wide for deny and ask, narrow for allow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae_cli.core import reasons
from phocinae_cli.core.effects import Action, Analysis
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Rule
from phocinae_cli.core.verdict import ALLOW, ASK, DENY
from phocinae_cli.gate.decide import decide
from phocinae_cli.gate.globs import path_match, reaches_into
from phocinae_cli.gate.rules import allowing, first_match, only_reads
from tests.gate.fakes import (
    CWD,
    HOME,
    Scripted,
    action,
    analysis,
    case,
    destructive,
    effect,
    harmless,
    risky,
    settings,
)


def denied(rule: Rule, of: Analysis, shell: str = "bash") -> bool:
    deny = Rule("deny", rule.program, rule.subcommand, rule.flags, rule.paths, words=rule.words)
    return first_match((deny,), "deny", Request("", shell, CWD, home=HOME), of) is not None


def allowed(of: Analysis, *rules: Rule) -> bool:
    found = allowing(rules, Request("", cwd=CWD, home=HOME), of)
    return found is not None and only_reads(found[1])


def rule(
    program: str = "",
    subcommand: str = "",
    flags: str = "",
    paths: str = "",
    words: str = "",
    decision: str = "allow",
) -> Rule:
    """Return a rule with each part written as words with blanks between."""
    parts = [tuple(part.split()) for part in (subcommand, flags, paths, words)]
    return Rule(decision, program, parts[0], parts[1], parts[2], words=parts[3])


# --- deny and ask -----------------------------------------------------------------------------------------------------

PUSH = rule("git", "push")
FORCE = rule("git", "push", "-f|--force")


@pytest.mark.parametrize(
    ("of", "line", "matches"),
    [
        (PUSH, "git push", True),
        (PUSH, "git push origin main", True),
        (PUSH, "/usr/bin/git push", True),
        (PUSH, "./git push", True),
        (PUSH, "git -C sub push", True),
        (PUSH, "git --no-pager push", True),
        (PUSH, "git -c a=b -c c=d -C x -C y -C z --git-dir g --work-tree w --namespace n -c e=f -c g=h push", True),
        (PUSH, "git --git-dir=x push", True),
        (PUSH, "git commit -m push", False),
        (PUSH, "git log push", False),
        (PUSH, "git", False),
        (PUSH, "gitx push", False),
        (PUSH, "echo git push", False),
        (FORCE, "git push --force", True),
        (FORCE, "git push origin main -f", True),
        (FORCE, "git push -uf origin", True),
        (FORCE, "git push --force=yes", True),
        (FORCE, "git push --force-with-lease", False),
        (FORCE, "git push", False),
        (FORCE, "git push -- --force", False),
        (rule("rm", "", "-r -f"), "rm -rf x", True),
        (rule("rm", "", "-rf"), "rm -f -r x", True),
        (rule("rm", "", "-r -f"), "rm -r x", False),
        (rule("find", "", "-delete"), "find . -delete", True),
        (rule("find", "", "-delete"), "find . -name delete", False),
        (rule("docker", "compose down"), "docker compose -f stack.yml -p shop down --volumes", True),
        (rule("docker", "compose down"), "docker compose up", False),
        (rule("terraform", "destroy"), "terraform -chdir=envs/prod destroy -auto-approve", True),
        (rule("kube*", "delete"), "kubectl -n prod delete pod x", True),
        (rule("git", "stash drop|clear"), "git stash drop", True),
        (rule("git", "stash drop|clear"), "git stash list", False),
        (rule("git", "stash *"), "git stash drop", True),
        (rule("git", "stash *"), "git stash", False),
        (rule("*", "", "", "**/secrets/**"), "cat secrets/a", True),
        (rule(words="git push origin *"), "git push origin main", True),
        (rule(words="git push origin *"), "git push origin main --force", False),
        (rule(words="git push"), "/usr/bin/git push", True),
    ],
)
def test_a_deny_rule_matches_what_the_command_says(of: Rule, line: str, matches: bool) -> None:
    assert denied(of, analysis(action(line))) is matches


def test_a_deny_rule_looks_at_every_command_of_the_line_and_inside_wrappers() -> None:
    line = analysis(action("ls"), action("git push", via=("sudo", "bash -c")))
    assert denied(PUSH, line)
    assert denied(rule("sudo"), line)
    assert denied(rule("bash"), line)
    assert not denied(rule("sudo", "", "-E"), line)
    assert not denied(rule("zsh"), line)


@pytest.mark.parametrize(
    ("pattern", "line", "cwd", "matches"),
    [
        ("~/secrets/**", "cat ../secrets/a/b", CWD, True),
        ("~/secrets/**", "rm -r /home/user/secrets", CWD, True),
        ("~/secrets/**", "tar --file=/home/user/secrets/x.tar", CWD, True),
        ("~/secrets/**", "curl -d@/x -o/home/user/secrets/x", CWD, True),
        ("~/secrets/**", "dd if=/home/user/secrets/x", CWD, True),
        ("~/secrets/**", "cat /home/user/./secrets//a", CWD, True),
        ("~/secrets/**", "cat /home/user/secretsx", CWD, False),
        ("~/secrets/**", "cat ../secrets/a", None, False),
        ("/etc/*", "cat /etc/passwd", CWD, True),
        ("/etc/*", "cat /etc/ssh/sshd_config", CWD, False),
        ("*.pem", "cat a/b/key.pem", CWD, True),
        ("*.pem", "cat a/b/key.pem.txt", CWD, False),
        ("conf/prod.*", "cat conf/prod.yml", CWD, True),
        ("conf/prod.*", "cat prod.yml", CWD + "/conf", True),
        ("~", "ls /home/user", CWD, True),
        (".", "rm -r .", CWD, True),
        ("/", "ls /", CWD, True),
    ],
)
def test_paths_are_resolved_before_they_are_held_against_a_pattern(
    pattern: str, line: str, cwd: str | None, matches: bool
) -> None:
    assert denied(rule("", "", "", pattern), analysis(action(line, cwd))) is matches


def test_a_deny_rule_on_paths_sees_redirections_and_what_a_recursive_effect_reaches() -> None:
    secrets = rule("", "", "", "~/secrets/**")
    bare = Action("", (), (), 0, 1, (), CWD)
    assert denied(secrets, analysis(bare, effects=(effect(bare, "overwrite", "x", "home-data", HOME + "/secrets/x"),)))
    rm = action("rm -rf /home/user")
    assert denied(secrets, analysis(rm, effects=(effect(rm, "delete", "~", "home", HOME, recursive=True),)))
    assert not denied(secrets, analysis(rm, effects=(effect(rm, "delete", "~", "home", HOME),)))
    other = action("rm -rf /srv")
    assert not denied(secrets, analysis(other, effects=(effect(other, "delete", "/srv", "system", "/srv", True),)))


@pytest.mark.parametrize(("shell", "matches"), [("powershell", True), ("cmd", True), ("bash", False)])
def test_case_is_folded_where_the_shell_does(shell: str, matches: bool) -> None:
    assert denied(rule("remove-item"), analysis(action("Remove-Item x")), shell) is matches


def test_deny_beats_ask_and_allow_whatever_their_order() -> None:
    of = analysis(action("git push"))
    for rules in (("allow", "ask", "deny"), ("deny", "ask", "allow")):
        using = settings(*[rule("git", "push", decision=decision) for decision in rules])
        assert decide(case(of, using), Scripted(harmless())).decision == DENY
    using = settings(rule("git", "push", decision="allow"), rule("git", "push", decision="ask"))
    assert decide(case(of, using), Scripted(harmless())).decision == ASK


# --- allow ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "line", "covers"),
    [
        (PUSH, "git push", True),
        (PUSH, "git push origin main", True),
        (PUSH, "/usr/bin/git push", True),
        (PUSH, "./git push", False),
        (PUSH, "/tmp/git push", False),
        (PUSH, "git -C sub push", False),
        (PUSH, "git -C push status", False),
        (PUSH, "git --git-dir=x push", True),
        (PUSH, "git push <parameter REMOTE>", False),
        (rule("./deploy.sh"), "./deploy.sh prod", True),
        (rule("./deploy.sh"), "/tmp/deploy.sh prod", False),
        (rule("deploy.sh"), "./deploy.sh prod", False),
        (rule("/opt/tools/*"), "/opt/tools/sync now", True),
        (rule("rm", "", "", "/tmp/scratch/**"), "rm -rf /tmp/scratch/a /tmp/scratch/b", True),
        (rule("rm", "", "", "/tmp/scratch/**"), "rm -rf /tmp/scratch/a /home/user/work", False),
        (rule("rm", "", "", "/tmp/scratch/**"), "rm -rf /tmp/scratch/../../etc", False),
        (rule("rm", "", "", "/tmp/scratch/**"), "rm -rf", False),
        (rule("cp", "", "", "/tmp/scratch/**"), "cp --target-directory=/etc /tmp/scratch/a", False),
        (rule("cp", "", "", "/tmp/scratch/**"), "cp -t/etc /tmp/scratch/a", False),
        (rule("dd", "", "", "/tmp/scratch/**"), "dd of=/dev/sda", False),
        (rule("kubectl", "delete", "", "pod-*"), "kubectl delete pod-1", True),
        (rule("kubectl", "delete", "", "pod-*"), "kubectl delete pod-1 prod", False),
        (rule("git", "clean", "-n|--dry-run"), "git clean -n", True),
        (rule("git", "clean", "-n|--dry-run"), "git clean -fd", False),
        (rule(words="terraform apply plan.out"), "terraform apply plan.out", True),
        (rule(words="terraform apply plan.out"), "terraform apply plan.out -auto-approve", False),
        (rule(words="terraform apply plan.out"), "./terraform apply plan.out", False),
        (rule(words="terraform apply *"), "terraform apply <parameter PLAN>", False),
    ],
)
def test_an_allow_rule_covers_only_what_is_certain(of: Rule, line: str, covers: bool) -> None:
    assert allowed(analysis(action(line)), of) is covers


SYNC = rule("mytool")


def test_an_allow_rule_never_carries_the_rest_of_the_line() -> None:
    rm = action("rm -rf /home/user/important")
    line = analysis(action("mytool"), rm, effects=(effect(rm, "delete", "important"),))
    assert not allowed(line, SYNC)
    assert allowed(line, SYNC, rule("rm"))


def test_what_only_reads_needs_no_rule_of_its_own() -> None:
    cd = action("cd x")
    tool = action("mytool", described=False)
    assert allowed(analysis(cd, tool, effects=(effect(cd, "read", "x"), effect(tool, "unknown"))), SYNC)
    assert not allowed(analysis(action("cd x", described=False), tool), SYNC)
    assert not allowed(analysis(action("cat <parameter X>"), tool), SYNC)
    assert not allowed(analysis(cd), SYNC), "without a rule at work there is nothing to allow"


def test_a_redirection_is_not_covered_by_the_rule_for_its_command() -> None:
    tool, bare = action("mytool"), Action("", (), (), 0, 1, (), CWD)
    into = effect(bare, "overwrite", "~/.bashrc", "startup", HOME + "/.bashrc")
    assert not allowed(analysis(tool, bare, effects=(into,)), SYNC)
    assert allowed(analysis(tool, bare, effects=(effect(bare, "overwrite", "/dev/null", "stream"),)), SYNC)


def test_what_an_action_does_beyond_its_words_must_lie_inside_the_paths_too() -> None:
    rm = action("rm -r /tmp/scratch/link")
    scratch = rule("rm", "", "", "/tmp/scratch/**")
    inside = effect(rm, "delete", "link", "temp", "/tmp/scratch/link")
    outside = effect(rm, "delete", "link", "home-data", HOME + "/work")
    assert allowed(analysis(rm, effects=(inside,)), scratch)
    assert not allowed(analysis(rm, effects=(inside, outside)), scratch)


@pytest.mark.parametrize(
    ("via", "extra", "covers"),
    [
        ((), None, True),
        (("time",), None, True),
        (("bash -c", "timeout"), None, True),
        (("sudo",), None, False),
        (("sudo",), rule("sudo"), True),
        (("sudo",), rule("sudo", "", "-n"), False),
        (("ssh", "bash"), None, False),
        (("/usr/bin/sudo",), None, False),
    ],
)
def test_a_wrapper_that_changes_something_must_be_covered_too(
    via: tuple[str, ...], extra: Rule | None, covers: bool
) -> None:
    line = analysis(action("mytool", via=via))
    assert allowed(line, SYNC, *([extra] if extra else [])) is covers


@pytest.mark.parametrize(
    "line",
    [
        Analysis((action("mytool"),), fault="unexpected )"),
        Analysis((action("mytool"),), unfinished=True),
        Analysis((action("mytool"),), unreadable="too deep"),
        Analysis(),
        Analysis((action("mytool"),), (effect(action("x"), "fork-bomb"),)),
        Analysis((action("mytool"),), (effect(action("x"), "delete"),)),
    ],
)
def test_what_is_not_wholly_read_is_not_covered(line: Analysis) -> None:
    assert not allowed(line, SYNC, rule("*"))


def test_what_no_rule_covers_is_judged_and_the_stricter_counts() -> None:
    tool, other = action("mytool", described=False), action("mkdir x")
    line = analysis(tool, other, effects=(effect(tool, "unknown"), effect(other, "create", "x")))
    for judgement, decision in ((harmless(), ALLOW), (risky(), ASK), (destructive(), DENY)):
        ask = Scripted(judgement)
        assert decide(case(line, settings(SYNC)), ask).decision == decision
        assert [seen.kind for seen in ask.asked[0].analysis.effects] == ["create"]


def test_an_allow_rule_is_not_put_to_the_judge() -> None:
    ask = Scripted(risky())
    verdict = decide(case("mytool now", settings(SYNC)), ask)
    assert (verdict.decision, verdict.reason, ask.asked) == (ALLOW, reasons.ALLOWED_BY_RULE, [])


# --- patterns on paths ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/a/**/z", "/a/z", True),
        ("/a/**/z", "/a/b/c/z", True),
        ("/a/**/z", "/a/b/c", False),
        ("**/node_modules/**", "/x/node_modules/y", True),
        ("**/node_modules/**", "/x/node_modulesy/y", False),
        ("/a/**", "/a", True),
        ("/a/**", "/ab", False),
        ("/a/*", "/a", False),
        ("/a/*/c", "/a/b/c", True),
        ("/a/?", "/a/b", True),
        ("/a//b/../c", "/a/c", True),
        ("../x", "/home/user/x", True),
    ],
)
def test_stars_stay_in_a_folder_and_double_stars_cross_them(pattern: str, path: str, matches: bool) -> None:
    assert path_match(pattern, path, CWD, HOME) is matches


@pytest.mark.parametrize(
    ("pattern", "folder", "reaches"),
    [
        ("/a/b/**", "/a", True), ("/a/b/**", "/", True), ("/a/*/c", "/a", False), ("/a/b/*/c", "/a", True),
        ("/ab/c", "/a", False), ("**/x", "/", False), ("*.pem", "/", False), ("~/x", "/home", True),
    ],
)  # fmt: skip
def test_a_folder_reaches_what_a_pattern_names_below_it(pattern: str, folder: str, reaches: bool) -> None:
    assert reaches_into(pattern, folder, CWD, HOME) is reaches


PARTS = st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=4)


@given(PARTS)
def test_a_path_matches_itself_and_everything_above_it_with_double_stars(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    assert path_match(path, path, CWD, HOME)
    for end in range(len(parts) + 1):
        folder = "/" + "/".join(parts[:end])
        assert path_match(folder.rstrip("/") + "/**", path, CWD, HOME)


@given(st.lists(st.sampled_from(["a", "*", "**", "?"]), max_size=30), st.lists(st.just("a"), max_size=60))
def test_matching_ends_soon_for_any_pattern(pattern: list[str], path: list[str]) -> None:
    path_match("/" + "/".join(pattern), "/" + "/".join(path), CWD, HOME)


WORDS = st.lists(
    st.sampled_from(["git", "push", "-f", "--force", "--", "x", "rm", "-rf", "/a"]), min_size=1, max_size=6
)
RULES = st.builds(
    Rule,
    st.just("allow"),
    st.sampled_from(["git", "rm", "*", ""]),
    st.sampled_from([(), ("push",), ("*",)]),
    st.sampled_from([(), ("-f|--force",), ("-r",)]),
    st.sampled_from([(), ("/a",), ("*",)]),
)


@given(WORDS, RULES)
def test_what_an_allow_rule_covers_the_same_deny_rule_matches(words: list[str], made: Rule) -> None:
    line = analysis(action(" ".join(words)))
    if allowed(line, made):
        assert denied(made, line)
