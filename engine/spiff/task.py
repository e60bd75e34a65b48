"""A task that knows its neighbours by reference and keeps its scope's index up to date.

Replaces what makes the library's task slow: random ids, look-ups of parent and children by id in the whole
instance, and state changes nobody indexes, so that the library scans the tree for them. Ids are small integers
from the instance's own counter: the same for the same run, and in creation order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from SpiffWorkflow.task import Task
from SpiffWorkflow.util.task import TaskState

from bpmn.expressions.outside import Outside

if TYPE_CHECKING:
    from engine.spiff.scope import Scope

COMPLETED = TaskState.COMPLETED
LIVE = TaskState.WAITING | TaskState.READY | TaskState.STARTED
DONE = TaskState.FINISHED_MASK
_OVER = TaskState.COMPLETED | TaskState.CANCELLED


class DrivenTask(Task):
    """One visit of a token to an element.

    `order` places the task among its siblings; it outlives pruning, where `id` may belong to a removed ancestor.
    `token` and `activity` are what the hooks keep with the token and with what is being done here; `fan` is the number
    of tokens that left it; `entered` whether the hooks have seen it.
    """

    workflow: Any
    token: Any = None
    activity: Any = None
    fan = 0
    entered = False
    written: frozenset[str] = frozenset()
    """Variables that were written here and that conditional events have not looked at yet."""

    def __init__(
        self,
        workflow: Scope,
        task_spec: Any,
        parent: DrivenTask | None = None,
        state: int = TaskState.MAYBE,
        id: int | None = None,
    ) -> None:
        top = workflow.top_workflow
        if id is None:
            id = top.counter = top.counter + 1
        self.id = self.order = id
        workflow.tasks[id] = self
        self.workflow, self.task_spec, self._state = workflow, task_spec, state
        self.up: DrivenTask | None = parent
        self.down: list[DrivenTask] = []
        self.triggered, self.thread_id, self.last_state_change = False, 0, 0.0
        self.data: Any = {}
        self.internal_data: dict[str, Any] = {}
        if parent is not None:
            parent.down.append(self)
            top.dirty[parent.id] = parent
        if state & LIVE:
            workflow.live[id] = self
            top.census.added(task_spec, state)
        top.dirty[id] = self

    @property
    def parent(self) -> DrivenTask | None:
        return self.up

    @property
    def _parent(self) -> int | None:
        return None if self.up is None else self.up.id

    @property
    def children(self) -> list[DrivenTask]:
        return list(self.down)

    @property
    def _children(self) -> list[int]:
        return [child.id for child in self.down]

    def _set_state(self, value: int) -> None:
        old = self._state
        if value == old:
            return
        self._state = value
        self.workflow.note_state(self, old, value)

    def _ready(self) -> None:
        if not self._state & _OVER:
            self._set_state(TaskState.READY)
            self.task_spec._on_ready(self)

    def cancel(self) -> None:
        """The library's own; of what went with the task above it, such as instances and handlers, nothing is left."""
        if self.id in self.workflow.tasks:
            super().cancel()

    def complete(self) -> None:
        """The library's own, without copies of lists and lookups by id."""
        self._set_state(COMPLETED)
        spec, scope = self.task_spec, self.workflow
        spec._on_complete_hook(self)
        for child in tuple(self.down):
            if not child._state & DONE:
                child.task_spec._update(child)
        scope._task_completed_notify(self)

    def run(self) -> bool | None:
        done: bool | None = self.task_spec._run(self)
        if self._state & DONE:
            return done  # what it threw has cancelled it
        if done is None:
            self._set_state(TaskState.STARTED)
        elif done is False:
            self.error()
        else:
            self.complete()
        return done

    def _add_child(self, task_spec: Any, state: int = TaskState.MAYBE) -> DrivenTask:
        ready = state == TaskState.READY
        child = DrivenTask(self.workflow, task_spec, self, TaskState.MAYBE if ready else state)
        if ready:
            child._ready()
        return child

    def _inherit_data(self) -> None:
        if not self.entered:
            self.entered = True
            self.workflow.top_workflow.hooks.enter(self)

    def is_descendant_of(self, task: Task) -> bool:
        ancestor = self.up
        while ancestor is not None and ancestor is not task:
            ancestor = ancestor.up
        return ancestor is not None

    def find_ancestor(self, spec_name: str) -> DrivenTask | None:
        ancestor = self.up
        while ancestor is not None and ancestor.task_spec.name != spec_name:
            ancestor = ancestor.up
        return ancestor

    def place(self) -> list[int]:
        """Where the task stands in the library's own tree order, as a sort key over nested scopes."""
        path, task = [], self
        while True:
            path.append(task.order)
            above = task.up or task.workflow.outer
            if above is None:
                return path[::-1]
            task = above

    @property
    def outside(self) -> Outside:
        """What its expressions may learn besides its variables."""
        top = self.workflow.top_workflow
        return Outside(top.now, top.seed_of(self))

    @property
    def element_id(self) -> str | None:
        """The BPMN id of the element, None for the library's control tasks."""
        element: str | None = self.task_spec.bpmn_id
        return element
