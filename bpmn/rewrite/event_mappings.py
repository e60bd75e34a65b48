"""Mappings of events, as what the engine runs.

What an event that waits brings along is mapped by the event itself. A none event's mappings are made by a task beside
it. What goes into an event that throws, or waits, is there inside a sub-process around it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bpmn.definition import DataItem, Definition, Element, EventDefinition, Scope
from bpmn.reader.kinds import EVENTS
from bpmn.rewrite.insertion import Insertion
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names

_REWRITE: Final = "event-mapping"
_NONE: Final = EventDefinition(kind="none")
_LASTING: Final = frozenset({"message", "signal", "escalation", "multiple"})
"""What may be thrown inside a sub-process of its own, and by an end event before its token ends."""


def prepare(definition: Definition, names: Names) -> tuple[Definition, list[Guess]]:
    """All ids stay."""
    guesses: list[Guess] = []

    def change(_: Holder, scope: Scope) -> Scope:
        mapped = [each for each in scope.elements.values() if _is_mapped(each)]
        if not mapped:
            return scope
        made = Insertion(scope, names)
        for element in mapped:
            _Event(element, scope, made, names, guesses).rewrite()
        return made.scope()

    return map_scopes(definition, change), guesses


def _is_mapped(element: Element) -> bool:
    if element.kind == "receiveTask":
        return bool(element.input_mappings)
    return _sends(element) or (element.kind in EVENTS and bool(element.input_mappings or element.output_mappings))


def _sends(element: Element) -> bool:
    named = element.event is not None and element.event.ref is not None
    return element.kind == "sendTask" and named and bool(element.input_mappings or element.output_mappings)


class _Event:
    """One event with mappings, or a receive task into which something goes."""

    def __init__(self, element: Element, scope: Scope, made: Insertion, names: Names, guesses: list[Guess]) -> None:
        self._element, self._scope, self._made = element, scope, made
        self._names, self._guesses = names, guesses

    def rewrite(self) -> None:
        element = self._element
        kind = element.event.kind if element.event is not None else "none"
        if element.kind in ("intermediateThrowEvent", "endEvent"):
            self._thrown(kind)
        elif element.kind == "sendTask":
            self._around(element, throws=True)
        elif kind == "none" and element.kind == "startEvent":
            self._beside()
        elif element.input_mappings:
            begins = element.kind in ("startEvent", "boundaryEvent") or element.instantiate or self._is_chosen()
            self._not_followed() if begins else self._around(element)

    def _thrown(self, kind: str) -> None:
        element = self._element
        if kind == "none" or (not element.input_mappings and element.incoming):
            self._beside()
        elif element.kind == "intermediateThrowEvent" and kind in _LASTING:
            self._around(element, throws=True)
        elif kind in _LASTING:
            end = Element(
                id=self._names.fresh(f"{element.id}_end"), kind="endEvent", event=_NONE, line=element.line,
                lane=element.lane, resolved=element.resolved,
            )  # fmt: skip
            self._made.behind(element.id, [end])
            self._around(replace(element, kind="intermediateThrowEvent"), throws=True)
        else:
            self._not_followed()

    def _beside(self) -> None:
        """A task that does nothing but map."""
        element = self._element
        task = Element(
            id=self._names.fresh(f"{element.id}_mapped"), kind="task", name=element.name, line=element.line,
            lane=element.lane, resolved=element.resolved,
            input_mappings=element.input_mappings, output_mappings=element.output_mappings,
        )  # fmt: skip
        self._made.elements[element.id] = self._bare()
        place = self._made.behind if element.kind == "startEvent" else self._made.in_front
        place(element.id, [task])
        self._note(f"its mappings are made by {task.id}")

    def _around(self, element: Element, *, throws: bool = False) -> None:
        """What comes out of an event that waits is mapped by itself, which sees what it brought."""
        name = self._names.fresh(f"{element.id}_with_inputs")
        wrapper = Element(
            id=name, kind="subProcess", name=element.name, line=element.line, lane=element.lane,
            resolved=element.resolved, loop=element.loop, input_mappings=element.input_mappings,
            output_mappings=element.output_mappings if throws else (),
        )  # fmt: skip
        inner = replace(self._made.elements[element.id], kind=element.kind, input_mappings=(), loop=None)
        if throws:
            names = dict.fromkeys(each.target.partition(".")[0] for each in element.input_mappings)
            content = element.data_inputs or tuple(DataItem(name=name) for name in names)
            inner = replace(inner, output_mappings=(), data_inputs=content)
        self._made.elements[element.id] = inner
        self._made.around(element.id, wrapper, (), ())
        self._note(f"what goes into it is set in {name}")

    def _not_followed(self) -> None:
        element = self._element
        self._made.elements[element.id] = replace(self._made.elements[element.id], input_mappings=())
        targets = ", ".join(each.target for each in element.input_mappings)
        message = f"what goes into this {element.kind} is not followed: {targets}"
        self._guesses.append(Guess(rule="ignored", element=element.id, line=element.line, message=message))

    def _bare(self) -> Element:
        return replace(self._made.elements[self._element.id], input_mappings=(), output_mappings=())

    def _is_chosen(self) -> bool:
        sources = (self._scope.elements[self._scope.flows[flow].source] for flow in self._element.incoming)
        return any(each.kind == "eventBasedGateway" for each in sources)

    def _note(self, message: str) -> None:
        element = self._element
        self._guesses.append(Guess(rule=_REWRITE, element=element.id, line=element.line, message=message, quiet=True))
