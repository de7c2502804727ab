"""A report as one JSON object: versioned, pure ASCII, its fields described in docs/json.md."""

from __future__ import annotations

from phocinae_cli.core.jsontext import encode
from phocinae_cli.core.redact import redact
from phocinae_cli.render.text import sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.report import Report
    from phocinae_cli.core.verdict import Finding

SCHEMA = 1

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]


def as_json(report: Report) -> str:
    """Return the report as one line of JSON; letters outside ASCII are escaped, so that any stream can carry it."""
    return dump(as_object(report))


def as_object(report: Report) -> dict[str, Value]:
    """Return the report as plain values, in the order they are printed."""
    verdict = report.verdict
    return {
        "schema": SCHEMA,
        "decision": verdict.decision,
        "harm": verdict.harm,
        "confidence": round(verdict.confidence, 4),
        "confidence_kind": verdict.confidence_kind,
        "reason": verdict.reason,
        "message": redact(sentence(verdict)),
        "findings": [_finding(finding) for finding in verdict.findings],
        "escalate": verdict.escalate,
        "model_decision": verdict.model_decision,
        "engine": verdict.engine,
        "trail": list(verdict.trail),
        "shell": report.request.shell,
        "cwd": report.request.cwd,
        "error": None if report.error is None else {"code": report.error[0], "message": redact(report.error[1])},
        "taken_ms": round(report.taken_ms, 3),
    }


def dump(value: Value) -> str:
    """Return plain values as one line of JSON in ASCII."""
    text = encode(value)
    return text if text.isascii() else "".join([char if char.isascii() else _escaped(char) for char in text])


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join([f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)])


def _finding(finding: Finding) -> Value:
    return {
        "code": finding.code,
        "effect": finding.effect,
        "target": redact(finding.target),
        "span": [finding.start, finding.end],
        "why": redact(finding.why),
        "instead": redact(finding.instead),
    }
