"""What runs left in records of all instances, as a store tells it: masked by the instance that it comes from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from engine.dead_ends import Standing
from engine.personal.masking import MASK
from engine.store.errors import UnknownInstance
from engine.store.port import InstanceStore
from governance.cda.dead_ends.model import DeadEnd, DeadEndFact
from governance.flywheel.item import KnowledgeItem, SourceKind

_FOUND_IN: Final = "instance "


def told_dead_end(store: InstanceStore, found: DeadEnd) -> DeadEnd:
    """A dead end, by the instance that it was found in last."""
    names = ("trace", "reason", "text", "alternative", "ended_why")
    return found.model_copy(update=_tried(store, found.session, {name: getattr(found, name) for name in names}))


def told_standing(store: InstanceStore, found: Standing) -> Standing:
    """A dead end as it stands, with its facts."""
    facts = [told_fact(store, each) for each in found.facts]
    return replace(found, dead_end=told_dead_end(store, found.dead_end), facts=facts)


def told_fact(store: InstanceStore, fact: DeadEndFact) -> DeadEndFact:
    """A fact of one."""
    told = {name: getattr(fact, name) for name in ("trace", "reason", "text")}
    return fact.model_copy(update=_tried(store, fact.session, told))


def told_item(store: InstanceStore, item: KnowledgeItem) -> KnowledgeItem:
    """An item of knowledge, by the instance that found it, if one did."""
    place = item.provenance.place
    if item.provenance.kind is not SourceKind.FINDING or not place.startswith(_FOUND_IN):
        return item
    told = {"text": item.text, "title": item.title, "why": item.why}
    return replace(item, **_told(store, place.removeprefix(_FOUND_IN), told))


def _tried(store: InstanceStore, instance: str, told: dict[str, Any]) -> dict[str, Any]:
    masked = _told(store, instance, told)
    if masked["trace"] != told["trace"]:  # of which the text is made
        masked["text"] = MASK
    return masked


def _told(store: InstanceStore, instance: str, told: dict[str, Any]) -> dict[str, Any]:
    """Of an instance that was removed nobody knows what was personal."""
    try:
        return store.as_told(instance, told)
    except UnknownInstance:
        return told
