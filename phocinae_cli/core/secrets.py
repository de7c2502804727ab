"""Where the secrets stand in a command text: by name, in URLs and headers, by form, by a program's options.

The scan knows no shell grammar: text that does not parse holds secrets too, and so do strings within strings. It
errs on the side of hiding, except that a command substitution is never hidden: what would run stays readable.
"""

from __future__ import annotations

from phocinae_cli.core.scan import QUOTES, STOP, Scan, Span, is_reference, skip, skip_blanks

_BLANK = " \t\n\r"
_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_NAME = _ALNUM | frozenset("_-.")
_NAME_MAX = 64  # a longer run is no name, and looking at all of it for each stem would be quadratic

_STEMS = ("pass", "secret", "token", "key", "auth", "cred", "pwd", "cookie")
_STRONG_ENDS = ("password", "passwords", "passwd", "passphrase", "passcode", "secret", "secrets", "token", "apikey")
_NOT_PASS = ("bypass", "compass", "trespass", "surpass", "overpass", "underpass")
_KEY_OWNERS = (
    "access", "account", "api", "auth", "client", "deploy", "encryption", "license", "master", "private", "secret",
    "service", "session", "shared", "signing", "storage", "subscription",
)  # fmt: skip
_WEAK_ENDS = ("auth", "cred", "creds", "credential", "credentials", "cookie")
# A name that ends so speaks about a secret (`--password-file`, `TOKEN_URL`) and holds none.
_ABOUT = frozenset((
    "file", "path", "dir", "url", "uri", "name", "id", "type", "store", "stdin", "length", "len", "ttl", "expiry",
    "expires", "policy", "env", "count", "size", "format", "field", "manager", "prompt", "min", "max", "command",
    "cmd", "helper", "source", "version", "arn", "ref", "from", "limit", "location", "host", "user", "username",
    "endpoint", "algorithm", "mode", "column", "sock", "jar", "public",
))  # fmt: skip
_WEAK, _STRONG, _HEADER = 1, 2, 3
_ONE_WORD_SCHEMES = ("basic", "bearer", "token", "apikey", "negotiate")
_LONG_SCHEMES = ("digest", "aws4-hmac-sha256", "hawk", "oauth")

# What a token starts with, how long the rest must be, and which characters besides letters and digits it may hold.
_SHAPES = (
    ("ghp_", 20, ""), ("gho_", 20, ""), ("ghu_", 20, ""), ("ghs_", 20, "_.-"), ("ghr_", 20, ""),
    ("github_pat_", 20, "_"), ("glpat-", 16, "_-."), ("gldt-", 16, "_-"), ("glrt-", 16, "_-"), ("sk-", 20, "_-"),
    ("sk_live_", 16, ""), ("sk_test_", 16, ""), ("rk_live_", 16, ""), ("whsec_", 16, ""), ("xoxb-", 10, "-"),
    ("xoxp-", 10, "-"), ("xoxa-", 10, "-"), ("xoxr-", 10, "-"), ("xoxs-", 10, "-"), ("xapp-", 10, "-"),
    ("AKIA", 16, ""), ("ASIA", 16, ""), ("AIza", 35, "_-"), ("ya29.", 20, "_-"), ("npm_", 30, ""),
    ("pypi-", 50, "_-"), ("hf_", 20, ""), ("dop_v1_", 32, ""), ("shpat_", 24, ""), ("dckr_pat_", 20, "_-"),
    ("tskey-", 16, "-"), ("gsk_", 30, ""), ("xai-", 30, ""), ("lin_api_", 20, ""), ("AGE-SECRET-KEY-1", 40, ""),
    ("SG.", 40, "_-."), ("eyJ", 20, "_-."), ("Bearer ", 12, "_-.~+/="), ("bearer ", 12, "_-.~+/="),
)  # fmt: skip

# Options that carry a secret and whose letter means something else elsewhere. `-p` takes the next word, `-p+` what is
# glued to it; in `-u:` the secret is what follows the colon (or percent sign, or comma) of a pair.
_GLUED = ("-p+",)
_BOTH = ("-p", "-p+")
_LDAP = ("-w",)
_CREDS = ("--creds:", "--src-creds:", "--dest-creds:")
_PROGRAMS = {
    "curl": ("-u:", "--user:", "-U:", "--proxy-user:"), "http": ("-a:", "--auth:"), "https": ("-a:", "--auth:"),
    "xh": ("-a:", "--auth:"), "mysql": _GLUED, "mysqldump": _GLUED, "mysqladmin": _GLUED, "mysqlimport": _GLUED,
    "mysqlcheck": _GLUED, "mysqlshow": _GLUED, "mariadb": _GLUED, "mariadb-dump": _GLUED, "mariadb-admin": _GLUED,
    "mycli": _GLUED, "7z": _GLUED, "7za": _GLUED, "7zz": _GLUED, "rar": _GLUED, "unrar": _GLUED, "sshpass": _BOTH,
    "docker": _BOTH, "podman": _BOTH, "nerdctl": _BOTH, "helm": _BOTH, "oc": _BOTH, "az": _BOTH, "mongo": _BOTH,
    "mongosh": _BOTH, "mongodump": _BOTH, "mongorestore": _BOTH, "redis-cli": ("-a",), "valkey-cli": ("-a",),
    "sqlcmd": ("-P", "-P+"), "bcp": ("-P", "-P+"), "zip": ("-P",), "unzip": ("-P", "-P+"), "ldapsearch": _LDAP,
    "ldapadd": _LDAP, "ldapmodify": _LDAP, "ldapdelete": _LDAP, "ldappasswd": ("-w", "-s"), "smbclient": ("-U:",),
    "rpcclient": ("-U:",), "lftp": ("-u:",), "keytool": ("-storepass", "-keypass"), "skopeo": _CREDS,
}  # fmt: skip
# `docker run -p 80:80` publishes a port, `docker login -p x` does not.
_ONLY_LOGIN = ("docker", "podman", "nerdctl", "helm", "oc", "az")
# What reads a secret from its standard input: a word, and the program it must belong to (empty: any).
_READS_SECRET = {"chpasswd": "", "--password-stdin": "", "--with-token": "", "-S": "sudo", "--stdin": "passwd"}


def find(text: str, lower: str) -> list[Span]:
    """Return the spans of the secrets in a text, in no order, some of them overlapping.

    `lower` is the text in small letters, character for character.
    """
    scan = Scan(text)
    spans: list[Span] = []
    if any(name in text for name in _PROGRAMS) or any(word in text for word in _READS_SECRET):
        spans = _by_option(scan)
    return spans + _named(scan, lower, spans) + _in_urls(text) + _by_shape(text) + _private_keys(text)


# --- by name ---------------------------------------------------------------------------------------------------------


def _named(scan: Scan, lower: str, found: list[Span]) -> list[Span]:
    # `mysql -psecret db`: the stem is part of a value, and `db` is not the value of an option called `-psecret`.
    within = {at for start, end in found for at in range(start, end)}
    places: list[int] = []
    for stem in _STEMS:
        at = lower.find(stem)
        while at >= 0:
            places.append(at)
            at = lower.find(stem, at + 1)
    places.sort()
    spans: list[Span] = []
    done = 0
    for at in places:
        if at < done or at in within:
            continue
        start, end = _name_around(scan.text, at, done)
        done = end
        rank = _rank(scan.text[start:end], lower[start:end])
        span = _value_of(scan, start, end, rank) if rank else None
        if span is not None:
            spans.append(span)
            done = max(done, span[1])
    return spans


def _name_around(text: str, at: int, floor: int) -> Span:
    start = end = at
    floor = max(floor, at - _NAME_MAX)
    while start > floor and text[start - 1] in _NAME:
        start -= 1
    ceiling = min(len(text), at + _NAME_MAX)
    while end < ceiling and text[end] in _NAME:
        end += 1
    return start, end


def _rank(name: str, lower: str) -> int:
    """Return how surely a name holds a secret; 0 for one that doesn't."""
    parts = [part for part in lower.replace("_", "-").replace(".", "-").split("-") if part]
    parts = [part.rstrip("0123456789") or part for part in parts]
    last = parts[-1]
    if last in _ABOUT:
        return 0
    if last == "authorization":
        return _HEADER
    for part in parts:
        if part.endswith(_STRONG_ENDS) or (part.endswith("pwd") and lower.strip("-") not in ("pwd", "oldpwd")):
            return _STRONG
    if last.endswith("pass") and not last.endswith(_NOT_PASS):
        return _WEAK
    if last.endswith("key"):
        owner = "".join(parts)[:-3]
        return _WEAK if owner.endswith(_KEY_OWNERS) or (name.isupper() and "public" not in parts) else 0
    return _WEAK if last in _WEAK_ENDS else 0


def _value_of(scan: Scan, start: int, end: int, rank: int) -> Span | None:
    """Return the span of the value that belongs to the name at start..end, or None."""
    text = scan.text
    if text.startswith(("$", "${"), max(0, start - 2)) and text[start - 1 : start] in ("$", "{"):
        return None
    at = skip(text, end, "\\\"'") if text.startswith(('"', "'", '\\"', "\\'"), end) else end
    separator = skip_blanks(text, at)
    mark = text[separator : separator + 1]
    if mark == "+" and text[at : at + 2] == "+=":
        separator += 1
        mark = "="
    if mark == "=" and text[separator + 1 : separator + 2] not in ("=", "~"):
        spaced = at != end or separator != at
        return _behind(scan, skip(text, separator + 1) if spaced else separator + 1, rank)
    if mark == ":" and (at != end or _is_field(text, start, separator, rank)):
        return _behind(scan, skip(text, separator + 1), rank)
    if at == end and separator > end and (text[start] == "-" or _is_set(text, start)):
        if text[separator : separator + 1] in ("-", "") or text.startswith("id=", separator):
            return None
        return scan.value(separator, rank != _WEAK)
    return None


def _behind(scan: Scan, at: int, rank: int) -> Span | None:
    if rank != _HEADER:
        return scan.value(at, rank != _WEAK) if at < len(scan.text) else None
    text = scan.text
    begin = skip(text, at, "\\\"'")
    end = begin
    while end < len(text) and (text[end] in _ALNUM or text[end] == "-"):
        end += 1
    scheme = text[begin:end].lower()
    if text[end : end + 1] == " " and scheme in _ONE_WORD_SCHEMES:
        at = skip(text, end)
    elif text[end : end + 1] == " " and scheme in _LONG_SCHEMES:
        close = end
        while close < len(text) and text[close] not in "\"'\n`" and not text.startswith("$(", close):
            close += 1
        return (end + 1, close) if close > end + 1 else None
    return scan.value(at) if at < len(text) else None


def _is_field(text: str, start: int, colon: int, rank: int) -> bool:
    """Return whether `name:` names a field or header, which `image:tag` and `host:path` do not."""
    behind = text[colon + 1 : colon + 2]
    before = text[start - 1 : start] if start else ""
    if rank == _HEADER or behind in (" ", "\t", '"', "'", "\\") or before in ("{", ",", '"', "'"):
        return True
    name = text[start:colon].lower()
    return name == "pass" or name.startswith("x-") or name in ("private-token", "job-token", "apikey", "api-key")


def _is_set(text: str, start: int) -> bool:
    return text[max(0, start - 24) : start].split()[-1:] == ["set"] and text[start - 1] in _BLANK


# --- by place, form and option ---------------------------------------------------------------------------------------


def _in_urls(text: str) -> list[Span]:
    spans: list[Span] = []
    at = text.find("://")
    while at >= 0:
        start = end = at + 3
        while end < len(text) and text[end] not in "/?#\"'<>|` \t\n\r":
            end += 1
        host = text.rfind("@", start, end)
        colon = text.find(":", start, max(host, start))
        user = text[start:host] if host >= 0 else ""
        if colon >= 0:
            secret = text[colon + 1 : host]
            if secret and "$(" not in secret and not is_reference(secret):
                spans.append((colon + 1, host))
        elif len(user) >= 20 and any(char.isdigit() for char in user) and "$" not in user:
            spans.append((start, host))
        at = text.find("://", end)
    return spans


def _by_shape(text: str) -> list[Span]:
    spans: list[Span] = []
    for prefix, least, extra in _SHAPES:
        at = text.find(prefix)
        while at >= 0:
            begin = end = at + len(prefix)
            while end < len(text) and (text[end] in _ALNUM or text[end] in extra):
                end += 1
            joined = at > 0 and (text[at - 1] in _ALNUM or text[at - 1] == "_")
            if end - begin >= least and not joined and any(char.isdigit() for char in text[begin:end]):
                spans.append((begin if prefix[-1] == " " else at, end))
            at = text.find(prefix, end)
    return spans


def _private_keys(text: str) -> list[Span]:
    spans: list[Span] = []
    at = text.find("-----BEGIN ")
    while at >= 0:
        head = text.find("-----", at + 11)
        start = end = len(text) if head < 0 else head + 5
        if text[at:start].endswith(("PRIVATE KEY-----", "PRIVATE KEY BLOCK-----")):
            while end < len(text) and (text[end] in _ALNUM or text[end] in "+/=\\:,- \t\r\n"):
                if text.startswith("-----END", end):
                    break
                end += 1
            if any(char in _ALNUM for char in text[start:end]):
                spans.append((start, end))
        at = text.find("-----BEGIN ", max(end, at + 11))
    return spans


def _by_option(scan: Scan) -> list[Span]:
    """Walk through the words, strings within strings included, and remember whose options come now."""
    text = scan.text
    spans: list[Span] = []
    program = before = ""
    options: tuple[str, ...] = ()
    echoed: int | None = None
    piped: Span | None = None
    at = 0
    while at < len(text):
        char = text[at]
        if char in ";|&\n()<>`":
            piped = (echoed, at) if char == "|" and echoed is not None else None if char in ";&\n" else piped
            echoed = None
            program, options = "", ()
        if char in STOP or char in "\"'`\\$":
            at += 1
            continue
        end = at
        while end < len(text) and text[end] not in STOP and text[end] not in "\"'`":
            end += 1
        word = text[at:end].rpartition("/")[2] if char != "-" else text[at:end]
        span = _option_value(scan, at, end, options) if char == "-" else None
        if word in _PROGRAMS:
            program, options = word, () if word in _ONLY_LOGIN else _PROGRAMS[word]
        elif word in ("sudo", "passwd"):
            program = word
        elif word == "login" and program in _ONLY_LOGIN:
            options = _PROGRAMS[program]
        elif word in ("echo", "printf") and not options:
            echoed = end
        elif piped is not None and word in _READS_SECRET and _READS_SECRET[word] in ("", program):
            spans += _echoed(scan, *piped)
            piped = None
        elif program == "sudo" and char != "-" and before[:1] != "-":
            program = ""  # the command that it runs; options from here on are that one's
        if span is not None:
            spans.append(span)
            end = max(end, span[1])
        before = word
        at = end
    return spans


def _option_value(scan: Scan, at: int, end: int, options: tuple[str, ...]) -> Span | None:
    text = scan.text
    word = text[at:end]
    for option in options:
        flag = option.rstrip(":+")
        pair = option[-1] == ":"
        short = len(flag) == 2
        if word == flag or (pair and short and word[1:].isalpha() and word[-1] == flag[1]):
            glued = text[end : end + 1] in ('"', "'")
            if glued != (option[-1] == "+") and not (glued and pair):
                continue
            begin = end if glued else skip_blanks(text, end)
        elif not word.startswith(flag) or (not pair and option[-1] != "+"):
            continue
        elif short:
            begin = at + 2
        elif word.startswith(flag + "="):
            begin = at + len(flag) + 1
        else:
            continue
        span = scan.value(begin) if begin < len(text) else None
        return _second_half(text, span) if pair and span is not None else span
    return None


def _second_half(text: str, span: Span) -> Span | None:
    start, end = span
    marks = [at for at in (text.find(mark, start, end) for mark in ":%,") if at >= 0]
    if not marks:
        return None  # only a user name: the program asks for the rest
    if text[start] in QUOTES and text[end - 1] == text[start]:
        end -= 1
    start = min(marks) + 1
    return (start, end) if start < end and not is_reference(text[start:end]) else None


def _echoed(scan: Scan, at: int, pipe: int) -> list[Span]:
    spans: list[Span] = []
    while (at := skip(scan.text, at)) < pipe:
        span = scan.value(at) if scan.text[at] != "-" else None
        if span is not None:
            spans.append(span)
        at = max(scan.end(at), at + 1)
    return spans
