"""Reports made by hand, so that what is printed can be held against a golden whatever the engine thinks."""

from __future__ import annotations

from typing import Any

from phocinae_cli.core.report import Report, Step
from phocinae_cli.core.request import Request
from phocinae_cli.core.verdict import ALLOW, ASK, DENY, DESTRUCTIVE, HARMLESS, RISKY, Finding, Verdict

TRAIL = ("off", "tool_missing", "user_deny", "never", "consult")


def finding(text: str, part: str, harm: str = DESTRUCTIVE, **changed: Any) -> Finding:
    """A finding on a part of a text."""
    start = text.index(part) if part else 0
    made = Finding(
        "rm.recursive",
        "delete",
        "~/work",
        harm,
        "removes it with everything below, for good",
        "list it first, or move it to the trash",
        start=start,
        end=start + len(part),
    )
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def report(text: str, verdict: Verdict, **changed: Any) -> Report:
    """A report on a text in a fixed directory."""
    made = Report(Request(text, cwd="/srv/app", home="/home/ada", user="ada"), verdict, taken_ms=1.23456)
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def denied(text: str, part: str, **changed: Any) -> Report:
    """A report that denies one part of a text."""
    return report(text, verdict(DENY, "model-called-it-destructive", DESTRUCTIVE, (finding(text, part, **changed),)))


def verdict(decision: str, reason: str, harm: str | None, findings: tuple[Finding, ...] = ()) -> Verdict:
    """A verdict of the embedded engine."""
    return Verdict(
        decision,
        reason,
        harm=harm,
        confidence=0.97,
        confidence_kind="calibrated",
        findings=findings,
        model_decision=decision,
        engine="phocinae-embedded-1",
        trail=TRAIL,
    )


def _sudo() -> Report:
    text = "cd src && sudo rm -rf ~/work"
    made = denied(text, "sudo rm -rf ~/work", via=("sudo",))
    steps = (
        Step(("cd", "src"), (), (), (), 0, 6),
        Step(("sudo", "rm", "-rf", "/home/ada/work"), (), (), (), 10, 28),
        Step(
            ("rm", "-rf", "/home/ada/work"),
            ("sudo",),
            ("deletes ~/work  (/home/ada/work, home-file, with everything below)",),
            (),
            10,
            28,
        ),
    )
    facts = (("/home/ada/work", "directory"), ("git work tree of /srv/app", "/srv/app, clean"))
    made.explained = lambda: (steps, facts)
    return made


def _several() -> Report:
    text = "git push --force\nmake deploy\nkubectl delete ns prod\n# tidy\nrm -rf ~/work\nkill 1"
    rows = (
        ("kubectl delete ns prod", DESTRUCTIVE, "kubectl.delete", "cluster-destroy", "ns prod"),
        ("rm -rf ~/work", DESTRUCTIVE, "rm.recursive", "delete", "~/work"),
        ("git push --force", RISKY, "git.push-force", "publish", "origin"),
        ("kill 1", RISKY, "kill", "kill", "1"),
    )
    findings = tuple(
        finding(text, part, harm, code=code, effect=effect, target=target) for part, harm, code, effect, target in rows
    )
    return report(text, verdict(DENY, "model-called-it-destructive", DESTRUCTIVE, findings))


def _twice() -> Report:
    text = "for f in a b; do rm -rf ~/$f; done"
    findings = tuple(finding(text, "rm -rf ~/$f", target=target) for target in ("~/a", "~/b"))
    return report(text, verdict(DENY, "model-called-it-destructive", DESTRUCTIVE, findings))


def _unknown() -> Report:
    text = "./deploy.sh $TARGET"
    guilty = finding(
        text, text, RISKY, code="program.undescribed", effect="unknown", target="./deploy.sh", instead="",
        why="nobody has described what `./deploy.sh` does", certain=False, place="Makefile:12",
    )  # fmt: skip
    made = report(text, verdict(ASK, "confidence-below-threshold", None, (guilty,)))
    made.verdict.confidence, made.verdict.model_decision, made.verdict.escalate = 0.3, None, True
    steps = (
        Step(("./deploy.sh", "<parameter TARGET>"), (), ("does something unknown ./deploy.sh  (not certain)",),
             ("nobody described ./deploy.sh", "a word is known only when it runs"), 0, len(text)),
    )  # fmt: skip
    made.explained = lambda: (steps, ())
    return made


def _failed() -> Report:
    made = report("ls", Verdict(ASK, "internal-error", "phocinae itself failed: KeyError: 'x'", trail=TRAIL))
    made.error = ("internal-error", "KeyError: 'x'")
    return made


def _noted() -> Report:
    made = report("git push", verdict(ALLOW, "model-called-it-risky", RISKY))
    made.request.audience = "person"
    made.verdict.note = "publishes the branch where others pull from"
    return made


REPORTS = {
    "allow": report("ls -la", verdict(ALLOW, "model-called-it-harmless", HARMLESS)),
    "noted": _noted(),
    "wrapped": _sudo(),
    "several": _several(),
    "twice": _twice(),
    "unknown": _unknown(),
    "failed": _failed(),
    "ruled": report(
        "rm x", Verdict(DENY, "denied-by-rule", "a rule of yours denies it: rm (config.toml)", trail=TRAIL)
    ),
    "hostile": denied(
        "echo '\x1b[2J\u202e' && rm -rf ~/\u200bwork\x07", "rm -rf ~/\u200bwork\x07", target="~/\u200bwork\x07"
    ),
    "secret": denied("PGPASSWORD=hunter2hunter2 dropdb prod && rm -rf ~/work", "rm -rf ~/work"),
    "wide": denied("echo 中文 ｆｕｌｌ é && rm -rf ~/作業", "rm -rf ~/作業"),
    "long": denied("echo " + "a" * 200 + " && rm -rf ~/work && echo " + "b" * 100, "rm -rf ~/work"),
}
"""One of each kind that reads differently."""
