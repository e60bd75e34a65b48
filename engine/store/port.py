"""The store as the engine sees it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from engine.events import Event
from engine.evidence.chain import Seal
from engine.evidence.log import LoggedEvent
from engine.people.work_item import WorkItem
from engine.post import Post, Topic
from engine.store.advance import ENDED, Advance, InstanceRecord, NewInstance, OpenIncident, StoredInstance
from engine.store.cleaned import Cleaned
from engine.store.erasure import Erasure
from governance.budgets import Pool, Raise
from governance.cda.dead_ends.model import DeadEndFact
from governance.cda.dead_ends.shelf import DeadEndSource
from governance.cda.experience.model import ExperienceSource, Skill
from governance.flywheel.item import KnowledgeItem
from governance.human_loop.intervention import Intervention
from governance.snapshots.graph import SnapshotSource

if TYPE_CHECKING:
    from engine.store.access import AccessTables
    from engine.store.causes import KeptCause
    from engine.store.deployments import Deployments
    from engine.store.host import Host
    from engine.store.memories import MemoryJournal
    from engine.store.replies import Replies


class ContextSource(SnapshotSource, Protocol):
    """Snapshots and values of one instance, for `SnapshotGraph(ValueStore(source.load), source)`."""

    def load(self, value_hash: str) -> bytes:
        """Canonical JSON of a value. Raises KeyError for a hash that is not stored."""
        ...


class CallJournal(Protocol):
    """Answers of models, kept before they are used, until their activity run is finished."""

    def get(self, run: str, call: str) -> dict[str, Any] | None: ...

    def put(self, run: str, call: str, answer: Mapping[str, Any]) -> None:
        """Keep an answer at once, in a transaction of its own. The first one stays; none once the instance is over."""
        ...


class KnowledgeItems(Protocol):
    """Items of knowledge, of all instances."""

    def since(self, change: int) -> tuple[int, Sequence[KnowledgeItem]]:
        """Items changed after this number, and the number of the last change."""
        ...

    def find(self, prefix: str, limit: int = 5) -> Sequence[KnowledgeItem]:
        """Items whose id begins so, by id."""
        ...

    def of_source(self, source: str) -> Sequence[KnowledgeItem]:
        """All items taken from a source, out of use or not."""
        ...

    def put(self, items: Iterable[KnowledgeItem], sources: Mapping[str, str] | None = None) -> None:
        """Keep items, and which state (digest) of their sources they were taken from, all or nothing."""
        ...

    def sources(self) -> Mapping[str, str]:
        """The digest of each document when items were taken from it last."""
        ...


class DeadEndFacts(DeadEndSource, Protocol):
    """The facts of the dead-end registry, of all instances."""

    def all(self, *, scope: str | None = None, id: str | None = None) -> Sequence[DeadEndFact]:
        """Every fact, oldest first: of one process, of the dead ends whose ids begin with `id`."""
        ...

    def add(self, facts: Sequence[DeadEndFact]) -> None:
        """Keep facts that no advance brings."""
        ...


class Posts(Protocol):
    """What is on its way between instances, and which instance waits for what."""

    def waiting(self, topic: Topic) -> Sequence[str]:
        """Ids of instances that wait for it, the oldest instance first."""
        ...

    def of_sender(self, instance: str) -> Sequence[Post]:
        """What an instance has thrown and nobody has received, oldest first."""
        ...

    def for_instance(self, instance: str, topics: Sequence[Topic]) -> Sequence[Post]:
        """What is addressed to an instance, or is about something that it waits for, oldest first."""
        ...

    def add(self, post: Post) -> None:
        """Something from the world outside."""
        ...

    def fan_out(self, post: Post, copies: Sequence[Post]) -> None:
        """Put copies for single instances in the place of a signal; once, however often it is tried."""
        ...

    def tried(self, sender: str) -> None:
        """Nobody can receive now what this instance has thrown and is still there: it waits for those who come."""
        ...

    def expire(self, now: str) -> None:
        """Give up what nobody has received in time."""
        ...


class SkillStore(ExperienceSource, Protocol):
    """What all instances learned, and skills that were taken in."""

    def put(self, skills: Iterable[Skill], scope: str = "") -> None:
        """Keep skills, in the place of those with the same ids; all or nothing."""
        ...

    def drop(self, id: str) -> bool:
        """Forget a skill. False: there is none."""
        ...


class StoredLogs(Protocol):
    """Event logs as they are stored, with their hash chains; for audits, which trust nothing of it."""

    def seals(self, instance: str) -> Sequence[Seal]:
        """In order; none for an instance that did not move since there are chains."""
        ...

    def events(self, instance: str) -> Iterable[LoggedEvent]:
        """In order, damaged ones too."""
        ...

    def head(self, instance: str) -> tuple[int, bytes]:
        """How many events there are up to the end of the chain, and its last link."""
        ...


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

    def dead_ends(self) -> DeadEndFacts: ...

    def experience(self) -> SkillStore: ...

    def memory(self, session: str) -> MemoryJournal:
        """What happened to the memory of a program, by its session."""
        ...

    def raises(self) -> Sequence[Raise]:
        """By what people raised the budget of all instances together, the first first."""
        ...

    def incidents(self, *, instance: str | None = None, limit: int | None = None) -> Sequence[OpenIncident]:
        """What has failed and was not tried again, the oldest instance first; a look at all live rows."""
        ...

    def spent(self) -> Pool:
        """What the model calls of all instances used, by committed advances."""
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
        self, *, instance: str | None = None, status: str | None = "open", limit: int | None = None
    ) -> Sequence[WorkItem]:
        """Oldest first; `status` None: all."""
        ...

    def work_item(self, id: str) -> WorkItem:
        """Raises UnknownTask."""
        ...

    def interventions(
        self, *, instance: str | None = None, status: str | None = "open", limit: int | None = None
    ) -> Sequence[Intervention]:
        """Oldest first; `status` None: all."""
        ...

    def intervention(self, id: str) -> Intervention:
        """Raises UnknownTask."""
        ...

    def clean(
        self, before: datetime | None = None, states: Collection[str] = ENDED, *, only_look: bool = False
    ) -> Cleaned:
        """Remove instances in one of `states` that moved last before then, and contents that nothing refers to.

        If it should `only_look`, it says what it would do. Raises NotEnded.
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
