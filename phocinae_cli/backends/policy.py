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

COLUMNS = (
    "delete", "create", "append", "overwrite", "write", "scramble", "move", "link", "permissions", "open-to-all",
    "owner",
    "write-disk", "format", "unpack",
)  # fmt: skip
GRID = """
disposable      hh  hh  hh  hh  hh  hh  hh  hh  hh  hh  rr  hh  hh  hh
temp            hh  hh  hh  hh  hh  hh  hh  hh  hh  hh  hh  hh  hh  hh
temp-root       rr  hh  hh  hh  hh  rr  rr  hh  rr  rr  rr  hh  dd  hh
home-cache      rr  hh  hh  hh  hh  rr  rr  hh  rr  rr  rr  hh  dd  hh
system-cache    rr  rr  rr  rr  rr  rr  rr  rr  rr  rr  rr  rr  dd  rr
trash           rr  hh  hh  hh  hh  rr  rr  hh  rr  rr  rr  hh  dd  hh
project         rr  hh  hh  rr  hr  rd  hh  hh  rr  rr  rr  rr  rr  hh
project-root    dd  hh  hh  rr  rr  dd  rr  hh  rr  rr  rr  rr  dd  hh
git-dir         dd  rr  rr  rd  rr  dd  rr  rr  rr  rd  rr  rd  dd  rr
home-data       rd  hh  hh  rd  rr  dd  rr  hh  rr  rr  rr  rr  rr  rr
home-config     rd  rr  rr  rd  rr  rd  rr  rr  rr  rr  rr  rd  dd  rr
home            dd  hh  hh  dd  dd  dd  dd  hh  rr  rd  rr  dd  dd  dd
home-other      dd  rr  rr  rr  rr  dd  dd  rr  rd  dd  rd  rr  dd  dd
secret          dd  rr  rr  dd  rr  dd  rr  rr  rr  dd  rr  dd  dd  dd
project-secret  rr  hh  hh  rr  hh  rd  rr  hh  rr  dd  rr  rr  rr  rr
startup         rd  rr  rr  rd  rr  rd  rr  rr  rr  dd  rr  rd  dd  rr
rc              rd  rr  rr  dd  rr  rd  rd  rr  rr  dd  rr  dd  dd  rr
access          dd  dd  dd  dd  dd  dd  dd  dd  rd  dd  dd  dd  dd  dd
vital           dd  dd  rr  dd  rr  dd  dd  dd  rd  dd  rd  dd  dd  dd
system          dd  rr  rr  dd  rr  dd  dd  rr  rd  dd  rd  dd  dd  dd
system-local    rd  rr  rr  rr  rr  rd  rr  rr  rr  rd  rr  rr  dd  rr
system-data     rd  rr  rr  rr  rr  rd  rr  rr  rr  rd  rr  rr  dd  rr
service-data    dd  rr  rr  dd  rr  dd  rr  rr  rr  rd  rr  dd  dd  dd
log             dd  rr  rr  dd  dd  dd  rr  rr  rr  dd  rr  dd  dd  dd
backup          dd  hh  rr  rr  rr  dd  rr  hh  rr  dd  rr  dd  dd  rr
root            dd  rr  rr  dd  dd  dd  dd  rr  dd  dd  dd  dd  dd  dd
disk            dd  dd  dd  dd  dd  dd  dd  dd  dd  dd  dd  dd  dd  dd
device          dd  rr  rr  rr  rr  dd  dd  rr  rr  dd  rr  dd  dd  dd
stream          dd  hh  hh  hh  hh  dd  dd  hh  rr  rr  rr  hh  hh  hh
network         hh  hh  hh  hh  hh  hh  hh  hh  rr  rr  rr  hh  dd  hh
elsewhere       rd  rr  rr  rr  rr  dd  rr  rr  rr  rd  rr  rr  dd  rr
remote          rd  rr  rr  rr  rr  rd  rd  rr  rr  rr  rr  rr  dd  rr
unknown         rr  rr  rr  rr  rr  rr  rr  rr  rr  rr  rr  dd  dd  rr
"""
"""A row a place, a column a kind of effect in the order of COLUMNS. The first letter is the harm of one named thing,
the second of everything below it or of a glob: h harmless, r risky, d destructive."""


def _read_grid() -> dict[tuple[str, str], tuple[str, str]]:
    letters = {"h": HARMLESS, "r": RISKY, "d": DESTRUCTIVE}
    table = {}
    for row in GRID.strip().split("\n"):
        place, *cells = row.split()
        for kind, cell in zip(COLUMNS, cells, strict=True):
            table[kind, place] = (letters[cell[0]], letters[cell[1]])
    return table


BY_PLACE = _read_grid()
SEND = {"secret": D, "environment": D, "dump": D, "private": D, "file": R, "plain": R, "local": H, "named": R}
EDITED_FREELY = frozenset(
    (
        "project", "project-secret", "project-root", "disposable", "temp", "home-data", "home-config", "home", "rc",
        "unknown",
    )
)  # fmt: skip
EASY_PLACES = frozenset(("disposable", "temp", "home-cache", "system-cache"))

PLACE_WORDS = {
    "disposable": "build output or a cache", "temp": "temporary work", "temp-root": "everybody's temporary files",
    "home-cache": "a cache", "system-cache": "a cache of the system", "trash": "what was put into the trash",
    "project": "a file of the project",
    "project-root": "the whole project", "git-dir": "the repository's own history",
    "home-data": "files in a home directory",
    "home-config": "a program's settings", "home": "a home directory", "home-other": "somebody else's home directory",
    "secret": "a secret", "project-secret": "a secret of the project", "startup": "what runs by itself",
    "rc": "what runs when a shell starts",
    "access": "who may log in and what they may do",
    "vital": "a file that the system can't do without", "system": "the system",
    "system-local": "the system's local settings",
    "service-data": "what a service keeps and nobody else has",
    "system-data": "data of the system's services", "log": "a log", "backup": "a backup", "root": "the whole system",
    "disk": "a disk",
    "device": "a device", "elsewhere": "a place outside the project", "remote": "another machine",
    "unknown": "nobody knows what",
}  # fmt: skip


def harm_of(effect: Effect, audience: str) -> str:
    """Return the harm of one effect: what the knowledge base claims, else what kind and place amount to."""
    if effect.harm is not None:
        return effect.harm
    kind, place = effect.kind, effect.target.place
    default = KINDS[kind][2] if kind in KINDS else R
    if kind == "edit":  # a person at the keyboard decides what changes
        return H if place in EDITED_FREELY else R
    if default == "by-place":
        return _by_place(effect, kind, place)
    if default == "by-data":
        return SEND.get(place, R)
    if default == "show-secret":
        return H if audience == "person" else R
    return default


def _by_place(effect: Effect, kind: str, place: str) -> str:
    single, wide = BY_PLACE.get((kind, place), (RISKY, RISKY))
    if effect.action.remote and place in ("home-data", "elsewhere") and kind == "delete":
        return D if effect.target.recursive else R
    return wide if effect.target.recursive else single


def undo_of(effect: Effect) -> str:
    """Return how an effect is taken back: `easy`, `hard` or `none`."""
    if effect.undo:
        return effect.undo
    kind, place = effect.kind, effect.target.place
    if kind in ("delete", "overwrite") and place in EASY_PLACES:
        return "easy"
    if kind == "write" and place == "project":
        return "easy"  # the version control has what stood there
    if kind == "send" and place in ("file", "plain"):
        return "easy"  # nothing secret, and plainly what was typed
    if kind in ("permissions", "owner") and not effect.target.recursive:
        return "easy"
    return KINDS[effect.kind][3] if effect.kind in KINDS else "none"


def why(effect: Effect) -> str:
    """Return why it matters: the knowledge base's clause, else what the place is."""
    words = PLACE_WORDS.get(effect.target.place, "")
    if effect.kind in COLUMNS and words:
        return f"{effect.why}: that is {words}" if effect.why else f"that is {words}"
    return effect.why
