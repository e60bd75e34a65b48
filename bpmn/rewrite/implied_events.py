"""A message or signal event that names nothing has a name of its own: that of its message flow, else its element's id.

`messageRef` and `signalRef` are optional (BPMN 2.0, 10.5.5): such an event waits for what is meant for it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bpmn.definition import Definition, Element, EventDefinition, Scope
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names
from bpmn.walk import elements

_NAMED: Final = ("message", "signal")
_MESSAGE: Final = EventDefinition(kind="message")


def prepare(definition: Definition, _: Names) -> tuple[Definition, list[Guess]]:
    """Events that name nothing get a reference that is the name itself."""
    shared = _by_message_flows(definition)
    guesses: list[Guess] = []

    def change(_: Holder, scope: Scope) -> Scope:
        named = {each.id: _named(each, shared, guesses) for each in scope.elements.values() if _is_open(each, shared)}
        if not named:
            return scope
        return replace(scope, elements={key: named.get(key, each) for key, each in scope.elements.items()})

    return map_scopes(definition, change), guesses


def _by_message_flows(definition: Definition) -> Mapping[str, str]:
    """The message that both ends of each message flow are about, by element."""
    known = {each.id: each for process in definition.processes.values() for each in elements(process)}
    found: dict[str, str] = {}
    for flow in definition.message_flows.values():
        ends = [known[end] for end in (flow.source, flow.target) if end in known]
        written = [each.event.ref for each in ends if each.event is not None and each.event.ref is not None]
        given = [found[each.id] for each in ends if each.id in found]
        name = next(iter([*written, *given]), flow.message or flow.id)
        found.update({each.id: name for each in ends if each.id not in found})
    return found


def _is_open(element: Element, shared: Mapping[str, str]) -> bool:
    if element.event is None:
        is_sender = element.kind == "sendTask" and element.job_type is None and element.agent is None
        return element.kind == "receiveTask" or (is_sender and element.id in shared)
    return any(_lacks(each) for each in (element.event, *element.event.definitions))


def _lacks(event: EventDefinition) -> bool:
    return event.kind in _NAMED and event.ref is None


def _named(element: Element, shared: Mapping[str, str], guesses: list[Guess]) -> Element:
    event = element.event or _MESSAGE
    name = shared.get(element.id, element.id)
    parts = tuple(
        replace(part, ref=f"{name}_{number}") if _lacks(part) else part
        for number, part in enumerate(event.definitions, 1)
    )
    event = replace(event, ref=name if _lacks(event) else event.ref, definitions=parts)
    kind = next(each.kind for each in (event, *parts) if each.kind in _NAMED)
    message = f"the {element.kind} names no {kind}: it goes by the name {name}"
    guesses.append(Guess(rule="implied-event", element=element.id, line=element.line, message=message))
    return replace(element, event=event)
