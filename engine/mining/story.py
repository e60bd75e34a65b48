"""An instance's log as process mining wants it: who did what to which activity run, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.events import Event, EventType
from engine.names import Names

TRANSITIONS: Final = {
    EventType.ACTIVITY_STARTED: "start",
    EventType.ACTIVITY_COMPLETED: "complete",
    EventType.WORK_ITEM_CREATED: "schedule",
    EventType.INTERVENTION_RAISED: "suspend",
    EventType.INTERVENTION_DELEGATED: "reassign",
    EventType.INTERVENTION_ANSWERED: "resume",
    EventType.INTERRUPTED: "withdraw",
    EventType.INCIDENT: "ate_abort",
    EventType.REFUSED: "ate_abort",
}
"""What happens to an activity run, in the words of the standard life cycle of XES (IEEE 1849-2016)."""
_OPENS: Final = frozenset({EventType.ACTIVITY_STARTED, EventType.WORK_ITEM_CREATED})
_ENDS: Final = frozenset({EventType.ACTIVITY_COMPLETED})


@dataclass(frozen=True, slots=True)
class Step:
    """An event, with the activity run it is of (None: of none), its life-cycle transition, and who did it."""

    event: Event
    name: str
    run: str | None
    transition: str | None
    resource: str | None


class People:
    """Names of people, or pseudonyms in their place: the same for the same name, numbered as they come."""

    def __init__(self, pseudonyms: bool) -> None:
        self._pseudonyms = pseudonyms
        self._known: dict[str, str] = {}

    def name(self, person: str | None) -> str | None:
        if person is None or not self._pseudonyms:
            return person
        return self._known.setdefault(person, f"person {len(self._known) + 1}")


class Story:
    """The steps of one instance."""

    def __init__(self, instance: str, names: Names, people: People) -> None:
        self._instance, self._names, self._people = instance, names, people
        self._open: dict[tuple[str, str], str] = {}
        self._runs: dict[str, int] = {}
        self._did: dict[tuple[str, str], str] = {}
        """Who did the task of an element on a branch last."""

    def steps(self, events: Iterable[Event]) -> Iterator[Step]:
        """In order. A run is one time that an element is done on a branch: ELEMENT/1, ELEMENT/2 …"""
        for event in events:
            place = (event.element or "", event.branch)
            if event.type is EventType.WORK_ITEM_COMPLETED:
                self._did[place] = str(event.data.get("by"))
            transition = TRANSITIONS.get(event.type)
            run = self._run(event, place, transition)
            yield Step(event, self._names.element(event.element), run, transition, self._resource(event, place))
            if event.type in _ENDS:
                self._open.pop(place, None)
                self._did.pop(place, None)

    def _run(self, event: Event, place: tuple[str, str], transition: str | None) -> str | None:
        if event.element is None:
            return None
        if place not in self._open:
            if event.type not in _OPENS and transition is None:
                return None
            self._runs[place[0]] = self._runs.get(place[0], 0) + 1
            self._open[place] = f"{self._instance}/{place[0]}/{self._runs[place[0]]}"
        return self._open[place]

    def _resource(self, event: Event, place: tuple[str, str]) -> str | None:
        by = event.data.get("by")
        if event.type is EventType.ACTIVITY_COMPLETED:
            return self._people.name(self._did[place]) if place in self._did else None if by is None else str(by)
        return self._people.name(None if by is None else str(by))
