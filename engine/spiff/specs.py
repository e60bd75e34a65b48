"""Kinds of spec that the library does not have: control nodes that a drawing does not show."""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.bpmn.specs.bpmn_task_spec import BpmnTaskSpec
from SpiffWorkflow.bpmn.specs.control import EventSplit, SimpleBpmnTask, _EndJoin
from SpiffWorkflow.bpmn.specs.defaults import InclusiveGateway
from SpiffWorkflow.bpmn.specs.mixins.events.event_types import CatchingEvent
from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent


class AdHocEnd(_EndJoin):
    """The end of an ad-hoc sub-process."""


class Compensation(SimpleBpmnTask):
    """Undoes what has finished in its scope; nothing leads to it."""


class ComplexGateway(InclusiveGateway):
    """Splits as an inclusive gateway does, and joins as its own condition says."""


class ComplexReset(SimpleBpmnTask):
    """Waits beside the scope's tokens for those that come to a complex gateway after it has gone on."""


class StartQuantity(SimpleBpmnTask):
    """Waits in front of an activity until enough tokens have come."""


class EventHost(EventSplit):
    """The control task in front of what waits together: an activity and its boundary events, or several start events.

    What follows goes on from the activity or the event itself; the library's join behind them is not needed.
    """

    def __init__(self, wf_spec: Any, name: str) -> None:
        super().__init__(BoundaryEvent, wf_spec, name)


class Listener(CatchingEvent, BpmnTaskSpec):
    """Waits beside the scope's tokens for the start event of an event sub-process; leads to the sub-process."""

    def __init__(self, wf_spec: Any, name: str, trigger: Any, *, interrupting: bool) -> None:
        super().__init__(wf_spec, name, trigger)
        self.interrupting = interrupting
