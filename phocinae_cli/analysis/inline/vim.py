"""ex commands of vim: shells, files, scripts and functions that reach outside of the editor."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.values import Value, known

PREFIXES = (
    "silent!",
    "silent",
    "sil",
    "sil!",
    "noautocmd",
    "noa",
    "keepalt",
    "lockmarks",
    "bufdo",
    "argdo",
    "windo",
    "tabdo",
    "cdo",
    "cfdo",
    "verbose",
    "unsilent",
)
CODE = {
    "py": "python", "py3": "python", "python": "python", "python3": "python", "pyx": "python", "pythonx": "python",
    "lua": "lua", "perl": "perl", "ruby": "ruby",
}  # fmt: skip
SAVES = (
    "w",
    "wr",
    "wri",
    "write",
    "up",
    "update",
    "x",
    "xit",
    "exi",
    "exit",
    "wq",
    "wqa",
    "wa",
    "wall",
    "xa",
    "xall",
    "wqall",
    "wn",
)
PLUGINS = (
    "Plug",
    "Packer",
    "Lazy",
    "Mason",
    "TSInstall",
    "TSUpdate",
    "Coc",
    "GoInstall",
    "GoUpdate",
    "Vundle",
    "Plugin",
    "Dein",
    "MasonInstall",
)


def ex(deeds: Deeds, line: str) -> None:
    """Record what one line of ex commands does beside changing the text in memory."""
    line = line.strip().lstrip(":").strip()
    line = _behind_range(line)
    if not line or line.startswith('"'):
        return
    if line.startswith("!"):
        deeds.shell(_percent(deeds, line[1:].lstrip()))
        return
    word = _word(line)
    rest = line[len(word) :].lstrip()
    force = line[len(word) :].startswith("!")
    if word in PREFIXES or word + "!" in PREFIXES:
        ex(deeds, rest[1:] if force else rest)
        return
    if word in ("g", "global", "v", "vglobal") and rest:
        mark = rest.lstrip("!")[:1]
        ex(deeds, rest.lstrip("!")[1:].partition(mark)[2])
        return
    if word in CODE:
        deeds.code(CODE[word], known(rest))
        return
    if word in ("exe", "exec", "execute"):
        _execute(deeds, rest)
        return
    if word in ("te", "ter", "term", "terminal"):
        deeds.shell(known(rest.lstrip("!") or "true"))
        return
    first, bar, behind = _bar(rest)
    if word in SAVES:
        _save(deeds, first, force, rest)
        if first.lstrip("!").lstrip().startswith("!"):
            return
    elif word in ("r", "re", "read") and first.startswith("!"):
        deeds.shell(_percent(deeds, rest[1:]))
        return
    elif word in ("sav", "saveas"):
        deeds.write(known(first.lstrip("! ")), what="save")
    elif word in ("so", "source", "ru", "runtime"):
        deeds.script("vim", known(first.lstrip("! ")))
    elif word in ("mak", "make"):
        deeds.shell(known("make " + first))
    elif word[:1].isupper():
        _plugin(deeds, word)
    _calls(deeds, first)
    if bar:
        ex(deeds, behind)


def _word(line: str) -> str:
    size = 0
    while size < len(line) and (line[size].isalpha() or (size and line[size].isdigit())):
        size += 1
    return line[:size]


def _behind_range(line: str) -> str:
    at = 0
    while at < len(line):
        char = line[at]
        if char in "%.$,;+- \t" or char.isdigit():
            at += 1
        elif char == "'" and at + 1 < len(line):
            at += 2
        elif char in "/?" and line.find(char, at + 1) > 0:
            at = line.find(char, at + 1) + 1
        else:
            break
    return line[at:]


def _bar(text: str) -> tuple[str, str, str]:
    """Split at the first bar outside of strings; `!` takes everything behind it."""
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "|" and text[at - 1 : at] != "\\":
            return text[:at].strip(), "|", text[at + 1 :]
    return text.strip(), "", ""


def _files(deeds: Deeds) -> list[Value]:
    return [value for value in deeds.invocation.arguments.operands if not value.head().startswith("+")]


def _percent(deeds: Deeds, text: str) -> Value:
    """Return a shell text with `%` replaced by the file that is edited."""
    files = _files(deeds)
    name = files[0].exact if files else None
    return known(text.replace("%", name) if name is not None else text)


def _save(deeds: Deeds, first: str, force: bool, rest: str) -> None:
    target = first[1:].lstrip() if force else first
    if target.startswith("!") or (force and rest[1:].lstrip().startswith("!")):
        deeds.shell(_percent(deeds, rest.lstrip("!").lstrip().lstrip("!")))
    elif target.startswith(">>"):
        deeds.write(known(target[2:].strip()), append=True, what="save")
    elif target and not target.startswith("++"):
        deeds.write(known(target), what="save")
    else:
        for value in _files(deeds):
            deeds.path("write", value, False, "save", "the changed text is written back")


def _execute(deeds: Deeds, text: str) -> None:
    literal = text.strip()
    if len(literal) > 1 and literal[0] in "\"'" and literal.find(literal[0], 1) == len(literal) - 1:
        ex(deeds, literal[1:-1])
    else:
        deeds.unsure(literal, "the command is put together only when it runs")
        _calls(deeds, literal)


def _plugin(deeds: Deeds, word: str) -> None:
    if word.startswith(PLUGINS):
        deeds.plain("install", word, "plugins", "downloads plugins and their code")
    else:
        deeds.unsure(word, "a command that some plugin or setting defines")


def _calls(deeds: Deeds, text: str) -> None:
    """Record calls of vim's own functions that reach outside of the editor."""
    for name in ("system", "systemlist", "delete", "writefile", "jobstart", "job_start", "termopen", "rename", "mkdir"):
        at = text.find(name + "(")
        if at < 0 or (at and (text[at - 1].isalnum() or text[at - 1] in "_.")):
            continue
        strings = [_at_home(deeds, one) for one in _strings(text[at + len(name) + 1 :])]
        if name in ("mkdir",):
            continue
        if not strings:
            deeds.unsure(text, "what it is called with is known only once it runs")
        elif name == "delete":
            deeds.delete(known(strings[0]), len(strings) > 1 and strings[1] == "rf")
        elif name == "writefile":
            deeds.write(known(strings[-1] if len(strings[-1]) > 1 else strings[-2]), what="save")
        elif name == "rename":
            deeds.path("move", known(strings[0]), False, "rename", "takes it away from where it is looked for")
        else:
            deeds.shell(known(" ".join(strings) if "[" in text[at:] else strings[0]))


def _at_home(deeds: Deeds, text: str) -> str:
    return deeds.scope.home + text[1:] if text == "~" or text.startswith("~/") else text


def _strings(text: str) -> list[str]:
    """Return the texts up to the bracket that closes the call; what `$HOME` and `.` put together is one."""
    found: list[str] = []
    at, depth, glued = 0, 0, False
    while at < len(text) and (depth or text[at] != ")"):
        char = text[at]
        piece = None
        if char in "\"'":
            end = text.find(char, at + 1)
            if end < 0:
                break
            piece = text[at + 1 : end]
            at = end
        elif text.startswith("$HOME", at):
            piece = "~"
            at += len("$HOME") - 1
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "," and not depth:
            glued = False
        elif char == ".":
            glued = bool(found)
        if piece is not None:
            if glued:
                found[-1] += piece
            else:
                found.append(piece)
            glued = False
        at += 1
    return found
