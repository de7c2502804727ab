"""Commands that open a file of the system in an editor: a program that needs nobody writes it at once."""

from __future__ import annotations

from phocinae_cli.analysis.environment import ORDINARY
from phocinae_cli.analysis.values import Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation

VARIABLES = ("SUDO_EDITOR", "SYSTEMD_EDITOR", "VISUAL", "EDITOR")
FILES = {"visudo": "/etc/sudoers", "vipw": "/etc/passwd", "vigr": "/etc/group"}


def run_editor(invocation: Invocation) -> None:
    """Judge the program that a variable names as the editor, with the files that it is given."""
    editor = _editor(invocation)
    if editor is None or not editor.known or invocation.arguments.has("-c", "--check"):
        return
    words = [known(word) for word in editor.text.split()]
    if not words or words[0].text.rpartition("/")[2] in ORDINARY:
        return
    for path in _opened(invocation):
        invocation.run((*words, path), "the editor")


def _editor(invocation: Invocation) -> Value | None:
    scope = invocation.scope
    for name in VARIABLES:
        if name in scope.variables and scope.variable(name)[0]:
            return scope.variable(name)[0][0]
    return None


def _opened(invocation: Invocation) -> list[Value]:
    name, arguments = invocation.name, invocation.arguments
    if name in FILES:
        named = arguments.value("-f", "--file")
        return [named if named is not None else known(FILES[name])]
    if name == "crontab":
        user = arguments.value("-u")
        folder = "/var/spool/cron/crontabs/"
        return [known(folder + (user.text if user else invocation.scope.user))] if arguments.has("-e") else []
    if name == "systemctl":
        units = arguments.operands[1:] if arguments.operands[:1] and arguments.operands[0].text == "edit" else []
        return [known(f"/etc/systemd/system/{unit.text}.d/override.conf") for unit in units]
    return list(arguments.operands) if name == "sudoedit" or arguments.has("-e", "--edit") else []
