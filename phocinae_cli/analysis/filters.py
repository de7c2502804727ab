"""Programs whose output can be told from their input: what a pipe hands on, and decoders in front of a shell."""

from __future__ import annotations

from phocinae_cli.analysis import infer, sending
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\\": "\\",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "0": "\0",
}


def echo(invocation: Invocation) -> Stream | None:
    """`echo`: its words; with `-e` (and in zsh always) escapes are read."""
    words = list(invocation.words)
    newline, escapes = "\n", invocation.scope.zsh
    letters = PRINT_OPTIONS if invocation.name == "print" else "neE"
    while words and words[0].exact is not None and _is_echo_option(words[0].text, letters):
        option = words.pop(0).text
        if "n" in option:
            newline = ""
        escapes = (escapes or "e" in option) and "r" not in option
        if option == "--":
            break
    taint = NOTHING
    plain = True
    for word in words:
        if word.taint:
            taint |= word.taint
        plain = plain and word.known and not word.globs
    if not plain:
        return _held(words, taint)
    text = " ".join([word.text for word in words])
    if escapes and "\\" in text:
        text = unescape(text)
    return Stream(text + newline, taint)


def _held(words: list[Value], taint: frozenset[str]) -> Stream:
    from phocinae_cli.analysis.redirects import HereText
    from phocinae_cli.analysis.runs import spaced

    for word in words:
        for part in word.parts:
            if not isinstance(part, str) and sending.looks_secret(part.why):
                taint |= {"secret"}
    value = spaced(words)
    return HereText((Value(value.parts, value.globs, taint),), True)


PRINT_OPTIONS = "-abcCDilmnNoOpPrRsSuvxXz0123456789"
"""The letters of options of zsh's `print`, and the dash that ends them."""


def _is_echo_option(text: str, letters: str) -> bool:
    return len(text) > 1 and text[0] == "-" and all(char in letters for char in text[1:])


def unescape(text: str) -> str:
    """Return the text with backslash escapes read as `echo -e` and `printf` read them."""
    done: list[str] = []
    index = 0
    while index < len(text):
        char = text[index]
        index += 1
        if char != "\\" or index >= len(text):
            done.append(char)
            continue
        code = text[index]
        index += 1
        if code == "x" or code in "uU":
            width = {"x": 2, "u": 4, "U": 8}[code]
            digits = _digits(text, index, width, "0123456789abcdefABCDEF")
            done.append(_char(digits, 16) if digits else "\\" + code)
            index += len(digits)
        elif code in "01234567":
            start = index if code == "0" else index - 1
            digits = _digits(text, start, 3, "01234567")
            index = start + len(digits)
            done.append(_char(digits or "0", 8))
        elif code == "c":
            break
        else:
            done.append(ESCAPES.get(code, "\\" + code))
    return "".join(done)


def _digits(text: str, index: int, width: int, allowed: str) -> str:
    end = index
    while end < len(text) and end - index < width and text[end] in allowed:
        end += 1
    return text[index:end]


def _char(digits: str, base: int) -> str:
    number = int(digits, base)
    return chr(number) if number < 0x110000 else ""


def printf(invocation: Invocation) -> Stream | None:
    """`printf`: the format filled with the words, repeated while words are left."""
    words = list(invocation.words)
    if words and words[0].exact == "-v" and len(words) > 2:
        text = _formatted(words[2], words[3:])
        invocation.scope.assign(words[1].text, [(Value((text,)) if text is not None else _unsure(words[2:]),)])
        return EMPTY
    if words and words[0].exact == "--":
        words.pop(0)
    if not words:
        return EMPTY
    taint = NOTHING
    for word in words:
        taint |= word.taint
    text = _formatted(words[0], words[1:])
    if text is None:
        return _held(words[1:] or words, taint)
    return Stream(text, taint)


def _unsure(words: list[Value]) -> Value:
    from phocinae_cli.analysis.runs import spaced

    return spaced(words)


def _formatted(pattern: Value, words: list[Value]) -> str | None:
    layout = pattern.exact
    if layout is None or not all(word.known for word in words):
        return None
    texts = [word.text for word in words]
    done: list[str] = []
    while True:
        used, text = _fill(layout, texts)
        done.append(text)
        texts = texts[used:]
        if not texts or not used or len(done) > 500:
            return "".join(done)


def _fill(layout: str, texts: list[str]) -> tuple[int, str]:
    used, done, index = 0, [], 0
    while index < len(layout):
        char = layout[index]
        if char != "%":
            end = layout.find("%", index)
            end = end if end >= 0 else len(layout)
            done.append(unescape(layout[index:end]))
            index = end
            continue
        index += 1
        while index < len(layout) and layout[index] in "-+ #0123456789.*":
            index += 1
        kind = layout[index : index + 1]
        index += 1
        if kind == "%":
            done.append("%")
            continue
        text = texts[used] if used < len(texts) else ""
        used += 1
        done.append(unescape(text) if kind == "b" else text)
    return used, "".join(done)


ENDS = ("head", "tail")


def cat(invocation: Invocation) -> Stream | None:
    """`cat`, `tee`'s input side, `head`: files one after the other, or what is fed in."""
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    operands = invocation.arguments.operands
    stdin = invocation.stdin
    if not operands and invocation.name == "zcat":
        return gunzip(invocation)
    if not operands:
        if invocation.name in ENDS and stdin.text is None and stdin.__class__ is Stream:
            return Stream(None, stdin.taint, f"the output of {invocation.name}")
        return stdin if stdin is not EMPTY else Stream(None, NOTHING, "what is typed")
    out = Stream("")
    for value in operands:
        if value.exact == "-":
            out = out.joined(invocation.stdin)
        else:
            out = out.joined(_of(invocation, value))
    if len(operands) == 1 and operands[0].exact not in (None, "-"):
        return _of(invocation, operands[0])
    return out


def _of(invocation: Invocation, value: Value) -> Stream:
    return invocation.evaluator.collector.content(value, invocation.scope)


def tee(invocation: Invocation) -> Stream | None:
    """`tee`: hands its input on and writes it to files."""
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    for value in invocation.arguments.operands:
        path = invocation.scope.resolve(value.text) if value.known else None
        if path is not None:
            consumers = [value]
            invocation.evaluator.collector.written(invocation.stdin, consumers, invocation.scope, False)
    return invocation.stdin


def base64(invocation: Invocation) -> Stream | None:
    """`base64 -d`: what it decodes, when that is known."""
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    source = _input(invocation)
    if not invocation.arguments.has("-d", "-D", "--decode", "--d"):
        return Stream(None, source.taint, "text in base64")
    return _decoded(source, _from_base64)


def openssl(invocation: Invocation) -> Stream | None:
    """`openssl base64 -d`, `openssl enc -d -a`: what they decode, when nothing is encrypted."""
    arguments = invocation.arguments
    verb = arguments.operands[0].exact if arguments.operands else ""
    ciphers = any(name.startswith(("-aes", "-des", "-camellia", "-chacha", "-aria")) for name, _ in arguments.flags)
    plain = verb == "base64" or (verb == "enc" and arguments.has("-a", "-base64") and not ciphers)
    if not plain or not arguments.has("-d") or arguments.has("-in"):
        return None
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    return _decoded(invocation.stdin, _from_base64)


def _input(invocation: Invocation) -> Stream:
    for value in invocation.arguments.operands:
        if value.exact != "-":
            return _of(invocation, value)
    return invocation.stdin


def _decoded(source: Stream, decode: Callable[[str], bytes]) -> Stream:
    if source.text is None:
        return Stream(None, source.taint, f"decoded {source.why or 'text'}")
    try:
        data = decode(source.text)
    except (ValueError, EOFError, OSError):
        return Stream(None, source.taint, "text that does not decode")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # packed data keeps its bytes, so that it can be unpacked
    return Stream(text, source.taint)


def _from_base64(text: str) -> bytes:
    import binascii

    compact = "".join(text.split())
    return binascii.a2b_base64(compact + "=" * (-len(compact) % 4))


def base32(invocation: Invocation) -> Stream | None:
    """`base32 -d`."""
    if not invocation.arguments.has("-d", "-D", "--decode"):
        return Stream(None, _input(invocation).taint, "text in base32")

    def decode(text: str) -> bytes:
        import base64 as codec

        return codec.b32decode("".join(text.split()))

    return _decoded(_input(invocation), decode)


def xxd(invocation: Invocation) -> Stream | None:
    """`xxd -r -p`: bytes from hexadecimal digits."""
    source = _input(invocation)
    if not invocation.arguments.has("-r"):
        return Stream(None, source.taint, "a hexadecimal dump")

    def decode(text: str) -> bytes:
        compact = "".join(text.split())
        return bytes.fromhex(compact[2:] if compact.startswith("0x") else compact)

    return _decoded(source, decode)


def rev(invocation: Invocation) -> Stream | None:
    """`rev`: every line backwards."""
    source = _input(invocation)
    if source.text is None:
        return Stream(None, source.taint, f"reversed {source.why}")
    return Stream("\n".join(line[::-1] for line in source.text.split("\n")), source.taint)


def tac(invocation: Invocation) -> Stream | None:
    """`tac`: the lines in reverse order."""
    source = _input(invocation)
    if source.text is None:
        return Stream(None, source.taint, source.why, source.path)
    return Stream("\n".join(reversed(source.text.rstrip("\n").split("\n"))) + "\n", source.taint)


def tr(invocation: Invocation) -> Stream | None:
    """`tr`: characters mapped or deleted."""
    source, words = invocation.stdin, [value.exact for value in invocation.arguments.operands]
    if source.text is None or None in words or not words:
        return Stream(None, source.taint, f"translated {source.why or 'text'}")
    first = _set(words[0] or "")
    text = source.text
    if invocation.arguments.has("-c", "-C", "--complement"):
        return Stream(None, source.taint, "translated text")
    if invocation.arguments.has("-d", "--delete"):
        return Stream("".join(char for char in text if char not in first), source.taint)
    if len(words) < 2:
        return Stream(text, source.taint)
    second = _set(words[1] or "")
    if not second:
        return Stream(None, source.taint, "translated text")
    second = second + second[-1] * (len(first) - len(second))
    table = {ord(char): second[number] for number, char in enumerate(first)}
    return Stream(text.translate(table), source.taint)


CLASSES = {
    "lower": "abcdefghijklmnopqrstuvwxyz", "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "digit": "0123456789",
    "space": " \t\n\r\v\f", "blank": " \t",
}  # fmt: skip
CLASSES["alpha"] = CLASSES["upper"] + CLASSES["lower"]
CLASSES["alnum"] = CLASSES["digit"] + CLASSES["alpha"]


def _set(text: str) -> str:
    for name, members in CLASSES.items():
        text = text.replace(f"[:{name}:]", members)
    text = unescape(text)
    done, index = "", 0
    while index < len(text):
        if index + 2 < len(text) and text[index + 1] == "-" and text[index] <= text[index + 2]:
            done += "".join(
                chr(code) for code in range(ord(text[index]), min(ord(text[index + 2]), ord(text[index]) + 512) + 1)
            )
            index += 3
        else:
            done += text[index]
            index += 1
    return done


UNPACKS = ("gun", "un", "bun", "zcat", "bzcat", "xzcat", "gzcat", "lz", "zlib-flate", "zstdcat", "lzcat")
"""How programs start that unpack without being told to."""


def gunzip(invocation: Invocation) -> Stream | None:
    """`gunzip`, `zcat`, `xzcat` and their kind as filters: known data is unpacked, else only the origin stays."""
    infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    source = _input(invocation)
    if source.text and (
        invocation.arguments.has("-d", "--decompress", "--uncompress", "-dc", "-cd")
        or invocation.name.startswith(UNPACKS)
    ):
        from phocinae_cli.analysis.packed import unpacked

        text = unpacked(source.text)
        if text is not None:
            return Stream(text, source.taint)
    return Stream(None, source.taint, f"unpacked {source.why or 'data'}")


def mktemp(invocation: Invocation) -> Stream | None:
    """`mktemp`: a fresh path that nobody else has."""
    arguments = invocation.arguments
    folder = arguments.value("-p", "--tmpdir")
    template = arguments.operands[0].exact if arguments.operands else None
    invocation.evaluator.processes += 1
    fresh = f"tmp.{invocation.evaluator.processes}"
    if template is not None and "/" in template:
        return Stream(template.replace("X", "x") + "\n")
    base = folder.exact if folder is not None and folder.exact else "/tmp"
    return Stream(f"{base}/{template.replace('X', 'x') if template else fresh}\n")


def one_name(invocation: Invocation) -> Stream | None:
    """`date`, `whoami`, `hostname`, `nproc`, `uname`, `basename`: one plain name or number."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    return Stream(None, (out.taint - {"private"}) | {"name"}, f"the output of {invocation.name}")


def basename(invocation: Invocation) -> Stream | None:
    """`basename`: the last component."""
    operands = invocation.arguments.operands
    text = operands[0].exact if operands else None
    if text is None:
        return Stream(None, frozenset(("name",)), "the output of basename")
    name = text.rstrip("/").rpartition("/")[2]
    suffix = operands[1].exact if len(operands) > 1 else None
    return Stream((name.removesuffix(suffix) if suffix else name) + "\n")


def dirname(invocation: Invocation) -> Stream | None:
    """`dirname`: the path without its last component."""
    operands = invocation.arguments.operands
    text = operands[0].exact if operands else None
    if text is None:
        return Stream(None, NOTHING, "the output of dirname")
    head, slash, _ = text.rstrip("/").rpartition("/")
    return Stream((head or ("/" if slash else ".")) + "\n")


def real_path(invocation: Invocation) -> Stream | None:
    """`realpath`, `readlink -f`: the same place under its real name."""
    operands = invocation.arguments.operands
    text = operands[-1].exact if operands else None
    path = invocation.scope.resolve(text) if text is not None else None
    return Stream(path + "\n") if path is not None else Stream(None, NOTHING, f"the output of {invocation.name}")


def sequence(invocation: Invocation) -> Stream | None:
    """`seq`: numbers."""
    return Stream(None, frozenset(("name",)), "the output of seq")


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {
    "echo": echo, "printf": printf, "cat": cat, "tee": tee, "base64": base64, "base32": base32, "openssl": openssl,
    "xxd": xxd, "rev": rev,
    "tac": tac, "tr": tr, "gunzip": gunzip, "mktemp": mktemp, "name": one_name, "basename": basename,
    "dirname": dirname, "realpath": real_path, "seq": sequence,
}  # fmt: skip
