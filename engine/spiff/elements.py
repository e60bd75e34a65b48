"""Makes the interpreter's spec of one element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from SpiffWorkflow.bpmn.specs import defaults as spiff

from bpmn.definition import Definition, Element, Expression, LoopCharacteristics
from bpmn.expressions.compiler import compile_condition, compile_script, compile_value
from bpmn.expressions.places import Where
from bpmn.expressions.program import Program
from bpmn.walk import is_activity_set
from engine.errors import NotRunnable
from engine.scripts.trusted import TrustedScript
from engine.spiff.behaviors import Thrown
from engine.spiff.loops import COUNTER
from engine.spiff.scripts import ExpressionRef, VariableRef
from engine.spiff.specs import ComplexGateway, ComplexReset, Listener
from engine.spiff.trigger_specs import TriggerFactory
from engine.spiff.triggers import MultipleTrigger

_SIMPLE: dict[str, Callable[..., Any]] = {
    "task": spiff.NoneTask,
    "userTask": spiff.UserTask,
    "manualTask": spiff.ManualTask,
    "serviceTask": spiff.ServiceTask,
    "businessRuleTask": spiff.ServiceTask,
    "exclusiveGateway": spiff.ExclusiveGateway,
    "inclusiveGateway": spiff.InclusiveGateway,
    "parallelGateway": spiff.ParallelGateway,
}
_THROWING: dict[str, Callable[..., Any]] = {
    "endEvent": spiff.EndEvent,
    "intermediateThrowEvent": spiff.IntermediateThrowEvent,
}
_CATCHING: dict[str, Callable[..., Any]] = {
    "startEvent": spiff.StartEvent,
    "intermediateCatchEvent": spiff.IntermediateCatchEvent,
    "receiveTask": spiff.ReceiveTask,
}
RESERVED = frozenset({"Start", "End", "Root"})


class Factory:
    """Specs for the elements of one scope."""

    def __init__(self, definition: Definition, spec: Any, *, triggered: bool = False) -> None:
        """`triggered`: the scope is an event sub-process's, whose start event has happened when it begins."""
        self.definition, self.spec, self._triggered = definition, spec, triggered
        self._triggers = TriggerFactory(definition)
        self.inner: dict[str, Any] = {}
        """Per element: the spec that does it, inside its loop."""

    def make(self, element: Element) -> Any:
        """The element's spec, inside its loop or multi-instance wrapper if it has one."""
        name = f"{element.id}." if element.id in RESERVED else element.id
        task = self.inner[element.id] = self._make(element, f"{name} [child]" if element.loop else name)
        task.bpmn_id, task.bpmn_name = element.id, element.name
        task.maps = bool(element.output_mappings)
        if element.loop is None:
            return task
        wrapper = self._wrap(element, element.loop, name, task.name)
        wrapper.bpmn_id, wrapper.bpmn_name = element.id, element.name
        return wrapper

    def listener(self, start: Element, holder: Element) -> Any:
        """What waits for the start event of the event sub-process `holder`."""
        trigger = self._triggers.caught(start)
        listener = Listener(self.spec, f"{holder.id}.Listener", trigger, interrupting=start.interrupting)
        listener.bpmn_id, listener.bpmn_name = start.id, start.name
        listener.maps = bool(start.output_mappings)
        return listener

    def _make(self, element: Element, name: str) -> Any:
        kind = element.kind
        if kind in _SIMPLE:
            return _SIMPLE[kind](self.spec, name)
        if kind == "scriptTask":
            return spiff.ScriptTask(self.spec, name, self._script(element))
        if kind == "sendTask":
            if element.event is None or element.event.ref is None:
                return spiff.ServiceTask(self.spec, name)
            return spiff.SendTask(self.spec, name, self._triggers.thrown(element))
        if kind in _THROWING:
            return _THROWING[kind](self.spec, name, self._triggers.thrown(element))
        if kind in _CATCHING:
            happened = self._triggered and kind == "startEvent"
            return _CATCHING[kind](self.spec, name, self._triggers.caught(element, happened=happened))
        if kind == "boundaryEvent":
            return spiff.BoundaryEvent(self.spec, name, self._triggers.caught(element), element.interrupting)
        if kind == "eventBasedGateway" and element.parallel:
            return spiff.ParallelGateway(self.spec, name)
        if kind == "eventBasedGateway":
            return spiff.EventBasedGateway(self.spec, name, MultipleTrigger(element.id, []))
        if kind == "callActivity":
            return spiff.CallActivity(self.spec, name, element.called)
        if kind == "complexGateway":
            return self._complex(element, name)
        if kind in ("subProcess", "transaction") or is_activity_set(element):
            return spiff.SubWorkflowTask(self.spec, name, element.id)
        raise NotRunnable(self.definition.file, element.id, element.line, element.kind)

    def _complex(self, element: Element, name: str) -> Any:
        gateway = ComplexGateway(self.spec, name)
        activation = element.activation
        gateway.activation = None if activation is None else self.condition(activation, element.id, element.line)
        gateway.reset = ComplexReset(self.spec, f"{name}.Reset")
        return gateway

    def _where(self, element_id: str, line: int | None) -> Where:
        return Where(file=self.definition.file, element=element_id, line=line)

    def condition(self, expression: Expression, element_id: str, line: int | None) -> Program:
        return compile_condition(expression.text, where=self._where(element_id, line), language=expression.language)

    def _script(self, element: Element) -> Program | TrustedScript | None:
        if element.script is None:
            return None
        where = self._where(element.id, element.script.line or element.line)
        if element.script.trusted:
            return TrustedScript(element.script.text, where)
        compile_text = compile_script if element.script.result is None else compile_value
        return compile_text(element.script.text, where=where, language=element.script.language)

    def _wrap(self, element: Element, loop: LoopCharacteristics, name: str, inner: str) -> Any:
        def compiled(expression: Expression | None) -> Program | None:
            return None if expression is None else self.condition(expression, element.id, element.line)

        condition = compiled(loop.completion_condition)
        if loop.kind == "standard":
            rounds = spiff.StandardLoopTask(self.spec, name, inner, loop.maximum, condition, loop.test_before)
            rounds.counted = _counts(element)
            return rounds
        kind = spiff.ParallelMultiInstanceTask if loop.kind == "parallel" else spiff.SequentialMultiInstanceTask
        wrapper = kind(
            self.spec,
            name,
            task_spec=inner,
            cardinality=compiled(loop.cardinality),
            data_input=self._collection(element, loop.collection),
            data_output=VariableRef(loop.output_collection) if loop.output_collection else None,
            input_item=VariableRef(loop.input_item) if loop.input_item else None,
            output_item=VariableRef(loop.output_item) if loop.output_item else None,
            condition=condition,
        )
        wrapper.behavior, wrapper.output = loop.behavior, compiled(loop.output)
        wrapper.counted, wrapper.counts_from = _counts(element), loop.counts_from
        thrown = [self._triggers.thrown_by(element, each.event, f"{name}!{n}") for n, each in enumerate(loop.thrown)]
        wrapper.thrown = [Thrown(compiled(each.condition), one) for each, one in zip(loop.thrown, thrown, strict=True)]
        return wrapper

    def _collection(self, element: Element, collection: Expression | None) -> Any:
        if collection is None:
            return None
        if collection.text.strip().isidentifier():
            return VariableRef(collection.text.strip())
        return ExpressionRef(self.condition(collection, element.id, element.line))


def _counts(element: Element) -> bool:
    """Whether anything in a looping activity asks which round it is: only then it is a variable of its instances."""
    return COUNTER in repr(replace(element, loop=None))
