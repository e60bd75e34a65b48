"""A live process instance: the interpreter's workflow, the snapshots, the log, and what waits outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bpmn.definition import Element
from engine.events import EventLog, EventType
from engine.held import Held
from engine.informing import inform
from engine.people.work_item import WorkItem
from engine.process_index import ProcessIndex
from engine.replay.cause import Cause
from engine.replay.reads import Reads
from engine.spending import Spending
from engine.spiff.build import Specs
from engine.spiff.census import Census
from engine.spiff.task import DrivenTask
from engine.spiff.workflow import DrivenWorkflow
from engine.status import Status
from governance.budgets import NOTHING, Pool, Raise
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.cda.experience.model import Experience, ExperienceSource, Skill
from governance.flywheel.item import KnowledgeItem
from governance.human_loop.intervention import Intervention, withdraw
from governance.ports import timestamp
from governance.snapshots.graph import SnapshotGraph
from governance.taint import Taint
from governance.vocabulary import Effect

if TYPE_CHECKING:
    from engine.operations.migration.planning import MigrationPlan


@dataclass(frozen=True, slots=True)
class Incident:
    """An element that failed and waits for a retry. `idle`: it would wait for the world outside, had it not failed."""

    task: int
    element: str
    error: str
    kind: str
    idle: bool = False

    @classmethod
    def of(cls, task: DrivenTask, error: str, kind: str) -> Incident:
        element = task.element_id or task.task_spec.name
        return cls(task.id, element, error, kind, task.task_spec.census is Census.IDLE)


@dataclass(slots=True)
class Changes:
    """What an advance changed outside the workflow and the graph."""

    work_items: dict[str, WorkItem] = field(default_factory=dict)
    interventions: dict[str, Intervention] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    """Ids of posts that were received."""
    finished_runs: list[str] = field(default_factory=list)
    knowledge: dict[str, KnowledgeItem] = field(default_factory=dict)
    experiences: list[Experience] = field(default_factory=list)
    skills: dict[str, Skill] = field(default_factory=dict)
    spent: Pool = NOTHING
    raises: list[Raise] = field(default_factory=list)
    """By what people raised the tenant's budget."""
    cause: Cause | None = None
    """What the advance is made by."""
    gone: list[str] = field(default_factory=list)
    """Keys of live rows that another definition has no place for."""
    definition: tuple[str, str] | None = None
    """Hash and process of the definition that it goes on with, where that is another one from now on."""


class Instance:
    """One run of a process. Lives on one thread; everything durable in it goes to the store with each advance.

    `line` is which line of its history it is on: how often it was rewound.
    """

    migration: MigrationPlan | None = None
    """Of one that was loaded on another definition than it is stored with."""

    def __init__(
        self,
        id: str,
        index: ProcessIndex,
        specs: Specs,
        graph: SnapshotGraph,
        *,
        starter: str | None = None,
        settings: dict[str, Any] | None = None,
        dead_ends: DeadEndRegistry | None = None,
    ) -> None:
        self.id, self.index, self.specs, self.graph, self.starter = id, index, specs, graph, starter
        self.settings = settings or {}
        self.log = EventLog()
        self.chains = False
        """Whether there is a model for the chains of governance."""
        self.status = Status.RUNNING
        self.reason: str | None = None
        self.version = self.epoch = self.raised = self.writes = self.line = 0
        self.dead_ends = dead_ends or DeadEndRegistry()
        self.experience: ExperienceSource | None = None
        self.version_of: Callable[[Element], str] = lambda element: ""
        """The version of who does an activity, as far as it is known."""
        self.effect_of: Callable[[Element], Effect] = lambda element: Effect.WRITE
        """What doing an activity does to the world outside; to write, where nobody says."""
        self.spending, self.taint = Spending(), Taint(graph.values)
        self.head: str | None = None
        """The snapshot of the last token that moved."""
        self.visits: dict[str, int] = {}
        """Per element done by a handler: how often it was begun."""
        self.workflow: DrivenWorkflow
        self.jobs: dict[int, DrivenTask] = {}
        self.work_items: dict[int, WorkItem] = {}
        self.interventions: dict[str, Intervention] = {}
        self.held = Held()
        self.incidents: dict[int, Incident] = {}
        self.changes = Changes()
        self.reads = Reads(graph.values)
        self.posted = self.handed_on = False
        """Whether it has thrown something for other instances since it was loaded; whether its work is for workers."""

    @property
    def dead_end_scope(self) -> str:
        """Whose dead ends count: those of all instances of the process, or of this one alone."""
        return self.id if self.settings.get("dead_ends") == "instance" else self.index.main.id

    @property
    def at(self) -> str:
        """The advance's frozen time."""
        return self.log.at

    @property
    def newest_head(self) -> str | None:
        """The snapshot that stands for the instance: that of the last token that moved."""
        last = self.workflow.last_task
        token = None if last is None else last.token
        return self.head if token is None else token.head

    def freeze_time(self, now: datetime) -> None:
        self.workflow.now = now
        self.log.at = timestamp(now)

    def visit(self, element: str) -> int:
        """One more run of an element: which it is, from 1."""
        self.visits[element] = self.visits.get(element, 0) + 1
        return self.visits[element]

    def task(self, task_id: int) -> DrivenTask | None:
        """A live task, None if it has gone meanwhile."""
        for scope in self.workflow.scopes():
            if task_id in scope.tasks:
                return scope.tasks[task_id]
        return None

    def run_id(self, task: DrivenTask) -> str:
        """What a task's run is called outside: not as on a line of the history that was given up."""
        return f"{task.id}~{self.line}" if self.line else str(task.id)

    def seed_of(self, task: DrivenTask) -> str:
        """What chance is drawn from in the expressions of a task: its own in the whole world, as the instance's id is.

        A retry, a resumption and another look at the same expression draw the same.
        """
        return f"{self.id}/{self.run_id(task)}"

    def put_work_item(self, item: WorkItem) -> None:
        self.changes.work_items[item.id] = item
        if item.status == "open":
            self.work_items[item.task] = item
        else:
            self.work_items.pop(item.task, None)

    def put_intervention(self, intervention: Intervention, task: int | None = None) -> None:
        self.changes.interventions[intervention.id] = intervention
        self.interventions[intervention.id] = intervention
        if intervention.status == "open":
            self.held.put(intervention, task)
        else:
            self.held.drop(intervention.id)

    def touch(self, task: DrivenTask) -> None:
        """What is kept with a task changed: save its row again."""
        self.workflow.dirty[task.id] = task

    def fail(self, task: DrivenTask, error: str, kind: str) -> None:
        self.touch(task)
        incident = self.incidents[task.id] = Incident.of(task, error, kind)
        self.log.add(EventType.INCIDENT, incident.element, task.token.branch, error=error, kind=kind)
        inform(self.log, self.index, incident.element, task.token.branch, "failed")

    @property
    def waits_for_world(self) -> bool:
        """Whether a token waits for a person, a message or a timer, and has not failed."""
        idle = self.workflow.census.idle
        return idle > sum(each.idle for each in self.incidents.values()) if idle else False

    def release(self, task: DrivenTask) -> None:
        """Forget what waited outside for a task that was cancelled."""
        self.jobs.pop(task.id, None)
        self.incidents.pop(task.id, None)
        self.changes.finished_runs.append(str(task.id))
        for id in task.activity.holds:
            self.put_intervention(withdraw(self.interventions[id]))
        item = self.work_items.pop(task.id, None)
        if item is not None:
            self.put_work_item(replace(item, status="cancelled"))
