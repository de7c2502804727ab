"""What was found out about a line, in words: its commands with their effects, and the facts looked up."""

from __future__ import annotations

from phocinae_cli.core.report import Step
from phocinae_cli.kb.schema import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.core.effects import Action, Analysis, Effect
    from phocinae_cli.core.queries import Facts


def steps_of(analysis: Analysis) -> tuple[Step, ...]:
    """Return each command that would run, with its effects in words."""
    told: dict[int, list[str]] = {}
    for effect in analysis.effects:
        told.setdefault(id(effect.action), []).append(effect_in_words(effect))
    return tuple(
        Step(action.argv, action.via, tuple(told.get(id(action), ())), notes_of(action), action.start, action.end)
        for action in analysis.actions
    )


def effect_in_words(effect: Effect) -> str:
    """Return what an effect does to what and where that is, such as `deletes ~/work (home)`."""
    target = effect.target
    notes = [target.place] if target.place not in ("", "named") else []
    if target.path is not None and target.path != target.text:
        notes.insert(0, target.path)
    if target.recursive:
        notes.append("with everything below")
    if not effect.certain:
        notes.append("not certain")
    text = done(effect.kind, target.text)
    return f"{text}  ({', '.join(notes)})" if notes else text


def done(effect: str, target: str) -> str:
    """Return what a kind of effect does to a target, as a clause."""
    kind = KINDS.get(effect)
    phrase = effect if kind is None else kind[1]
    if not target or (kind is not None and kind[0] == "none"):
        return phrase
    # `deletes X` and `changes permissions of X` lead up to their target, `changes a service` is complete without.
    joint = " " if kind is not None and (kind[0] == "path" or " " not in phrase) else ": "
    return phrase + joint + target


def notes_of(action: Action) -> tuple[str, ...]:
    """Return what could not be known about a command."""
    notes = list(action.notes)
    if action.program and not action.described:
        notes.append(f"nobody described {action.program}")
    if not all(action.known):
        notes.append("a word is known only when it runs")
    if action.cwd is None:
        notes.append("the directory it runs in")
    if action.remote:
        notes.append("the other machine")
    return tuple(notes)


def facts_in_words(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Return what was looked up on the machine, as pairs of a question and its answer."""
    told = []
    for path, fact in facts.paths.items():
        real = f", really {fact.real}" if fact.real != path else ""
        told.append((path, fact.kind + real + (f", {fact.git} in git" if fact.git else "")))
    for place, tree in facts.trees.items():
        state = {True: "clean", False: "with changes", None: "clean or not was not told"}[tree.clean]
        told.append((f"git work tree of {place}", f"{tree.root}, {state}" if tree.root else "none"))
    for (kind, name), found in facts.texts.items():
        label = f"git alias {name}" if kind == "git-alias" else f"text of {name}"
        told.append((label, f"not read: {found.why}" if found.text is None else f"read, {len(found.text)} characters"))
    return tuple(told)
