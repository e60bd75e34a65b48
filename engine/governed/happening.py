"""What events do to contexts: what they bring along, what they interrupt, where their own context begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpmn.definition import Element
from engine.activities.work import Outcome
from engine.events import EventType
from engine.governed.mapped import Mapped
from engine.governed.open_writes import OpenWrites, working_writes
from engine.governed.services import Services
from engine.governed.surfacing import surfaced
from engine.governed.tainting import Tainting
from engine.governed.token import Token
from engine.governed.variables import Variables
from engine.governed.writing import StepWriter
from engine.instance import Instance
from engine.spiff.catching import TAKEN
from engine.spiff.task import COMPLETED, LIVE, DrivenTask
from governance.layers.history import ActivityRecord
from governance.layers.manager import ContextLayerManager
from governance.vocabulary import Producer


class Happening:
    """What the hooks do around events and late tokens."""

    def __init__(
        self, instance: Instance, services: Services, open_writes: OpenWrites, tainting: Tainting, mapped: Mapped
    ) -> None:
        self._instance, self._services, self._mapped = instance, services, mapped
        self._open_writes, self._tainting = open_writes, tainting

    def surface(self, event: DrivenTask, tokens: Sequence[DrivenTask]) -> None:
        event.token = surfaced(self._instance.graph, event.token, [task.token for task in tokens if task.token])
        event.data = self._view(event.token)

    def interrupt(self, event: DrivenTask, interrupted: Sequence[DrivenTask]) -> None:
        """What the activity did is put aside, readable; the event goes on from where the activity began."""
        token: Token = event.token
        gone = [inner for task in interrupted for inner in self._tokens(task)]
        lost = sorted({inner.head for inner in gone} - {token.head})
        context = ContextLayerManager(self._instance.graph, token.head, branch=token.branch, scope=token.scope)
        names = ", ".join(sorted(task.element_id or task.task_spec.name for task in interrupted))
        record = ActivityRecord(activity=_name(event), decision=f"interrupted {names}")
        grading = self._services.grading_for(self._instance.index.policy(_name(event)), token.zones)
        recent = context.move_to_history(record, token.recent, grading)
        head = context.commit("interrupt", _name(event), self._instance.at)
        event.token = token._replace(head=head, recent=recent)
        event.data = self._view(event.token)
        self._open_writes.lost(self._instance.graph, event.token, gone)
        self._instance.log.add(
            EventType.INTERRUPTED, _name(event), token.branch, interrupted=names, lost=lost, head=head
        )

    def swallow(self, task: DrivenTask, late: Sequence[DrivenTask]) -> None:
        """What comes after a complex gateway has gone on is put aside, readable: nothing is merged with it."""
        element, token = task.task_spec.bpmn_id, task.token
        tokens: list[Token] = [each.token for each in late]
        message = f"{len(late)} tokens came after {self._instance.index.title(element)} had gone on, and end there"
        heads = sorted({each.head for each in tokens})
        self._open_writes.ended(each.branch for each in tokens)
        self._instance.log.add(EventType.NOTICE, element, token.branch, message=message, lost=heads)

    def received(self, task: DrivenTask, payload: Mapping[str, Any]) -> None:
        """Data of a message, signal or error becomes process variables, or what the event's mappings make of it."""
        token: Token = task.token
        element = task.task_spec.bpmn_id
        step = StepWriter(self._instance.graph, token)
        caught = self._caught(task)
        event = caught.event
        if caught.output_mappings:
            payload = self._mapped.outcome(task, caught, Outcome(outputs=dict(payload))).outputs
        if payload and (event is None or event.kind != "error"):
            self._tainting.received(payload)
        for name, value in payload.items():
            step.write(name, value, producer=Producer.SERVICE)
        task.written |= payload.keys()
        task.token = step.commit("event", element, self._instance.at)
        self._open_writes.add(token.branch, working_writes(self._instance.graph.get(task.token.head)))
        task.data = self._view(task.token)

    def _caught(self, task: DrivenTask) -> Element:
        """What has caught it; an event-based gateway waits in the place of its events."""
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        taken = task.internal_data.get(TAKEN)
        if element.kind != "eventBasedGateway" or taken is None:
            return element
        return self._instance.index.elements.get(task.task_spec.outputs[taken].bpmn_id, element)

    def _tokens(self, task: DrivenTask) -> list[Token]:
        """The live tokens at and inside a task, and those of instances that are done and wait for the others."""
        scope = self._instance.workflow.subprocesses.get(task.id)
        inner = list(scope.live.values()) if scope is not None else []
        inner += [child for child in task.down if child._state & LIVE]
        tokens = [token for other in inner for token in self._tokens(other)]
        done = [child.token for child in task.down if child.triggered and child._state == COMPLETED]
        tokens += [token for token in done if token is not None and token.branch != task.token.branch]
        if not inner and task.token is not None:
            tokens.append(task.token)
        return tokens

    def _view(self, token: Token) -> Variables:
        return Variables(self._instance.graph, token)


def _name(event: DrivenTask) -> str:
    """The element that interrupts: an event, or the ad-hoc sub-process whose end this is."""
    spec = event.task_spec
    name: str = spec.bpmn_id or getattr(spec, "element", None) or spec.arm
    return name
