"""Finds items of knowledge by their words, and follows what is stored."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from typing import Final

from engine.replay.reads import KnowledgeFinder
from engine.store.parts import KnowledgeItems
from governance.flywheel.flywheel import fits
from governance.flywheel.item import KnowledgeItem
from governance.flywheel.ports import Wanted
from governance.similarity.index import Bm25Index
from governance.similarity.vectors import text_similarity

_NEAR: Final = 8
"""So many of the nearest texts by their words are compared as a whole."""
_SPARE: Final = 4
"""How many times more hits than wanted are looked at, for some are of another type or too unsure."""


class KnowledgeIndex:
    """The items in use, indexed. The first search reads all; each later one only what changed since.

    Several programs may change items: what another one wrote is found by the next search.
    """

    def __init__(self, stored: KnowledgeItems) -> None:
        self._stored = stored
        self._change = 0
        self._items: dict[str, KnowledgeItem] = {}
        self._index = Bm25Index()

    def get(self, id: str) -> KnowledgeItem | None:
        self._follow()
        return self._items.get(id)

    def search(self, wanted: Wanted) -> Sequence[KnowledgeItem]:
        """The best items in use, best first; confidence decides among equals. Cost: the query's hits."""
        self._follow()
        found: list[KnowledgeItem] = []
        for limit in (wanted.count * _SPARE, len(self._items)):
            hits = self._index.top(wanted.query, limit)
            found = [item for id, _ in hits if fits(item := self._items[id], wanted)]
            if len(found) >= wanted.count or len(hits) < limit:
                break
        return found[: wanted.count]

    def alike(self, text: str, type: str) -> KnowledgeItem | None:
        """The item in use of this type whose text is most alike."""
        self._follow()
        near = (self._items[id] for id, _ in self._index.top(text, _NEAR))
        return max(
            (item for item in near if item.type == type),
            key=lambda item: (text_similarity(item.text, text), item.id),
            default=None,
        )

    def _follow(self) -> None:
        self._change, changed = self._stored.since(self._change)
        for item in changed:
            self._items[item.id] = item
            if item.standing.in_use:
                self._index.add(item.id, f"{item.title} {item.text}")
            elif item.id in self._index:
                self._index.remove(item.id)


class PendingKnowledge:
    """The index as an instance sees it that has changed items in an advance which is not committed yet.

    `pending` are those by id, to be written with the advance.
    """

    def __init__(self, index: KnowledgeFinder, pending: MutableMapping[str, KnowledgeItem]) -> None:
        self._index, self._pending = index, pending

    def get(self, id: str) -> KnowledgeItem | None:
        return self._pending.get(id) or self._index.get(id)

    def put(self, items: Iterable[KnowledgeItem]) -> None:
        self._pending.update({item.id: item for item in items})

    def alike(self, text: str, type: str) -> KnowledgeItem | None:
        found = self._index.alike(text, type)
        near = [*self._pending.values(), *(() if found is None or found.id in self._pending else [found])]
        return max(
            (item for item in near if item.type == type and item.standing.in_use),
            key=lambda item: (text_similarity(item.text, text), item.id),
            default=None,
        )

    def search(self, wanted: Wanted) -> Sequence[KnowledgeItem]:
        found = (self.get(item.id) or item for item in self._index.search(wanted))
        return [item for item in found if fits(item, wanted)]
