"""Which instances come to workers, in which order, and how many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from engine.store.database import Database
from engine.store.dispatch import Dispatched, DispatchTable
from engine.store.errors import VersionConflict
from engine.store.store import SqlStore
from tests.engine.store.making import DEFINITION, START, Run, new_instance

NOW = START + timedelta(days=1)


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    store = SqlStore(Database(postgres_url))
    store.deploy(b'{"version":1}', DEFINITION, b"<definitions/>", "Main", "main.bpmn")
    yield store
    store.close()


@pytest.fixture
def table(store: SqlStore) -> DispatchTable:
    return DispatchTable(store.database)


def ready(store: SqlStore, id: str, tenant: str = "", due: int = 1, **fields: Any) -> Run:
    """An instance that is ready since a second of 2026."""
    run = Run(id)
    store.create(new_instance(id, tenant=tenant))
    store.commit(run.advance(due=START + timedelta(seconds=due), **fields))
    return run


def feed(table: DispatchTable, room: int = 100, protocol: int = 1) -> list[str]:
    """Ids of the instances that came into the queue, in order."""
    found: list[str] = []
    table.feed(NOW, lambda in_flight: room - in_flight, protocol, lambda _, given: found.append(given.instance))
    return found


def ticket(table: DispatchTable, instance: str) -> str:
    return next(each for each in table.open(-60.0, 100) if each.startswith(f"{instance}:"))


def test_tenants_come_in_turn_however_much_each_has(store: SqlStore, table: DispatchTable) -> None:
    for number in range(6):
        ready(store, f"a{number}", "big", due=number)
    ready(store, "b0", "small", due=50)
    ready(store, "c0", "late", due=60)
    assert feed(table, room=4) == ["a0", "b0", "c0", "a1"]
    assert feed(table, room=7) == ["a2", "a3", "a4"]


def test_no_more_are_in_the_queue_than_there_is_room_for(store: SqlStore, table: DispatchTable) -> None:
    for number in range(5):
        ready(store, f"i{number}", due=number)
    assert feed(table, room=3) == ["i0", "i1", "i2"]
    assert feed(table, room=3) == []
    assert table.in_flight() == 3


def test_one_whose_time_has_not_come_waits(store: SqlStore, table: DispatchTable) -> None:
    ready(store, "soon", due=86_401)
    ready(store, "now", due=86_400)
    assert feed(table) == ["now"]


def test_one_that_was_moved_can_come_again_and_one_that_was_not_after_a_pause(
    store: SqlStore, table: DispatchTable
) -> None:
    moved, stuck = ready(store, "moved"), ready(store, "stuck")
    assert feed(table) == ["moved", "stuck"]
    tickets = [ticket(table, "moved"), ticket(table, "stuck")]
    store.commit(moved.advance(due=NOW))
    table.done(tickets, NOW)
    assert feed(table) == ["moved"]
    (held,) = table.given_up()
    assert (held.instance, held.error) == ("stuck", "nothing in it moved")
    store.commit(stuck.advance(due=NOW))
    assert feed(table) == ["stuck"]


def test_one_that_has_ended_is_due_no_more(store: SqlStore, table: DispatchTable) -> None:
    ready(store, "over", status="completed")
    assert feed(table) == ["over"]
    table.done([ticket(table, "over")], NOW)
    assert feed(table) == []
    assert store.instance("over").due is None


def test_what_is_given_back_comes_again_though_it_is_not_due(store: SqlStore, table: DispatchTable) -> None:
    run = ready(store, "half")
    assert feed(table) == ["half"]
    store.commit(run.advance(due=None))
    table.back([ticket(table, "half")], NOW)
    assert feed(table) == ["half"]


def test_failures_are_tried_again_until_they_are_left_alone(store: SqlStore, table: DispatchTable) -> None:
    run = ready(store, "bad")
    for attempt in range(1, 4):
        assert feed(table) == ["bad"]
        told = table.failed(ticket(table, "bad"), "broken", NOW, lambda attempts: -1.0 if attempts < 3 else None)
        assert told is not None
        assert (told.attempts, told.error) == (attempt, "broken")
    assert feed(table) == []
    assert [(each.instance, each.retry_in) for each in table.given_up()] == [("bad", None)]
    store.commit(run.advance(due=NOW))
    assert feed(table) == ["bad"]
    assert table.given_up() == []


def test_who_was_fenced_off_can_neither_advance_nor_journal(store: SqlStore, table: DispatchTable) -> None:
    run = ready(store, "i")
    feed(table)
    loaded = store.load("i").instance
    journal = store.journal("i", loaded.epoch)
    journal.put("1", "before", {})
    assert table.fence([ticket(table, "i")]) == {ticket(table, "i"): 1}
    with pytest.raises(VersionConflict) as refused:
        store.commit(run.advance(due=None))
    assert (refused.value.expected[1], refused.value.found[1]) == (0, 1)
    with pytest.raises(VersionConflict):
        journal.put("1", "after", {})
    assert store.journal("i", 1).get("1", "before") == {}
    assert store.journal("i", 1).get("1", "after") is None


def test_an_older_worker_leaves_alone_what_a_newer_one_wrote(store: SqlStore, table: DispatchTable) -> None:
    ready(store, "new", protocol=2)
    ready(store, "old")
    assert feed(table, protocol=1) == ["old"]
    assert feed(table, protocol=2) == ["new"]


def test_what_does_not_come_into_the_queue_is_still_ready(store: SqlStore, table: DispatchTable) -> None:
    ready(store, "i")

    def fail(_: Any, given: Dispatched) -> None:
        raise RuntimeError("no queue")

    with pytest.raises(RuntimeError, match="no queue"):
        table.feed(NOW, lambda _: 1, 1, fail)
    assert feed(table) == ["i"]
