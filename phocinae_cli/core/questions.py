"""What is put to a judge, and what a judge answers: the seam between the gate and every backend."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.verdict import Finding

ENGINE = "phocinae-embedded-1"
"""What the embedded engine calls itself as a judge, so that it never passes for a model it stands in for."""


class Judgement:
    """A judge's answer on one line.

    `harm` is the harm claimed, or None when the judge could not tell; `confidence` its calibrated probability in
    0..1; `findings` the reasons, strictest first; `judge` names who answered; `truncated` says that the judge
    did not see the whole line, so that it can't be allowed on this answer; `decision` is the judge's own word
    when it answered with a decision instead of a harm (`tri-state`, `noul`), else None.
    """

    __slots__ = ("confidence", "confidence_kind", "decision", "findings", "harm", "judge", "truncated")

    def __init__(
        self,
        harm: str | None,
        confidence: float,
        findings: tuple[Finding, ...] = (),
        judge: str = ENGINE,
        truncated: bool = False,
        decision: str | None = None,
        confidence_kind: str = "calibrated",
    ) -> None:
        self.harm = harm
        self.confidence = confidence
        self.findings = findings
        self.judge = judge
        self.truncated = truncated
        self.decision = decision
        self.confidence_kind = confidence_kind
