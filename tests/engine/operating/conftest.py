from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.operating.office import Office, on


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return on(tmp_path)
