"""What an instance did before it was migrated is made again by the definition that it had then, if that is there."""

from __future__ import annotations

import sqlite3

import pytest

from engine.replay.errors import NotReplayable
from tests.engine.operating.conftest import office
from tests.engine.operating.office import Office
from tests.engine.operating.test_migrating import NEW, OLD, deploy

__all__ = ["office"]


def test_a_log_whose_definition_is_gone_is_not_replayed_and_says_so(office: Office) -> None:
    id = office.start(OLD).instance
    gone = office.do(lambda g: g.store.instance(id)).definition
    office.do(lambda g: g.migrate(id, deploy(office, NEW), by="olga"))
    with sqlite3.connect(office.where) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        assert database.execute("DELETE FROM gov_definition WHERE hash = ?", (gone,)).rowcount == 1
    with pytest.raises(NotReplayable, match=f"past advance 0: no definition {gone[:12]}"):
        office.do(lambda g: g.replay(id))
