"""Packages that are installed from a file or an address: who decides what is in them."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import host_of, is_local
from phocinae_cli.analysis.outputs import CLEAR_TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.values import Value

PACKAGES = (
    ".deb", ".rpm", ".apk", ".pkg", ".mpkg", ".msi", ".whl", ".gem", ".snap", ".flatpak", ".ipk", ".xbps", ".txz",
    ".tbz", ".pkg.tar.zst", ".pkg.tar.xz", ".tgz", ".tar.gz", ".zip", ".vsix", ".crx", ".AppImage",
)  # fmt: skip


def judge_installed(invocation: Invocation) -> None:
    """Record a package that came in clear text: whoever stands between puts into it what will run here."""
    arguments = invocation.arguments
    if invocation.fed and CLEAR_TEXT in invocation.stdin.taint:
        invocation.effect(
            "run-remote-code", "what is fed in", "install.clear-text", "whoever stands between decides what is trusted",
            instead="fetch it over https, or check its signature first",
        )  # fmt: skip
        return
    for value in (*arguments.operands, *(given for _, given in arguments.flags if given is not None)):
        if _in_clear_text(invocation, value):
            invocation.effect(
                "run-remote-code", value.text, "install.clear-text", "whoever stands between decides what is installed",
                instead="fetch it over https, or check its signature first",
            )  # fmt: skip
            return


def _in_clear_text(invocation: Invocation, value: Value) -> bool:
    text = value.head()
    if text.startswith("http://"):
        return value.text.partition("?")[0].endswith(PACKAGES) and not is_local(host_of(value.text))
    if not value.known or not (text.endswith(PACKAGES) or "*" in text):
        return False
    return CLEAR_TEXT in invocation.evaluator.collector.content(value, invocation.scope).taint
