"""The reason codes of the gate: they are interface, so each stands here once, with its sentence."""

from __future__ import annotations

GATE_DISABLED = "gate-disabled"
TOOL_NAME_MISSING = "tool-name-missing"
TOOL_NOT_GATED = "tool-not-gated"
LINE_NOT_READABLE = "line-not-readable"
DENIED_BY_RULE = "denied-by-rule"
NEVER = "never"
APPROVED = "approved"
ON_AUTO_ALLOW_LIST = "command-on-auto-allow-list"
ALLOWED_BY_RULE = "allowed-by-rule"
ASKED_BY_RULE = "asked-by-rule"
CALLED_DESTRUCTIVE = "model-called-it-destructive"
CALLED_RISKY = "model-called-it-risky"
CALLED_HARMLESS = "model-called-it-harmless"
CONFIDENCE_BELOW_THRESHOLD = "confidence-below-threshold"
SERVICE_UNAVAILABLE = "decision-service-unavailable"
INTERNAL_ERROR = "internal-error"

MESSAGES = {
    GATE_DISABLED: "the gate is switched off",
    TOOL_NAME_MISSING: "the request names no tool",
    TOOL_NOT_GATED: "this tool is not covered by gate.tools",
    LINE_NOT_READABLE: "the line can't be read",
    DENIED_BY_RULE: "a rule of yours denies it",
    NEVER: "it is never let through, whatever rules and approvals say",
    APPROVED: "you approved exactly this line here",
    ON_AUTO_ALLOW_LIST: "it is on the auto-allow list",
    ALLOWED_BY_RULE: "a rule of yours allows it",
    ASKED_BY_RULE: "a rule of yours asks first",
    CALLED_DESTRUCTIVE: "it would destroy something for good",
    CALLED_RISKY: "it changes something one would want to see first",
    CALLED_HARMLESS: "it only reads, or writes where work is normally written",
    CONFIDENCE_BELOW_THRESHOLD: "too little is known about it to let it pass",
    SERVICE_UNAVAILABLE: "the decision service gave no usable answer",
    INTERNAL_ERROR: "phocinae itself failed",
}
