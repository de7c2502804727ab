"""Read resources that are declared in the languages of puppet and chef, as far as a plain declaration goes.

puppet: `service { 'auditd': ensure => stopped, enable => false }`. chef: `service 'auditd' do action :stop end`.
"""

from __future__ import annotations

from phocinae_cli.analysis import modules
from phocinae_cli.analysis.values import Value, known
from phocinae_cli.kb.modules import RESOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.modules import Given

MARKS = "{}[]():,;"
MAX_TOKENS = 5000


def puppet_code(invocation: Invocation, text: str) -> None:
    """Judge every resource that a text in puppet's language declares."""
    for kind, given in declared(tokens(text)):
        modules.judge(invocation, RESOURCES, kind, given, invocation.scope.child(), False)


def chef_code(invocation: Invocation, text: str) -> None:
    """Judge every resource that a recipe of chef declares."""
    for kind, given in _blocks(tokens(text)):
        modules.judge(invocation, RESOURCES, kind, given, invocation.scope.child(), False)


def tokens(text: str) -> list[str]:
    """Return the words, marks and quoted texts; a quoted text keeps its opening quote in front."""
    found: list[str] = []
    at = 0
    while at < len(text) and len(found) < MAX_TOKENS:
        char = text[at]
        if char.isspace():
            at += 1
        elif char == "#":
            at = (text.find("\n", at) + 1) or len(text)
        elif char in "'\"":
            end = text.find(char, at + 1)
            end = end if end >= 0 else len(text)
            found.append("'" + text[at + 1 : end])
            at = end + 1
        elif text.startswith(("=>", "::"), at):
            found.append(text[at : at + 2])
            at += 2
        elif char in MARKS:
            found.append(char)
            at += 1
        else:
            end = at
            while (
                end < len(text)
                and not text[end].isspace()
                and text[end] not in MARKS + "'\"#"
                and text[end : end + 2] != "=>"
            ):
                end += 1
            end = max(end, at + 1)
            found.append(text[at:end])
            at = end
    return found


def declared(words: list[str]) -> list[tuple[str, Given]]:
    """Return the type of each puppet resource, with its title and what is declared of it."""
    found: list[tuple[str, Given]] = []
    at = 0
    while at + 2 < len(words):
        if words[at + 1] != "{" or not words[at].replace("_", "").isalnum():
            at += 1
            continue
        kind = words[at].lower()
        at += 2
        titles, at = _titles(words, at)
        while titles and at < len(words) and words[at] != "}":
            given: Given = {"title": titles}
            at = _pairs(words, at, given)
            found.append((kind, given))
            if at < len(words) and words[at] == ";":
                titles, at = _titles(words, at + 1)
    return found


def _titles(words: list[str], at: int) -> tuple[list[Value], int]:
    """Return the titles in front of a colon, and where the declaration goes on; none if it is no resource."""
    titles: list[Value] = []
    start = at
    while at < len(words) and words[at] != ":":
        if words[at] in ("{", "}", "=>", ";"):
            return [], start
        if words[at] not in ("[", "]", ","):
            titles.append(known(words[at].removeprefix("'")))
        at += 1
    return titles, at + 1


def _pairs(words: list[str], at: int, given: Given) -> int:
    """Read `name => value` up to the end of the resource, and return where that is."""
    name = ""
    depth = 0
    while at < len(words):
        word = words[at]
        if word in "}" and not depth:
            break
        if word == ";" and not depth:
            break
        if word in ("[", "{", "("):
            depth += 1
        elif word in ("]", "}", ")"):
            depth -= 1
        elif at + 1 < len(words) and words[at + 1] == "=>":
            name = word.removeprefix("'")
            at += 1
        elif name and word != ",":
            given.setdefault(name, []).append(known(word.removeprefix("'")))
        at += 1
    return at


def _blocks(words: list[str]) -> list[tuple[str, Given]]:
    """Return the type of each chef resource: `type 'title' do`, lines `name value`, `end`."""
    found: list[tuple[str, Given]] = []
    at = 0
    while at + 2 < len(words):
        kind, title = words[at], words[at + 1]
        if not title.startswith("'") or words[at + 2] != "do":
            at += 1
            continue
        given: Given = {"title": [known(title[1:])]}
        at += 3
        name = ""
        while at < len(words) and words[at] != "end":
            word = words[at]
            if word in MARKS:
                at += 1
                continue
            if name and (word.startswith("'") or words[at - 1] in (":", "[", ",") or word in ("true", "false")):
                given.setdefault(name, []).append(known(word.removeprefix("'")))
            else:
                name = word
            at += 1
        found.append((kind, given))
    return found
