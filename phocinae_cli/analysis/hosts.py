"""Host names in words: whose machine an address, a URL or a remote path speaks of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.values import Value

LOCAL_NAMES = frozenset(("localhost", "ip6-localhost", "::1", "0.0.0.0", "host.docker.internal", "[::1]"))


def host_of(text: str) -> str:
    """Return the host that a URL, `user@host:path`, `host:port` or a bare IP address names, or an empty text."""
    rest = text
    scheme, mark, tail = text.partition("://")
    if mark and scheme.replace("+", "").replace("-", "").isalnum():
        rest = tail.partition("/")[0].partition("?")[0]
    elif "/" in text.partition(":")[0] or not text or text.startswith("-"):
        return ""
    elif "@" in text and ":" not in text.partition("@")[0]:
        rest = (
            text.partition("@")[2].partition(":")[0]
            if not text.partition("@")[2].startswith("[")
            else text.partition("@")[2]
        )
        return rest.partition("/")[0]
    elif ":" in text:
        head = text.partition(":")[0]
        return head if _looks_like_host(head) else ("::1" if text == "::1" else "")
    elif not _looks_like_host(text):
        return ""
    rest = rest.rpartition("@")[2]
    if rest.startswith("["):
        return rest.partition("]")[0][1:]
    return rest.partition(":")[0].partition("/")[0]


def _looks_like_host(text: str) -> bool:
    if text.startswith("localhost") or _is_address(text):
        return True
    name, dot, ending = text.rpartition(".")
    return (
        bool(dot and name)
        and ending.isalpha()
        and len(ending) >= 2
        and text.replace(".", "").replace("-", "").isalnum()
        and ending.lower() in ENDINGS
    )


ENDINGS = frozenset((
    "com", "org", "net", "io", "dev", "example", "test", "co", "app", "ai", "local", "internal", "de", "uk", "ru",
    "cn", "info", "me", "sh", "xyz", "top", "site", "cloud", "lan", "corp", "invalid", "eu", "us", "fr", "nl", "ch",
    "edu", "gov", "biz", "tk", "evil",
))  # fmt: skip


def _is_address(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts if part) and all(parts)


def is_local(host: str) -> bool:
    """Return whether a host is this machine: trusted, unlike any other."""
    host = host.lower()
    if host in LOCAL_NAMES or host.endswith(".localhost"):
        return True
    return host.startswith("127.") and _is_address(host)


def all_local(values: list[Value]) -> bool:
    """Return whether no word names a host other than this machine."""
    return all(is_local(host) for host in (host_of(value.text) for value in values) if host)


PRODUCTION = ("prod", "production", "live", "prd")


def means_production(text: str) -> bool:
    """Return whether a name says that it is what people depend on (`db-prod-1`, `prod.example`, `live`)."""
    word = ""
    for char in text.lower() + " ":
        if char.isalpha():
            word += char
        else:
            if word in PRODUCTION:
                return True
            word = ""
    return False
