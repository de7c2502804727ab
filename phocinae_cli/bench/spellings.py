"""Other ways to spell the same command: what a judge says must not depend on which of them was typed."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from phocinae_cli.analysis.parse import parse
from phocinae_cli.analysis.syntax import Literal, Simple, Word
from phocinae_cli.core.request import quote

PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")
SHELL_WORDS = frozenset(
    (
        "cd", "export", "declare", "local", "readonly", "typeset", "set", "alias", "unset", "source", ".", "eval",
        "exec", "trap", "read", "exit", "return", "pushd", "popd", "shift", "function", "time", "coproc", "builtin",
        "command", "let", "test", "[", "history", "fc", "fg", "bg", "jobs", "wait", "setopt", "shopt", "autoload",
        "print", "noglob", "nocorrect", ":", "true", "false", "umask", "ulimit", "hash", "type", "which", "bind",
        "complete", "disown", "suspend", "logout", "-",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Spelling:
    """A line that does what another one does, and the name of the way it was made from it."""

    way: str
    line: str


def spellings(line: str, shell: str = "bash") -> Iterator[Spelling]:
    """Yield other spellings of a line; none for a line that the shell would not take as it stands."""
    tree = parse(line, shell)
    if tree.fault is not None or not tree.body.items:
        return
    if "<<" not in line:
        yield from _around(line, shell)
    items = tree.body.items
    if len(items) == 1 and items[0][1] != "&" and isinstance(items[0][0], Simple):
        yield from _simple(line, items[0][0])


def _around(line: str, shell: str) -> Iterator[Spelling]:
    """Yield the line inside something that runs it as it stands."""
    inner = line.rstrip()
    if not inner.endswith("&"):
        yield Spelling("braces", f"{{ {inner}\n}}")
        yield Spelling("if", f"if true; then {inner}\nfi")
        yield Spelling("and", f"true && {{ {inner}\n}}")
        yield Spelling("function", f"phoc_f() {{ {inner}\n}}; phoc_f")
    yield Spelling("parentheses", f"( {inner}\n)")
    yield Spelling("newline", "\n" + inner + "\n")
    yield Spelling("blanks", "  " + inner + "  ")
    program = "zsh" if shell == "zsh" else "bash"
    yield Spelling("shell -c", f"{program} -c {quote(inner)}")
    yield Spelling("shell -c, variable", f'phoc_c={quote(inner)}; {program} -c "$phoc_c"')
    yield Spelling("eval", f"eval {quote(inner)}")
    yield Spelling("here-string", f"{program} <<< {quote(inner)}")
    yield Spelling("here-document", f"{program} <<'PHOC'\n{inner}\nPHOC")
    yield Spelling("printf", f"printf %s {quote(inner)} | {program}")
    if inner.isascii():
        text = base64.b64encode(inner.encode()).decode()
        yield Spelling("base64", f"echo {text} | base64 -d | {program}")
        yield Spelling("xxd", f"echo {inner.encode().hex()} | xxd -r -p | {program}")


def _simple(line: str, node: Simple) -> Iterator[Spelling]:
    """Yield a single command with wrappers in front and with its words spelled otherwise."""
    if not node.words:
        return
    name = node.words[0].bare()
    if name is None or name in SHELL_WORDS or not _is_plain(node.words[0]):
        return
    if not node.assigns and not node.redirects:
        yield Spelling("command", f"command {line}")
        yield Spelling("env", f"env {line}")
        yield Spelling("env, variable", f"env PHOC=1 {line}")
        yield Spelling("assignment", f"PHOC=1 {line}")
        yield Spelling("nohup nice", f"nohup nice -n 5 {line}")
        yield Spelling("timeout", f"timeout -s KILL 60 {line}")
    plain = [word for word in node.words if _is_plain(word)]
    yield Spelling("single quotes", _with(line, plain, lambda text: f"'{text}'"))
    yield Spelling("double quotes", _with(line, plain, lambda text: f'"{text}"'))
    yield Spelling("empty quotes", _with(line, plain, lambda text: f"{text[0]}''{text[1:]}"))
    yield Spelling("backslash", _with(line, plain, lambda text: f"\\{text}"))
    yield Spelling("ANSI-C", _with(line, plain, _ansi_c))
    yield Spelling(
        "variable for the program", f"phoc_p={name}; $phoc_p{line[node.words[0].end :]}" if not node.assigns else line
    )
    paths = [word for word in plain if line[word.start] == "/" and len(line[word.start : word.end]) > 1]
    if paths:
        yield Spelling("//", _with(line, paths, lambda text: "/" + text))
        yield Spelling("/./", _with(line, paths, lambda text: "/." + text))
        yield Spelling("..", _with(line, paths, lambda text: "/phoc/.." + text))


def _is_plain(word: Word) -> bool:
    if word.quoted or len(word.parts) != 1:
        return False
    part = word.parts[0]
    return isinstance(part, Literal) and not part.quoted and bool(part.text) and set(part.text) <= PLAIN


def _with(line: str, words: list[Word], spell: Callable[[str], str]) -> str:
    done, at = "", 0
    for word in words:
        done += line[at : word.start] + spell(line[word.start : word.end])
        at = word.end
    return done + line[at:]


def _ansi_c(text: str) -> str:
    return "$'" + "".join(f"\\x{ord(char):02x}" for char in text) + "'"
