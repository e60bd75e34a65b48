"""A live instance that is made again, advance by advance, beside the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from engine.advance import Advancing
from engine.concluding import conclude
from engine.launch import Launcher
from engine.persistence import StoreCommitter, dead_ends_registry
from engine.replay.applying import Applying
from engine.replay.cause import Kind
from engine.replay.migrating import DefinitionsThen, Migration, migrate
from engine.replay.sink import Sink
from engine.replay.then import DeadEndsThen, DoersThen
from engine.store.advance import InstanceRecord, NewInstance
from engine.store.causes import KeptCause
from engine.store.erasure import ERASED_VALUE
from engine.store.parts import ContextSource
from engine.store.port import InstanceStore
from governance.errors import UnknownSnapshot
from governance.ports import FixedClock
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit, name_of
from governance.snapshots.values import ValueStore
from governance.taint import Taint


class Stopped(Exception):
    """The snapshot that was waited for is there."""


class OneByOne:
    """A source that gives no more than it was asked for: what was not asked for has to be made."""

    def __init__(self, source: ContextSource) -> None:
        self._source = source
        self._read: dict[str, Commit] = {}

    def commits(self, snapshot: str) -> Iterable[Commit]:
        if snapshot not in self._read:
            self._read.update({each.id: each for each in self._source.commits(snapshot)})
        found = self._read.get(snapshot)
        return () if found is None else (found,)

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        return self._source.checkpoint(snapshot)


class Line:
    """One line of an instance's history, from its start. `made` are the snapshots of the last advance, `taken` all
    those that were taken as the log has them."""

    def __init__(
        self,
        store: InstanceStore,
        definitions: DefinitionsThen,
        launcher: Launcher,
        record: InstanceRecord,
        causes: list[KeptCause],
        first: str,
    ) -> None:
        self._record, self._store, self._launcher = record, store, launcher
        self._definitions, self.deployed = definitions, definitions.first
        source = store.source(record.id)
        graph = SnapshotGraph(ValueStore(lambda hash: _not_erased(source.load(hash))), OneByOne(source))
        variables = _variables(OneByOne(source), graph.values, first)
        created = datetime.fromisoformat(record.created_at)
        self.instance, self.hooks = launcher.start(
            record.id, self.deployed, variables, graph, created, starter=record.starter, settings=dict(record.settings)
        )
        self.instance.taint = Taint(graph.values, store.load(record.id).taints)
        self.sink, self.clock, self.doers = Sink(), FixedClock(created), DoersThen(causes)
        new = NewInstance(id=record.id, definition=self.deployed.hash, process=self._process, at=record.created_at)
        self._committer = StoreCommitter(self.sink, new)
        self._applying = self._ready()
        self.made: list[str] = []
        self.taken: set[str] = set()
        self._all: set[str] = set()

    def can(self, kind: Kind) -> bool:
        """Whether such an advance can be made again."""
        return self._applying.can(kind)

    def make(self, kept: KeptCause, until: str | None = None) -> bool:
        """Make an advance again; True: it was stopped on the way, for the snapshot `until` is there.

        Raises what does not fit the instance as it stands.
        """
        self.clock.move_to(datetime.fromisoformat(kept.at))
        migration = self._definitions.migration(kept)
        if migration is not None:
            self._migrate(migration)
        instance = self.instance
        self.doers.advance = kept.version
        then = DeadEndsThen(self._store.dead_ends(), lambda: instance.at, instance.id)
        instance.dead_ends = dead_ends_registry(then, instance.settings, self._process, instance.id)
        instance.workflow.before_step = None if until is None else lambda: self._stop(until)
        try:
            self._applying.apply(kept.cause)
            stopped = False
        except Stopped:
            conclude(instance)
            self.commit()
            stopped = True
        finally:
            instance.workflow.before_step = None
        self._look(kept)
        return stopped

    def commit(self) -> None:
        self._committer.commit(self.instance)

    @property
    def _process(self) -> str:
        return self.deployed.index.main.id

    def _migrate(self, migration: Migration) -> None:
        old, before, self.deployed = self.instance, self.deployed, migration.to
        self.instance, self.hooks = migrate(old, before, migration, self._record, self.sink, self._launcher)
        self._applying = self._ready()

    def _ready(self) -> Applying:
        """The ways to move the instance as it is now."""
        self.instance.version_of, self.instance.effect_of = self.doers.version_of, self.doers.effect_of
        advancing = Advancing(self.instance, self.hooks, self.clock, self._committer)
        return Applying(self.instance, self.hooks, advancing, self._store)

    def _stop(self, until: str) -> None:
        if self.instance.graph.knows(until):
            raise Stopped

    def _look(self, kept: KeptCause) -> None:
        """What the advance made, and what it took from the log."""
        assert self.sink.last is not None
        self.made = [commit.id for commit in self.sink.last.commits]
        own = set(self.made)
        todo = [token[0] for token, _ in kept.cause.data.get("after", {}).values()]
        graph = self.instance.graph
        while todo:
            id = todo.pop()
            if id not in own and id not in self.taken and id not in self._all:
                self.taken.add(id)
                todo += graph.get(id).parents
        self._all.update(own)


def _not_erased(raw: bytes) -> bytes:
    """Raises KeyError for what stands in the place of something erased."""
    if raw == ERASED_VALUE:
        raise KeyError
    return raw


def _variables(source: OneByOne, values: ValueStore, first: str) -> dict[str, Any]:
    """What the instance was started with, from its first snapshot. Raises UnknownValue."""
    commit = next(iter(source.commits(first)), None)
    if commit is None:
        raise UnknownSnapshot(first)
    written = {key: write.value for key, write in commit.writes.items() if key.startswith("WORKING/")}
    return {name_of(key): values.get(value) for key, value in written.items() if value is not None}
