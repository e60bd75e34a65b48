"""A server on a database of its own, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.embedding import open_governor
from engine.governor import Governor


@pytest.fixture
def governor(tmp_path: Path) -> Iterator[Governor]:
    opened = open_governor(str(tmp_path / "runs.db"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium; without one the test is skipped."""
    from tests.engine.server.browsing import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Any]:
    """A `browsing.Site` on a new database."""
    from tests.engine.server.browsing import site_in

    with site_in(tmp_path) as listening:
        yield listening


@pytest.fixture
def server(governor: Governor) -> Any:
    """A `clients.Server`."""
    from tests.engine.server.clients import served

    return served(governor)
