"""Instances that wait for people: what many of them cost, and one of them to go on.

`python -m benchmarks.waiting --instances 100000 --db URL [--json]`, on a database that nobody uses.

One instance is run by the engine to where it waits (for a person, for a timer of 30 days beside it, and for a message);
its rows are copied by the database, each copy under an id of its own. What is measured is done by a program of its own,
that has not seen the database before.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, String, Table, func, select, text

from benchmarks.figures import Figure, document, lines
from bpmn.load import load
from engine.embedding import open_governor
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.reach import owned
from engine.store.tables import InstanceRow, table
from governance.ports import FixedClock

PROCESS: Final = b"""<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="urn:example">
  <message id="m" name="withdrawn"/>
  <process id="claim" isExecutable="true">
    <startEvent id="begin"/>
    <sequenceFlow id="f1" sourceRef="begin" targetRef="fork"/>
    <parallelGateway id="fork"/>
    <sequenceFlow id="f2" sourceRef="fork" targetRef="decide"/>
    <sequenceFlow id="f3" sourceRef="fork" targetRef="withdrawn"/>
    <userTask id="decide"/>
    <boundaryEvent id="late" attachedToRef="decide" cancelActivity="false">
      <timerEventDefinition><timeDuration>P30D</timeDuration></timerEventDefinition>
    </boundaryEvent>
    <sequenceFlow id="f4" sourceRef="late" targetRef="reminded"/>
    <endEvent id="reminded"/>
    <sequenceFlow id="f5" sourceRef="decide" targetRef="decided"/>
    <endEvent id="decided"/>
    <intermediateCatchEvent id="withdrawn"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>
    <sequenceFlow id="f6" sourceRef="withdrawn" targetRef="gone"/>
    <endEvent id="gone"/>
  </process>
</definitions>
"""
_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_ORIGIN: Final = "origin-1"
_FIRST: Final = 1_000_000
_ANSWERED: Final = 30
_SERIES: Final = {
    "postgresql": "generate_series(1, :count) AS series(g)",
    "sqlite": "(WITH RECURSIVE series(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM series WHERE g < :count) "
    "SELECT g FROM series)",
}


def fill(db: str, count: int) -> None:
    """So many instances that wait, in an empty database."""
    with open_governor(db, clock=FixedClock(_BEGIN), ids=SequentialIds("origin-")) as governor:
        result = governor.start(load(PROCESS, file="claim.bpmn"), {"amount": 1200, "claimant": "maria"})
        assert (result.instance, result.status) == (_ORIGIN, "waiting")
    database = Database(db)
    with database.write() as connection:
        origin: int = connection.execute(select(table(InstanceRow).c.number)).scalar_one()
        _copy(connection, table(InstanceRow), "number", origin, count)
        for each, column in owned().items():
            _copy(connection, each, column, origin, count)
    if database.dialect.name.startswith("postgresql"):
        with database.connections.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.exec_driver_sql("ANALYZE")
    database.close()


def _copy(connection: Connection, of: Table, owner: str, origin: int, count: int) -> None:
    """The rows of the origin, for each of the others: with their number, and their ids where its id stands."""
    cells = []
    for column in of.columns:
        if column.name == owner:
            cells.append(f"{origin} + g")
        elif isinstance(column.type, String):
            cells.append(f"replace({column.name}, '{_ORIGIN}', 'w' || CAST({_FIRST} + g AS TEXT))")
        else:
            cells.append(f'"{column.name}"')
    names = ", ".join(f'"{column.name}"' for column in of.columns)
    series = _SERIES[connection.dialect.name]
    statement = f"INSERT INTO {of.name} ({names}) SELECT {', '.join(cells)} FROM {of.name}, {series} "
    connection.execute(text(f"{statement} WHERE {of.name}.{owner} = {origin}"), {"count": count})


def measure(db: str) -> dict[str, float]:
    """In a program that has just begun: when it was ready (seconds since 1970), and to go on with some of them."""
    clock = FixedClock(_BEGIN + timedelta(days=1))
    with open_governor(db, clock=clock, must_exist=True) as governor:
        assert governor.due() == []
        tasks = governor.store.work_items(limit=50)
        ready, cpu = time.time(), time.process_time()
        memory = _memory()
        answers, cpu_before = [], time.process_time()
        for item in tasks[:_ANSWERED]:
            answering = time.perf_counter()
            governor.complete(item.id, {"decision": "pay"}, by="ann")
            answers.append(time.perf_counter() - answering)
        answer_cpu = (time.process_time() - cpu_before) / _ANSWERED
        polls = []
        for _ in range(_ANSWERED):
            polling = time.perf_counter()
            assert governor.due() == []
            polls.append(time.perf_counter() - polling)
        clock.move_to(clock.now() + timedelta(days=60))
        assert governor.due(1)
    middle = _ANSWERED // 2
    return {
        "ready": ready, "cpu": cpu, "memory": memory, "answer": sorted(answers)[middle], "slowest": max(answers),
        "answer_cpu": answer_cpu,
        "poll": sorted(polls)[middle],
    }  # fmt: skip


def _memory() -> float:
    """Of this program at most so far, in megabytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(db: str, count: int) -> list[Figure]:
    filling = time.perf_counter()
    fill(db, count)
    filled = time.perf_counter() - filling
    command = [sys.executable, "-m", "benchmarks.waiting", "--measure", db]
    began = time.time()
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    whole = time.time() - began
    found: dict[str, Any] = json.loads(told)
    system = "PostgreSQL" if "://" in db and not db.startswith("sqlite") else "SQLite"
    on = f"{count:,} waiting instances on {system}, each for a person, a timer and a message"
    size = _size(db) / count
    return [
        Figure(name="durability.waiting.startup", value=found["ready"] - began, unit="s", better="lower", goal=5,
               baselines={"processor seconds of it": found["cpu"]},
               conditions=f"{on}; a program from its first import to what is due and the first 50 tasks"),
        Figure(name="durability.waiting.memory", value=found["memory"], unit="MB", better="lower", goal=300,
               conditions=f"{on}; the largest resident memory of that program"),
        Figure(name="durability.waiting.answer", value=found["answer"] * 1000, unit="ms", better="lower", goal=100,
               baselines={"slowest": found["slowest"] * 1000, "processor ms of it": found["answer_cpu"] * 1000},
               conditions=f"{on}; a person's task, loaded, done and committed; median of {_ANSWERED}"),
        Figure(name="durability.waiting.due", value=found["poll"] * 1000, unit="ms", better="lower",
               conditions=f"{on}; to ask what is due, when nothing is; median of {_ANSWERED}"),
        Figure(name="durability.waiting.bytes", value=size, unit="bytes", better="lower",
               conditions=f"{on}; what the database takes, by an instance; made in {filled:.0f} s, all measured in "
               f"{whole:.0f} s"),
    ]  # fmt: skip


def _size(db: str) -> float:
    database = Database(db)
    try:
        if not database.dialect.name.startswith("postgresql"):
            return Path(database.dialect.name).stat().st_size
        return float(database.cell(select(func.pg_database_size(func.current_database()))))
    finally:
        database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=100_000)
    parser.add_argument("--db", metavar="PATH|URL", help="An empty one. Default: a SQLite file, thrown away.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", metavar="DB", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(given.measure)))
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = run(given.db or str(Path(folder) / "waiting.db"), given.instances)
    print(json.dumps(document(figures), indent=2) if given.json else "\n".join(lines(figures)))


if __name__ == "__main__":
    main()
