"""Whatever advances are made, what is read back is what was written."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.events import Event, EventType
from engine.store.database import Database
from engine.store.errors import VersionConflict
from engine.store.store import SqlStore
from governance.snapshots.canonical import canonical
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore
from tests.engine.postgres import Cluster
from tests.engine.store.making import DEFINITION, Run, new_instance, work_item

NAMES = st.sampled_from(["a", "b", "c/d", "é"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@dataclass(frozen=True)
class Step:
    """An advance to make: `parent` counts back in what was committed, `merged` joins another head to it."""

    instance: int
    outputs: list[dict[str, Any]]
    parent: int
    merged: int | None
    live: dict[str, int | None]
    events: list[tuple[EventType, dict[str, Any]]]
    items: dict[int, bool]
    stale: bool
    reopen: bool


STEPS = st.builds(
    Step,
    instance=st.integers(0, 1),
    outputs=st.lists(st.dictionaries(NAMES, JSON, max_size=3), max_size=3),
    parent=st.integers(0, 5),
    merged=st.none() | st.integers(0, 5),
    live=st.dictionaries(NAMES, st.none() | st.integers(0, 9), max_size=3),
    events=st.lists(
        st.tuples(st.sampled_from(list(EventType)), st.dictionaries(st.text("kxyz", min_size=1), JSON, max_size=2)),
        max_size=3,
    ),
    items=st.dictionaries(st.integers(0, 2), st.booleans(), max_size=2),
    stale=st.booleans(),
    reopen=st.booleans(),
)


@dataclass
class Model:
    """What one instance should hold."""

    run: Run
    snapshots: list[str] = field(default_factory=list)
    live: dict[str, bytes] = field(default_factory=dict)
    open: dict[str, Any] = field(default_factory=dict)

    def advance(self, step: Step) -> Any:
        for number, outputs in enumerate(step.outputs):
            parents = [self.snapshots[-1 - step.parent % len(self.snapshots)]] if self.snapshots else []
            if number == 0 and step.merged is not None and self.snapshots:
                other = self.snapshots[-1 - step.merged % len(self.snapshots)]
                parents += [other] if other not in parents else []
            self.snapshots.append(self.run.write(outputs, parents))
        for type, data in step.events:
            self.run.log(type, **data)
        upserts = {key: str(value).encode() for key, value in step.live.items() if value is not None}
        gone = [key for key, value in step.live.items() if value is None]
        self.live = {key: body for key, body in {**self.live, **upserts}.items() if key not in gone}
        items = [self._item(number, open) for number, open in step.items.items()]
        fields = {"live_upserts": list(upserts.items()), "live_deletes": gone, "work_items": items}
        return self.run.advance(**fields)

    def _item(self, number: int, open: bool) -> Any:
        item = work_item(f"{self.run.instance}-{number}", self.run.instance, status="open" if open else "cancelled")
        self.open.pop(item.id, None)
        if open:
            self.open[item.id] = item
        return item

    def check(self, store: SqlStore) -> None:
        stored = store.load(self.run.instance)
        assert (stored.instance.version, stored.instance.head) == (self.run.version, self.run.head)
        assert stored.live == self.live
        assert {each.id: each for each in stored.work_items} == self.open
        assert stored.next_seq == len(self.run.events)
        assert spelled(store.events(self.run.instance)) == spelled(self.run.events)
        source = store.source(self.run.instance)
        graph = SnapshotGraph(ValueStore(source.load), source)
        for snapshot in reversed(self.snapshots):
            contents = graph.contents(snapshot)
            assert graph.get(snapshot) == self.run.graph.get(snapshot)
            assert contents == self.run.graph.contents(snapshot)
            for name, item in contents.items("WORKING"):
                assert canonical(graph.values.get(item.value)) == canonical(self.run.values.get(item.value)), name


def spelled(events: list[Event]) -> list[tuple[Event, bytes]]:
    """With the data spelled out, for `1`, `1.0` and `True` are equal but not the same."""
    return [(event, canonical(event.data)) for event in events]


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=10))
def test_what_is_written_to_sqlite_is_read(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        written_and_read(str(Path(folder) / "governor.db"), steps)


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, max_size=10))
def test_what_is_written_to_postgresql_is_read(postgres: Cluster, postgres_template: str, steps: list[Step]) -> None:
    name = postgres.new_database(postgres_template)
    written_and_read(postgres.url(name), steps)
    postgres.drop(name)


def written_and_read(where: str, steps: list[Step]) -> None:
    store = SqlStore(Database(where, synchronous="OFF"))
    store.deploy(b"{}", DEFINITION, b"<a/>", "Main", "main.bpmn")
    models = [Model(Run("a")), Model(Run("ab"))]
    for model in models:
        store.create(new_instance(model.run.instance))
    for step in steps:
        model = models[step.instance]
        advance = model.advance(step)
        assert store.commit(advance) == model.run.version
        if step.stale:
            with pytest.raises(VersionConflict):
                store.commit(advance)
        if step.reopen:
            store.close()
            store = SqlStore(Database(where, synchronous="OFF"))
    for model in models:
        model.check(store)
    store.close()
