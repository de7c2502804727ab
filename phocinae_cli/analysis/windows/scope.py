"""The state of a PowerShell or cmd session as far as the line sets it, on top of what every shell has."""

from __future__ import annotations

from phocinae_cli.analysis.paths import normalise
from phocinae_cli.analysis.scope import Scope
from phocinae_cli.analysis.windows.paths import WindowsPlaces, canonical, is_windows
from phocinae_cli.analysis.windows.things import NONE, Thing, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from phocinae_cli.core.request import Request


class WindowsScope(Scope):
    """A scope with PowerShell's variables (`things`, by lower-case name), its own functions, and `$_`."""

    __slots__ = ("blocks", "item", "machine_home", "things")

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.things: dict[str, Thing] = {}
        self.blocks: dict[str, tuple[Node, str]] = {}
        self.item: Thing = NONE
        self._settle(request.home)

    def _settle(self, home: str) -> None:
        self.machine_home = home
        self.home = canonical(home)
        self.cwd = canonical(self.cwd) if self.cwd is not None else None
        self.where = WindowsPlaces(self.cwd or "", home, self.where.root)

    @staticmethod
    def of(scope: Scope) -> WindowsScope:
        """Return the scope of a PowerShell or cmd started from a shell of another kind."""
        if isinstance(scope, WindowsScope):
            return scope.copy()
        twin = WindowsScope.__new__(WindowsScope)
        for slot in Scope.__slots__:
            setattr(twin, slot, getattr(scope, slot))
        twin.things = {}
        for name, alternatives in scope.variables.items():
            fields = tuple(value for choice in alternatives for value in choice)
            twin.things[name.lower()] = Thing(fields)
            if name in scope.exported:
                twin.things["env:" + name.lower()] = Thing(fields)
        twin.variables = {}
        twin.blocks, twin.item = {}, NONE
        project, root = scope.where.project, scope.where.root
        twin._settle(scope.home)
        twin.where = WindowsPlaces(project or "", scope.home, root)
        return twin

    def copy(self) -> WindowsScope:
        """Return the scope of a child: what it sets stays there, files written are seen by all."""
        twin = WindowsScope.__new__(WindowsScope)
        for slot in Scope.__slots__:
            setattr(twin, slot, getattr(self, slot))
        twin.things, twin.blocks = self.things.copy(), self.blocks.copy()
        twin.variables, twin.functions = self.variables.copy(), self.functions.copy()
        twin.item, twin.machine_home = self.item, self.machine_home
        return twin

    def child(self) -> WindowsScope:
        """Return the scope of a program started from here: the environment, no variables."""
        twin = self.copy()
        twin.things = {
            name: thing for name, thing in self.things.items() if name.startswith(("env:", "phocinae_part_"))
        }
        twin.blocks, twin.item = {}, NONE
        return twin

    def elsewhere(self) -> Scope:
        """Return the scope on another machine: nothing from here is known there."""
        twin = self.copy()
        base = super().elsewhere()
        for slot in Scope.__slots__:
            setattr(twin, slot, getattr(base, slot))
        twin.where = WindowsPlaces("", twin.home)
        twin.things = {name: thing for name, thing in self.things.items() if name.startswith("phocinae_part_")}
        return twin

    def resolve(self, path: str) -> str | None:
        """Return an absolute canonical path, or None when the directory is not known."""
        path = canonical(path)
        if self.cwd is not None and is_windows(self.cwd) and path.startswith("/") and not is_windows(path):
            path = self.cwd[:3] + path
        return normalise(path, self.cwd)

    def environment(self, name: str) -> Thing:
        """Return an environment variable: what the line set, else what the caller gave, else Windows' own."""
        low = name.lower()
        found = self.things.get("env:" + low)
        if found is not None:
            return found
        for given, value in self.env.items():
            if given.lower() == low:
                return text(value)
        profile = self.machine_home if is_windows(self.home) else f"C:\\Users\\{self.user}"
        standard = STANDARD.get(low)
        if standard is not None:
            return text(standard.replace("{profile}", profile).replace("{user}", self.user))
        return unsure(f"parameter {name}", name_only=low in PLAIN_NAMES)


STANDARD = {
    "userprofile": "{profile}", "home": "{profile}", "temp": "{profile}\\AppData\\Local\\Temp",
    "tmp": "{profile}\\AppData\\Local\\Temp", "appdata": "{profile}\\AppData\\Roaming",
    "localappdata": "{profile}\\AppData\\Local", "username": "{user}", "user": "{user}", "systemroot": "C:\\Windows",
    "windir": "C:\\Windows", "systemdrive": "C:", "homedrive": "C:", "homepath": "\\Users\\{user}",
    "programfiles": "C:\\Program Files", "programfiles(x86)": "C:\\Program Files (x86)",
    "programw6432": "C:\\Program Files", "programdata": "C:\\ProgramData", "allusersprofile": "C:\\ProgramData",
    "public": "C:\\Users\\Public", "comspec": "C:\\Windows\\System32\\cmd.exe", "os": "Windows_NT",
    "processor_architecture": "AMD64", "pathext": ".COM;.EXE;.BAT;.CMD", "onedrive": "{profile}\\OneDrive",
    "commonprogramfiles": "C:\\Program Files\\Common Files", "tmpdir": "/tmp",
}  # fmt: skip
PLAIN_NAMES = frozenset(
    ("computername", "userdomain", "logonserver", "number_of_processors", "random", "date", "time", "errorlevel")
)
