"""A signal end event throws its signal and then ends."""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Scope
from bpmn.rewrite.scope_pass import Names, Note


def rewrite(scope: Scope, _: Names) -> tuple[Scope, list[Note]]:
    """The end event becomes a throw event of the same id; the pass for missing end events adds the end behind it."""
    elements = dict(scope.elements)
    notes = []
    for element in scope.elements.values():
        if element.kind == "endEvent" and element.event is not None and element.event.kind == "signal":
            elements[element.id] = replace(element, kind="intermediateThrowEvent")
            message = "the signal end event throws its signal in front of an end event"
            notes.append(Note(rewrite="signal-end", element=element.id, message=message))
    return (replace(scope, elements=elements), notes) if notes else (scope, notes)
