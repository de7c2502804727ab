"""Turn the TOML files of the knowledge base into the sorted text that `lookup` reads; runs when a package is built."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phocinae_cli.errors import PhocinaeError
from phocinae_cli.kb import schema
from phocinae_cli.kb.lists import LISTS, with_lists
from phocinae_cli.kb.schema import SEP_FIELD, SEP_ITEM, SEP_ROW

INVALID_KB = "PHOCINAE_INVALID_KNOWLEDGE"
TARGETS = ("args", "arg", "last", "but-last", "opt", "key", "stdin", "cwd", "base", "set", "tainted", "none", "=")
SOURCES = ("args", "arg", "last", "opt", "key", "stdin", "file", "but-first", "after", "set", "plus")


@dataclass(frozen=True)
class Example:
    """A command that proves a behaviour: it must have the code, or must not."""

    code: str
    line: str
    holds: bool
    shell: str
    origin: str


@dataclass(frozen=True)
class Tool:
    """One described tool: the names it goes by, its line in the compiled text, and its examples."""

    names: tuple[str, ...]
    line: str
    examples: tuple[Example, ...]
    origin: str


def compile_all(source_dir: Path, output: Path) -> None:
    """Compile every `*.toml` below `source_dir` into `output`; raises PhocinaeError naming every fault."""
    output.write_text(compile_tools(load_directory(source_dir)), encoding="utf-8")


def load_directory(source_dir: Path) -> list[Tool]:
    """Return the tools of every TOML file below a directory, in path order."""
    tools: list[Tool] = []
    faults: list[str] = []
    for path in sorted(source_dir.rglob("*.toml")):
        try:
            tools.extend(load_file(path))
        except PhocinaeError as error:
            faults.extend(error.details or (error.message,))
    seen: dict[str, str] = {}
    for tool in tools:
        for name in tool.names:
            if name in seen:
                faults.append(f"{tool.origin}: {name!r} is already described in {seen[name]}")
            seen[name] = tool.origin
    if faults:
        raise PhocinaeError(
            INVALID_KB, f"{len(faults)} faults in the knowledge base", "mend each of them", tuple(faults)
        )
    return tools


def compile_tools(tools: list[Tool]) -> str:
    """Return the sorted text: one line a name, the name, a tab, then the tool's fields, or `=` and its first name."""
    lines = []
    for tool in tools:
        first, *others = tool.names
        lines.append(f"{first}\t{tool.line}")
        lines.extend(f"{name}\t={first}" for name in others)
    return "\n".join(sorted(lines)) + "\n"


def load_file(path: Path) -> list[Tool]:
    """Return the tools of one file: a single tool at the top level, or one `[[tool]]` table each."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PhocinaeError(INVALID_KB, f"{path.name}: {error}", "mend the file's syntax") from error
    shell = str(document.pop("shell", ""))
    tables = document.pop("tool", None)
    if tables is None:
        return [_tool(document, path.stem, path.name, shell)]
    if document:
        raise PhocinaeError(INVALID_KB, f"{path.name}: beside [[tool]] there may only be `shell`, not {list(document)}")
    return [_tool(table, path.stem, path.name, shell) for table in tables]


def _tool(table: dict[str, Any], stem: str, origin: str, shell: str) -> Tool:
    reader = _Reader(table, stem, origin, shell)
    tool = reader.read()
    if reader.faults:
        raise PhocinaeError(INVALID_KB, reader.faults[0], "mend the entry", tuple(reader.faults))
    return tool


class _Reader:
    """Reads one tool's table, gathering every fault before it gives up."""

    def __init__(self, table: dict[str, Any], stem: str, origin: str, shell: str) -> None:
        self.table = table
        self.stem = stem
        self.origin = origin
        self.shell = str(table.get("shell", shell))
        self.faults: list[str] = []
        self.examples: list[Example] = []

    def fault(self, text: str) -> None:
        self.faults.append(f"{self.origin}: {text}")

    def read(self) -> Tool:
        table = self.table
        for key in table:
            if key not in schema.TOOL_KEYS:
                self.fault(f"unknown key {key!r}; known are {', '.join(schema.TOOL_KEYS)}")
        names = tuple(self._strings(table.get("names", [self.stem]), "names"))
        if not names:
            self.fault("an entry without a name")
        self.tool_name = names[0] if names else self.stem
        style = str(table.get("style", "gnu"))
        if style not in schema.STYLES:
            self.fault(f"unknown style {style!r}; known are {', '.join(schema.STYLES)}")
        output = str(table.get("output", "content"))
        if output not in schema.OUTPUTS:
            self.fault(f"unknown output {output!r}; known are {', '.join(schema.OUTPUTS)}")
        undescribed = str(table.get("undescribed", "ask"))
        if undescribed not in ("ask", "harmless"):
            self.fault(f"undescribed is {undescribed!r}; it is `ask` or `harmless`")
        rows = [*self._claims(), *self._behaviours(), *self._tool_runs()]
        if not rows and not table.get("special"):
            self.fault(f"{names}: says nothing; give harmless, risky, destructive, behaviour, runs or special")
        fields = [
            "style=" + style,
            "output=" + output,
            "values=" + SEP_ITEM.join(self._strings(table.get("values", []), "values")),
            "verbs=" + SEP_ITEM.join(self._verb_values()),
            "flags=" + SEP_ITEM.join(self._flags(rows)),
            "special=" + str(table.get("special", "")),
            "undescribed=" + undescribed,
            "grammar=" + str(table.get("grammar", "")),
            "help=" + SEP_ITEM.join(self._strings(table.get("help", []), "help")),
            "stops=" + SEP_ITEM.join(self._stops()),
            "rows=" + SEP_ROW.join(rows),
        ]
        prefix = {"powershell": "powershell:", "cmd": "cmd:"}.get(self.shell, "")
        folded = tuple(prefix + (name.lower() if prefix else name) for name in names)
        line = SEP_FIELD.join(fields)
        if "\n" in line or "\t" in line:
            self.fault("no text of an entry may hold a line break or a tab")
        return Tool(folded, line, tuple(self.examples), self.origin)

    def _strings(self, value: object, what: str) -> list[str]:
        if isinstance(value, str):
            return value.split()
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return [str(item) for item in value]
        self.fault(f"{what} must be a list of texts")
        return []

    def _verb_values(self) -> list[str]:
        table = self.table.get("verb_values", {})
        if not isinstance(table, dict):
            self.fault('verb_values must be a table such as { clean = ["-e"] }')
            return []
        return [f"{verb}={' '.join(self._strings(options, f'verb_values.{verb}'))}" for verb, options in table.items()]

    def _flags(self, rows: list[str]) -> list[str]:
        """Return every option that a row names or that takes a value: none of them is the short form of another."""
        found: set[str] = set(self._strings(self.table.get("values", []), "values"))
        for row in rows:
            try:
                pattern = schema.read_pattern(row.split(SEP_ITEM)[1])
            except (ValueError, IndexError):
                continue  # told where the row was read
            found.update(name for group in pattern.any_of for name, _ in group)
            found.update(name for name, _ in pattern.none_of)
        for options in self.table.get("verb_values", {}).values():
            found.update(self._strings(options, "verb_values"))
        return sorted(found)

    def _stops(self) -> list[str]:
        table = self.table.get("stops", {})
        if not isinstance(table, dict) or not all(isinstance(count, int) for count in table.values()):
            self.fault("stops must be a table such as { exec = 1 }: how many operands follow the verb")
            return []
        return [f"{verb}={count}" for verb, count in table.items()]

    def _claims(self) -> list[str]:
        rows: list[str] = []
        for pattern in self._list(self.table.get("harmless", []), "harmless"):
            when = self._when(pattern, f"{self.tool_name}: harmless")
            rows.append(self._row("", when, "claim:harmless", "", "", "", "", ""))
        for harm, default in (("risky", "change"), ("destructive", "destroy")):
            table = self.table.get(harm, {})
            if not isinstance(table, dict):
                self.fault(f'{harm} must be a table such as {{ "push" = "publish: sends commits away" }}')
                continue
            for pattern, text in table.items():
                kind, why = default, str(text)
                head, colon, tail = why.partition(":")
                if colon and head in schema.KINDS:
                    kind, why = head, tail.strip()
                code = self._code(pattern)
                when = self._when(pattern, code)
                rows.append(self._row(code, when, f"claim:{kind}", "", why, "", "", harm))
        return rows

    def _list(self, value: object, what: str) -> list[str]:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return [str(item) for item in value]
        self.fault(f"{what} must be a list of patterns")
        return []

    def _code(self, pattern: str) -> str:
        words = [token.split("|")[0].strip("*-:") for token in pattern.split() if token[0] not in "!#~<"]
        # The name in front is the one the command was called by, so a family of tools keeps its names apart.
        return "." + ("-".join(word.split("=")[0] for word in words if word) or "use")

    def _behaviours(self) -> list[str]:
        rows: list[str] = []
        for number, entry in enumerate(self.table.get("behaviour", []), 1):
            for key in entry:
                if key not in schema.BEHAVIOUR_KEYS:
                    self.fault(f"behaviour {number}: unknown key {key!r}; known: {', '.join(schema.BEHAVIOUR_KEYS)}")
            code = str(entry.get("id", ""))
            if not code:
                self.fault(f"behaviour {number} has no id")
            effects = [self._effect(effect, code) for effect in entry.get("effects", [])]
            runs = [self._run(run, code) for run in self._list(entry.get("runs", []), f"{code}: runs")]
            if not effects and not runs:
                self.fault(f"{code}: has neither effects nor runs")
            if effects and not entry.get("why"):
                self.fault(f"{code}: has no `why`; it is what the user reads")
            harm, undo = str(entry.get("harm", "")), str(entry.get("undo", ""))
            if harm and harm not in schema.HARMS:
                self.fault(f"{code}: unknown harm {harm!r}")
            if undo and undo not in schema.UNDO:
                self.fault(f"{code}: unknown undo {undo!r}")
            when = self._when(entry.get("when", "*"), code)
            texts = (str(entry.get("why", "")), str(entry.get("instead", "")))
            rows.append(self._row(code, when, ";".join(effects), ";".join(runs), *texts, undo, harm))
            for key, holds in (("match", True), ("no_match", False)):
                for line in self._list(entry.get(key, []), f"{code}: {key}"):
                    self.examples.append(Example(code, line, holds, self.shell or "bash", self.origin))
        return rows

    def _tool_runs(self) -> list[str]:
        runs = self.table.get("runs", [])
        if not runs:
            return []
        texts = [self._run(run, self.tool_name) for run in self._list(runs, "runs")]
        return [self._row(self.tool_name + ".runs", "*", "", ";".join(texts), "", "", "", "")]

    def _when(self, when: object, code: str) -> str:
        if isinstance(when, str):
            text = when
        elif isinstance(when, dict):
            text = self._when_table(when, code)
        else:
            self.fault(f"{code}: `when` must be a text or a table")
            return "*"
        if any(token.startswith("!") and "|~" in token for token in text.split()):
            self.fault(f"{code}: `!-x|~glob` in {text!r} says two things: write `!-x !~glob`")
        try:
            text = with_lists(text)
            schema.read_pattern(text)
        except KeyError as error:
            self.fault(f"{code}: no list is called {error}; there are {', '.join(LISTS)}")
        except (ValueError, IndexError):
            self.fault(f"{code}: can't read `when` = {text!r}")
        return text

    def _when_table(self, when: dict[str, Any], code: str) -> str:
        tokens: list[str] = []
        for key, value in when.items():
            items = self._strings(value, f"{code}: when.{key}") if key != "operands" else []
            if key == "words":
                tokens[:0] = items
            elif key == "any_flag":
                tokens.append("|".join(items))
            elif key == "all_flags":
                tokens.extend(items)
            elif key == "no_flag":
                tokens.append("!" + "|".join(items))
            elif key == "some_operand":
                tokens.append("~" + "|".join(items))
            elif key == "no_operand":
                tokens.append("!~" + "|".join(items))
            elif key == "operands":
                tokens.append("#" + str(value))
            else:
                self.fault(f"{code}: when has no key {key!r}")
        return " ".join(tokens) or "*"

    def _effect(self, effect: object, code: str) -> str:
        if isinstance(effect, dict):
            for key in effect:
                if key not in schema.EFFECT_KEYS:
                    self.fault(f"{code}: effect has no key {key!r}; known: {', '.join(schema.EFFECT_KEYS)}")
            target = str(effect.get("target", "="))
            if target.split(" ")[0] not in TARGETS and not target.startswith("="):
                target = "= " + target
            text = f"{effect.get('kind', '')} {target}" + (" recursive" if effect.get("recursive") else "")
        else:
            text = str(effect)
        kind, _, target = text.partition(" ")
        if kind not in schema.KINDS:
            self.fault(f"{code}: unknown effect {kind!r}; known are {', '.join(schema.KINDS)}")
        if (target.split(" ")[0] if target else "none") not in TARGETS and not target.startswith("="):
            self.fault(f"{code}: can't read the target {target!r}; it starts with one of {', '.join(TARGETS)}")
        return text.replace(";", ",")

    def _run(self, text: str, code: str) -> str:
        words = text.split()
        if len(words) < 2 or words[0] not in schema.LANGUAGES or words[1] not in SOURCES:
            known = f"a language ({', '.join(schema.LANGUAGES)}), then {', '.join(SOURCES)}"
            self.fault(f"{code}: can't read runs {text!r}: {known}")
        return text

    def _row(self, *parts: str) -> str:
        # code, when, effects, runs, why, instead, undo, harm
        return SEP_ITEM.join(parts)
