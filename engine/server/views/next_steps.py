"""What keeps an instance from going on, and what somebody can do about each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.events import Event, EventType
from engine.names import Names
from engine.report.model.people import Asked
from engine.report.run import Run
from engine.status import Status
from engine.told import joined, recorded, told

Act = Literal["answer", "retry", "unsuspend", "resume", "look", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """`what` stands in the way, `why` in the engine's words; `act` may be done, on `target` (an item, an element)."""

    what: str
    place: str
    why: str
    act: Act
    target: str = ""


def next_steps(run: Run, people: Sequence[Asked], names: Names) -> list[NextStep]:
    """The most pressing first."""
    return [*_halted(run), *_failed(run.events, names), *_asked(people), *_stuck(run, names)]


def _halted(run: Run) -> Iterator[NextStep]:
    if run.record.status == Status.SUSPENDED:
        yield NextStep(what="suspended", place="", why=recorded(run.record.reason or ""), act="unsuspend")
    if run.record.status == Status.RUNNING:
        yield NextStep(what="running", place="", why="", act="resume")


def _failed(events: Sequence[Event], names: Names) -> Iterator[NextStep]:
    standing: dict[tuple[str | None, str], Event] = {}
    for event in events:
        where = (event.element, event.branch)
        if event.type is EventType.INCIDENT:
            standing[where] = event
        elif event.type is EventType.INCIDENT_RESOLVED:
            standing.pop(where, None)
    for event in standing.values():
        why, place = recorded(event.data["error"]), names.element(event.element)
        yield NextStep(what="failed", place=place, why=why, act="retry", target=event.element or "")


def _asked(people: Sequence[Asked]) -> Iterator[NextStep]:
    for asked in people:
        if asked.status == "open":
            what = "task" if asked.kind == "task" else "question"
            yield NextStep(what=what, place=asked.title, why=asked.message, act="answer", target=asked.id)


def _stuck(run: Run, names: Names) -> Iterator[NextStep]:
    if run.record.status == Status.STALLED:
        where = joined(names.element(element) for element, _ in run.tokens)
        why = recorded(run.record.reason or "")
        yield NextStep(what="stalled", place=where, why=why, act="look", target="contexts")
        return
    for element, _ in run.tokens:
        found = names.find(element)
        if found is not None and found.kind == "intermediateCatchEvent" and found.event is not None:
            yield NextStep(what="awaited", place=names.element(element), why=told(f"a {found.event.kind}"), act="none")
