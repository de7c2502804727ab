"""`python -m phocinae_cli` is `phocinae`."""

from __future__ import annotations

import sys

from phocinae_cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
