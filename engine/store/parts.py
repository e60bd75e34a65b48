"""Parts of the store as the engine sees them: each is about one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from engine.evidence.chain import Seal
from engine.evidence.log import LoggedEvent
from engine.post import Post, Topic
from governance.cda.dead_ends.model import DeadEndFact
from governance.cda.dead_ends.shelf import DeadEndSource
from governance.cda.experience.model import ExperienceSource, Skill
from governance.flywheel.item import KnowledgeItem
from governance.snapshots.graph import SnapshotSource


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


class JobHolds(Protocol):
    """The jobs of one instance that this program is at, by the key of their attempt; they end with the program."""

    def take(self, keys: Collection[str], version: int, instead: Iterable[str] = ()) -> set[str]:
        """Those of them that nobody is at, of an instance that is known in this version; those `instead` are given up.

        Raises VersionConflict, and takes none, where it is in another one by now.
        """
        ...

    def give_up(self, keys: Iterable[str]) -> None:
        """They are for others."""
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
