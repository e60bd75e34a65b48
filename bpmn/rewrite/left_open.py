"""For a simulation: what a drawing leaves open is decided in the simplest way, and said.

Conditions, times and numbers are for executable processes; a drawing is valid BPMN without them (BPMN 2.0, 2.2.1, the
descriptive and analytic conformance sub-classes). So: of the flows of an exclusive gateway that say nothing each is
taken in turn; an event that a token comes to goes on at once, where it has no trigger, or no time that can be computed;
one that waits beside something, or beside other events, never comes; a loop is gone through once. What is said wrongly
stays wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bpmn.check.rules.missing_condition import undecided
from bpmn.check.rules.timer import is_expression
from bpmn.definition import (
    Definition,
    Element,
    EventDefinition,
    EventRef,
    Expression,
    Flow,
    LoopCharacteristics,
    Scope,
    Timer,
)
from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.places import Where
from bpmn.rewrite.passed_over import UNDECIDED
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names

AT_ONCE: Final = Timer(kind="duration", text="PT0S")
NEVER: Final = Timer(kind="date", text="9999-12-31T00:00:00Z")
_ONCE: Final = Expression(text="1", language="python")


def prepare(definition: Definition, _: Names) -> tuple[Definition, list[Guess]]:
    """All ids stay."""
    opened = _Opened(definition)
    definition = map_scopes(definition, opened.change)
    definition = replace(
        definition,
        messages=opened.named(definition.messages),
        signals=opened.named(definition.signals),
        errors=opened.named(definition.errors),
        escalations=opened.named(definition.escalations),
    )
    return definition, opened.guesses


def _raced(scope: Scope) -> frozenset[str]:
    """What waits beside others behind an event-based gateway: were it at once there, it would always win."""
    gateways = [each for each in scope.elements.values() if each.kind == "eventBasedGateway"]
    return frozenset(scope.flows[flow].target for gateway in gateways for flow in gateway.outgoing)


class _Opened:
    def __init__(self, definition: Definition) -> None:
        self._file = definition.file
        self.guesses: list[Guess] = []
        self._raced: frozenset[str] = frozenset()

    def change(self, holder: Holder, scope: Scope) -> Scope:
        within = isinstance(holder, Element) and holder.triggered_by_event
        self._raced = _raced(scope)
        elements = {key: self._element(each, within=within) for key, each in scope.elements.items()}
        flows = dict(scope.flows)
        for element in scope.elements.values():
            for flow in undecided(element, scope):
                self._tell(flow, f"the flow out of {element.id} has no condition: it is taken in turn")
                flows[flow.id] = replace(flow, condition=UNDECIDED)
        return Scope(elements=elements, flows=flows)

    def named(self, refs: Mapping[str, EventRef]) -> Mapping[str, EventRef]:
        """Names and codes as they stand, where they cannot be computed."""
        return {key: self._named(each) for key, each in refs.items()}

    def _named(self, ref: EventRef) -> EventRef:
        kept = {
            part: expression
            for part in ("computed", "computed_code")
            if (expression := getattr(ref, part)) is not None and self._why(ref.id, None, expression) is None
        }
        if len(kept) == sum(each is not None for each in (ref.computed, ref.computed_code)):
            return ref
        message = "its name or code cannot be computed: it is taken as it stands"
        self.guesses.append(Guess(rule="passed-over", element=ref.id, line=None, message=message))
        return replace(ref, computed=kept.get("computed"), computed_code=kept.get("computed_code"))

    def _element(self, element: Element, *, within: bool) -> Element:
        """`within` an event sub-process its start event waits beside what goes on."""
        if element.loop is not None:
            element = replace(element, loop=self._loop(element, element.loop))
        if element.event is None:
            return element
        event, races = element.event, element.kind == "boundaryEvent" or element.id in self._raced
        beside = races or (within and element.kind == "startEvent")
        if event.kind == "none" and element.kind in ("boundaryEvent", "intermediateCatchEvent"):
            self._tell(element, f"nothing says what it waits for: it {'never comes' if beside else 'goes on at once'}")
            return replace(element, event=EventDefinition(kind="timer", timer=NEVER if beside else AT_ONCE))
        parts = tuple(self._event(element, each, beside=beside) for each in event.definitions)
        return replace(element, event=replace(self._event(element, event, beside=beside), definitions=parts))

    def _event(self, element: Element, event: EventDefinition, *, beside: bool) -> EventDefinition:
        if event.kind == "timer":
            why = self._no_time(element, event.timer)
            if why is None:
                return event
            then = "it never comes" if beside else "it goes on at once"
            self._tell(element, f"the time is passed over, {then}: {why}")
            return replace(event, timer=NEVER if beside else AT_ONCE)
        if event.condition is None or (why := self._why(element.id, element.line, event.condition)) is None:
            return event
        self._tell(element, f"the condition is passed over, it never holds: {why}")
        return replace(event, condition=Expression(text="False", language="python"))

    def _no_time(self, element: Element, timer: Timer | None) -> str | None:
        if timer is None:
            return "the timer has no time"
        if is_expression(timer):
            return self._why(element.id, element.line, Expression(text=timer.text, line=element.line))
        return "it is code that is not run here" if "(" in timer.text else None

    def _loop(self, element: Element, loop: LoopCharacteristics) -> LoopCharacteristics:
        if loop.kind == "standard" and loop.completion_condition is None and loop.maximum is None:
            self._tell(element, "nothing says how often the loop is gone through: it is once")
            return replace(loop, maximum=1)
        if loop.kind != "standard" and loop.cardinality is None and loop.collection is None:
            self._tell(element, "nothing says how many instances there are: one is run")
            return replace(loop, cardinality=_ONCE)
        return loop

    def _tell(self, owner: Element | Flow, message: str) -> None:
        self.guesses.append(Guess(rule="passed-over", element=owner.id, line=owner.line, message=message))

    def _why(self, owner: str, line: int | None, expression: Expression) -> str | None:
        """Why it cannot be compiled, None if it can."""
        where = Where(self._file, owner, expression.line or line)
        try:
            compile_condition(expression.text, where=where, language=expression.language)
        except ExpressionError as error:
            return error.reason
        return None
