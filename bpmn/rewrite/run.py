"""Runs the passes: from what people draw to what the engine runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bpmn.definition import Definition, Element, Scope
from bpmn.rewrite import default_flow, implicit_split, links, missing_end
from bpmn.rewrite.scope_pass import Names, Note, ScopePass

PASSES: Final[tuple[ScopePass, ...]] = (
    links.rewrite,
    default_flow.rewrite,
    implicit_split.rewrite,
    missing_end.rewrite,
)
"""In this order: each may rely on what those before it did."""


def rewrite(definition: Definition, passes: Sequence[ScopePass] = PASSES) -> tuple[Definition, tuple[Note, ...]]:
    """An equivalent definition, and what was done to get it, in the order of passes."""
    names = Names(definition)
    notes: list[Note] = []
    for one in passes:
        processes = {
            identifier: replace(process, scope=_inside_out(process.scope, one, names, notes))
            for identifier, process in definition.processes.items()
        }
        definition = replace(definition, processes=processes)
    return definition, tuple(notes)


def _inside_out(scope: Scope, one: ScopePass, names: Names, notes: list[Note], holder: Element | None = None) -> Scope:
    """Inner scopes first; recursion is as deep as sub-processes are nested, which reading has limited."""
    inner = {
        element.id: replace(element, scope=_inside_out(element.scope, one, names, notes, element))
        for element in scope.elements.values()
        if element.scope is not None
    }
    if inner:
        elements = {identifier: inner.get(identifier, element) for identifier, element in scope.elements.items()}
        scope = replace(scope, elements=elements)
    if holder is not None and holder.kind == "adHocSubProcess" and one is missing_end.rewrite:
        return scope  # there a missing flow means no order, not an end
    rewritten, done = one(scope, names)
    notes += done
    return rewritten
