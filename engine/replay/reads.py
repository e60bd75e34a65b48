"""What an instance read in an advance of what is known across instances, which others change meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from governance.flywheel.item import KnowledgeItem
from governance.flywheel.ports import Retriever, Wanted
from governance.snapshots.values import ValueStore


class KnowledgeFinder(Protocol):
    """Finds items of knowledge."""

    def get(self, id: str) -> KnowledgeItem | None: ...

    def search(self, wanted: Wanted) -> Sequence[KnowledgeItem]: ...

    def alike(self, text: str, type: str) -> KnowledgeItem | None: ...


class Reads:
    """Items found since the last `begin`, as hashes, in order; where an advance is made again, those found then."""

    def __init__(self, values: ValueStore) -> None:
        self._values = values
        self.found: list[list[str]] = []
        self._again: list[list[str]] | None = None

    def begin(self, again: Sequence[Sequence[str]] | None = None) -> None:
        """An advance begins; `again`: it is made again, and finds these."""
        self.found = []
        self._again = None if again is None else [list(each) for each in again]

    def items(self, find: Callable[[], Sequence[KnowledgeItem]]) -> Sequence[KnowledgeItem]:
        """What `find` finds, or found then."""
        if self._again is not None:
            hashes = self._again.pop(0) if self._again else []
            return [KnowledgeItem.load(self._values.get(each)) for each in hashes]
        items = find()
        self.found.append([self._values.put(each.dump()) for each in items])
        return items


class RecordedKnowledge:
    """An index, with a host's `retriever` in place of its search, and what was found there."""

    def __init__(self, index: KnowledgeFinder, retriever: Retriever | None, reads: Reads) -> None:
        self._index, self._retriever, self._reads = index, retriever or index, reads

    def get(self, id: str) -> KnowledgeItem | None:
        return self._one(lambda: self._index.get(id))

    def alike(self, text: str, type: str) -> KnowledgeItem | None:
        return self._one(lambda: self._index.alike(text, type))

    def search(self, wanted: Wanted) -> Sequence[KnowledgeItem]:
        return self._reads.items(lambda: self._retriever.search(wanted))

    def _one(self, find: Callable[[], KnowledgeItem | None]) -> KnowledgeItem | None:
        def found() -> Sequence[KnowledgeItem]:
            item: Any = find()
            return [] if item is None else [item]

        items = self._reads.items(found)
        return items[0] if items else None
