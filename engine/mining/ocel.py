"""Logs as OCEL 2.0 JSON: every event, with the objects that it is about.

Objects are instances, activity runs, snapshots, decisions (D1, D2, D3), interventions and items of knowledge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from engine.events import Event, EventType
from engine.mining.story import Step

INSTANCE, RUN, SNAPSHOT = "instance", "activity_run", "snapshot"
DECISION, INTERVENTION, KNOWLEDGE = "decision", "intervention", "knowledge_item"
_OBJECTS: Final[Mapping[str, tuple[str, ...]]] = {
    INSTANCE: ("process", "definition", "status", "starter"),
    RUN: ("element", "name", "branch"),
    SNAPSHOT: (),
    DECISION: ("kind", "element"),
    INTERVENTION: ("kind", "level", "element"),
    KNOWLEDGE: (),
}
_ATTRIBUTES: Final = ("element", "name", "branch", "transition", "resource")
_SNAPSHOTS: Final = ("head", "before", "after", "snapshot_before", "snapshot_after", "snapshot", "lost", "bases")
_DECISIONS: Final = frozenset({EventType.D1, EventType.D2, EventType.D3})
_ASKING: Final = frozenset(
    {
        EventType.INTERVENTION_RAISED,
        EventType.INTERVENTION_DELEGATED,
        EventType.INTERVENTION_ESCALATED,
        EventType.INTERVENTION_ANSWERED,
    }
)


class OcelLog:
    """Collects instances; `document` is the whole log. Cost: it is held in memory."""

    def __init__(self) -> None:
        self._events: list[dict[str, Any]] = []
        self._objects: dict[str, dict[str, Any]] = {}
        self._types: set[str] = set()

    def add(self, instance: str, about: Mapping[str, str | None], steps: Iterable[Step], created_at: str) -> None:
        """An instance with its steps."""
        self._object(instance, INSTANCE, created_at, about)
        for step in steps:
            event = step.event
            related = [(instance, "of"), *self._related(instance, step)]
            self._types.add(event.type.value)
            given = {
                "element": event.element, "name": step.name if event.element else None, "branch": event.branch or None,
                "transition": step.transition, "resource": step.resource,
            }  # fmt: skip
            self._events.append(
                {
                    "id": f"{instance}#{event.seq}",
                    "type": event.type.value,
                    "time": event.at,
                    "attributes": [{"name": name, "value": value} for name, value in given.items() if value],
                    "relationships": [
                        {"objectId": id, "qualifier": qualifier} for id, qualifier in dict.fromkeys(related)
                    ],
                }
            )

    def document(self) -> dict[str, Any]:
        """OCEL 2.0, as JSON."""
        return {
            "eventTypes": [{"name": name, "attributes": _strings(_ATTRIBUTES)} for name in sorted(self._types)],
            "objectTypes": [{"name": name, "attributes": _strings(has)} for name, has in _OBJECTS.items()],
            "events": self._events,
            "objects": list(self._objects.values()),
        }

    def _related(self, instance: str, step: Step) -> Iterator[tuple[str, str]]:
        event = step.event
        if step.run is not None:
            about = {"element": event.element, "name": step.name, "branch": event.branch or None}
            yield self._object(step.run, RUN, event.at, about, instance), "run"
        for qualifier, id in _named(event):
            yield self._object(id, SNAPSHOT, event.at, {}, instance), qualifier
        if event.type in _DECISIONS:
            decision = {"kind": event.type.value, "element": event.element}
            id = f"{instance}/{event.type.value}/{event.seq}"
            yield self._object(id, DECISION, event.at, decision, instance), "decided"
        if event.type in _ASKING:
            asked = {"kind": event.data.get("kind"), "level": event.data.get("level"), "element": event.element}
            yield self._object(str(event.data["id"]), INTERVENTION, event.at, asked, instance), "asked"
        for id in event.data.get("items", ()) if event.type is EventType.KNOWLEDGE_INJECTED else ():
            yield self._object(str(id), KNOWLEDGE, event.at, {}), "injected"
        for id in event.data.get("cited", ()) if event.type is EventType.KNOWLEDGE_FEEDBACK else ():
            yield self._object(str(id), KNOWLEDGE, event.at, {}), "cited"
        if event.type is EventType.KNOWLEDGE_FOUND:
            yield self._object(str(event.data["id"]), KNOWLEDGE, event.at, {}), "found"

    def _object(
        self, id: str, type: str, at: str, about: Mapping[str, Any], instance: str | None = None
    ) -> str:
        """The id of an object, which is made at its first mention."""
        if id not in self._objects:
            self._objects[id] = {
                "id": id,
                "type": type,
                "attributes": [
                    {"name": name, "value": str(value), "time": at} for name, value in about.items() if value
                ],
                "relationships": [] if instance is None else [{"objectId": instance, "qualifier": "of"}],
            }
        return id


def _named(event: Event) -> Iterator[tuple[str, str]]:
    """Snapshots that an event names, with how."""
    for name in _SNAPSHOTS:
        named = event.data.get(name)
        for id in named if isinstance(named, list) else [named]:
            if isinstance(id, str) and len(id) == 32:
                yield name.removeprefix("snapshot_"), id


def _strings(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"name": name, "type": "string"} for name in names]
