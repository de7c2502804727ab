"""A run.py for the tests: the real worker, protocol and desk, with a judge that goes by marker words.

It stands where the hook expects phocinae's own run.py. A line with DENYME is denied, one with ASKME asks, one with
NOTEME passes with a note; the other words make the worker fail in a certain way. STANDIN_LOG collects what was judged.
"""

from __future__ import annotations

import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(ROOT)

from phocinae_cli.core.report import Report  # noqa: E402
from phocinae_cli.core.request import Request  # noqa: E402
from phocinae_cli.core.verdict import ALLOW, ASK, DENY, DESTRUCTIVE, RISKY, Finding, Verdict  # noqa: E402
from phocinae_cli.resident import once, worker  # noqa: E402
from phocinae_cli.resident.protocol import Query, Reply  # noqa: E402
from phocinae_cli.resident.question import Desk  # noqa: E402


class Memory:
    """Approvals as the desk needs them, in a file below the test's own directory."""

    def __init__(self, path: str) -> None:
        self.path = path

    def approve(self, text: str, cwd: str) -> None:
        with open(self.path, "a", encoding="utf-8", errors="surrogateescape") as kept:
            kept.write(f"{cwd}|{text}\n")

    def approve_program(self, program: str) -> None:
        with open(self.path, "a", encoding="utf-8") as kept:
            kept.write(f"program|{program}\n")

    def issue(self, text: str, cwd: str) -> str:
        self.approve("once " + text, cwd)
        return "TEST-CODE"

    def approved(self, text: str, cwd: str) -> bool:
        try:
            with open(self.path, encoding="utf-8", errors="surrogateescape") as kept:
                return f"{cwd}|{text}\n" in kept.read()
        except OSError:
            return False


def scratch() -> str:
    return os.environ.get("STANDIN_DIR", "/nonexistent")


def memory() -> Memory:
    return Memory(scratch() + "/approvals")


def check(request: Request) -> Report:
    named = " ".join([*request.aliases.values(), *request.functions.values(), *request.env.values()])
    seen = request.text.replace("\\\n", "") + " " + named
    if "STANDIN_LOG" in os.environ:
        with open(os.environ["STANDIN_LOG"], "a", encoding="utf-8", errors="surrogateescape") as log:
            log.write(f"{request.audience}|{request.cwd}|{request.text!r}|{named!r}\n")
    if memory().approved(request.text, request.cwd):
        return Report(request, Verdict(ALLOW, "approved"))
    for word, decision, harm in (("DENYME", DENY, DESTRUCTIVE), ("ASKME", ASK, RISKY)):
        if word in seen:
            at = max(request.text.find(word), 0)
            effect = "unknown" if "NOBODY" in seen else "delete"
            target = "prog" if "NOBODY" in seen else "something"
            code = "test.second" if "ASKME2" in seen else "test.marked"
            finding = Finding(code, effect, target, harm, "the word is in it", "another word", start=at, end=at + 6)
            return Report(request, Verdict(decision, "model-called-it-" + harm, harm=harm, findings=(finding,)))
    note = "it can be undone" if "NOTEME" in seen else ""
    return Report(request, Verdict(ALLOW, "model-called-it-harmless", note=note))


DESK = Desk(check, memory())  # type: ignore[arg-type]


def answer(query: Query) -> Reply:
    """The desk's answer, unless a word in the line asks for a failure."""
    text = query.field("t")
    resident = query.number != "0"
    if "FAILALL" in text or ("WORKERHANG" in text and resident):
        time.sleep(30)
    if "WORKERDIE" in text and resident:
        os._exit(9)
    if "SLOWLY" in text:
        time.sleep(0.3)
    reply = DESK.answer(query)
    if resident and "GARBAGE" in text:
        reply.word = "ALLOW" if "GARBAGE1" in text else "x\nallow 0 allow" if "GARBAGE2" in text else "\x00\x1b]0;allow"
    if resident and "WRONGID" in text:
        query.number = "7" + query.number
    return reply


def main(argv: list[str]) -> int:
    if argv[0] == "worker":
        return worker.main(argv[1:], answer, float(os.environ.get("STANDIN_IDLE_S", "900")))
    return once.main(argv, answer)


if __name__ == "__main__":
    status = main(sys.argv[1:])
    os._exit(status)
