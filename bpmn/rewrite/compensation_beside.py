"""Compensation that is not waited for (`waitForCompletion="false"`) goes on beside what follows: a parallel split.

At an end event there is nothing to wait: the scope is open until all in it is done (BPMN 2.0, 10.5.5 and 13.5.5).
"""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Definition, Element, EventDefinition, Scope
from bpmn.rewrite.insertion import Insertion
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names


def prepare(definition: Definition, names: Names) -> tuple[Definition, list[Guess]]:
    """The split and the end of the event's branch have new ids, and the policy of the event."""

    def change(_: Holder, scope: Scope) -> Scope:
        hurried = [each for each in scope.elements.values() if _is_hurried(each)]
        if not hurried:
            return scope
        made = Insertion(scope, names)
        for element in hurried:
            assert element.event is not None
            waiting = replace(element.event, wait=True, definitions=tuple(map(_waited_for, element.event.definitions)))
            made.elements[element.id] = replace(made.elements[element.id], event=waiting)
            if element.kind == "intermediateThrowEvent" and element.outgoing:
                split = Element(
                    id=names.fresh(f"{element.id}_beside"), kind="parallelGateway", name=element.name,
                    line=element.line, lane=element.lane, resolved=element.resolved,
                )  # fmt: skip
                made.beside(element.id, split)
                end = Element(
                    id=names.fresh(f"{element.id}_end"), kind="endEvent", event=EventDefinition(kind="none"),
                    line=element.line, lane=element.lane, resolved=element.resolved,
                )  # fmt: skip
                made.behind(element.id, [end])
        return made.scope()

    return map_scopes(definition, change), []


def _is_hurried(element: Element) -> bool:
    return element.event is not None and any(not each.wait for each in (element.event, *element.event.definitions))


def _waited_for(event: EventDefinition) -> EventDefinition:
    return replace(event, wait=True)
