"""Runs models in memory: governed by us, or on plain SpiffWorkflow for comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
from SpiffWorkflow.bpmn.parser.BpmnParser import BpmnParser
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.util.task import TaskState

from bpmn.expressions.compiler import compile_script
from bpmn.expressions.places import Where
from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.advance import Advancing
from engine.events import Event, EventType
from engine.governed.hooks import GovernedHooks
from engine.instance import Changes, Instance
from engine.launch import CODEC, Deployed, Launcher, deploy
from engine.people.answering import answer_intervention
from engine.persistence import _find_waiting, final_head, variables_at
from engine.spiff.pruning import KeepEverything
from engine.spiff.state import Row, drain_rows
from engine.status import Status
from engine.workshop import Workshop
from governance.human_loop.intervention import Decision
from governance.ports import FixedClock
from governance.snapshots.commits import dump_commit, load_commit
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit
from governance.snapshots.values import ValueStore

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class FirstWords:
    """A summariser that any reader can follow."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        return (value if isinstance(value, str) else orjson.dumps(value).decode())[:limit]


class Memory:
    """A committer and a source: keeps what a store would, as bytes."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}
        self.values: dict[str, bytes] = {}
        self.commits: dict[str, bytes] = {}
        self.events: list[Event] = []
        self.counters: dict[str, Any] = {}
        self.interventions: dict[str, Any] = {}
        self.work_items: dict[str, Any] = {}
        self.written: list[int] = []

    def commit(self, instance: Instance) -> None:
        rows, gone = drain_rows(instance.workflow, CODEC)
        for key in gone:
            assert key in self.rows or key[0] == "s", f"{key} is deleted and was never saved"
            self.rows.pop(key, None)
        self.rows.update({key: orjson.dumps(row) for key, row in rows.items()})
        self.written.append(len(rows))
        self.values.update(instance.graph.values.drain())
        self.commits.update({each.id: dump_commit(each) for each in instance.graph.drain()})
        self.events += instance.log.drain()
        self.interventions.update(instance.changes.interventions)
        self.work_items.update(instance.changes.work_items)
        instance.changes = Changes()
        self.counters = {
            "tasks": instance.workflow.counter,
            "raised": instance.raised,
            "visits": dict(instance.visits),
            "seq": instance.log.next_seq,
            "status": instance.status,
            "head": final_head(instance),
        }

    # as a source of snapshots and values

    def load(self, value_hash: str) -> bytes:
        return self.values[value_hash]

    def checkpoint(self, snapshot: str) -> None:
        return None

    def commits_of(self, snapshot: str) -> Iterable[Commit]:
        if snapshot in self.commits:
            yield load_commit(orjson.loads(self.commits[snapshot]))


class _Source:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def commits(self, snapshot: str) -> Iterable[Commit]:
        return self._memory.commits_of(snapshot)

    def checkpoint(self, snapshot: str) -> None:
        return None


Doer = Callable[[Work], Outcome]


class Run:
    """One governed instance in memory.

    `handlers` does services and agents by element id; `code` is what a person's task does to the variables. Without
    `prune` finished tasks stay in the tree.
    """

    def __init__(
        self,
        source: bytes,
        variables: Mapping[str, Any] | None = None,
        *,
        code: Mapping[str, str] | None = None,
        handlers: Mapping[str, Doer] | None = None,
        process: str | None = None,
        deployed: Deployed | None = None,
        settings: dict[str, Any] | None = None,
        prune: bool = True,
    ) -> None:
        self.source, self.process = source, process
        self.code, self.handlers = dict(code or {}), dict(handlers or {})
        self.clock, self.memory = FixedClock(BEGIN), Memory()
        self.settings = settings
        self.journal: dict[tuple[str, str], dict[str, Any]] = {}
        self.deployed = deployed or deployed_from(source, process)
        graph = SnapshotGraph(ValueStore())
        self.instance, self.hooks = Launcher(FirstWords()).start(
            "i", self.deployed, variables or {}, graph, BEGIN, starter="starter", settings=settings
        )
        if not prune:
            self.instance.workflow.pruner = KeepEverything()
        self._arm()
        self.status = self.go()

    def _arm(self) -> None:
        self.advancing = Advancing(self.instance, self.hooks, self.clock, self.memory)
        self.workshop = Workshop(self.instance, self.hooks, _Handlers(self.handlers), _Journal(self.journal))

    def go(self, step: Callable[[], Status] | None = None) -> Status:
        self.status = (step or self.advancing.move)()
        while self.instance.jobs:
            self.status = self.advancing.complete_jobs(self.workshop.perform())
        return self.status

    def retry(self, task: int) -> Status:
        """Give a failed task another try."""
        return self.go(lambda: self.advancing.advance(lambda: self.advancing.steps.retry([task], {})))

    def reload(self, *, fresh: bool = True) -> Run:
        """Go on in a fresh object graph, from what was saved and nothing else."""
        deployed = deployed_from(self.source, self.process) if fresh else self.deployed
        rows: dict[str, Row] = {key: orjson.loads(row) for key, row in self.memory.rows.items()}
        graph = SnapshotGraph(ValueStore(self.memory.load), _Source(self.memory))
        self.instance, self.hooks = Launcher(FirstWords()).restore(
            "i",
            deployed,
            graph,
            rows,
            self.memory.counters["tasks"],
            self.clock.now(),
            starter="starter",
            settings=self.settings,
        )
        counters = self.memory.counters
        self.instance.raised, self.instance.visits = counters["raised"], counters["visits"]
        self.instance.log.next_seq, self.instance.status = counters["seq"], counters["status"]
        self.instance.head = counters["head"]
        self.instance.work_items = {w.task: w for w in self.memory.work_items.values() if w.status == "open"}
        self.instance.interventions = {i.id: i for i in self.memory.interventions.values() if i.status == "open"}
        _find_waiting(self.instance)
        self._arm()
        return self

    def open_items(self) -> list[str]:
        """Elements with an open work item, in the order of their tasks."""
        return [item.element for _, item in sorted(self.instance.work_items.items())]

    def do(self, element: str, outputs: Mapping[str, Any] | None = None, key: Any = None) -> Status:
        """Complete a person's task: with these outputs, else with what `code` does to its variables."""
        task = next(
            task_id
            for task_id, item in sorted(self.instance.work_items.items())
            if item.element == element and (key is None or self._key(task_id) == key)
        )
        if outputs is None and element in self.code:
            return self.go(lambda: self._run_code(task, self.code[element]))
        return self.go(lambda: self.advancing.complete_work_item(task, dict(outputs or {}), "ann"))

    def answer(
        self, intervention: str, decision: Decision, *, reason: str = "", values: Mapping[str, Any] | None = None
    ) -> Status:
        """Answer an intervention as Ann."""
        closed = answer_intervention(
            self.instance.interventions[intervention], decision, by="ann", at=self.instance.at, reason=reason,
            values=values, roles=(), starter="starter", shown_hash=None,
        )  # fmt: skip
        self.hooks.check(closed)
        return self.go(lambda: self.advancing.close_intervention(closed))

    def do_all(self, order: Iterable[str] = ()) -> Run:
        """Complete `order`, then whatever is open, until nothing is."""
        for element in order:
            self.do(element)
        while self.instance.work_items:
            self.do(self.open_items()[0])
        return self

    def _key(self, task_id: int) -> Any:
        task = self.instance.task(task_id)
        assert task is not None
        return task.internal_data.get("key_or_index")

    def _run_code(self, task_id: int, code: str) -> Status:
        task = self.instance.task(task_id)
        assert task is not None
        changes = compile_script(code, where=Where(file="t", element="t", line=1)).execute(task.data)
        run = self.advancing

        def apply() -> None:
            item = self.instance.work_items[task_id]
            from engine.governed.offering import completed

            self.instance.put_work_item(completed(item, "ann", self.instance.at, {}))
            outcome = Outcome(outputs=changes.set, deleted=changes.deleted, confidence=1.0)
            run.steps.finish(task, self.hooks.pipeline.complete(task, outcome))

        return run.advance(apply)

    @property
    def variables(self) -> dict[str, Any]:
        return dict(variables_at(self.instance.graph, final_head(self.instance)))

    @property
    def head(self) -> str:
        head = final_head(self.instance)
        assert head is not None
        return head

    def events(self, type: EventType) -> list[Event]:
        return [event for event in self.memory.events if event.type is type]

    def done(self) -> list[str]:
        """Activities completed, in order."""
        return [event.element or "" for event in self.events(EventType.ACTIVITY_COMPLETED)]


class _Handlers:
    def __init__(self, handlers: Mapping[str, Doer]) -> None:
        self._handlers = handlers

    def handler_for(self, element: Any) -> Doer:
        return self._handlers.get(element.id, lambda work: Outcome())

    def require(self, definition: Any) -> None: ...


class _Journal:
    def __init__(self, answers: dict[tuple[str, str], dict[str, Any]]) -> None:
        self._answers = answers

    def get(self, run: str, call: str) -> dict[str, Any] | None:
        return self._answers.get((run, call))

    def put(self, run: str, call: str, answer: dict[str, Any]) -> None:
        self._answers[run, call] = answer


def deployed_from(source: bytes, process: str | None = None) -> Deployed:
    loaded = load(source, file="model.bpmn", process=process)
    assert not loaded.errors, "\n".join(map(str, loaded.errors))
    assert loaded.definition.main is not None
    return deploy(loaded.definition, "hash", loaded.definition.main)


class Plain:
    """The same model on plain SpiffWorkflow; `code` of user tasks runs as Python, as its scripts do."""

    def __init__(
        self, source: bytes, variables: Mapping[str, Any] | None = None, *, code: Mapping[str, str] | None = None
    ) -> None:
        parser = BpmnParser()
        parser.add_bpmn_str(source)
        self.workflow = BpmnWorkflow(parser.get_spec("p"), parser.get_subprocess_specs("p"))
        self.code = dict(code or {})
        self.workflow.task_tree.data.update(orjson.loads(orjson.dumps(dict(variables or {}))))
        self.workflow.do_engine_steps()

    def do(self, element: str, index: int = 0) -> Plain:
        tasks = [t for t in self.workflow.get_tasks(state=TaskState.READY) if t.task_spec.bpmn_id == element]
        task = tasks[index]
        if element in self.code:
            self.workflow.script_engine.execute(task, self.code[element])
        task.run()
        self.workflow.do_engine_steps()
        return self

    def answer(
        self, intervention: str, decision: Decision, *, reason: str = "", values: Mapping[str, Any] | None = None
    ) -> Status:
        """Answer an intervention as Ann."""
        closed = answer_intervention(
            self.instance.interventions[intervention], decision, by="ann", at=self.instance.at, reason=reason,
            values=values, roles=(), starter="starter", shown_hash=None,
        )  # fmt: skip
        self.hooks.joining.check(closed)
        return self.go(lambda: self.advancing.close_intervention(closed))

    def do_all(self, order: Iterable[str] = ()) -> Plain:
        for element in order:
            self.do(element)
        while ready := self.workflow.get_tasks(state=TaskState.READY, manual=True):
            self.do(ready[0].task_spec.bpmn_id)
        return self

    @property
    def completed(self) -> bool:
        return bool(self.workflow.completed)

    @property
    def variables(self) -> dict[str, Any]:
        return dict(self.workflow.data)


__all__ = ["BEGIN", "GovernedHooks", "Memory", "Plain", "Run", "deployed_from"]
