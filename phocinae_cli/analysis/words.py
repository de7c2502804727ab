"""Resolve words: quotes, braces, tilde, parameters, substitutions and field splitting, as the shell would.

A word gives alternatives, each a tuple of fields: one in the ordinary case, more where a variable may hold one of
several values (a loop, two branches of an `if`). What can't be known stays in the field as an Unknown.
"""

from __future__ import annotations

from phocinae_cli.analysis.braces import expand_braces
from phocinae_cli.analysis.operators import flagged, span, transform, zsh_span
from phocinae_cli.analysis.syntax import Arith, CommandSub, Literal, Param, Part, ProcessSub, Word
from phocinae_cli.analysis.values import NOTHING, TooMuch, Unknown, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from phocinae_cli.analysis.scope import Scope

    _T = TypeVar("_T")

Fields = tuple[Value, ...]
MAX_ALTERNATIVES = 256
GLOBS = frozenset("*?[")
PLAIN_STOP = GLOBS | frozenset("{~")
NAME_ONLY = frozenset((
    "?", "#", "$", "!", "-", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID", "EPOCHSECONDS",
    "COLUMNS", "LINES", "HOSTNAME", "HOSTTYPE", "OSTYPE", "MACHTYPE", "SHLVL", "SRANDOM", "BASH_VERSION",
    "ZSH_VERSION", "GROUPS", "OPTIND", "REPLY_COUNT",
))  # fmt: skip


def expand(word: Word, scope: Scope) -> tuple[Fields, ...]:
    """Return the alternatives of fields that a word stands for, field splitting and braces included."""
    parts = word.parts
    plain = _literal(parts)
    if plain is not None:
        return ((plain,),)
    if any(isinstance(part, Literal) and not part.quoted and "{" in part.text for part in parts):
        lists = expand_braces(parts)
        if len(lists) > 1:
            gathered: list[tuple[Fields, ...]] = [_expand_parts(piece, word.quoted, scope, True) for piece in lists]
            return product(gathered)
    return _expand_parts(parts, word.quoted, scope, True)


def _literal(parts: tuple[Part, ...]) -> Value | None:
    """Return what a word of literals stands for, as most words are; None for one with braces or a tilde in front."""
    if len(parts) == 1:
        only = parts[0]
        if only.__class__ is Literal and (only.quoted or PLAIN_STOP.isdisjoint(only.text)):
            return Value((only.text,))
    text = ""
    globs = False
    for part in parts:
        if part.__class__ is not Literal:
            return None
        piece = part.text
        if not part.quoted:
            if ("{" in piece and piece != "{}") or (piece[:1] == "~" and part is parts[0]):
                return None
            if not GLOBS.isdisjoint(piece):
                piece, wild = _globbed(piece)
                globs = globs or wild
        text += piece
    return Value((text,), globs)


def _globbed(text: str) -> tuple[str, bool]:
    """Return unquoted text without the brackets that mean one character, and whether it is a pattern then."""
    if "[" in text:
        text = _single_brackets(text)
        return text, "*" in text or "?" in text or ("[" in text and "]" in text)
    return text, "*" in text or "?" in text


def literals(words: tuple[Word, ...]) -> Fields | None:
    """Return the one field that each word stands for when all of them are literals, else None."""
    found: list[Value] = []
    for word in words:
        plain = _literal(word.parts)
        if plain is None:
            return None
        found.append(plain)
    return tuple(found)


def expand_single(word: Word | None, scope: Scope) -> tuple[Value, ...]:
    """Return the alternatives of the one text that a word stands for where the shell does not split it."""
    if word is None:
        return (known(""),)
    plain = _literal(word.parts)
    if plain is not None:
        return (plain,)
    found: list[Value] = []
    for fields in _expand_parts(word.parts, word.quoted, scope, False):
        found.append(fields[0] if len(fields) == 1 else _glue(fields))
    return tuple(found)


def _glue(fields: Fields) -> Value:
    parts: list[str | Unknown] = []
    taint = NOTHING
    for number, field in enumerate(fields):
        if number:
            parts.append(" ")
        parts.extend(field.parts)
        taint |= field.taint
    return Value(_squeeze(parts), False, taint)


def _squeeze(parts: list[str | Unknown]) -> tuple[str | Unknown, ...]:
    done: list[str | Unknown] = []
    for part in parts:
        if done and isinstance(part, str) and isinstance(done[-1], str):
            done[-1] += part
        elif part != "":
            done.append(part)
    return tuple(done) if done else ("",)


def product(gathered: list[tuple[Fields, ...]]) -> tuple[Fields, ...]:
    """Return every combination of alternatives in order; raises TooMuch beyond MAX_ALTERNATIVES of them."""
    single: list[Value] = []
    for alternatives in gathered:
        if len(alternatives) != 1:
            break
        single.extend(alternatives[0])
    else:
        return (tuple(single),)
    combined: list[Fields] = [()]
    for alternatives in gathered:
        if len(alternatives) == 1:
            combined = [fields + alternatives[0] for fields in combined]
        else:
            combined = bounded([fields + choice for fields in combined for choice in alternatives])
    return tuple(combined)


def bounded(choices: list[_T]) -> list[_T]:
    """Return the list; raises TooMuch when it is too long, since cutting it could cut the one that matters."""
    if len(choices) > MAX_ALTERNATIVES:
        raise TooMuch
    return choices


class _Piece:
    """What one part of a word expands to: fields to be joined to their neighbours, and whether they may split."""

    __slots__ = ("fields", "split")

    def __init__(self, fields: Fields, split: bool) -> None:
        self.fields = fields
        self.split = split


def _expand_parts(parts: tuple[Part, ...], quoted: bool, scope: Scope, split: bool) -> tuple[Fields, ...]:
    choices: list[list[_Piece]] = [[]]
    for number, part in enumerate(parts):
        options = _pieces(part, scope, first=number == 0, alone=len(parts) == 1)
        if len(options) == 1:
            for choice in choices:
                choice.append(options[0])
        else:
            choices = bounded([[*choice, option] for choice in choices for option in options])
    return tuple(_join(choice, quoted, split, scope) for choice in choices)


def _pieces(part: Part, scope: Scope, first: bool, alone: bool) -> list[_Piece]:
    if isinstance(part, Literal):
        text = part.text
        if part.quoted:
            return [_Piece((Value((text,)),), False)]
        if first and text.startswith("~"):
            return [_Piece((_tilde(text, scope),), False)]
        text, globs = _globbed(text)
        return [_Piece((Value((text,), globs),), False)]
    if isinstance(part, Param):
        return [_Piece(fields, not part.quoted) for fields in parameter(part, scope)]
    if isinstance(part, CommandSub):
        return [_Piece((scope.substitute(part),), not part.quoted)]
    if isinstance(part, ProcessSub):
        return [_Piece((scope.process(part),), False)]
    return [_Piece((_arithmetic(part, scope),), False)]


def _single_brackets(text: str) -> str:
    """Return the text with every class of one character, `[m]`, as that character: it can match nothing else."""
    start = text.find("[")
    while start >= 0 and start + 2 < len(text):
        if text[start + 2] == "]" and text[start + 1] not in "!^]":
            text = text[:start] + text[start + 1] + text[start + 3 :]
        start = text.find("[", start + 1)
    return text


def _tilde(text: str, scope: Scope) -> Value:
    name, slash, rest = text[1:].partition("/")
    globs = "*" in rest or "?" in rest or "[" in rest
    if name == "":
        base = scope.home
    elif name == "+":
        base = scope.cwd or scope.home
    elif name == "-":
        return Value((Unknown("the previous directory", False), slash + rest), globs)
    elif name.isidentifier() or name.replace("-", "").replace(".", "").isalnum():
        base = scope.home if name == scope.user else "/root" if name == "root" else "/home/" + name
    else:
        return Value((text,), globs)
    return Value((base + slash + rest,), globs)


def _join(pieces: list[_Piece], quoted: bool, split: bool, scope: Scope) -> Fields:
    """Return the fields of one alternative: pieces glued together, unquoted expansions split at blanks."""
    done: list[Value] = []
    parts: list[str | Unknown] = []
    taint = NOTHING
    globs = False
    started = quoted
    for piece in pieces:
        for number, field in enumerate(piece.fields):
            if number:
                done.append(Value(_squeeze(parts), globs, taint))
                parts, taint, globs = [], NOTHING, False
            taint |= field.taint
            globs |= field.globs
            if not (piece.split and split):
                parts.extend(field.parts)
                started = started or not piece.split or bool(field.parts and field.parts != ("",))
                continue
            for part in field.parts:
                if not isinstance(part, str):
                    alone = len(pieces) == 1 and part.may_be_empty
                    parts.append(Unknown(part.why, True, part.name_only, vanishes=True) if alone else part)
                    started = True
                    continue
                blank_first = part[:1] in scope.ifs
                words = _split(part, scope.ifs)
                if blank_first and part and any(parts):
                    done.append(Value(_squeeze(parts), globs, taint))
                    parts = []
                for index, text in enumerate(words):
                    if index:
                        done.append(Value(_squeeze(parts), globs, taint))
                        parts = []
                    parts.append(text)
                    globs = globs or "*" in text or "?" in text
                    started = True
                if words and part[-1:] in scope.ifs and part:
                    done.append(Value(_squeeze(parts), globs, taint))
                    parts, started = [], False
        if not piece.fields:
            continue
    if parts or (started and not done) or (quoted and not done):
        done.append(Value(_squeeze(parts), globs, taint))
    return tuple(done) if split else (tuple(done) or (Value(("",)),))


def _split(text: str, separators: str) -> list[str]:
    if separators == " \t\n":
        return text.split()
    found = [""]
    for char in text:
        if char in separators:
            if found[-1]:
                found.append("")
        else:
            found[-1] += char
    return [word for word in found if word]


def _arithmetic(part: Arith, scope: Scope) -> Value:
    plain = ""
    for inner in part.parts:
        if isinstance(inner, Literal):
            plain += inner.text
            continue
        plain = ""
        for piece in _pieces(inner, scope, False, False):
            taint = piece.fields[0].taint if piece.fields else NOTHING
            if "network" in taint:
                return unknown("arithmetic on text from the network", taint, may_be_empty=False)
    text = plain.strip()
    if text.isdigit():
        return known(text)
    return unknown("arithmetic", may_be_empty=False, name_only=True)


def parameter(part: Param, scope: Scope) -> list[Fields]:
    """Return the alternatives of fields that a parameter expansion gives."""
    if part.index is not None:
        expand_single(part.index, scope)  # `${a[$(cmd)]}` runs cmd
    alternatives = _lookup(part, scope)
    if part.prefix == "#":
        return [(unknown(f"length of {part.name}", may_be_empty=False, name_only=True),)]
    if part.op == ":" and _is_list(part, alternatives, scope):
        alternatives = _slice(part, alternatives, scope)
    elif part.op:
        alternatives = _operate(part, alternatives, scope)
    if part.prefix.startswith("("):
        alternatives = [flagged(fields, part.prefix) for fields in alternatives]
    if part.quoted and _all_in_one(part):
        return [(_glue(fields),) if fields else (known(""),) for fields in alternatives]
    return alternatives


def _lookup(part: Param, scope: Scope) -> list[Fields]:
    name = part.name
    if part.inner is not None:
        found: list[Fields] = [(value,) for value in expand_single(part.inner, scope)]
    elif not name:
        found = [()]  # zsh's `${:-word}`
    elif name in ("@", "*"):
        found = [scope.positional] if scope.positional is not None else [(unknown("the arguments"),)]
    elif name.isdigit():
        found = [(scope.argument(int(name)),)]
    elif name in NAME_ONLY and name not in scope.variables:
        found = [(unknown(f"parameter {name}", may_be_empty=False, name_only=True),)]
    else:
        found = scope.variable(name)
    if part.prefix.startswith("!"):
        target = found[0][0].exact if found and found[0] else None
        found = scope.variable(target) if target and target.isidentifier() else [(unknown(f"what {name} names"),)]
    if part.index is None and len(found[0]) > 1 and name not in ("@", "*") and not scope.zsh:
        found = [fields[:1] for fields in found]  # `$array` is its first element
    if part.index is not None and (len(found[0]) > 1 or scope.zsh):
        found = _element(part, found, scope.zsh)
    return found


def _is_list(part: Param, alternatives: list[Fields], scope: Scope) -> bool:
    """Return whether an expansion speaks of elements rather than characters."""
    if part.name in ("@", "*") or _index_text(part) in ("@", "*"):
        return True
    return scope.zsh and part.index is None and len(alternatives[0]) > 1


def _all_in_one(part: Param) -> bool:
    return part.name == "*" or _index_text(part) == "*"


def _index_text(part: Param) -> str | None:
    """Return what stands between the brackets when it is plain text, quoted or not."""
    if part.index is None or not all(isinstance(piece, Literal) for piece in part.index.parts):
        return None
    return "".join(piece.text for piece in part.index.parts if isinstance(piece, Literal))


def _element(part: Param, found: list[Fields], zsh: bool) -> list[Fields]:
    index = _index_text(part)
    if index in ("@", "*"):
        return found
    if zsh:
        return _zsh_element(index, found)
    if index is not None and index.isdigit():
        place = int(index)
        return [(fields[place],) if place < len(fields) else (known(""),) for fields in found]
    return bounded([(field,) for fields in found for field in fields])


def _zsh_element(index: str | None, found: list[Fields]) -> list[Fields]:
    """Return what `[2]` or `[2,-1]` takes: elements of an array, characters of a text."""
    results: list[Fields] = []
    for fields in found:
        text = fields[0].exact if len(fields) == 1 else None
        taken = zsh_span(len(fields) if text is None else len(text), index) if index is not None else None
        if taken is None:
            results.extend((field,) for field in fields)
        elif text is not None:
            results.append((Value((text[taken[0] : taken[1]],), fields[0].globs, fields[0].taint),))
        elif len(fields) > 1:
            results.append(fields[taken[0] : taken[1]])
        else:
            results.append(fields)
    return bounded(results)


def _slice(part: Param, alternatives: list[Fields], scope: Scope) -> list[Fields]:
    """Return the elements that `${array[@]:start:length}` takes; the first argument of `$@` is its number 1."""
    if part.name in ("@", "*") and scope.positional is None:
        return alternatives
    start, length = (expand_single(word, scope)[0] if word is not None else known("") for word in (part.arg, part.arg2))
    results: list[Fields] = []
    for fields in alternatives:
        items = (scope.argument(0), *fields) if part.name in ("@", "*") else fields
        taken = span(len(items), start.exact, length.exact) if start.known and length.known else None
        results.append(items[taken[0] : taken[1]] if taken is not None else (unknown("some elements of an array"),))
    return results


def _operate(part: Param, alternatives: list[Fields], scope: Scope) -> list[Fields]:
    op = part.op
    if op in (":-", "-", ":=", "=", ":?", "?", ":+", "+"):
        return _default(part, alternatives, scope)
    argument = expand_single(part.arg, scope)[0] if part.arg is not None else known("")
    second = expand_single(part.arg2, scope)[0] if part.arg2 is not None else known("")
    results: list[Fields] = []
    for fields in alternatives:
        results.append(tuple(transform(field, op, argument, second) for field in fields))
    return results


def _default(part: Param, alternatives: list[Fields], scope: Scope) -> list[Fields]:
    op = part.op.lstrip(":")
    chosen: list[Fields] = []
    for fields in alternatives:
        text = fields[0].exact if len(fields) == 1 else None
        empty = text == "" or not fields
        surely_set = bool(fields) and not empty and not (text is None and _maybe_empty(fields[0]))
        if op == "+":
            if not empty:
                chosen.extend((value,) for value in expand_single(part.arg, scope))
            if not surely_set:
                chosen.append((known(""),))
        elif op == "?":
            chosen.append(tuple(_surely(field) for field in fields))
        else:
            if not empty:
                chosen.append(fields if surely_set else tuple(_surely(field) for field in fields))
            if not surely_set:
                values = expand_single(part.arg, scope)
                chosen.extend((value,) for value in values)
                if op == "=":
                    scope.assign(part.name, [(value,) for value in values])
    return bounded(chosen) or [(known(""),)]


def _maybe_empty(value: Value) -> bool:
    return all(isinstance(part, Unknown) and part.may_be_empty for part in value.parts)


def _surely(value: Value) -> Value:
    """Return the value as one that can't be empty: `${x:?}` stops the shell otherwise."""
    if value.known:
        return value
    parts = tuple(part if isinstance(part, str) else Unknown(part.why, False, part.name_only) for part in value.parts)
    return Value(parts, value.globs, value.taint)
