"""Between live instances and the store: an advance goes out, a stored instance comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

import orjson

from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.hooks import GovernedHooks
from engine.hearers import Telling
from engine.instance import Changes, Incident, Instance
from engine.launch import CODEC, Deployed, Launcher
from engine.post import Post
from engine.posting import drain_posts
from engine.replay.cause import Cause
from engine.spiff.state import drain_rows
from engine.spiff.task import DrivenTask
from engine.status import Status
from engine.store.advance import PROTOCOL, Advance, NewInstance, StoredInstance
from engine.store.checkpoints import CheckpointPolicy, entries_in
from engine.store.errors import NewerInstance
from engine.store.port import InstanceStore
from governance.budgets import Pool
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.cda.dead_ends.shelf import DeadEndSource
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit
from governance.snapshots.values import ValueStore
from governance.taint import Taint


class AdvanceStore(Protocol):
    """Where advances go; a store is one."""

    def create(self, new: NewInstance, first: Advance | None = None) -> int: ...

    def commit(self, advance: Advance) -> int: ...


class StoreCommitter:
    """Writes each advance of one instance. After a failure the instance in memory is of no more use: load it again.

    `turn` gives the place of an advance among those whose events are told, by its first event. Where `handed_on` says
    so, what is still to be done is for workers: the instance is due at once.
    """

    def __init__(
        self,
        store: AdvanceStore,
        new: NewInstance | None = None,
        uncheckpointed: int = 0,
        turn: Callable[[str, int], Telling] | None = None,
        handed_on: Callable[[], bool] = lambda: False,
    ) -> None:
        self._store, self._new, self._turn, self._handed_on = store, new, turn, handed_on
        self._checkpoints = CheckpointPolicy(uncheckpointed)

    def commit(self, instance: Instance) -> None:
        advance = self._advance(instance)
        if self._turn is None or not advance.events:
            instance.version = self._write(advance)
            return
        turn = self._turn(instance.id, advance.events[0].seq)
        try:
            instance.version = self._write(advance)
        except BaseException:
            turn.drop()
            raise
        turn.tell(advance.events)

    def _write(self, advance: Advance) -> int:
        """The instance's new version."""
        if self._new is None:
            return self._store.commit(advance)
        version = self._store.create(self._new, advance)
        self._new = None
        return version

    def _advance(self, instance: Instance) -> Advance:
        workflow, graph, changes = instance.workflow, instance.graph, instance.changes
        instance.changes = Changes()
        posts = drain_posts(instance)
        rows, gone = drain_rows(workflow, CODEC)
        waiting_on, waiting_off = workflow.event_manager.drain_changes()
        commits = graph.drain()
        instance.handed_on = bool(instance.jobs or posts) and not instance.status.halted and self._handed_on()
        return Advance(
            instance=instance.id,
            version=instance.version,
            epoch=instance.epoch,
            protocol=PROTOCOL,
            status=instance.status.value,
            reason=instance.reason,
            at=instance.at,
            head=final_head(instance),
            due=workflow.now if instance.handed_on else next_due(instance),
            counters=_counters(instance),
            live_upserts=[(key, orjson.dumps(row)) for key, row in rows.items()],
            live_deletes=gone + changes.gone,
            events=instance.log.drain(),
            values=graph.values.drain(),
            commits=commits,
            checkpoint=self._checkpoint(graph, commits),
            work_items=list(changes.work_items.values()),
            interventions=list(changes.interventions.values()),
            journal_purge=changes.finished_runs,
            knowledge=list(changes.knowledge.values()),
            dead_ends=instance.dead_ends.drain(),
            posts=posts,
            taken=changes.taken, definition=changes.definition,
            waiting_on=waiting_on, waiting_off=waiting_off,
            taints=instance.taint.drain(),
            untaints=instance.taint.drain_lifted(),
            spent=changes.spent, raises=changes.raises,
            experiences=changes.experiences,
            cause=_cause(instance, changes, posts),
            skills=[(instance.dead_end_scope, skill) for skill in changes.skills.values()],
        )

    def _checkpoint(
        self, graph: SnapshotGraph, commits: Sequence[Commit]
    ) -> tuple[str, Mapping[str, Any]] | None:
        """The newest snapshot's contents, when they are due to be kept whole."""
        if not commits:
            return None
        last = commits[-1].id
        contents = graph.contents(last)
        size = sum(space.totals.entries for space in contents.spaces.values())
        return (last, contents.dump()) if self._checkpoints.due(entries_in(commits), size) else None


def _cause(instance: Instance, changes: Changes, posts: Sequence[Post]) -> Cause | None:
    """What the advance was made by, with what it found and threw meanwhile."""
    cause, more = changes.cause, dict[str, Any]()
    if instance.reads.found:
        more["reads"] = instance.reads.found
    if instance.chains:
        more["chains"] = True
    if posts:
        more["thrown"] = [[post.id, post.kind, post.name] for post in posts]
    return cause if cause is None or not more else Cause(cause.kind, {**cause.data, **more})


def _counters(instance: Instance) -> dict[str, Any]:
    """What is counted over the whole instance."""
    return {
        "tasks": instance.workflow.counter,
        "raised": instance.raised,
        "visits": instance.visits,
        "writes": instance.writes,
        "line": instance.line,
        "spent": instance.spending.used,
        "budget_raised": instance.spending.raised,
    }


def final_head(instance: Instance) -> str | None:
    """The snapshot that stands for the instance: that of its last token to move."""
    instance.head = instance.newest_head
    return instance.head


def next_due(instance: Instance) -> datetime | None:
    """When the instance has to be looked at again by itself: its next timer, or an intervention that expires."""
    if instance.status.halted:
        return None
    timer, due = instance.workflow.next_due(), instance.held.next_due
    asked = None if due is None else datetime.fromisoformat(due)
    return min((each for each in (timer, asked) if each is not None), default=None)


def graph_from(store: InstanceStore, instance: str) -> SnapshotGraph:
    """The snapshots of a stored instance, read when asked for."""
    source = store.source(instance)
    return SnapshotGraph(ValueStore(source.load), source)


def dead_ends_of(
    store: InstanceStore, settings: Mapping[str, Any], process: str, instance: str
) -> DeadEndRegistry:
    """The dead ends an instance knows, as its setting `dead_ends` says: those of its process ("process", as without
    the setting), of every process ("everywhere"), or its own alone ("instance")."""
    return dead_ends_registry(store.dead_ends(), settings, process, instance)


def dead_ends_registry(
    source: DeadEndSource, settings: Mapping[str, Any], process: str, instance: str
) -> DeadEndRegistry:
    """The same, of those that a source has."""
    reach = settings.get("dead_ends")
    scope = {"everywhere": None, "instance": instance}.get(reach or "", process)
    return DeadEndRegistry(scope=scope, source=source)


def restore(
    stored: StoredInstance,
    deployed: Deployed,
    graph: SnapshotGraph,
    launcher: Launcher,
    now: datetime,
    dead_ends: DeadEndRegistry | None = None,
) -> tuple[Instance, GovernedHooks]:
    """The live instance, as it stood at its last advance. Raises NewerInstance."""
    record = stored.instance
    if record.protocol > PROTOCOL:
        raise NewerInstance(record.id, record.protocol, PROTOCOL)
    rows = {key: orjson.loads(row) for key, row in stored.live.items()}
    instance, hooks = launcher.restore(
        record.id,
        deployed,
        graph,
        rows,
        record.counters["tasks"],
        max(now, datetime.fromisoformat(record.updated_at)),
        starter=record.starter,
        settings=dict(record.settings),
        dead_ends=dead_ends,
    )
    instance.status, instance.reason = Status(record.status), record.reason
    instance.version, instance.epoch = record.version, record.epoch
    instance.raised, instance.visits = record.counters["raised"], dict(record.counters["visits"])
    instance.writes, instance.line = record.counters.get("writes", 0), record.counters.get("line", 0)
    instance.taint = Taint(graph.values, stored.taints)
    instance.spending.used = Pool(*record.counters.get("spent", ()))
    instance.spending.raised = dict(record.counters.get("budget_raised", {}))
    instance.head, instance.log.next_seq = record.head, stored.next_seq
    instance.work_items = {item.task: item for item in stored.work_items}
    instance.interventions = {each.id: each for each in stored.interventions}
    _find_waiting(instance)
    return instance, hooks


def _find_waiting(instance: Instance) -> None:
    """What was being done, held or failed, from the tasks themselves."""
    for asked in instance.interventions.values():
        instance.held.put(asked, None)
    for scope in instance.workflow.scopes():
        for task in scope.live.values():
            if task.activity is not None:
                _place(instance, task, task.activity)


def _place(instance: Instance, task: DrivenTask, run: ActivityRun) -> None:
    for id in run.holds:
        instance.held.put(instance.interventions[id], task.id)
    if run.phase is Phase.INCIDENT:
        instance.incidents[task.id] = Incident.of(task, run.error or "", run.error_kind or "")
    elif run.chain is not None or (run.phase is Phase.WORKING and task.id not in instance.work_items):
        instance.jobs[task.id] = task


def variables_at(graph: SnapshotGraph, head: str | None) -> Mapping[str, Any]:
    """The process variables of a snapshot, by name."""
    if head is None:
        return {}
    space = graph.contents(head)
    return {name: graph.values.get(item.value) for name, item in space.items("WORKING")}
