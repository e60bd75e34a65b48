"""Puts the driver's mixins in front of the classes of a spec, in place and once.

A definition is shared by many live instances, so everything set here is static: mixins and tables that depend on
the drawing alone. Nothing of the library is replaced in its modules.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from SpiffWorkflow.bpmn.specs.bpmn_task_spec import BpmnTaskSpec
from SpiffWorkflow.bpmn.specs.control import (
    BoundaryEventJoin,
    EventSplit,
    StartEventJoin,
    _EndJoin,
)
from SpiffWorkflow.bpmn.specs.event_definitions.conditional import ConditionalEventDefinition
from SpiffWorkflow.bpmn.specs.event_definitions.timer import CycleTimerEventDefinition
from SpiffWorkflow.bpmn.specs.mixins.events.event_types import CatchingEvent, ThrowingEvent
from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent, EventBasedGateway
from SpiffWorkflow.bpmn.specs.mixins.events.start_event import StartEvent
from SpiffWorkflow.bpmn.specs.mixins.exclusive_gateway import ExclusiveGateway
from SpiffWorkflow.bpmn.specs.mixins.inclusive_gateway import InclusiveGateway
from SpiffWorkflow.bpmn.specs.mixins.manual_task import ManualTask
from SpiffWorkflow.bpmn.specs.mixins.multiinstance_task import (
    LoopTask,
    MultiInstanceTask,
    ParallelMultiInstanceTask,
    StandardLoopTask,
)
from SpiffWorkflow.bpmn.specs.mixins.none_task import NoneTask
from SpiffWorkflow.bpmn.specs.mixins.parallel_gateway import ParallelGateway
from SpiffWorkflow.bpmn.specs.mixins.script_task import ScriptEngineTask
from SpiffWorkflow.bpmn.specs.mixins.subworkflow_task import CallActivity, SubWorkflowTask
from SpiffWorkflow.bpmn.specs.mixins.user_task import UserTask
from SpiffWorkflow.specs.MultiChoice import MultiChoice

from bpmn.cycles import on_cycles
from engine.spiff.ad_hoc import DrivenAdHocEnd
from engine.spiff.catching import (
    DrivenBoundaryEvent,
    DrivenCatchingEvent,
    DrivenEventGateway,
    DrivenEventHost,
    DrivenEventSplit,
)
from engine.spiff.census import Census
from engine.spiff.choices import DrivenExclusiveGateway
from engine.spiff.compensation import DrivenCompensation
from engine.spiff.complex_gateway import DrivenComplexGateway, DrivenComplexReset
from engine.spiff.driven import Driven, DrivenActivity, DrivenBoundaryJoin, DrivenStartJoin
from engine.spiff.joins import DrivenEndJoin, DrivenInclusiveJoin, DrivenParallelJoin, reachability
from engine.spiff.listeners import DrivenListener
from engine.spiff.loops import DrivenLoop, DrivenMultiInstance, DrivenParallelMultiInstance
from engine.spiff.quantities import DrivenStartQuantity
from engine.spiff.specs import (
    AdHocEnd,
    Compensation,
    ComplexGateway,
    ComplexReset,
    EventHost,
    Listener,
    StartQuantity,
)
from engine.spiff.subprocess import DrivenSubProcess
from engine.spiff.throwing import DrivenThrowingEvent
from engine.spiff.triggers import Trigger

_MIXINS: tuple[tuple[type | tuple[type, ...], type], ...] = (
    (AdHocEnd, DrivenAdHocEnd),
    (_EndJoin, DrivenEndJoin),
    (ComplexGateway, DrivenComplexGateway),
    (ComplexReset, DrivenComplexReset),
    (StartQuantity, DrivenStartQuantity),
    (InclusiveGateway, DrivenInclusiveJoin),
    (ExclusiveGateway, DrivenExclusiveGateway),
    (ParallelGateway, DrivenParallelJoin),
    (BoundaryEventJoin, DrivenBoundaryJoin),
    (StartEventJoin, DrivenStartJoin),
    (Compensation, DrivenCompensation),
    (EventHost, DrivenEventHost),
    (EventSplit, DrivenEventSplit),
    (ParallelMultiInstanceTask, DrivenParallelMultiInstance),
    (MultiInstanceTask, DrivenMultiInstance),
    (StandardLoopTask, DrivenLoop),
    (SubWorkflowTask, DrivenSubProcess),
    (BoundaryEvent, DrivenBoundaryEvent),
    (Listener, DrivenListener),
    (EventBasedGateway, DrivenEventGateway),
    (CatchingEvent, DrivenCatchingEvent),
    (ThrowingEvent, DrivenThrowingEvent),
    ((NoneTask, UserTask, ManualTask, ScriptEngineTask), DrivenActivity),
)


_OURS = f"{__name__.partition('.')[0]}."


def driven_class(stock: type) -> type:
    """The stock class with its mixin in front."""
    return _driven_class(stock)


@cache
def _driven_class(stock: Any) -> Any:
    mixin = next((mixin for base, mixin in _MIXINS if issubclass(stock, base)), Driven)
    return type(f"Driven{stock.__name__}", (mixin, stock), {})


def drive(*specs: Any) -> None:
    """Prepare process specs for `DrivenWorkflow`; calling it again changes nothing."""
    for spec in specs:
        if hasattr(spec, "inclusive_joins"):
            continue
        spec.inclusive_joins = []
        if not hasattr(spec, "undone_by"):
            spec.undone_by = None
        cycles = on_cycles({name: each._outputs for name, each in spec.task_specs.items()})
        for task_spec in spec.task_specs.values():
            task_spec.__class__ = driven_class(type(task_spec))
            _prepare(spec, task_spec, cycles)


def _prepare(spec: Any, task_spec: Any, cycles: Collection[str]) -> None:
    """`cycles` has all elements from which a token may come back to them."""
    task_spec.arm = task_spec.bpmn_id or task_spec.name.rpartition(".")[0] or task_spec.name
    task_spec.census = _census_of(task_spec)
    task_spec.followers = task_spec.outputs
    task_spec.enters_plainly = _is_plain(task_spec, "_update_hook", ("data_inputs",))
    task_spec.ends_plainly = _is_plain(task_spec, "_on_complete_hook", ("data_inputs", "data_outputs"))
    event = getattr(task_spec, "event_definition", None)
    chooses = isinstance(task_spec, MultiChoice) or isinstance(event, CycleTimerEventDefinition)
    task_spec.leads_on = bool(task_spec._outputs) and not chooses
    if isinstance(event, CycleTimerEventDefinition | ConditionalEventDefinition):
        task_spec.restless = True
    if isinstance(task_spec, CallActivity):
        task_spec.has_own_variables = True
    if isinstance(task_spec, MultiChoice) and len(task_spec._outputs) > 1:
        task_spec.gateway = True
    if isinstance(task_spec, DrivenInclusiveJoin):
        task_spec.reach = reachability(spec, task_spec)
        spec.inclusive_joins.append(task_spec)
    elif isinstance(task_spec, DrivenParallelJoin):
        _prepare_parallel(spec, task_spec, cycles)


def _is_plain(task_spec: Any, hook: str, moved: Collection[str]) -> bool:
    """Whether the library's own hook of an element handles nothing but data, and there are none to be moved."""
    library = (each for each in type(task_spec).__mro__ if not each.__module__.startswith(_OURS))
    found = next((vars(each)[hook] for each in library if hook in vars(each)), None)
    if found is not vars(BpmnTaskSpec)[hook]:
        return False
    inout = task_spec.io_specification
    moves = inout is not None and any(getattr(inout, each) for each in moved)
    return not (moves or task_spec.data_input_associations or task_spec.data_output_associations)


def _prepare_parallel(spec: Any, join: Any, cycles: Collection[str]) -> None:
    """An input that a token can only reach through the gateway itself is not waited for, where it is a loop."""
    if join.name not in cycles:
        join.own_inputs, join.needed = [], list(dict.fromkeys(join._inputs))
        return
    reach = reachability(spec, join)
    from_start, from_here = reach.get("Start", 0), 0
    for name in join._outputs:
        from_here |= reach.get(name, 0)
    inputs = list(dict.fromkeys(join._inputs))
    own = from_here & ~from_start
    join.own_inputs = [name for name in inputs if own >> join._inputs.index(name) & 1 or name == join.name]
    join.needed = [name for name in inputs if name not in join.own_inputs] or inputs


def _census_of(task_spec: Any) -> Census | None:
    """How a live task of this spec counts among the tokens of the instance."""
    if isinstance(task_spec, (SubWorkflowTask, LoopTask, Compensation, ComplexReset)):
        return None  # the tokens are inside
    if isinstance(task_spec, (UserTask, ManualTask)):
        return Census.IDLE
    if isinstance(task_spec, StartEvent) and not isinstance(task_spec, Listener):
        return Census.IDLE if isinstance(task_spec.event_definition, Trigger) else None
    if isinstance(task_spec, CatchingEvent):
        return None if isinstance(task_spec, (BoundaryEvent, Listener)) else Census.IDLE
    return Census.ACTIVE
