"""Hold the parser against the shells themselves: `bash -n` and zsh's own parser, on real lines and on mutants of them.

    python bench/parser_agreement.py [--corpus DIR] [--mutants N] [--shell bash] [--list FILE] [--cache FILE]

Nothing is executed. bash gets each text as a file with `-n`. zsh's `-n` still expands words (it reads the file of
`$(<file)` and acts on `${x:=y}`), so there each text becomes the body of a function that is never called.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from phocinae_cli.analysis.parse import MAX_CHARS, parse

BASH = """for f; do
  bash --norc --noprofile -O extglob -n -- "$f" 2>"$f.e" </dev/null
  printf '%s %s\\n' "${f##*/}" "$?"
done"""
ZSH = """zmodload zsh/parameter
for f; do
  text="$(<$f)"$'\\n'
  unset 'functions[t]' 2>/dev/null
  { functions[t]=$text } 2>$f.e
  print -r -- "${f:t} $(( ! $+functions[t] ))"
done"""
COMMANDS = {"bash": ["bash", "--norc", "--noprofile", "-c", BASH, "-"], "zsh": ["zsh", "-f", "-c", ZSH, "-"]}
SIGNIFICANT = [*"'\"`$(){}[]<>|&;\\#!=*?~ \n", "((", "))", "&&", "||", ";;", "<<", "$(", "${", "do ", "fi ", "then "]


def load(corpus: Path) -> list[str]:
    """Return the POSIX lines of the corpus, in order, without repetition."""
    lines: dict[str, None] = {}
    for name in ("everyday.jsonl", "abusable.jsonl"):
        with (corpus / name).open(encoding="utf-8") as file:
            for row in map(json.loads, file):
                if row["shell"] == "posix" and name == "everyday.jsonl" and len(row["command"]) <= MAX_CHARS:
                    lines[row["command"]] = None
    return list(lines)


def mutate(line: str, dice: random.Random) -> str:
    """Return the line with one or two small edits at random places."""
    for _ in range(dice.choice((1, 1, 2))):
        places = [i for i, c in enumerate(line) if not c.isalnum()] or [0]
        at = dice.choice(places) if dice.random() < 0.8 else dice.randrange(len(line) + 1)
        kind = dice.randrange(4)
        if kind == 0:
            line = line[:at] + line[at + 1 :]
        elif kind == 1:
            line = line[:at] + dice.choice(SIGNIFICANT) + line[at:]
        elif kind == 2:
            line = line[:at] + dice.choice(SIGNIFICANT) + line[at + 1 :]
        else:
            line = line[:at] + line[at + 1 : at + 2] + line[at : at + 1] + line[at + 2 :]
    return line


def ask(shell: str, texts: list[str], jobs: int, cache: Path | None) -> list[str]:
    """Return for each text what the shell says against it; an empty text where it takes it."""
    known: dict[str, str] = {}
    if cache is not None and cache.exists():
        known = json.loads(cache.read_text(encoding="utf-8"))
    keys = [hashlib.sha1(f"{shell}\0{text}".encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    with tempfile.TemporaryDirectory(prefix="parser-agreement-") as directory:
        for key, text in missing.items():
            Path(directory, key).write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        size = 250
        while waiting := [key for key in missing if key not in known]:
            chunks = [waiting[i : i + size] for i in range(0, len(waiting), size)]
            for i in range(0, len(chunks), jobs):
                known.update(answers(shell, Path(directory), chunks[i : i + jobs]))
            if size == 1:
                known.update({key: "no answer" for key in waiting if key not in known})
            size = 1  # a shell that gave up halfway is asked again, about one text at a time
    if cache is not None:
        cache.write_text(json.dumps(known), encoding="utf-8")
    return [known[key] for key in keys]


def answers(shell: str, directory: Path, chunks: list[list[str]]) -> dict[str, str]:
    """Return what shells that run side by side, one for each chunk, say against the files they are given."""
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": str(directory)}
    running = [
        subprocess.Popen(
            [*COMMANDS[shell], *(str(directory / name) for name in chunk)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        for chunk in chunks
    ]
    found: dict[str, str] = {}
    for process in running:
        for line in process.communicate()[0].decode().splitlines():
            name, status = line.split()
            complaints = (directory / f"{name}.e").read_text(errors="replace").splitlines()
            said = next((complaint for complaint in complaints if "warning:" not in complaint), "")
            found[name] = said.rpartition(name + ": ")[2] or ("refused" if status != "0" and shell == "bash" else "")
    return found


def unchecked(shell: str, text: str, ours: str) -> str:
    """Return the class of a disagreement in which the shell has only not looked yet, else nothing."""
    if ours.startswith("in backquotes"):
        return "inside backquotes, parsed when they are run"
    if ours.startswith("in the here-document"):
        return "expansion in a here-document, parsed when it is run"
    if shell == "zsh" and "(unfinished" in ours and ours.startswith(("a command behind", "`do`", "the body")):
        return "a missing command or body at the very end: a prompt asks for more, a file does not"
    if "backslash" in ours:
        return "backslash at the very end: a prompt asks for more, a file does not"
    return ""


def compare(shell: str, kind: str, texts: list[str], options: argparse.Namespace) -> tuple[float, float]:
    """Print how often parser and shell agree on `texts`; return the share as counted and without unchecked text."""
    cache = Path(options.cache) if options.cache else None
    answers = ask(shell, texts, options.jobs, cache)
    same = 0
    excused: Counter[str] = Counter()
    listed: list[tuple[str, str, str, str]] = []
    for text, said in zip(texts, answers, strict=True):
        fault = parse(text, shell).fault
        ours = f"{fault.message} ({fault.code} at {fault.at})" if fault else ""
        if bool(ours) == bool(said):
            same += 1
        else:
            why = unchecked(shell, text, ours) if ours else ""
            excused[why] += bool(why)
            listed.append((why, text, said, ours))
    total = len(texts)
    raw = same / total
    fair = (same + sum(excused.values())) / total
    refused = sum(bool(said) for said in answers)
    print(
        f"{shell} {kind}: {same}/{total} agree = {raw:.4%}, {fair:.4%} with what {shell} leaves unchecked; "
        f"it refuses {refused}"
    )
    for why, count in excused.most_common():
        if why:
            print(f"    {count} {why}")
    if options.list:
        with Path(options.list).open("a", encoding="utf-8", errors="surrogatepass") as file:
            for why, text, said, ours in listed:
                row = {"shell": shell, "kind": kind, "class": why, "text": text, "says": said, "we": ours}
                file.write(json.dumps(row) + "\n")
    return raw, fair


def main() -> int:
    """Run the comparison; the status is 1 when a share is below its goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=Path(__file__).resolve().parent.parent.parent / "shared/corpus")
    parser.add_argument("--shell", action="append", choices=list(COMMANDS))
    parser.add_argument("--mutants", type=int, default=6000)
    parser.add_argument("--lines", type=int, default=0, help="take a sample of so many lines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", help="write the disagreements to this file, one JSON object a line")
    parser.add_argument("--cache", help="keep the shells' answers in this file")
    options = parser.parse_args()
    if not (options.corpus / "everyday.jsonl").exists():
        print(f"parser-agreement: skipped, no corpus at {options.corpus} (name it with --corpus)")
        return 0
    lines = load(options.corpus)
    dice = random.Random(options.seed)
    if options.lines:
        lines = dice.sample(lines, min(options.lines, len(lines)))
    mutants = [mutate(dice.choice(lines), dice) for _ in range(options.mutants)]
    if options.list:
        Path(options.list).write_text("")
    good = True
    for shell in options.shell or ["bash", "zsh"]:
        try:
            subprocess.run([shell, "-c", ":"], check=True)
        except OSError:
            print(f"{shell}: skipped, not installed")
            continue
        good &= compare(shell, "lines", lines, options)[0] >= 0.999
        good &= compare(shell, "mutants", mutants, options)[0] >= 0.99
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
