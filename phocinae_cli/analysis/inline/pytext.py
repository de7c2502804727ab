"""Text work of Python code that can be done ahead: methods of texts, formats, codecs."""

from __future__ import annotations

import binascii
import codecs
import zlib

from phocinae_cli.analysis.inline.deeds import joined
from phocinae_cli.analysis.inline.pyvalues import is_constant, taint_of, text_of
from phocinae_cli.analysis.values import Value, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.pycalls import Calls

LIMIT = 65536
SAFE = frozenset(
    (
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
        "swapcase",
        "replace",
        "split",
        "rsplit",
        "splitlines",
        "partition",
        "rpartition",
        "startswith",
        "endswith",
        "removeprefix",
        "removesuffix",
        "encode",
        "decode",
        "find",
        "index",
        "count",
        "isdigit",
        "isalpha",
        "hex",
    )
)


def method(
    calls: Calls, base: str | bytes | bytearray, name: str, arguments: list[object], named: dict[str, object]
) -> object:
    """Return what a method of a known text gives."""
    if name == "join" and len(arguments) == 1:
        return _join(calls, base, arguments[0])
    if name == "format":
        return _format(base, arguments, named)
    if name == "translate" or name not in SAFE or named:
        if name == "fromhex":
            return _computed(bytes.fromhex, arguments)
        return unknown("the result of a text method", taint_of(arguments))
    if (
        name in ("encode", "decode")
        and arguments
        and isinstance(arguments[0], str)
        and arguments[0].replace("-", "_") in TEXT_CODECS
    ):
        return _decode(base, arguments[0])
    return _computed(getattr(base, name), arguments)


def _computed(function: object, arguments: list[object]) -> object:
    if not all(is_constant(argument) for argument in arguments):
        return unknown("the result of a text method", taint_of(arguments))
    size = sum(len(argument) for argument in arguments if isinstance(argument, (str, bytes)))
    if size > 256 and len(getattr(function, "__self__", "")) > 256:
        return unknown("a long text")  # `replace` multiplies lengths
    try:
        found = function(*arguments)  # type: ignore[operator]
    except Exception:
        return unknown("the result of a text method")
    return list(found) if isinstance(found, tuple) else found


def _join(calls: Calls, base: str | bytes | bytearray, source: object) -> object:
    items = calls.items(source)
    if items is None or sum(len(item) + len(base) for item in items if isinstance(item, (str, bytes))) > LIMIT:
        return unknown("joined texts", taint_of(source))
    if isinstance(base, str) and all(isinstance(item, str) for item in items):
        return base.join([item for item in items if isinstance(item, str)])
    if isinstance(base, bytes) and all(isinstance(item, (bytes, bytearray)) for item in items):
        return base.join([bytes(item) for item in items if isinstance(item, (bytes, bytearray))])
    parts: list[Value] = []
    for number, item in enumerate(items):
        if number:
            parts.append(text_of(base))
        parts.append(text_of(item))
    return joined(parts or [text_of("")])


def _format(base: str | bytes | bytearray, arguments: list[object], named: dict[str, object]) -> object:
    """Return `base.format(...)`, fields filled one by one so that unknown ones stay unknown."""
    if not isinstance(base, str) or wide(base):
        return unknown("a formatted text")
    parts: list[Value] = []
    at = count = 0
    while at < len(base):
        start = base.find("{", at)
        if start < 0:
            parts.append(text_of(base[at:].replace("}}", "}")))
            break
        parts.append(text_of(base[at:start].replace("}}", "}")))
        if base.startswith("{{", start):
            parts.append(text_of("{"))
            at = start + 2
            continue
        end = base.find("}", start)
        if end < 0:
            return unknown("a formatted text")
        field = base[start + 1 : end]
        name = field.partition(":")[0].partition("!")[0]
        if name == "":
            value = arguments[count] if count < len(arguments) else unknown("a missing field")
            count += 1
        elif name.isdigit():
            value = arguments[int(name)] if int(name) < len(arguments) else unknown("a missing field")
        else:
            value = named.get(name, unknown(f"field {name}"))
        if is_constant(value) and ":" in field and not isinstance(value, list):
            try:
                value = format(value, field.partition(":")[2])
            except (ValueError, TypeError):
                value = unknown("a formatted text")
        parts.append(text_of(value))
        at = end + 1
    done = joined(parts or [text_of("")])
    return done.text if done.known and not done.taint and not done.globs else done


def wide(layout: str) -> bool:
    """Return whether a format names a width that would make an endless text of little."""
    run = 0
    for char in layout:
        run = run + 1 if char.isdigit() else 0
        if run > 4:
            return "%" in layout or ":" in layout
    return False


def fill(layout: str, arguments: list[object]) -> object:
    """Return `layout % arguments`, unknown ones kept."""
    if wide(layout):
        return unknown("a formatted text")
    if all(is_constant(argument) for argument in arguments):
        try:
            return layout % tuple(arguments)
        except (TypeError, ValueError):
            return unknown("a formatted text")
    parts: list[Value] = []
    given = list(arguments)
    at = 0
    while at < len(layout):
        mark = layout.find("%", at)
        if mark < 0:
            parts.append(text_of(layout[at:]))
            break
        parts.append(text_of(layout[at:mark]))
        at = mark + 1
        while at < len(layout) and layout[at] in "-+ #0123456789.*":
            at += 1
        if layout[at : at + 1] == "%":
            parts.append(text_of("%"))
        else:
            parts.append(text_of(given.pop(0)) if given else unknown("a missing field"))
        at += 1
    return joined(parts or [text_of("")])


TEXT_CODECS = (
    "rot13",
    "rot_13",
    "hex",
    "hex_codec",
    "base64",
    "base64_codec",
    "zlib",
    "unicode_escape",
    "string_escape",
)


def _decode(data: str | bytes | bytearray, name: str) -> object:
    try:
        if name.startswith("rot"):
            return codecs.decode(data if isinstance(data, str) else bytes(data).decode(), "rot13")
        raw = data.encode() if isinstance(data, str) else bytes(data)
        if name.startswith("hex"):
            return bytes.fromhex(raw.decode())
        if name.startswith("base64"):
            return binascii.a2b_base64(raw)
        if name == "zlib":
            return inflate(raw)
        return raw.decode("unicode_escape")
    except (ValueError, zlib.error):
        return unknown("text that does not decode")


def _codec(data: object, name: object = "utf-8", *_: object) -> object:
    if isinstance(data, (str, bytes)) and isinstance(name, str):
        folded = name.replace("-", "_")
        if folded in TEXT_CODECS:
            return _decode(data, folded)
        return data.decode(name) if isinstance(data, bytes) else data.encode(name)
    raise TypeError


def _b64(data: object, *_: object) -> object:
    raw = data.encode() if isinstance(data, str) else data
    if not isinstance(raw, bytes):
        raise TypeError
    raw = raw.replace(b"-", b"+").replace(b"_", b"/")
    return binascii.a2b_base64(raw + b"=" * (-len(raw) % 4))


def inflate(data: bytes, wbits: int = 15) -> bytes:
    """Return unpacked data, never more than LIMIT bytes of it."""
    return zlib.decompressobj(wbits).decompress(data, LIMIT)


def _raw(function: object) -> object:
    def apply(data: object, *_: object) -> object:
        raw = data.encode() if isinstance(data, str) else data
        return function(raw)  # type: ignore[operator]

    return apply


def _late(module: str, name: str) -> object:
    """Return a function of a module that is loaded only when the code needs it."""

    def apply(*arguments: object) -> object:
        found: object
        if module == "base64":
            import base64 as found
        elif module == "shlex":
            import shlex as found
        else:
            import textwrap as found
        return getattr(found, name)(*arguments)

    return apply


def _unpack_bz2(data: bytes) -> bytes:
    import bz2

    return bz2.BZ2Decompressor().decompress(data, LIMIT)


def _unpack_lzma(data: bytes) -> bytes:
    import lzma

    return lzma.LZMADecompressor().decompress(data, LIMIT)


def _unquoted(text: str, *_: object) -> str:
    """Return a text with `%41` and its kind resolved."""
    head, *rest = text.split("%")
    done = head.encode()
    for piece in rest:
        try:
            done += bytes.fromhex(piece[:2]) + piece[2:].encode()
        except ValueError:
            done += b"%" + piece.encode()
    return done.decode("utf-8", "replace")


PURE: dict[str, object] = {
    "chr": chr,
    "unichr": chr,
    "ord": ord,
    "int": int,
    "float": float,
    "hex": hex,
    "bin": bin,
    "len": len,
    "sum": sum,
    "min": min,
    "max": max,
    "base64.b64decode": _b64,
    "base64.urlsafe_b64decode": _b64,
    "base64.standard_b64decode": _b64,
    "base64.decodebytes": _b64,
    "base64.decodestring": _b64,
    "base64.b32decode": _raw(_late("base64", "b32decode")),
    "base64.b16decode": _raw(_late("base64", "b16decode")),
    "base64.b85decode": _raw(_late("base64", "b85decode")),
    "base64.a85decode": _raw(_late("base64", "a85decode")),
    "base64.b64encode": _raw(_late("base64", "b64encode")),
    "binascii.unhexlify": binascii.unhexlify,
    "binascii.a2b_hex": binascii.unhexlify,
    "binascii.a2b_base64": _b64,
    "bytes.fromhex": bytes.fromhex,
    "bytearray.fromhex": bytes.fromhex,
    "codecs.decode": _codec,
    "codecs.encode": _codec,
    "zlib.decompress": _raw(inflate),
    "gzip.decompress": _raw(lambda data: inflate(data, 31)),
    "bz2.decompress": _raw(_unpack_bz2),
    "lzma.decompress": _raw(_unpack_lzma),
    "shlex.split": _late("shlex", "split"),
    "shlex.quote": _late("shlex", "quote"),
    "shlex.join": _late("shlex", "join"),
    "str.join": lambda base, items: base.join(items),
    "urllib.parse.unquote": _unquoted,
    "textwrap.dedent": _late("textwrap", "dedent"),
}
