"""What goes to the store and what comes back: plain data, no database in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from engine.events import Event
from engine.people.work_item import WorkItem
from engine.post import Post, Topic
from engine.replay.cause import Cause
from governance.budgets import NOTHING, Pool, Raise
from governance.cda.dead_ends.model import DeadEndFact
from governance.cda.experience.model import Experience, Skill
from governance.flywheel.item import KnowledgeItem
from governance.human_loop.intervention import Intervention
from governance.snapshots.model import Commit

PROTOCOL: Final = 1
"""The version of what an advance leaves behind for the next one. Up it goes when older programs could not go on from
there; they leave such an instance alone (`NewerInstance`), and workers of both versions may run side by side."""
RUNNING: Final = "running"
"""The status of an instance that has not advanced yet."""
ENDED: Final = frozenset({"completed", "cancelled"})
"""The statuses of instances that are over: nothing of their journal is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInstance:
    """An instance to be. `definition` is the hash of a deployed one, `process` the id of the process in it.

    `settings` is JSON that never changes (model, handlers, simulation); `at` a fixed-width UTC timestamp. Workers take
    the instances of each `tenant` in turn.
    """

    id: str
    definition: str
    process: str
    at: str
    starter: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    epoch: int = 0
    tenant: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """All that moving an instance from one wait state to the next changed (Design: one transaction per advance).

    `version` and `epoch` are those that the instance was loaded with; its next version is one higher. Upserts
    of live state are (row key, JSON); `values` are (hash, canonical JSON), `commits` parents first. `counters`
    is JSON that the store does not look into. `checkpoint` is `Contents.dump()` of a snapshot, when one is due.
    `journal_purge` names finished activity runs. `due` is when somebody has to look at it again: its next timer, or at
    once, where its work is for workers. `protocol` is `PROTOCOL` of who makes it.
    """

    instance: str
    version: int
    epoch: int = 0
    protocol: int = PROTOCOL
    status: str
    reason: str | None = None
    at: str
    head: str | None = None
    due: datetime | None = None
    counters: Mapping[str, Any] = field(default_factory=dict)
    definition: tuple[str, str] | None = None
    """Hash and process of the definition that it goes on with from now on; None: the one it has."""
    live_upserts: Sequence[tuple[str, bytes]] = ()
    live_deletes: Sequence[str] = ()
    events: Sequence[Event] = ()
    values: Sequence[tuple[str, bytes]] = ()
    commits: Sequence[Commit] = ()
    checkpoint: tuple[str, Mapping[str, Any]] | None = None
    work_items: Sequence[WorkItem] = ()
    interventions: Sequence[Intervention] = ()
    journal_purge: Sequence[str] = ()
    knowledge: Sequence[KnowledgeItem] = ()
    dead_ends: Sequence[DeadEndFact] = ()
    posts: Sequence[Post] = ()
    """Thrown for other instances."""
    taken: Sequence[str] = ()
    """Ids of posts that were received."""
    waiting_on: Sequence[Topic] = ()
    waiting_off: Sequence[Topic] = ()
    """What the instance waits for from now on, and no more."""
    taints: Sequence[str] = ()
    """Hashes of contents from outside."""
    untaints: Sequence[str] = ()
    """Hashes of those that a person took for clean."""
    spent: Pool = NOTHING
    """What its model calls used since the last advance."""
    raises: Sequence[Raise] = ()
    """By what people raised the budget of the tenant."""
    experiences: Sequence[Experience] = ()
    skills: Sequence[tuple[str, Skill]] = ()
    cause: Cause | None = None
    """What it was made by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceRecord:
    """The row of an instance.

    `uncheckpointed` counts the entries committed since its last checkpoint, less those that the checkpoint holds.
    """

    id: str
    definition: str
    process: str
    status: str
    reason: str | None
    starter: str | None
    settings: Mapping[str, Any]
    counters: Mapping[str, Any]
    head: str | None
    due: datetime | None
    version: int
    epoch: int
    uncheckpointed: int
    created_at: str
    updated_at: str
    tenant: str = ""
    protocol: int = 1


class Stand(NamedTuple):
    """Which definition an instance runs, and how far it has come."""

    definition: str
    epoch: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenIncident:
    """An element that failed and has not been tried again. `since` is when it was begun (fixed-width UTC timestamp).

    `task` tells it from others of its instance.
    """

    instance: str
    process: str
    status: str
    task: str
    element: str
    branch: str
    error: str
    kind: str
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredInstance:
    """What it takes to go on with an instance, as of one moment; snapshots and values are read when asked for."""

    instance: InstanceRecord
    live: Mapping[str, bytes]
    work_items: Sequence[WorkItem]
    """Those open."""
    interventions: Sequence[Intervention]
    """Those open."""
    next_seq: int
    """The number of its next event."""
    taints: Sequence[str] = ()
    """Hashes of contents from outside."""
