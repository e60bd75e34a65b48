"""The knowledge flywheel: produce, store, consume, feed back (Design: flywheel)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from governance.flywheel.consuming import Injected, Injection, prepare
from governance.flywheel.feedback import Offered, Step, feedback, regraded
from governance.flywheel.item import KnowledgeItem, Provenance, Standing, item_id
from governance.flywheel.ports import KnowledgeBase, Retriever, Wanted
from governance.flywheel.settings import FlywheelSettings
from governance.ports import Summariser
from governance.similarity.vectors import text_similarity
from governance.tokens import TokenCounter

Stored = Literal["stored", "kept", "replaced", "dropped", "recalled"]
"""`kept`: it is known, in use or not, or one that says the same is as sure; `replaced`: the new one is surer;
`dropped`: below the threshold; `recalled`: it was offered to the run that found it, and is no new knowledge."""

_ANY: Final = frozenset({"", "any", "*"})
_SPARE: Final = 3
"""So many are looked for where one is wanted, for some may be too large."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a produced item. `other` is the one it was compared with."""

    item: KnowledgeItem
    result: Stored
    other: KnowledgeItem | None = None


class KnowledgeFlywheel:
    """Turns what runs find into knowledge for later ones. Keeps nothing itself: `base` does."""

    def __init__(
        self,
        base: KnowledgeBase,
        retriever: Retriever,
        summariser: Summariser,
        counter: TokenCounter,
        settings: FlywheelSettings | None = None,
    ) -> None:
        self._base, self._retriever = base, retriever
        self._summariser, self._counter = summariser, counter
        self.settings = settings or FlywheelSettings()

    def produce(
        self,
        text: str,
        type: str,
        provenance: Provenance,
        at: str,
        *,
        stated: float = 1.0,
        citations: int = 0,
        confirmed_by: str | None = None,
        title: str = "",
        expires_at: str | None = None,
    ) -> KnowledgeItem:
        """An item, not stored yet.

        Its confidence is the authority of its source times what the source itself states, more for each earlier
        citation of the source, 0.95 at most; a person's confirmation makes it 0.95.
        """
        settings = self.settings
        if confirmed_by is not None:
            confidence = settings.confirmed
        else:
            earned = settings.authority[provenance.kind] * stated + settings.citation_bonus * citations
            confidence = min(settings.confirmed, earned)
        item = KnowledgeItem(
            id=item_id(type, text, provenance),
            type=type,
            text=text,
            title=title,
            provenance=provenance,
            confidence=round(confidence, 6),
            standing=Standing.TO_VERIFY,
            created_at=at,
            updated_at=at,
            expires_at=expires_at,
            confirmed_by=confirmed_by,
        )
        return regraded(item, settings)

    def store(self, item: KnowledgeItem, recalled: Iterable[KnowledgeItem] = ()) -> Outcome:
        """Keep an item, unless it is too unsure, known already, or was only recalled.

        `recalled` are the items that the run which found it had been offered. What has expired by the time that the
        item was made is marked so, and in nobody's way.
        """
        settings, at = self.settings, item.created_at
        if item.confidence < settings.stored_from:
            return Outcome(item, "dropped")
        for other in recalled:
            if self._same(item, other):
                return Outcome(item, "recalled", other)
        again = self._base.get(item.id)
        if again is not None:
            if not _is_over(again, at):
                return Outcome(item, "kept", again)
            item = replace(item, helped=again.helped, misled=again.misled)
        known = self._base.alike(item.text, item.type)
        if known is not None and _is_over(known, at):
            self._base.put([known.marked(Standing.EXPIRED, at, "its time was over")])
            known = None
        if known is None or not self._same(item, known):
            self._base.put([item])
            return Outcome(item, "stored")
        if known.confidence >= item.confidence:
            return Outcome(item, "kept", known)
        self._base.put([item, known.marked(Standing.SUPERSEDED, item.created_at, "a surer one says it", item.id)])
        return Outcome(item, "replaced", known)

    def consume(self, wanted: Sequence[Wanted], attention: float) -> Injection:
        """What an activity with these requirements is given, at this attention of its context."""
        found: dict[str, KnowledgeItem] = {}
        for each in wanted:
            for item in self._retriever.search(each):
                found.setdefault(item.id, item)
        about = " ".join(each.query for each in wanted)
        return prepare(list(found.values()), attention, about, self.settings, self._summariser, self._counter)

    def precise(self, intent: str, unmet: str, at: str, *, but: Iterable[str] = ()) -> Injected | None:
        """The PRECISE re-injection: the best item of confidence 0.7 or more for what is unmet, if there is one.

        It is given whole; one that is too large for an injection is passed over.
        """
        tried = frozenset(but)
        query = f"{intent} {unmet}".strip()
        wanted = Wanted(query=query, count=_SPARE + len(tried), min_confidence=self.settings.precise_from, at=at)
        found = [item for item in self._retriever.search(wanted) if item.id not in tried]
        one_by_one = (prepare([item], 1.0, query, self.settings, self._summariser, self._counter) for item in found)
        return next((injection.given[0] for injection in one_by_one if injection.given), None)

    def feedback(self, offered: Offered) -> list[Step]:
        """Learn from an activity run, once per item; the changed items are kept."""
        steps = feedback(offered, self.settings)
        self._base.put([step.item for step in steps])
        return steps

    def confirm(self, item: KnowledgeItem, by: str, at: str) -> KnowledgeItem:
        """A person vouches for an item; it is in use (again), though its time was over."""
        sure, until = max(self.settings.confirmed, item.confidence), None if item.has_expired(at) else item.expires_at
        changed = replace(
            item, confirmed_by=by, confidence=sure, standing=Standing.USABLE, updated_at=at, why="", expires_at=until
        )
        self._base.put([changed])
        return changed

    def retire(self, item: KnowledgeItem, at: str, why: str) -> KnowledgeItem:
        """A person takes an item out of use; it stays readable."""
        changed = item.marked(Standing.RETIRED, at, why)
        self._base.put([changed])
        return changed

    def _same(self, one: KnowledgeItem, other: KnowledgeItem) -> bool:
        return one.text == other.text or text_similarity(one.text, other.text) > self.settings.same_above


def _is_over(item: KnowledgeItem, at: str) -> bool:
    """Whether it is its time alone that keeps it out of use."""
    return item.has_expired(at) and (item.standing.in_use or item.standing is Standing.EXPIRED)


def fits(item: KnowledgeItem, wanted: Wanted) -> bool:
    """Whether an item is what was asked for, apart from its text."""
    if wanted.type not in _ANY and item.type != wanted.type:
        return False
    return item.standing.in_use and not item.has_expired(wanted.at) and item.confidence >= wanted.min_confidence
