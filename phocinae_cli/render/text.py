"""A report as a person reads it: the decision, the guilty part marked, what it does, why, and a safer way."""

from __future__ import annotations

from phocinae_cli.core.reasons import MESSAGES
from phocinae_cli.core.verdict import ALLOW, ASK, DECISION_OF_HARM, DENY
from phocinae_cli.render.marks import cells, clean, cut, excerpt, line_number
from phocinae_cli.render.steps import done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.report import Report
    from phocinae_cli.core.verdict import Finding, Verdict

SHOWN = 3
"""How many findings a verdict prints; `explain` prints all."""

STYLES = {ALLOW: "32", ASK: "33", DENY: "31", "bold": "1", "dim": "2"}


def as_text(report: Report, color: bool = False, width: int = 80, first_line: int = 1) -> str:
    """Return the lines for a person, without a line end behind the last; colour only as ANSI codes if asked for.

    A text of several lines is shown with their numbers, which start at `first_line`.
    """
    verdict = report.verdict
    lines = [headline(verdict, color)]
    if report.error is not None and report.error[1] not in sentence(verdict):
        lines.append("  " + clean(f"{report.error[1]}  [{report.error[0]}]"))
    if verdict.note:
        lines.append("  " + paint(clean(verdict.note), "dim", color))
    if verdict.decision == ALLOW:
        return "\n".join(lines)
    told = distinct(verdict.findings)
    before: Finding | None = None
    for finding in told[:SHOWN]:
        lines.extend(told_finding(finding, report.request.text, color, width, first_line, before))
        before = finding
    if len(told) > SHOWN:
        lines.append(paint(f"  and {len(told) - SHOWN} more: `phocinae explain` shows all", "dim", color))
    return "\n".join(lines)


def headline(verdict: Verdict, color: bool) -> str:
    """Return the decision and its reason in words."""
    word = paint(paint(verdict.decision, verdict.decision, color), "bold", color)
    return f"{word}{' ' * (5 - len(verdict.decision))} {clean(sentence(verdict))}"


def sentence(verdict: Verdict) -> str:
    """Return why the gate decided as it did, in words."""
    return verdict.message or MESSAGES.get(verdict.reason, verdict.reason)


def told_finding(
    finding: Finding, text: str, color: bool, width: int, first_line: int = 1, before: Finding | None = None
) -> list[str]:
    """Return the lines on one finding: the text marked, what it does, why, the safer way, the wrappers.

    What the finding told just `before` has said already is not said again.
    """
    does = clean(clause(finding))
    rows = _rows(finding, color)
    if before is not None and (before.start, before.end) == (finding.start, finding.end):
        lines = [f"  {does}"]
        said = _rows(before, color)
        rows = [row for row in rows if row not in said]
    else:
        lines = _marked(finding, does, text, color, width, first_line)
    return lines + [f"  {paint(label.ljust(8), 'dim', color)} {value}" for label, value in rows if value]


def _marked(finding: Finding, does: str, text: str, color: bool, width: int, first_line: int) -> list[str]:
    """Return the line of the text with carets under the guilty part, and what it does beside or below them."""
    gutter = f"{first_line + line_number(text, finding.start) - 1} | " if "\n" in text.strip() else ""
    line, marks = excerpt(text, finding.start, finding.end, width - 2 - len(gutter))
    shown = f"  {paint(gutter, 'dim', color)}{line}"
    if not marks:
        return [shown, f"  {does}"]
    below = f"  {' ' * len(gutter)}{paint(marks, DECISION_OF_HARM[finding.harm], color)}"
    fits = 2 + len(gutter) + len(marks) + 1 + cells(does) <= width
    return [shown, f"{below} {does}"] if fits else [shown, below, f"  {does}"]


def _rows(finding: Finding, color: bool) -> list[tuple[str, str]]:
    code = paint(f"[{clean(finding.code)}]", "dim", color)
    return [
        ("why", f"{clean(finding.why)}  {code}" if finding.why else code),
        ("instead", clean(finding.instead)),
        ("via", clean(" > ".join(finding.via))),
        ("in", clean(finding.place)),
    ]


def clause(finding: Finding) -> str:
    """Return what a finding's command does to what, such as `deletes ~/work`."""
    return done(finding.effect, cut(finding.target, 200))


def distinct(findings: tuple[Finding, ...]) -> list[Finding]:
    """Return the findings without those that would print the same lines again, in order."""
    seen: set[tuple[str, str, int, int, str]] = set()
    kept = []
    for finding in findings:
        key = (finding.code, finding.target, finding.start, finding.end, finding.place)
        if key not in seen:
            seen.add(key)
            kept.append(finding)
    return kept


def paint(text: str, style: str, color: bool) -> str:
    """Return the text in a style of STYLES, or as it is when colour is off."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if color and text else text
