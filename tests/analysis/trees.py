"""Looking at syntax trees: every node, the programs in them, and a short written form."""

from __future__ import annotations

from collections.abc import Iterator

from phocinae_cli.analysis.syntax import Literal, Simple, Tree, Word


def slots(node: object) -> Iterator[tuple[str, object]]:
    """Yield the fields of a node, those of its base classes first."""
    for kind in reversed(type(node).__mro__):
        for slot in getattr(kind, "__slots__", ()):
            yield slot, getattr(node, slot)


def nodes(root: object, parent: object = None) -> Iterator[tuple[object, object, str]]:
    """Yield every node under `root` with its parent and the field it stands in."""
    stack: list[tuple[object, object, str]] = [(root, parent, "")]
    while stack:
        node, above, field = stack.pop()
        if isinstance(node, tuple):
            stack.extend((each, above, field) for each in reversed(node))
        elif node is not None and not isinstance(node, (str, int)):
            yield node, above, field
            stack.extend((value, node, slot) for slot, value in slots(node) if slot not in ("start", "end"))


def programs(tree: Tree) -> list[str]:
    """Return the first word of every simple command, in the order of the text; as written where it is not plain."""
    found = []
    for node, _, _ in nodes(tree.body):
        if isinstance(node, Simple) and node.words:
            word = node.words[0]
            plain = all(isinstance(part, Literal) for part in word.parts)
            text = "".join(part.text for part in word.parts if isinstance(part, Literal))
            found.append((node.start, text if plain else tree.text[word.start : word.end]))
    return [name for _, name in sorted(found, key=lambda pair: pair[0])]


def written(node: object) -> str:
    """Return a short form of a tree: `'x'` is text, `"x"` quoted text, fields without a value are left out."""
    if isinstance(node, str):
        return node
    if isinstance(node, bool | int):
        return str(node)
    if isinstance(node, tuple):
        return "[" + " ".join(written(each) for each in node) + "]"
    if isinstance(node, Literal):
        mark = '"' if node.quoted else "'"
        return f"{mark}{node.text}{mark}"
    if isinstance(node, Word):
        inside = " ".join(written(part) for part in node.parts)
        plain = node.quoted == any(isinstance(part, Literal) and part.quoted for part in node.parts)
        return inside if len(node.parts) == 1 and plain else f"<{'' if plain else 'quoted: '}{inside}>"
    fields = []
    for slot, value in slots(node):
        if slot in ("start", "end") or value is None or value is False or value in ((), ""):
            continue
        if slot == "closed" and value is True:
            continue
        fields.append(f"{slot}={written(value)}")
    return f"{type(node).__name__}({' '.join(fields)})"
