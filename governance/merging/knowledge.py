"""KNOWLEDGE at a join: what two branches both found is kept once, and is the surer for it (Design: D3 merge)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from governance.merging.evidence import Evidence
from governance.merging.paths import DELETED, WHOLE
from governance.merging.survivors import Survivor

SAME_ABOVE = 0.9
"""Two texts more alike than this are one item."""
SURE_AT_MOST = 0.99
"""Independent sources together make an item no surer than this."""

Similarity = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An item that several branches found: `dropped` are the keys that go, `confidence` is of all sources together."""

    key: str
    dropped: tuple[str, ...]
    confidence: float

    def dump(self) -> dict[str, Any]:
        return {"key": self.key, "dropped": list(self.dropped), "confidence": self.confidence}


@dataclass(slots=True)
class _Item:
    """A key as merged, with the confidence that each of its sources gives it."""

    key: str
    text: str
    stated: float
    sources: dict[str, float]
    heads: int
    dropped: tuple[str, ...] = ()

    def absorb(self, sources: Mapping[str, float]) -> None:
        for source, confidence in sources.items():
            self.sources[source] = max(confidence, self.sources.get(source, 0.0))


def confirmed(
    found: Mapping[str, tuple[Any, Sequence[Survivor]]], evidence: Evidence, similarity: Similarity
) -> list[Confirmed]:
    """What becomes surer or goes, of the KNOWLEDGE written since the base: by key its merged value, and its writes.

    Values without text are left alone. Only what no head had seen together is compared: a branch's own items are its
    own affair. The surest of items that are alike stays; of equally sure ones the first by key.
    """
    items = (_item(key, value, writes, evidence, similarity) for key, (value, writes) in found.items())
    kept: list[_Item] = []
    for item in sorted(filter(None, items), key=lambda item: (-item.stated, item.key)):
        leader = next((other for other in kept if _same(item, other, similarity)), None)
        if leader is None:
            kept.append(item)
        else:
            leader.absorb(item.sources)
            leader.dropped += (item.key,)
    surer = (Confirmed(item.key, item.dropped, combined(item.sources)) for item in kept)
    return [one for one, item in zip(surer, kept, strict=True) if item.dropped or one.confidence != item.stated]


def combined(sources: Mapping[str, float]) -> float:
    """Confidence 0..1 by several sources: `1 - prod(1 - c)`, at most 0.99, but never below the surest of them."""
    surest = max(sources.values())
    if len(sources) == 1:
        return surest
    together = 1 - prod(1 - sources[source] for source in sorted(sources))
    return max(surest, min(SURE_AT_MOST, round(together, 6)))


def _item(key: str, value: Any, writes: Sequence[Survivor], evidence: Evidence, similarity: Similarity) -> _Item | None:
    """A merged item, confirmed by branches that wrote the same under its key."""
    if not _is_item(value):
        return None
    *others, last = sorted(writes, key=lambda write: write.stamp.order())
    confidence = _confidence(key, last, value, evidence)
    item = _Item(key, value["text"], confidence, {_source(value): confidence}, last.heads)
    for other in others:
        item.heads |= other.heads
        version = evidence.view(other, WHOLE)
        is_other_branch = not other.heads & last.heads
        if is_other_branch and _is_item(version) and _alike(version["text"], item.text, similarity):
            item.absorb({_source(version): _confidence(key, other, version, evidence)})
    return item


def _same(item: _Item, other: _Item, similarity: Similarity) -> bool:
    return not item.heads & other.heads and _alike(item.text, other.text, similarity)


def _alike(one: str, other: str, similarity: Similarity) -> bool:
    return one == other or similarity(one, other) > SAME_ABOVE


def _is_item(value: Any) -> bool:
    return value is not DELETED and isinstance(value, dict) and isinstance(value.get("text"), str)


def _source(value: dict[str, Any]) -> str:
    """Where the item comes from; items that do not say are taken to come from one source."""
    return str(value.get("source") or "")


def _confidence(key: str, write: Survivor, value: dict[str, Any], evidence: Evidence) -> float:
    stated = value.get("confidence")
    return float(stated) if isinstance(stated, int | float) else evidence.meta(key, write).confidence
