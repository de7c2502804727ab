"""Cmdlets that only show what they would do: by `-WhatIf`, by its default, or by the preference variable."""

from __future__ import annotations

from phocinae_cli.kb.schema import glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.analysis.windows.invocation import Argument
    from phocinae_cli.analysis.windows.scope import WindowsScope
    from phocinae_cli.kb.lookup import Tool

PREFERENCE = "whatifpreference"
DEFAULTS = "psdefaultparametervalues"
VERBS = frozenset(
    ("remove", "clear", "set", "stop", "restart", "rename", "move", "disable", "uninstall", "unregister", "format",
     "initialize", "reset", "suspend", "revoke", "dismount", "update", "add", "new")
)  # fmt: skip
"""Verbs whose cmdlets heed the preference; `Invoke-…` and `Start-…` often don't."""
HEEDING = frozenset(
    ("ps-remove", "ps-copy", "ps-new", "ps-set-property", "ps-remove-property", "ps-acl", "ps-store",
     "ps-stop-process", "ps-services", "ps-wmi-remove", "ps-member")
)  # fmt: skip
UNHEEDING = frozenset(("ps-make", "ps-set-variable", "ps-alias", "ps-add-type", "ps-task", "ps-temporary"))
BRANCHES = frozenset(
    ("if_statement", "elseif_clause", "else_clause", "switch_statement", "while_statement", "for_statement",
     "foreach_statement", "do_statement", "catch_clause", "trap_statement")
)  # fmt: skip


def only_shows(tool: Tool, base: str, given: list[Argument], scope: WindowsScope) -> bool:
    """Return whether a cmdlet changes nothing this time; what it is given itself outranks what was set before."""
    for item in given:
        name = item.name.lower()
        if name in ("-?", "-wi") or (len(name) > 2 and "-whatif".startswith(name)):
            return (item.thing.exact or "true").lower() not in ("false", "0", "$false")
    if not _heeds(tool, base):
        return False
    if _is_true(scope.things[PREFERENCE].exact if PREFERENCE in scope.things else None):
        return True
    table = scope.things[DEFAULTS].table if DEFAULTS in scope.things else None
    return any(
        key.endswith(":whatif") and glob_match(key.partition(":")[0], base) and _is_true(value.exact)
        for key, value in (table or {}).items()
    )


def _heeds(tool: Tool, base: str) -> bool:
    if tool.special in HEEDING:
        return True
    return base.partition("-")[0] in VERBS and "-" in base and tool.special not in UNHEEDING


def _is_true(text: str | None) -> bool:
    return text is not None and text.lower() in ("true", "1")


def is_certain(node: Node) -> bool:
    """Return whether an assignment is surely carried out: it stands in no branch or loop."""
    here = node.parent
    while here is not None:
        if here.type in BRANCHES:
            return False
        if here.type in ("script_block_expression", "function_statement"):
            return True  # it holds for the rest of that block
        here = here.parent
    return True
