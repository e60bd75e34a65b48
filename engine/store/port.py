"""The store as the engine sees it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from engine.events import Event
from engine.people.work_item import WorkItem
from engine.store.advance import ENDED, Advance, InstanceRecord, NewInstance, OpenIncident, Stand, StoredInstance
from engine.store.cleaned import Cleaned, Wanted
from engine.store.erasure import Erasure
from engine.store.parts import (
    CallJournal,
    ContextSource,
    DeadEndFacts,
    JobHolds,
    KnowledgeItems,
    Posts,
    SkillStore,
    StoredLogs,
)
from governance.budgets import Pool, Raise
from governance.human_loop.intervention import Intervention

if TYPE_CHECKING:
    from engine.store.access import AccessTables
    from engine.store.causes import KeptCause
    from engine.store.deployments import Deployments
    from engine.store.host import Host
    from engine.store.memories import MemoryJournal
    from engine.store.replies import Replies

T = TypeVar("T")


class InstanceStore(Protocol):
    """Definitions and instances, durable. Every method may raise StoreUnavailable; then it changed nothing."""

    @property
    def knowledge(self) -> KnowledgeItems: ...

    @property
    def posts(self) -> Posts: ...

    @property
    def log(self) -> StoredLogs: ...

    @property
    def deployments(self) -> Deployments: ...

    @property
    def access(self) -> AccessTables: ...

    @property
    def replies(self) -> Replies: ...

    def within(self, host: Host) -> InstanceStore:
        """The same store in the transaction of a host program. Raises OtherDatabase."""
        ...

    @property
    def commits_itself(self) -> bool:
        """Whether what was written is durable at once; otherwise a host program commits it, or not."""
        ...

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call it once all that was written is committed; never, if it is rolled back."""
        ...

    def deploy(self, definition_json: bytes, definition_hash: str, source: bytes, name: str, file: str) -> None:
        """Keep a definition and the file it was read from. The same again changes nothing."""
        ...

    def definition(self, definition_hash: str) -> bytes:
        """Its JSON. Raises UnknownDefinition."""
        ...

    def definition_source(self, definition_hash: str) -> bytes:
        """The file it was read from. Raises UnknownDefinition."""
        ...

    def create(self, new: NewInstance, first: Advance | None = None) -> int:
        """Make an instance, with its first advance in the same transaction; its version after that.

        Raises InstanceExists, UnknownDefinition, and what `commit` raises.
        """
        ...

    def commit(self, advance: Advance) -> int:
        """Make an advance durable, all of it or nothing; the instance's new version.

        Raises VersionConflict when the instance has another version or epoch, UnknownInstance, ContradictoryAdvance.
        """
        ...

    def load(self, instance: str) -> StoredInstance:
        """Raises UnknownInstance."""
        ...

    def values_held(self, instance: str) -> set[str]:
        """Hashes of all values that an instance refers to, and of those that these refer to."""
        ...

    def shared_values(self, erasure: Erasure) -> set[str]:
        """Those of the values to erase that other instances hold, too."""
        ...

    def erase(self, erasure: Erasure, record: Advance) -> int:
        """Erase contents of an instance, and commit what puts that on record, all or nothing."""
        ...

    def source(self, instance: str) -> ContextSource: ...

    def causes(self, instance: str) -> Sequence[KeptCause]:
        """What the advances of an instance were made by, in order; those from before causes were kept are absent."""
        ...

    def journal(self, instance: str, epoch: int | None = None) -> CallJournal:
        """For who loaded the instance in this epoch; its answers are refused in a later one."""
        ...

    def holds(self, instance: str, epoch: int) -> JobHolds:
        """For who loaded the instance in this epoch: the jobs that no other program is at."""
        ...

    def dead_ends(self) -> DeadEndFacts: ...

    def experience(self) -> SkillStore: ...

    def memory(self, session: str) -> MemoryJournal:
        """What happened to the memory of a program, by its session."""
        ...

    def raises(self) -> Sequence[Raise]:
        """By what people raised the budget of all instances together, the first first."""
        ...

    def incidents(
        self, *, instance: str | None = None, limit: int | None = None, after: tuple[str, str] | None = None
    ) -> Sequence[OpenIncident]:
        """What has failed and was not tried again, the oldest instance first; `after` is (instance, task) of the last
        one on the page before. Cost: as many as are asked for. Raises UnknownInstance for `after`."""
        ...

    def spent(self) -> Pool:
        """What the model calls of all instances used, by committed advances."""
        ...

    def as_told(self, instance: str, value: T) -> T:
        """JSON of an instance as those are told it who look through this store: a masked one masks it."""
        ...

    def values_of(self, hashes: Iterable[str]) -> dict[str, bytes]:
        """Canonical JSON by hash; a hash that is not stored is absent."""
        ...

    def find_instance(self, prefix: str) -> str:
        """The one id that begins with `prefix`. Raises UnknownInstance, AmbiguousInstance."""
        ...

    def instance(self, instance: str) -> InstanceRecord:
        """Its row alone. Raises UnknownInstance."""
        ...

    def stands(self, instances: Collection[str]) -> Mapping[str, Stand]:
        """Definition and version of each; an instance that is not there is absent."""
        ...

    def instances(
        self,
        *,
        status: str | None = None,
        process: str | None = None,
        definition: str | None = None,
        before: InstanceRecord | None = None,
        limit: int = 50,
    ) -> list[InstanceRecord]:
        """Newest first; `before` is the last one of the page before."""
        ...

    def due_instances(self, now: datetime, limit: int = 50) -> list[str]:
        """Ids of instances whose next timer is due, longest due first; and of those whose program died before it
        delivered what they had thrown. One that runs is its program's, which delivers when it waits."""
        ...

    def events(
        self,
        instance: str,
        *,
        after: int = -1,
        types: Collection[str] | None = None,
        element: str | None = None,
        limit: int | None = None,
    ) -> list[Event]:
        """In order, those numbered higher than `after`."""
        ...

    def snapshots(self, instance: str) -> Sequence[str]:
        """Ids of its snapshots, parents before children."""
        ...

    def work_items(
        self,
        *,
        instance: str | None = None,
        status: str | None = "open",
        process: str | None = None,
        after: tuple[str, str] | None = None,
        limit: int | None = None,
    ) -> Sequence[WorkItem]:
        """Oldest first; `status` None: all. `after`: when the last one on the page before was made, and its id."""
        ...

    def work_item(self, id: str) -> WorkItem:
        """Raises UnknownTask."""
        ...

    def interventions(
        self,
        *,
        instance: str | None = None,
        status: str | None = "open",
        process: str | None = None,
        after: tuple[str, str] | None = None,
        limit: int | None = None,
    ) -> Sequence[Intervention]:
        """Oldest first; `status` None: all. `after`: when the last one on the page before was made, and its id."""
        ...

    def open_for_people(self) -> int:
        """How many work items and interventions are open."""
        ...

    def intervention(self, id: str) -> Intervention:
        """Raises UnknownTask."""
        ...

    def clean(
        self,
        before: datetime | None = None,
        states: Collection[str] = ENDED,
        *,
        only_look: bool = False,
        wanted: Wanted | None = None,
        now: datetime | None = None,
    ) -> Cleaned:
        """Remove instances in one of `states` that moved last before then, and contents that nothing refers to.

        With `now`, those whose process has a `retention` go when that is over, and not earlier, whatever `before` says.

        What is removed goes on record with `wanted`. If it should `only_look`, it says what it would do.
        Raises NotEnded.
        """
        ...

    def export(self, instance: str, file: Path) -> None:
        """Write an instance to an archive. Raises UnknownInstance, OSError."""
        ...

    def take_in(self, file: Path) -> str:
        """The id of the instance in an archive, which is here now. Raises BadArchive, InstanceExists, OSError."""
        ...

    def checkpoint_wal(self) -> bool:
        """Leave nothing of what was purged, neither in the database nor in the log beside it.

        False: another connection is using the log; try again later.
        """
        ...

    def close(self) -> None: ...
