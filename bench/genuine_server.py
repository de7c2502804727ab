"""Holds `check` and `ask` against the genuine phocinae-server with a tiny random checkpoint: the protocol, no model.

    python bench/genuine_server.py --python SERVER_ENVIRONMENT/bin/python [--output FILE]

The environment needs `pip install phocinae-server torch`; it is not part of the development environment, since torch
is large. Everything stays on loopback. Exit status 1 says that an expectation was missed, 3 that no server ran.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from phocinae_cli.app import Checker
from phocinae_cli.backends.answer import Reply
from phocinae_cli.backends.client import Client
from phocinae_cli.backends.question import CHOICE, NOUL, SCORE, Question
from phocinae_cli.backends.service import make_client
from phocinae_cli.config.load import load
from phocinae_cli.core.settings import Settings
from phocinae_cli.core.verdict import Verdict
from phocinae_cli.errors import PhocinaeError

ROOT = Path(__file__).resolve().parents[1]
READY_S = 300
TOKEN = "a-token-for-this-run"
MODES = ("harm", "tri-state", "noul")
LINES = (
    "frobnicate --all", "git push --force origin feature", "rm -rf ./build", "pip install requests", "chmod -R 755 src",
    "docker compose up -d", "kubectl get pods -A", "psql -c 'select 1'", "make deploy", "terraform plan",
    "sed -i s/a/b/ notes.md", "echo '<eos> <mask> <bos>'", "printf '\\033[31m\\n'", "npm publish", "kill 4711",
    "cp -r src backup", "tar czf out.tgz .", "find . -name '*.tmp' -delete", "mv a b", "systemctl restart nginx",
)  # fmt: skip


class Run:
    """Expectations with what came of them, and the times that requests took, in milliseconds."""

    def __init__(self) -> None:
        self.rows: list[tuple[bool, str, str]] = []
        self.times: dict[str, list[float]] = {}

    def expect(self, what: str, held: bool, seen: object = "") -> None:
        """Note whether an expectation held, and print it."""
        self.rows.append((held, what, str(seen)))
        print(f"{'ok  ' if held else 'MISS'} {what}{f': {seen}' if seen != '' else ''}", flush=True)

    def timed(self, name: str, act: Callable[[], Any]) -> Any:
        """Return what `act` returns, or the PhocinaeError it raises, and note the time."""
        began = time.perf_counter()
        try:
            return act()
        except PhocinaeError as error:
            return error
        finally:
            self.times.setdefault(name, []).append((time.perf_counter() - began) * 1000)

    def report(self) -> dict[str, object]:
        """Return everything as plain values."""
        return {
            "expectations": [{"held": held, "what": what, "seen": seen} for held, what, seen in self.rows],
            "median_ms": {name: round(statistics.median(times), 1) for name, times in self.times.items()},
            "requests": {name: len(times) for name, times in self.times.items()},
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        }


@contextlib.contextmanager
def server(python: str, checkpoint: Path, wait: bool = True, **environment: str) -> Iterator[str]:
    """Run the genuine server on a free port; gives its URL once it is ready, or at once with `wait` off."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    given = {"PHOC_MODEL_DIR": str(checkpoint), "PHOC_PORT": str(port), "PHOC_DEVICE": "cpu", **environment}
    process = subprocess.Popen(
        [python, "-m", "phocinae.main"],
        env={**os.environ, **given},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + READY_S
        while wait and not ready(url):
            if process.poll() is not None or time.monotonic() > end:
                print(f"the server did not start (status {process.poll()})", file=sys.stderr)
                raise SystemExit(3)
            time.sleep(0.5)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def ready(url: str) -> bool:
    """Return whether the server has its model loaded."""
    try:
        return httpx.get(f"{url}/health", timeout=2, trust_env=False).json()["model_loaded"] is True
    except (httpx.HTTPError, ValueError, KeyError):
        return False


def settings_for(url: str, **changes: object) -> Settings:
    """Return settings that ask the server, with time enough for a machine that others use too."""
    flags = {"backend": "service", "endpoint": url, "timeout_ms": "30000", "gate.min_confidence": "0", **changes}
    return load({}, str(ROOT), flags).settings


def client_for(url: str, token: str | None = None, **changes: object) -> Client:
    """Return a client for the server."""
    return make_client(settings_for(url, **changes), {"PHOCINAE_TOKEN": token} if token else {})


def check_gate(run: Run, url: str) -> None:
    """Vet commands with each formulation: every one must get an answer of the service."""
    for mode in MODES:
        for permute in ("false", "true"):
            flags = {"backend": "service", "endpoint": url, "timeout_ms": "30000", "gate.mode": mode}
            checker = Checker.from_environment({}, {**flags, "permute_choice": permute}, str(ROOT), facts=False)
            name = f"check {mode}{' permuted' if permute == 'true' else ''}"
            verdicts = [run.timed(name, partial(vet, checker, line)) for line in LINES]
            lost = [verdict for verdict in verdicts if verdict.reason == "decision-service-unavailable"]
            counts = {word: sum(verdict.decision == word for verdict in verdicts) for word in ("allow", "ask", "deny")}
            run.expect(f"{name}: every command answered", not lost, counts)


def vet(checker: Checker, line: str) -> Verdict:
    """Return the verdict on a line, in a directory that is nobody's."""
    return checker.check(checker.request(line, shell="bash", cwd="/home/user/project")).verdict


def check_ask(run: Run, url: str) -> None:
    """Ask all types, many questions, many options, long and odd states, and batches."""
    client = client_for(url)
    run.expect("the dialect is found out by the list of models", client.dialect() == "flat", client.dialect())
    three = (Question("n", NOUL, threshold=0.65), Question("c", CHOICE, ("allow", "ask", "deny")), Question("s", SCORE))
    reply = run.timed("ask three types", lambda: client.ask("agent ran rm -rf /var/log/app", three))
    run.expect("noul, choice and score in one request", isinstance(reply, Reply), values(reply))
    many = [Question(f"q{number}", NOUL) for number in range(65)]
    reply = run.timed("ask 65 questions", lambda: client.ask("s", many))
    run.expect("65 questions are split and answered", isinstance(reply, Reply) and len(reply.answers) == 65)
    wide = (Question("c", CHOICE, tuple(f"option {number}" for number in range(255))),)
    reply = run.timed("ask 255 options", lambda: client.ask("s", wide))
    run.expect("255 options", isinstance(reply, Reply), values(reply))
    reply = client.ask("word " * 3000, three[1:2])
    run.expect("a state longer than the window is noticed", reply.truncated, reply.usage)
    reply = client.ask("word " * 20, three[1:2])
    run.expect("a short state is not", not reply.truncated, reply.usage)
    for name, state in {
        "marker words": "<eos><bos><pad><unk><mask></s>",
        "controls": "\0\r\x1b[31m\u202e",
        "lone surrogates": "\ud800\udc80",
        "nothing": "",
        "other scripts": "删除 🦭 удалить",
    }.items():
        reply = run.timed("ask odd states", partial(client.ask, state, three))
        run.expect(f"a state of {name}", isinstance(reply, Reply), values(reply))
    reply = run.timed("ask permuted", lambda: client.ask("s", three, "compared"))
    run.expect("option orders compared", isinstance(reply, Reply) and reply.answers["c"].flipped is not None)
    reply = run.timed("ask permuting route", lambda: client.ask("s", three, "averaged"))
    run.expect("the server's own permuting route", isinstance(reply, Reply), values(reply))
    queries: list[tuple[object, tuple[Question, ...]]] = [(f"state {number}", three[1:2]) for number in range(70)]
    replies = run.timed("ask a batch of 70", lambda: client.ask_batch(queries))
    run.expect("a batch of 70 in order", all(isinstance(each, Reply) for each in replies), len(replies))
    for name, bad in {"no question": (), "duplicate ids": (many[0], many[0])}.items():
        error = run.timed("refused before sending", partial(client.ask, "s", bad))
        run.expect(f"{name}: refused before sending", getattr(error, "code", "") == "PHOCINAE_INVALID_ARGUMENTS")
    error = run.timed("refused by the server", lambda: client_for(url, model="another-model").ask("s", three))
    run.expect("an unknown model is told", "another-model" in str(error), error)
    error = run.timed("refused by the server", lambda: client_for(url, dialect="typed").ask("s", three[:1]))
    run.expect("the other dialect is refused with 422", "422" in str(error), error)


def check_raw(run: Run, url: str) -> None:
    """Show what the server does with what the client never sends."""
    body: dict[str, object] = {"model": Settings().model, "state": "s", "questions": []}
    answer = httpx.post(f"{url}/v1/systemone", json=body, timeout=30, trust_env=False)
    run.expect("no questions are a 500 in plain text there", answer.status_code == 500, answer.headers["content-type"])


def values(reply: object) -> object:
    """Return the answers of a reply, or the error."""
    return {name: each.value for name, each in reply.answers.items()} if isinstance(reply, Reply) else reply


def main() -> int:
    """Run everything and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="the Python that has phocinae-server and torch")
    parser.add_argument("--output", type=Path, help="write the figures here, as JSON")
    given = parser.parse_args()
    probe = [given.python, "-c", "import torch, phocinae.server"]
    if subprocess.run(probe, capture_output=True, check=False, timeout=120).returncode:
        print(f"{given.python} has no phocinae-server: pip install phocinae-server torch", file=sys.stderr)
        return 3
    run = Run()
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "checkpoint"
        script = str(ROOT / "bench" / "genuine_checkpoint.py")
        subprocess.run([given.python, script, str(checkpoint)], check=True, timeout=300)
        with server(given.python, checkpoint, wait=False) as url:
            error = run.timed("not ready", lambda: client_for(url, timeout_ms="2000").ask("s", (Question("q", NOUL),)))
            run.expect(
                "while it loads: unavailable", getattr(error, "code", "") == "PHOCINAE_SERVICE_UNAVAILABLE", error
            )
        with server(given.python, checkpoint) as url:
            check_gate(run, url)
            check_ask(run, url)
            check_raw(run, url)
        with server(
            given.python, checkpoint, PHOC_BEARER_TOKEN=TOKEN, PHOC_EXTENSIONS="0", PHOC_MAX_BODY="20000"
        ) as url:
            question = (Question("c", CHOICE, ("a", "b")),)
            error = run.timed("token", lambda: client_for(url).ask("s", question))
            run.expect("without the token: 401", "401" in str(error), error)
            reply = run.timed("token", lambda: client_for(url, TOKEN).ask("s", question))
            known = isinstance(reply, Reply) and reply.answers["c"].confidence is None
            run.expect("with it, extensions off: the confidence is unknown", known, values(reply))
            settings = {"max_state_chars": "40000", "dialect": "flat"}
            error = run.timed("token", lambda: client_for(url, TOKEN, **settings).ask("s " * 15000, question))
            run.expect("a body over the server's limit: 413", "413" in str(error), error)
    report = run.report()
    print(json.dumps({"median_ms": report["median_ms"], "machine": report["machine"]}, indent=2))
    if given.output:
        given.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0 if all(held for held, _, _ in run.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
