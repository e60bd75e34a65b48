"""The path that a run took, told from its log, which names elements and branches but no flows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.events import Event, EventType
from engine.report.model.family import Family
from engine.report.model.places import Place, Places
from engine.report.model.routes import Position, Routes

_MOVES: Final = frozenset(
    {
        EventType.ACTIVITY_STARTED,
        EventType.ACTIVITY_COMPLETED,
        EventType.D1,
        EventType.GATEWAY,
        EventType.WORK_ITEM_CREATED,
        EventType.MESSAGE_RECEIVED,
        EventType.INCIDENT,
    }
)
_BESIDE: Final = frozenset({"boundaryEvent", "startEvent"})
"""What opens a branch beside the one that goes on."""


@dataclass(frozen=True, slots=True)
class Path:
    """How often each flow was taken, each event and gateway passed, and each sub-process entered.

    `lost` are the branches that an interruption ended, by the number of its event.
    """

    flows: Counter[str]
    passed: Counter[str]
    lost: Mapping[int, tuple[str, ...]]


def find_path(
    places: Places, main: str, events: Iterable[Event], tokens: Iterable[tuple[str, str]] = ()
) -> Path:
    """The path of a run of the process `main`, up to where its `tokens` (element, branch) wait now.

    Cost: the events, and each way between two elements that occurs.
    """
    follower = _Follower(places, main)
    for event in events:
        if event.type in _MOVES:
            follower.move(event)
        elif event.type in _TURNS:
            _TURNS[event.type](follower, event)
    for name, branch in tokens:
        follower.wait(name, branch)
    marks = follower.routes.marks
    return Path(marks.flows, marks.passed, follower.lost)


class _Follower:
    """Where the token of each branch stands while the log is read."""

    def __init__(self, places: Places, main: str) -> None:
        self._places = places
        self._family = Family()
        self._at: dict[str, Position] = {"": Position(main)}
        self.routes = Routes(places)
        self.lost: dict[int, tuple[str, ...]] = {}

    def move(self, event: Event, *, anew: bool = False) -> None:
        place = self._places.find(event.element)
        if place is None:
            return
        position = self._position(event.branch)
        completed = event.type is EventType.ACTIVITY_COMPLETED
        if position is not None:
            if position.done and position.id == place.element.id and place.element.loop and not completed and not anew:
                return  # only when it is completed, its round is told
            self.routes.go(position, place.element.id, anew=anew or _begins_anew(event))
        chosen = (self._places.find(name) for name in event.data.get("taken", ()))
        first = tuple(to.element.id for to in chosen if to is not None)
        self._stand(event.branch, Position(place.element.id, first, completed))

    def split(self, event: Event) -> None:
        place = self._places.find(event.element)
        if place is None:
            return
        beside = place.element.kind in _BESIDE
        if beside:
            self.routes.stay(place.element.id)
        else:
            self.move(event, anew=True)
        for branch in event.data.get("branches", ()):
            arm = None if beside else self._arm(place, branch)
            self._stand(branch, Position(place.element.id, (arm,) if arm else ()))

    def join(self, event: Event) -> None:
        place = self._places.find(event.element)
        arrived = [self._at.pop(branch) for branch in event.data.get("branches", ()) if branch in self._at]
        for position in arrived:
            if place is not None:
                self.routes.go(position, place.element.id, stops=True)
            else:
                self._stand(event.branch, Position(self.routes.leave(position)))
        for branch in self._family.rejoin(event.branch):
            self._at.pop(branch, None)
        if place is not None:
            self._stand(event.branch, Position(place.element.id))
            self.routes.stay(place.element.id)

    def interrupt(self, event: Event) -> None:
        place = self._places.find(event.element)
        if place is None:
            return
        host = place.element.attached_to
        self.lost[event.seq] = lost = tuple(
            branch
            for branch in self._family.under(event.branch)
            if branch in self._at and host in self._places.chain(self._at[branch].id)
        )
        thrown = place.element.event.kind if place.element.event is not None else "none"
        for branch in (event.branch, *lost):
            position = self._at.pop(branch, None)
            if position is not None and host in self._places.chain(position.id)[:-1]:
                self.routes.throw(position, thrown)
        self._stand(event.branch, Position(place.element.id))
        self.routes.stay(place.element.id)

    def complete(self, event: Event) -> None:
        for position in self._at.values():
            self.routes.leave(position)

    def wait(self, name: str, branch: str) -> None:
        """On to where a token waits now."""
        place, position = self._places.find(name), self._at.get(branch)
        if place is not None and position is not None and place.element.attached_to is None:
            self.routes.go(position, place.element.id, stops=True)

    def _stand(self, branch: str, position: Position) -> None:
        if branch not in self._at:
            self._family.add(branch)
        self._at[branch] = position

    def _position(self, branch: str) -> Position | None:
        """Where the token of a branch stands; of one that was not announced, where the branch around it does."""
        while branch not in self._at and branch:
            branch = branch.rpartition("/")[0]
        return self._at.get(branch)

    def _arm(self, place: Place, branch: str) -> str | None:
        """The element that a branch leads to, where its name says so."""
        arm = branch.rpartition(".")[2]
        reached = {place.scope.flows[flow].target for flow in place.element.outgoing}
        return arm if arm in reached else None


def _begins_anew(event: Event) -> bool:
    """Whether a loop begins with what is told: its first round, or that there is nothing to do."""
    return event.data.get("round") == 0 or event.data.get("instances") == 0


_TURNS: Final[Mapping[EventType, Callable[[_Follower, Event], None]]] = {
    EventType.D2: _Follower.split,
    EventType.D3: _Follower.join,
    EventType.INTERRUPTED: _Follower.interrupt,
    EventType.INSTANCE_COMPLETED: _Follower.complete,
}
