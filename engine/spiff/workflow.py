"""A running process instance on SpiffWorkflow, and the scopes of its sub-processes."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Final

from SpiffWorkflow.bpmn.util.subworkflow import BpmnSubWorkflow
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.util.task import TaskState
from SpiffWorkflow.workflow import Workflow

from engine.spiff.census import TokenCensus
from engine.spiff.hooks import PlainHooks, TokenHooks
from engine.spiff.messages import Mailbox
from engine.spiff.pruning import KeepEverything, Pruner
from engine.spiff.records import Record
from engine.spiff.scope import Scope
from engine.spiff.subscriptions import Subscriptions
from engine.spiff.task import DrivenTask


class DrivenSubWorkflow(Scope, BpmnSubWorkflow):
    """The scope of a sub-process or a called process."""

    def __init__(self, spec: Any, opener: DrivenTask, top: DrivenWorkflow, *, plant: bool = True) -> None:
        self._open_index()
        self.top_workflow, self.outer = top, opener
        self.home: Any = self if opener.task_spec.has_own_variables else opener.workflow.home
        super().__init__(spec, opener.id, top, deserializing=True)
        if plant:
            self.plant()

    @property
    def parent_workflow(self) -> Any:
        return self.outer.workflow  # type: ignore[union-attr]


class DrivenWorkflow(Scope, BpmnWorkflow):
    """A process instance. `now` is the frozen time of the advance.

    `dirty`, `gone` and `closed_scopes` feed incremental saving; `saved` is the last task that there was when it was
    saved, so that what came and went since leaves nothing to delete. `signals` are those thrown since somebody looked.
    """

    top_workflow: DrivenWorkflow = None  # type: ignore[assignment]  # hides the library's property, which is a call

    def __init__(
        self,
        spec: Any,
        subprocess_specs: dict[str, Any] | None = None,
        script_engine: Any = None,
        *,
        hooks: TokenHooks | None = None,
        now: datetime | None = None,
        prune: bool = True,
        plant: bool = True,
    ) -> None:
        self._open_index()
        self.top_workflow = self.home = self
        self.hooks: TokenHooks = hooks or PlainHooks()
        self.pruner: Pruner = Pruner() if prune else KeepEverything()
        self.counter = self.saved = self.scopes_opened = 0
        self.now = now or datetime.now(UTC)
        self.seed_of: Callable[[DrivenTask], str | None] = lambda task: None
        """What chance is drawn from at a task: the same as long as the task is the same."""
        self.hot: dict[int, Scope] = {}
        self.dirty: dict[int, DrivenTask] = {}
        self.gone: list[DrivenTask] = []
        self.closed_scopes: list[int] = []
        self.new_scopes: list[DrivenSubWorkflow] = []
        self.census = TokenCensus()
        self.due: list[tuple[datetime, int]] = []
        self.mailbox = Mailbox(self)
        self.records_changed: dict[int, tuple[Scope, Record]] = {}
        self.records_gone: list[int] = []
        self.signals: list[str] = []
        self.before_step: Callable[[], None] | None = None
        """Called before each task is run; what it raises stops the instance between two steps."""
        super().__init__(spec, subprocess_specs, script_engine, deserializing=True)
        self.event_manager: Subscriptions = Subscriptions(self)
        if plant:
            self.plant()

    def create_subprocess(self, my_task: DrivenTask, spec_name: str) -> DrivenSubWorkflow:
        self.scopes_opened += 1
        scope = DrivenSubWorkflow(self.subprocess_specs[spec_name], my_task, self)
        self.subprocesses[my_task.id] = scope
        self.new_scopes.append(scope)
        return scope

    def get_task_from_id(self, task_id: int) -> DrivenTask:
        for scope in (self, *self.subprocesses.values()):
            if task_id in scope.tasks:
                found: DrivenTask = scope.tasks[task_id]
                return found
        missing: DrivenTask = Workflow.get_task_from_id(self, task_id)
        return missing

    def find_task(self, task_id: int) -> DrivenTask:
        """A task of the instance, whatever scope it is in."""
        return next(scope.tasks[task_id] for scope in self.scopes() if task_id in scope.tasks)

    def scopes(self) -> Iterable[Scope]:
        yield self
        yield from self.subprocesses.values()

    def note_gone(self, task: DrivenTask) -> None:
        self.event_manager.remove_task(task)
        self.gone.append(task)
        scope = self.subprocesses.get(task.id)
        if scope is not None and not scope.completed:
            scope.cancel()
        self.drop_scope(task)

    def drop_scope(self, opener: DrivenTask) -> None:
        """Forget the scope that a task opened, with all that is left in it."""
        scope = self.subprocesses.pop(opener.id, None)
        if scope is None:
            return
        self.hot.pop(id(scope), None)
        self.closed_scopes.append(opener.id)
        for number in list(scope.records):
            scope.forget_record(number)
        for task in scope.tasks.values():
            self.event_manager.remove_task(task)
            self.gone.append(task)
            self.drop_scope(task)

    def abandon(self) -> None:
        """Cancel all that is live and keep nothing of it: the instance is over before its end."""
        self.cancel()
        for opener in [task for task in self.tasks.values() if task.id in self.subprocesses]:
            self.drop_scope(opener)
        for number in list(self.records):
            self.forget_record(number)
        for task in self.tasks.values():
            self.event_manager.remove_task(task)
            self.gone.append(task)
        self.tasks.clear()
        self.mailbox.gone += self.mailbox.kept
        self.mailbox.kept.clear()

    def _runnable_in(self, scope: Scope) -> list[DrivenTask]:
        """READY tasks of the scope and of scopes inside it, in tree order."""
        found: list[DrivenTask] = []
        manual = self.hooks.runs_manual
        for hot in list(self.hot.values()):
            if not hot.ready:
                self.hot.pop(id(hot))
            elif hot is scope or _inside(hot, scope):
                found += hot.ready.values() if manual else [t for t in hot.ready.values() if not t.task_spec.manual]
        if len(found) > 1:
            above = found[0].up
            siblings = above is not None and all(task.up is above for task in found)
            found.sort(key=_ORDER if siblings else DrivenTask.place)
        return found

    def _round(self, scope: Scope, before: Callable[..., None] | None, after: Callable[..., None] | None) -> int:
        count = 0
        for task in self._runnable_in(scope):
            if task._state != TaskState.READY:
                continue  # cancelled by an earlier task of this round; the library runs it all the same
            if before is not None:
                before(task)
            if self.before_step is not None:
                self.before_step()
            task.run()
            count += 1
            if after is not None:
                after(task)
        if not count:  # nothing moves any more: now an inclusive join can tell what still can reach it
            for join in scope.spec.inclusive_joins:
                count += join.decide(scope)
        return count

    def _do_engine_steps(
        self,
        will_complete_task: Callable[..., None] | None = None,
        did_complete_task: Callable[..., None] | None = None,
    ) -> bool:
        """One pass in the library's own order: innermost scopes until they are quiet, then the process itself."""
        opened = self.scopes_opened
        if self.subprocesses:
            active = [scope for scope in self.subprocesses.values() if not scope.completed]
            for scope in sorted(active, key=lambda s: s.depth, reverse=True):
                if scope.ready or scope.arrivals or scope.completed:
                    while self._round(scope, will_complete_task, did_complete_task):
                        pass
                    open_still = self.subprocesses.get(scope.parent_task_id) is scope
                    if scope.completed and open_still and scope.outer._state == TaskState.STARTED:
                        scope.outer.task_spec._update(scope.outer)
        count = self._round(self, will_complete_task, did_complete_task)
        # The library compares counts of active scopes: one that ended and one that began would look like quiet.
        return count > 0 or self.scopes_opened > opened or (bool(self.hot) and bool(self._runnable_in(self)))

    def settle(self) -> None:
        """Let everything move that can at `now`, timers included."""
        self.refresh_timers()
        self.do_engine_steps()
        while self._runnable_in(self):
            self.do_engine_steps()

    def refresh_timers(self) -> None:
        """Fire what is due at `now`; only timers whose time has come are touched."""
        if not self.hooks.runs_manual:
            super().refresh_timers()
            return
        while self.due and self.due[0][0] <= self.now:
            _, task_id = heapq.heappop(self.due)
            task = self.event_manager.tasks.get(task_id)
            if task is not None:
                task.task_spec._update(task)

    def next_due(self) -> datetime | None:
        """When the next timer is due, None without one."""
        while self.due and self.due[0][1] not in self.event_manager.tasks:
            heapq.heappop(self.due)
        return self.due[0][0] if self.due else None


_ORDER: Final = attrgetter("order")


def _inside(scope: Scope, outer: Scope) -> bool:
    while scope is not outer:
        if scope.outer is None:
            return False
        scope = scope.outer.workflow
    return True
