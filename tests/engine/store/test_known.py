"""What a store knows of an instance from its own last advance holds only as far as the database bears it out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import delete, event

from engine.events import EventType
from engine.evidence.audit import audit
from engine.store.database import Database
from engine.store.errors import ContradictoryAdvance, UnknownInstance, VersionConflict
from engine.store.known import Held, Known
from engine.store.store import SqlStore
from engine.store.tables import CauseRow, EventRow, InstanceRow, LiveRow, SealRow, SnapshotRow, table
from tests.engine.store.making import Run
from tests.engine.store.places import Place
from tests.engine.store.statements import heard


def test_the_next_advance_of_the_same_program_asks_for_nothing(store: SqlStore, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    said: list[str] = []
    with heard(store.database.connections, lambda statement, _: said.append(statement)):
        store.commit(run.step({"x": 2}))
    assert [each for each in said if each.startswith("SELECT")] == []


@pytest.mark.parametrize("events", [0, 60], ids=["few", "many"])
def test_the_next_advance_of_the_same_program_goes_past_sqlalchemy(store: SqlStore, run: Run, events: int) -> None:
    store.commit(run.step({"x": 1}))
    for number in range(events):
        run.log(EventType.NOTICE, number=number)
    begun: list[str] = []
    event.listen(store.database.connections, "begin", lambda connection: begun.append("one"))
    assert store.commit(run.step({"x": 2})) == 2
    assert begun == []
    assert is_whole(store, 2)


@pytest.mark.parametrize("events", [0, 60], ids=["few", "many"])
def test_nothing_of_an_advance_is_kept_where_another_program_moved_the_instance(
    store: SqlStore, place: Place, run: Run, events: int
) -> None:
    store.commit(run.step({"x": 1}))
    place.execute("UPDATE gov_instance SET version = version + 1")
    before = place.everything()
    for number in range(events):
        run.log(EventType.NOTICE, number=number)
    with pytest.raises(VersionConflict, match=r"1.*2"):
        store.commit(run.step({"x": 2}))
    assert place.everything() == before


def test_a_key_that_is_there_already_is_told_as_ever(store: SqlStore, place: Place, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    before = place.everything()
    with pytest.raises(ContradictoryAdvance):
        store.commit(replace(run.step({"x": 2}), events=run.events[:1]))
    assert place.everything() == before


def test_programs_that_move_one_instance_in_turn_make_one_chain(store: SqlStore, place: Place, run: Run) -> None:
    other = SqlStore(Database(place.where))
    for round in range(6):
        (store, other)[round % 2].commit(run.step({"x": round}))
    assert is_whole(store, 6)
    other.close()


def test_who_was_overtaken_is_refused_and_may_load_and_go_on(store: SqlStore, place: Place, run: Run) -> None:
    other = SqlStore(Database(place.where))
    store.commit(run.step({"x": 1}))
    late = run.step({"x": "late"})
    other.commit(replace(late, counters={"tasks": 9}))
    before = place.everything()
    with pytest.raises(VersionConflict, match=r"1.*2"):
        store.commit(late)
    assert place.everything() == before
    assert store.commit(run.step({"x": 3})) == 3
    assert is_whole(store, 3)
    other.close()


def test_who_lost_the_instance_is_refused(store: SqlStore, place: Place, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    place.execute("UPDATE gov_instance SET epoch = epoch + 1")
    with pytest.raises(VersionConflict):
        store.commit(run.step({"x": 2}))


def test_an_instance_with_the_number_of_a_removed_one_is_left_alone(store: SqlStore, place: Place, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    number = place.execute("SELECT number FROM gov_instance")[0][0]
    with store.database.write() as connection:
        for row in (EventRow, SealRow, CauseRow, SnapshotRow, LiveRow):
            connection.execute(delete(table(row)))
        connection.execute(table(InstanceRow).update().values(id="new", version=1))
    before = place.everything()
    with pytest.raises(UnknownInstance):
        store.commit(run.step({"x": 2}))
    assert place.everything() == before
    assert place.execute("SELECT number FROM gov_instance")[0][0] == number


def test_only_the_instances_that_moved_last_are_known() -> None:
    known = Known(most=2)
    for name in "abc":
        known.keep(name, Held(1, 1, 0, None))
    assert [known.take(name, 1, 0) is None for name in "abc"] == [True, False, False]
    assert known.take("b", 1, 0) is None  # given out once


def test_what_is_known_of_another_version_or_epoch_is_not_given_out() -> None:
    known = Known()
    known.keep("a", Held(1, 4, 2, None))
    assert known.take("a", 4, 1) is None
    known.keep("a", Held(1, 4, 2, None))
    assert known.take("a", 3, 2) is None


def is_whole(store: SqlStore, version: int) -> bool:
    """The chain of the log, up to this version."""
    return audit("abc123", store.log.seals("abc123"), store.log.events("abc123"), version).finding is None
