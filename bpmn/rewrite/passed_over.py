"""For a simulation: what is refused only because nobody here does it is passed over, with placeholders, and said.

That is: scripts in languages that are not run or beyond the safe subset, calls of processes of other files, conditions
and numbers of instances that need code. `left_open` sees to what the file does not say. What is wrong stays wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from bpmn.check.rules.expression import of_people
from bpmn.definition import (
    UNSAID,
    DataMapping,
    Definition,
    Element,
    EventRef,
    Expression,
    Flow,
    Listener,
    LoopCharacteristics,
    Process,
    Scope,
    Script,
)
from bpmn.expressions.compiler import compile_condition, compile_script, compile_value
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.places import Where
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names
from bpmn.structures import leaves

UNDECIDED: Final = Expression(text="nobody_decides", language="python")
"""Stands for a condition that cannot be read: a variable that no process has."""
_ONE: Final = Expression(text="1", language="python")


def prepare(definition: Definition, _: Names) -> tuple[Definition, list[Guess]]:
    """Elements keep their ids; what nobody does becomes a service task, which a simulation gives placeholders for."""
    passing = _Passing(definition)
    definition = map_scopes(definition, passing.change)
    processes = {key: passing.process(each) for key, each in definition.processes.items()}
    messages = {key: passing.message(each) for key, each in definition.messages.items()}
    return replace(definition, processes=processes, messages=messages), passing.guesses


class _Passing:
    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self.guesses: list[Guess] = []

    def change(self, _: Holder, scope: Scope) -> Scope:
        elements = {key: self._element(each) for key, each in scope.elements.items()}
        flows = {key: self._flow(each) for key, each in scope.flows.items()}
        return Scope(elements=elements, flows=flows)

    def message(self, message: EventRef) -> EventRef:
        """Without what its key and its content are computed from, where that cannot be."""
        found = (message.key, message.payload, *message.subscriptions.values())
        if not any(each is not None and self._wrong(compile_condition, message, each) for each in found):
            return message
        text = "what the message carries, and what it is correlated by, is passed over: it cannot be computed"
        self.guesses.append(Guess(rule="passed-over", element=message.id, line=None, message=text))
        return replace(message, key=None, payload=None, subscriptions={})

    def process(self, process: Process) -> Process:
        return replace(process, listeners=self._listeners(process)) if process.listeners else process

    def _element(self, element: Element) -> Element:
        if element.listeners:
            element = replace(element, listeners=self._listeners(element))
        if element.kind == "scriptTask":
            why = self._no_script(element)
            if why is not None:
                return self._nobody(element, "script", f"the script is passed over: {why}")
        if element.kind == "callActivity" and element.called not in self._definition.processes:
            called = element.called or "nothing"
            return self._nobody(element, "call", f"the call of {called} is passed over: it is not in this file")
        if element.ordering == UNSAID:
            self._tell(element, "nothing says which activities are done: all of them are, at once")
            element = replace(element, ordering="Parallel")
        if element.input_mappings or element.output_mappings:
            element = replace(
                element,
                input_mappings=self._mappings(element, element.input_mappings),
                output_mappings=self._mappings(element, element.output_mappings),
            )
        if any(self._wrong(compile_condition, element, each) for each in of_people(element)):
            self._tell(element, "who does the task is passed over: it cannot be computed")
            element = replace(element, assignment=None)
        if element.loop is not None:
            return replace(element, loop=self._loop(element, element.loop))
        return element

    def _mappings(self, element: Element, mappings: tuple[DataMapping, ...]) -> tuple[DataMapping, ...]:
        """Those that can be computed."""
        kept = []
        for mapping in mappings:
            expression = mapping.expression
            texts = () if expression is None or expression.language == "variable" else leaves(expression)
            wrong = (self._wrong(compile_value if each.script else compile_condition, element, each) for each in texts)
            why = next(filter(None, wrong), None)
            if why is None:
                kept.append(mapping)
            else:
                self._tell(element, f"the mapping to {mapping.target} is passed over: {why}")
        return tuple(kept)

    def _no_script(self, element: Element) -> str | None:
        script = element.script
        if script is None:
            return "it has no script"
        if script.trusted:
            return None
        return self._wrong(compile_script if script.result is None else compile_value, element, script)

    def _nobody(self, element: Element, job: str, message: str) -> Element:
        self.guesses.append(Guess(rule="passed-over", element=element.id, line=element.line, message=message))
        loop = None if element.loop is None else self._loop(element, element.loop)
        return replace(element, kind="serviceTask", job_type=job, script=None, called=None, loop=loop)

    def _loop(self, element: Element, loop: LoopCharacteristics) -> LoopCharacteristics:
        how_often = loop.cardinality or loop.collection
        if how_often is not None and (why := self._wrong(compile_condition, element, how_often)) is not None:
            self._tell(element, f"the number of instances is passed over, one is run: {why}")
            loop = replace(loop, cardinality=_ONE, collection=None, input_item=None)
        condition = loop.completion_condition
        if condition is not None and (why := self._wrong(compile_condition, element, condition)) is not None:
            self._tell(element, f"the condition of the loop is passed over: {why}")
            maximum = 1 if loop.kind == "standard" else loop.maximum
            loop = replace(loop, completion_condition=None, maximum=maximum)
        return loop

    def _listeners(self, owner: Element | Flow | Process) -> tuple[Listener, ...]:
        for each in owner.listeners:
            self._tell(owner, f"the listener on {each.event} is passed over")
        return ()

    def _flow(self, flow: Flow) -> Flow:
        if flow.listeners:
            flow = replace(flow, listeners=self._listeners(flow))
        if flow.condition is None:
            return flow
        why = self._wrong(compile_condition, flow, flow.condition)
        if why is None:
            return flow
        self._tell(flow, f"the condition is passed over: {why}")
        return replace(flow, condition=UNDECIDED)

    def _tell(self, owner: Element | Flow | Process, message: str) -> None:
        self.guesses.append(Guess(rule="passed-over", element=owner.id, line=owner.line, message=message))

    def _wrong(
        self, compile_text: Any, owner: Element | Flow | Process | EventRef, text: Expression | Script
    ) -> str | None:
        """Why a text cannot be compiled, None if it can."""
        where = Where(self._definition.file, owner.id, text.line or getattr(owner, "line", None))
        try:
            compile_text(text.text, where=where, language=text.language)
        except ExpressionError as error:
            return error.reason
        return None
