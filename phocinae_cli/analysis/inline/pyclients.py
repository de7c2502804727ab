"""Clients of other machines and services in Python code: HTTP, sockets, mail, SSH, clouds, databases."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import NETWORK, is_local
from phocinae_cli.analysis.inline.pyvalues import Bound, Made, Ref, taint_of, text_of, texts_of
from phocinae_cli.analysis.inline.wordlist import listed
from phocinae_cli.analysis.values import NOTHING, Stream, Value, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.pydeeds import Doing

Named = dict[str, object]

HTTP = ("requests", "httpx", "urllib3", "curl_cffi.requests")
READING = ("get", "head", "options", "stream")
WRITING = ("post", "put", "patch")
BODIES = ("data", "json", "files", "content", "body", "params", "headers", "cookies", "auth", "fields")
SESSIONS = listed(
    """
    requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession urllib3.PoolManager
    http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPConnection httplib.HTTPSConnection
    """
)
SERVERS = listed(
    """
    http.server.HTTPServer http.server.ThreadingHTTPServer http.server.test socketserver.TCPServer
    socketserver.ThreadingTCPServer SimpleHTTPServer.test SocketServer.TCPServer BaseHTTPServer.HTTPServer
    BaseHTTPServer.test wsgiref.simple_server.make_server socketserver.UDPServer
    """
)
BROWSERS = ("webbrowser.open", "webbrowser.open_new", "webbrowser.open_new_tab")
MAIL = ("smtplib.SMTP", "smtplib.SMTP_SSL")
FTP = ("ftplib.FTP", "ftplib.FTP_TLS")
SSH = (
    "paramiko.SSHClient",
    "paramiko.Transport",
    "fabric.Connection",
    "paramiko.SFTPClient.from_transport",
    "pysftp.Connection",
)
CLOUD = ("boto3.client", "boto3.resource", "boto3.Session", "boto3.session.Session")
DATABASES = listed(
    """
    sqlite3.connect psycopg2.connect psycopg.connect pymysql.connect MySQLdb.connect mysql.connector.connect
    cx_Oracle.connect pyodbc.connect sqlalchemy.create_engine duckdb.connect asyncpg.connect pymssql.connect
    clickhouse_driver.Client
    """
)
STORES = listed(
    """
    redis.Redis redis.StrictRedis redis.from_url redis.Redis.from_url pymongo.MongoClient MongoClient
    """
)
SQL_VERBS = listed(
    """
    SELECT INSERT UPDATE DELETE DROP TRUNCATE ALTER CREATE WITH GRANT PRAGMA VACUUM ATTACH COPY REPLACE MERGE EXEC
    CALL SHOW SET BEGIN
    """
)
STORE_DESTROY = listed(
    """
    flushall flushdb drop_database drop_collection drop_all dropDatabase drop_table drop_tables delete_index
    reset_database
    """
)
CLOUD_DESTROY = listed(
    """
    delete_bucket terminate_instances delete_db_instance delete_table delete_stack delete_volume delete_snapshot
    delete_cluster delete_objects deregister delete_db_cluster delete_user delete_hosted_zone delete_function
    delete_file_system schedule_key_deletion delete_repository delete_secret
    """
)


def named(doing: Doing, name: str, arguments: list[object], options: Named) -> object | None:
    """Return what a call of a client library's name gives, or None when it is none."""
    module, _, last = name.rpartition(".")
    if module in HTTP and (last in READING or last in WRITING or last in ("delete", "request")):
        return _http(doing, last, arguments, options)
    if name in ("urllib.request.urlopen", "urllib2.urlopen", "urllib.urlopen", "urlopen", *BROWSERS):
        return _urlopen(doing, arguments, options)
    if name in ("urllib.request.urlretrieve", "urllib.urlretrieve", "wget.download"):
        return _retrieve(doing, arguments, options)
    if name in ("urllib.request.Request", "urllib2.Request"):
        data = options.get("data", arguments[1] if len(arguments) > 1 else None)
        return Made("request", text_of(arguments[0] if arguments else options.get("url", "")), (data,))
    if name in ("urllib.parse.urlencode", "urllib.urlencode"):
        return unknown("an encoded text", taint_of(arguments))
    if name in SESSIONS:
        return Made("session", text_of(arguments[0]) if arguments else known(""))
    if name in SERVERS:
        doing.deeds.listen(name)
        return Made("server", known(name))
    if name == "socket.socket":
        return Made("socket", known(""))
    if name == "socket.create_connection":
        return _connect(doing, Made("socket", known("")), arguments)
    if name in MAIL or name in FTP or name in SSH:
        kind = "mail" if name in MAIL else "ftp" if name in FTP else "ssh"
        return Made(kind, text_of(arguments[0]) if arguments else unknown("a host"))
    if name in CLOUD:
        return Made("cloud", known(text_of(arguments[0]).text if arguments else "aws"))
    if name in DATABASES:
        return Made("database", text_of(arguments[0]) if arguments else known("a database"))
    if name in STORES:
        return Made("store", text_of(arguments[0]) if arguments else known("a store"))
    if name in ("sqlalchemy.text", "sqlalchemy.sql.text"):
        return arguments[0] if arguments else None
    return None


def method(doing: Doing, base: object, name: str, arguments: list[object], options: Named) -> object | None:
    """Return what a method of a client gives, or None when nobody described it."""
    deeds = doing.deeds
    kind = base.kind if isinstance(base, Made) else ""
    if kind == "session":
        if name in ("request",) or name in READING or name in WRITING or name == "delete":
            verb = arguments[:1] if name == "request" and text_of(base).exact else []
            return _http(doing, name, [*verb, *_with_host(base, arguments)], options)
        return base if name in ("mount", "close", "getresponse", "__enter__") else None
    if kind == "socket":
        return _socket(doing, base, name, arguments)
    if kind == "response":
        return base.value if isinstance(base, Made) else None
    if kind == "mail" and name in ("sendmail", "send_message"):
        deeds.send(text_of(base), [text_of(argument) for argument in arguments[-1:]], "mail")
        return None if arguments else unknown("nothing")
    if kind == "ftp":
        if name in ("storbinary", "storlines"):
            deeds.send(text_of(base), [text_of(argument) for argument in arguments[1:2]], "upload")
        elif name in ("delete", "rmd"):
            deeds.plain(
                "cloud-change",
                text_of(arguments[0]).text if arguments else "",
                "remote-delete",
                "it deletes a file on another machine",
            )
        return unknown("the answer of a server", NETWORK)
    if kind == "ssh":
        return _ssh(doing, base, name, arguments)
    if kind == "cloud" or (isinstance(base, Bound) and _root_kind(base) == "cloud"):
        return _cloud(doing, base, name, arguments, options)
    if (
        name
        in (
            "execute",
            "executescript",
            "executemany",
            "exec_driver_sql",
            "raw",
            "query",
            "exec",
            "sql",
            "read_sql",
            "fetch",
            "fetchrow",
        )
        and arguments
    ):
        return _statements(doing, arguments)
    if name in STORE_DESTROY:
        deeds.plain("db-destroy", name, name.replace("_", "-"), "it empties or drops a whole store")
        return unknown("nothing")
    if name in ("delete_many", "remove", "deleteMany") and arguments and arguments[0] == {}:
        deeds.plain("db-destroy", name, "delete-many", "it deletes every document")
        return unknown("nothing")
    if name == "drop" and kind == "store":
        deeds.plain("db-destroy", name, "drop", "it drops a whole collection")
        return unknown("nothing")
    if kind == "store" and name in (
        "set",
        "delete",
        "hset",
        "insert_one",
        "update_one",
        "delete_one",
        "insert_many",
        "update_many",
        "delete_many",
        "expire",
        "lpush",
        "rpush",
    ):
        deeds.plain("db-write", name, "store-write", "it changes what is stored")
        return unknown("nothing")
    if kind == "store":
        return Made("store", known(name))
    if (
        name == "delete"
        and isinstance(base, (Value, Made))
        and any(word in text_of(base).text for word in ("result of all", "result of filter", "result of exclude"))
    ):
        harm = "db-destroy" if "result of all" in text_of(base).text else "db-write"
        deeds.plain(harm, "rows", "delete-rows", "it deletes rows")
        return unknown("nothing")
    if (name in WRITING or name in ("delete", "get")) and arguments and _is_url(arguments[0]):
        return _http(doing, name, arguments, options)
    if name in ("serve_forever",):
        return unknown("nothing")
    return None


def _is_url(argument: object) -> bool:
    return text_of(argument).head().startswith(("http://", "https://"))


def _root_kind(base: object) -> str:
    while isinstance(base, Bound):
        base = base.base
    return base.kind if isinstance(base, Made) else ""


def _with_host(base: object, arguments: list[object]) -> list[object]:
    """Put the host that a connection was opened to in place of the path it is asked for."""
    host = text_of(base)
    if host.exact:
        return (
            [known("https://" + host.text), *arguments[2:]] if len(arguments) > 1 else [known("https://" + host.text)]
        )
    return arguments


def _http(doing: Doing, verb: str, arguments: list[object], options: Named) -> object:
    if verb == "request":
        first = arguments[0] if arguments else options.get("method", "GET")
        verb = first.lower() if isinstance(first, str) and first.isalpha() else "get"
        arguments = arguments[1:] if isinstance(first, str) and first.isalpha() else arguments
    url = text_of(arguments[0] if arguments else options.get("url", unknown("an address")))
    deeds = doing.deeds
    deeds.request(verb, url, [known(str(options[key])) for key in ("json", "data") if key in options])
    bodies = [text_of(options[key]) for key in BODIES if key in options and options[key] is not None]
    if verb in WRITING:
        bodies += [text_of(argument) for argument in arguments[1:2]]
    else:
        bodies = [body for body in bodies if body.taint]
    if bodies:
        deeds.send(url, bodies)
    elif verb == "delete" and not is_local(url):
        deeds.plain("cloud-change", url.text, "http-delete", "it deletes something on another machine")
    found = deeds.fetch(url)
    return Made("response", found)


def _urlopen(doing: Doing, arguments: list[object], options: Named) -> object:
    first = arguments[0] if arguments else options.get("url", unknown("an address"))
    data = options.get("data", arguments[1] if len(arguments) > 1 and not isinstance(arguments[1], int) else None)
    url = text_of(first)
    if isinstance(first, Made) and first.kind == "request":
        data = data if data is not None else first.parts[0]
    if data is not None:
        doing.deeds.send(url, [text_of(data)])
    return Made("response", doing.deeds.fetch(url))


def _retrieve(doing: Doing, arguments: list[object], options: Named) -> object:
    url = text_of(arguments[0] if arguments else options.get("url", unknown("an address")))
    found = doing.deeds.fetch(url)
    target = arguments[1] if len(arguments) > 1 else options.get("filename", options.get("out"))
    if target is None:
        name = url.text.rpartition("/")[2]
        target = name or "download"
    for value in texts_of(target):
        doing.deeds.write(value, content=Stream(None, found.taint, found.unknown_why()), what="download")
    return [target, unknown("headers")]


def _connect(doing: Doing, socket: Made, arguments: list[object]) -> object:
    address = arguments[0] if arguments else None
    host = text_of(address[0]) if isinstance(address, list) and address else unknown("a host")
    socket.value = host
    doing.calls.walker.connected = True
    return socket


def _socket(doing: Doing, base: object, name: str, arguments: list[object]) -> object:
    deeds = doing.deeds
    assert isinstance(base, Made)
    if name in ("connect", "connect_ex"):
        return _connect(doing, base, arguments)
    if name == "bind":
        deeds.listen("a port")
        return unknown("nothing")
    if name == "accept":
        doing.calls.walker.connected = True
        return [Made("socket", unknown("whoever connects")), unknown("an address")]
    if name in ("send", "sendall", "sendto", "sendfile"):
        data = [text_of(argument) for argument in arguments[:1]]
        host = base.value
        if name == "sendto" and len(arguments) > 1 and isinstance(arguments[-1], list) and arguments[-1]:
            host = text_of(arguments[-1][0])
        if any(value.taint or not value.known for value in data):
            deeds.send(host, data)
        return unknown("a number")
    if name in ("recv", "recvfrom", "makefile", "recv_into"):
        return Made("response", unknown("what the other side sends", NETWORK))
    if name == "fileno":
        return Made("descriptor", unknown("a connection"))
    return unknown("nothing")


def _ssh(doing: Doing, base: object, name: str, arguments: list[object]) -> object | None:
    deeds = doing.deeds
    if name in ("exec_command", "run", "sudo") and arguments:
        from phocinae_cli.analysis import runs

        for value in texts_of(arguments[0]):
            runs.code_of_value(deeds.invocation, "sh", value, True, ())
        return [unknown("input"), unknown("what it answers", NETWORK), unknown("errors")]
    if name in ("put", "putfo") and arguments:
        value = text_of(arguments[0])
        deeds.send(text_of(base), [Value(value.parts, False, value.taint | deeds.read(value).taint)], "upload")
        return unknown("nothing")
    if name in ("remove", "unlink", "rmdir"):
        deeds.plain("cloud-change", name, "remote-delete", "it deletes a file on another machine")
        return unknown("nothing")
    if name == "connect":
        return unknown("nothing")
    return Made("ssh", text_of(base))


def _cloud(doing: Doing, base: object, name: str, arguments: list[object], options: Named) -> object:
    deeds = doing.deeds
    if name in ("upload_file", "upload_fileobj", "put_object", "send_message", "publish", "upload"):
        first = options.get("Body", options.get("Filename", arguments[0] if arguments else unknown("data")))
        value = text_of(first)
        deeds.send(known("aws"), [Value(value.parts, False, value.taint | deeds.read(value).taint)], "upload")
    elif name in CLOUD_DESTROY or (name in ("delete", "terminate") and taint_of(base) == NOTHING):
        deeds.plain("cloud-destroy", name, name.replace("_", "-"), "what it holds can't be brought back")
    elif name.startswith(
        (
            "delete_",
            "remove_",
            "detach_",
            "create_",
            "put_",
            "update_",
            "modify_",
            "start_",
            "stop_",
            "run_",
            "reboot_",
            "attach_",
            "invoke",
            "copy_",
            "set_",
            "tag_",
            "untag_",
        )
    ):
        deeds.plain("cloud-change", name, name.replace("_", "-"), "it changes something in the cloud")
    return Made("cloud", known(name))


def _statements(doing: Doing, arguments: list[object]) -> object:
    for value in texts_of(arguments[0]):
        words = value.text.lstrip(" \n\t(").split(None, 1)
        if words and words[0].upper().rstrip(";") in SQL_VERBS:
            doing.deeds.code("sql", value)
    return unknown("rows")


__all__ = ["Ref", "method", "named"]
