"""What a row can't say of `git`: aliases, settings that name a program, the branch checked out, a clean tree."""

from __future__ import annotations

from phocinae_cli.analysis import git_places, infer, runs
from phocinae_cli.analysis.hosts import host_of
from phocinae_cli.analysis.redirects import HereText
from phocinae_cli.analysis.values import NOTHING, Stream, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation

PROGRAM_SETTINGS = frozenset((
    "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "sequence.editor", "diff.external",
    "core.askpass", "gpg.program", "core.gitproxy", "uploadpack.packobjectshook", "credential.helper",
    "core.alternaterefscommand", "gpg.ssh.defaultkeycommand", "sendemail.smtpserver",
    "sendemail.tocmd", "sendemail.cccmd",
))  # fmt: skip
"""Settings whose value is run as a command."""
PROGRAM_ENDINGS = (
    ".textconv", ".command", ".cmd", ".clean", ".smudge", ".process", ".driver", ".path", ".helper", ".program",
    ".editor", ".pager", ".vcs",
)  # fmt: skip
FOLDER_SETTINGS = ("core.hookspath", "init.templatedir")
PLAIN_PROGRAMS = frozenset((
    "cat", "less", "more", "most", "bat", "true", "false", "vim", "vi", "nvim", "nano", "emacs", "emacsclient",
    "code", "subl", "delta", "ssh", "diff-so-fancy", "difft", "git-lfs", "meld", "kdiff3", "vimdiff", "nvimdiff",
    "opendiff", "notepad", "gpg", "gpg2", "micro", "hx", "helix", "zed", "cursor", "mate", "atom", "kate", "gedit",
    "rsmerge",
))  # fmt: skip
"""Pagers, editors and viewers that do nothing by being started."""
SOURCE_ENDINGS = frozenset((
    "py", "js", "ts", "tsx", "jsx", "mjs", "cjs", "json", "md", "txt", "yml", "yaml", "toml", "lock", "html", "css",
    "scss", "go", "rs", "rb", "java", "kt", "swift", "cpp", "hpp", "cs", "php", "sh", "sql", "xml", "vue", "svelte",
    "ipynb", "csv", "cfg", "ini", "conf", "tf", "ex", "exs", "scala", "lua", "proto", "gradle", "rst", "png", "svg",
    "jpg",
))  # fmt: skip
FORCING = ("-f", "--force", "--force-with-lease", "--force-if-includes", "-d", "--delete")
HEADS = ("HEAD", "@", "+HEAD", "+@")
PLUMBING = {"send-pack": "push", "http-push": "push"}
"""Verbs that do the work of another one."""


def git(invocation: Invocation) -> Stream | None:
    """Judge one `git` command: what its settings and aliases run, then its rows."""
    arguments = invocation.arguments
    operands = arguments.operands
    verb = operands[0].text if operands else ""
    front = arguments.flags[: arguments.leading] if operands else arguments.flags
    for setting in [value for name, value in front if name == "-c" and value is not None]:
        name, equals, _ = setting.head().partition("=")
        body = setting.cut(len(name) + 1)
        if equals and name.lower() == f"alias.{verb.lower()}":
            return _alias(invocation, body)
        if equals:
            _setting(invocation, name.lower(), body)
    before = invocation.scope.cwd
    for name, folder in front:
        if folder is not None and name in ("-C", "--work-tree"):
            invocation.scope.cwd = invocation.scope.resolve(folder.text) if folder.known else None
    try:
        return _verb(invocation, verb, front)
    finally:
        invocation.scope.cwd = before


def _cloned(invocation: Invocation) -> None:
    """Remember what a clone brings: its files come from another machine."""
    operands = invocation.arguments.operands[1:]
    if not operands or not (host_of(operands[0].text) or "@" in operands[0].text):
        return
    named = operands[0].text.rstrip("/").rpartition("/")[2].removesuffix(".git")
    target = operands[1].text if len(operands) > 1 else named
    path = invocation.scope.resolve(target)
    if path is not None:
        invocation.scope.files[path] = Stream(None, frozenset(("network",)), "a clone")


def _verb(invocation: Invocation, verb: str, front: list[tuple[str, Value | None]]) -> Stream:
    arguments = invocation.arguments
    operands = arguments.operands
    tool = invocation.tool
    assert tool is not None
    cwd = invocation.scope.cwd
    if operands and operands[0].known and not tool.knows_verb(verb) and cwd is not None:
        fact = invocation.evaluator.collector.text_fact(("git-alias", f"{verb}\0{cwd}"))
        if fact is not None and fact.text:
            return _alias(invocation, known(fact.text.strip()))
    where = git_places.places(invocation, front)
    if operands:
        arguments.flags = arguments.flags[len(front) :]
    if verb in PLUMBING:
        verb = PLUMBING[verb]
        operands[0] = known(verb)
    before = BEFORE.get(verb)
    if before is not None:
        before(invocation)
    _transport(invocation)
    if verb == "clone":
        _cloned(invocation)
    effects = len(invocation.evaluator.collector.effects)
    out = infer.apply_rows(invocation, tool)
    _discard(invocation, effects)
    git_places.weigh(invocation, verb, where, effects)
    return _names(invocation, verb) or out


def _alias(invocation: Invocation, body: Value) -> Stream:
    from phocinae_cli.analysis.doors import split_words

    rest = tuple(invocation.arguments.operands[1:])
    if body.head().startswith("!"):
        return runs.code_of_value(invocation, "sh", runs.spaced([body.cut(1), *rest]), False, ())
    words = split_words(invocation, body)
    position = next((n for n, word in enumerate(invocation.words) if word is invocation.arguments.operands[0]), 0)
    return invocation.run((known("git"), *words, *invocation.words[position + 1 :]), "git alias")


# --- settings that name a program --------------------------------------------------------------------------------


def _setting(invocation: Invocation, name: str, body: Value) -> None:
    """Judge the value of a setting that git runs; `name` is in lower case, as git reads it."""
    text = (body.exact or body.head()).strip()
    if name.startswith("alias."):
        if text.startswith("!"):
            runs.code_of_value(invocation, "sh", body.cut(body.head().index("!") + 1), False, ())
        return
    if name in FOLDER_SETTINGS:
        if text not in ("/dev/null", "", "false"):
            why = "git runs every hook it finds there"
            invocation.effect("persistence", text, "git.hooks", why, instead="read the hooks first")
        return
    if name not in PROGRAM_SETTINGS and not name.endswith(PROGRAM_ENDINGS):
        return
    if name.startswith("credential."):
        if text.startswith(("!", "/")):
            held = Stream(None, frozenset(("secret",)), "the credentials")  # git feeds them to its helper
            invocation.run_text(text.removeprefix("!"), invocation.scope.child(), stdin=held)
        return
    if text in ("", "true", "false", "1", "0") or text.split()[0].rpartition("/")[2] in PLAIN_PROGRAMS:
        words = text.split()
        if not any(char in text for char in ";|&$`<>\n") and "-c" not in words and "-o" not in text:
            return
    runs.code_of_value(invocation, "sh", body, False, ())


def _config(invocation: Invocation) -> None:
    """`git config KEY VALUE`: a value that is run later counts as run."""
    words = invocation.arguments.operands[1:]
    if words and words[0].exact in ("set", "get", "unset", "list"):
        words = words[1:]
    if len(words) > 1:
        _setting(invocation, words[0].text.lower(), words[1])


def _clone(invocation: Invocation) -> None:
    for setting in invocation.arguments.values("-c", "--config"):
        name, equals, _ = setting.head().partition("=")
        if equals:
            _setting(invocation, name.lower(), setting.cut(len(name) + 1))


def _transport(invocation: Invocation) -> None:
    """`ext::COMMAND` as an address is a command that git runs, with `% ` for a blank."""
    for value in invocation.arguments.operands[1:]:
        if value.head().startswith("ext::"):
            text = value.cut(5).text.replace("%%", "%").replace("% ", " ")
            runs.code_of_value(invocation, "sh", known(text, value.taint), False, ())


# --- what earlier commands of the line left in the repository ------------------------------------------------------


def _repository(invocation: Invocation, name: str) -> str | None:
    return invocation.scope.resolve(f".git/{name}")


def _switched(invocation: Invocation) -> None:
    """`git checkout X`, `git switch X`: a push later on the line is one of that branch.

    One operand that names a file is no branch: its changes are thrown away.
    """
    arguments = invocation.arguments
    operands = arguments.operands
    created = arguments.value("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan")
    branch = created if created is not None else operands[1] if len(operands) == 2 else None
    if branch is None or not branch.known:
        return
    if created is None and operands[0].exact == "checkout" and not arguments.dashed:
        if _is_file(invocation, branch.text):
            arguments.dashed = True
            return
    head = _repository(invocation, "HEAD")
    if head is not None and not arguments.dashed:
        invocation.scope.files[head] = Stream(f"ref: refs/heads/{branch.text}\n")


def _is_file(invocation: Invocation, text: str) -> bool:
    """Return whether a word is a file's name: it is there, or ends as sources and texts do and branches do not."""
    if "." not in text and "/" not in text:
        return False
    if text.rpartition(".")[2] in SOURCE_ENDINGS and "." in text:
        return True
    path = invocation.scope.resolve(text)
    fact = invocation.evaluator.collector.path_fact(path) if path is not None else None
    return fact is not None and fact.kind != "missing"


def _added(invocation: Invocation) -> None:
    """`git add .env`: a push later on the line sends the secret."""
    taint = NOTHING
    for value in invocation.arguments.operands[1:]:
        taint |= invocation.evaluator.collector.content(value, invocation.scope).taint
    index = _repository(invocation, "index")
    if index is not None and "secret" in taint:
        invocation.scope.files[index] = Stream(None, frozenset(("secret",)), "a secret that was added")


def _pushed(invocation: Invocation) -> None:
    """`git push -f` without a branch is one of the branch that is checked out; what was added goes along."""
    arguments = invocation.arguments
    if arguments.has("-n", "--dry-run"):
        return
    operands = arguments.operands
    deletes = arguments.has("-d", "--delete") or any(value.head().startswith(":") for value in operands[2:])
    if deletes and git_places.names_every_branch(operands):
        why = "deletes each branch of the remote, also the one that everybody builds on"
        instead = "take the branches that stay out of the list"
        invocation.effect("vcs-destroy", "every branch", "git.push-delete-every", why, instead=instead)
    index = _repository(invocation, "index")
    added = invocation.scope.files.get(index) if index is not None else None
    if added is not None and "secret" in added.taint:
        why = "sends a secret that was added before"
        invocation.effect("send", added.why, "git.push-secret", why, instead="`git rm --cached` it", place="secret")
    refs = operands[2:]
    forced = arguments.has(*FORCING) or any(value.head().startswith("+") for value in refs)
    if not forced or not all(value.exact in HEADS for value in refs):
        return
    branch = _branch(invocation)
    if branch:
        arguments.operands = [*operands, known(branch)]


def _branch(invocation: Invocation) -> str | None:
    head = _repository(invocation, "HEAD")
    written = invocation.scope.files.get(head) if head is not None else None
    if written is not None and written.text is not None:
        return written.text.strip().removeprefix("ref: refs/heads/")
    return invocation.evaluator.collector.branch(invocation.scope.cwd)


BEFORE = {
    "config": _config, "clone": _clone, "checkout": _switched, "switch": _switched, "add": _added, "stage": _added,
    "push": _pushed,
}  # fmt: skip


# --- afterwards --------------------------------------------------------------------------------------------------


def _discard(invocation: Invocation, first: int) -> None:
    """What throws away changes of tracked files loses nothing where the work tree is known to be clean."""
    collector = invocation.evaluator.collector
    for effect in collector.effects[first:]:
        if (
            effect.kind == "vcs-discard"
            and effect.target.text == "changed files"
            and collector.tree_clean(invocation.scope.cwd)
        ):
            effect.harm = "harmless"
            effect.why = "the work tree is clean, so nothing is lost"


def _names(invocation: Invocation, verb: str) -> Stream | None:
    """Verbs that print paths of the project: what takes them up works below the directory."""
    arguments = invocation.arguments
    if verb == "rev-parse":
        return _own_place(invocation)
    if git_places.lists_branches(invocation, verb):
        return Stream(None, NOTHING, f"the output of git{git_places.EVERY_BRANCH}")
    lists = verb == "ls-files" or (verb == "grep" and arguments.has("-l", "--files-with-matches", "--name-only"))
    if lists or (verb in ("diff", "diff-tree", "diff-index", "show") and arguments.has("--name-only")):
        return HereText((Value(("*",), True),), True)
    return None


def _own_place(invocation: Invocation) -> Stream | None:
    """`git rev-parse --git-dir` or `--show-toplevel` alone prints where the repository lies."""
    flags = {name for name, _ in invocation.arguments.flags} - {"--path-format"}
    root, cwd = invocation.scope.where.root, invocation.scope.cwd
    if cwd is None or len(flags) != 1 or invocation.arguments.operands[1:]:
        return None
    top = root if root is not None and (cwd + "/").startswith(root + "/") else cwd
    flag = flags.pop()
    if flag == "--show-toplevel":
        return Stream(f"{top}\n")
    return Stream(f"{top}/.git\n") if flag in ("--git-dir", "--absolute-git-dir", "--git-common-dir") else None


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"git": git}
