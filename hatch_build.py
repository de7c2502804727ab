"""What building a wheel or an editable install adds: the compiled knowledge base, the shell hooks, the datasets."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Folders that stand beside the package in a checkout and inside it in a wheel.
PACKAGE_DATA = {"shell": "phocinae_cli/shell", "bench/datasets": "phocinae_cli/bench/datasets"}


class PhocinaeBuildHook(BuildHookInterface[Any]):
    """Compiles the knowledge base, so that nothing parses TOML on the way to a verdict, and adds the package data."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write `phocinae_cli/kb/kb.txt`; `version` is `standard` or `editable`."""
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from phocinae_cli.kb.compile import compile_all
        finally:
            sys.path.remove(str(root))
        kb = root / "phocinae_cli" / "kb"
        fresh = kb / f"kb.{os.getpid()}"
        compile_all(kb / "commands", fresh)
        fresh.replace(kb / "kb.txt")  # whole or not at all: a check may be reading it
        if version != "editable":  # which reads them where they stand: a copy would only grow old
            build_data["force_include"].update(PACKAGE_DATA)
