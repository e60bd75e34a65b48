"""Workers on a database of their own."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.engine.distributed.plant import Plant


@pytest.fixture(autouse=True)
def _library() -> None:
    if find_spec("dbos") is None:
        pytest.skip("DBOS is not installed: pip install 'bpmn-governor[distributed]'")


@pytest.fixture
def plant(postgres_url: str, tmp_path: Path) -> Iterator[Plant]:
    plant = Plant(postgres_url, tmp_path)
    try:
        yield plant
    finally:
        plant.ends()
