"""Five governed steps on a database: how long they take, what they write, and the same writes without an engine."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Connection

from benchmarks.durable.work import HANDLERS, STEPS, process, step
from bpmn.load import load
from engine.activities.agent import AgentHandler
from engine.activities.choose import ActivityHandlers
from engine.activities.registry import HandlerRegistry
from engine.embedding import RuleSummaries
from engine.events import EventType
from engine.governor import Governor
from engine.models.base import ModelAnswer, ModelRequest
from engine.models.choose import Models
from engine.own_jobs import NoHolds
from engine.prompts.assembler import PromptAssembler
from engine.store.advance import Advance, NewInstance
from engine.store.database import Database
from engine.store.holds import InstanceHolds
from engine.store.ids import SequentialIds
from engine.store.plain import Driver
from engine.store.store import SqlStore
from governance.ports import SystemClock
from tests.engine.store.statements import heard

Statement = tuple[str, Any, bool]
"""SQL, parameters, whether they are those of many rows."""


@dataclass
class Spent:
    """What some instances took: seconds by the wall and of this program's CPU, and the transactions that wrote."""

    instances: int
    wall: float
    cpu: float
    commits: int = 0
    advances: int = 0
    calls: int = 0
    transactions: list[list[Statement]] = field(default_factory=list)


class _Sure:
    """A model that costs nothing, and whose answers nobody is asked about."""

    name = "sure"

    def answer(self, request: ModelRequest) -> ModelAnswer:
        return ModelAnswer(text=step(len(request.messages)), confidence=0.9, model=self.name)


class _Counted(Database):
    """Counts the transactions that write, and keeps what they say."""

    def __init__(self, where: str) -> None:
        self.commits, self._writing = 0, False
        self.kept: list[list[Statement]] = []
        super().__init__(where)

    def watch(self, keep: bool) -> AbstractContextManager[None]:
        self.commits, self.kept = 0, []
        return heard(self.connections, self._hear) if keep else nullcontext()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        self.kept.append([])
        self._writing = True
        with super().write() as connection:
            yield connection
        self._writing = False
        self.commits += 1

    def claim(self, work: Callable[[Driver], Any]) -> Any:
        self.kept.append([])
        self._writing = True
        found = super().claim(work)
        self._writing = False
        self.commits += 1
        return found

    def _hear(self, statement: str, rows: list[Any]) -> None:
        if self._writing and not statement.startswith("BEGIN"):
            self.kept[-1].append((statement, rows if len(rows) > 1 else rows[0], len(rows) > 1))


class _Nowhere(SqlStore):
    """Takes advances and keeps nothing of them."""

    def create(self, new: NewInstance, first: Advance | None = None) -> int:
        return 0 if first is None else 1

    def commit(self, advance: Advance) -> int:
        return advance.version + 1

    def holds(self, instance: str, epoch: int) -> InstanceHolds:
        return cast(InstanceHolds, NoHolds())


def run(
    where: str, instances: int, *, job: str = "step", steps: int = STEPS, keep: bool = False, stored: bool = True
) -> Spent:
    """So many instances, one after the other. `job` "agent": a model that costs nothing does the steps; not `stored`:
    their advances are written nowhere.
    """
    database = _Counted(where)
    agent = AgentHandler(lambda _: _Sure(), PromptAssembler())
    handlers = ActivityHandlers(HandlerRegistry(HANDLERS), agent, Models())
    store = SqlStore(database) if stored else _Nowhere(database)
    governor = Governor(
        store, clock=SystemClock(), ids=SequentialIds(), summariser=RuleSummaries(),
        handlers=lambda settings: handlers,
    )  # fmt: skip
    loaded = load(process(steps, job), file="steps.bpmn")
    if not keep:
        governor.start(loaded, {})
    with database.watch(keep):
        spent = _timed(instances, lambda: governor.start(loaded, {}))
    spent.commits, spent.transactions = database.commits, database.kept
    begun = governor.store.instances(limit=instances) if instances else []
    spent.advances = sum(each.version for each in begun)
    spent.calls = sum(len(governor.events(each.id, types=[EventType.MODEL_CALL])) for each in begun)
    governor.close()
    return spent


def again(transactions: list[list[Statement]], where: str, prepare: Callable[[str], None]) -> Spent:
    """The same transactions on a fresh database, by its driver alone."""
    prepare(where)
    with _plain(where) as execute:
        begun, cpu = time.perf_counter(), time.process_time()
        for transaction in transactions:
            execute(transaction)
        return Spent(0, time.perf_counter() - begun, time.process_time() - cpu)


def payload(where: str, tables: str = "gov_") -> int:
    """Bytes in the columns of all rows."""
    if "://" not in where:
        with closing(sqlite3.connect(where)) as connection:
            return _payload_of(lambda sql: connection.execute(sql).fetchall(), tables, sqlite=True)
    import psycopg

    with psycopg.connect(where) as server:
        return _payload_of(lambda sql: server.execute(sql.encode()).fetchall(), tables, sqlite=False)


def _payload_of(ask: Callable[[str], list[Any]], tables: str, *, sqlite: bool) -> int:
    if sqlite:
        names = [name for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'table'")]
    else:
        names = [name for (name,) in ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    total = 0
    for name in names:
        if not name.startswith(tables):
            continue
        if sqlite:
            columns = [row[1] for row in ask(f'PRAGMA table_info("{name}")')]
            sizes = "+".join(f'coalesce(length(CAST("{column}" AS BLOB)), 0)' for column in columns)
            total += ask(f'SELECT coalesce(sum({sizes}), 0) FROM "{name}"')[0][0]
        else:
            total += int(ask(f'SELECT coalesce(sum(pg_column_size(t.*) - 24), 0) FROM "{name}" t')[0][0])
    return total


def _timed(instances: int, one: Callable[[], object]) -> Spent:
    begun, cpu = time.perf_counter(), time.process_time()
    for _ in range(instances):
        one()
    return Spent(instances, time.perf_counter() - begun, time.process_time() - cpu)


@contextmanager
def _plain(where: str) -> Iterator[Callable[[list[Statement]], None]]:
    if "://" not in where:
        with closing(sqlite3.connect(where, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA secure_delete=ON")
            yield lambda transaction: _do(connection.cursor(), transaction, "BEGIN IMMEDIATE", "COMMIT")
        return
    import psycopg

    with psycopg.connect(where, autocommit=True) as server:
        yield lambda transaction: _do(server.cursor(), transaction, "BEGIN", "COMMIT")


def _do(cursor: Any, transaction: list[Statement], begin: str, commit: str) -> None:
    cursor.execute(begin)
    for statement, parameters, many in transaction:
        (cursor.executemany if many else cursor.execute)(statement, parameters)
        if cursor.description:
            cursor.fetchall()
    cursor.execute(commit)


def cpu_of(pid: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

