"""The whole reasoning behind a verdict: steps, wrappers, effects, facts, what is not known, the trail, safer ways."""

from __future__ import annotations

from phocinae_cli.core.request import join
from phocinae_cli.core.verdict import DECISION_OF_HARM
from phocinae_cli.render.marks import clean, excerpt, line_number
from phocinae_cli.render.text import clause, distinct, headline, paint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.report import Report, Step
    from phocinae_cli.core.verdict import Finding

UNDO = {"easy": "easily undone", "hard": "hard to undo", "none": "can't be undone"}


def explain(report: Report, color: bool = False, width: int = 80) -> str:
    """Return the reasoning as indented lines, without a line end behind the last."""
    verdict = report.verdict
    lines = [headline(verdict, color), *_about(report)]
    for number, step in enumerate(report.steps, 1):
        inner = [at + 1 for at in range(number, len(report.steps)) if _wraps(step, report.steps[at])]
        lines += ["", *_step(number, step, inner, report.request.text, color)]
    told = distinct(verdict.findings)
    if told:
        lines += ["", paint("findings", "bold", color)]
    for finding in told:
        lines += _finding(finding, report.request.text, color, width)
    if report.facts:
        lines += ["", paint("facts", "bold", color)]
        lines += [f"  {clean(question)}: {clean(answer)}" for question, answer in report.facts]
    lines += ["", f"{paint('trail', 'bold', color)}  {' > '.join(verdict.trail) or 'none'}"]
    return "\n".join(lines)


def _about(report: Report) -> list[str]:
    verdict, request = report.verdict, report.request
    confidence = f"{verdict.confidence:.2f} ({verdict.confidence_kind})"
    harm = verdict.harm or "not told"
    rows = [
        ("reason", verdict.reason),
        ("harm", harm if verdict.confidence_kind == "none" else f"{harm}, confidence {confidence}"),
        ("engine", verdict.engine),
        ("model", verdict.model_decision or ""),
        ("shell", f"{request.shell}, for {request.audience}"),
        ("cwd", request.cwd),
        ("note", verdict.note),
        ("error", "" if report.error is None else f"{report.error[1]}  [{report.error[0]}]"),
        ("to do", "put it to a person or a larger model" if verdict.escalate else ""),
    ]
    return [f"  {label.ljust(7)} {clean(value)}" for label, value in rows if value]


def _wraps(outer: Step, inner: Step) -> bool:
    """Return whether a step is what an earlier one runs, as `rm` in `sudo rm`."""
    return inner.via[: len(outer.via)] == outer.via and len(inner.via) == len(outer.via) + 1 and _names(outer, inner)


def _names(outer: Step, inner: Step) -> bool:
    program = outer.argv[0].rpartition("/")[2] if outer.argv else ""
    return bool(program) and inner.via[-1].split(" ")[0] == program and inner.start >= outer.start


def _step(number: int, step: Step, inner: list[int], text: str, color: bool) -> list[str]:
    """Return one command as it would run, what leads to it, what it does, and what is not known of it."""
    words = clean(join(list(step.argv))) if step.argv else "(no command, redirections only)"
    where = f"line {line_number(text, step.start)}, " if "\n" in text.strip() else ""
    span = paint(f"({where}{step.start}-{step.end})", "dim", color)
    lines = [f"{paint(f'step {number}', 'bold', color)}  {words}  {span}"]
    if step.via:
        lines.append(f"  via     {clean(' > '.join(step.via))}")
    effects = step.effects or ((f"runs step {inner[0]}",) if inner else ("nothing that changes anything",))
    lines += [f"  does    {clean(effect)}" for effect in effects]
    lines += [f"  unknown {clean(note)}" for note in step.notes]
    return lines


def _finding(finding: Finding, text: str, color: bool, width: int) -> list[str]:
    line, marks = excerpt(text, finding.start, finding.end, width - 4)
    harm = paint(finding.harm, DECISION_OF_HARM[finding.harm], color)
    sure = "" if finding.certain else ", not certain"
    lines = [f"  {harm}  {clean(finding.code)}  {clean(clause(finding))}{sure}", f"    {line}"]
    if marks:
        lines.append(f"    {paint(marks, DECISION_OF_HARM[finding.harm], color)}")
    rows = (
        ("why", finding.why),
        ("undo", UNDO.get(finding.undo, "")),
        ("instead", finding.instead),
        ("via", " > ".join(finding.via)),
        ("in", finding.place),
    )
    return lines + [f"    {label.ljust(8)}{clean(value)}" for label, value in rows if value]
