"""The mixin in front of every spec class: no prediction, interruption at once, hooks at their places."""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.bpmn.specs.control import BoundaryEventJoin, EventSplit
from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent, EventBasedGateway
from SpiffWorkflow.util.task import TaskState

from engine.spiff.conditions import look_again
from engine.spiff.hosts import close_host
from engine.spiff.pruning import CLOSED
from engine.spiff.records import remember
from engine.spiff.specs import EventHost
from engine.spiff.task import DONE, DrivenTask

NOT_REACHED = "not_reached"
"""Marks a task that failed when its token arrived, before it could run."""


UNDECIDED = "undecided"
"""Of a loop that failed to go on: the instance after which it did."""


def try_again(my_task: DrivenTask) -> None:
    """Repeat the step that failed: arriving, going on after an instance, or running."""
    undecided = my_task.internal_data.pop(UNDECIDED, None)
    if undecided is not None:
        my_task.task_spec.go_on(my_task, my_task.workflow.tasks.get(undecided, my_task))
    elif my_task.internal_data.pop(NOT_REACHED, False):
        my_task.task_spec._update(my_task)
    else:
        my_task._ready()


class Driven:
    """Behaviour common to all elements.

    The library predicts every path ahead, which is exponential over blocks of gateways in a row; here children are
    made when a task completes. `restless`: the waiting task must be looked at after every completion.
    `splits`: whether several children mean several tokens. `background`: a live task of it keeps no scope open.
    """

    restless = False
    splits = True
    gateway = False
    background = False
    leads = False
    """Whether it is told when a task that it triggered is done."""
    enters_plainly = ends_plainly = False
    """Whether the library does nothing but tell those who listen, when a token comes and when it is done."""
    leads_on = False
    """Whether all its ways out are taken once it is done, each by a token."""
    followers: list[Any]
    """The specs that the ways out of it lead to."""
    completion_quantity = 1
    """How many tokens leave it for each that came."""
    undoes = False
    undoable = False
    """Whether it leaves a record for compensation when it has finished."""
    handler: str | None = None
    """The spec of the activity that undoes it."""
    is_handler = False
    """Of an event sub-process: compensation thrown in it is about the scope around it."""
    maps = False
    """Of what waits for events: whether what comes is mapped, also if it brings nothing along."""
    has_own_variables = False
    """Of what opens a scope: whether that has variables of its own, as a called process does."""

    def _predict(self, *args: Any, **kwargs: Any) -> None: ...

    def test(self) -> None: ...

    def _update(self, my_task: DrivenTask) -> None:
        my_task.workflow.top_workflow.dirty[my_task.id] = my_task
        try:
            ready = self._update_hook(my_task)
        except Exception as error:
            my_task._set_state(TaskState.STARTED)
            my_task.internal_data[NOT_REACHED] = True
            my_task.workflow.top_workflow.hooks.failed(my_task, error)
            return
        if ready:
            my_task._ready()

    def _update_hook(self, my_task: DrivenTask) -> bool | None:
        if not self.enters_plainly:
            ready: bool | None = super()._update_hook(my_task)  # type: ignore[misc]
            return ready
        my_task._inherit_data()
        self.update_event.emit(my_task.workflow, my_task)  # type: ignore[attr-defined]
        return True

    def _on_ready(self, my_task: DrivenTask) -> None:
        self._on_ready_hook(my_task)

    def _on_ready_hook(self, my_task: DrivenTask) -> None:
        super()._on_ready_hook(my_task)  # type: ignore[misc]

    def _run(self, my_task: DrivenTask) -> bool | None:
        try:
            engine = my_task.workflow.script_engine
            if getattr(engine, "simulated", False):  # the library's own engines know of no simulation
                engine.passes(my_task)
            done: bool | None = self._run_hook(my_task)
        except Exception as error:
            return my_task.workflow.top_workflow.hooks.failed(my_task, error)
        return done

    def _run_hook(self, my_task: DrivenTask) -> bool | None:
        if isinstance(self, (EventSplit, EventBasedGateway)):
            self._predict_hook(my_task)
        done: bool | None = super()._run_hook(my_task)  # type: ignore[misc]
        return done

    def _on_complete_hook(self, my_task: DrivenTask) -> None:
        if self.ends_plainly:
            self.completed_event.emit(my_task.workflow, my_task)  # type: ignore[attr-defined]
        else:
            super()._on_complete_hook(my_task)  # type: ignore[misc]
        if not self._tell_around(my_task):
            return
        self._make_children(my_task)
        if self.splits:
            tokens = [
                child
                for child in my_task.down
                if not child.triggered
                and not child.task_spec.background
                and not isinstance(child.task_spec, BoundaryEventJoin)
            ]
            my_task.fan = len(tokens)
            hooks = my_task.workflow.top_workflow.hooks
            if self.gateway and tokens:
                hooks.gateway(my_task, [child.task_spec.name for child in tokens])
            if len(tokens) > 1:
                hooks.split(my_task, tokens)

    def _tell_around(self, my_task: DrivenTask) -> bool:
        """Let those know that wait for it. False: one of them has cancelled all around it, and nothing follows."""
        above, scope = my_task.up, my_task.workflow
        interruptions = scope.interruptions
        if above is not None and not isinstance(self, BoundaryEvent):
            if isinstance(above.task_spec, EventHost) and not above.internal_data.get(CLOSED):
                close_host(above, my_task)
            if my_task.task_spec.undoable:
                remember(my_task)
            leader = above if isinstance(above.task_spec, EventHost) else my_task
            if leader.triggered and leader.up is not None and leader.up.task_spec.leads:
                # A call, where the library uses a signal that a restored instance no longer has.
                undoes = leader.up.task_spec.undoes
                leader.up.task_spec.instance_completed(leader.up, my_task)
                if undoes:
                    return False  # what undoes leads nowhere, whatever flows leave it
        if my_task.written:
            look_again(my_task)
        return bool(scope.interruptions == interruptions and scope.is_open())

    def _make_children(self, my_task: DrivenTask) -> None:
        if self.leads_on and (not my_task.down or all(child.triggered for child in my_task.down)):
            for spec in self.followers * self.completion_quantity:
                DrivenTask(my_task.workflow, spec, my_task, TaskState.FUTURE)


class DrivenActivity(Driven):
    """Tasks: done by the hooks' `activity`, which may call what the library would do."""

    def _run_hook(self, my_task: DrivenTask) -> bool | None:
        return my_task.workflow.top_workflow.hooks.activity(my_task, super()._run_hook)


class DrivenBoundaryJoin(Driven):
    """The control task that closes an activity with boundary events."""

    restless = True
    splits = False

    def _do_join(self, my_task: DrivenTask) -> None:
        super()._do_join(my_task)  # type: ignore[misc]
        split = my_task.find_ancestor(self.split_task)  # type: ignore[attr-defined]
        if split is None:
            return
        split.internal_data[CLOSED] = True
        pruner = my_task.workflow.top_workflow.pruner
        for event in split.children:
            for leaf in event.children:
                if leaf.task_spec is self and leaf is not my_task and leaf._state & DONE:
                    pruner.prune(leaf)
            if event._state & DONE and not event.down and event.id in my_task.workflow.tasks:
                pruner.prune(event)


class DrivenStartJoin(Driven):
    """The control task that waits for one of several start events."""

    restless = True
