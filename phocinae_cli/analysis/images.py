"""What a container starts from an image: many images are one program, and the words behind them are its arguments."""

from __future__ import annotations

from phocinae_cli.analysis.collect import is_path_kind
from phocinae_cli.analysis.values import Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.core.effects import Effect
    from phocinae_cli.kb.lookup import Knowledge

PROGRAM_OF = {
    "aws-cli": "aws", "opentofu": "tofu", "pandoc/core": "pandoc", "pandoc/latex": "pandoc", "pandoc/extra": "pandoc",
    "sonar-scanner-cli": "sonar-scanner", "docker/compose": "docker-compose", "redis-cli": "redis-cli",
    "ansible/ansible": "ansible", "dind": "docker", "skopeo/stable": "skopeo", "buildah/stable": "buildah",
    "podman/stable": "podman",
}  # fmt: skip
"""The program of an image where the names differ, by the image's last name or by its last two."""
OUTWARD = frozenset(
    (
        "db-write", "db-schema", "db-destroy", "cloud-change", "cloud-destroy", "cluster-change", "cluster-destroy",
        "backup-destroy", "publish", "vcs-destroy", "expose", "destroy", "send", "remote-shell",
    )
)  # fmt: skip
"""Kinds of effects that reach out of a container that nothing is mounted into."""
UNSEEN = frozenset(("unknown", "run-unknown-code", "run-remote-code"))
"""Kinds of effects that may change what is mounted."""
TAINTED = frozenset(("secret", "environment", "dump", "private"))


def started(invocation: Invocation, words: list[Value]) -> list[Value]:
    """Return the argv that runs in the container; `words` are the image (unless `--image` names it) and what follows.

    Without words behind the image nobody knows what runs, and the answer is empty.
    """
    arguments = invocation.arguments
    named = arguments.value("--image")
    image, given = (named, words) if named is not None else (words[0] if words else None, words[1:])
    entry = arguments.value("--entrypoint")
    if entry is not None and entry.exact != "":
        return [*(known(word) for word in entry.text.split()), *given]
    if image is None or not given or entry is not None or arguments.has("--command"):
        return given
    program = _program_of(image.text, given[0], invocation.evaluator.collector.knowledge)
    return [known(program), *given] if program else given


def _program_of(image: str, first: Value, knowledge: Knowledge) -> str:
    """Return the program that the image itself is, or an empty text where the first word behind it is one."""
    name = image.partition("@")[0]
    owner, slash, base = name.rpartition("/")
    base = base.partition(":")[0]
    program = PROGRAM_OF.get(f"{owner.rpartition('/')[2]}/{base}") or PROGRAM_OF.get(base) or base
    tool = knowledge.find(program)
    word = first.text
    if tool is None or word.rpartition("/")[2] in (program, base):
        return ""
    if word.startswith("-") or tool.knows_verb(word):
        return program
    if word.startswith((".", "/")) and not slash:
        return ""  # `nginx ./start.sh`: the images without an owner are systems and servers more than programs
    return "" if knowledge.find(word.rpartition("/")[2]) is not None else program


def keep_what_matters(invocation: Invocation, before: int) -> None:
    """Drop what happened since effect number `before` and stays in a fresh container: it goes when the container goes.

    What reaches out stays, and what happens below a mount or may happen there.
    """
    from phocinae_cli.analysis.mounts import bind_mounts, on_host

    collector = invocation.evaluator.collector
    mounts = bind_mounts(invocation.arguments, invocation.scope)

    def matters(effect: Effect) -> bool:
        if effect.kind == "send":
            return bool(mounts) or effect.target.place in TAINTED
        if effect.kind in OUTWARD:
            return True
        if not mounts:
            return False
        if is_path_kind(effect.kind):
            path = effect.target.path
            return path is None or on_host(path, mounts) is not None
        return effect.kind in UNSEEN

    collector.effects[before:] = [effect for effect in collector.effects[before:] if matters(effect)]
