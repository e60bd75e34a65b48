"""Listeners become what they mean: script and service tasks at their moment.

They stand in front of an element or behind it, on a flow, or with an activity inside a sub-process that has the
activity's loop, its boundary events and its undoing. Those of a task see its input mappings. What is run at no moment
of a token's way stays with the element, to be refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bpmn.definition import Definition, Element, EventDefinition, Listener, Process, Scope
from bpmn.rewrite.following import Following
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names


def prepare(definition: Definition, names: Names) -> tuple[Definition, list[Guess]]:
    """Ids stay; each listener's task has one of its own, and the policy of what it is told of."""
    guesses: list[Guess] = []
    moved: dict[str, str] = {}
    left: dict[str, tuple[Listener, ...]] = {}

    def change(holder: Holder, scope: Scope) -> Scope:
        own = holder.listeners if isinstance(holder, Process) else ()
        told = any(each.listeners for each in scope.elements.values())
        if not own and not told and not any(each.listeners for each in scope.flows.values()):
            return scope
        following = Following(holder, scope, names)
        changed = following.follow()
        guesses.extend(following.guesses)
        moved.update(following.moved)
        left[holder.id] = following.left
        return changed

    definition = map_scopes(definition, change)
    if not left:
        return definition, guesses
    processes = {key: replace(each, listeners=left.get(key, ())) for key, each in definition.processes.items()}
    definition = replace(definition, processes=processes)
    return (map_scopes(definition, _undoing(moved)) if moved else definition), guesses


def _undoing(moved: dict[str, str]) -> Callable[[Holder, Scope], Scope]:
    """What is thrown to undo an activity is thrown to undo the sub-process around it."""

    def change(_: Holder, scope: Scope) -> Scope:
        changed = {
            key: replace(each, event=event)
            for key, each in scope.elements.items()
            if each.event is not None and (event := _moved(each.event, moved)) != each.event
        }
        if not changed:
            return scope
        elements: dict[str, Element] = {key: changed.get(key, each) for key, each in scope.elements.items()}
        return replace(scope, elements=elements)

    return change


def _moved(event: EventDefinition, moved: dict[str, str]) -> EventDefinition:
    definitions = tuple(_moved(each, moved) for each in event.definitions)
    ref = moved.get(event.ref or "", event.ref) if event.kind == "compensation" else event.ref
    return replace(event, ref=ref, definitions=definitions)
