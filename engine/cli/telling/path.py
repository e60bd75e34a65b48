"""The path of a running instance: what was done, what is being done, and what governance made of it, as it happens."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from typing import Any, Final, TypeAlias

from engine.events import Event, EventType

_KEPT: Final = 200
"""How many steps that are over are kept; a panel shows the last of them."""


class State(StrEnum):
    """How far a step is."""

    WORKING = "working"
    WAITING = "waiting"
    FAILED = "failed"
    DONE = "done"
    SPLIT = "split"
    MERGED = "merged"
    STOPPED = "stopped"


@dataclass(slots=True)
class Step:
    """One step of the path: a run of an activity, a split or a join.

    `began` and `ended` are seconds of the path's clock. `pressure` is what D1 found, `left` what it left of that.
    `tokens` are those sent to models and those that would have been sent without governance. `conflicts` is how many a
    join had, `about` what a person is asked, or what failed.
    """

    order: int
    element: str | None
    branch: str
    state: State
    began: float
    ended: float | None = None
    pressure: float | None = None
    left: float | None = None
    tokens: tuple[int, int] | None = None
    attention: float | None = None
    branches: int = 0
    conflicts: int = 0
    about: str = ""


@dataclass(slots=True)
class Totals:
    """What governance has done so far."""

    activities: int = 0
    looks: int = 0
    compressed: int = 0
    splits: int = 0
    merges: int = 0
    conflicts: int = 0
    questions: int = 0
    notes: int = 0
    sent: int = 0
    ungoverned: int = 0
    attention: float | None = None
    lowest: tuple[float, str | None] | None = None


_Place: TypeAlias = tuple[str | None, str]


@dataclass(slots=True)
class Path:
    """A listener of events. `clock` gives seconds.

    `merge` is the data of the last D3 that had conflicts.
    """

    clock: Callable[[], float]
    process: str = ""
    totals: Totals = field(default_factory=Totals)
    merge: Mapping[str, Any] | None = None
    _over: deque[Step] = field(default_factory=lambda: deque(maxlen=_KEPT))
    _open: dict[_Place, Step] = field(default_factory=dict)
    _compressed: dict[_Place, tuple[float, float]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)
    _steps: int = 0

    def __call__(self, event: Event) -> None:
        fold = _FOLDS.get(event.type)
        if fold is not None:
            fold(self, event, event.data)

    def last(self, most: int) -> tuple[list[Step], int]:
        """The steps to show, in the order in which they began, and how many there are besides.

        Those that go on come first into it; the rest of the room is for those that ended last.
        """
        going = list(self._open.values())[-most:]
        room = most - len(going)
        over = list(self._over)[-room:] if room else []
        return sorted([*over, *going], key=lambda step: step.order), self._steps - len(over) - len(going)

    def count(self, state: State) -> int:
        """How many of the steps that go on are in a state."""
        return sum(step.state is state for step in self._open.values())

    def _began(self, event: Event, state: State, about: str = "") -> Step:
        """The step of an event that goes on; it begins if it is not there."""
        place = (event.element, event.branch)
        step = self._open.get(place)
        if step is None:
            self._steps += 1
            step = Step(next(self._numbers), event.element, event.branch, state, self.clock())
            self._open[place] = step
        step.state, step.about = state, about
        step.pressure, step.left = self._compressed.get(place, (None, None))
        return step

    def _ended(self, event: Event, state: State) -> Step:
        step = self._began(event, state)
        del self._open[event.element, event.branch]
        step.ended = self.clock()
        self._over.append(step)
        return step

    def _started(self, event: Event, data: Any) -> None:
        self.process = data["process"]

    def _working(self, event: Event, data: Any) -> None:
        self._began(event, State.WORKING)

    def _completed(self, event: Event, data: Any) -> None:
        step, totals = self._ended(event, State.DONE), self.totals
        totals.activities += 1
        looked = self._compressed.pop((event.element, event.branch), None)
        if "d1" in data:
            totals.looks += looked is None
            step.left = data["d1"][0]
        if "tokens" in data:
            step.tokens = (data["tokens"][0], data["tokens"][1])
            totals.sent += step.tokens[0]
            totals.ungoverned += step.tokens[1]
        self._measured(event, data)
        step.attention = totals.attention if data.get("attention") else None

    def _taken(self, event: Event, data: Any) -> None:
        if (event.element, event.branch) in self._open:
            self._ended(event, State.DONE)
        self._measured(event, data)

    def _measured(self, event: Event, data: Any) -> None:
        if data.get("attention"):
            score, totals = float(data["attention"][0]), self.totals
            totals.attention = score
            totals.lowest = min(totals.lowest or (score, event.element), (score, event.element), key=lambda one: one[0])

    def _looked(self, event: Event, data: Any) -> None:
        place = (event.element, event.branch)
        pressure, left = data["before"]["pressure"], data["after"]["pressure"]
        known = self._compressed.get(place)
        self._compressed[place] = (known[0] if known else pressure, left)
        self.totals.looks += 1
        self.totals.compressed += bool(data["compressed"])
        if place in self._open:
            self._open[place].pressure, self._open[place].left = self._compressed[place]

    def _split(self, event: Event, data: Any) -> None:
        self.totals.splits += 1
        self._ended(event, State.SPLIT).branches = len(data["branches"])

    def _merged(self, event: Event, data: Any) -> None:
        step, conflicts = self._ended(event, State.MERGED), data.get("conflicts", ())
        step.branches, step.conflicts = len(data["branches"]), len(conflicts)
        self.totals.merges += 1
        self.totals.conflicts += len(conflicts)
        if conflicts:
            self.merge = data

    def _asked(self, event: Event, data: Any) -> None:
        self.totals.questions += 1
        if data["kind"] != "system_write":
            self._began(event, State.WAITING, data["message"])

    def _answered(self, event: Event, data: Any) -> None:
        step = self._open.get((event.element, event.branch))
        if step is not None:
            step.state, step.about = State.WORKING, ""

    def _offered(self, event: Event, data: Any) -> None:
        self._began(event, State.WAITING, "to be done by a person")

    def _noted(self, event: Event, data: Any) -> None:
        self.totals.notes += 1

    def _failed(self, event: Event, data: Any) -> None:
        self._began(event, State.FAILED, data["error"])

    def _interrupted(self, event: Event, data: Any) -> None:
        names = data["interrupted"].split(", ")
        for place, step in list(self._open.items()):
            if step.element in names and step.branch.startswith(event.branch):
                del self._open[place]
                step.state, step.ended = State.STOPPED, self.clock()
                self._over.append(step)


_FOLDS: Final[dict[EventType, Callable[[Path, Event, Any], None]]] = {
    EventType.INSTANCE_STARTED: Path._started,
    EventType.ACTIVITY_STARTED: Path._working,
    EventType.ACTIVITY_COMPLETED: Path._completed,
    EventType.GATEWAY: Path._taken,
    EventType.D1: Path._looked,
    EventType.D2: Path._split,
    EventType.D3: Path._merged,
    EventType.INTERVENTION_RAISED: Path._asked,
    EventType.INTERVENTION_ANSWERED: Path._answered,
    EventType.WORK_ITEM_CREATED: Path._offered,
    EventType.NOTICE: Path._noted,
    EventType.INCIDENT: Path._failed,
    EventType.INCIDENT_RESOLVED: Path._working,
    EventType.INTERRUPTED: Path._interrupted,
}
