"""A small reader of YAML: mappings, lists, plain, quoted and block texts, flow collections. Every scalar is a text.

What it does not know (anchors, tags, merge keys, complex keys) raises `Unread`, and nobody guesses.
"""

from __future__ import annotations

Node = str | list["Node"] | dict[str, "Node"]
MAX_DEPTH = 40


class Unread(Exception):
    """The text is no YAML that is read here."""


def read_documents(text: str) -> list[Node]:
    """Return the documents of a text; an empty one is left out."""
    found: list[Node] = []
    lines: list[str] = []
    for line in [*text.replace("\t", "    ").split("\n"), "---"]:
        if line.rstrip() in ("---", "...") or line.startswith("--- "):
            if any(_content(each) for each in lines):
                reader = _Reader(lines)
                found.append(reader.block(0, 0))
                if reader.next_content() < len(reader.lines):
                    raise Unread
            lines = [line[4:]] if line.startswith("--- ") else []
        else:
            lines.append(line)
    return found


def _content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(("#", "%YAML"))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0

    def next_content(self) -> int:
        """Return where the next line that says something is."""
        while self.at < len(self.lines) and not _content(self.lines[self.at]):
            self.at += 1
        return self.at

    def block(self, indent: int, depth: int) -> Node:
        """Return the node that starts at the next line, indented by at least so much."""
        if depth > MAX_DEPTH:
            raise Unread
        if self.next_content() >= len(self.lines):
            return ""
        line = self.lines[self.at]
        here = _indent(line)
        if here < indent:
            return ""
        text = line.strip()
        if text == "-" or text.startswith("- "):
            return self._list(here, depth)
        if _key(text) is not None:
            return self._mapping(here, depth)
        self.at += 1
        return self._value(text, here - 1 if here else 0, depth)

    def _list(self, indent: int, depth: int) -> Node:
        found: list[Node] = []
        while self.next_content() < len(self.lines):
            line = self.lines[self.at]
            if _indent(line) != indent or not (line.strip() == "-" or line.strip().startswith("- ")):
                if _indent(line) > indent:
                    raise Unread
                break
            rest = line[indent + 1 :]
            if _content(rest):
                self.lines[self.at] = " " * (indent + 1) + rest
                found.append(self.block(indent + 1, depth + 1))
            else:
                self.at += 1
                found.append(self.block(indent + 1, depth + 1))
        return found

    def _mapping(self, indent: int, depth: int) -> Node:
        found: dict[str, Node] = {}
        while self.next_content() < len(self.lines):
            line = self.lines[self.at]
            if _indent(line) < indent:
                break
            split = _key(line.strip())
            if _indent(line) > indent or split is None:
                if line.strip().startswith("- ") and _indent(line) == indent:
                    break
                raise Unread
            key, rest = split
            self.at += 1
            if rest:
                found[key] = self._value(rest, indent, depth)
            elif self.next_content() < len(self.lines) and self._list_follows(indent):
                found[key] = self._list(indent, depth + 1)
            else:
                found[key] = self.block(indent + 1, depth + 1)
        return found

    def _list_follows(self, indent: int) -> bool:
        line = self.lines[self.at]
        return _indent(line) == indent and (line.strip() == "-" or line.strip().startswith("- "))

    def _value(self, text: str, indent: int, depth: int) -> Node:
        """Return the node that starts with `text` and may go on in the lines behind."""
        if text[0] in "&*!" or text.startswith("<<"):
            raise Unread
        if text[0] in "|>":
            return self._literal(text, indent)
        if text[0] in "{[" and not text.startswith("{{"):
            while not _balanced(text):
                if self.at >= len(self.lines):
                    raise Unread
                text += " " + _bare(self.lines[self.at].strip())
                self.at += 1
            node, end = _flow(text, 0, depth)
            if _bare(text[end:]).strip():
                raise Unread
            return node
        if text[0] in "'\"":
            while text.count(text[0]) < 2 and self.at < len(self.lines):
                text += " " + self.lines[self.at].strip()
                self.at += 1
            return _quoted(text, 0)[0]
        words = [_bare(text).strip()]
        while self.next_content() < len(self.lines) and _indent(self.lines[self.at]) > indent:
            words.append(_bare(self.lines[self.at].strip()).strip())
            self.at += 1
        return " ".join(words)

    def _literal(self, head: str, indent: int) -> str:
        found: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and _indent(line) <= indent:
                break
            found.append(line)
            self.at += 1
        margin = min((_indent(line) for line in found if line.strip()), default=0)
        lines = [line[margin:] for line in found]
        return (" " if head.startswith(">") else "\n").join(lines).rstrip() + "\n"


def _key(text: str) -> tuple[str, str] | None:
    """Return the key that a line starts with and what stands behind the colon, or None if it has none."""
    if text[:1] in ("'", '"'):
        try:
            key, end = _quoted(text, 0)
        except Unread:
            return None
        rest = text[end:].lstrip()
        return (
            (key, _bare(rest[1:]).strip() if rest[1:].lstrip()[:1] not in ("'", '"') else rest[1:].strip())
            if rest.startswith(":")
            else None
        )
    if text[:1] in ("{", "[", "?", "&", "*", "!", "|", ">", "#"):
        return None
    head, colon, rest = text.partition(": ")
    if colon:
        if " #" in head:
            return None
        return head.strip(), rest.strip() if not rest.lstrip().startswith("#") else ""
    bare = _bare(text).rstrip()
    return (bare[:-1].strip(), "") if bare.endswith(":") else None


def _bare(text: str) -> str:
    """Return a text without the comment behind it."""
    if text.startswith("#"):
        return ""
    return text.partition(" #")[0]


def _balanced(text: str) -> bool:
    depth, quote = 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
    return depth <= 0 and not quote


def _quoted(text: str, at: int) -> tuple[str, int]:
    """Return the quoted text that starts at `at`, and where it ends."""
    quote = text[at]
    found = ""
    at += 1
    while at < len(text):
        char = text[at]
        if char == quote:
            if quote == "'" and text[at + 1 : at + 2] == "'":
                found += "'"
                at += 2
                continue
            return found, at + 1
        if char == "\\" and quote == '"' and at + 1 < len(text):
            at += 1
            char = {"n": "\n", "t": "\t"}.get(text[at], text[at])
        found += char
        at += 1
    raise Unread


def _flow(text: str, at: int, depth: int) -> tuple[Node, int]:
    """Return the node in flow style that starts at `at`, and where it ends."""
    if depth > MAX_DEPTH:
        raise Unread
    at = _blank(text, at)
    if at >= len(text):
        raise Unread
    char = text[at]
    if char == "[":
        return _flow_list(text, at + 1, depth)
    if char == "{" and not text.startswith("{{", at):
        return _flow_mapping(text, at + 1, depth)
    if char in "'\"":
        return _quoted(text, at)
    if char in "&*!":
        raise Unread
    end = at
    while end < len(text) and text[end] not in ",]}":
        if text.startswith("{{", end):
            end = text.find("}}", end) + 1 or len(text)
        elif text[end] == ":" and text[end + 1 : end + 2] in (" ", ""):
            break
        end += 1
    return text[at:end].strip(), end


def _flow_list(text: str, at: int, depth: int) -> tuple[Node, int]:
    items: list[Node] = []
    while True:
        at = _blank(text, at)
        if text[at : at + 1] == "]":
            return items, at + 1
        item, at = _flow(text, at, depth + 1)
        items.append(item)
        at = _comma(text, at, "]")


def _flow_mapping(text: str, at: int, depth: int) -> tuple[Node, int]:
    found: dict[str, Node] = {}
    while True:
        at = _blank(text, at)
        if text[at : at + 1] == "}":
            return found, at + 1
        key, at = _flow(text, at, depth + 1)
        at = _blank(text, at)
        if not isinstance(key, str):
            raise Unread
        if text[at : at + 1] == ":":
            found[key], at = _flow(text, at + 1, depth + 1)
        else:
            found[key] = ""
        at = _comma(text, at, "}")


def _blank(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _comma(text: str, at: int, end: str) -> int:
    at = _blank(text, at)
    if text[at : at + 1] == ",":
        return at + 1
    if text[at : at + 1] != end:
        raise Unread
    return at
