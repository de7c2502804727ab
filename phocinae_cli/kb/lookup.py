"""Find what the knowledge base says of a program: a bisection on sorted text, decoded once a program.

Pure: the text is given. Nothing here parses TOML, and a line is decoded only when its program is met.
"""

from __future__ import annotations

from phocinae_cli.kb.schema import SEP_FIELD, SEP_ITEM, SEP_ROW, Pattern, read_pattern


class Row:
    """One behaviour or claim: when it holds, what it does, what it runs, and what a person reads.

    `effects` and `runs` are the compiled texts, one item each; `claim` is `harmless` or an effect kind for a row
    of the short form, of which only the most specific one counts; `weight` is how specific `when` is, and `always`
    says that it asks for nothing.
    """

    __slots__ = (
        "always", "claim", "code", "effects", "harm", "instead", "runs", "text", "undo", "weight", "when", "why",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        code, when, effects, runs, why, instead, undo, harm = text.split(SEP_ITEM)
        self.code = code
        self.text = when
        self.when: Pattern = read_pattern(when)
        self.claim = effects[6:] if effects.startswith("claim:") else ""
        self.effects: tuple[str, ...] = tuple(effects.split(";")) if effects and not self.claim else ()
        self.runs: tuple[str, ...] = tuple(runs.split(";")) if runs else ()
        self.why = why
        self.instead = instead
        self.undo = undo
        self.harm = harm
        self.weight = self.when.weight()
        self.always = when == "*"


class Tool:
    """What is known of one program: how it reads its arguments, and its rows by the verb they start with."""

    __slots__ = (
        "_pending",
        "_verbal",
        "flags",
        "grammar",
        "help",
        "name",
        "output",
        "rows",
        "special",
        "stops",
        "style",
        "undescribed",
        "values",
        "verbs",
    )

    def __init__(self, name: str, line: str) -> None:
        fields = dict(field.partition("=")[::2] for field in line.split(SEP_FIELD))
        self.name = name
        self.style = fields["style"]
        self.output = fields["output"]
        self.values = frozenset(fields["values"].split(SEP_ITEM)) if fields["values"] else frozenset()
        self.flags = frozenset(fields["flags"].split(SEP_ITEM)) if fields["flags"] else frozenset()
        self.special = fields["special"]
        self.undescribed = fields["undescribed"]
        self.grammar = fields.get("grammar", "")
        self.help: tuple[str, ...] = tuple(fields["help"].split(SEP_ITEM)) if fields["help"] else ()
        self.verbs: dict[str, frozenset[str]] = {}
        for item in fields["verbs"].split(SEP_ITEM) if fields["verbs"] else ():
            verb, _, options = item.partition("=")
            self.verbs[verb] = frozenset(options.split())
        self.stops: dict[str, int] = {}
        for item in fields["stops"].split(SEP_ITEM) if fields["stops"] else ():
            verb, _, count = item.rpartition("=")
            self.stops[verb] = int(count)
        # Rows wait as text under the literal words they can start with ("" for any), since a tool such as git
        # has hundreds and a line meets a few.
        self.rows: dict[str, list[Row]] = {}
        self._pending: dict[str, list[str]] = {}
        for text in fields["rows"].split(SEP_ROW) if fields["rows"] else ():
            for verb in _first_words(text.split(SEP_ITEM, 2)[1]):
                self._pending.setdefault(verb, []).append(text)
        self._verbal = any(self._pending)

    def knows_verb(self, word: str) -> bool:
        """Return whether some row starts with exactly this operand."""
        return word in self._pending or word in self.rows

    def has_verbs(self) -> bool:
        """Return whether the first operand is a verb, so that one nobody described is a use nobody described."""
        return self._verbal

    def has_group(self, word: str) -> bool:
        """Return whether rows start with this operand, and every one asks for a second behind it."""
        return self.knows_verb(word) and all(len(row.when.words) > 1 for row in self._decoded(word))

    def rows_for(self, verb: str) -> list[Row]:
        """Return the rows that may hold for a first operand (empty text: there is none), and those for any."""
        if verb and (verb in self._pending or verb in self.rows):
            return self._decoded(verb) + self._decoded("")
        return self._decoded("")

    def every_row(self) -> list[Row]:
        """Return all rows, each once; for showing them."""
        found: dict[str, Row] = {}
        for verb in sorted({*self._pending, *self.rows}):
            for row in self._decoded(verb):
                found.setdefault(f"{row.code} {row.text} {row.claim}", row)
        return list(found.values())

    def _decoded(self, verb: str) -> list[Row]:
        if verb not in self.rows:
            waiting = self._pending.pop(verb, None)
            if waiting is None:
                return []
            self.rows[verb] = [Row(text) for text in waiting]
        return self.rows[verb]


def _first_words(when: str) -> tuple[str, ...]:
    for token in when.split():
        if (token[0] in "-/!#~<+%^" and token != "-") or token == "*":
            if token == "*":
                return ("",)
            continue
        words = tuple(token.split("|"))
        return ("",) if any("*" in word or "?" in word for word in words) else words
    return ("",)


class Knowledge:
    """The compiled knowledge base, with a user's own entries in front.

    `text` is sorted lines of a name, a tab and the tool (or `=` and the name it is described under); `overlay` the
    same from the user's files. Both may be given as UTF-8 bytes: only the line that is found gets decoded.
    """

    __slots__ = ("_found", "_overlay", "_text")

    def __init__(self, text: str | bytes, overlay: str | bytes = b"") -> None:
        self._text = text.encode() if isinstance(text, str) else text
        self._overlay = overlay.encode() if isinstance(overlay, str) else overlay
        self._found: dict[str, Tool | None] = {}

    def find(self, name: str) -> Tool | None:
        """Return what is known of a program, by the exact name it is called with, or None."""
        if name in self._found:
            return self._found[name]
        line = self._line(name)
        if line is not None and line.startswith("="):
            tool = self.find(line[1:])
        else:
            tool = Tool(name, line) if line else None
        if len(self._found) > 4000:  # a resident process must not grow with every word that was ever typed
            self._found.clear()
        self._found[name] = tool
        return tool

    @property
    def text(self) -> bytes:
        """The compiled text, without the user's own entries."""
        return self._text

    def _line(self, name: str) -> str | None:
        try:
            key = name.encode()
        except UnicodeEncodeError:  # half a character: no program is called that
            return None
        found = _bisect(self._overlay, key) or _bisect(self._text, key)
        return found.decode() if found is not None else None

    def names(self) -> list[str]:
        """Return every described name, sorted."""
        lines = (self._text + b"\n" + self._overlay).decode().split("\n")
        return sorted({line.partition("\t")[0] for line in lines if line})


def _bisect(text: bytes, name: bytes) -> bytes | None:
    """Return what stands behind `name` and a tab at the start of a line of sorted text."""
    if not name or b"\n" in name or b"\t" in name:
        return None
    wanted = name + b"\t"
    low, high = 0, len(text)
    while low < high:
        middle = text.rfind(b"\n", low, (low + high) // 2) + 1
        if middle <= low:
            middle = low
        end = text.find(b"\n", middle)
        if end < 0:
            end = len(text)
        key_end = text.find(b"\t", middle, end)
        key = text[middle : key_end + 1]
        if key == wanted:
            return text[key_end + 1 : end]
        if key < wanted:
            low = end + 1
        elif middle == low:
            return None
        else:
            high = middle
    return None
