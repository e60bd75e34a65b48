"""A boundary or intermediate event that leads nowhere ends its path, in the files of engines that run it so.

BPMN 2.0 (10.5.4) asks for an outgoing flow, so that in any other file it is an error. Camunda, Flowable, Activiti and
SpiffArena run such events: an interrupting one cancels its activity, and the token ends there.
"""

from __future__ import annotations

from bpmn.definition import Definition, Scope
from bpmn.rewrite.missing_end import put_end
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names
from bpmn.walk import leads_nowhere, stops


def prepare(definition: Definition, names: Names) -> tuple[Definition, list[Guess]]:
    """All ids stay; the end events and the flows to them get new ones."""
    guesses: list[Guess] = []

    def change(_: Holder, scope: Scope) -> Scope:
        every = scope.elements.values()
        leading_nowhere = [each for each in every if leads_nowhere(each) or (scope.flows and stops(each))]
        if not leading_nowhere:
            return scope
        elements, flows = dict(scope.elements), dict(scope.flows)
        for element in leading_nowhere:
            end = put_end(element, elements, flows, names)
            message = f"the event leads nowhere: its path ends at {end}"
            guesses.append(Guess(rule="event-end", element=element.id, line=element.line, message=message))
        return Scope(elements=elements, flows=flows)

    return map_scopes(definition, change), guesses
