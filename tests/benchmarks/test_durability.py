"""What is run for the figures of durability keeps what it says: all of it, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.durable import ours
from benchmarks.durable.work import STEPS


@pytest.mark.parametrize("stored", [True, False])
def test_instances_are_kept_or_not(tmp_path: Path, stored: bool) -> None:
    spent = ours.run(str(tmp_path / "ours.db"), 2, stored=stored)
    assert spent.instances == 2
    assert spent.advances == (2 * (STEPS + 1) if stored else 0)
    assert (spent.commits > 0) is stored
