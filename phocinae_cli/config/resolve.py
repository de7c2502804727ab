"""The merge: layers of values, weakest first, become the settings in force, each with where it came from.

Pure: the layers are given. Faults are gathered, so that a person mends a file once.
"""

from __future__ import annotations

from phocinae_cli.config.endpoint import leaves_the_machine
from phocinae_cli.config.keys import (
    BY_NAME,
    BY_VARIABLE,
    NOTHING,
    IllegalError,
    Key,
    Value,
    nearest,
    read_text,
    read_value,
    tightened,
)
from phocinae_cli.config.layers import ENVIRONMENT, FLAG, PROJECT, USER, Layer, Loaded
from phocinae_cli.config.problems import Problem, line_of
from phocinae_cli.config.rules import Entry, read_rules
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import ALLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TRUST = "`phocinae config trust {}` takes the file as it is now"


def merge(layers: Iterable[Layer]) -> Loaded:
    """Return the settings that the layers give, a later one over an earlier, a project's only where it tightens."""
    loaded = Loaded(Settings())
    for layer in layers:
        if layer.kind == PROJECT and not layer.trusted:
            _tighten(loaded, layer)
        else:
            _set(loaded, layer)
    _check_endpoint(loaded)
    loaded.settings.rules = tuple(entry.rule for entry in loaded.entries)
    loaded.notices += tuple(str(problem) for problem in loaded.problems)
    return loaded


def _set(loaded: Loaded, layer: Layer) -> None:
    for key, value, _, place in _values(loaded, layer):
        setattr(loaded.settings, key.attribute, value)
        loaded.origins[key.name] = place
    loaded.entries += tuple(_rules(loaded, layer))


def _tighten(loaded: Loaded, layer: Layer) -> None:
    before = Settings()
    for name in before.__dict__:
        setattr(before, name, getattr(loaded.settings, name))
    for key, new, line, place in _values(loaded, layer):
        old = getattr(before, key.attribute)
        value, refused = tightened(key, old, new, before)
        if refused:
            what = (
                "a project's file can't set this key" if key.project == NOTHING else f"{refused} would loosen the gate"
            )
            _refuse(loaded, layer, key.name, f"{what}, so it is not followed", line)
        if value != old:
            setattr(loaded.settings, key.attribute, value)
            loaded.origins[key.name] = place
    for entry in _rules(loaded, layer):
        if entry.rule.decision == ALLOW:
            _refuse(loaded, layer, "rules", "an allow rule would loosen the gate, so it is not followed", entry.line)
        else:
            loaded.entries += (entry,)


def _refuse(loaded: Loaded, layer: Layer, key: str, what: str, line: int) -> None:
    loaded.problems += (Problem(layer.origin, key, what, TRUST.format(layer.origin), line),)


def _rules(loaded: Loaded, layer: Layer) -> list[Entry]:
    raw = layer.data.get("rules")
    if raw is None or layer.kind not in (USER, PROJECT):
        return []
    folder = layer.folder if layer.kind == PROJECT else None
    entries, faults = read_rules(raw, layer.origin, layer.text, folder)
    loaded.faults += tuple(faults)
    return entries


def _check_endpoint(loaded: Loaded) -> None:
    if "endpoint" not in loaded.origins or loaded.settings.allow_remote_endpoint:
        return
    fault = leaves_the_machine(loaded.settings.endpoint)
    if fault is not None:
        loaded.faults += (Problem(loaded.origins["endpoint"], "endpoint", *fault),)


# --- the values of one layer ------------------------------------------------------------------------------------------


def _values(loaded: Loaded, layer: Layer) -> list[tuple[Key, Value, int, str]]:
    """Return each legal value with its line and its place; what is illegal is added to the faults."""
    found: list[tuple[Key, Value, int, str]] = []
    from_file = layer.kind in (USER, PROJECT)
    for name, raw in _flat(layer.data) if from_file else list(layer.data.items()):
        line = line_of(layer.text, name) if from_file else 0
        place = layer.origin if from_file else name if layer.kind == ENVIRONMENT else FLAG
        key = (BY_VARIABLE if layer.kind == ENVIRONMENT else BY_NAME).get(name)
        if key is None:
            remedy = _meant(name) if layer.kind != ENVIRONMENT else _meant_variable(name)
            loaded.faults += (Problem(place, name, "there is no such setting", remedy, line),)
            continue
        try:
            value = read_text(key, raw) if isinstance(raw, str) and not from_file else read_value(key, raw)
        except IllegalError as error:
            loaded.faults += (Problem(place, key.name, error.what, error.remedy, line),)
            continue
        found.append((key, value, line, f"{place} (trusted)" if layer.trusted else place))
    return found


def _flat(data: Mapping[str, object], prefix: str = "") -> list[tuple[str, object]]:
    """Return the values of nested tables by their dotted names, rules aside; an odd table stands for itself."""
    flat: list[tuple[str, object]] = []
    for name, value in data.items():
        full = prefix + name
        if full == "rules":
            continue
        if isinstance(value, dict) and full not in BY_NAME and any(key.startswith(full + ".") for key in BY_NAME):
            flat += _flat(value, full + ".")
        else:
            flat.append((full, value))
    return flat


def _meant(name: str) -> str:
    last = name.rpartition(".")[2]
    if last == "rules":
        return "start each rule with [[rules]]"
    for key in BY_NAME:
        if key.rpartition(".")[2] == last:
            table = key.rpartition(".")[0]
            return f"{last} belongs under [{table}]" if table else f"{last} belongs at the top, above every [table]"
    near = nearest(name, tuple(BY_NAME))
    return f"did you mean {near}?" if near else "`phocinae config show` lists every setting"


def _meant_variable(name: str) -> str:
    near = nearest(
        name.removeprefix("PHOCINAE_"), tuple(variable.removeprefix("PHOCINAE_") for variable in BY_VARIABLE)
    )
    return f"did you mean PHOCINAE_{near}?" if near else "unset it; `phocinae config show` lists every setting"
