"""The address of the service as it is written: what can be refused before anything is connected to.

Whether a name leads to this machine is judged on the address that is connected to, by the client.
"""

from __future__ import annotations

EXAMPLE = "http://127.0.0.1:8155/v1/systemone"


def endpoint_fault(address: str) -> tuple[str, str] | None:
    """Return what is wrong with the form of an address and what to write, or None."""
    if "@" in address:  # nothing of it is repeated
        return "the address holds a user name or password", "take it out: a token goes into PHOCINAE_TOKEN"
    scheme, separator, rest = address.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        return f"{address!r} does not start with http:// or https://", f"write it as {EXAMPLE}"
    authority = rest.partition("/")[0]
    if any(char in address for char in " \t\\") or "?" in address or "#" in address:
        return f"{address!r} holds a blank, a backslash, a query or a fragment", f"write it as {EXAMPLE}"
    host, port = split_host(authority)
    if not host:
        return f"{address!r} names no host", f"write it as {EXAMPLE}"
    if port is None:
        return f"{authority!r} is not a host and a port from 1 to 65535", f"write it as {EXAMPLE}"
    return None


def split_host(authority: str) -> tuple[str, int | None]:
    """Return the host without brackets, and the port: 0 when none is given, None when it is not a port."""
    host, port = authority, ""
    if authority.startswith("["):
        inside, bracket, behind = authority[1:].partition("]")
        if not bracket or (behind and not behind.startswith(":")):
            return "", None
        host, port = inside, behind
    elif ":" in authority:
        host, _, port = authority.rpartition(":")
        if ":" in host:
            return host, None
        port = ":" + port
    if not port:
        return host, 0
    digits = port[1:]
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 5 else 0
    return host, number if 0 < number < 65536 else None


def leaves_the_machine(address: str) -> tuple[str, str] | None:
    """Return why an address, as it is written, can't be on this machine and what to write, or None.

    Only literal addresses are judged: a name may stand for anything.
    """
    host, _ = split_host(address.partition("://")[2].partition("/")[0])
    remedy = f"write {EXAMPLE}, or set allow_remote_endpoint = true to send commands to another machine"
    import ipaddress  # only when an address is set

    bare = host.partition("%")[0].rstrip(".")
    try:
        ip = ipaddress.ip_address(bare)
    except ValueError:
        if _is_number(bare):
            return f"{host!r} is an address in a spelling that systems read differently", "write 127.0.0.1"
        return None
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.is_unspecified:
        return f"{host!r} is an address to listen on, not one to connect to", "write 127.0.0.1 or [::1]"
    return None if ip.is_loopback else (f"{host!r} is not on this machine", remedy)


def _is_number(host: str) -> bool:
    # Such as 2130706433, 0x7f.1 and 127.1: old system calls take them for addresses.
    last = host.rpartition(".")[2].lower()
    return last.isdecimal() or (last.startswith("0x") and all(char in "0123456789abcdef" for char in last[2:]))
