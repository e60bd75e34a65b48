"""Our driver under the names of SpiffWorkflow's own API, for programs that were written for that.

Specs come from the library's parsers and data handling is the library's: what is compared is how tokens move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from SpiffWorkflow.bpmn.specs.event_definitions.simple import TerminateEventDefinition
from SpiffWorkflow.bpmn.specs.mixins.multiinstance_task import LoopTask, MultiInstanceTask
from SpiffWorkflow.bpmn.util.task import BpmnTaskFilter
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow

from benchmarks.library.ahead import AHEAD, ahead_of, is_asked_ahead
from engine.spiff.hooks import PlainHooks
from engine.spiff.swap import drive
from engine.spiff.task import DrivenTask
from engine.spiff.workflow import DrivenWorkflow

ARRIVALS: Final = "had a token wait at a join for more than one other"
TERMINATES: Final = "ran a process with a terminate end event"
INTERRUPTED: Final = "had an event interrupt an activity"
COLLECTED: Final = "collected outputs of instances"
AHEAD_ASKED: Final = "asked for tasks that are not there yet"
SAVED: Final = "looked into what is saved"
RESET: Final = "reset a task"
SEEN: Final[set[str]] = set()
"""What a program did that touches a difference; of one test, each of which has a process of its own."""
_FILTERS: Final = frozenset({"state", "updated_ts", "manual", "spec_name", "spec_class", "catches_event", "lane"})


class _Telling(PlainHooks):
    """Keeps what the library's `task_info` tells of loops."""

    def open_instances(self, task: DrivenTask, keys: Sequence[Any], parallel: bool) -> None:
        super().open_instances(task, keys, parallel)
        task.internal_data["merged"] = []
        if getattr(task.task_spec, "data_output", None) is not None:
            SEEN.add(COLLECTED)
        if not parallel and isinstance(task.task_spec, MultiInstanceTask):
            task.internal_data["remaining"] = list(keys)

    def enter_instance(self, task: DrivenTask, child: DrivenTask, key: Any, item: Any) -> None:
        super().enter_instance(task, child, key, item)
        task.internal_data.get("remaining", [])[:1] = []

    def arrive(self, task: DrivenTask) -> None:
        queues = task.workflow.arrivals.get(task.task_spec.name, {})
        if sum(map(len, queues.values())) > 1:
            SEEN.add(ARRIVALS)

    def interrupt(self, event: DrivenTask, interrupted: Sequence[DrivenTask]) -> None:
        SEEN.add(INTERRUPTED)

    def leave_instance(self, task: DrivenTask, child: DrivenTask) -> None:
        super().leave_instance(task, child)
        task.internal_data["merged"].append(str(child.id))


class StandIn(DrivenWorkflow):
    """A `BpmnWorkflow` whose tokens our driver moves. Nothing that has finished is taken out of it."""

    def __init__(
        self,
        spec: Any,
        subprocess_specs: Mapping[str, Any] | None = None,
        script_engine: Any = None,
        *,
        deserializing: bool = False,
    ) -> None:
        nested = dict(subprocess_specs or {})
        for each in (spec, *nested.values()):
            _silence_loops(each)
            drive(each)
            events = (getattr(task_spec, "event_definition", None) for task_spec in each.task_specs.values())
            if any(isinstance(event, TerminateEventDefinition) for event in events):
                SEEN.add(TERMINATES)
        super().__init__(spec, nested, script_engine, hooks=_Telling(), prune=False, plant=not deserializing)

    def get_tasks_iterator(self, first_task: Any = None, **kwargs: Any) -> Iterator[Any]:
        """What is asked for by name and is not there yet is found where the library predicts it."""
        found: Iterator[Any] = super().get_tasks_iterator(first_task, **kwargs)
        asked = kwargs.get("task_filter") or BpmnTaskFilter(**{k: v for k, v in kwargs.items() if k in _FILTERS})
        if is_asked_ahead(asked.state):
            SEEN.add(AHEAD_ASKED)
        if asked.spec_name is None or not asked.state & AHEAD:
            return found
        here = list(found)
        if not here and not any(t.task_spec.name == asked.spec_name for s in self.scopes() for t in s.tasks.values()):
            SEEN.add(AHEAD_ASKED)
            scopes = (scope for scope in self.scopes() if asked.spec_name in scope.spec.task_specs)
            ahead = (task for scope in scopes for task in ahead_of(scope, asked.spec_name))
            here = [task for task in ahead if task.has_state(asked.state)]
        return iter(here)

    def create_subprocess(self, my_task: DrivenTask, spec_name: str) -> Any:
        _silence_loops(self.subprocess_specs[spec_name])  # programs add specs while they run
        drive(self.subprocess_specs[spec_name])
        return super().create_subprocess(my_task, spec_name)

    def reset_from_task_id(self, task_id: Any, data: Any = None, remove_subprocess: bool = True) -> Any:
        """As the library does it, and the tokens that are gone wait at no join and no event any more."""
        SEEN.add(RESET)
        removed = BpmnWorkflow.reset_from_task_id(self, task_id, data, remove_subprocess)
        for scope in self.scopes():
            scope.completed = scope.completed and not scope.live
            for queues in scope.arrivals.values():
                for via in list(queues):
                    queues[via] = [task for task in queues[via] if task.id in scope.tasks]
                    if not queues[via]:
                        del queues[via]
        return removed


def _silence_loops(spec: Any) -> None:
    """The library's loops hear of their instances by a signal that restoring a spec connects; ours are called."""
    for loop in spec.task_specs.values():
        if isinstance(loop, LoopTask):
            heard = spec.task_specs[loop.task_spec].completed_event
            while heard.is_connected(loop.merge_child):
                heard.disconnect(loop.merge_child)


def stock_class(cls: type) -> type:
    """The library's own class behind one of ours."""
    driven = cls.__module__ == "engine.spiff.swap" and cls.__name__.startswith("Driven")
    return cls.__bases__[1] if driven else cls
