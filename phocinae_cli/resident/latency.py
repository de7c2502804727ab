"""Measures a worker as the hook would use it: a process of its own, over its two pipes."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
from time import perf_counter

from phocinae_cli.resident import protocol
from phocinae_cli.resident.hook import PACKAGE
from phocinae_cli.resident.worker import REPLIES, REQUESTS

ANSWER_S = 5.0


def round_trips(count: int, line: str = "ls -la", run: str = "") -> list[float]:
    """Return the times of `count` checks of a line in ms, sorted; raises OSError when a worker won't answer."""
    run = run or str(PACKAGE / "resident" / "run.py")
    with tempfile.TemporaryDirectory(prefix="phocinae-") as base:
        argv = [sys.executable, "-I", "-S", run, "worker", f"{base}/w", str(os.getpid())]
        with subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as started:
            assert started.stdout is not None
            place = started.stdout.readline().decode().strip().partition(" ")[2]
            if not place:
                raise OSError("the worker does not start")
            try:
                return sorted(_trip(place, number, line) for number in range(1, count + 1))
            finally:
                _write(place, protocol.QUIT + b"\n")


def _trip(place: str, number: int, line: str) -> float:
    content = protocol.body([("s", "bash"), ("c", os.getcwd()), ("d", os.environ.get("HOME", "/")), ("t", line)])
    began = perf_counter()
    replies = os.open(f"{place}/{REPLIES}", os.O_RDWR)
    try:
        _write(place, protocol.ask(number, "check", content))
        ready, _, _ = select.select([replies], [], [], ANSWER_S)
        if not ready or not os.read(replies, 1 << 16).startswith(b"%d " % number):
            raise OSError("the worker does not answer")
    finally:
        os.close(replies)
    return (perf_counter() - began) * 1000


def _write(place: str, raw: bytes) -> None:
    requests = os.open(f"{place}/{REQUESTS}", os.O_RDWR)
    try:
        os.write(requests, raw)
    finally:
        os.close(requests)
