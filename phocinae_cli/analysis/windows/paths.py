"""Where a Windows path lies, in the same words as for POSIX: drives, shares, devices, the registry, profiles.

Paths of Windows get a canonical form that starts with a slash, so that the rest of the engine can resolve them:
`C:\\Users\\x` is `/c:/Users/x`, `HKLM:\\Software` is `/hklm:/Software`, `\\\\srv\\share` is `/unc:/srv/share`.
"""

from __future__ import annotations

from phocinae_cli.analysis.paths import Whereabouts, ends_disposable, inside_home, normalise
from phocinae_cli.analysis.values import Value

HIVES = {
    "hklm": "hklm", "hkcu": "hkcu", "hkcr": "hkcr", "hku": "hku", "hkcc": "hkcc", "hkey_local_machine": "hklm",
    "hkey_current_user": "hkcu", "hkey_classes_root": "hkcr", "hkey_users": "hku", "hkey_current_config": "hkcc",
}  # fmt: skip
PSEUDO = ("unc", "disk", "env", "cert", "wsman", "variable", "function", "alias", "shadow")
"""First components of canonical paths that are neither drives nor hives."""
TOPS = frozenset(
    ("windows", "users", "program files", "program files (x86)", "programdata", "winnt", "documents and settings")
)
PROVIDERS = (
    "microsoft.powershell.core\\filesystem::",
    "filesystem::",
    "microsoft.powershell.core\\registry::",
    "registry::",
)
EVERYTHING = ("*", "*.*", "?*", "**")

STARTUP = ("/start menu/programs/startup", "/windows/system32/tasks", "/windows/tasks", "/grouppolicy/machine/scripts")
LOGS = (
    "/windows/system32/winevt",
    "/windows/logs",
    "/windows/system32/logfiles",
    "/windows/debug",
    "/windows/panther",
    "/inetpub/logs",
)
SECRETS = (
    "/microsoft/credentials", "/microsoft/protect", "/microsoft/vault", "consolehost_history.txt", "/login data",
    "/local state", "/network/cookies", "/windows/system32/config/sam", "/windows/system32/config/security",
    "/windows/system32/config/system", "/windows/system32/config/regback", "/windows/repair/sam", "ntds.dit",
    "/windows/ntds", "unattend.xml", "/.ssh/", "/.aws/", "/.azure/", "/.kube/", "/logins.json", "/key4.db",
    "/rclone.conf", "/microsoft/crypto", "/gcloud/", "web.config",
)  # fmt: skip
PROFILES = ("/firefox/profiles", "/user data", "/user data/default")
"""Directories of browsers that hold passwords; a cache below them does not."""
HASHES = (
    "/windows/system32/config/sam", "/windows/system32/config/security", "/windows/repair/sam", "/ntds.dit",
    "/regback/sam", "/regback/security", "/windows/system32/config", "/windows/ntds",
)  # fmt: skip
"""Files with the hashes of all passwords of a machine or a domain."""
ACCESS = ("/programdata/ssh/administrators_authorized_keys", "/programdata/ssh/sshd_config", "/authorized_keys")
CACHES = (
    "/windows/softwaredistribution/download",
    "/windows/prefetch",
    "/windows/installer/$patchcache$",
    "/windows/ccmcache",
)
LOCAL_CACHES = (
    "/cache",
    "/caches",
    "/temporary internet files",
    "/inetcache",
    "/crashdumps",
    "/code cache",
    "/npm-cache",
    "/nuget/v3-cache",
    "/pip/",
)
VITAL = ("/windows/system32/drivers/etc", "/boot.ini", "/bootmgr", "/windows/win.ini", "/windows/system.ini")
SYSTEM_TOPS = frozenset(
    (
        "windows", "winnt", "boot", "efi", "recovery", "bootmgr", "pagefile.sys", "hiberfil.sys", "perflogs", "ntldr",
        "documents and settings", "$winreagent", "msocache",
    )
)  # fmt: skip


def canonical(text: str) -> str:
    """Return the canonical form of a path: one that starts with a slash for Windows paths, slashes for all."""
    lowered = text.lower()
    for prefix in PROVIDERS:
        if lowered.startswith(prefix):
            text = text[len(prefix) :]
            break
    if text.startswith(("\\\\?\\", "\\\\.\\", "//./", "//?/")):
        return _device(text[4:].replace("\\", "/"))
    if text.startswith("\\\\") or (text.startswith("//") and "\\" in text):
        return "/unc:/" + text.lstrip("\\/").replace("\\", "/")
    path = text.replace("\\", "/")
    head, slash, rest = path.partition("/")
    name = head.lower()
    if len(head) == 2 and head[1] == ":" and head[0].isascii() and head[0].isalpha():
        return "/" + name + slash + rest
    if len(head) > 2 and head[1] == ":" and head[0].isascii() and head[0].isalpha() and "://" not in path[:9]:
        return f"/{head[:2].lower()}/{head[2:]}{slash}{rest}"  # `C:x` is relative to that drive's directory
    if name.endswith(":") and (name[:-1] in HIVES or name[:-1] in PSEUDO):
        return f"/{HIVES.get(name[:-1], name[:-1])}:{slash}{rest}"
    if name in HIVES and (name.startswith("hkey_") or slash):
        return f"/{HIVES[name]}:{slash}{rest}"
    return path


def _device(rest: str) -> str:
    lowered = rest.lower()
    if lowered.startswith("globalroot/device/harddiskvolumeshadowcopy"):
        return "/shadow:/" + rest.partition("/")[2].partition("/")[2].partition("/")[2]
    if lowered.startswith("unc/"):
        return "/unc:/" + rest[4:]
    if len(rest) > 2 and rest[1] == ":" and rest[2:].strip("/"):
        return "/" + rest[:2].lower() + rest[2:]
    return "/disk:/" + rest


def is_windows(path: str) -> bool:
    """Return whether a canonical path is one that only Windows has, so that no POSIX machine can be asked about it."""
    head = path[1:].partition("/")[0] if path[:1] == "/" else ""
    return head.endswith(":")


def looks_like_path(text: str) -> bool:
    """Return whether a word may be a path of Windows: it has a backslash, a drive or a home in front."""
    if "://" in text[:12]:
        return False
    return (
        "\\" in text
        or text[:1] == "~"
        or (text[1:2] == ":" and text[:1].isalpha())
        or text[:5].lower().startswith(("hk", "env:"))
    )


class Located(Value):
    """A word that is a path: shown as it was written, resolved in its canonical form."""

    __slots__ = ()

    def __init__(self, value: Value, home: str) -> None:
        parts = list(value.parts)
        if parts and isinstance(parts[0], str):
            first = canonical(parts[0])
            if first == "~" or first.startswith("~/"):
                first = home + first[1:]
            parts[0] = first
        for number, part in enumerate(parts[1:], 1):
            if isinstance(part, str):
                parts[number] = part.replace("\\", "/")
        super().__init__(tuple(parts), value.globs, value.taint)
        self.text = value.text

    def readings(self) -> tuple[str, ...]:
        """Return the canonical texts that it may stand for."""
        if self.known:
            return ("".join(part for part in self.parts if isinstance(part, str)),)
        return super().readings()


def located(value: Value, home: str) -> Value:
    """Return a word in its canonical form if it may be a path, else as it is."""
    if isinstance(value, Located) or not any(isinstance(part, str) for part in value.parts):
        return value
    known = "".join(part if isinstance(part, str) else "x" for part in value.parts)
    return Located(value, home) if looks_like_path(known) else value


class WindowsPlaces(Whereabouts):
    """Places for paths of Windows and, since PowerShell runs elsewhere too, for POSIX paths."""

    __slots__ = ("foreign_home",)

    def __init__(self, project: str, home: str, root: str | None = None) -> None:
        super().__init__(canonical(project), canonical(home), canonical(root) if root else None)
        # With a POSIX home nobody knows what the user's Windows profile is called: any profile may be it.
        self.foreign_home = not is_windows(self.home)

    def place(self, path: str) -> str:
        """Return the place of an absolute path: canonical, or with a Windows path behind the directory."""
        found = self._placed.get(path)
        if found is None:
            found = self._windows(path)
            self._placed[path] = found
        return found

    def _windows(self, path: str) -> str:
        path = _tail(path)
        low = path.lower()
        if low[1:] in EVERYTHING:
            return "root"
        parts = low[1:].split("/")
        head = parts[0]
        if low in ("/nul", "/con", "/nul:", "/con:") or parts[-1] in ("nul", "$null", "con"):
            return "stream"
        if head.endswith(":") and head[:-1] in HIVES:
            return registry_place(head[:-1], parts[1:])
        if head == "unc:":
            if (
                len(parts) > 1
                and parts[1] in ("localhost", "127.0.0.1", ".")
                and len(parts) > 2
                and parts[2].endswith("$")
            ):
                return self._windows("/" + parts[2][:1] + ":/" + "/".join(path[1:].split("/")[3:]))
            return "remote"
        if head in ("disk:", "env:", "cert:", "wsman:", "variable:", "function:", "alias:"):
            return {"disk:": "disk", "cert:": "system-local", "wsman:": "system-local"}.get(head, "temp")
        if head == "shadow:":
            inner = self._windows("/c:/" + path.partition(":/")[2])
            return inner if inner == "secret" else "backup"
        if head in TOPS:
            return self._windows("/c:" + path)
        if not (len(head) == 2 and head[1] == ":"):
            if low.startswith(self.home.lower() + "/"):
                inside = path[len(self.home) + 1 :].split("/")
                if inside[0].lower() == "appdata" or low.endswith("profile.ps1"):
                    return _special(low) or _in_profile([part.lower() for part in inside], "/" + "/".join(inside))
            return super().place(path) if path not in self._placed else self._placed[path]
        return self._drive(path, low, parts)

    def _drive(self, path: str, low: str, parts: list[str]) -> str:
        rest = [part for part in parts[1:] if part]
        if not rest or rest[0] in EVERYTHING:
            return "root"
        special = _special(low)
        if special:
            return special
        if rest[0] == "users":
            return self._profile(path, low, rest)
        if is_windows(self.home) or (self.project is not None and is_windows(self.project)):
            owned = self._owned(_folded(path, self.project, self.home, self.root))
            if owned:
                return owned
        return _on_drive(path, low, rest)

    def _profile(self, path: str, low: str, rest: list[str]) -> str:
        if len(rest) == 1 or "*" in rest[1] or "?" in rest[1]:
            return "home"
        own = self.home.rpartition("/")[2].lower()
        inside = path[1:].split("/")[3:]
        public = rest[1] in ("public", "default", "all users", "default user")
        if not public and (self.foreign_home or rest[1] == own):
            mine = self.home if self.foreign_home else _folded(path, self.project, self.home, self.root)
            if self.foreign_home:
                mine = "/".join([self.home, *inside]) if inside else self.home
            if self.project is not None and (mine + "/").startswith(self.project + "/"):
                return super()._owned(mine) or "project"
            return _in_profile([part.lower() for part in inside], "/" + "/".join(inside))
        return "home-other"


def _folded(path: str, *bases: str | None) -> str:
    """Return the path with the case of the base it lies under: Windows does not tell them apart."""
    for base in bases:
        if base is not None and path.lower().startswith(base.lower()):
            return base + path[len(base) :]
    return path


def _tail(path: str) -> str:
    """Return the Windows path that stands behind the directory it was resolved against, normalised again."""
    if "\\" in path:
        start = path.find("/\\\\")
        if start >= 0:
            return canonical(path[start + 1 :])
    parts = path.split("/")
    for number in range(len(parts) - 1, 0, -1):
        part = parts[number]
        if len(part) > 1 and (part[1] == ":" or ":" in part):
            found = canonical("/".join(parts[number:]))
            if is_windows(found):
                return normalise(found, "/") or found
    slashed = path.replace("\\", "/") if "\\" in path else path
    return normalise(slashed, "/") or slashed


def _special(low: str) -> str:
    """Return the place of what matters wherever it lies: secrets, logs, what runs by itself."""
    if any(mark in low for mark in ACCESS):
        return "access"
    if any(mark in low for mark in STARTUP):
        return "startup"
    if low.endswith(("profile.ps1", "_profile.ps1")):
        return "rc"
    if any(mark in low or low.endswith(mark.rstrip("/")) for mark in SECRETS) and not low.endswith(
        (".pub", "/known_hosts", ".ssh/config")
    ):
        return "secret"
    if low.rstrip("/*").endswith(PROFILES):
        return "secret"
    if any(mark in low for mark in LOGS):
        return "log"
    if any(mark in low for mark in CACHES):
        return "system-cache"
    if any(mark in low for mark in VITAL):
        return "vital"
    return ""


def holds_hashes(path: str) -> bool:
    """Return whether a canonical path, or one in a shadow copy, is a file with the hashes of all passwords."""
    low = path.lower()
    return any(low.endswith(mark) for mark in HASHES)


def is_hive(path: str) -> bool:
    """Return whether a canonical path is a live hive of the registry or the directory's database."""
    low = path.lower().rstrip("*/")
    return "/windows/system32/config" in low or low.endswith("/ntds.dit")


def _in_profile(inside: list[str], rest: str) -> str:
    if not inside or inside[0] in EVERYTHING or not inside[0]:
        return "home"
    joined = "/" + "/".join(inside)
    if joined.startswith("/appdata/local/temp"):
        below = inside[3:]
        return "temp-root" if not below or below[0] in EVERYTHING else "temp"
    if inside[0] == "appdata":
        return "home-cache" if any(mark in joined for mark in LOCAL_CACHES) and len(inside) > 3 else "home-config"
    return inside_home(rest)


def _on_drive(path: str, low: str, rest: list[str]) -> str:
    top = rest[0]
    if top == "windows" and len(rest) > 1 and rest[1] == "temp":
        return "temp-root" if len(rest) == 2 or rest[2] in EVERYTHING else "temp"
    if top in ("temp", "tmp", "windows.~bt"):
        return "temp-root" if len(rest) == 1 or rest[1] in EVERYTHING else "temp"
    if top == "$recycle.bin":
        return "trash"
    if top == "system volume information" or "backup" in low or top == "windows.old":
        return "backup"
    if top in SYSTEM_TOPS or "*" in top:
        return "system"
    if top in ("program files", "program files (x86)"):
        return (
            "system"
            if len(rest) < 3 or rest[1].startswith(("windows ", "microsoft ", "common files"))
            else "system-data"
        )
    if top == "programdata":
        return "system-data" if len(rest) > 1 and rest[1] not in EVERYTHING else "system"
    if top == "inetpub":
        return "system-data"
    if ends_disposable(rest[-1]):
        return "disposable"
    return inside_home("/" + "/".join(path[1:].split("/")[1:]))


def registry_place(hive: str, parts: list[str]) -> str:
    """Return the place of a registry key: whose settings it holds, and how much hangs on it."""
    keys = [part for part in parts if part]
    if keys and keys[-1] in EVERYTHING:
        keys = keys[:-1]
    joined = "/" + "/".join(keys)
    if any(mark in joined for mark in RUN_KEYS):
        return "startup"
    if hive == "hkcu" or (hive == "hku" and len(keys) > 1):
        keys = keys[1:] if hive == "hku" else keys
        narrow = len(keys) > (3 if joined.startswith("/software/microsoft/windows") else 1)
        return (
            "home-config"
            if narrow or (keys and keys[0] not in ("software", "environment", "control panel", "system"))
            else "home"
        )
    if not keys or hive == "hku":
        return "root"
    if hive in ("hkcr", "hkcc"):
        return "system-local"
    if keys[0] in ("sam", "security"):
        return "access"
    if any(joined == key or joined.startswith(key + "/") for key in WHOLE_KEYS):
        return "system"
    least = (
        5
        if joined.startswith("/software/microsoft/windows")
        else 4
        if keys[0] == "system"
        else 3
        if joined.startswith("/software/microsoft")
        else 2
    )
    if len(keys) >= least:
        return "system-local"
    return "system"


RUN_KEYS = ("/currentversion/run", "/currentversion/policies/explorer/run", "/currentversion/winlogon/notify")
WHOLE_KEYS = (
    "/system/currentcontrolset/control/safeboot",
    "/system/currentcontrolset/control/session manager",
    "/bcd00000000",
)
