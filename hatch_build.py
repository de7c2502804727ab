"""Compiles the knowledge base while the package is built, so that nothing parses TOML on the way to a verdict."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KnowledgeBaseHook(BuildHookInterface[Any]):
    """Writes `phocinae_cli/kb/kb.txt` before a wheel, an sdist or an editable install is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from phocinae_cli.kb.compile import compile_all
        finally:
            sys.path.remove(str(root))
        kb = root / "phocinae_cli" / "kb"
        compile_all(kb / "commands", kb / "kb.txt")
