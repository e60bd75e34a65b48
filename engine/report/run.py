"""All that is stored of a run, read once: what a report tells and a console shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from bpmn.codec import from_json
from bpmn.definition import Definition
from engine.events import Event
from engine.governed.token import Token
from engine.people.work_item import WorkItem
from engine.persistence import graph_from
from engine.spiff.task import LIVE
from engine.store.advance import InstanceRecord
from engine.store.port import InstanceStore
from governance.human_loop.intervention import Intervention
from governance.snapshots.graph import SnapshotGraph

_ELEMENT: Final = 1
_STATE: Final = 2
_TOKEN: Final = 9
"""Where the row of a live task has its element, its state and its token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An instance as it stands in its store. `tokens` are (element, branch) of those that still wait somewhere."""

    record: InstanceRecord
    definition: Definition
    events: Sequence[Event]
    interventions: Sequence[Intervention]
    work_items: Sequence[WorkItem]
    graph: SnapshotGraph
    tokens: Sequence[tuple[str, str]] = ()


def read_run(store: InstanceStore, instance: str) -> Run:
    """Everything stored of an instance; snapshots and values are read when asked for. Raises StoreError."""
    stored = store.load(instance)
    return Run(
        record=stored.instance,
        definition=from_json(orjson.loads(store.definition(stored.instance.definition))),
        events=store.events(instance),
        interventions=store.interventions(instance=instance, status=None),
        work_items=store.work_items(instance=instance, status=None),
        graph=graph_from(store, instance),
        tokens=tuple(tokens_of(stored.live)),
    )


def tokens_of(live: Mapping[str, bytes]) -> Iterable[tuple[str, str]]:
    """Element and branch of each token of a live state."""
    for key, body in sorted(live.items()):
        row = orjson.loads(body)
        if key.startswith("t") and row[_STATE] & LIVE and row[_TOKEN] is not None:
            yield row[_ELEMENT], Token.load(row[_TOKEN]).branch
