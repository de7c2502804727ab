"""What the calls of the scripting languages do, by name: one table a language, one method a deed."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import NETWORK, is_local, joined
from phocinae_cli.analysis.inline.pyvalues import Made, Ref, taint_of, text_of, texts_of
from phocinae_cli.analysis.inline.scripttables import METHODS, NODE, TABLES
from phocinae_cli.analysis.values import Stream, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.scripting import Reader

SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "cmd", "cmd.exe", "powershell", "powershell.exe"))


def call(reader: Reader, name: str, base: object, items: list[object]) -> object:
    """Return what a call gives, recording what it does; `base` is the object of a method, else None."""
    table = TABLES.get(reader.language, NODE)
    deed = "shell" if name == "`" else table.get(name) if base is None else METHODS.get(name) or table.get(name)
    if deed is None and "." in name and base is None:
        head, _, last = name.rpartition(".")
        deed = METHODS.get(last) if last in METHODS else None
        if deed is not None:
            base = Ref(head)
        elif name.startswith(("shelljs.", "shell.")):
            return reader.deeds.argv([known(last), *[text_of(item) for item in items]])
    if deed is None or deed == "none":
        return unknown(f"the result of {name}", taint_of(items) | taint_of(base))
    return Call(reader, name, base, items).do(deed)


class Call:
    """One call with its arguments: `do` records the deed that a table names."""

    def __init__(self, reader: Reader, name: str, base: object, items: list[object]) -> None:
        self.reader = reader
        self.deeds = reader.deeds
        self.name = name
        self.base = base
        self.items = items
        self.first = text_of(items[0]) if items else unknown("what it is given", reader.deeds.invocation.stdin.taint)

    def do(self, deed: str) -> object:
        """Record the deed; return what the call gives."""
        method = getattr(self, "_" + deed.replace("-", "_"))
        return method()

    def _all(self) -> list[Value]:
        found: list[Value] = []
        for item in self.items:
            for one in item if isinstance(item, list) else [item]:
                if not (isinstance(one, Made) and one.kind == "table"):
                    found.extend(texts_of(one))
        return found or [self.first]

    def _bodies(self) -> list[Value]:
        """Return what a request carries: every argument behind the address."""
        return [text_of(item) for item in self.items[1:] if not isinstance(item, Ref)]

    # --- files -------------------------------------------------------------------------------------------------

    def _delete(self) -> object:
        for value in self._all():
            self.deeds.delete(value, what=self.name.rpartition(".")[2])
        return unknown("a number")

    def _delete_tree(self) -> object:
        for value in self._all()[: None if self.reader.language in ("ruby", "perl") else 1]:
            self.deeds.delete(value, True, self.name.rpartition(".")[2])
        return unknown("a number")

    def _delete_if_options(self) -> object:
        return self._delete_tree() if len(self.items) > 1 and isinstance(self.items[1], Made) else self._rmdir()

    def _delete_self(self) -> object:
        self.deeds.delete(text_of(self.base), what=self.name)
        return unknown("nothing")

    def _delete_tree_self(self) -> object:
        self.deeds.delete(text_of(self.base), True, self.name)
        return unknown("nothing")

    def _command(self, *head: str) -> object:
        return self.deeds.argv(
            [*(known(word) for word in head), known("--"), *[text_of(item) for item in self.items[:2]]]
        )

    def _rmdir(self) -> object:
        return self.deeds.argv([known("rmdir"), known("--"), self.first])

    def _mv(self) -> object:
        return self._command("mv")

    def _cp(self) -> object:
        return self._command("cp", "-r")

    def _ln(self) -> object:
        return self._command("ln", "-s")

    def _mkdir(self) -> object:
        return self.deeds.argv([known("mkdir"), known("-p"), known("--"), self.first])

    def _touch(self) -> object:
        return self.deeds.argv([known("touch"), known("--"), self.first])

    def _write(self) -> object:
        content = text_of(self.items[1]) if len(self.items) > 1 else unknown("what it writes")
        self.deeds.write(self.first, content=Stream(content.exact, content.taint, content.unknown_why()))
        return Made("file", self.first)

    def _write_self(self) -> object:
        self.deeds.write(text_of(self.base))
        return unknown("nothing")

    def _write_second(self) -> object:
        if len(self.items) > 1:
            self.deeds.path("create", text_of(self.items[1]), False, "write", "the code writes it")
        return unknown("nothing")

    def _append(self) -> object:
        self.deeds.write(self.first, append=True)
        return unknown("nothing")

    def _read(self) -> object:
        return self.deeds.read(self.first)

    def _read_or_fetch(self) -> object:
        if "://" in self.first.head():
            return self.deeds.fetch(self.first)
        if self.reader.language == "r":
            self.first = text_of(self._expand())
        return self._stdin() if self.first.exact == "php://stdin" else self.deeds.read(self.first)

    def _open(self) -> object:
        """Perl's `open`: mode and path in one text or in two, a bar for a command."""
        texts = [text_of(item) for item in self.items[1:]]
        if not texts:
            return unknown("nothing")
        mode = texts[0].head().strip()
        if mode.startswith((">&", "<&", "+<&")):
            if self.reader.connected:
                self.deeds.remote_shell()
            return unknown("nothing")
        if len(texts) > 1:
            if mode.startswith(("|-", "-|")):
                return self._started(texts[1:])
            self._opened(mode, texts[1])
        elif mode.startswith("|") or texts[0].text.rstrip().endswith("|"):
            text = texts[0].exact
            return self._shelled(known(text.strip().strip("|")) if text is not None else texts[0])
        else:
            skipped = len(texts[0].head()) - len(texts[0].head().lstrip(" +<>"))
            self._opened(mode, texts[0].cut(skipped))
        return unknown("nothing")

    def _opened(self, mode: str, path: Value) -> None:
        if mode.startswith(">>"):
            self.deeds.write(path, append=True)
        elif mode.startswith((">", "+>")):
            self.deeds.write(path)
        elif mode.startswith("+<"):
            self.deeds.path("write", path, False, "write", "the code changes it")
        else:
            self.deeds.read(path)

    def _open_mode(self) -> object:
        """`open(path, mode)` of Ruby, PHP, Lua and Python."""
        mode = text_of(self.items[1]).exact if len(self.items) > 1 else "r"
        head = self.first.head()
        if self.reader.language == "ruby" and head.startswith("|"):
            return self._shelled(self.first.cut(1))
        if "://" in head and not head.startswith(("php://", "file://")):
            return self.deeds.fetch(self.first)
        if mode is not None and mode[:1] in ("w", "x", "c"):
            self.deeds.write(self.first)
        elif mode is not None and mode[:1] == "a":
            self.deeds.write(self.first, append=True)
        return Made("file", self.deeds.read(self.first))

    def _chmod_first(self) -> object:
        mode = self.first.text.removeprefix("0o")
        for value in self._all()[1:]:
            self.deeds.argv([known("chmod"), known(mode), value])
        return unknown("a number")

    def _chmod_second(self) -> object:
        mode = text_of(self.items[1]).text.removeprefix("0o") if len(self.items) > 1 else "0"
        return self.deeds.argv([known("chmod"), known(mode), self.first])

    def _change_owner(self) -> object:
        for value in self._all()[2:]:
            self.deeds.argv([known("chown"), known("somebody"), value])
        return unknown("a number")

    # --- commands and code -------------------------------------------------------------------------------------

    def _shelled(self, value: Value) -> Value:
        words = value.head().split()
        program = words[0].rpartition("/")[2] if words else ""
        if self.reader.connected and (not value.known or program in SHELLS):
            self.deeds.remote_shell()
        self._note(program, len(words))
        if self.deeds.asked and len(value.parts) == 1 and not value.known:
            value = Value(value.parts, False, value.taint | NETWORK)
        return self.deeds.shell(value)

    def _note(self, program: str, words: int) -> None:
        """Remember that a shell was started with nothing to run: what is connected to it next steers it."""
        if program in SHELLS and words < 3:
            self.reader.shell_open = True

    def _started(self, words: list[Value]) -> Value:
        if len(words) == 1:
            return self._shelled(words[0])
        if self.reader.connected and words[0].text.rpartition("/")[2] in SHELLS:
            self.deeds.remote_shell()
        self._note(words[0].text.rpartition("/")[2], len(words))
        return self.deeds.argv(words)

    def _shell(self) -> object:
        return self._shelled(self.first)

    def _run(self) -> object:
        """One text goes to a shell, several words are an argv."""
        items = [item for item in self.items if not (isinstance(item, Made) and item.kind == "table")]
        words = self._all() if items else [self.first]
        if (
            self.reader.language == "ruby"
            and self.name in ("IO.popen", "sh")
            and len(self.items) == 2
            and not isinstance(self.items[0], list)
        ):
            words = words[:1]
        return self._started(words)

    def _spawn(self) -> object:
        if self.items and isinstance(self.items[0], list):  # `Bun.spawn(["ls", "-l"])`
            return self._started([text_of(item) for item in self.items[0]])
        if self.first.known and " " in self.first.text and len(self.items) < 2:
            return self._shelled(self.first)
        if self.reader.connected and self.first.text.rpartition("/")[2] in SHELLS:
            self.deeds.remote_shell()
        self._note(self.first.text.rpartition("/")[2], len(self.items))
        words = [self.first]
        listed = self.items[1] if len(self.items) > 1 else None
        if isinstance(listed, Made) and self.name == "Deno.Command":
            listed = next((part for part in listed.parts if isinstance(part, list)), None)
        if isinstance(listed, list):
            words += [text_of(item) for item in listed]
        shelled = any(
            isinstance(item, Made)
            and item.kind == "table"
            and any(text_of(part).text in ("true", "<true>") for part in item.parts)
            for item in self.items
        )
        if shelled:
            parts: list[Value] = []
            for number, word in enumerate(words):
                parts += [known(" "), word] if number else [word]
            return self.deeds.shell(joined(parts))
        return self.deeds.argv(words)

    def _system2(self) -> object:
        return self._spawn()

    def _eval(self) -> object:
        if not self.items or (isinstance(self.items[-1], Made) and self.items[-1].kind == "table"):
            return unknown("the result of a block")
        value = text_of(self.items[-1])
        if "network" in value.taint or (self.deeds.asked and not value.known):
            taint = value.taint | NETWORK
            self.deeds.foreign(Value(value.parts, False, taint), "what another machine sends")
        elif value.exact is not None:
            return self.reader.inner(value.exact)
        elif self.reader.connected:
            self.deeds.remote_shell()
        else:
            self.deeds.foreign(value, "a text that is made up while it runs")
        return unknown("the result of code")

    def _eval_text(self) -> object:
        """A timer or an assertion: code only when it is a text."""
        return (
            self._eval()
            if self.items and isinstance(self.items[0], Value) and self.items[0].known
            else unknown("nothing")
        )

    def _eval_parsed(self) -> object:
        return self._eval() if self.items and isinstance(self.items[0], Value) else unknown("the result of code")

    def _named_text(self) -> object:
        return self.items[0] if self.items else unknown("code")

    def _include(self) -> object:
        if not self.items or isinstance(self.items[0], (Ref, Made)):
            return unknown("a module")
        if "://" in self.first.head() or "network" in self.first.taint:
            self.deeds.foreign(Value(self.first.parts, False, self.first.taint | NETWORK), self.first.text)
        elif self.first.exact is not None and ("/" in self.first.text or "." in self.first.text):
            self.deeds.script(self.reader.language, self.first)
        return unknown("a module")

    def _source(self) -> object:
        return self._include()

    def _require(self) -> object:
        from phocinae_cli.analysis.inline.scripting import module_name

        text = self.first.exact
        if text is None:
            self.deeds.unsure("require", "which module it loads is known only once it runs")
            return unknown("a module")
        if "://" in text and not is_local(self.first):
            self.deeds.foreign(Value(self.first.parts, False, NETWORK), text)
            return unknown("a module", NETWORK)
        if text.startswith((".", "/")):
            if not text.endswith(".json") and "node_modules" not in text:
                path = text if text.rpartition("/")[2].find(".") > 0 or text == "." else text + ".js"
                self.deeds.script("node", known(path))
            return unknown("a module")
        return Ref(module_name(text))

    def _vim(self) -> object:
        return self.deeds.code("vim", self.first)

    def _unclear(self) -> object:
        self.deeds.unsure(self.name, "what it starts can't be told")
        return unknown("nothing")

    def _fork(self) -> object:
        if self.reader.looping:
            self.deeds.plain("fork-bomb", self.name, "fork-bomb", "it starts copies of itself until the machine stops")
        return unknown("a number")

    def _fork_none(self) -> object:
        if self.reader.connected:
            self.deeds.remote_shell()
        return unknown("nothing")

    def _kill(self) -> object:
        signal = self.first.text.removeprefix("SIG")
        process = text_of(self.items[1]) if len(self.items) > 1 else unknown("a process")
        return self.deeds.argv([known("kill"), known("-" + signal.lstrip("-")), known("--"), process])

    def _kill_first(self) -> object:
        return self.deeds.argv([known("kill"), known("--"), self.first])

    def _install(self) -> object:
        self.deeds.invocation.effect(
            "install", self.first.text, f"{self.reader.language}.install", "installs a package and what it needs"
        )
        return unknown("nothing")

    def _uninstall(self) -> object:
        self.deeds.invocation.effect(
            "uninstall", self.first.text, f"{self.reader.language}.uninstall", "removes a package"
        )
        return unknown("nothing")

    def _map(self) -> object:
        """`array_map('unlink', glob(...))`: a function by its name on every element."""
        if len(self.items) > 1:
            return call(self.reader, self.first.text, None, [self.items[1]])
        return unknown("a list")

    def _apply(self) -> object:
        if self.first.exact is None:
            self.deeds.unsure(self.name, "what it calls is known only once it runs")
            return unknown("nothing")
        rest = self.items[1] if len(self.items) == 2 and isinstance(self.items[1], list) else self.items[1:]
        return call(self.reader, self.first.text, None, rest)

    def _map_self(self) -> object:
        for item in self.items:
            if isinstance(item, Ref):
                call(self.reader, item.name, None, [self.base])
        return unknown("a list", taint_of(self.base))

    def _then_self(self) -> object:
        """`promise.then(f)`: a function by its name gets what was promised."""
        for item in self.items:
            if isinstance(item, Ref):
                call(self.reader, item.name, None, [self.base])
        return self.base

    # --- the network and stores --------------------------------------------------------------------------------

    def _fetch(self) -> object:
        return self.deeds.fetch(self.first)

    def _fetch_url(self) -> object:
        if self.first.head().startswith("http"):
            return self.deeds.fetch(self.first)
        return unknown(f"the result of {self.name}", taint_of(self.base) | taint_of(self.items))

    def _download(self) -> object:
        found = self.deeds.fetch(self.first)
        if len(self.items) > 1:
            self.deeds.write(
                text_of(self.items[1]), content=Stream(None, found.taint, found.unknown_why()), what="download"
            )
        return found

    def _post(self) -> object:
        self.deeds.send(self.first, self._bodies() or [unknown("data")])
        return self.deeds.fetch(self.first)

    def _post_url(self) -> object:
        while len(self.items) > 1 and not self.first.head().startswith("http") and self.name.endswith("request"):
            self.items = self.items[1:]  # the verb stands in front of the address
            self.first = text_of(self.items[0])
        return self._post() if self.first.head().startswith("http") else unknown("nothing", taint_of(self.items))

    def _request(self) -> object:
        """`fetch(url, options)`: the options say whether something is sent."""
        options = self.items[1] if len(self.items) > 1 else self.items[0] if self.items else None
        if isinstance(options, Made) and options.kind == "table":
            words = {text_of(part).text.upper() for part in options.parts}
            if words & {"POST", "PUT", "PATCH"} or taint_of(options):
                self.deeds.send(
                    self._host(), [text_of(part) for part in options.parts if taint_of(part)] or [unknown("data")]
                )
            elif "DELETE" in words:
                return self._http_delete()
        return self.deeds.fetch(self.first)

    def _http_delete(self) -> object:
        self.deeds.request("DELETE", self.first)
        self.deeds.plain("cloud-change", self.first.text, "http-delete", "it deletes something on another machine")
        return unknown("an answer", NETWORK)

    def _mail(self) -> object:
        self.deeds.send(self.first, self._bodies() or [unknown("a message")], "mail")
        return unknown("nothing")

    def _curl_option(self) -> object:
        if len(self.items) > 2 and "POSTFIELDS" in text_of(self.items[1]).text:
            self.deeds.send(self.first, [text_of(self.items[2])])
        return unknown("nothing")

    def _connect(self) -> object:
        self.reader.connected = True
        self.deeds.reach(self._host())
        if self.reader.shell_open:
            self.deeds.remote_shell()
        return Made("socket", unknown("a connection", NETWORK))

    def _host(self) -> Value:
        """Return the first text that a call is given, in tables too: the host, as a rule."""
        for item in self.items:
            for one in item.parts if isinstance(item, Made) and item.kind == "table" else [item]:
                value = text_of(one)
                if value.known and ("." in value.text or value.text == "localhost"):
                    return value
        return self.first

    def _from_peer(self) -> object:
        if isinstance(self.base, Made) and self.base.kind == "socket":
            return unknown("what the other side sends", NETWORK)
        return unknown("a line that it reads", self.deeds.invocation.stdin.taint)

    def _send_peer(self) -> object:
        """Something written to a connection goes to the other machine."""
        if isinstance(self.base, Made) and self.base.kind == "socket":
            self.deeds.send(text_of(self.base), [text_of(item) for item in self.items])
        return unknown("nothing")

    def _pipe_self(self) -> object:
        for item in self.items:
            if "network" in taint_of(item):
                self.deeds.send(text_of(item), [text_of(self.base)])
        return self.base

    def _module(self) -> object:
        return Ref(self.first.text) if self.first.known else unknown("a module")

    def _listen(self) -> object:
        self.deeds.listen(self.name)
        self.reader.connected = True
        if self.reader.shell_open:
            self.deeds.remote_shell()
        return Made("socket", unknown("whoever connects", NETWORK))

    def _serve(self) -> object:
        return unknown("a server")

    def _sql_last(self) -> object:
        if self.items:
            self.deeds.code("sql", text_of(self.items[-1]))
        return unknown("rows")

    def _sql_method(self) -> object:
        if self.name == "exec" and self.reader.language == "node" and not _is_sql(self.first):
            matching = isinstance(self.base, Value) and self.base.unknown_why() == "a match"
            return self._shelled(self.first) if self.first.known and not matching else unknown("a match")
        if _is_sql(self.first):
            self.deeds.code("sql", self.first)
        return unknown("rows")

    def _unsure_method(self) -> object:
        if self.reader.language in ("ruby", "perl") and isinstance(self.base, Value):
            self.deeds.unsure(self.name, "its name says that it does more than compute")
        return unknown("nothing")

    # --- texts -------------------------------------------------------------------------------------------------

    def _first(self) -> object:
        return self.items[0] if self.items else unknown("nothing")

    def _self(self) -> object:
        return self.base

    def _concat_self(self) -> object:
        return joined([text_of(self.base), *[text_of(item) for item in self.items]])

    def _join_self(self) -> object:
        if isinstance(self.base, list) and all(text_of(item).exact is not None for item in self.base):
            return known(
                (self.first.exact or "").join(text_of(item).text for item in self.base)
                if self.items
                else "".join(text_of(item).text for item in self.base)
            )
        return unknown("joined texts", taint_of(self.base))

    def _decoded(self, decode: object) -> object:
        text = self.first.exact
        if text is None:
            return unknown("decoded text", self.first.taint)
        try:
            data = decode(text)  # type: ignore[operator]
        except (ValueError, TypeError):
            return unknown("text that does not decode", self.first.taint)
        return known(_text(data) if isinstance(data, bytes) else data, self.first.taint)

    def _b64(self) -> object:
        import binascii

        return self._decoded(lambda text: binascii.a2b_base64(text + "=" * (-len(text) % 4)))

    def _hex(self) -> object:
        return self._decoded(bytes.fromhex)

    def _rot13(self) -> object:
        import codecs

        return self._decoded(lambda text: codecs.decode(text, "rot13"))

    def _buffer(self) -> object:
        coding = text_of(self.items[1]).exact if len(self.items) > 1 else "utf8"
        return self._b64() if coding == "base64" else self._hex() if coding == "hex" else self.first

    def _pack(self) -> object:
        layout = self.first.exact or ""
        if len(self.items) > 1 and layout.startswith(("H", "m", "u")):
            inner = Call(self.reader, self.name, None, self.items[1:])
            return inner.do("hex") if layout.startswith("H") else inner.do("b64")
        if layout.startswith(("C", "c", "U", "A", "a")):
            return (
                Call(self.reader, self.name, None, self.items[1:]).do("chars")
                if layout[0] in "CcU"
                else text_of(self.items[1] if len(self.items) > 1 else "")
            )
        return unknown("packed data", taint_of(self.items))

    def _pack_self(self) -> object:
        inside = self.base if isinstance(self.base, list) else [self.base]
        return Call(self.reader, "pack", None, [self.first, *inside]).do("pack")

    def _unpack_self(self) -> object:
        """Ruby's `"...".unpack1("m")`: the text that base64 or hexadecimal digits stand for."""
        layout, base = self.first.exact or "", text_of(self.base)
        if layout[:1] == "m":
            found = Call(self.reader, self.name, None, [base]).do("b64")
        elif layout[:1] in ("H", "h"):
            return unknown("digits", base.taint)
        else:
            return self.base
        return found if self.name.endswith("1") else [found]

    def _chars(self) -> object:
        numbers = [text_of(one).exact for item in self.items for one in (item if isinstance(item, list) else [item])]
        try:
            return (
                known("".join(chr(int(number, 0)) for number in numbers if number is not None))
                if None not in numbers
                else unknown("characters")
            )
        except (ValueError, OverflowError):
            return unknown("characters")

    def _chr(self) -> object:
        return self._chars()

    def _reverse(self) -> object:
        value = text_of(self.base if self.base is not None else self.items[0] if self.items else "")
        return known(value.text[::-1], value.taint) if value.known else value

    def _unclear_text(self) -> object:
        if self.first.known:
            from phocinae_cli.analysis.packed import unpacked

            text = unpacked(self.first.text)
            if text is not None:
                return known(text, self.first.taint)
        return unknown("unpacked text", self.first.taint)

    def _env(self) -> object:
        name = self.first.exact
        if not self.items or name is None:
            return unknown("the environment", frozenset(("environment",)))
        fields = self.deeds.scope.variable(name)[0]
        return fields[0] if fields else ""

    def _glob(self) -> object:
        return Value(self.first.parts, True, self.first.taint)

    def _home(self) -> object:
        return known(self.deeds.scope.home)

    def _cwd(self) -> object:
        return known(self.deeds.scope.cwd) if self.deeds.scope.cwd is not None else unknown("the directory")

    def _tmp(self) -> object:
        return known("/tmp")

    def _expand(self) -> object:
        if self.first.head() == "~" or self.first.head().startswith("~/"):
            return joined([known(self.deeds.scope.home), self.first.cut(1)])
        return self.first

    def _join(self) -> object:
        done: list[Value] = []
        for value in self._all():
            if value.head().startswith("/") and self.name != "File.join":
                done = []
            done += [known("/"), value] if done else [value]
        return joined(done)

    def _stdin(self) -> object:
        stdin = self.deeds.invocation.stdin
        return known(stdin.text, stdin.taint) if stdin.text else unknown("what is fed in", stdin.taint)

    def _context(self) -> object:
        """A context of a stream in PHP: one that posts may carry anything."""
        if any(text_of(part).exact in ("POST", "PUT") for part in _flat(self.items)):
            self.deeds.reach(unknown("the address"))
        return unknown("a context", taint_of(self.items))

    def _print(self) -> object:
        if self.items and isinstance(self.items[0], Made) and self.items[0].kind == "socket":
            self.deeds.send(text_of(self.items[0]), [text_of(item) for item in self.items[1:]])
            return unknown("nothing")
        self.deeds.print(
            joined(self._all() if self.items else [self.first]),
            "\n" if self.name in ("puts", "say", "p", "console.log") else "",
        )
        return unknown("nothing")

    def _write_out(self) -> object:
        return self._print()


def _text(data: bytes) -> str:
    """Return bytes as text; packed data keeps its bytes, so that it can be unpacked."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _flat(items: object) -> list[object]:
    """Return the things in lists and tables, however deep."""
    if isinstance(items, list):
        return [one for item in items for one in _flat(item)]
    if isinstance(items, Made) and items.kind == "table":
        return [one for item in items.parts for one in _flat(item)]
    return [items]


def _is_sql(value: Value) -> bool:
    from phocinae_cli.analysis.inline.pyclients import SQL_VERBS

    words = value.text.lstrip().split(None, 1)
    return bool(words) and words[0].upper().rstrip(";") in SQL_VERBS
