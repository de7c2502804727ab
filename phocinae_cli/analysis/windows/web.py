"""Cmdlets that fetch from and send to other machines."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import host_of
from phocinae_cli.analysis.outputs import METADATA_HOSTS
from phocinae_cli.analysis.sending import data_place
from phocinae_cli.analysis.values import NOTHING, Unknown, Value
from phocinae_cli.analysis.web_requests import rows_for
from phocinae_cli.analysis.windows import members
from phocinae_cli.analysis.windows.paths import located
from phocinae_cli.analysis.windows.things import NONE, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.windows.invocation import WindowsInvocation

LOCAL = ("localhost", "127.0.0.1", "::1", "[::1]")
READING = ("get", "head", "options", "")


def request(invocation: WindowsInvocation) -> Thing:
    """`Invoke-WebRequest`, `Invoke-RestMethod`: fetches, saves, or sends."""
    arguments = invocation.arguments
    named = arguments.value("-uri")
    operands = [*([named] if named is not None else []), *arguments.operands] or list(invocation.piped.values)
    address = operands[0] if operands else None
    shown = address.text if address is not None else "an address"
    host = host_of(shown) or host_of("http://" + shown)
    local = host in LOCAL
    taint = NOTHING if local else frozenset(("network",))
    if host in METADATA_HOSTS:
        taint |= {"secret"}
        invocation.effect("show-secret", shown, "web.metadata", "the machine's own credentials lie there")
    _send(invocation, shown, local, address)
    target = arguments.value("-outfile")
    if target is not None:
        members.save(invocation, target, taint, "web.download")
        return NONE if not arguments.has("-passthru") else _answer(shown, taint)
    return _answer(shown, taint)


def _answer(shown: str, taint: frozenset[str]) -> Thing:
    return Thing((Value((Unknown(f"what {shown} sends"),), False, taint),), "answer")


def _send(invocation: WindowsInvocation, shown: str, local: bool, address: Value | None) -> None:
    arguments = invocation.arguments
    method = (arguments.value("-method", "-custommethod") or Value(("get",))).text.lower()
    body = invocation.named("-body", "-form")
    if body is None and invocation.piped.values and address is not None and address not in invocation.piped.values:
        body = invocation.piped
    file = arguments.value("-infile")
    taint = address.taint - {"network"} if address is not None else NOTHING
    text = shown
    plain = True
    if body is not None:
        taint |= body.taint
        text, plain = body.one().text, all(value.known for value in body.values)
    if file is not None:
        taint |= invocation.walker.collector.content(located(file, invocation.scope.home), invocation.scope).taint
        text, plain = file.text, False
    if address is not None:
        bodies = list(body.values) if body is not None else []
        for row in rows_for(invocation.walker.collector.knowledge, method or "get", address, bodies):
            for effect in row.effects:
                invocation.effect(effect.partition(" ")[0], shown, row.code, row.why)
    if body is None and file is None and method in READING and not taint:
        return
    if body is None and file is None and method == "delete":
        invocation.effect("change", shown, "web.delete", "asks another machine to delete something")
        return
    if method in ("get", "head", "") and not taint & {"secret", "environment", "dump", "private"}:
        return
    place = "local" if local else data_place(taint, plain)
    invocation.effect("send", text, "web.send", "data leaves this machine", place=place)


def download(invocation: WindowsInvocation) -> Thing:
    """`Start-BitsTransfer`, `Save-Module`: fetches to a file, or sends one."""
    arguments = invocation.arguments
    named = arguments.value("-source")
    operands = [*([named] if named is not None else []), *arguments.operands]
    if not operands:
        return NONE
    source, target = operands[0], operands[1] if len(operands) > 1 else None
    upload = (arguments.value("-transfertype") or Value(("download",))).text.lower().startswith("upload")
    if upload and target is not None:
        taint = invocation.walker.collector.content(source, invocation.scope).taint
        invocation.effect("send", source.text, "web.send", "data leaves this machine", place=data_place(taint, False))
        return NONE
    network = NOTHING if host_of(source.text) in LOCAL else frozenset(("network",))
    value = target if target is not None else Value((source.text.rpartition("/")[2] or "download",))
    members.save(invocation, value, network, "web.download")
    return NONE


def mail(invocation: WindowsInvocation) -> Thing:
    """`Send-MailMessage`: its text and what is attached leave this machine."""
    taint = NOTHING
    body = invocation.named("-body")
    text = body.one().text if body is not None else "a message"
    taint |= body.taint if body is not None else NOTHING
    plain = True
    files = invocation.named("-attachments")
    for value in files.values if files is not None else invocation.piped.values:
        taint |= invocation.walker.collector.content(located(value, invocation.scope.home), invocation.scope).taint
        text, plain = value.text, False
    invocation.effect("send", text, "mail.send", "what is in it leaves this machine", place=data_place(taint, plain))
    return NONE
