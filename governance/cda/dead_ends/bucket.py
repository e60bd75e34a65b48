"""The dead ends of one action in one state."""

from __future__ import annotations

from collections.abc import Iterable

from governance.cda.dead_ends.folding import fold
from governance.cda.dead_ends.model import DeadEnd, DeadEndFact
from governance.cda.dead_ends.similar import SimilarTexts


class Bucket:
    """Found by the hash of their arguments, or by texts that are nearly the same.

    Texts are read and indexed when somebody asks for similar ones: most attempts match exactly, or nothing.
    """

    def __init__(self, facts: Iterable[DeadEndFact] = ()) -> None:
        self.dead_ends: dict[str, DeadEnd] = {}
        self._exact: dict[str, dict[str, None]] = {}
        self._blamed: dict[str, dict[str, None]] = {}
        self._blamed_for: dict[str, str] = {}
        self._similar: SimilarTexts | None = None
        for fact in facts:
            self.add(fact)

    def add(self, fact: DeadEndFact) -> DeadEnd | None:
        found = fold(self.dead_ends.get(fact.id), fact)
        if found is None:
            return None
        self.dead_ends[fact.id] = found
        if found.status == "active":
            self._exact.setdefault(found.signature.arguments, {})[found.id] = None
        else:
            self._exact.get(found.signature.arguments, {}).pop(found.id, None)
        self._keep_blamed(found)
        if self._similar is not None:
            self._index(self._similar, found)
        return found

    def exact(self, arguments: str) -> list[DeadEnd]:
        """Active ones with these very arguments; several where processes share them."""
        return [self.dead_ends[id] for id in self._exact.get(arguments, ())]

    @property
    def any_blamed(self) -> bool:
        """Whether any failed for something that its reason names."""
        return bool(self._blamed_for)

    def blamed(self, aspects: frozenset[str], hidden: str) -> list[DeadEnd]:
        """Active ones with the same hidden arguments that failed for nothing else than what is among `aspects`."""
        ids = {id for aspect in aspects & self._blamed.keys() for id in self._blamed[aspect]}
        found = (self.dead_ends[id] for id in sorted(ids))
        return [each for each in found if aspects.issuperset(each.blamed) and each.signature.hidden == hidden]

    def similar(self, text: str, least: float, hidden: str) -> list[tuple[float, DeadEnd]]:
        """Active ones with the same hidden arguments whose texts are at least so alike, the most alike first."""
        if not self.dead_ends or not text:
            return []
        if self._similar is None:
            self._similar = SimilarTexts()
            for each in self.dead_ends.values():
                self._index(self._similar, each)
        found = ((score, self.dead_ends[id]) for score, id in self._similar.like(text, least))
        return [(score, each) for score, each in found if each.signature.hidden == hidden]

    def _keep_blamed(self, found: DeadEnd) -> None:
        """By one of its aspects, which an attempt must have, too."""
        before = self._blamed_for.pop(found.id, None)
        if before is not None:
            del self._blamed[before][found.id]
        if found.status == "active" and found.blamed:
            aspect = self._blamed_for[found.id] = found.blamed[0]
            self._blamed.setdefault(aspect, {})[found.id] = None

    def _index(self, similar: SimilarTexts, dead_end: DeadEnd) -> None:
        if dead_end.status != "active" or not dead_end.text:
            similar.remove(dead_end.id)
        else:
            similar.add(dead_end.id, dead_end.text)
