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


@pytest.fixture
def server(governor: Governor) -> Any:
    """A `clients.Server`."""
    from tests.engine.server.clients import served

    return served(governor)
