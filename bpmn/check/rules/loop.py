"""A loop marker says what it repeats over, and when it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import LoopCharacteristics

_NEGATIVE: Final = re.compile(r"(=\s*)?-\s*\d+")


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.loop is not None:
            for message, allowed in _wrong(element.loop):
                yield Problem(message=message, element=element.id, line=element.line, allowed=allowed)


def _wrong(loop: LoopCharacteristics) -> Iterator[tuple[str, tuple[str, ...]]]:
    if loop.kind == "standard":
        if loop.completion_condition is None and loop.maximum is None:
            yield "the loop never ends", ("a loopCondition", "a loopMaximum")
        return
    if loop.cardinality is None and loop.collection is None:
        yield "the multi-instance marker has no number of instances", ("a loopCardinality", "a loopDataInputRef")
    if loop.cardinality is not None and _NEGATIVE.fullmatch(loop.cardinality.text.strip()):
        yield "the number of instances is negative", ("a whole number from 0",)
    if loop.behavior in ("None", "One") and not loop.thrown:
        allowed = f"{loop.behavior.lower()}BehaviorEventRef with the id of an event definition"
        yield "the behavior of the multi-instance marker names no event", (allowed,)
    if loop.behavior == "Complex" and (not loop.thrown or any(each.condition is None for each in loop.thrown)):
        allowed = "complexBehaviorDefinition with condition and event"
        yield "the complex behavior does not say what is thrown when", (allowed,)
    if loop.cardinality is not None and loop.collection is not None:
        yield "the multi-instance marker has both a number and a collection", ("one of them",)
    gives = loop.output_item is not None or loop.output is not None
    if gives and loop.output_collection is None:
        yield "the output of the instances goes nowhere", ("a loopDataOutputRef",)
    if loop.output_collection is not None and not gives:
        yield "the output collection gets no items", ("an outputDataItem",)


RULE = Rule(code="loop", severity="error", check=_check)
