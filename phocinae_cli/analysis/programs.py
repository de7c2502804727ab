"""Programs whose arguments are a language of their own: find, xargs, parallel, env, remote copies, git aliases."""

from __future__ import annotations

from phocinae_cli.analysis import infer, runs
from phocinae_cli.analysis.environment import WATCHED, set_variable
from phocinae_cli.analysis.git import git
from phocinae_cli.analysis.hosts import all_local, host_of
from phocinae_cli.analysis.parse import parse
from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.syntax import Simple
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Unknown, Value, known
from phocinae_cli.analysis.words import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

# --- find ----------------------------------------------------------------------------------------------------

FIND_FILES = ("-fprint", "-fprint0", "-fls", "-fprintf")
FIND_NAMES = ("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename")
FIND_EXEC = ("-exec", "-execdir", "-ok", "-okdir")


def find(invocation: Invocation) -> Stream | None:
    """`find`: `-exec` and its kin run a command on what is found, `-delete` deletes it, `-fprint` writes a file."""
    words = list(invocation.words)
    starts: list[Value] = []
    while words and words[0].head()[:2] in ("-H", "-L", "-P") and len(words[0].head()) == 2:
        words.pop(0)
    while words and not _starts_expression(words[0]):
        starts.append(words.pop(0))
    starts = starts or [known(".")]
    name = ""
    index = 0
    while index < len(words):
        word = words[index].exact
        index += 1
        if word in FIND_NAMES and index < len(words):
            given = words[index].text
            # A name that is only excluded, or one of several, does not narrow what is found.
            narrows = words[index - 2].exact not in ("!", "-not") if index >= 2 else True
            name = given if narrows and not name else name
            if index + 1 < len(words) and words[index + 1].exact in ("-o", "-or"):
                name = _either(words, index)
            index += 1
        elif word == "-delete":
            for value in _found(starts, name):
                invocation.path_effect(
                    "delete", value, True, code="find.delete", why="`-delete` removes everything found, without asking",
                    instead="leave `-delete` away first and read the list",
                )  # fmt: skip
        elif word in FIND_EXEC:
            index = _find_exec(invocation, words, index, _found(starts, name))
        elif word in FIND_FILES and index < len(words):
            invocation.path_effect(
                "overwrite", words[index], code="find.fprint", why="it writes its list over the file"
            )
            index += 2 if word == "-fprintf" else 1
    return HereText(tuple(_found(starts, name)), True)


def _starts_expression(word: Value) -> bool:
    head = word.head()
    return head[:1] in ("-", "(", "!", ")") and len(head) > 0 and head != "-"


def _either(words: list[Value], index: int) -> str:
    """Return one name for alternatives: the first that is not disposable stands for all."""
    names = [words[index].text]
    at = index + 1
    while at + 2 < len(words) and words[at].exact in ("-o", "-or"):
        if words[at + 1].exact in FIND_NAMES:
            names.append(words[at + 2].text)
            at += 3
        else:
            return "*"
    from phocinae_cli.analysis.paths import DISPOSABLE, DISPOSABLE_ENDINGS

    for name in names:
        if name not in DISPOSABLE and not name.endswith(DISPOSABLE_ENDINGS):
            return name
    return names[0]


def _found(starts: list[Value], name: str) -> list[Value]:
    found = []
    for start in starts:
        parts = start.parts
        text = start.exact
        if text is not None:
            base = text.rstrip("/")
            if base == "":
                found.append(Value(("/*",), True))
                continue
            tail = name.lstrip("*/") if "/" in name else name
            if name.startswith("*") and "/" not in name:
                tail = name
            found.append(Value((base + "/" + (tail or "*"),), True, start.taint))
        else:
            found.append(Value((*parts, "/" + (name or "*")), True, start.taint))
    return found


def _find_exec(invocation: Invocation, words: list[Value], index: int, found: list[Value]) -> int:
    argv: list[Value] = []
    while index < len(words):
        word = words[index]
        index += 1
        if word.exact == ";" or (word.exact == "+" and argv and argv[-1].exact == "{}"):
            break
        argv.append(word)
    for value in found:
        replaced = tuple(_replaced(word, "{}", value) for word in argv)
        invocation.run(replaced, "find -exec", stdin=EMPTY)
    return index


def _replaced(word: Value, mark: str, value: Value) -> Value:
    """Return the word with every `mark` in its text replaced by a value."""
    text = word.exact
    if text is None or mark not in text:
        return word
    if text == mark:
        return value
    parts: list[str | Unknown] = []
    for number, piece in enumerate(text.split(mark)):
        if number:
            parts.extend(value.parts)
        parts.append(piece)
    joined: list[str | Unknown] = []
    for part in parts:
        if joined and isinstance(part, str) and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return Value(tuple(joined), value.globs, word.taint | value.taint)


# --- words from standard input ---------------------------------------------------------------------------------


def fed(invocation: Invocation) -> tuple[Value, ...]:
    """Return the words that standard input adds, paths of a listing included."""
    stdin = invocation.stdin
    if isinstance(stdin, HereText):
        return tuple(_line(value) for value in stdin.values)
    return runs.fed_words(invocation)


def _line(value: Value) -> Value:
    parts = tuple(part.rstrip("\n") if isinstance(part, str) else part for part in value.parts)
    return Value(tuple(part for part in parts if part != "") or ("",), value.globs, value.taint)


def xargs(invocation: Invocation) -> Stream | None:
    """`xargs`: the command behind its options, with the words that are fed in behind it or in place of a mark."""
    arguments = invocation.arguments
    argv = tuple(arguments.operands)
    if not argv:
        return Stream(None, invocation.stdin.taint, "the output of xargs")
    mark = arguments.value("-I", "--replace", "-J")
    if mark is None and arguments.has("-i", "--replace"):
        mark = known("{}")
    added = fed(invocation)
    if arguments.value("-a", "--arg-file") is not None:
        listed = arguments.value("-a", "--arg-file")
        added = (Value((Unknown(f"the content of {listed.text if listed else 'a file'}", False),)),)
    if not added:
        added = (Value((Unknown("what is fed in", False),)),)
    if mark is None or mark.exact is None:
        return invocation.run((*argv, *added), "xargs", stdin=EMPTY)
    out = EMPTY
    for value in added:
        out = out.joined(
            invocation.run(tuple(_replaced(word, mark.exact, value) for word in argv), "xargs", stdin=EMPTY)
        )
    return out


def parallel(invocation: Invocation) -> Stream | None:
    """GNU `parallel`: a command template, and its arguments behind `:::` or from standard input."""
    words = list(invocation.arguments.operands)
    marks = [number for number, word in enumerate(words) if word.exact in (":::", ":::+", "::::")]
    template = words[: marks[0]] if marks else words
    given = [word for word in words[marks[0] + 1 :] if word.exact not in (":::", ":::+", "::::")] if marks else []
    if marks and words[marks[0]].exact == "::::":
        given = [Value((Unknown(f"a line of {word.text}", False),)) for word in given]
    added = tuple(given) if marks else fed(invocation) or (Value((Unknown("what is fed in", False),)),)
    if not template:
        out = EMPTY
        for value in added:
            out = out.joined(runs.code_of_value(invocation, "sh", value, False, ()))
        return out
    out = EMPTY
    has_mark = any("{}" in word.text for word in template)
    for value in added:
        argv = [_replaced(word, "{}", value) for word in template] if has_mark else [*template, value]
        out = out.joined(runs.code_of_value(invocation, "sh", runs.spaced(argv), False, ()))
    return out


# --- env, sudo and other doors ---------------------------------------------------------------------------------


def env(invocation: Invocation) -> Stream | None:
    """`env`: variables, then a command; `-S` splits a text into both."""
    arguments = invocation.arguments
    words = list(arguments.operands)
    split = arguments.value("-S", "--split-string")
    if split is not None:
        # What stands behind `-S TEXT` belongs to the command in the text, options too.
        words = [*split_words(invocation, split), *_behind_text(invocation, split)]
    scope = invocation.scope.copy()
    if arguments.has("-i", "--ignore-environment", "-"):
        scope.env = {}
    folder = arguments.value("-C", "--chdir")
    if folder is not None:
        scope.cwd = scope.resolve(folder.text) if folder.known else None
    while words:
        name, equals, _ = words[0].head().partition("=")
        if not equals or not name:
            break
        if name.isidentifier():
            scope.assign(name, [(words[0].cut(len(name) + 1),)])
            scope.exported |= {name}
            if name in WATCHED:
                set_variable(invocation.evaluator, name, words[0].cut(len(name) + 1), scope, invocation.context)
        words.pop(0)
    if words and words[0].exact == "--":
        words.pop(0)
    if not words:
        return Stream(None, frozenset(("environment",)), "the environment")
    return invocation.run(tuple(words), "env", scope)


def _behind_text(invocation: Invocation, text: Value) -> tuple[Value, ...]:
    """Return the words behind the option of `env` that holds a text to split."""
    for number, word in enumerate(invocation.words):
        head = word.head()
        attached = head.startswith("--s") or (head[:1] == "-" and head[1:2] != "-" and "S" in head)
        if word is text or (attached and word.text.endswith(text.text) and head not in ("-S", "--split-string")):
            return invocation.words[number + 1 :]
    return ()


def split_words(invocation: Invocation, value: Value) -> list[Value]:
    """Return the words of a text as a shell would split it."""
    text = value.exact
    if text is None:
        return [value]
    body = parse(text, "sh").body
    found: list[Value] = []
    for node, _ in body.items:
        if isinstance(node, Simple):
            for assign in node.assigns:
                found.append(known(text[assign.start : assign.end]))
            for word in node.words:
                for fields in expand(word, invocation.scope):
                    found.extend(fields)
    return found


def wrapper_with_assignments(invocation: Invocation) -> Stream | None:
    """`sudo`, `doas`: options, variables, then a command; without one a shell, or a file to edit."""
    if invocation.arguments.has("-e", "--edit"):
        return None
    words = list(invocation.arguments.operands)
    scope = invocation.scope.copy()
    while words:
        name, equals, _ = words[0].head().partition("=")
        if not equals or not name.isidentifier():
            break
        scope.assign(name, [(words[0].cut(len(name) + 1),)])
        words.pop(0)
    if not words:
        return None
    out = invocation.run(tuple(words), invocation.name, scope)
    invocation.scope.files = scope.files
    return out


# --- copies to and from other machines -------------------------------------------------------------------------


def copy(invocation: Invocation) -> Stream | None:
    """`scp`, `rsync`: who is the other machine decides whether something is sent, fetched or copied."""
    arguments = invocation.arguments
    operands = arguments.operands
    if invocation.name == "rsync" and arguments.has("-n", "--dry-run", "--list-only"):
        return Stream(None, NOTHING, "a list of changes")
    for shell in arguments.values("-e", "--rsh", "-S", "--rsync-path"):
        if (
            shell.exact is None
            or not shell.exact.split()[:1]
            or shell.exact.split()[0] not in ("ssh", "rsync", "/usr/bin/ssh", "sudo")
        ):
            runs.code_of_value(invocation, "sh", shell, False, ())
    if len(operands) < 2:
        return Stream(None, NOTHING, "a list of files")
    target, sources = operands[-1], operands[:-1]
    program = invocation.name
    if is_remote(target):
        taint, text = NOTHING, " ".join(value.text for value in sources)
        for value in sources:
            taint |= value.taint if is_remote(value) else value.taint | _tree_taint(invocation, value)
        place = infer.data_place(taint, False)
        place = "local" if all_local([target]) and host_of(target.text) else place
        invocation.effect(
            "send", f"{text} to {target.text}", f"{program}.send", "it goes to another machine", place=place
        )
        if arguments.has(
            "--delete", "--delete-after", "--delete-before", "--delete-excluded", "--delete-during", "--del"
        ):
            invocation.effect(
                "cloud-change",
                target.text,
                f"{program}.delete",
                "it deletes there what is missing here",
                instead="`--dry-run` lists it first",
            )
        return EMPTY
    for value in sources:
        _copied(invocation, value, target)
    invocation.path_effect("create", target, code=f"{program}.write", why="it writes what it copies there")
    if arguments.has("--delete", "--delete-after", "--delete-before", "--delete-excluded", "--delete-during", "--del"):
        invocation.path_effect(
            "delete", target, True, code=f"{program}.delete", why="it deletes there whatever the source lacks",
            instead="`--dry-run` lists it first",
        )  # fmt: skip
    if arguments.has("--remove-source-files"):
        for value in sources:
            invocation.path_effect(
                "delete", value, True, code=f"{program}.remove-source", why="it removes what it copied"
            )
    return EMPTY


def is_remote(value: Value) -> bool:
    """Return whether a word names a place on another machine (`host:path`, `rsync://`)."""
    text = value.text
    if "://" in text:
        return not text.startswith("file://")
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head and len(head) > 1


def _tree_taint(invocation: Invocation, value: Value) -> frozenset[str]:
    """What a copied directory carries: a directory that holds secrets is one."""
    taint = invocation.evaluator.collector.content(value, invocation.scope).taint
    path = invocation.scope.resolve(value.text) if value.known else None
    if path is not None and (path + "/").startswith(
        (invocation.scope.home + "/.ssh/", invocation.scope.home + "/.gnupg/")
    ):
        taint |= {"secret"}
    return taint


def _copied(invocation: Invocation, source: Value, target: Value) -> None:
    path = invocation.scope.resolve(target.text) if target.known else None
    if path is None:
        return
    if is_remote(source):
        local = all_local([source])
        stream = Stream(None, NOTHING if local else frozenset(("network",)), f"what {source.text} holds")
    else:
        stream = invocation.evaluator.collector.content(source, invocation.scope)
        origin = invocation.scope.resolve(source.text) if source.known else None
        if origin is not None and invocation.scope.where.place(origin) == "temp" and stream.text is None:
            stream = Stream(None, stream.taint | {"temp"}, stream.why, stream.path)
    invocation.scope.files[path] = stream
    name = source.text.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    inside = path.rstrip("/") + "/" + name
    invocation.scope.files[inside] = stream
    place = invocation.scope.where.place(path)
    inner = path if place in ("rc", "startup") and not target.text.endswith("/") else inside
    invocation.evaluator.collector.planted(inner, stream, invocation.scope, invocation.action)


def copy_files(invocation: Invocation) -> Stream | None:
    """`cp`, `mv`, `install`, `ln`: the rows say what happens; what a file holds goes with it."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    operands = invocation.arguments.operands
    target = invocation.arguments.value("-t", "--target-directory")
    if target is None and len(operands) > 1:
        target, operands = operands[-1], operands[:-1]
    if target is not None:
        for value in operands:
            _copied(invocation, value, target)
    return Stream(None, NOTHING, out.why)


# --- chmod -----------------------------------------------------------------------------------------------------


def chmod(invocation: Invocation) -> Stream | None:
    """`chmod`: a mode that lets everybody write, or run as the owner, matters more than any other."""
    recursive, mode, files = False, None, []
    for word in invocation.words:
        text = word.text
        if text in ("--recursive", "-R") or (
            text[:1] == "-" and "R" in text and all(char in "RvcfhHLP" for char in text[1:])
        ):
            recursive = True
        elif text.startswith("--") or (
            len(text) > 1 and text[0] == "-" and all(char in "vcfhHLP" for char in text[1:])
        ):
            continue
        elif mode is None and not invocation.arguments.has("--reference"):
            mode = text
        else:
            files.append(word)
    kind = _mode_kind(mode or "")
    why = {
        "setuid": "whoever starts it has its owner's rights", "open-to-all": "anybody may change it",
        "readable": "anybody may read it",
    }.get(kind, "changes who may read, write or start it")  # fmt: skip
    for value in files:
        chosen = kind
        if kind == "readable":
            secret = any(
                target.place in ("secret", "project-secret")
                for target in invocation.evaluator.collector.targets(value, invocation.scope)
            )
            chosen = "open-to-all" if secret else "permissions"
        easy = "easy" if chosen == "permissions" and not recursive else ""
        invocation.path_effect(chosen, value, recursive, code=f"chmod.{chosen}", why=why, undo=easy)
    return EMPTY


def _mode_kind(mode: str) -> str:
    if mode.isdigit():
        digits = mode.zfill(4)[-4:]
        if int(digits[0]) & 4:
            return "setuid"
        other = int(digits[3]) if digits[3] in "01234567" else 0
        return "open-to-all" if other & 2 and not int(digits[0]) & 1 else "readable" if other & 4 else "permissions"
    for clause in mode.split(","):
        for sign in "+=":
            who, found, what = clause.partition(sign)
            if not found:
                continue
            if "s" in what and (not who or "u" in who or "a" in who):
                return "setuid"
            if ("w" in what) and ("o" in who or "a" in who):
                return "open-to-all"
            if "r" in what and ("o" in who or "a" in who):
                return "readable"
    return "permissions"


# --- listings ----------------------------------------------------------------------------------------------------


def listing(invocation: Invocation) -> Stream | None:
    """`ls`, `fd`, `git ls-files`, `grep -l`: prints paths below what it is given; xargs and loops take them up."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    if invocation.name.endswith("grep") or invocation.name == "rg":
        if not invocation.arguments.has("-l", "--files-with-matches", "-L", "--files-without-match", "--files"):
            return out
        operands = invocation.arguments.operands[1:]
    else:
        operands = invocation.arguments.operands
    values = [value if value.globs else Value((*value.parts, "/*"), True, value.taint) for value in operands]
    return HereText(tuple(values) or (Value(("*",), True),), True)


FD_EXEC = ("-x", "--exec", "-X", "--exec-batch")


def fd(invocation: Invocation) -> Stream | None:
    """`fd`: prints what it finds, or runs a command on it (`-x`, `-X`)."""
    words = list(invocation.words)
    cut = next((number for number, word in enumerate(words) if word.exact in FD_EXEC), len(words))
    in_front = {id(word) for word in words[:cut]}
    operands = [value for value in invocation.arguments.operands if id(value) in in_front]
    ending = invocation.arguments.value("-e", "--extension")
    name = f"*.{ending.text.lstrip('.')}" if ending is not None else "*"
    if operands and invocation.arguments.has("-g", "--glob"):
        name = operands[0].text
    folder = invocation.arguments.values("--search-path", "--base-directory")
    found = _found([*operands[1:], *folder] or [known(".")], name)
    argv = words[cut + 1 :]
    end = next((number for number, word in enumerate(argv) if word.exact == ";"), len(argv))
    argv = argv[:end]
    for value in found if argv else ():
        marked = any("{" in word.text for word in argv)
        filled = [_replaced(word, "{}", value) for word in argv] if marked else [*argv, value]
        invocation.run(tuple(filled), "fd -x", stdin=EMPTY)
    return HereText(tuple(found), True)


def crontab(invocation: Invocation) -> Stream | None:
    """`crontab FILE` and `crontab -`: the table it installs runs by itself, so it is judged as if it ran."""
    out = infer.apply_rows(invocation, invocation.tool)  # type: ignore[arg-type]
    arguments = invocation.arguments
    if arguments.has("-l", "-r", "-e", "-i", "-V"):
        return out
    collector = invocation.evaluator.collector
    named = arguments.operands[0] if arguments.operands else None
    if named is None or named.exact == "-":
        table = invocation.stdin
    else:
        table = collector.content(named, invocation.scope)
    if table is not EMPTY:
        collector.planted(f"/var/spool/cron/{invocation.scope.user}", table, invocation.scope, invocation.action)
    return out


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {
    "find": find, "xargs": xargs, "parallel": parallel, "env": env, "sudo": wrapper_with_assignments, "copy": copy,
    "cp": copy_files, "crontab": crontab, "chmod": chmod, "git": git, "paths": listing, "fd": fd,
}  # fmt: skip
