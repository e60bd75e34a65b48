"""Conditions, numbers of instances and collections are in a language that is run here, and correct."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.compiling import Compiling
from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.rules.timer import is_expression
from bpmn.definition import Element, Expression
from bpmn.expressions.compiler import compile_condition, compile_value
from bpmn.reader.people import is_computed
from bpmn.structures import leaves


def _check(place: Place) -> Iterator[Problem]:
    compiling, of_scripts = Compiling(place, compile_condition), Compiling(place, compile_value)
    for owner, expression in _expressions(place):
        problem = (of_scripts if expression.script else compiling).problem(expression, owner)
        if problem is not None:
            yield problem


def _expressions(place: Place) -> Iterator[tuple[str, Expression]]:
    for flow in place.scope.flows.values():
        if flow.condition is not None:
            yield flow.id, flow.condition
    for element in place.scope.elements.values():
        within = (*_of_loop(element), *_of_event(element), *_of_mappings(element), *of_people(element))
        for expression in (*within, *_of_messages(place, element), *_of_decision(element)):
            yield element.id, expression
        for own in (element.activation, element.completion_condition):
            if own is not None:
                yield element.id, own


def _of_mappings(element: Element) -> Iterator[Expression]:
    for mapping in (*element.input_mappings, *element.output_mappings):
        if mapping.expression is not None and mapping.expression.language != "variable":
            yield from leaves(mapping.expression)


def of_people(element: Element) -> Iterator[Expression]:
    """The expressions that say who does a task."""
    texts = () if element.assignment is None else element.assignment.names
    yield from (Expression(text=text, line=element.line) for text in texts if is_computed(text))


def _of_decision(element: Element) -> Iterator[Expression]:
    """The name of a decision that is computed."""
    if element.decision is not None and is_computed(element.decision.name):
        yield Expression(text=element.decision.name, line=element.line)


def _of_messages(place: Place, element: Element) -> Iterator[Expression]:
    """What the messages of an element carry, and what they are correlated by; names and codes that are computed."""
    events = () if element.event is None else (element.event, *element.event.definitions)
    known = place.definition
    kinds = {"message": known.messages, "signal": known.signals, "error": known.errors, "escalation": known.escalations}
    for event in events:
        named = kinds.get(event.kind, {}).get(event.ref or "")
        if named is not None:
            yield from filter(None, (named.computed, named.computed_code))
            yield from filter(None, (named.key, named.payload, *named.subscriptions.values()))


def _of_loop(element: Element) -> Iterator[Expression]:
    loop = element.loop
    if loop is not None:
        for expression in loop.expressions:
            if expression is not None:
                yield expression
        yield from (each.condition for each in loop.thrown if each.condition is not None)


def _of_event(element: Element) -> Iterator[Expression]:
    if element.event is not None:
        for event in (element.event, *element.event.definitions):
            if event.condition is not None:
                yield event.condition
            if event.timer is not None and is_expression(event.timer):
                yield Expression(text=event.timer.text, line=element.line)


RULE = Rule(code="expression", severity="error", check=_check)
