"""Command text made fit to show and to keep: hostile characters escaped, secrets replaced by `***`."""

from __future__ import annotations

MASK = "***"

# Letters and marks by category, yet drawn as nothing: they could hide a difference between two lines.
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}  # str.lower() may change the length

# What has to stand in a text, in small letters, before it is worth a closer look.
_MARKS = (
    "pass", "secret", "token", "key", "auth", "cred", "pwd", "cookie", "bearer",
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "sk-", "sk_", "rk_", "whsec_",
    "xox", "xapp-", "akia", "asia", "aiza", "ya29.", "npm_", "pypi-", "hf_", "dop_v1_", "shpat_", "dckr_pat_", "gsk_",
    "xai-", "lin_api_", "sg.", "eyj",
)  # fmt: skip
# Programs with options of their own for a secret; `core.secrets` has the full names.
_PROGRAMS = (
    "curl", "http", "xh ", "mysql", "mariadb", "mycli", "7z", "rar", "docker", "podman", "nerdctl", "helm", "oc ",
    "az ", "mongo", "redis-cli", "valkey-cli", "sqlcmd", "bcp", "zip", "ldap", "smbclient", "rpcclient", "lftp",
    "keytool", "skopeo", "sudo", "--with-token",
)  # fmt: skip


def printable(text: str, multiline: bool = False) -> str:
    """Return the text with every character that a terminal would act on, or would not draw, shown escaped.

    That is controls, ESC, bidirectional marks, zero-width characters and lone surrogates: `\\x1b`, `\\u202e`,
    `\\udc80`. With `multiline`, line feeds and tabs stay as they are. What comes out can be encoded as UTF-8.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join([char if _is_shown(char, multiline) else _escaped(char) for char in text])


def redact(text: str) -> str:
    """Return the command text with each secret in it replaced by `***`.

    Known are options, variables and fields named like a secret, credentials in URLs and headers, tokens that show by
    their form, and the options of well-known programs. References (`$TOKEN`) and command substitutions are kept, as
    they hold no secret and must stay readable. Never raises; takes linear time.
    """
    lower = text.lower() if text.isascii() else text.translate(_LOWER)
    if not _is_suspect(text, lower):
        return text
    from phocinae_cli.core import secrets  # most lines never need it

    for _ in range(4):  # a mask may bring together what stood apart; nearly always the second look finds nothing
        hidden = _masked(text, secrets.find(text, lower))
        if hidden == text:
            break
        text = hidden
        lower = text.lower() if text.isascii() else text.translate(_LOWER)
    return text


def _is_suspect(text: str, lower: str) -> bool:
    for mark in _MARKS:
        if mark in lower:
            return True
    if " -" in text:
        for name in _PROGRAMS:
            if name in text:
                return True
    return "://" in text and "@" in text


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start > done or not parts:
            parts += (text[done:start], MASK)
        done = max(done, end)
    return "".join(parts) + text[done:] if parts else text


def _is_shown(char: str, multiline: bool) -> bool:
    if char.isascii():
        return char.isprintable() or (multiline and char in "\n\t")
    if not char.isprintable() or char in _INVISIBLE:
        return False
    return not ("\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef")  # variation selectors


def _escaped(char: str) -> str:
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
