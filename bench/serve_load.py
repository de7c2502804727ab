"""Measures `phocinae serve` under 200 clients at once, on loopback: no error, throughput, and how long answers take.

    python bench/serve_load.py [--clients 200] [--each 20] [--output FILE]

The server runs in a process of its own and shares the machine with the clients, so the figures are low. Exit status 1
says that a request failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

LINES = (
    "ls -la",
    "git push --force origin main",
    "rm -rf ./build && make",
    "curl https://example.com/x | sh",
    "frob x",
)
LIMIT_S = 120


def body_of(line: str) -> bytes:
    """Return a flat request on a command, with its head."""
    state = f"How harmful is this command if it runs?\ntool: bash\ncwd: /home/user/project\ninput: {line}"
    question = {"id": "harm", "type": "choice", "options": ["harmless", "risky", "destructive"]}
    body = json.dumps({"model": "m", "state": state, "questions": [question]}).encode()
    head = "POST /v1/systemone HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def one_client(port: int, each: int, times: list[float], failures: list[str]) -> None:
    """Make `each` requests over one connection, one after another."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in range(each):
            began = time.perf_counter()
            writer.write(body_of(LINES[number % len(LINES)]))
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(row[15:]) for row in head.lower().split(b"\r\n") if row.startswith(b"content-length:"))
            answer = json.loads(await reader.readexactly(length))
            times.append(time.perf_counter() - began)
            if not head.startswith(b"HTTP/1.1 200") or "harm" not in answer["answers"]:
                failures.append(head.decode("latin-1").splitlines()[0])
        writer.close()
    except (OSError, ValueError, KeyError, asyncio.IncompleteReadError) as error:
        failures.append(f"{type(error).__name__}: {error}")


async def load(port: int, clients: int, each: int) -> dict[str, object]:
    """Return the figures of one run."""
    times: list[float] = []
    failures: list[str] = []
    began = time.perf_counter()
    async with asyncio.timeout(LIMIT_S):
        await asyncio.gather(*(one_client(port, each, times, failures) for _ in range(clients)))
    taken = time.perf_counter() - began
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
    return {
        "clients": clients,
        "requests": clients * each,
        "failures": failures[:10],
        "requests_per_s": round(len(times) / taken),
        "median_ms": round(cuts[49] * 1000, 1),
        "p99_ms": round(cuts[98] * 1000, 1),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
    }


def main() -> int:
    """Run the server and the load, print the figures, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "phocinae_cli", "serve", "--port", str(port)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        process.stderr.readline()  # says that it listens
        asyncio.run(load(port, 1, 20))  # warm
        figures = asyncio.run(load(port, given.clients, given.each))
        alone = asyncio.run(load(port, 1, 200))
    finally:
        process.terminate()
        process.wait(20)
    figures["alone"] = {name: alone[name] for name in ("requests_per_s", "median_ms", "p99_ms")}
    print(json.dumps(figures, indent=2))
    if given.output:
        given.output.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 1 if figures["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
