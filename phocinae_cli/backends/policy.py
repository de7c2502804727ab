"""The policy as a table: how much harm an effect of a kind does at a place. `docs/policy.md` says why.

Nothing here looks at text. What no row answers is risky, never harmless.
"""

from __future__ import annotations

from phocinae_cli.core.verdict import DESTRUCTIVE, HARMLESS, RISKY
from phocinae_cli.kb.schema import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Effect

H, R, D = HARMLESS, RISKY, DESTRUCTIVE

# place -> harm of one named thing, harm of everything below it or of a glob
DELETE: dict[str, tuple[str, str]] = {
    "disposable": (H, H), "temp": (H, H), "temp-root": (R, R), "home-cache": (R, R), "system-cache": (R, R),
    "trash": (R, R), "project": (R, R), "project-root": (D, D), "git-dir": (D, D), "home-data": (R, D), "home-config": (R, D),
    "home": (D, D), "home-other": (D, D), "secret": (D, D), "startup": (R, D), "rc": (R, D), "access": (D, D), "vital": (D, D),
    "system": (D, D), "system-local": (R, D), "system-data": (R, D), "log": (D, D), "backup": (D, D), "root": (D, D),
    "disk": (D, D), "device": (D, D), "stream": (D, D), "network": (H, H), "elsewhere": (R, D), "remote": (R, D),
    "unknown": (R, R),
}  # fmt: skip
CREATE: dict[str, tuple[str, str]] = {
    "disposable": (H, H), "temp": (H, H), "temp-root": (H, H), "home-cache": (H, H), "system-cache": (R, R), "trash": (H, H),
    "project": (H, H), "project-root": (H, H), "git-dir": (R, R), "home-data": (H, H), "home-config": (R, R), "home": (H, H),
    "home-other": (R, R), "secret": (R, R), "startup": (R, R), "rc": (R, R), "access": (D, D), "vital": (D, D), "system": (R, R),
    "system-local": (R, R), "system-data": (R, R), "log": (R, R), "backup": (H, H), "root": (R, R), "disk": (D, D),
    "device": (R, R), "stream": (H, H), "network": (H, H), "elsewhere": (R, R), "remote": (R, R), "unknown": (R, R),
}  # fmt: skip
APPEND = {
    **CREATE,
    "vital": (R, R),
    "secret": (R, R),
    "backup": (R, R),
    "system": (R, R),
    "git-dir": (R, R),
    "home-config": (R, R),
}
OVERWRITE = {
    **CREATE, "startup": (R, D), "rc": (D, D), "secret": (D, D), "system": (D, D), "home-data": (R, D), "log": (D, D), "backup": (D, D), "project": (R, R),
    "git-dir": (R, D), "home-config": (R, D), "elsewhere": (R, R), "root": (D, D), "home": (D, D), "project-root": (R, R),
}  # fmt: skip
WRITE = {**OVERWRITE, "project": (H, H), "home-data": (R, R), "home-config": (R, R), "startup": (R, R), "rc": (R, R), "system": (R, R), "secret": (R, R), "vital": (R, R), "git-dir": (R, R)}  # fmt: skip
SCRAMBLE = {**DELETE, "project": (R, D), "home-data": (D, D), "unknown": (R, R), "elsewhere": (D, D)}
MOVE = {
    **DELETE, "project": (H, H), "home-data": (R, R), "home-config": (R, R), "startup": (R, R), "temp-root": (R, R), "home-cache": (R, R),
    "project-root": (R, R), "secret": (R, R), "git-dir": (R, R), "unknown": (R, R), "elsewhere": (R, R), "system-local": (R, R),
    "system-data": (R, R), "log": (R, R), "backup": (R, R), "trash": (R, R),
}  # fmt: skip
LINK = {**CREATE, "startup": (R, R), "access": (D, D), "system": (R, R), "project": (H, H)}
PERMISSIONS = {
    "disposable": (H, H), "temp": (H, H), "temp-root": (R, R), "project": (R, R), "project-root": (R, R), "secret": (R, R),
    "root": (D, D), "system": (R, D), "access": (R, D), "vital": (R, D), "home": (R, R), "home-data": (R, R), "home-other": (R, D),
    "system-data": (R, R), "system-local": (R, R), "disk": (D, D), "log": (R, R), "stream": (R, R), "unknown": (R, R),
}  # fmt: skip
OPEN_TO_ALL = {
    **PERMISSIONS, "secret": (D, D), "system": (D, D), "access": (D, D), "vital": (D, D), "startup": (D, D), "rc": (D, D), "home": (R, D), "home-other": (D, D),
    "system-data": (R, D), "system-local": (R, D), "log": (D, D), "git-dir": (R, D), "elsewhere": (R, D), "device": (D, D), "backup": (D, D),
}  # fmt: skip
OWNER = {
    **PERMISSIONS,
    "access": (D, D),
    "home-other": (R, D),
    "system-data": (R, R),
    "home": (R, R),
    "elsewhere": (R, R),
    "disposable": (R, R),
    "temp": (H, H),
}
WRITE_DISK = {**OVERWRITE, "project": (R, R), "disk": (D, D), "device": (D, D), "unknown": (D, D), "temp": (H, H), "home-data": (R, R), "elsewhere": (R, R)}  # fmt: skip
FORMAT = {"temp": (R, R), "project": (R, R), "disposable": (H, H), "stream": (H, H), "home-data": (R, R)}

BY_PLACE: dict[str, dict[str, tuple[str, str]]] = {
    "delete": DELETE, "create": CREATE, "append": APPEND, "overwrite": OVERWRITE, "write": WRITE, "scramble": SCRAMBLE,
    "move": MOVE, "link": LINK, "permissions": PERMISSIONS, "open-to-all": OPEN_TO_ALL, "owner": OWNER,
    "write-disk": WRITE_DISK, "format": FORMAT,
}  # fmt: skip
DEFAULT = {"format": (D, D), "scramble": (D, D), "write-disk": (D, D)}
SEND = {"secret": D, "environment": D, "dump": D, "private": D, "file": R, "plain": R, "local": H, "named": R}
EASY_PLACES = frozenset(("disposable", "temp", "home-cache", "system-cache"))

PLACE_WORDS = {
    "disposable": "build output or a cache", "temp": "temporary work", "temp-root": "everybody's temporary files",
    "home-cache": "a cache", "system-cache": "a cache of the system", "trash": "what was put into the trash", "project": "a file of the project",
    "project-root": "the whole project", "git-dir": "the repository's own history", "home-data": "files in a home directory",
    "home-config": "a program's settings", "home": "a home directory", "home-other": "somebody else's home directory",
    "secret": "a secret", "startup": "what runs by itself", "rc": "what runs when a shell starts", "access": "who may log in and what they may do",
    "vital": "a file that the system can't do without", "system": "the system", "system-local": "the system's local settings",
    "system-data": "data of the system's services", "log": "a log", "backup": "a backup", "root": "the whole system", "disk": "a disk",
    "device": "a device", "elsewhere": "a place outside the project", "remote": "another machine", "unknown": "nobody knows what",
}  # fmt: skip


def harm_of(effect: Effect, audience: str) -> str:
    """Return the harm of one effect: what the knowledge base claims, else what kind and place amount to."""
    if effect.harm is not None:
        return effect.harm
    kind, place = effect.kind, effect.target.place
    default = KINDS[kind][2] if kind in KINDS else R
    if default == "by-place":
        return _by_place(effect, kind, place)
    if default == "by-data":
        return SEND.get(place, R)
    if default == "show-secret":
        return H if audience == "person" else R
    return default


def _by_place(effect: Effect, kind: str, place: str) -> str:
    single, wide = BY_PLACE[kind].get(place, DEFAULT.get(kind, (R, R)))
    if effect.action.remote and place in ("home-data", "elsewhere", "project") and kind == "delete":
        return D if effect.target.recursive else R
    return wide if effect.target.recursive else single


def undo_of(effect: Effect) -> str:
    """Return how an effect is taken back: `easy`, `hard` or `none`."""
    if effect.undo:
        return effect.undo
    if effect.kind in ("delete", "overwrite") and effect.target.place in EASY_PLACES:
        return "easy"
    return KINDS[effect.kind][3] if effect.kind in KINDS else "none"


def why(effect: Effect) -> str:
    """Return why it matters: the knowledge base's clause, else what the place is."""
    words = PLACE_WORDS.get(effect.target.place, "")
    if effect.kind in BY_PLACE and words:
        return f"{effect.why}: that is {words}" if effect.why else f"that is {words}"
    return effect.why
