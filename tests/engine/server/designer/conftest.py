"""One browser for the tests of a module: Playwright takes one at a time in a process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from tests.engine.server.designer.harness import started_browser

    with started_browser() as started:
        yield started
