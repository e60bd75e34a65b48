"""What a server breaks off is done again inside, once: nobody outside hears of it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, event, update

from engine.post import Post
from engine.store.again import PAUSES, Again
from engine.store.database import Database
from engine.store.errors import StoreInterrupted, VersionConflict
from engine.store.store import SqlStore
from engine.store.tables import InstanceRow, table
from tests.engine.postgres import Cluster
from tests.engine.store.making import DEFINITION, Run, new_instance
from tests.engine.store.places import PostgresqlPlace
from tests.engine.store.statements import heard

_INSTANCE = table(InstanceRow)
KILL = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@pytest.fixture
def place(postgres: Cluster, postgres_template: str) -> Iterator[PostgresqlPlace]:
    name = postgres.new_database(postgres_template)
    yield PostgresqlPlace(postgres.url(name))
    postgres.drop(name)


CALLS: dict[str, Callable[[SqlStore, Run], Any]] = {
    "load": lambda store, run: store.load("abc123"),
    "events": lambda store, run: store.events("abc123"),
    "interventions": lambda store, run: store.interventions(instance="abc123", status=None),
    "dead ends": lambda store, run: store.dead_ends().actions("p"),
    "deploy": lambda store, run: store.deploy(b"{}", DEFINITION, b"<definitions/>", "Main", "main.bpmn"),
    "commit": lambda store, run: store.commit(run.step({"x": 1})),
    "create": lambda store, run: store.create(new_instance("other"), Run("other").step({"x": 1})),
    "journal": lambda store, run: store.journal("abc123").put("1", "c", {"a": 1}),
    "snapshots": lambda store, run: store.source("abc123").commits("00" * 16),
    "post": lambda store, run: store.posts.add(Post(id="p", kind="message", name="m", topics=(("message", "m"),))),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_connection_that_was_lost_is_made_anew(
    store: SqlStore, place: PostgresqlPlace, run: Run, call: Callable[[SqlStore, Run], Any]
) -> None:
    store.load("abc123")
    place.execute(KILL)
    call(store, run)


def test_nothing_is_said_of_a_lost_connection(
    store: SqlStore,
    place: PostgresqlPlace,
    run: Run,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not even by the driver: Python's own last resort prints what nobody listens to."""
    store.commit(run.step({"x": 1}))
    monkeypatch.setattr(logging.root, "handlers", [])
    cut: list[bool] = []

    def cut_off(statement: str, _rows: list[Any]) -> None:
        if "INSERT INTO gov_seal" in statement and not cut:
            cut.append(True)
            place.execute(KILL)

    with heard(store.database.connections, cut_off):
        assert store.commit(run.step({"x": 2})) == 2
    assert cut
    said = capfd.readouterr()
    assert said.out + said.err == ""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("call", ["commit", "create", "post", "journal"])
def test_a_connection_lost_at_a_commit_leaves_it_done_once(
    store: SqlStore, place: PostgresqlPlace, run: Run, call: str, when: str
) -> None:
    lost: list[str] = []

    def lose(connection: Connection) -> None:
        if not lost:
            lost.append(when)
            raw: Any = connection.connection.dbapi_connection
            if when == "after":
                raw.commit()
            raw.close()

    event.listen(store.database.connections, "commit", lose)
    result = CALLS[call](store, run)
    assert lost == [when]
    found = place.everything()
    counted = {name: len(found[name]) for name in ("gov_instance", "gov_event", "gov_post", "gov_journal")}
    expected = {"gov_instance": 1, "gov_event": 0, "gov_post": 0, "gov_journal": 0}
    more = {"commit": {"gov_event": 2}, "create": {"gov_instance": 2, "gov_event": 2}, "post": {"gov_post": 1},
            "journal": {"gov_journal": 1}}  # fmt: skip
    assert counted == expected | more[call]
    assert result == (1 if call in ("commit", "create") else None)


def test_an_advance_of_somebody_else_is_not_taken_for_ours(store: SqlStore, place: PostgresqlPlace, run: Run) -> None:
    """Ours was lost before its commit; before it is tried again, another program moves the instance."""
    other = SqlStore(Database(place.where))
    lost: list[bool] = []

    def lose(connection: Connection) -> None:
        if not lost:
            lost.append(True)
            connection.connection.dbapi_connection.close()  # type: ignore[union-attr]
            other.commit(Run().step({"x": "theirs"}))

    event.listen(store.database.connections, "commit", lose)
    with pytest.raises(VersionConflict):
        store.commit(run.step({"x": "ours"}))
    other.close()


def test_of_a_deadlock_both_get_through(store: SqlStore) -> None:
    names, met = ["a", "b"], threading.Barrier(2, timeout=20)
    for name in names:
        store.create(new_instance(name))
    tries: list[str] = []

    def cross(first: str, second: str) -> None:
        def work(connection: Connection) -> None:
            tries.append(first)
            for place, name in enumerate((first, second)):
                connection.execute(update(_INSTANCE).where(_INSTANCE.c.id == name).values(epoch=_INSTANCE.c.epoch + 1))
                if place == 0 and len(tries) <= 2:
                    met.wait()

        store.database.change(work)

    threads = [threading.Thread(target=cross, args=order) for order in (names, names[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tries) == 3
    assert [store.instance(name).epoch for name in names] == [2, 2]


def test_a_server_that_starts_again_is_waited_for(postgres: Cluster, place: PostgresqlPlace) -> None:
    waited: list[float] = []

    def pause(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            postgres.start()

    database = Database(place.where, again=Again(pause))
    store = SqlStore(database)
    postgres.stop("immediate")
    assert store.instances() == []
    assert tuple(waited) == PAUSES[:3]
    store.close()


def test_a_server_that_stays_away_is_told_in_the_end(postgres: Cluster, place: PostgresqlPlace) -> None:
    waited: list[float] = []
    store = SqlStore(Database(place.where, again=Again(waited.append)))
    postgres.stop("immediate")
    try:
        with pytest.raises(StoreInterrupted, match="see whether the server runs"):
            store.instances()
    finally:
        postgres.start()
    assert tuple(waited) == PAUSES
    assert sum(PAUSES) == pytest.approx(30, abs=1)
    assert store.instances() == []
    store.close()
