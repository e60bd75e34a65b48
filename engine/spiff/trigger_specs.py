"""Makes triggers of what a definition says about events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from SpiffWorkflow.bpmn.specs.event_definitions.simple import NoneEventDefinition, TerminateEventDefinition

from bpmn.check.rules.timer import is_expression
from bpmn.definition import Definition, Element, EventDefinition, EventRef, Expression
from bpmn.definition import Timer as TimerText
from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.places import Where
from bpmn.expressions.program import Program
from bpmn.timers import parse_duration
from bpmn.walk import elements
from engine.errors import NotRunnable
from engine.spiff.compensation import CompensationTrigger
from engine.spiff.events import ThrownError, ThrownEscalation, ThrownSignal
from engine.spiff.messages import LIFETIME, MessageTrigger
from engine.spiff.timers import CycleTimer, DueTimer
from engine.spiff.transactions import ThrownCancel
from engine.spiff.triggers import (
    CancelTrigger,
    ConditionTrigger,
    ErrorTrigger,
    EscalationTrigger,
    MultipleTrigger,
    Outwards,
    SignalTrigger,
    Topic,
    Trigger,
)

_NONE = EventDefinition(kind="none")


class TriggerFactory:
    """Triggers for the events of one definition."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition

    def caught(self, element: Element, *, happened: bool = False) -> Any:
        """What an element waits for; nothing where it has `happened`. Raises NotRunnable."""
        event = element.event or _NONE
        if happened or event.kind == "none":
            return NoneEventDefinition()
        if event.kind == "multiple":
            each = [self._caught(element, one, f"{element.id}#{n}") for n, one in enumerate(event.definitions)]
            return MultipleTrigger(element.id, each, parallel=event.parallel_multiple)
        return self._caught(element, event, element.id)

    def thrown(self, element: Element) -> Any:
        """What an element throws. Raises NotRunnable."""
        event = element.event or _NONE
        if event.kind == "none":
            return NoneEventDefinition()
        if event.kind == "terminate":
            return TerminateEventDefinition()
        if event.kind == "multiple":
            each = [self._thrown(element, one, f"{element.id}#{n}") for n, one in enumerate(event.definitions)]
            return MultipleTrigger(element.id, each)
        return self._thrown(element, event, element.id)

    def thrown_by(self, element: Element, event: EventDefinition, name: str) -> Trigger:
        """What the instances of an element throw as they finish. Raises NotRunnable."""
        return self._thrown(element, event, name)

    def _caught(self, element: Element, event: EventDefinition, name: str) -> Trigger:
        known = self._definition
        match event.kind:
            case "timer" if event.timer is not None:
                time = self._time(element, event.timer)
                if event.timer.kind == "cycle":
                    return CycleTimer(name, time, quartz=event.timer.quartz)
                return DueTimer(name, time)
            case "conditional" if event.condition is not None:
                return ConditionTrigger(name, self._compiled(element, event.condition.text, event.condition.language))
            case "message":
                return self._message(element, event, name, throws=False)
            case "signal":
                return SignalTrigger(name, _name(known.signals, event.ref), self._named(element, known.signals, event))
            case "error":
                return _telling(ErrorTrigger(name, *_label_and_code(known.errors, event.ref)), event)
            case "escalation":
                return _telling(EscalationTrigger(name, *_label_and_code(known.escalations, event.ref)), event)
            case "cancel":
                return CancelTrigger(name)
        raise self._not_run(element, event)

    def _thrown(self, element: Element, event: EventDefinition, name: str) -> Trigger:
        known = self._definition
        match event.kind:
            case "message":
                return self._message(element, event, name, throws=True)
            case "signal":
                return ThrownSignal(name, _name(known.signals, event.ref), self._named(element, known.signals, event))
            case "error":
                said = known.errors.get(event.ref or "")
                message = None if said is None else said.message
                error = ThrownError(name, *_label_and_code(known.errors, event.ref), message=message)
                return self._coded(element, error, said)
            case "escalation":
                escalation = ThrownEscalation(name, *_label_and_code(known.escalations, event.ref))
                return self._coded(element, escalation, known.escalations.get(event.ref or ""))
            case "compensation":
                return CompensationTrigger(name, event.ref)
            case "cancel":
                return ThrownCancel(name)
        raise self._not_run(element, event)

    def _message(self, element: Element, event: EventDefinition, name: str, *, throws: bool) -> MessageTrigger:
        known = self._definition
        label = _name(known.messages, event.ref)
        ref = known.messages.get(event.ref or "") or EventRef(id="")
        own = ref.subscriptions if not throws else {}
        waits = own.get(self._process_of(element.id)) if own else None
        content = {item.name: item.variable or item.name for item in element.data_inputs}
        return MessageTrigger(
            name,
            label,
            address(known, element.id),
            key=self._compiled_or_none(element, waits or ref.key),
            targets=message_targets(known, element, label),
            content=content,
            lenient=ref.lenient,
            payload=self._compiled_or_none(element, ref.payload),
            variable=ref.variable,
            lifetime=LIFETIME if ref.lifetime is None else parse_duration(ref.lifetime),
            computed=self._named(element, known.messages, event),
        )

    def _named(self, element: Element, refs: Mapping[str, EventRef], event: EventDefinition) -> Program | None:
        """What computes the name of what an event refers to."""
        ref = refs.get(event.ref or "")
        return None if ref is None else self._compiled_or_none(element, ref.computed)

    def _coded(self, element: Element, trigger: Outwards, ref: EventRef | None) -> Outwards:
        trigger.computed = None if ref is None else self._compiled_or_none(element, ref.computed_code)
        return trigger

    def _process_of(self, element: str) -> str:
        every = self._definition.processes.values()
        return next((each.id for each in every if any(one.id == element for one in elements(each))), "")

    def _compiled_or_none(self, element: Element, expression: Expression | None) -> Program | None:
        return None if expression is None else self._compiled(element, expression.text, expression.language)

    def _time(self, element: Element, timer: TimerText) -> str | Program:
        return self._compiled(element, timer.text, None) if is_expression(timer) else timer.text

    def _compiled(self, element: Element, text: str, language: str | None) -> Program:
        where = Where(file=self._definition.file, element=element.id, line=element.line)
        return compile_condition(text, where=where, language=language)

    def _not_run(self, element: Element, event: EventDefinition) -> NotRunnable:
        return NotRunnable(self._definition.file, element.id, element.line, f"{element.kind} with {event.kind} event")


def _telling(trigger: Outwards, event: EventDefinition) -> Outwards:
    trigger.code_variable, trigger.message_variable = event.code_variable, event.message_variable
    return trigger


def address(definition: Definition, element: str) -> str:
    """What a waiting element is called among those of all files."""
    return f"{definition.source_hash[:16]}:{element}"


def message_targets(definition: Definition, element: Element, label: str) -> tuple[Topic, ...]:
    """Who may receive what an element throws: where its message flows lead, else whoever waits for the name.

    None, if all its flows lead to pools without a process: then it leaves for good.
    """
    found = [flow.target for flow in definition.message_flows.values() if flow.source == element.id]
    if not found:
        return (("message", label),)
    pools = definition.participants
    inside = [target for target in found if target not in pools or pools[target].process is not None]
    return tuple(
        ("message", label) if target in pools else ("element", address(definition, target)) for target in inside
    )


def _name(refs: Mapping[str, EventRef], ref: str | None) -> str:
    """What an event is known by: the name of what it refers to, else that thing's id."""
    found = refs.get(ref or "")
    return (found.name if found is not None else None) or ref or ""


def _label_and_code(refs: Mapping[str, EventRef], ref: str | None) -> tuple[str | None, str | None]:
    found = refs.get(ref or "")
    return _name(refs, ref) or None, None if found is None else found.code
