"""Lists: filtered, in order, a page at a time, each by an index."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from engine.events import EventType
from engine.post import Post
from engine.store.errors import AmbiguousInstance, UnknownInstance, UnknownTask
from engine.store.store import SqlStore
from tests.engine.store.making import START, Run, at, intervention, new_instance, work_item
from tests.engine.store.places import Place, SqlitePlace


@pytest.fixture
def seven(store: SqlStore) -> SqlStore:
    """Instances a0 to a6, two of them made at the same time; the odd ones have completed."""
    for number in range(7):
        name = f"a{number}"
        new = new_instance(name, at=at(number // 2))
        due = START + timedelta(days=number) if number in (2, 4) else None
        items = [work_item(f"{name}-w1", name, created_at=at(9 - number))]
        asked = [intervention(f"{name}-i1", name, created_at=at(9 - number))]
        status = "completed" if number % 2 else "waiting"
        store.create(new, Run(name).step({}, status=status, due=due, work_items=items, interventions=asked))
    return store


def ids(records: Any) -> list[str]:
    return [record.id for record in records]


def test_instances_are_listed_newest_first(seven: SqlStore) -> None:
    assert ids(seven.instances()) == ["a6", "a5", "a4", "a3", "a2", "a1", "a0"]
    assert ids(seven.instances(status="waiting")) == ["a6", "a4", "a2", "a0"]
    assert ids(seven.instances(status="failed")) == []


@pytest.mark.parametrize("status", [None, "waiting"])
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_make_up_the_whole(seven: SqlStore, status: str | None, limit: int) -> None:
    paged: list[Any] = []
    while page := seven.instances(status=status, before=paged[-1] if paged else None, limit=limit):
        assert len(page) <= limit
        paged += page
    assert paged == seven.instances(status=status)


def test_a_listed_instance_is_the_loaded_one(seven: SqlStore) -> None:
    assert seven.instances()[4] == seven.instance("a2") == seven.load("a2").instance


def test_due_instances_are_listed_longest_due_first(seven: SqlStore) -> None:
    assert seven.due_instances(START + timedelta(days=1)) == []
    assert seven.due_instances(START + timedelta(days=2)) == ["a2"]
    assert seven.due_instances(START + timedelta(days=9)) == ["a2", "a4"]
    assert seven.due_instances(START + timedelta(days=9), limit=1) == ["a2"]


def test_who_threw_what_nobody_has_tried_to_deliver_is_due(seven: SqlStore) -> None:
    for name, status in (("b1", "completed"), ("b2", "running")):
        thrown = Post(id=f"{name}-p", kind="message", name="m", topics=(("message", "m"),), sender=name)
        seven.create(new_instance(name), Run(name).step({}, status=status, posts=[thrown]))
    assert seven.due_instances(START) == ["b1"]
    seven.posts.tried("b1")
    assert seven.due_instances(START) == []
    assert [post.id for post in seven.posts.of_sender("b1")] == ["b1-p"]


def test_what_waits_for_people_is_listed_oldest_first(seven: SqlStore) -> None:
    assert ids(seven.work_items()) == [f"a{number}-w1" for number in (6, 5, 4, 3, 2, 1, 0)]
    assert ids(seven.interventions(limit=2)) == ["a6-i1", "a5-i1"]
    assert ids(seven.work_items(instance="a3")) == ["a3-w1"]
    assert ids(seven.interventions(instance="gone")) == []
    assert ids(seven.work_items(status="completed")) == ids(seven.interventions(status="answered")) == []
    assert ids(seven.interventions(instance="a3", status=None)) == ["a3-i1"]


def test_an_unknown_task_is_told(seven: SqlStore) -> None:
    with pytest.raises(UnknownTask, match="no work item 'x'"):
        seven.work_item("x")
    with pytest.raises(UnknownTask, match="no intervention 'x'"):
        seven.intervention("x")


def test_events_are_filtered(store: SqlStore, run: Run) -> None:
    for _ in range(3):
        store.commit(run.step({}))
    assert store.events("abc123") == run.events
    assert store.events("abc123", after=3) == run.events[4:]
    assert store.events("abc123", after=0, limit=2) == run.events[1:3]
    assert store.events("abc123", types=[EventType.ACTIVITY_STARTED]) == run.events[::2]
    assert store.events("abc123", types=[]) == []
    assert store.events("abc123", element="Activity_0002") == run.events[2:4]
    assert store.events("gone") == []


def test_an_instance_is_found_by_the_start_of_its_id(store: SqlStore) -> None:
    for name in ("abc", "abcd", "abd", "b%", "bx"):
        store.create(new_instance(name))
    assert [store.find_instance(prefix) for prefix in ("abc", "abcd", "abd", "b%")] == ["abc", "abcd", "abd", "b%"]
    with pytest.raises(AmbiguousInstance, match="'ab' may be instance abc, abcd, abd or others") as caught:
        store.find_instance("ab")
    assert caught.value.candidates == ("abc", "abcd", "abd")
    for unknown in ("", "a%", "abcde", "z", "ABC"):
        with pytest.raises(UnknownInstance):
            store.find_instance(unknown)


def test_an_unknown_instance_is_told(store: SqlStore) -> None:
    for read in (store.load, store.instance):
        with pytest.raises(UnknownInstance, match="no instance 'gone' in"):
            read("gone")


QUERIES: dict[str, Callable[[SqlStore], Any]] = {
    "load": lambda store: store.load("a1"),
    "instances": lambda store: store.instances(),
    "instances of a status": lambda store: store.instances(status="waiting"),
    "next page": lambda store: store.instances(before=store.instance("a3")),
    "next page of a status": lambda store: store.instances(status="waiting", before=store.instance("a3")),
    "due": lambda store: store.due_instances(START),
    "find": lambda store: store.find_instance("a1"),
    "events": lambda store: store.events("a1", after=3, types=["D1"]),
    "open work items": lambda store: store.work_items(limit=5),
    "work items of an instance": lambda store: store.work_items(instance="a1"),
    "open interventions": lambda store: store.interventions(limit=5),
    "work item": lambda store: store.work_item("a1-w1"),
    "journal": lambda store: store.journal("a1").get("1", "c"),
    "snapshots": lambda store: store.source("a1").commits(store.load("a1").instance.head or ""),
    "values": lambda store: store.values_of(["00" * 16]),
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_no_query_reads_or_sorts_a_whole_table(
    seven: SqlStore, place: Place, query: Callable[[SqlStore], Any]
) -> None:
    plan_of, unwanted = (of_sqlite, "SCAN") if isinstance(place, SqlitePlace) else (of_postgresql, "Seq Scan")
    plans: list[str] = []

    def explain(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            plans.extend(plan_of(cursor, statement, parameters))

    event.listen(seven.database.connections, "before_cursor_execute", explain)
    query(seven)
    event.remove(seven.database.connections, "before_cursor_execute", explain)
    assert plans
    assert [plan for plan in plans if unwanted in plan or "TEMP B-TREE" in plan or "Sort" in plan] == []


def of_sqlite(cursor: Any, statement: str, parameters: Any) -> list[str]:
    plans = [row[3] for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
    return ["by an index" if "SCAN" in plan and (" USING " in plan or "CONSTANT" in plan) else plan for plan in plans]


def of_postgresql(cursor: Any, statement: str, parameters: Any) -> list[str]:
    """As if tables were large: what could be read or ordered by an index is."""
    cursor.execute("SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off")
    return [row[0] for row in cursor.execute(f"EXPLAIN {statement}", parameters)]
