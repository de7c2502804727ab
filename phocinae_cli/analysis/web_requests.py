"""Requests to the HTTP interfaces of data stores, forges and servers: method, address and body, whoever sends them."""

from __future__ import annotations

from phocinae_cli.analysis import infer
from phocinae_cli.analysis.arguments import Arguments, holds
from phocinae_cli.analysis.values import EMPTY, Stream, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.kb.lookup import Knowledge, Row

DESCRIBED_AS = "http-request"
"""The name in the knowledge base under which requests are described; no program is called like this."""
CURL_DATA = (
    "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form",
    "--form-string",
)  # fmt: skip
WGET_DATA = ("--post-data", "--body-data")
METHODS = frozenset(("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "MOVE", "COPY"))
MAX_REQUESTS = 20
EACH = "--:each"
"""Our own option: the address is one of those that another command lists."""


def judge(invocation: Invocation, method: str, address: Value, bodies: list[Value]) -> None:
    """Record what one request does by the rows for requests; nothing is recorded where none holds.

    The rows see the method and the address without its query as operands, `--query` and `--body` as options, and
    `--:each` where the request is made once for each of what another command lists.
    """
    tool = invocation.evaluator.collector.knowledge.find(DESCRIBED_AS)
    if tool is None or not address.text:
        return
    before, invocation.arguments = invocation.arguments, request(method, address, bodies)
    try:
        infer.apply_rows(invocation, tool)
    finally:
        invocation.arguments = before


def request(method: str, address: Value, bodies: list[Value]) -> Arguments:
    """Return a request as the arguments that the rows for requests look at."""
    path, _, query = address.text.partition("?")
    arguments = Arguments("exact")
    arguments.operands = [known(method.upper()), known(path if "://" in path else "//" + path, address.taint)]
    arguments.flags = [("--query", known(decoded(part), address.taint)) for part in query.split("&") if part]
    arguments.flags += [("--body", body) for body in bodies]
    if address.one_of_many():
        arguments.flags.append((EACH, None))
    return arguments


def rows_for(knowledge: Knowledge, method: str, address: Value, bodies: list[Value]) -> list[Row]:
    """Return the rows for requests that hold, for whoever has effects of another kind to record."""
    tool = knowledge.find(DESCRIBED_AS)
    arguments = request(method, address, bodies)
    rows = tool.rows_for(method.upper()) if tool is not None else []
    return [row for row in rows if row.effects and holds(row.when, arguments, False) >= 0]


def decoded(text: str) -> str:
    """Return a part of an address without its percent signs."""
    head, *pieces = text.replace("+", " ").split("%")
    for piece in pieces:
        code = piece[:2]
        hexadecimal = len(code) == 2 and all(char in "0123456789abcdefABCDEF" for char in code)
        head += chr(int(code, 16)) + piece[2:] if hexadecimal else "%" + piece
    return head


def curl(invocation: Invocation) -> None:
    """Judge what `curl` asks for, before its rows say what it reads and writes; `None` lets them."""
    arguments = invocation.arguments
    given = arguments.value("-X", "--request")
    data = arguments.values(*CURL_DATA)
    in_address = arguments.has("-G", "--get")
    if given is not None:
        method = given.text
    elif arguments.has("-I", "--head"):
        method = "HEAD"
    elif arguments.has("-T", "--upload-file"):
        method = "PUT"
    else:
        method = "POST" if data and not in_address else "GET"
    if given is None and method == "HEAD":
        return
    for address in [*arguments.values("--url"), *arguments.operands][:MAX_REQUESTS]:
        judge(invocation, method, address, _contents(invocation, data))


def _contents(invocation: Invocation, data: list[Value]) -> list[Value]:
    """Return what is sent: texts, and for `@file` or `@-` the content where the line itself made it."""
    found: list[Value] = []
    for value in data:
        if value.head().startswith("@"):
            source = value.cut(1)
            stream = (
                invocation.stdin
                if source.exact == "-"
                else invocation.evaluator.collector.content(source, invocation.scope)
            )
            if stream is not EMPTY and stream.text is not None:
                found.append(known(stream.text, stream.taint))
                continue
        found.append(value)
    return found


def wget(invocation: Invocation) -> None:
    """Judge what `wget` asks for."""
    arguments = invocation.arguments
    data = arguments.values(*WGET_DATA)
    given = arguments.value("--method")
    method = given.text if given is not None else "POST" if data else "GET"
    for address in arguments.operands[:MAX_REQUESTS]:
        judge(invocation, method, address, data)


def httpie(invocation: Invocation) -> None:
    """Judge what `http [METHOD] ADDRESS [NAME=VALUE...]` asks for."""
    operands = invocation.arguments.operands
    method = ""
    if operands and operands[0].text.upper() in METHODS:
        method, operands = operands[0].text, operands[1:]
    if not operands:
        return
    address, items = operands[0], operands[1:]
    sent = [item for item in items if "=" in item.text and "==" not in item.text]
    raw = invocation.arguments.values("--raw")
    if not method:
        method = "POST" if sent or raw or invocation.stdin.text else "GET"
    if address.head().startswith(":"):
        address = Value(("localhost", *address.parts), address.globs, address.taint)
    judge(invocation, method, address, [*sent, *raw])


def signed(invocation: Invocation) -> None:
    """Judge what a cloud's own tool asks for with the login it has: `az rest --method delete --url ADDRESS`."""
    arguments = invocation.arguments
    if arguments.operands and arguments.operands[0].exact in ("rest", "raw-request"):
        given = arguments.value("--method", "--http-method")
        bodies = arguments.values("--body", "--request-body")
        for address in arguments.values("--url", "--uri", "-u", "--target-uri"):
            judge(invocation, given.text if given is not None else "GET", address, bodies)


def web(invocation: Invocation) -> Stream | None:
    """Judge the request of one of the programs that send one; the program's own rows follow."""
    sender = SENDERS.get(invocation.name)
    if sender is not None:
        sender(invocation)
    return None


SENDERS: dict[str, Callable[[Invocation], None]] = {
    "curl": curl, "curlie": curl, "wget": wget, "wget2": wget, "http": httpie, "https": httpie, "xh": httpie,
    "xhs": httpie, "awscurl": curl, "az": signed, "oci": signed,
}  # fmt: skip
HANDLERS: dict[str, Callable[[Invocation], Stream | None]] = {"web": web}
