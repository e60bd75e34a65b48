"""What the flywheel needs from outside: where items are kept, and who finds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from governance.flywheel.item import KnowledgeItem


class KnowledgeBase(Protocol):
    """Keeps items across instances."""

    def get(self, id: str) -> KnowledgeItem | None: ...

    def put(self, items: Iterable[KnowledgeItem]) -> None:
        """Keep these, in place of what their ids stood for."""
        ...

    def alike(self, text: str, type: str) -> KnowledgeItem | None:
        """The item in use of this type whose text is most alike, None where none is near."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for. `type` "any" (or "") takes all; `at` is when: what has expired by then is not found."""

    query: str
    type: str = ""
    count: int = 3
    min_confidence: float = 0.5
    at: str = ""


class Retriever(Protocol):
    """Finds items; hosts may bring their own."""

    def search(self, wanted: Wanted) -> Sequence[KnowledgeItem]:
        """The best items in use, best first, at most `wanted.count`."""
        ...
