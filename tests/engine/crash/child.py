"""Runs the process in a program that is killed at a commit point, then in another to its end; for every commit point.

`python -m tests.engine.crash.child FOLDER` leaves a folder per point: `0` for the run that nobody kills, `7` for the
one killed at its seventh point. In it are the database, `log` (a line per call and per commit) and `outcome.json`.
Programs are forked from this one, which has nothing open, so that each takes a moment only.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bpmn.load import load
from engine.governor import Governor
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from governance.human_loop.intervention import Intervention
from governance.ports import FixedClock
from tests.engine.crash.dying import DyingStore, Fate
from tests.engine.crash.process import MODEL, SAID, VARIABLES, Doing
from tests.engine.running import FirstWords

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def main(folder: Path) -> None:
    program(folder / "0", 0)
    points = json.loads((folder / "0" / "outcome.json").read_text())["points"]
    for point in range(1, points + 1):
        program(folder / str(point), point)
        program(folder / str(point), 0)


def program(place: Path, point: int) -> None:
    """A program of its own, killed at a point, 0 for never."""
    place.mkdir(exist_ok=True)
    log = Log(place / "log")
    log("program", str(point))
    pid = os.fork()
    if not pid:
        try:
            run(place, log, Fate(point, log))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    log("ended", str(os.waitstatus_to_exitcode(status)))


class Log:
    """Lines that survive the program."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, what: str, name: str) -> None:
        with self._path.open("a") as file:
            file.write(f"{what} {name}\n")


def run(place: Path, log: Log, fate: Fate) -> None:
    """Go on from what is stored until nobody has anything to do; exits."""
    store = DyingStore(Database(str(place / "governor.db")))
    store.point = fate
    governor = Governor(
        store, clock=FixedClock(NOON), ids=SequentialIds("i"), summariser=FirstWords(), handlers=Doing(log)
    )
    result = drive(governor)
    record = store.instance(result.instance)
    outcome = {
        "points": fate.passed,
        "status": result.status,
        "variables": dict(result.variables),
        "head": record.head,
        "events": [[event.seq, event.type.value, event.element, event.branch] for event in store.events(record.id)],
        "answered": [[each.id, each.status] for each in store.interventions(status=None)],
        "done": [[each.id, each.status] for each in store.work_items(status=None)],
    }
    governor.close()
    (place / "outcome.json").write_text(json.dumps(outcome))
    os._exit(0)


def drive(governor: Governor) -> RunResult:
    """Start, or go on; do people's tasks and answer what they are asked."""
    known = governor.store.instances()
    result = governor.resume(known[0].id) if known else governor.start(load(MODEL, file="model.bpmn"), VARIABLES)
    while result.status == "waiting":
        items, asked = governor.store.work_items(), governor.store.interventions()
        if items:
            result = governor.complete(items[0].id, SAID, by="ann")
        else:
            result = governor.answer(asked[0].id, "resolve", by="ann", values=said_by_ann(asked[0]))
    return result


def said_by_ann(asked: Intervention) -> dict[str, Any]:
    """Of values in conflict, the one that came from a person."""
    assert isinstance(asked.shown, dict)
    conflicts: Any = asked.shown["conflicts"]
    return {
        conflict["id"]: {"take": value["branch"]}
        for conflict in conflicts
        for value in conflict["values"]
        if value["activity"] == "ask"
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
