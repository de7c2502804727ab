"""What Python code does outside of itself: files, processes, the network, databases, by the names of its calls."""

from __future__ import annotations

from phocinae_cli.analysis.inline import pyclients
from phocinae_cli.analysis.inline.deeds import NETWORK, joined
from phocinae_cli.analysis.inline.pyvalues import Bound, Either, Made, Ref, is_constant, taint_of, text_of, texts_of
from phocinae_cli.analysis.inline.wordlist import listed
from phocinae_cli.analysis.values import EMPTY, NOTHING, Stream, Unknown, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.pycalls import Calls

Named = dict[str, object]

SHELLS = listed(
    """
    os.system os.popen os.popen2 os.popen3 os.popen4 subprocess.getoutput subprocess.getstatusoutput
    commands.getoutput commands.getstatusoutput asyncio.create_subprocess_shell
    asyncio.subprocess.create_subprocess_shell popen2.popen2
    """
)
STARTERS = listed(
    """
    subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen invoke.run
    pexpect.spawn pexpect.run pty.spawn plumbum.cmd sarge.run delegator.run
    """
)
LISTED = ("os.execl", "os.execle", "os.execlp", "os.execlpe", "os.spawnl", "os.spawnle", "os.spawnlp", "os.spawnlpe")
VECTOR = listed(
    """
    os.execv os.execve os.execvp os.execvpe os.spawnv os.spawnve os.spawnvp os.spawnvpe os.posix_spawn
    os.posix_spawnp
    """
)
AS_COMMAND = {
    "shutil.move": ("mv",),
    "os.rename": ("mv",),
    "os.replace": ("mv",),
    "os.renames": ("mv",),
    "shutil.copy": ("cp",),
    "shutil.copy2": ("cp",),
    "shutil.copyfile": ("cp",),
    "shutil.copytree": ("cp", "-r"),
    "os.symlink": ("ln", "-s"),
    "os.link": ("ln",),
    "os.mkdir": ("mkdir",),
    "os.makedirs": ("mkdir", "-p"),
    "os.rmdir": ("rmdir",),
    "os.removedirs": ("rmdir",),
    "os.mkfifo": ("mkfifo",),
}
UNCHANGED = listed(
    """
    os.path.abspath os.path.realpath os.path.normpath os.fspath os.path.normcase os.path.expandvars sys.intern
    copy.copy copy.deepcopy
    """
)
TEMPORARY = listed(
    """
    tempfile.mkdtemp tempfile.mktemp tempfile.mkstemp tempfile.TemporaryDirectory tempfile.NamedTemporaryFile
    tempfile.gettempdir tempfile.TemporaryFile
    """
)
SAVERS = frozenset(
    ("to_csv", "to_json", "to_excel", "to_parquet", "to_pickle", "to_html", "savefig", "to_feather", "extractall")
)
FRAMES = frozenset(("delete_first_lines", "dropna", "drop_duplicates", "droplevel", "dropwhile", "drop_nulls"))
FRAME_WORDS = frozenset(("columns", "index", "axis", "labels", "level", "subset"))
"""What tables in memory are shortened by: nothing outside of them goes."""
HEAVY_VERBS = listed(
    """
    delete destroy drop purge wipe truncate terminate erase uninstall rmtree unlink shutdown flush_all reset_db nuke
    kill publish deploy revoke
    """
)


class Doing:
    """Records the deeds of calls by their dotted names or their methods."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self.deeds = calls.deeds

    # --- code --------------------------------------------------------------------------------------------------

    def execute(self, code: object) -> object:
        """`exec`, `eval`: a text that is known is walked like the rest."""
        if isinstance(code, Made) and code.kind == "content" and not code.value.taint & {"network"}:
            self.deeds.script("python", code.parts[0] if isinstance(code.parts[0], Value) else code.value)
            return unknown("the result of a script")
        for value in texts_of(code):
            text = value.exact
            if text is None or "network" in value.taint:
                self.deeds.foreign(value, "a text that is made up while it runs")
                continue
            from phocinae_cli.analysis.inline.python import parsed

            tree = parsed(text)
            if tree is None:
                self.deeds.unsure(text[:60], "part of the code can't be read")
                continue
            walker = self.calls.walker
            walker.depth += 1
            if walker.depth > 12:
                self.deeds.unsure("exec", "code within code within code")
                return None
            try:
                found = walker.run(tree)
            finally:
                walker.depth -= 1
            if not isinstance(code, Either):
                return found
        return unknown("the result of code", taint_of(code))

    # --- files -------------------------------------------------------------------------------------------------

    def open(self, arguments: list[object], named: Named) -> object:
        """`open`: for writing it empties or adds, for reading it carries the file's content."""
        target = arguments[0] if arguments else named.get("file", named.get("filename", unknown("a file")))
        mode = arguments[1] if len(arguments) > 1 else named.get("mode", "r")
        modes = mode if isinstance(mode, str) else "r" if not isinstance(mode, (Value, Either)) else "w"
        made: object = None
        for value in texts_of(target):
            if "w" in modes or "x" in modes:
                self.deeds.write(value)
            elif "a" in modes:
                self.deeds.write(value, append=True)
            elif "+" in modes:
                self.deeds.path("write", value, False, "write", "the code changes it")
            made = Made("file", self.deeds.read(value), (value, modes))
        return made

    def _written(self, file: Made, arguments: list[object]) -> None:
        path, modes = file.parts[0], file.parts[1]
        if not isinstance(path, Value) or not isinstance(modes, str) or not path.known or not arguments:
            return
        real = self.deeds.scope.resolve(path.text)
        content = text_of(arguments[0])
        if real is not None and ("w" in modes or "a" in modes or "x" in modes):
            stream = Stream(content.exact, content.taint, content.unknown_why())
            before = self.deeds.scope.files.get(real)
            self.deeds.scope.files[real] = (
                stream if before is None or before.why == "what python wrote" else before.joined(stream)
            )

    # --- names -------------------------------------------------------------------------------------------------

    def named(self, name: str, arguments: list[object], named: Named) -> object:
        """Return what a call of a dotted name gives, recording what it does."""
        deeds = self.deeds
        first = arguments[0] if arguments else next(iter(named.values()), unknown("what it is given"))
        if name in ("os.remove", "os.unlink", "send2trash.send2trash"):
            return self._each(named.get("path", first), lambda value: deeds.delete(value, what="remove"))
        if name in ("shutil.rmtree", "distutils.dir_util.remove_tree", "setuptools.dir_util.remove_tree"):
            return self._each(named.get("path", first), lambda value: deeds.delete(value, True, "rmtree"))
        if name in AS_COMMAND:
            return self._as_command(
                AS_COMMAND[name], [*arguments, *(named[key] for key in ("src", "dst", "path", "name") if key in named)]
            )
        if name in ("os.chmod", "os.lchmod") and len(arguments) > 1:
            mode = f"{arguments[1]:o}" if isinstance(arguments[1], int) else ""
            return deeds.argv([known("chmod"), known(mode) if mode else unknown("a mode"), text_of(first)])
        if name in ("os.chown", "os.lchown", "shutil.chown"):
            return deeds.argv(
                [known("chown"), text_of(arguments[1] if len(arguments) > 1 else "somebody"), text_of(first)]
            )
        if name in ("os.truncate",):
            return self._each(first, lambda value: deeds.write(value, what="truncate"))
        if name == "os.open":
            if (len(arguments) > 1 and "RD" not in text_of(arguments[1]).text) or not arguments[1:]:
                self._each(first, lambda value: deeds.path("write", value, False, "write", "it is opened for writing"))
            return Made("file", text_of(first), (text_of(first), "r"))
        if name in SHELLS:
            return self._shell(first, named)
        if name in STARTERS:
            return self.start(name, arguments, named)
        if name in LISTED:
            skip = 2 if "spawn" in name else 1
            given = arguments[skip:-1] if name.endswith(("le", "lpe")) else arguments[skip:]
            return self._replaced(
                [text_of(word) for word in given] or [text_of(first)],
                text_of(arguments[skip - 1] if len(arguments) >= skip else first),
            )
        if name in VECTOR:
            vector = next((part for part in arguments if isinstance(part, list)), None)
            path = next((part for part in arguments if isinstance(part, (str, Value))), first)
            words = (
                [text_of(word) for word in vector]
                if isinstance(vector, list)
                else [text_of(path), unknown("its arguments")]
            )
            return self._replaced(words, text_of(path))
        if name == "asyncio.create_subprocess_exec" or name == "asyncio.subprocess.create_subprocess_exec":
            return deeds.argv([text_of(word) for word in arguments])
        if name.startswith("sh.") and name.count(".") == 1:
            return deeds.argv([known(name[3:]), *[text_of(word) for word in arguments]])
        if name in ("os.kill", "os.killpg"):
            return deeds.argv([known("kill"), known("-9"), known("--"), text_of(first)])
        if name in ("os.fork", "os.forkpty") and self.calls.walker.looping:
            deeds.plain("fork-bomb", "os.fork", "fork-bomb", "it starts copies of itself until the machine stops")
            return unknown("a number")
        if name in ("os.dup2", "os.dup") and (self.calls.walker.connected or isinstance(first, Made)):
            deeds.remote_shell()
            return None
        if name == "os.chdir":
            target = text_of(first)
            deeds.scope.cwd = deeds.scope.resolve(target.text) if target.known else None
            return None
        if name == "os.putenv" and len(arguments) > 1 and isinstance(first, str):
            deeds.scope.assign(first, [(text_of(arguments[1]),)])
            return None
        if name in ("runpy.run_path", "execfile"):
            return deeds.script("python", text_of(first))
        if name in ("runpy.run_module",):
            return deeds.argv([known("python3"), known("-m"), text_of(first)])
        if name in ("pip.main", "pip._internal.main", "pip._internal.cli.main.main") and isinstance(first, list):
            return deeds.argv([known("pip"), *[text_of(word) for word in first]])
        if name in (
            "pickle.loads",
            "pickle.load",
            "dill.loads",
            "dill.load",
            "marshal.loads",
            "yaml.unsafe_load",
            "jsonpickle.decode",
        ) and "network" in taint_of(arguments):
            deeds.foreign(
                text_of(first) if isinstance(first, Value) else unknown("what the network sends", NETWORK),
                "what the network sends",
            )
            return unknown("what was loaded", NETWORK)
        if name in ("sys.stdout.write", "sys.stdout.buffer.write"):
            deeds.print(text_of(first), "")
            return None
        if name.startswith("sys.stdin"):
            return self._stdin(name)
        if name in ("os.path.join", "posixpath.join"):
            return self.calls.path_join(arguments)
        if name in ("os.getenv", "os.environ.get"):
            return self.calls.environment(first)
        if name in ("os.environ.copy", "os.environ.items", "os.environ.values", "dict") and (
            name != "dict" or taint_of(arguments)
        ):
            return unknown("the environment", frozenset(("environment",)))
        if name == "os.path.expanduser":
            return self._expanded(first)
        if name in UNCHANGED:
            return first
        if name in ("os.path.dirname", "os.path.basename"):
            return self._part_of_path(name, first)
        if name in ("os.getcwd", "os.getcwdu", "pathlib.Path.cwd"):
            value = known(deeds.scope.cwd) if deeds.scope.cwd is not None else unknown("the directory")
            return Made("path", value) if name.startswith("pathlib") else value
        if name in ("glob.glob", "glob.iglob"):
            return Made(
                "path-list",
                unknown("paths"),
                tuple(Value(value.parts, True, value.taint) for value in texts_of(first)[:1]),
            )
        if name in ("os.listdir", "os.scandir"):
            return self._listed(name, first)
        if name in ("os.walk", "os.fwalk"):
            return self._walked(first)
        if name in TEMPORARY:
            value = known("/tmp/tmp.python" if name != "tempfile.gettempdir" else "/tmp")
            return (
                [unknown("a number"), value]
                if name == "tempfile.mkstemp"
                else Made("file" if "File" in name else "path", value, (value, "r"))
            )
        if name in ("pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath"):
            return Made("path", text_of(self.calls.path_join(arguments)) if arguments else known("."))
        if name == "pathlib.Path.home":
            return Made("path", known(deeds.scope.home))
        if name == "sys.exit" or name in ("exit", "quit"):
            return None
        found = pyclients.named(self, name, arguments, named)
        if found is not None:
            return found
        return self._other(name, arguments, named)

    def _other(self, name: str, arguments: list[object], named: Named) -> object:
        """A call nobody described: pure for all that is known, unless its name says otherwise."""
        from phocinae_cli.analysis.inline.pycalls import STANDARD

        module, _, last = name.rpartition(".")
        if (
            module
            and module.partition(".")[0] not in STANDARD
            and (last.startswith(HEAVY_VERBS) or module in self.calls.own_modules)
        ):
            self.deeds.unsure(name, "its name says that it does more than compute")
        return unknown(f"the result of {name}", taint_of(arguments) | taint_of(named))

    def _each(self, thing: object, act: object) -> object:
        for value in texts_of(thing) if not isinstance(thing, list) else [text_of(item) for item in thing]:
            act(value)  # type: ignore[operator]
        return unknown("nothing")

    def _as_command(self, head: tuple[str, ...], arguments: list[object]) -> object:
        operands = arguments[: 1 if head[0] in ("mkdir", "rmdir", "mkfifo") else 2]
        self.deeds.argv([*(known(word) for word in head), known("--"), *(text_of(operand) for operand in operands)])
        return unknown("nothing")

    def _expanded(self, path: object) -> object:
        value = text_of(path)
        head = value.head()
        if head == "~" or head.startswith("~/"):
            found = joined([known(self.deeds.scope.home), value.cut(1)])
            return found.exact if found.exact is not None else found
        return path

    def _part_of_path(self, name: str, path: object) -> object:
        value = text_of(path)
        text = value.exact
        if text is None:
            return unknown(f"part of {value.text}", value.taint, name_only=name.endswith("basename"))
        return text.rpartition("/")[0] if name.endswith("dirname") else text.rpartition("/")[2]

    def _listed(self, name: str, folder: object) -> object:
        if name == "os.listdir":
            return Made("names", unknown("names of files", name_only=True))
        value = text_of(self.calls.path_join([folder, Value(("*",), True)]))
        return Made("path-list", unknown("files"), (Made("path", Value(value.parts, True, value.taint)),))

    def _walked(self, folder: object) -> object:
        base = text_of(folder)
        names = Made("names", unknown("names of files", name_only=True))
        # The directory itself and all below it are visited.
        return Made("some", base, ([base, names, names],))

    def _stdin(self, name: str) -> object:
        stdin = self.deeds.invocation.stdin
        if stdin.text is not None and stdin is not EMPTY:
            if name.endswith("readline"):
                return stdin.text.partition("\n")[0]
            return (
                stdin.text.split("\n")
                if name.endswith("readlines")
                else known(stdin.text, stdin.taint)
                if stdin.taint
                else stdin.text
            )
        return unknown("what is fed in", stdin.taint)

    # --- processes ---------------------------------------------------------------------------------------------

    def _shell(self, text: object, named: Named) -> object:
        if isinstance(text, list):
            return self.deeds.argv([text_of(word) for word in text])
        found: object = unknown("the output of a command")
        stdin = self._input(named)
        for value in texts_of(text):
            found = self.deeds.shell(value, stdin)
        return Made("process", found if isinstance(found, Value) else unknown("the output of a command"))

    def _replaced(self, words: list[Value], path: Value) -> object:
        """`exec*`: the program is the path that is run, whatever its first word says."""
        return self.deeds.argv([path, *words[1:]])

    def start(self, name: str, arguments: list[object], named: Named) -> object:
        """`subprocess.run` and its kin: a text for a shell, or an argv."""
        first = arguments[0] if arguments else named.get("args", named.get("command", unknown("a command")))
        for key in ("stdin", "stdout"):
            stream = named.get(key)
            if isinstance(stream, Made) and stream.kind in ("socket", "descriptor"):
                self.deeds.remote_shell()
        if name == "pty.spawn" and self.calls.walker.connected:
            self.deeds.remote_shell()
        folder = named.get("cwd")
        before = self.deeds.scope.cwd
        if folder is not None:
            text = text_of(folder)
            self.deeds.scope.cwd = self.deeds.scope.resolve(text.text) if text.known else None
        try:
            if name == "pexpect.spawn" and len(arguments) > 1 and isinstance(arguments[1], list):
                first = [first, *arguments[1]]
            if isinstance(first, list) and named.get("shell") is not True:
                stdin = self._input(named)
                found = self.deeds.argv([text_of(word) for word in first], stdin)
                return Made("process", found)
            if isinstance(first, list):
                first = first[0] if first else ""
            return self._shell(first, named)
        finally:
            self.deeds.scope.cwd = before

    def _input(self, named: Named) -> Stream:
        given = named.get("input", named.get("stdin"))
        if given is None or isinstance(given, (int, Ref)):
            return EMPTY
        value = text_of(given)
        return Stream(value.exact, value.taint, value.unknown_why() or "what the code feeds in")

    # --- objects -----------------------------------------------------------------------------------------------

    def made_attribute(self, base: Made, name: str) -> object | None:
        """Return an attribute of an object of a known kind, None when it is a method."""
        value = base.value
        if base.kind == "path":
            text = value.exact
            if name == "name":
                return text.rpartition("/")[2] if text is not None else unknown("a name", name_only=True)
            if name in ("parent", "parents"):
                return (
                    Made("path", known(text.rstrip("/").rpartition("/")[0] or "."))
                    if text is not None
                    else Made("path", unknown("a directory"))
                )
            if name == "path":
                return value
        if base.kind in ("process", "response") and name in (
            "stdout",
            "text",
            "content",
            "stderr",
            "output",
            "raw",
            "body",
            "data",
        ):
            return value if name not in ("stdout", "raw") else base
        return None

    def called(self, function: Made, arguments: list[object], named: Named) -> object:
        """An object called like a function."""
        return unknown("the result of a call", taint_of(function) | taint_of(arguments))

    def method(self, base: object, name: str, arguments: list[object], named: Named) -> object:
        """Return what a method gives, recording what it does."""
        if isinstance(base, Made):
            if base.kind == "path":
                return self._path_method(base, name, arguments, named)
            if base.kind == "file":
                return self._file_method(base, name, arguments)
            if base.kind == "process" and name in (
                "read",
                "communicate",
                "readlines",
                "decode",
                "strip",
                "splitlines",
                "split",
                "wait",
                "poll",
            ):
                return [base.value, unknown("errors")] if name == "communicate" else base.value
            if base.kind == "path-list":
                return base
        found = pyclients.method(self, base, name, arguments, named)
        if found is not None:
            return found
        if name in SAVERS and arguments:
            self._each(
                arguments[0], lambda value: self.deeds.path("create", value, False, "save", "the code writes it")
            )
            return None
        if name == "system" and arguments:
            return self._shell(arguments[0], {})
        if (
            isinstance(base, (Value, Made, Bound))
            and name.startswith(HEAVY_VERBS)
            and name not in FRAMES
            and not (name == "drop" and FRAME_WORDS.intersection(named))
        ):
            self.deeds.unsure(name, "its name says that it does more than compute")
        return unknown(f"the result of {name}", taint_of(base) | taint_of(arguments) | taint_of(named))

    def _path_method(self, base: Made, name: str, arguments: list[object], named: Named) -> object:
        deeds, value = self.deeds, base.value
        first = arguments[0] if arguments else None
        if name == "unlink":
            deeds.delete(value, what="unlink")
            return unknown("nothing")
        if name == "rmdir":
            return deeds.argv([known("rmdir"), known("--"), value])
        if name in ("rename", "replace", "move"):
            return deeds.argv([known("mv"), known("--"), value, text_of(first)])
        if name in ("write_text", "write_bytes"):
            content = text_of(first)
            deeds.write(value, content=Stream(content.exact, content.taint, content.unknown_why()))
            return unknown("a number")
        if name == "open":
            return self.open([value, *arguments], named)
        if name in ("read_text", "read_bytes"):
            return Made("content", deeds.read(value), (value,))
        if name in ("touch", "mkdir"):
            return deeds.argv([known(name), known("--"), value])
        if name == "chmod":
            return deeds.argv([known("chmod"), known(f"{first:o}" if isinstance(first, int) else "0"), value])
        if name in ("symlink_to", "hardlink_to", "link_to"):
            return deeds.argv([known("ln"), known("-s"), text_of(first), value])
        if name in ("glob", "rglob", "iterdir", "walk"):
            pattern = text_of(first) if first is not None else known("*")
            whole = joined([value, known("/"), pattern])
            found = Made("path", Value(whole.parts, True, whole.taint))
            return Made("path-list", unknown("paths"), (found,))
        if name in ("joinpath",):
            return self.calls.path_join([base, *arguments])
        if name == "expanduser":
            return Made("path", text_of(self._expanded(value)))
        if name in ("resolve", "absolute"):
            return base
        if name in ("with_suffix", "with_name", "with_stem"):
            text = value.exact
            folder = text.rpartition("/")[0] if text is not None else None
            return (
                Made("path", joined([known(folder + "/" if folder else ""), Value((Unknown("a name", False, True),))]))
                if folder is not None
                else base
            )
        if name in ("exists", "is_file", "is_dir", "stat", "as_posix", "relative_to", "__str__"):
            return value if name in ("as_posix", "__str__") else unknown("a fact of a path")
        return unknown(f"the result of {name}", value.taint)

    def _file_method(self, base: Made, name: str, arguments: list[object]) -> object:
        if name in ("write", "writelines"):
            self._written(base, arguments)
            return None
        if name == "truncate" and isinstance(base.parts[0], Value):
            self.deeds.write(base.parts[0], what="truncate")
            return unknown("a number")
        if name in ("read", "readline", "readlines", "__enter__", "readall", "getvalue"):
            return base if name == "__enter__" else Made("content", base.value, (base.parts[0],))
        return unknown(f"the result of {name}", base.value.taint)


__all__ = ["NOTHING", "Doing", "is_constant"]
