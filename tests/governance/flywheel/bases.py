"""A knowledge base in memory, for tests of what stands on its port."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.flywheel.flywheel import KnowledgeFlywheel, fits
from governance.flywheel.item import KnowledgeItem, Provenance, SourceKind, Standing, item_id
from governance.flywheel.ports import Wanted
from governance.similarity.bm25 import bm25_scores
from governance.similarity.vectors import text_similarity
from governance.tokens import EstimatingCounter

AT = "2026-03-01T09:00:00.000000Z"
LATER = "2026-03-02T09:00:00.000000Z"


class MemoryBase:
    """Keeps and finds items; every search reads all of them."""

    def __init__(self, items: Iterable[KnowledgeItem] = ()) -> None:
        self.items = {item.id: item for item in items}

    def get(self, id: str) -> KnowledgeItem | None:
        return self.items.get(id)

    def put(self, items: Iterable[KnowledgeItem]) -> None:
        self.items.update({item.id: item for item in items})

    def alike(self, text: str, type: str) -> KnowledgeItem | None:
        near = [item for item in self.items.values() if item.type == type and item.standing.in_use]
        return max(near, key=lambda item: text_similarity(item.text, text), default=None)

    def search(self, wanted: Wanted) -> Sequence[KnowledgeItem]:
        found = [item for item in self.items.values() if fits(item, wanted)]
        scores = bm25_scores(wanted.query, [item.text for item in found])
        ranked = sorted(zip(scores, found, strict=True), key=lambda pair: (-pair[0], pair[1].id))
        return [item for _, item in ranked[: wanted.count]]


class FirstCharacters:
    """Summaries that are the beginning."""

    def summarise(self, value: object, *, query: str, limit: int) -> str:
        return str(value)[:limit]


def flywheel(base: MemoryBase) -> KnowledgeFlywheel:
    return KnowledgeFlywheel(base, base, FirstCharacters(), EstimatingCounter())


def item(text: str, confidence: float = 0.8, *, type: str = "sop", source: str = "handbook.md") -> KnowledgeItem:
    """An item with this confidence, in the standing that this gives it."""
    provenance = Provenance(kind=SourceKind.DOCUMENT, source=source)
    return KnowledgeItem(
        id=item_id(type, text, provenance),
        type=type,
        text=text,
        provenance=provenance,
        confidence=confidence,
        standing=Standing.USABLE if confidence > 0.7 else Standing.TO_VERIFY,
        created_at=AT,
        updated_at=AT,
    )
