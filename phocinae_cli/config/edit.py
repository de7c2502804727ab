"""Changes to the user's file, made on its text: comments and layout stay, and nothing is kept that is not legal."""

from __future__ import annotations

import os

from phocinae_cli.config.files import exists, parse_file, read_bytes
from phocinae_cli.config.layers import Layer
from phocinae_cli.config.problems import Problem, summary
from phocinae_cli.config.resolve import merge
from phocinae_cli.config.rules import Entry, as_toml
from phocinae_cli.errors import INVALID_CONFIG, PhocinaeError


def add_rule(path: str, entry: Entry) -> None:
    """Add a rule at the end of the file, which is made when it is missing.

    Raises PhocinaeError when the file is broken, with the rule or without; nothing is changed then.
    """
    before = _text(path)
    old = _legal(path, before)
    text = before + ("" if not before or before.endswith("\n") else "\n") + ("\n" if before else "") + as_toml(entry)
    new = _legal(path, text)
    if _rules(new)[:-1] != _rules(old) or _rest(new) != _rest(old):
        raise PhocinaeError(INVALID_CONFIG, f"{path}: a rule can't be added at the end", "add it by hand")
    _write(path, text)


def remove_rule(path: str, nth: int) -> None:
    """Take the rule with this place in the file (from 0) out of it; raises PhocinaeError, and changes nothing then."""
    before = _text(path)
    old = _legal(path, before)
    lines = before.splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if line.strip().startswith("[[rules]]")]
    kept = [rule for at, rule in enumerate(_rules(old)) if at != nth]
    if 0 <= nth < len(starts):
        for end in range(starts[nth] + 1, len(lines) + 1):
            if end < len(lines) and not lines[end].lstrip().startswith("["):
                continue
            # A header-like line may stand inside a list of the rule: the text without it shows that.
            text = "".join(lines[: starts[nth]] + lines[end:])
            new = parse_file(path, text.encode())
            if isinstance(new, Layer) and _rules(new) == kept and _rest(new) == _rest(old):
                _write(path, text)
                return
    raise PhocinaeError(INVALID_CONFIG, f"{path}: the rule can't be taken out safely", "edit the file by hand")


def _text(path: str) -> str:
    if not exists(path):
        return ""
    content = read_bytes(path)
    if isinstance(content, Problem):
        raise PhocinaeError(INVALID_CONFIG, str(content))
    return content.decode("utf-8", "surrogateescape")


def _legal(path: str, text: str) -> Layer:
    """Return what a text holds; raises PhocinaeError for one that is not legal."""
    layer = parse_file(path, text.encode("utf-8", "surrogateescape"))
    faults = (layer,) if isinstance(layer, Problem) else merge([layer]).faults
    if isinstance(layer, Problem) or faults:
        raise PhocinaeError(INVALID_CONFIG, f"{path} was left as it is", "mend what is named", summary(faults))
    return layer


def _rules(layer: Layer) -> list[object]:
    rules = layer.data.get("rules", [])
    return list(rules) if isinstance(rules, list) else []


def _rest(layer: Layer) -> dict[str, object]:
    return {name: value for name, value in layer.data.items() if name != "rules"}


def _write(path: str, text: str) -> None:
    """Put a text in place of the file at once, through a link, with the permissions that the file had."""
    path = os.path.realpath(path)
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}.new"
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o600
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with open(number, "w", encoding="utf-8", errors="surrogateescape") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
        os.replace(draft, path)
    except OSError:
        os.unlink(draft)
        raise
