"""Commands stay on this machine: the address connected to is judged, not how the endpoint is spelled."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from phocinae_cli.backends import loopback, token
from phocinae_cli.backends.loopback import Deadline, endpoint, is_loopback
from phocinae_cli.errors import PhocinaeError
from tests.backends.servers import (
    StartServer,
    Talk,
    client_for,
    flat_body,
    http,
    packed,
    read_request,
    run_ask,
    say,
    verdict_over,
)

GOOD = say(http(packed(flat_body())))


@pytest.mark.parametrize(
    "spelling",
    [
        "http://127.0.0.1:{port}",
        "http://127.0.0.1:{port}/",
        "http://127.0.0.1:{port}/v1/systemone",
        "http://127.0.0.1:{port}/v1/systemone/",
        "http://localhost:{port}/v1/systemone",
        "http://LOCALHOST:{port}",
        "http://something.localhost:{port}",
        "http://2130706433:{port}",
        "http://0x7f.1:{port}",
        "http://[::ffff:127.0.0.1]:{port}",
    ],
)
def test_every_spelling_of_this_machine_is_reached(spelling: str, raw_server: StartServer) -> None:
    family = socket.AF_INET
    talk_port = raw_server(GOOD, family).port
    assert verdict_over(spelling.format(port=talk_port)).decision == "allow"


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1:8155",
        "http://192.0.2.7:8155/v1/systemone",
        "http://3221225991:8155",
        "http://[::ffff:10.0.0.1]:8155",
        "http://[2001:db8::1]:8155",
        "http://0.0.0.0:8155",
        "http://[::]:8155",
        "http://169.254.169.254",
    ],
)
def test_another_machine_is_never_connected_to(url: str) -> None:
    with pytest.raises(PhocinaeError) as caught:
        client_for(url, dialect="auto").dialect()
    assert caught.value.code == "PHOCINAE_INVALID_CONFIG"
    for mode in ("closed", "open"):
        verdict = verdict_over(url, gate_fail_mode=mode)
        assert verdict.decision == "ask", "a broken configuration never opens the gate"
        assert "not this machine" in verdict.message


@pytest.mark.parametrize(
    "url",
    [
        "http://user:password@127.0.0.1:8155",
        "http://127.0.0.1@evil.example:8155",
        "http://127.0.0.1:8155/v1/systemone?key=1",
        "http://127.0.0.1:8155/#x",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "unix:///tmp/socket",
        "127.0.0.1:8155",
        "http://",
        "http://127.0.0.1:port",
        "http://127.0.0.1:99999",
        "http://[::1",
        "http://127.0.0.1\\@evil.example",
        "http://127.0.0.1:8155/\r\nX: y",
        "",
    ],
)
def test_an_address_that_can_mean_two_things_is_refused(url: str) -> None:
    with pytest.raises(PhocinaeError) as caught:
        endpoint(url)
    assert caught.value.code == "PHOCINAE_INVALID_CONFIG"
    assert "password" not in caught.value.message.replace("user name or password", "")
    assert verdict_over(url, gate_fail_mode="open").decision == "ask"


class _Names:
    """Stands in for the resolver: a name leads to addresses of our choosing, and to others the second time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
        self.asked = 0
        self._answers = answers
        monkeypatch.setattr(socket, "getaddrinfo", self.look_up)

    def look_up(self, host: str, port: int, **_: object) -> list[object]:
        addresses = self._answers[min(self.asked, len(self._answers) - 1)]
        self.asked += 1
        return [
            (socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in addresses
        ]


def test_a_name_that_only_looks_local_is_judged_by_where_it_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    _Names(monkeypatch, ["192.0.2.1"])
    assert "192.0.2.1, which is not this machine" in verdict_over("http://127.0.0.1.evil.example:8155").message


def test_a_name_that_changes_its_address_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch, raw_server: StartServer
) -> None:
    names = _Names(monkeypatch, ["127.0.0.1"], ["192.0.2.1"])
    server = raw_server(GOOD)
    assert verdict_over(f"http://rebinding.example:{server.port}").decision == "allow"
    assert names.asked == 1


def test_of_several_addresses_only_local_ones_are_tried(
    monkeypatch: pytest.MonkeyPatch, raw_server: StartServer
) -> None:
    _Names(monkeypatch, ["192.0.2.1", "127.0.0.1"])
    assert verdict_over(f"http://mixed.example:{raw_server(GOOD).port}").decision == "allow"


def test_a_resolver_that_hangs_does_not_outlive_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = threading.Event()

    def hang(*_: object, **__: object) -> list[object]:
        waiting.wait(10)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    with pytest.raises(loopback.Expired):
        loopback.addresses(endpoint("http://slow.example"), Deadline(0.1))
    waiting.set()


def test_localhost_reaches_a_server_on_either_family(raw_server: StartServer) -> None:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            server = raw_server(GOOD, family)
        except OSError:
            pytest.skip("this machine has no IPv6")
        assert verdict_over(f"http://localhost:{server.port}").decision == "allow"


@pytest.mark.parametrize("address", ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"])
def test_loopback_addresses(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize("address", ["10.0.0.1", "0.0.0.0", "::", "::ffff:10.0.0.1", "fe80::1%lo", "localhost", ""])
def test_addresses_that_are_not_loopback(address: str) -> None:
    assert not is_loopback(address)


PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.mark.parametrize("no_proxy", [None, "", "*", "127.0.0.1"])
def test_a_proxy_in_the_environment_changes_nothing(
    no_proxy: str | None, raw_server: StartServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proxy = raw_server(say(b""))
    for name in PROXIES:
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
    if no_proxy is not None:
        monkeypatch.setenv("NO_PROXY", no_proxy)
    server = raw_server(GOOD)
    assert verdict_over(server.url).decision == "allow"
    question = ("--choice", "harm:harmless,risky,destructive")
    assert run_ask("--state", "ls", *question, "--endpoint", server.url, "--dialect", "flat") == 0
    assert proxy.requests == []


def test_a_netrc_file_gives_no_credentials(
    raw_server: StartServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login me password hidden\n")
    monkeypatch.setenv("NETRC", str(netrc))
    server = raw_server(GOOD)
    verdict_over(server.url)
    assert b"authorization" not in server.requests[0].lower()


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed(code: int, raw_server: StartServer) -> None:
    target = raw_server(GOOD)
    head = f"HTTP/1.1 {code} Moved\r\nContent-Type: application/json\r\nLocation: {target.url}"
    server = raw_server(say(http(b"{}", head)))
    assert verdict_over(server.url).reason == "decision-service-unavailable"
    assert (len(server.requests), target.requests) == (1, [])


# --- the token --------------------------------------------------------------------------------------------------------


def secret_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "token"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_token_is_sent_from_a_variable_or_a_closed_file(
    raw_server: StartServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = raw_server(GOOD)
    question = ("--choice", "harm:harmless,risky,destructive", "--endpoint", server.url, "--dialect", "flat")
    monkeypatch.setenv("PHOCINAE_TOKEN_FILE", str(secret_file(tmp_path, "from-a-file\n")))
    assert run_ask("--state", "ls", *question) == 0
    monkeypatch.setenv("PHOCINAE_TOKEN", "from-a-variable")
    assert run_ask("--state", "ls", *question) == 0
    assert b"Authorization: Bearer from-a-file\r\n" in server.requests[0]
    assert b"Authorization: Bearer from-a-variable\r\n" in server.requests[1]


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o601])
def test_a_token_that_others_may_touch_is_refused_and_not_shown(mode: int, tmp_path: Path) -> None:
    with pytest.raises(PhocinaeError) as caught:
        token.from_file(str(secret_file(tmp_path, "hush-hush", mode)))
    assert caught.value.code == "PHOCINAE_INVALID_CONFIG"
    assert "hush" not in caught.value.message + caught.value.do


@pytest.mark.parametrize("text", ["", " ", "two words", "line\nbreak", "tab\tbed", "ümlaut", "\x1b[0m", "x" * 5000])
def test_what_can_not_be_a_token_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(PhocinaeError):
        token.from_file(str(secret_file(tmp_path, text)))


def test_a_token_is_never_taken_from_something_else_than_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "missing"):
        with pytest.raises(PhocinaeError):
            token.from_file(str(path))


def test_a_token_shows_nowhere(raw_server: StartServer, capsys: pytest.CaptureFixture[str]) -> None:
    held = token.from_environment({"PHOCINAE_TOKEN": "hush-hush"})
    assert held is not None
    assert "hush" not in f"{held} {held!r} {[held]}"
    assert held.header() == "Bearer hush-hush"


def test_a_token_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = secret_file(tmp_path, "x")
    token.from_file(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_check_without_a_service_loads_no_http(tmp_path: Path) -> None:
    code = (
        "import sys; from phocinae_cli.core.settings import Settings; import phocinae_cli.gate.decide;"
        "print(any(name in sys.modules for name in ('httpx', 'httpcore', 'ssl', 'json')))"
    )
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert seen.stdout.strip() == "False"


# --- TLS --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate of localhost that signs itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    files = str(folder / "certificate.pem"), str(folder / "key.pem")
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*command, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True, timeout=60)
    return files


def talk_tls(certificate: tuple[str, str], body: bytes) -> Talk:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    def talk(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as wrapped:
            read_request(wrapped)
            wrapped.sendall(body)

    return talk


@pytest.mark.parametrize("trusted", [True, False])
def test_tls_is_spoken_and_its_certificates_are_checked(
    trusted: bool, certificate: tuple[str, str], raw_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", certificate[0] if trusted else os.devnull)
    server = raw_server(talk_tls(certificate, http(packed(flat_body()))), plain=False)
    verdict = verdict_over(f"https://localhost:{server.port}")
    if trusted:
        assert verdict.decision == "allow"
    else:
        assert (verdict.decision, verdict.reason) == ("ask", "decision-service-unavailable")
        assert "CERTIFICATE_VERIFY_FAILED" in verdict.message


def test_a_handshake_that_never_ends_does_not_outlive_the_deadline(raw_server: StartServer) -> None:
    server = raw_server(lambda connection: time.sleep(3), plain=False)
    began = time.monotonic()
    verdict = verdict_over(f"https://localhost:{server.port}", timeout_ms=300)
    assert "no complete answer within 300 ms" in verdict.message
    assert time.monotonic() - began < 2.5
