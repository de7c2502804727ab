"""What the gate tells a model of a line: the command first, then what it comes down to."""

from __future__ import annotations

import sys

from phocinae_cli.backends import formulation
from phocinae_cli.backends.question import problems
from phocinae_cli.core.effects import Action, Analysis
from phocinae_cli.core.request import Request
from phocinae_cli.core.settings import Settings
from phocinae_cli.gate.case import Case


def case_of(text: str, *actions: Action) -> Case:
    return Case(Request(text, shell="zsh", cwd="/srv/app", tool="Bash"), Settings(), Analysis(actions))


def action(*argv: str, via: tuple[str, ...] = (), remote: bool = False) -> Action:
    return Action(argv[0], argv, (True,) * len(argv), 0, 1, via, remote=remote)


def test_the_state_carries_the_resolved_command_and_not_only_the_text() -> None:
    line = "sudo bash -c 'rm -rf \"$HOME\"/x'; ssh host reboot"
    case = case_of(
        line,
        action("rm", "-rf", "/home/user/x y", via=("sudo", "bash -c")),
        action("reboot", via=("ssh",), remote=True),
    )
    assert formulation.state(case) == (
        f"tool: Bash\nplatform: {sys.platform}, zsh\ncwd: /srv/app\ninput: {line}\n"
        "runs: rm -rf '/home/user/x y' (through sudo, bash -c)\n"
        "runs: reboot (through ssh) (on another machine)",
        False,
    )


def test_a_command_that_comes_down_to_itself_is_said_once() -> None:
    assert "runs:" not in formulation.state(case_of("ls -la", action("ls", "-la")))[0]


def test_many_commands_are_counted_instead_of_listed() -> None:
    text, _ = formulation.state(case_of("x", *(action("echo", str(number)) for number in range(40))))
    assert text.count("\nruns: ") == 13
    assert text.endswith("runs: and 28 more commands")


def test_a_secret_in_a_resolved_word_is_redacted_too() -> None:
    text, _ = formulation.state(case_of("x", action("curl", "--password", "hunter22", "https://a:s3cr3t@b.example")))
    assert "hunter22" not in text
    assert "s3cr3t" not in text


def test_every_formulation_is_a_legal_question() -> None:
    for mode in ("harm", "tri-state", "noul"):
        assert problems((formulation.question(mode, 0.8),)) == ()
