"""The door to tree-sitter: PowerShell text in, its syntax tree out; the grammar comes with the extra `windows`."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MISSING = "reading PowerShell needs the extra `windows`: pip install 'phocinae[windows]'"
MAX_DEPTH = 200
_parsers: list[Parser] = []


class NoGrammar(Exception):
    """The grammar is not installed."""


class Parsed:
    """A tree, the text it points into, and whether that is the text that was given (so that spans hold)."""

    __slots__ = ("as_given", "broken", "root", "source")

    def __init__(self, root: Node, source: str, as_given: bool) -> None:
        self.root = root
        self.source = source
        self.as_given = as_given
        self.broken = first_error(root) if root.has_error else None


def parse_powershell(text: str) -> Parsed:
    """Return the tree of a text; raises NoGrammar when the extra is missing.

    What PowerShell takes and the grammar does not is written in another way and read again.
    """
    parser = _parser()
    root = parser.parse(text.encode()).root_node
    if not root.has_error:
        return Parsed(root, text, True)
    spelled = _respelled(text)
    if spelled != text:
        again = parser.parse(spelled.encode()).root_node
        if not again.has_error:
            return Parsed(again, spelled, False)
    return Parsed(root, text, True)


def _parser() -> Parser:
    if not _parsers:
        try:
            from tree_sitter import Language, Parser
            from tree_sitter_pwsh import language
        except ImportError as error:
            raise NoGrammar from error
        _parsers.append(Parser(Language(language())))
    return _parsers[0]


CALL = re.compile(r"(^|[;|{(&=\n]\s*)([A-Za-z][\w-]*)\(")
CLAUSE = re.compile(r"\}[ \t]+(?=(default\b|\S+[ \t]*\{))", re.IGNORECASE)
CONTINUED = re.compile(r"[ \t]*\\[ \t]*\r?\n")
TRAILING = re.compile(r"[ \t]*&[ \t]*$")
PROMPT = re.compile(r"(?m)^PS(?: [A-Za-z]:\\[^>\n]*)?>[ \t]?")
ATTRIBUTE = re.compile(r"\[(?:Validate|Allow|Parameter|Alias)\w*\([^\[\]]*\)\]\s*(?=[\[$])", re.IGNORECASE)
BRANCH = re.compile(r"\}\s*\n\s*(?=(?:else|elseif|catch|finally)\b)", re.IGNORECASE)
PARAMETERS = re.compile(r"(\bparam\s*\((?:[^()]|\([^()]*\))*\))[ \t]*(?=[^\s;])", re.IGNORECASE)
KEYWORDS = frozenset(("if", "while", "for", "foreach", "switch", "elseif", "until", "param", "catch", "function"))


def available() -> bool:
    """Return whether the grammar is installed."""
    try:
        _parser()
    except NoGrammar:
        return False
    return True


def _respelled(text: str) -> str:
    """Return the text with a blank behind a command's name, clauses on lines of their own, no trailing `&`."""

    def spaced(match: re.Match[str]) -> str:
        head, name = match.group(1), match.group(2)
        return f"{head}{name} (" if name.lower() not in KEYWORDS else match.group(0)

    text = PROMPT.sub("", text)
    text = CONTINUED.sub(" ", text) if "`" not in text else text
    text = TRAILING.sub("", text)
    text = CALL.sub(spaced, text)
    text = BRANCH.sub("} ", ATTRIBUTE.sub("", text))
    text = PARAMETERS.sub("\\1\n", text)
    if "switch" in text.lower():
        text = CLAUSE.sub("}\n", text)
    return text


def first_error(node: Node) -> Node | None:
    """Return the first part that could not be read, looked for without recursion."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.is_error or here.is_missing:
            return here
        waiting.extend(child for child in reversed(here.children) if child.has_error or child.is_missing)
    return None


def too_deep(node: Node) -> bool:
    """Return whether a tree is nested deeper than can be walked."""
    waiting = [(node, 0)]
    while waiting:
        here, depth = waiting.pop()
        if depth > MAX_DEPTH:
            return True
        waiting.extend((child, depth + 1) for child in here.children)
    return False


def content(node: Node) -> str:
    """Return the text of a node, with blanks that the grammar counts in taken off."""
    found = node.text
    return found.decode(errors="replace").strip() if found else ""
