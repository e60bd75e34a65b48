"""One browser for all tests of the designer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from tests.engine.server.designer.harness import started_browser

    with started_browser() as started:
        yield started
