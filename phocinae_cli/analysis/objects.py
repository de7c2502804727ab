"""Read manifests that a line gives to a cluster: each object is judged as the command by its name would be."""

from __future__ import annotations

from phocinae_cli.analysis.values import known
from phocinae_cli.analysis.yamltext import Node, Unread, read_documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.values import Stream, Value

APPLIED = ("apply", "create", "replace")
REHEARSED = ("--dry-run",)
ROOT_OF_HOST = ("/", "/etc", "/root", "/var/run/docker.sock", "/run/containerd/containerd.sock", "/var/lib/kubelet")
MAX_OBJECTS = 200


def kubectl(invocation: Invocation) -> Stream | None:
    """Judge what `-f FILE` names, where the line itself wrote it or feeds it in; the rows follow."""
    arguments = invocation.arguments
    verb = arguments.operands[0].exact if arguments.operands else None
    if (verb not in APPLIED and verb != "delete") or arguments.has(*REHEARSED):
        return None
    for value in arguments.values("-f", "--filename"):
        text = _text(invocation, value)
        for item in _objects(text) if text else ():
            if verb == "delete":
                _named(invocation, item, ("delete",))
            else:
                _applied(invocation, item)
    return None


def _text(invocation: Invocation, value: Value) -> str | None:
    if value.exact in ("-", "/dev/stdin"):
        return invocation.stdin.text
    path = invocation.scope.resolve(value.text) if value.known else None
    written = invocation.scope.files.get(path) if path is not None else None
    return written.text if written is not None else None


def _objects(text: str) -> list[dict[str, Node]]:
    try:
        documents = read_documents(text)
    except Unread:
        return []
    found: list[dict[str, Node]] = []
    for document in documents:
        if not isinstance(document, dict):
            continue
        items = document.get("items")
        listed = items if isinstance(items, list) else [document]
        found.extend(item for item in listed if isinstance(item, dict))
    return found[:MAX_OBJECTS]


def _named(invocation: Invocation, item: dict[str, Node], words: tuple[str, ...], *more: str) -> None:
    """Judge a command on one object by its kind and name, in its namespace or the one on the line."""
    kind, meta = item.get("kind"), item.get("metadata")
    if not isinstance(kind, str) or not isinstance(meta, dict):
        return
    name, space = meta.get("name"), meta.get("namespace")
    argv = [known(invocation.name), *(known(word) for word in (*words, kind.lower()))]
    argv.append(known(name if isinstance(name, str) else "x"))
    if isinstance(space, str):
        argv.extend((known("-n"), known(space)))
    for option in ("-n", "--namespace", "--context", "--cluster"):
        given = invocation.arguments.value(option)
        if given is not None:
            argv.extend((known(option), given))
    invocation.run((*argv, *(known(word) for word in more)))


def _applied(invocation: Invocation, item: dict[str, Node]) -> None:
    spec, role = item.get("spec"), item.get("roleRef")
    if item.get("kind") == "ClusterRoleBinding" and isinstance(role, dict) and role.get("name") == "cluster-admin":
        _named(invocation, item, ("create",), "--clusterrole=cluster-admin")
    if not isinstance(spec, dict):
        return
    if spec.get("replicas") == "0":
        _named(invocation, item, ("scale",), "--replicas=0")
    pod = _pod(item, spec)
    if pod is not None and _owns_machine(pod):
        invocation.effect(
            "root-shell", "the machines of the cluster", "kubectl.owns-machine",
            "what runs in it has the rights of root on its machine",
        )  # fmt: skip


def _pod(item: dict[str, Node], spec: dict[str, Node]) -> dict[str, Node] | None:
    """Return what a pod of the object is made of."""
    if item.get("kind") == "Pod":
        return spec
    template = spec.get("template")
    inner = template.get("spec") if isinstance(template, dict) else None
    return inner if isinstance(inner, dict) else None


def _owns_machine(pod: dict[str, Node]) -> bool:
    if "true" in (pod.get("hostPID"), pod.get("hostIPC")):
        return True
    for volume in _maps(pod.get("volumes")):
        host = volume.get("hostPath")
        if isinstance(host, dict) and host.get("path") in ROOT_OF_HOST:
            return True
    for container in (*_maps(pod.get("containers")), *_maps(pod.get("initContainers"))):
        context = container.get("securityContext")
        if isinstance(context, dict) and context.get("privileged") == "true":
            return True
    return False


def _maps(node: Node | None) -> list[dict[str, Node]]:
    return [item for item in node if isinstance(item, dict)] if isinstance(node, list) else []


HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"manifest": kubectl}
