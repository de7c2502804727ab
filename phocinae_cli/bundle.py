"""The code of every module that a check loads, in one file: opening seventy files costs more than the check itself.

The file lies beside the compiled modules, in `__pycache__`, and is as trusted as they are. It is written by the first
check that finds none, and believed only as long as every source it was made from has the size and time it had then.
"""

from __future__ import annotations

import os
import sys
from marshal import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

PACKAGE = "phocinae_cli"
ROOT = os.path.dirname(__file__)
PATH = f"{ROOT}/__pycache__/check.{sys.implementation.cache_tag}.bundle"

Entry = tuple[str, bool, int, int, "CodeType"]
"""A module's source file, whether it is a package, the source's time and size, and the compiled code."""


class Bundle:
    """Finds and loads the modules of the bundle; a finder and loader as `sys.meta_path` wants them."""

    def __init__(self, modules: dict[str, Entry]) -> None:
        self.modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to load a module of the bundle, or None for any other."""
        entry = self.modules.get(name)
        if entry is None:
            return None
        origin, is_package, *_ = entry
        kind: type[ModuleSpec] = type(sys.__spec__)  # importlib.machinery costs an import
        spec = kind(name, self, origin=origin, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(origin)]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave making the module to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code in it."""
        exec(self.modules[module.__name__][4], module.__dict__)


def attach() -> bool:
    """Import from the bundle from here on; False when there is none to believe."""
    try:
        with open(PATH, "rb") as file:
            modules = loads(file.read())
        for origin, _, changed, size, _ in modules.values():
            found = os.stat(origin)
            if found.st_size != size or int(found.st_mtime) != changed:
                return False
    except (OSError, ValueError, EOFError, TypeError, AttributeError):
        return False
    sys.meta_path.insert(0, Bundle(modules))
    return True


def save() -> None:
    """Write the bundle of all modules of the package that are loaded now; where that can't be, nothing is lost."""
    if sys.dont_write_bytecode:
        return
    modules: dict[str, Entry] = {}
    folder = os.path.dirname(PATH)
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.access(folder, os.W_OK):
            return  # before anything is compiled: where only root may write, every check comes by here
        for name, module in list(sys.modules.items()):
            origin = getattr(module, "__file__", None)
            if name.partition(".")[0] != PACKAGE or origin is None or not origin.endswith(".py"):
                continue
            stat = os.stat(origin)
            with open(origin, encoding="utf-8") as file:
                code = compile(file.read(), origin, "exec", dont_inherit=True)
            is_package = origin.endswith("__init__.py")
            modules[name] = (origin, is_package, int(stat.st_mtime), stat.st_size, code)
        fresh = f"{PATH}.{os.getpid()}"
        with open(fresh, "wb") as out:
            out.write(dumps(modules))
        os.replace(fresh, PATH)
    except (OSError, ValueError):
        return
