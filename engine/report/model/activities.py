"""What happened at each element, in numbers: folded from the log in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from engine.events import Event, EventType


@dataclass(slots=True)
class Tally:
    """One element over the whole run.

    `score` is the lowest attention measured there, `seconds` the time from its starts to its completions. Tokens are
    those of its prompts, as sent and as they would have been without governance. `by` is who did it last.
    """

    element: str
    completed: int = 0
    started: int = 0
    score: float | None = None
    seconds: float = 0.0
    tokens: int = 0
    tokens_ungoverned: int = 0
    compressed: int = 0
    splits: int = 0
    merges: int = 0
    conflicts: int = 0
    asked: int = 0
    incidents: int = 0
    open_incidents: int = 0
    by: str = ""
    decision: str = ""

    def measured(self, attention: Any) -> None:
        if attention is not None:
            score = float(attention[0])
            self.score = score if self.score is None else min(self.score, score)


def tally(events: Iterable[Event]) -> Mapping[str, Tally]:
    """By element id, in the order in which they were first heard of."""
    counting = _Counting()
    for event in events:
        fold = _FOLDS.get(event.type)
        if fold is not None and event.element is not None:
            fold(counting, event, counting.at(event.element))
    return counting.tallies


class _Counting:
    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {}
        self._since: dict[tuple[str | None, str], str] = {}

    def at(self, element: str) -> Tally:
        found = self.tallies.get(element)
        if found is None:
            found = self.tallies[element] = Tally(element)
        return found

    def started(self, event: Event, here: Tally) -> None:
        here.started += 1
        self._since.setdefault((event.element, event.branch), event.at)

    def completed(self, event: Event, here: Tally) -> None:
        data = event.data
        here.completed += 1
        here.measured(data.get("attention"))
        here.by, here.decision = data.get("by", here.by), data.get("decision", "")
        if data.get("tokens"):
            here.tokens += data["tokens"][0]
            here.tokens_ungoverned += data["tokens"][1]
        since = self._since.pop((event.element, event.branch), None)
        if since is not None:
            here.seconds += seconds_between(since, event.at)

    def compressed(self, event: Event, here: Tally) -> None:
        here.compressed += bool(event.data.get("compressed"))

    def split(self, event: Event, here: Tally) -> None:
        here.splits += 1

    def merged(self, event: Event, here: Tally) -> None:
        here.merges += 1
        here.conflicts += len(event.data.get("conflicts", ()))

    def gateway(self, event: Event, here: Tally) -> None:
        here.measured(event.data.get("attention"))

    def asked(self, event: Event, here: Tally) -> None:
        here.asked += 1

    def offered(self, event: Event, here: Tally) -> None:
        self.started(event, here)
        self.asked(event, here)

    def failed(self, event: Event, here: Tally) -> None:
        here.incidents += 1
        here.open_incidents += 1

    def resolved(self, event: Event, here: Tally) -> None:
        here.open_incidents = max(0, here.open_incidents - 1)


_FOLDS: Final[Mapping[EventType, Callable[[_Counting, Event, Tally], None]]] = {
    EventType.ACTIVITY_STARTED: _Counting.started,
    EventType.ACTIVITY_COMPLETED: _Counting.completed,
    EventType.D1: _Counting.compressed,
    EventType.D2: _Counting.split,
    EventType.D3: _Counting.merged,
    EventType.GATEWAY: _Counting.gateway,
    EventType.INTERVENTION_RAISED: _Counting.asked,
    EventType.WORK_ITEM_CREATED: _Counting.offered,
    EventType.INCIDENT: _Counting.failed,
    EventType.INCIDENT_RESOLVED: _Counting.resolved,
}


def seconds_between(start: str, end: str) -> float:
    """Between two timestamps of the log."""
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
