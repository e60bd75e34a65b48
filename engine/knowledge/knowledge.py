"""What a host and its operators do with knowledge: take it in, look at it, vouch for it, take it out of use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bpmn.findings import shortened
from engine.errors import EngineError
from engine.knowledge.folders import DocumentFolder, Taken
from engine.knowledge.index import KnowledgeIndex
from engine.store.parts import KnowledgeItems
from governance.flywheel.flywheel import KnowledgeFlywheel, Outcome, fits
from governance.flywheel.item import KnowledgeItem, Provenance, SourceKind, Standing
from governance.flywheel.ports import Retriever, Wanted
from governance.ports import Clock, Summariser, timestamp
from governance.tokens import EstimatingCounter


class UnknownItem(EngineError):
    """No item of knowledge, or several, go by an id."""

    def __init__(self, id: str, candidates: Sequence[str]) -> None:
        self.id, self.candidates = id, tuple(candidates)
        several = f"item of knowledge {id!r} may be {', '.join(shortened(self.candidates))}; give more of it"
        none = f"no item of knowledge {id!r}; `governor knowledge list` shows those there are"
        super().__init__(several if candidates else none)


class Knowledge:
    """The knowledge of a database. Every change is durable when the method returns."""

    def __init__(
        self, stored: KnowledgeItems, clock: Clock, summariser: Summariser, retriever: Retriever | None = None
    ) -> None:
        self._stored, self._clock, self._summariser = stored, clock, summariser
        self.index = KnowledgeIndex(stored)
        self.retriever: Retriever = retriever or self.index

    def take_in(self, path: Path, type: str | None = None) -> Taken:
        """The documents of a file or folder. Only what changed since is read. Raises NoDocuments.

        Without `type`, documents in a subfolder have its name as their type, others `document`.
        """
        return DocumentFolder(self._stored, self._flywheel()).take_in(path, type, self._now())

    def add(self, text: str, type: str, *, by: str, title: str = "", expires_at: str | None = None) -> Outcome:
        """What a person knows. It is as sure as a person's word, and not confirmed by another one."""
        provenance = Provenance(kind=SourceKind.PERSON, source=by)
        flywheel, at = self._flywheel(), self._now()
        return flywheel.store(flywheel.produce(text, type, provenance, at, title=title, expires_at=expires_at))

    def search(self, query: str, *, type: str = "", count: int = 10) -> list[KnowledgeItem]:
        """What an activity that asks for this would find, best first."""
        wanted = Wanted(query=query, type=type, count=count, min_confidence=0.0, at=self._now())
        return list(self.retriever.search(wanted))

    def items(self, *, type: str = "", all: bool = False) -> list[KnowledgeItem]:
        """Those in use, newest first; `all`: the others, too."""
        wanted = Wanted(query="", type=type, min_confidence=0.0, at=self._now())
        found = [item for item in self._stored.since(0)[1] if all or fits(item, wanted)]
        of_type = [_told(item, wanted.at) for item in found if type in ("", item.type)]
        by_id = sorted(of_type, key=lambda item: item.id)
        return sorted(by_id, key=lambda item: item.created_at, reverse=True)

    def find(self, prefix: str) -> KnowledgeItem:
        """The item whose id begins so. Raises UnknownItem."""
        found = self._stored.find(prefix)
        exact = [item for item in found if item.id == prefix]
        if len(exact or found) != 1:
            raise UnknownItem(prefix, [item.id for item in found])
        return _told((exact or found)[0], self._now())

    def confirm(self, prefix: str, *, by: str) -> KnowledgeItem:
        """A person vouches for an item: it is in use, with a confidence of 0.95. Raises UnknownItem."""
        return self._flywheel().confirm(self.find(prefix), by, self._now())

    def retire(self, prefix: str, *, by: str, reason: str) -> KnowledgeItem:
        """A person takes an item out of use; it stays readable. Raises UnknownItem."""
        return self._flywheel().retire(self.find(prefix), self._now(), f"retired by {by}: {reason}")

    def _flywheel(self) -> KnowledgeFlywheel:
        base = _Written(self.index, self._stored)
        return KnowledgeFlywheel(base, self.retriever, self._summariser, EstimatingCounter())

    def _now(self) -> str:
        return timestamp(self._clock.now())


def _told(item: KnowledgeItem, at: str) -> KnowledgeItem:
    """As it stands at a time: whose time is over has expired, though nobody has come to mark it yet."""
    if not (item.standing.in_use and item.has_expired(at)):
        return item
    return replace(item, standing=Standing.EXPIRED, why="its time is over")


class _Written:
    """A knowledge base that is written to at once."""

    def __init__(self, index: KnowledgeIndex, stored: KnowledgeItems) -> None:
        self._index, self._stored = index, stored

    def get(self, id: str) -> KnowledgeItem | None:
        return self._index.get(id)

    def put(self, items: Iterable[KnowledgeItem]) -> None:
        self._stored.put(items)

    def alike(self, text: str, type: str) -> KnowledgeItem | None:
        return self._index.alike(text, type)
