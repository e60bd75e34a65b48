"""Where the registry finds dead ends: in memory, read from the store as far as they are needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from governance.cda.dead_ends.bucket import Bucket
from governance.cda.dead_ends.model import DeadEnd, DeadEndFact, Key
from governance.similarity.index import Bm25Index


class DeadEndSource(Protocol):
    """Facts that are stored already. `scope` None: of every process."""

    def actions(self, scope: str | None) -> Iterable[str]:
        """The actions that have any dead end, ended ones too."""
        ...

    def facts(self, key: Key) -> Iterable[DeadEndFact]:
        """Those of one action in one state, oldest first; of very many the newest."""
        ...

    def of_session(self, session: str) -> Iterable[DeadEndFact]:
        """The failures of a session, oldest first."""
        ...

    def hottest(self, scope: str | None, limit: int) -> Iterable[DeadEndFact]:
        """One failure of each of the dead ends that failed most often."""
        ...


class Shelf:
    """Dead ends of a `scope` (a process), or of all if it is None, by action and state; nothing is read twice."""

    def __init__(self, scope: str | None, source: DeadEndSource | None) -> None:
        self.scope, self._source = scope, source
        self._buckets: dict[Key, Bucket] = {}
        self._places: dict[str, Key] = {}
        self._sessions: dict[str, dict[str, Key]] = {}
        self._read: set[str] = set()
        self._hot = False
        self._index: Bm25Index | None = None
        self._actions: set[str] | None = set() if source is None else None

    def knows(self, action: str) -> bool:
        """Whether an action has any dead end; asked of the store once."""
        return action in self._known_actions()

    @property
    def any(self) -> bool:
        return bool(self._known_actions())

    def bucket(self, key: Key) -> Bucket:
        if key not in self._buckets:
            self._buckets[key] = Bucket()
            for fact in self._source.facts(key) if self._source is not None else ():
                self.put(fact)
        return self._buckets[key]

    def put(self, fact: DeadEndFact) -> DeadEnd | None:
        """Take over a fact; None: one about a dead end that never failed."""
        key = self.key(fact)
        if self._actions is not None:
            self._actions.add(fact.signature.action)
        found = self._buckets.setdefault(key, Bucket()).add(fact)
        if found is not None:
            self._places[fact.id] = key
            self._sessions.setdefault(found.session, {})[fact.id] = key
            if self._index is not None:
                self._list(self._index, found)
        return found

    def get(self, id: str) -> DeadEnd | None:
        key = self._places.get(id)
        return None if key is None else self._buckets[key].dead_ends[id]

    def all(self) -> list[DeadEnd]:
        """Those that are in memory."""
        return [self._buckets[key].dead_ends[id] for id, key in self._places.items()]

    def of_session(self, session: str) -> list[DeadEnd]:
        """Those that failed in a session."""
        if self._source is not None and session not in self._read:
            self._read.add(session)
            for fact in self._source.of_session(session):
                self.bucket(self.key(fact))
        return [self._buckets[key].dead_ends[id] for id, key in self._sessions.get(session, {}).items()]

    def read_hottest(self, limit: int) -> None:
        """Once: it is what a start begins with."""
        if self._source is None or self._hot:
            return
        self._hot = True
        for fact in self._source.hottest(self.scope, limit):
            self.bucket(self.key(fact))

    def about(self, query: str, limit: int) -> list[DeadEnd]:
        """The active ones whose words say most of what `query` says, the best first."""
        if self._index is None:
            self._index = Bm25Index()
            for each in self.all():
                self._list(self._index, each)
        found = (self.get(id) for id, _ in self._index.top(query, limit))
        return [each for each in found if each is not None]

    def _list(self, index: Bm25Index, dead_end: DeadEnd) -> None:
        if dead_end.status == "active":
            index.add(dead_end.id, f"{dead_end.signature.action} {dead_end.text} {dead_end.reason}")
        elif dead_end.id in index:
            index.remove(dead_end.id)

    def _known_actions(self) -> set[str]:
        if self._actions is None:
            assert self._source is not None
            self._actions = set(self._source.actions(self.scope))
        return self._actions

    def key(self, fact: DeadEndFact) -> Key:
        return Key(None if self.scope is None else fact.scope, fact.signature.action, fact.signature.state)
