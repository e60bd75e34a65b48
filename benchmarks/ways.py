"""The ways of running a process that are compared. Each is made ready first; what is timed is the run alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from SpiffWorkflow.bpmn.parser.BpmnParser import BpmnParser
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow

from bpmn.codec import definition_hash, to_json
from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.places import Where
from bpmn.load import load
from engine.advance import Advancing, Committer
from engine.instance import Changes, Instance
from engine.launch import CODEC, Deployed, Launcher, deploy
from engine.persistence import StoreCommitter
from engine.spiff.state import drain_rows
from engine.spiff.swap import drive
from engine.spiff.task import DrivenTask
from engine.spiff.workflow import DrivenWorkflow
from engine.status import Status
from engine.store.advance import NewInstance
from engine.store.database import Database
from engine.store.documents import dump_bytes
from engine.store.store import SqlStore
from governance.ports import FixedClock, Summariser, timestamp
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore

Ready = Callable[[], None]
"""Runs a process that was made ready, to its end. Raises NotFinished."""
Way = Callable[[bytes], Callable[[], Ready]]
"""Reads a file once; what it gives makes one run of it ready, as often as it is called."""

_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_HERE = Where(file="", element="", line=None)
_DEEP = 100_000
"""The library's parser goes one level deeper with each element."""


class NotFinished(Exception):
    """A run stopped before the end of its process."""


def stock(source: bytes) -> Callable[[], Ready]:
    """SpiffWorkflow as it is, with its own parser and script engine."""
    spec = _parsed(source)
    return lambda: _finishing(BpmnWorkflow(spec))


def driver(source: bytes) -> Callable[[], Ready]:
    """The driver without governance: the library's own specs and data handling, our compiled scripts."""
    spec = _parsed(source)
    drive(spec)
    return lambda: _finishing(DrivenWorkflow(spec, None, _Scripts()))


def governed(source: bytes) -> Callable[[], Ready]:
    """Full governance, nothing stored."""
    definition = deployed(source)
    return lambda: governed_run(definition)


def stored(folder: Path) -> Way:
    """Full governance with a SQLite database in a folder: each run a file of its own."""

    def way(source: bytes) -> Callable[[], Ready]:
        files = (folder / f"{number}.db" for number in range(1_000_000))

        def ready() -> Ready:
            definition, committer = stored_anew(next(file for file in files if not file.exists()), source)
            return governed_run(definition, committer=committer)

        return ready

    return way


def stored_anew(database: Path, source: bytes) -> tuple[Deployed, StoreCommitter]:
    """A definition in a new SQLite database, and what writes its first instance there."""
    loaded = load(source, file="benchmark.bpmn")
    definition = deployed(source)
    store = SqlStore(Database(str(database)))
    store.deploy(dump_bytes(to_json(loaded.definition)), definition.hash, source, "benchmark", "benchmark.bpmn")
    new = NewInstance(
        id="i", definition=definition.hash, process=definition.index.main.id, at=timestamp(_BEGIN)
    )
    return definition, StoreCommitter(store, new)


def governed_run(
    deployed: Deployed,
    variables: Mapping[str, Any] | None = None,
    committer: Committer | None = None,
    summariser: Summariser | None = None,
) -> Ready:
    """One governed instance, ready to run."""
    advancing = governed_instance(deployed, variables, committer, summariser)

    def run() -> None:
        if advancing.move() is not Status.COMPLETED:
            raise NotFinished(advancing.instance.reason)

    return run


def governed_instance(
    deployed: Deployed,
    variables: Mapping[str, Any] | None = None,
    committer: Committer | None = None,
    summariser: Summariser | None = None,
) -> Advancing:
    """One governed instance, before its first move."""
    graph = SnapshotGraph(ValueStore())
    instance, hooks = Launcher(summariser or Untouched()).start("i", deployed, variables or {}, graph, _BEGIN)
    return Advancing(instance, hooks, FixedClock(_BEGIN), committer or _Nowhere())


class _Nowhere:
    """Where advances go that nobody keeps."""

    def commit(self, instance: Instance) -> None:
        drain_rows(instance.workflow, CODEC)
        instance.graph.drain()
        instance.graph.values.drain()
        instance.log.drain()
        instance.changes = Changes()


class Untouched:
    """A summariser that costs nothing: the beginning of the text."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        return str(value)[:limit]


class _Scripts:
    """Our compiled scripts as the library's script engine: compiled once, as in a definition of ours."""

    def __init__(self) -> None:
        self._scripts = cache(lambda text: compile_script(text, where=_HERE, language="python"))
        self._conditions = cache(lambda text: compile_condition(text, where=_HERE, language="python"))

    def evaluate(self, task: DrivenTask, expression: str, external_context: Mapping[str, Any] | None = None) -> Any:
        return self._conditions(expression).evaluate(task.data)

    def execute(self, task: DrivenTask, script: str, external_context: Mapping[str, Any] | None = None) -> bool:
        changes = self._scripts(script).execute(task.data)
        task.data.update(changes.set)
        for name in changes.deleted:
            del task.data[name]
        return True


def deployed(source: bytes) -> Deployed:
    """A file, ready for instances."""
    definition = load(source, file="benchmark.bpmn").definition
    assert definition.main is not None
    return deploy(definition, definition_hash(definition), definition.main)


def _parsed(source: bytes) -> Any:
    """The library's specs of the one process in a file."""
    sys.setrecursionlimit(_DEEP)
    parser = BpmnParser()
    parser.add_bpmn_str(source)
    [process] = parser.get_process_ids()
    return parser.get_spec(process)


def _finishing(workflow: BpmnWorkflow) -> Ready:
    def run() -> None:
        workflow.do_engine_steps()
        if not workflow.is_completed():
            raise NotFinished("the workflow stopped")

    return run
