"""Secrets that are shown to the service they belong to: a login, not a leak.

`curl -u "$USER:$PASSWORD" https://api.example` proves who asks. It counts as that only where a request has its place
for it (an authorization header, `-u`, a form field called `password`), and where the secret comes from a variable
named as one, or from a program that prints the token of the very service that is asked.
"""

from __future__ import annotations

from phocinae_cli.analysis.hosts import host_of, is_local
from phocinae_cli.analysis.values import Unknown, Value

SERVICES = {
    "gh": ("github.com", "githubusercontent.com", "ghcr.io"),
    "glab": ("gitlab.com",),
    "gcloud": (
        "googleapis.com", "google.com", "run.app", "cloudfunctions.net", "gcr.io", "pkg.dev", "appspot.com",
    ),
    "az": ("azure.com", "microsoft.com", "windows.net", "azurecr.io", "azure-api.net", "visualstudio.com"),
    "heroku": ("heroku.com",),
    "doctl": ("digitalocean.com",),
    "flyctl": ("fly.io", "fly.dev"),
    "fly": ("fly.io", "fly.dev"),
}  # fmt: skip
"""Whose tokens a program prints: the domains that may be shown them."""
HEADERS = ("authorization", "cookie", "x-csrf-token", "x-amz-security-token")
HEADER_ENDINGS = ("token", "key", "auth", "secret", "password", "signature")
FIELD_ENDINGS = ("password", "passwd", "secret", "token", "key", "assertion")


def is_login(value: Value, operands: list[Value]) -> bool:
    """Return whether all that is unknown in a word stands where a request proves who asks, sent where it may be."""
    hosts = [(value.text, host) for value in operands if (host := host_of(value.text))]
    if not hosts or any(_in_clear(address, host) for address, host in hosts):
        return False
    before = ""
    for part in value.parts:
        if isinstance(part, Unknown):
            if not _is_place(before) or not _belongs(part.why, [host for _, host in hosts]):
                return False
            before += "x"
        else:
            before += part
    return True


def _in_clear(address: str, host: str) -> bool:
    """Return whether what is sent to an address can be read on the way through the open network."""
    if not address.startswith("http://") or is_local(host):
        return False
    return "." in host and not host.endswith((".local", ".internal", ".lan", ".svc"))


def _is_place(before: str) -> bool:
    """Return whether the text in front is that of a login: a header, a user's name and a colon, a form field."""
    user = before.partition("://")[2]
    if user.endswith(":") and "/" not in user:
        return True  # `https://me:$PASSWORD@api.example`
    name, colon, behind = before.partition(":")
    if colon and " " not in name and "=" not in name:
        if not behind:
            return True  # `-u "$USER:$PASSWORD"`
        if "/" not in behind and name.lower().endswith((*HEADERS, *HEADER_ENDINGS)):
            return True
    field = before.rpartition("&")[2].rpartition("?")[2]
    return field.endswith("=") and field[:-1].lower().endswith(FIELD_ENDINGS)


def _belongs(why: str, hosts: list[str]) -> bool:
    """Return whether what a part of a word holds may be shown to these hosts."""
    if why.startswith("parameter "):
        return True
    program = why.removeprefix("the output of ")
    domains = SERVICES.get(program, ())
    return all(any(host == domain or host.endswith("." + domain) for domain in domains) for host in hosts)
