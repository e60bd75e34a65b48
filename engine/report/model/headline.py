"""A run at one glance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.events import Event, EventType
from engine.names import Names
from engine.report.model.activities import Tally, seconds_between
from engine.report.model.people import Asked
from engine.report.run import Run
from engine.told import recorded, told

_STATES: Final = {
    "completed": "The process ran to its end",
    "waiting": "The process is waiting",
    "running": "The process is running",
    "failed": "The process has failed",
    "suspended": "The process is suspended: nothing in it moves",
    "cancelled": "The process was cancelled",
    "stalled": "The process is stuck: nothing in it can move",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """`saved` is the share of tokens that governance kept out of prompts; None where no model was asked."""

    process: str
    file: str
    instance: str
    status: str
    state: str
    reason: str
    starter: str
    started_at: str
    last_at: str
    seconds: float
    activities: int
    by_agents: int
    model_calls: int
    tokens: int
    tokens_ungoverned: int
    saved: float | None
    looks: int
    compressions: int
    splits: int
    merges: int
    conflicts: int
    conflicts_by_people: int
    incidents: int
    waiting: Sequence[str]


def headline(
    run: Run, summary: Mapping[str, Any], tallies: Mapping[str, Tally], people: Sequence[Asked], names: Names
) -> Headline:
    """`summary` has the parts of a run's result: measures, decisions, conflicts."""
    record, measures = run.record, summary["measures"]
    tokens, without = measures["tokens_assembled"], measures["tokens_without_governance"]
    decisions = summary["decisions"]
    return Headline(
        process=names.process(record.process),
        file=run.definition.file,
        instance=record.id,
        status=record.status,
        state=told(_STATES.get(record.status, record.status)),
        reason=recorded(record.reason or ""),
        starter=record.starter or "",
        started_at=record.created_at,
        last_at=record.updated_at,
        seconds=seconds_between(record.created_at, record.updated_at),
        activities=measures["activities"],
        by_agents=_by_agents(run.events),
        model_calls=measures["model_calls"],
        tokens=tokens,
        tokens_ungoverned=without,
        saved=1 - tokens / without if without else None,
        looks=len(decisions["D1"]),
        compressions=sum(bool(each["compressed"]) for each in decisions["D1"]),
        splits=len(decisions["D2"]),
        merges=len(decisions["D3"]),
        conflicts=len(summary["conflicts"]),
        conflicts_by_people=sum(each.get("decided_by") == "person" for each in summary["conflicts"]),
        incidents=sum(each.incidents for each in tallies.values()),
        waiting=[
            *(_waits(each) for each in people if each.status == "open"),
            *_failed(tallies, names),
            *_awaited(run, names),
        ],
    )


def _by_agents(events: Sequence[Event]) -> int:
    """Activities for which a model was asked."""
    done = (event for event in events if event.type is EventType.ACTIVITY_COMPLETED)
    return sum(1 for event in done if event.data.get("tokens"))


def _waits(asked: Asked) -> str:
    form = "“{title}” waits for a task by {whom}" if asked.kind == "task" else "“{title}” waits for an answer by {whom}"
    waits = told(form, title=asked.title, whom=asked.whom)
    return told("{waits}, due {due}", waits=waits, due=asked.due) if asked.due else waits


def _failed(tallies: Mapping[str, Tally], names: Names) -> Iterator[str]:
    for each in tallies.values():
        if each.open_incidents:
            yield told("“{title}” has failed and may be tried again", title=names.element(each.element))


def _awaited(run: Run, names: Names) -> Iterator[str]:
    """Events that tokens wait for."""
    for name, _ in run.tokens:
        element = names.find(name)
        if element is not None and element.kind == "intermediateCatchEvent" and element.event is not None:
            what = told(f"a {element.event.kind}")
            yield told("“{title}” waits for {what}", title=names.element(name), what=what)
