"""What a caller wants vetted: the text, the shell it is for, and what the caller knows about its surroundings."""

from __future__ import annotations

SHELLS = ("bash", "zsh", "sh", "fish", "powershell", "cmd")
AUDIENCES = ("agent", "ci", "person")


class Request:
    """One line to vet.

    `text` is the command text as typed. `shell` is one of SHELLS. `cwd` is the absolute directory it would run
    in. `env` holds the variables whose values are known (exported ones, or those a hook passes); `aliases` and
    `functions` map a name to its text; `home` is the home directory; `user` the login name. `audience` is one
    of AUDIENCES, `tool` the name held against `gate.tools` (None when the caller gave none).
    `comments` says whether `#` starts a comment in the text: not so at a prompt of zsh, unless somebody set it.
    """

    __slots__ = ("aliases", "audience", "comments", "cwd", "env", "functions", "home", "shell", "text", "tool", "user")

    def __init__(
        self,
        text: str,
        shell: str = "bash",
        cwd: str = "/home/user/project",
        env: dict[str, str] | None = None,
        aliases: dict[str, str] | None = None,
        functions: dict[str, str] | None = None,
        home: str = "/home/user",
        user: str = "user",
        audience: str = "agent",
        tool: str | None = "shell",
        comments: bool = True,
    ) -> None:
        self.text = text
        self.shell = shell
        self.cwd = cwd
        self.env = env if env is not None else {}
        self.aliases = aliases if aliases is not None else {}
        self.functions = functions if functions is not None else {}
        self.home = home
        self.user = user
        self.audience = audience
        self.tool = tool
        self.comments = comments


def quote(word: str) -> str:
    """Return a word quoted so that a POSIX shell reads it as exactly this one word."""
    if word and all((char.isalnum() and char.isascii()) or char in "_@%+=:,./-" for char in word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def join(argv: list[str]) -> str:
    """Return an argv as one line in which every word stays one word, nothing re-split."""
    return " ".join(quote(word) for word in argv)
