"""Where packages of PowerShell come from: what a stranger's clear-text source sends is installed, and so runs."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import host_of, is_local
from phocinae_cli.analysis.windows import leaving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.values import Value
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation
    from phocinae_cli.analysis.windows.things import Thing

ADDRESSES = ("-sourcelocation", "-location", "-uri")
NAMES = ("-repository", "-source", "-name")
DEFAULT = "psgallery"
WHY = "whoever stands between, or serves it, decides what is installed"


def is_clear_text(value: Value) -> bool:
    """Return whether an address is another machine's and is fetched without a guard against forgery."""
    text = value.head().lower()
    return text.startswith(("http://", "ftp://")) and not is_local(host_of(value.text))


def registered(invocation: WindowsInvocation) -> None:
    """`Register-PSRepository` and its like: remember by its name a source that nobody should install from."""
    address = invocation.named(*ADDRESSES)
    name = invocation.named("-name")
    if name is None and invocation.arguments.operands:
        name = invocation.piped.also(invocation.piped)
        name.values = (invocation.arguments.operands[0],)
    if address is not None and name is not None and any(map(is_clear_text, address.values)):
        invocation.scope.things[_key(name.one())] = address


def installed(invocation: WindowsInvocation) -> Thing | None:
    """`Install-Module`, `Install-Package`, `Add-AppxPackage`, …: judge the source that is named."""
    things = invocation.scope.things
    named = [value for item in invocation.given for value in item.thing.values]
    named.extend(invocation.piped.values)
    known = _key(next(iter(_values(invocation, "-repository", "-source")), None)) in things
    if known or any(is_clear_text(value) or _is_package(invocation, value) for value in named):
        shown = " ".join(value.text for value in invocation.words)
        invocation.effect(
            "run-remote-code", shown, "install.clear-text", WHY, instead="take a source that speaks https"
        )
    return None


def _values(invocation: WindowsInvocation, *names: str) -> tuple[Value, ...]:
    found = invocation.named(*names)
    return found.values if found is not None else ()


def _is_package(invocation: WindowsInvocation, value: Value) -> bool:
    """Return whether a word is a package that another machine's share holds."""
    low = value.text.lower()
    return low.endswith((".msix", ".appx", ".msixbundle", ".appxbundle", ".nupkg", ".cab", ".msu", ".ps1")) and (
        leaving.is_foreign(invocation.scope, value)
    )


def _key(name: Value | None) -> str:
    return "source:" + (name.text.lower() if name is not None else DEFAULT)
