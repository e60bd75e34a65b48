"""The tour's instance, run once in memory at a fixed time: what pictures and examples of the reference are made of."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from bpmn.definition import Definition
from engine.activities.choose import activity_handlers
from engine.context_view import SnapshotView, show
from engine.embedding import RuleSummaries
from engine.events import Event, EventType
from engine.governor import Governor
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock

FOLDER: Final = Path(__file__).parents[1] / "tour"
_BEGIN: Final = datetime(2026, 5, 15, 8, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Tour:
    """What the instance came to: `waiting` when it stops for a person, `result` at its end.

    `snapshots` has the context at the places that events name, by `kind:element` (`D1:read_claim`): the one that D1
    came to, the one that an activity left, the one that a join left.
    """

    definition: Definition
    waiting: RunResult
    result: RunResult
    events: tuple[Event, ...]
    snapshots: Mapping[str, SnapshotView]


def run_tour() -> Tour:
    """Start the claim, decide the conflict as the tour does, and look at its contexts."""
    with tempfile.TemporaryDirectory() as folder:
        governor = _governor(Path(folder))
        try:
            loaded = governor.check(FOLDER / "claim.bpmn")
            variables = orjson.loads((FOLDER / "variables.json").read_bytes())
            waiting = governor.start(loaded, variables, starter="jonas")
            asked = waiting.waiting[0]["id"]
            branch = _branch_of(waiting, "check_cover")
            result = governor.answer(
                asked, "resolve", by="maria", values={"payout": {"take": branch}}, reason="4.1: the deductible applies"
            )
            events = tuple(governor.store.events(result.instance))
            graph = governor.graph(result.instance)
            snapshots = {place: show(graph, snapshot) for place, snapshot in _places(events).items()}
        finally:
            governor.close()
    return Tour(loaded.definition, waiting, result, events, snapshots)


def _governor(folder: Path) -> Governor:
    handlers = activity_handlers(model="replay:model.yaml", folder=FOLDER)
    return Governor(
        SqlStore(Database(str(folder / "runs.db"))),
        clock=FixedClock(_BEGIN),
        ids=SequentialIds("claim"),
        summariser=RuleSummaries(),
        handlers=lambda settings: handlers,
    )


def _branch_of(result: RunResult, activity: str) -> str:
    conflicts: Any = result.interventions[0]["shown"]["conflicts"]
    return next(str(value["branch"]) for value in conflicts[0]["values"] if value["activity"] == activity)


def _places(events: tuple[Event, ...]) -> dict[str, str]:
    """The snapshot of each place."""
    found: dict[str, str] = {}
    for event in events:
        if event.type is EventType.D1:
            found.setdefault("start", event.data["snapshot_before"])
            found[f"D1:{event.element}"] = event.data["snapshot_after"]
        elif event.type is EventType.ACTIVITY_COMPLETED:
            found[f"done:{event.element}"] = event.data["head"]
        elif event.type is EventType.D3:
            found[f"D3:{event.element}"] = event.data["after"]
    return found
