"""One life of a program: it begins or goes on with what is stored, until nothing can be done, or it is killed."""

from __future__ import annotations

import json
import os
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bpmn.load import load
from engine.evidence.audit import audit
from engine.governor import Governor
from engine.persistence import graph_from, variables_at
from engine.store.database import Database
from engine.store.store import SqlStore
from governance.ports import FixedClock
from tests.engine.crash.child import Log
from tests.engine.crash.doing import Doers
from tests.engine.crash.dying import DyingStore, Fate
from tests.engine.crash.kinds import KINDS, Kind
from tests.engine.running import FirstWords

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
_MOST_STEPS = 60


@dataclass(frozen=True)
class Place:
    """A folder for what a life tells, and where its database is."""

    folder: Path
    where: str

    @property
    def outcome(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads((self.folder / "outcome.json").read_text())
        return told

    @property
    def log(self) -> list[tuple[str, str]]:
        lines = (self.folder / "log").read_text().splitlines()
        return [(what, name) for what, _, name in (line.partition(" ") for line in lines)]


def live(place: Place, kind: str, point: int) -> None:
    """A program of its own, killed at a point, 0 for never."""
    log = Log(place.folder / "log")
    log("program", str(point))
    pid = os.fork()
    if not pid:
        try:
            _run(place, KINDS[kind], log, Fate(point, log))
        except BaseException:
            (place.folder / "error").write_text(traceback.format_exc())
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    log("ended", str(os.waitstatus_to_exitcode(status)))


class NumberedIds:
    """The number of instances there are: the same whoever counts."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    def new(self) -> str:
        return f"i{len(self._store.instances()) + 1}"


def _run(place: Place, kind: Kind, log: Log, fate: Fate) -> None:
    store = DyingStore(Database(place.where))
    store.point = fate
    clock = FixedClock(NOON)
    governor = Governor(
        store, clock=clock, ids=NumberedIds(store), summariser=FirstWords(), handlers=Doers(log)
    )
    _drive(governor, kind, clock)
    told = [_of_instance(store, each.id) for each in store.instances()]
    governor.close()
    (place.folder / "outcome.json").write_text(json.dumps({"points": fate.passed, "instances": told}))
    os._exit(0)


def _drive(governor: Governor, kind: Kind, clock: FixedClock) -> None:
    """Start, or go on; then whatever can be done from outside, one thing at a time, the nearest first."""
    known = governor.store.instances()
    for id in [each.id for each in known[::-1] if each.status == "running"] + governor.due():
        governor.resume(id)
    if not known:
        governor.start(load(kind.source, file="kind.bpmn", process="p"), kind.variables)
    for _ in range(_MOST_STEPS):
        if not _step(governor, kind, clock):
            return
    raise AssertionError("it does not come to an end")


def _step(governor: Governor, kind: Kind, clock: FixedClock) -> bool:
    store = governor.store
    for item in store.work_items():
        governor.complete(item.id, {"said": item.element}, by="ann")
        return True
    for asked in store.interventions():
        governor.answer(asked.id, "approve", by="ann")
        return True
    waiting = [each for each in store.instances() if each.status == "waiting"]
    for each in waiting:
        if kind.message is not None:
            governor.correlate(each.id, kind.message, {"got": 1})
            return True
    if waiting:
        clock.move_to(clock.now() + timedelta(hours=1))
        for id in governor.due():
            governor.resume(id)
    return bool(waiting)


def _of_instance(store: SqlStore, id: str) -> dict[str, Any]:
    record = store.instance(id)
    found = audit(id, store.log.seals(id), store.log.events(id), record.version)
    assert found.finding is None, found.finding
    return {
        "id": id,
        "status": record.status,
        "head": record.head,
        "variables": dict(variables_at(graph_from(store, id), record.head)),
        "events": [[event.seq, event.type.value, event.element, event.branch] for event in store.events(id)],
        "live": len(store.load(id).live),
        "items": [[each.id, each.status] for each in store.work_items(instance=id, status=None)],
        "asked": [[each.id, each.status] for each in store.interventions(instance=id, status=None)],
    }
