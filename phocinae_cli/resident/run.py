"""What the hook starts by its path, with `python -I -S`: finds the package without `site`, then works or answers once.

run.py worker BASE PID    the resident worker of the shell PID, its pipes in a directory below BASE
run.py once VERB          one request's body from standard input, its answer to standard output
run.py words VERB         the same for a shell that can't count bytes (fish): fields that end in a NUL
"""

import sys


def main(argv: list[str]) -> int:
    """Run one of the two and return the status."""
    here = __file__.rsplit("/", 3)[0]
    if here not in sys.path:
        sys.path.append(here)
    if argv[:1] == ["worker"]:
        from phocinae_cli.resident import worker

        return worker.main(argv[1:])
    from phocinae_cli.resident import once

    return once.main(argv)


if __name__ == "__main__":
    import os

    status = main(sys.argv[1:])
    os._exit(status)  # everything is flushed; tidying up the interpreter is a tenth of the run
