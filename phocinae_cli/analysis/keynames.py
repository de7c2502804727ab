"""Uses of filters that let only the names of keys, a count or a yes through: what is secret in a file stays there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.values import Value

SEARCHES = frozenset(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ggrep", "ugrep", "ug"))
COUNTING = ("-c", "--count", "-q", "--quiet", "--silent", "-l", "--files-with-matches", "-L", "--files-without-match")
CUT_VALUES = ("s/=.*//", "s/=.*/=/", "s/=.*/=***/", "s/=.*$//", "s/=.*/=<redacted>/", "s/=.*/=REDACTED/", "s/=.*//g")
FIRST_FIELD = (
    "{print $1}", "{ print $1 }", "{print $1;}", "{print$1}", "/=/{print $1}", "/=/ {print $1}", "!/^#/{print $1}",
    "NF{print $1}",
)  # fmt: skip


def names_only(invocation: Invocation) -> bool:
    """Return whether nothing behind the `=` of a line, and no line of a key, can come out."""
    name, arguments = invocation.name, invocation.arguments
    words = [value.text for value in invocation.words]
    if name in SEARCHES:
        return arguments.has(*COUNTING) or (arguments.has("-o", "--only-matching") and any(map(_key_pattern, words)))
    if name == "cut":
        return _is(arguments.values("-d", "--delimiter"), "=") and _is(arguments.values("-f", "--fields"), "1")
    if name in ("awk", "gawk", "mawk"):
        return "=" in "".join(word for word in words if word.startswith("-F")) + _after(words, "-F") and any(
            word.strip() in FIRST_FIELD for word in words
        )
    if name in ("sed", "gsed"):
        return any(word in CUT_VALUES or word.startswith(("s/=.*/=*", "s/=.*/=x", "s/=.*/=.")) for word in words)
    return False


def _is(values: list[Value], wanted: str) -> bool:
    return any(value.exact == wanted for value in values)


def _after(words: list[str], option: str) -> str:
    return words[words.index(option) + 1] if option in words[:-1] else ""


def _key_pattern(word: str) -> bool:
    """Return whether a pattern matches a name at the start of a line, and nothing behind the `=`."""
    if not word.startswith("^"):
        return False
    body = word[1:].rstrip("=")
    return "." not in body and "=" not in body.replace("[^=]", "").replace("[^=#]", "")
