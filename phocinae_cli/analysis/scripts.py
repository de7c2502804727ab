"""Look through to what a line runs from a file: scripts, sourced files, make targets, package scripts.

The text comes from what the line itself wrote, else from the facts. What can't be read asks; what is read is
judged like the line, and its findings name the file and line.
"""

from __future__ import annotations

from phocinae_cli.analysis import runs
from phocinae_cli.analysis.collect import known_parts
from phocinae_cli.analysis.production import names_production
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.collect import Collector
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.scope import Scope

INTERPRETERS = (
    ("bash", "sh"), ("zsh", "sh"), ("dash", "sh"), ("ksh", "sh"), ("sh", "sh"), ("python", "python"), ("perl", "perl"),
    ("ruby", "ruby"), ("node", "node"), ("php", "php"), ("deno", "node"), ("bun", "node"), ("awk", "awk"),
    ("sed", "sed"),
)  # fmt: skip
ENDINGS = (
    (".sh", "sh"), (".bash", "sh"), (".zsh", "sh"), (".py", "python"), (".pl", "perl"), (".rb", "ruby"),
    (".js", "node"),
    (".mjs", "node"), (".cjs", "node"), (".ts", "node"), (".php", "php"), (".ps1", "powershell"), (".sql", "sql"),
    (".bat", "cmd"), (".cmd", "cmd"),
)  # fmt: skip
WEIGHTY = (
    "deploy", "release", "publish", "destroy", "wipe", "reset", "drop", "purge", "nuke", "prod", "production",
    "uninstall",
    "rollback", "migrate", "install", "setup", "bootstrap", "provision", "teardown", "delete", "remove", "clean-all",
    "cleanup", "restore", "kill", "erase", "upgrade", "update", "push", "sync",
)  # fmt: skip
"""Words in the name of a script that say it does more than work inside the project."""
CREATORS = frozenset(
    (
        "tar", "unzip", "git", "curl", "wget", "cp", "mv", "7z", "bsdtar", "gunzip", "unxz", "make", "pip", "npm",
        "scp", "rsync", "aria2c", "gh", "ln", "install", "dd", "patch",
    )
)  # fmt: skip
SETUP_PLACES = (
    "/etc/os-release", "/etc/lsb-release", "/etc/profile", "/etc/bash", "/etc/zsh", "/etc/environment", "/etc/default/",
    "/etc/sysconfig/", "/etc/locale.conf", "/etc/vconsole.conf", "/usr/share/", "/usr/lib/", "/usr/local/share/",
    "/usr/local/etc/", "/usr/local/opt/", "/usr/local/lib/", "/opt/homebrew/", "/home/linuxbrew/", "/opt/ros/",
    "/opt/intel/", "/opt/conda/", "/opt/miniconda3/", "/nix/var/nix/profiles/", "/lib/lsb/", "/opt/rh/",
)  # fmt: skip
"""Below them lie files of variables, functions and completions that packages brought."""
SETUP_ENDS = (
    "/bin/activate", "/bin/activate.fish", "/etc/bash_completion", "/share/bash-completion/bash_completion",
    "/etc/profile.d/conda.sh", "/emsdk_env.sh", "/virtualenvwrapper.sh", "/nvm.sh", "/.cargo/env", "/asdf.sh",
    "/sdkman-init.sh", "/setvars.sh", "/nix.sh", "/.ghcup/env", "/google-cloud-sdk/path.bash.inc",
    "/google-cloud-sdk/completion.bash.inc", "/grc.bashrc", "/git-prompt.sh", "/git-completion.bash",
)  # fmt: skip
"""What such a file is called where a tool lies in a place of one's own."""
STATEMENTS = ("sql", "cypher", "mongo", "redis")
DUMPS = ("dump", "backup", "snapshot", "restore", "full")
OWN_SETTINGS = frozenset(("startup", "rc", "secret", "project-secret", "home-config"))
STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
MAX_READING = 12


COMPILED = frozenset(
    f"the output of {name}"
    for name in (
        "gcc", "g++", "cc", "c++", "clang", "clang++", "tcc", "rustc", "go", "ghc", "swiftc", "zig", "nim", "fpc",
        "gfortran", "dmd", "ldc2", "ocamlfind", "ocamlopt", "nasm", "ld", "crystal", "v", "odin",
    )
)  # fmt: skip
"""What a program that a compiler made is said to hold."""
REACHING_OUT = (
    "system(", "exec", "popen", "socket", "unlink", "remove", "rmdir", "fs::", "Command", "net::", "net.", "asm",
    "fork", "rename(", "fopen", "open(",
)  # fmt: skip
"""What source code would hold to do more than compute and print."""


def run_path(invocation: Invocation, name: Value, arguments: tuple[Value, ...]) -> Stream:
    """Judge a program named by its path: a script is read, anything else is unknown."""
    return run_file(invocation, "", name, arguments)


def source_file(invocation: Invocation, name: Value, arguments: tuple[Value, ...]) -> Stream:
    """Judge a file that is read into the same shell; a file of variables or a completion changes nothing else."""
    return run_file(invocation, "sh", name, arguments, same_shell=True)


def run_file(
    invocation: Invocation, language: str, name: Value, arguments: tuple[Value, ...], same_shell: bool = False
) -> Stream:
    """Judge a script by its content; `language` is empty when its first line or its name must tell."""
    text = name.exact
    if same_shell and is_setup(name, invocation.scope):
        collector = invocation.evaluator.collector
        path = invocation.scope.resolve(text) if text is not None else None
        fact = collector.text_fact(("text", path)) if path is not None and path not in invocation.scope.files else None
        if text is None or (fact is not None and fact.text is None and not _may_be_made(collector)):
            why = "it sets up a shell for something that is installed"
            invocation.effect("run-project-code", name.text, "code.setup-script", why)
            return Stream(None, NOTHING, f"the output of {name.text}")
    if text is None:
        what = Stream(None, name.taint, name.unknown_why())
        return runs.unseen(invocation, what, name.text)
    if text in STANDARD_INPUT:
        return runs.code(invocation, language or "sh", invocation.stdin, False, "what is fed in")
    path = invocation.scope.resolve(text)
    if path is None:
        return runs.unseen(invocation, Stream(None, NOTHING, f"the content of {text}"), text)
    if invocation.scope.where.place(path) == "remote":  # somebody else's share
        return runs.unseen(invocation, Stream(None, frozenset(("network",))), name.text)
    written = invocation.scope.files.get(path)
    if written is not None:
        return _written(invocation, language, path, written, arguments, same_shell)
    if _fetched(invocation, path):
        return runs.unseen(invocation, Stream(None, frozenset(("network",)), f"{text}, fetched a moment ago"), text)
    collector = invocation.evaluator.collector
    if path in _reading(invocation):
        return EMPTY  # a script that calls itself does nothing that was not judged already
    fact = collector.text_fact(("text", path))
    if language in STATEMENTS and (fact is None or fact.text is None):
        return _unread_statements(invocation, text)
    if fact is None:
        return _unread(invocation, text, path, "nobody has looked into it", same_shell)
    if fact.text is None:
        return _unread(invocation, text, path, fact.why, same_shell)
    kind = language or language_of(path, fact.text)
    return _judge(invocation, kind, path, text, fact.text, arguments, same_shell)


def _fetched(invocation: Invocation, path: str) -> bool:
    """Return whether the line put the file there from another machine: cloned, or unpacked what it downloaded."""
    folder = path
    files = invocation.scope.files
    while folder:
        folder = folder.rpartition("/")[0]
        written = files.get(folder)
        if written is not None and "network" in written.taint:
            return True
    return False


def language_of(path: str, text: str) -> str:
    """Return the language of a script by its first line, else its name, else the shell's."""
    first = text[:200].partition("\n")[0]
    if first.startswith("#!"):
        words = first[2:].replace("/usr/bin/env", " ").replace("-S", " ").split()
        program = words[0].rpartition("/")[2] if words else ""
        for start, language in INTERPRETERS:
            if program.startswith(start):
                return language
        return "text-is-code"
    for ending, language in ENDINGS:
        if path.endswith(ending):
            return language
    return "sh"


def _reading(invocation: Invocation) -> set[str]:
    return invocation.evaluator.collector.reading


def _judge(
    invocation: Invocation,
    language: str,
    path: str,
    shown: str,
    text: str,
    arguments: tuple[Value, ...],
    same_shell: bool,
) -> Stream:
    reading = _reading(invocation)
    if len(reading) >= MAX_READING:
        return _unread(invocation, shown, path, "too many files call each other", same_shell)
    reading.add(path)
    try:
        if language != "sh":
            return _other_language(invocation, language, path, shown, text)
        scope = invocation.scope if same_shell else invocation.scope.child()
        before = scope.positional
        scope.positional = arguments if arguments or not same_shell else scope.positional
        scope.name = shown
        out = invocation.run_text(text, scope, invocation.name, place=shown, stdin=invocation.stdin)
        scope.positional = before
        return out
    finally:
        reading.discard(path)


def _other_language(invocation: Invocation, language: str, path: str, shown: str, text: str) -> Stream:
    """Judge a script that is no shell script: of a project's own code only what it surely does counts."""
    collector = invocation.evaluator.collector
    before = len(collector.effects)
    if language in runs.SHELL_LANGUAGES:
        out = runs.code_of_value(invocation, language, known(text), False, ())
    else:
        out = runs.inline(invocation, language, text, False)
    if invocation.scope.where.place(path) in ("project", "disposable"):
        collector.effects[before:] = [effect for effect in collector.effects[before:] if effect.certain]
    for effect in collector.effects[before:]:
        effect.action.place = effect.action.place or shown
    return out


def _written(
    invocation: Invocation, language: str, path: str, written: Stream, arguments: tuple[Value, ...], same_shell: bool
) -> Stream:
    """Judge a file that this very line wrote."""
    if written.why in COMPILED and "network" not in written.taint and _sources_look_plain(invocation):
        why = "it was compiled a moment ago from what lies here"
        invocation.effect("run-project-code", path, "code.compiled", why)
        return Stream(None, NOTHING, f"the output of {path}")
    if written.text is None or "network" in written.taint:
        return runs.unseen(invocation, written, written.why or path)
    kind = language or language_of(path, written.text)
    return _judge(invocation, kind, path, path.rpartition("/")[2], written.text, arguments, same_shell)


def _sources_look_plain(invocation: Invocation) -> bool:
    """Return whether no text that this line wrote to a file calls for a program, a socket or the loss of files."""
    texts = [stream.text for stream in invocation.scope.files.values() if stream.text]
    return not any(word in text for text in texts for word in REACHING_OUT)


def _unread(invocation: Invocation, shown: str, path: str, why: str, same_shell: bool) -> Stream:
    """A file that is not there can't do harm, unless something earlier on the line may put it there."""
    collector = invocation.evaluator.collector
    place = invocation.scope.where.place(path)
    missing = why == "missing" and not _may_be_made(collector)
    local = place in ("project", "disposable") or (same_shell and place in OWN_SETTINGS)
    if missing and local and not weighty(shown):
        invocation.effect(
            "run-project-code", shown, "code.project-script", "it is the project's own script, not there yet"
        )
        return Stream(None, NOTHING, f"the output of {shown}")
    invocation.effect(
        "run-unknown-code", shown, "code.unread-script", f"what it does can't be read ({why})",
        instead="read the script first", certain=False,
    )  # fmt: skip
    return Stream(None, NOTHING, f"the output of {shown}")


def _may_be_made(collector: Collector) -> bool:
    """Return whether something on the line may put a file where none is yet."""
    return any(action.program in CREATORS for action in collector.actions)


def is_setup(name: Value, scope: Scope) -> bool:
    """Return whether a file to source is by its place what a package or a virtual environment sets a shell up with."""
    if "network" in name.taint:
        return False
    text = "/" + name.located() if name.located() else known_parts(name)
    if text.endswith(SETUP_ENDS):
        return True
    path = scope.resolve(text) if name.exact is not None else None
    return path is not None and path.startswith(SETUP_PLACES) and (path[:5] != "/usr/" or not weighty(path))


def _unread_statements(invocation: Invocation, shown: str) -> Stream:
    """A file for a database: nobody keeps statements in a file to read only; a dump replaces what it names."""
    lowered = shown.rpartition("/")[2].lower()
    if any(word in lowered for word in DUMPS) and names_production(invocation):
        why = "a dump goes over what people depend on"
        invocation.effect("db-destroy", shown, "code.dump-over-production", why, instead="bring it into a copy first")
    else:
        why = "its statements can't be read here, and the database carries them out"
        invocation.effect("db-write", shown, "code.unread-statements", why, instead="read the file first")
    return Stream(None, NOTHING, f"the output of {shown}")


def weighty(name: str) -> bool:
    """Return whether a script's name says that it does more than work inside the project."""
    base = name.rpartition("/")[2].lower()
    if base == "setup.py":
        return False  # a package's own recipe: what it is told to do says more than its name
    word = ""
    for char in base + " ":
        if char.isalnum():
            word += char
            continue
        if word in WEIGHTY:
            return True
        word = ""
    return False
