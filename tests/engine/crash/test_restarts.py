"""A PostgreSQL that crashes in the middle of everything: whoever uses the engine does not notice."""

from __future__ import annotations

import pytest

from engine.store.database import Database
from tests.engine.crash.restarts import Crashing, Effects, run_all
from tests.engine.needs import needs_postgresql
from tests.engine.postgres import cluster

INSTANCES = 40
EACH = 20
"""After so many effects the server crashes again: not by the clock."""


@pytest.mark.slow
def test_all_instances_finish_while_the_server_crashes() -> None:
    needs_postgresql()
    with cluster() as own, Crashing(own) as crashing:
        url = own.url(own.new_database())
        Database(url).close()
        came_to = run_all(url, INSTANCES, Effects(lambda number: crashing.now() if number % EACH == 0 else None))
    assert came_to.wrong == []
    assert came_to.completed == INSTANCES
    assert crashing.times >= 2
