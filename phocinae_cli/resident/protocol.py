"""What the shell hook and the worker say to each other: counted frames, so that no byte is taken for more.

A request is `ID VERB SIZE`, a line feed and SIZE bytes: fields, each a letter, its length, a colon and its bytes.
A reply is `ID WORD SIZE KEYS MARK`, a line feed and SIZE bytes for the terminal. Nothing else is ever sent.
"""

from __future__ import annotations

VERBS = ("check", "explain", "approve", "program")
"""What can be asked: a verdict, the reasoning, an approval of exactly this line, one of this program."""

WORDS = ("allow", "ask", "deny", "done", "failed")

QUIT = b"quit"

MAX_HEADER = 64
MAX_BODY = 1 << 20

# Letters of the fields. Those of the second group come as often as needed, their bytes are NAME=TEXT.
SHELL, HOOK, WIDTH, CWD, HOME, TYPED, REAL, OPTIONS = "s", "h", "w", "c", "d", "t", "x", "o"
ALIAS, FUNCTION, VARIABLE = "a", "f", "v"


class Malformed(Exception):
    """Bytes that are no request: whoever sent them can't be answered, and what follows can't be trusted."""


class Query:
    """One request: its number, a verb of VERBS, and its fields in order, as pairs of a letter and text.

    Text that is not UTF-8 keeps its bytes as lone surrogates, which the gate takes for unreadable.
    """

    __slots__ = ("fields", "number", "verb")

    def __init__(self, number: str, verb: str, fields: list[tuple[str, str]]) -> None:
        self.number = number
        self.verb = verb
        self.fields = fields

    def field(self, letter: str, default: str = "") -> str:
        """Return the text of the first field with this letter, or the default."""
        for name, text in self.fields:
            if name == letter:
                return text
        return default

    def pairs(self, letter: str) -> dict[str, str]:
        """Return what the fields with this letter map, name to text; the last of a name counts."""
        found = {}
        for name, text in self.fields:
            if name == letter:
                key, equals, value = text.partition("=")
                if equals:
                    found[key] = value
        return found


class Reply:
    """An answer: a word of WORDS, the message for the terminal, the keys on offer, and a mark.

    The mark is equal for two answers that say the same about what a line would do, so that the hook need not
    repeat a question that was answered for the first lines of a construct.
    """

    __slots__ = ("keys", "mark", "message", "word")

    def __init__(self, word: str, message: str = "", keys: str = "", mark: str = "") -> None:
        self.word = word
        self.message = message
        self.keys = keys
        self.mark = mark


def take(buffer: bytes) -> tuple[Query | None, bytes]:
    """Return the first request of the buffer and the rest; None when it is not complete yet. May raise Malformed."""
    end = buffer.find(b"\n", 0, MAX_HEADER + 1)
    if end < 0:
        if len(buffer) > MAX_HEADER:
            raise Malformed("no header")
        return None, buffer
    words = buffer[:end].split(b" ")
    if len(words) != 3 or not words[0].isdigit() or not words[2].isdigit():
        raise Malformed("not a header")
    size = int(words[2])
    verb = words[1].decode("ascii", "replace")
    if verb not in VERBS or size > MAX_BODY:
        raise Malformed("no such verb, or too much")
    stop = end + 1 + size
    if len(buffer) < stop:
        return None, buffer
    return Query(words[0].decode("ascii"), verb, fields(buffer[end + 1 : stop])), buffer[stop:]


def fields(body: bytes) -> list[tuple[str, str]]:
    """Return the fields of a request's body. May raise Malformed."""
    found = []
    at = 0
    while at < len(body):
        colon = body.find(b":", at + 1, at + 10)
        count = body[at + 1 : colon]
        if colon < 0 or not count.isdigit() or colon + 1 + int(count) > len(body):
            raise Malformed("not a field")
        stop = colon + 1 + int(count)
        found.append((chr(body[at]), body[colon + 1 : stop].decode("utf-8", "surrogateescape")))
        at = stop
    return found


def body(pairs: list[tuple[str, str]]) -> bytes:
    """Return fields as the body of a request: what `fields` reads."""
    parts = []
    for letter, text in pairs:
        raw = text.encode("utf-8", "surrogateescape")
        parts.append(letter.encode("ascii") + str(len(raw)).encode("ascii") + b":" + raw)
    return b"".join(parts)


def ask(number: int, verb: str, content: bytes) -> bytes:
    """Return a whole request."""
    return f"{number} {verb} {len(content)}\n".encode("ascii") + content


def answer(number: str, reply: Reply) -> bytes:
    """Return a reply as bytes. Its lines end in a carriage return too, since the hook's terminal may be in raw mode."""
    message = reply.message.replace("\n", "\r\n").encode("utf-8", "replace")
    header = f"{number} {reply.word} {len(message)} {reply.keys or '-'} {reply.mark or '-'}\n"
    return header.encode("ascii") + message
