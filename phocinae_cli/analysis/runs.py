"""Open what a command runs: another argv, a text for a shell or an interpreter, a script file, its input."""

from __future__ import annotations

from phocinae_cli.analysis import targets
from phocinae_cli.analysis.production import names_production
from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.values import EACH_LINE_OF, EMPTY, NOTHING, Stream, Unknown, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.scope import Scope
    from phocinae_cli.kb.lookup import Row

SHELL_LANGUAGES = ("sh", "powershell", "cmd")
SOURCES = (
    ".go", ".v", ".rs", ".swift", ".zig", ".nim", ".cr", ".kts", ".kt", ".scala", ".java", ".groovy", ".dart", ".d",
    ".c", ".cpp", ".cc", ".jl", ".ex", ".exs", ".fsx", ".csx", ".hs", ".ml",
)  # fmt: skip
"""Source code of languages that have no reader of their own."""
MODIFIERS = ("remote", "each", "root", "package", "project", "image", "fresh")
PACKAGE_PROGRAMS = {
    "angular/cli": "ng", "vue/cli": "vue", "nestjs/cli": "nest", "biomejs/biome": "biome", "playwright/test":
    "playwright", "ionic/cli": "ionic", "tailwindcss/cli": "tailwindcss", "remix-run/dev": "remix", "sentry/cli":
    "sentry-cli", "react-native-community/cli": "react-native", "aws-amplify/cli": "amplify", "stencil/core":
    "stencil", "anthropic-ai/claude-code": "claude", "openai/codex": "codex", "google/gemini-cli": "gemini",
    "redocly/cli": "redocly", "changesets/cli": "changeset", "graphql-codegen/cli": "graphql-codegen",
    "commitlint/cli": "commitlint", "swc/cli": "swc", "babel/cli": "babel", "mermaid-js/mermaid-cli": "mmdc",
    "storybook/cli": "storybook", "microsoft/rush": "rush", "capacitor/cli": "cap", "expo/cli": "expo",
    "shopify/cli": "shopify", "railway/cli": "railway", "cloudflare/wrangler": "wrangler", "arethetypeswrong/cli":
    "attw", "vscode/vsce": "vsce", "stoplight/spectral-cli": "spectral", "openapitools/openapi-generator-cli":
    "openapi-generator-cli", "typescript/native-preview": "tsgo", "lhci/cli": "lhci",
}  # fmt: skip
"""The program of a scoped package, where the names differ."""


def run(invocation: Invocation, text: str, taken: int, row: Row) -> Stream:
    """Judge what a `runs` text of the knowledge base names, and return what that would print.

    The text is a language, a source as for targets (also `file arg 1`, `stdin`), and the words `remote` (it runs
    on another machine or in a container), `each` (words from standard input are added), `root`, `package` (the
    first word is a package that brings the program, such as `@angular/cli` or `prettier@3`), `project` (a program
    that nobody described is the project's own), `image` (it is an image, which may be the program), `fresh` (in a
    container that goes when it ends: what stays in it does not count).
    """
    words = text.split()
    language, source = words[0], " ".join(word for word in words[1:] if word not in MODIFIERS)
    remote, each = "remote" in words[1:], "each" in words[1:]
    if language == "argv":
        from phocinae_cli.analysis import images

        argv = targets.select(invocation, source, taken)
        if "package" in words[1:]:
            argv = _from_package(invocation, argv)
        if "project" in words[1:] and _brought_by_project(invocation, argv):
            return EMPTY
        if "image" in words[1:]:
            argv = images.started(invocation, argv)
        before = len(invocation.evaluator.collector.effects)
        out = _argv(invocation, argv, remote, each)
        if "fresh" in words[1:]:
            images.keep_what_matters(invocation, before)
        return out
    if source.startswith("file "):
        values = targets.select(invocation, source[5:], taken)
        if not values:
            return EMPTY
        if language == "data":
            return _carried_out(invocation, values)
        from phocinae_cli.analysis import scripts

        return scripts.run_file(invocation, language, values[0], _behind(invocation, source[5:], taken))
    if source == "stdin":
        return code(invocation, language, invocation.stdin, remote, "what is fed in")
    values = targets.select(invocation, source, taken)
    if not values:
        return EMPTY
    if source == "args 2+" and language == "sql":
        values = [_in_a_row(values)]
    elif source.startswith("args"):
        values = [spaced(values)]
    out = EMPTY
    for value in values:
        out = out.joined(code_of_value(invocation, language, value, remote, _behind(invocation, source, taken)))
    return out


def _carried_out(invocation: Invocation, values: list[Value]) -> Stream:
    """Judge files that a tool carries out by where they come from: what the network sent decides what runs."""
    collector = invocation.evaluator.collector
    for value in values:
        stream = collector.content(value, invocation.scope)
        if "network" in stream.taint:
            return unseen(invocation, stream, value.text)
        if stream.text and value.known and value.text.endswith(SOURCES):
            inline(invocation, "loose", stream.text, False)  # this very line wrote it
    return EMPTY


def _behind(invocation: Invocation, source: str, taken: int) -> tuple[Value, ...]:
    """Return the words behind the one that is code: they are its arguments."""
    head, _, tail = source.partition(" ")
    operands = invocation.arguments.operands[taken:]
    if head == "arg":
        return tuple(operands[int(tail or "1") :])
    return tuple(operands)


def spaced(values: list[Value]) -> Value:
    """Return words joined by blanks, as one value."""
    parts: list[str | Unknown] = []
    taint = NOTHING
    for number, value in enumerate(values):
        if number:
            parts.append(" ")
        parts.extend(value.parts)
        taint |= value.taint
    return Value(tuple(parts), False, taint)


def _in_a_row(values: list[Value]) -> Value:
    """Return words that a database client takes one after the other: statements, and lines for itself."""
    parts: list[str | Unknown] = []
    taint = NOTHING
    for value in values:
        parts.extend(value.parts)
        parts.append("\n" if value.head().startswith(".") else ";\n")
        taint |= value.taint
    if all(isinstance(part, str) for part in parts):
        return known("".join(part for part in parts if isinstance(part, str)), taint)
    return Value(tuple(parts), False, taint)


def _from_package(invocation: Invocation, argv: list[Value]) -> list[Value]:
    """Return an argv whose first word is the program that a package brings.

    A package that nobody described stays under its own name, so it is judged as an undescribed program.
    """
    text = argv[0].exact if argv else None
    if not text or text[0] in "./" or " " in text:
        return argv
    if ":" in text:
        web = text.startswith(("http:", "https:"))
        invocation.effect(
            "run-remote-code" if web else "run-unknown-code", text, "code.package-address",
            "downloads a package from an address and runs it in one go",
            instead="download it, read it, then run it",
        )  # fmt: skip
        return []
    if text.endswith((".py", ".js", ".ts", ".mjs", ".cjs", ".sh")):
        return [known(text if "/" in text else "./" + text), *argv[1:]]  # a script, not a package
    scope, _, name = text[1:].partition("/") if text[0] == "@" else ("", "", text)
    for mark in ("@", "==", "[", ">", "<", "~"):
        name = name.partition(mark)[0]
    known_as = PACKAGE_PROGRAMS.get(f"{scope}/{name}")
    if known_as is None and scope:
        described = invocation.evaluator.collector.knowledge.find(name) is not None
        known_as = name if described and len(name) > 3 else f"{scope}-{name}"
    return [known(known_as or name), *argv[1:]]


def _brought_by_project(invocation: Invocation, argv: list[Value]) -> bool:
    """Note a program that nobody described and the project's environment brings, unless it says it does more."""
    name = argv[0].exact if argv else None
    if not name or not name.replace("-", "").replace("_", "").isalnum():
        return False
    from phocinae_cli.analysis import scripts
    from phocinae_cli.analysis.commands import find
    from phocinae_cli.analysis.verbs import DESTROYING

    collector = invocation.evaluator.collector
    if (
        find(collector.knowledge, name, tuple(argv), invocation.scope)[0] is not None
        or name in invocation.scope.functions
    ):
        return False
    words = [value.text for value in argv[:3]]
    if any(scripts.weighty(word) or not DESTROYING.isdisjoint(word.replace("_", "-").split("-")) for word in words):
        return False
    why = "it is a program of the project's own environment"
    invocation.effect("run-project-code", name, "code.project-program", why)
    return True


def _argv(invocation: Invocation, words: list[Value], remote: bool, each: bool) -> Stream:
    if not words:
        return EMPTY
    argv = tuple(words)
    text = argv[0].exact
    if len(argv) == 1 and not each and text is not None and " " in text.strip():
        return _shell_value(invocation, "sh", argv[0], remote, ())  # `xterm -e 'CMD ARGS'` is for a shell
    scope = invocation.scope
    if remote:
        scope = inside(invocation)
    if each:
        argv = (*argv, *fed_words(invocation))
    context = invocation.context.inside(invocation.name)
    if context.span is None:
        context.span = (invocation.action.start, invocation.action.end)
    context.remote = context.remote or remote
    from phocinae_cli.analysis.commands import run_command

    return run_command(invocation.evaluator, argv, scope, context, EMPTY if each else invocation.stdin)


def inside(invocation: Invocation) -> Scope:
    """Return the scope of a command on another machine or in a container, with what is mounted there."""
    scope = invocation.scope.elsewhere()
    arguments = invocation.arguments
    named = [*arguments.operands[:2], *(value for _, value in arguments.flags if value is not None)]
    scope.machine = " ".join((scope.machine, *(value.text for value in named)))
    if arguments.has("-v", "--volume", "--mount"):
        from phocinae_cli.analysis import mounts

        scope.mounts = mounts.bind_mounts(arguments, invocation.scope)
        scope.cwd = mounts.work_directory(arguments) or scope.cwd
    return scope


def fed_words(invocation: Invocation) -> tuple[Value, ...]:
    """Return the words that standard input adds to a command line, as far as they are known."""
    stdin = invocation.stdin
    if stdin is EMPTY:
        return ()
    if stdin.text is not None:
        return tuple(known(word) for word in stdin.text.split())
    why = f"{EACH_LINE_OF} {stdin.why or 'what is fed in'}"
    return (Value((Unknown(why, False),), False, stdin.taint),)


def code_of_value(
    invocation: Invocation, language: str, value: Value, remote: bool, arguments: tuple[Value, ...]
) -> Stream:
    """Judge a word that is code in some language; unknown parts of it stay unknown inside."""
    if language in SHELL_LANGUAGES:
        return _shell_value(invocation, language, value, remote, arguments)
    text = value.exact
    if text is None:
        if "network" in value.taint:
            return unseen(invocation, Stream(None, value.taint, value.unknown_why()), value.text)
        text = "".join(part if isinstance(part, str) else "x" for part in value.parts)
        found = inline(invocation, language, text, remote)
        _unsure(invocation, language, value)
        return found
    if "network" in value.taint:
        return unseen(invocation, Stream(None, value.taint), value.text)
    return inline(invocation, language, text, remote)


def _unsure(invocation: Invocation, language: str, value: Value) -> None:
    if language in ("sql", "cypher", "redis", "mongo", "sed", "awk", "transfer"):
        return
    if all(isinstance(part, str) or part.name_only for part in value.parts):
        return
    why = f"part of the code is {value.unknown_why()}"
    invocation.effect("run-unknown-code", value.text, "code.partly-unknown", why, certain=False)


def _shell_value(
    invocation: Invocation, language: str, value: Value, remote: bool, arguments: tuple[Value, ...]
) -> Stream:
    if value.exact is None and "network" in value.taint:
        return unseen(invocation, Stream(None, value.taint, value.unknown_why()), value.text)
    scope = inside(invocation) if remote else _inner_scope(invocation)
    if invocation.name not in ("eval", "trap"):
        scope.positional = arguments[1:]
        if arguments:
            scope.name = arguments[0].exact or scope.name
    text = _with_holes(value, scope)
    if text is None:
        return unseen(invocation, Stream(None, value.taint, value.unknown_why()), value.text)
    stdin = EMPTY if invocation.name == "trap" else invocation.stdin  # `curl x | ssh HOST bash`
    return _shell_text(invocation, language, text, scope, remote, stdin)


def _inner_scope(invocation: Invocation) -> Scope:
    return invocation.scope if invocation.name in ("eval", ".", "source", "trap") else invocation.scope.child()


def _with_holes(value: Value, scope: Scope) -> str | None:
    """Return the text with a fresh variable in place of each unknown part, set to that part in the scope.

    None when the text starts with something unknown: then nobody knows what runs.
    """
    if value.known:
        return value.text
    if value.leading_unknown() and len(value.parts) == 1:
        return None
    stem = "phocinae_part_"
    literal = "".join(part for part in value.parts if isinstance(part, str))
    while stem in literal:
        stem += "x"
    text = ""
    for number, part in enumerate(value.parts):
        if isinstance(part, str):
            text += part
        else:
            scope.variables[f"{stem}{number}"] = [(Value((part,), False, value.taint),)]
            text += "${" + f"{stem}{number}" + "}"
    return text


def _shell_text(invocation: Invocation, language: str, text: str, scope: Scope, remote: bool, stdin: Stream) -> Stream:
    if language != "sh":
        from phocinae_cli.analysis import foreign

        return foreign.run_foreign(invocation, language, text, scope)
    context = invocation.context.inside(_shell_label(invocation))
    context.span = (invocation.action.start, invocation.action.end)
    context.becomes(text)
    context.remote = context.remote or remote
    context.dialect = dialect_of(invocation)
    return invocation.evaluator.run_text(text, scope, context, stdin)


def dialect_of(invocation: Invocation) -> str:
    """Return the dialect of a text that a command runs: a shell's own, else that of the line."""
    if invocation.name == "zsh":
        return "zsh"
    return "bash" if invocation.name.endswith("sh") else invocation.context.dialect


def _shell_label(invocation: Invocation) -> str:
    return invocation.name + (" -c" if invocation.arguments.has("-c") and invocation.name.endswith("sh") else "")


def code(invocation: Invocation, language: str, stream: Stream, remote: bool, what: str) -> Stream:
    """Judge what flows into an interpreter as code."""
    if stream is EMPTY:
        return EMPTY
    if language == "data":
        return unseen(invocation, stream, what) if "network" in stream.taint else EMPTY
    if isinstance(stream, HereText):
        out = EMPTY
        for value in stream.values:
            out = out.joined(code_of_value(invocation, language, value, remote, ()))
        return out
    if stream.text is not None:
        if "network" in stream.taint:
            return unseen(invocation, stream, what)
        if language in SHELL_LANGUAGES:
            scope = inside(invocation) if remote else _inner_scope(invocation)
            return _shell_text(invocation, language, stream.text, scope, remote, EMPTY)
        return inline(invocation, language, stream.text, remote)
    if stream.seen and language == "sh":
        scope = inside(invocation) if remote else _inner_scope(invocation)
        _shell_text(invocation, language, stream.seen, scope, remote, EMPTY)
    if stream.path and not remote:
        from phocinae_cli.analysis import scripts

        return scripts.run_file(invocation, language, known(stream.path), ())
    if language == "sql" and "dump" in stream.taint:
        _dumped(invocation, stream, remote)
    elif language == "sql" and stream.seen:
        from phocinae_cli.analysis.inline.sql import generated

        inline(invocation, "sql", generated(stream.seen), remote)
    if language in ("sql", "cypher", "redis", "mongo", "sed", "awk") and "network" not in stream.taint:
        invocation.effect(
            "unknown", stream.why or what, "code.unseen-statements", "the statements can't be seen", certain=False
        )
        return Stream(None, stream.taint, stream.why)
    return unseen(invocation, stream, stream.why or what)


def _dumped(invocation: Invocation, stream: Stream, remote: bool) -> None:
    """A dump that goes straight into a database: what it drops first, and whether people depend on the target."""
    if stream.seen:
        inline(invocation, "sql", stream.seen, remote)
    elif names_production(invocation):
        why = "a dump of another database goes over what people depend on"
        invocation.effect(
            "db-destroy", stream.why, "code.dump-over-production", why, instead="bring it into a copy first"
        )


def unseen(invocation: Invocation, stream: Stream, what: str) -> Stream:
    """Record that code runs which nobody can see here: the network's is destructive, any other is unsure."""
    if "network" in stream.taint:
        invocation.effect(
            "run-remote-code", what, "code.from-network", "whoever answers decides what runs here",
            instead="download to a file, read it, then run it",
        )  # fmt: skip
    elif "setup-code" not in stream.taint:
        invocation.effect(
            "run-unknown-code", what, "code.unseen", f"what runs is {stream.why or what}, which can't be seen here",
            instead="write the code to a file and look at it first", certain=False,
        )  # fmt: skip
    return Stream(None, stream.taint, stream.why or what)


def inline(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Judge code of a language that is not a shell; the reader of each language is loaded when first met."""
    from phocinae_cli.analysis.inline import read_code

    return read_code(invocation, language, text, remote)
