"""An advance is written whole, once, and only on the state it was made from."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from engine.events import Event, EventType
from engine.store.errors import (
    ContradictoryAdvance,
    InstanceExists,
    UnknownDefinition,
    UnknownInstance,
    VersionConflict,
)
from engine.store.store import SqlStore
from governance.snapshots.canonical import canonical
from tests.engine.store.making import START, Run, at, intervention, new_instance, work_item
from tests.engine.store.places import Place
from tests.engine.store.statements import heard


def test_what_is_committed_is_loaded(store: SqlStore, run: Run) -> None:
    item, asked = work_item("w1", groups=("a", "b"), form={"type": "object"}), intervention("i1")
    due = START + timedelta(days=2)
    assert store.commit(run.step({"x": 1}, work_items=[item], interventions=[asked], due=due, reason="because")) == 1
    stored = store.load("abc123")
    assert (stored.instance.version, stored.instance.epoch, stored.instance.status) == (1, 0, "running")
    assert (stored.instance.head, stored.instance.due, stored.instance.reason) == (run.head, due, "because")
    assert (stored.instance.created_at, stored.instance.updated_at) == (at(0), at(1))
    assert stored.instance.counters == {"tasks": 1}
    assert stored.live == {"t1": f'[1,"{run.head}"]'.encode()}
    assert (stored.work_items, stored.interventions) == ([item], [asked])
    assert stored.next_seq == 2
    assert store.events("abc123") == run.events


def test_what_an_instance_begins_with_is_loaded(store: SqlStore) -> None:
    new = new_instance("other", starter="ann", settings={"model": "offline", "simulate": True}, epoch=4)
    assert store.create(new) == 0
    stored = store.load("other")
    record = stored.instance
    assert (record.id, record.definition, record.process) == ("other", new.definition, "main")
    assert (record.starter, record.settings, record.epoch) == ("ann", new.settings, 4)
    assert (record.version, record.status, record.head, record.due) == (0, "running", None, None)
    assert (stored.live, stored.work_items, stored.interventions, stored.next_seq) == ({}, [], [], 0)


def test_a_reason_may_be_any_text(store: SqlStore, run: Run) -> None:
    store.commit(run.step({}, reason="exit code \x00, é 中"))
    assert store.instance("abc123").reason == "exit code \ufffd, é 中"


def test_live_rows_are_changed_and_dropped(store: SqlStore, run: Run) -> None:
    store.commit(run.step({}, live_upserts=[("a", b"1"), ("b", b"2"), ("c", b"3")]))
    store.commit(run.step({}, live_upserts=[("b", b"20"), ("d", b"4")], live_deletes=["a", "never there"]))
    assert store.load("abc123").live == {"b": b"20", "c": b"3", "d": b"4"}


def test_instances_do_not_share_live_rows(store: SqlStore, run: Run) -> None:
    store.create(new_instance("other"), Run("other").step({}, live_upserts=[("a", b"1")]))
    store.commit(run.step({}, live_upserts=[("a", b"2")]))
    store.commit(run.step({}, live_upserts=[], live_deletes=["a"]))
    assert store.load("abc123").live == {}
    assert store.load("other").live == {"a": b"1"}


def test_a_closed_item_is_no_longer_open(store: SqlStore, run: Run) -> None:
    item, asked = work_item("w1"), intervention("i1")
    store.commit(run.step({}, work_items=[item], interventions=[asked]))
    done = replace(item, status="completed", completed_by="ann", completed_at=at(2), outputs={"ok": True})
    expired = {"decision": "approve", "by": "ann", "at": at(2), "shown_hash": asked.shown_hash}
    answered = intervention("i1", status="answered", answer=expired)
    store.commit(run.step({}, work_items=[done], interventions=[answered]))
    stored = store.load("abc123")
    assert (stored.work_items, stored.interventions) == ([], [])
    assert (store.work_item("w1"), store.intervention("i1")) == (done, answered)


def test_what_json_carries_comes_back(store: SqlStore, run: Run) -> None:
    data = {"big": 2**80, "float": 1.0, "one": 1, "true": True, "text": 'é 中 \u2028 \x00 "', "nested": [{"a": [None]}]}
    run.log(EventType.NOTICE, **data)
    store.commit(run.step({"v": data}, counters=data, interventions=[intervention("i1", shown=data)]))
    for found in (
        store.events("abc123")[0].data,
        store.load("abc123").instance.counters,
        store.intervention("i1").shown,
    ):
        assert canonical(found) == canonical(data)


@pytest.mark.parametrize(("version", "epoch"), [(0, 0), (2, 0), (1, 1)])
def test_another_version_or_epoch_is_refused(store: SqlStore, place: Place, run: Run, version: int, epoch: int) -> None:
    store.commit(run.step({"x": 1}))
    before = place.everything()
    with pytest.raises(VersionConflict) as caught:
        store.commit(replace(run.step({"x": 2}), version=version, epoch=epoch))
    assert (caught.value.expected, caught.value.found) == ((version, epoch), (1, 0))
    assert place.everything() == before


def test_an_unknown_instance_is_refused(store: SqlStore, place: Place) -> None:
    before = place.everything()
    with pytest.raises(UnknownInstance, match=re.escape(f"no instance 'gone' in {place.shown}")):
        store.commit(Run("gone").step({"x": 1}))
    assert place.everything() == before


def test_an_event_number_is_taken_once(store: SqlStore, place: Place, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    before = place.everything()
    again = Event(0, at(2), EventType.NOTICE)
    with pytest.raises(ContradictoryAdvance, match="abc123"):
        store.commit(run.step({"x": 2}, events=[again]))
    assert place.everything() == before


STATEMENTS = 11
"""Of an advance that writes to all tables, where the one before was ours: how the instance stands is known."""


class Stopped(Exception):
    """A fault in the middle."""


def statements_of(store: SqlStore, run: Run, stop_at: int | None) -> list[str]:
    """Commit an advance that writes to all tables; raise before statement number `stop_at`."""
    seen: list[str] = []

    def before(statement: str, _rows: list[Any]) -> None:
        if len(seen) == stop_at:
            raise Stopped
        seen.append(statement)

    outputs = {f"x{n}": n for n in range(70)}
    fields: dict[str, Any] = {
        "work_items": [work_item("w2")],
        "interventions": [intervention("i2")],
        "journal_purge": ["7"],
    }
    with heard(store.database.connections, before):
        store.commit(run.step(outputs, **fields))
    return seen


def test_all_tables_are_written_in_one_transaction(store: SqlStore, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    seen = statements_of(store, run, None)
    assert [each for each in seen if each.startswith(("BEGIN", "COMMIT", "SAVEPOINT"))] == []
    assert len(seen) == STATEMENTS


@pytest.mark.parametrize("stop_at", range(STATEMENTS))
def test_a_fault_anywhere_leaves_nothing(store: SqlStore, place: Place, run: Run, stop_at: int) -> None:
    store.commit(run.step({"x": 1}, work_items=[work_item("w1")], interventions=[intervention("i1")]))
    store.journal("abc123").put("7", "c", {"a": 1})
    before = place.everything()
    with pytest.raises(Stopped):
        statements_of(store, run, stop_at)
    assert place.everything() == before
    assert store.load("abc123").instance.version == 1


def test_an_instance_and_its_first_advance_are_one(store: SqlStore, place: Place) -> None:
    before = place.everything()
    with pytest.raises(VersionConflict):
        store.create(new_instance(), replace(Run().step({"x": 1}), version=3))
    assert place.everything() == before
    assert store.create(new_instance(), Run().step({"x": 1})) == 1


def test_an_id_is_given_once(store: SqlStore, place: Place, run: Run) -> None:
    before = place.everything()
    with pytest.raises(InstanceExists, match="abc123"):
        store.create(new_instance(), run.step({"x": 1}))
    assert place.everything() == before


def test_a_definition_must_be_deployed(store: SqlStore, place: Place) -> None:
    with pytest.raises(UnknownDefinition, match="eeee"):
        store.create(new_instance(definition="e" * 64))
    with pytest.raises(UnknownDefinition, match="eeee"):
        store.definition("e" * 64)


def test_a_definition_is_kept_once(store: SqlStore) -> None:
    definition = "d" * 64
    store.deploy(b'{"version":1}', definition, b"<definitions/>", "Main", "other.bpmn")
    assert store.definition(definition) == b'{"version":1}'
    assert store.definition_source(definition) == b"<definitions/>"


def test_a_value_is_stored_once_for_all_instances(store: SqlStore, place: Place, run: Run) -> None:
    store.commit(run.step({"x": "the same text in two instances"}))
    rows = len(place.everything()["gov_value"])
    other = Run("other")
    store.create(new_instance("other"), other.step({"x": "the same text in two instances"}))
    assert len(place.everything()["gov_value"]) == rows
    assert store.load("other").instance.head == run.head
