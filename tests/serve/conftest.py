"""One server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serve.served import running, table_engine


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(table_engine()[0]) as found:
        yield found
