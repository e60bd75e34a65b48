"""Loops and multi-instance activities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bpmn.parts.events import EventDefinition
from bpmn.parts.texts import Expression

LoopKind = Literal["standard", "parallel", "sequential"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceEvent:
    """What a multi-instance activity throws as its instances finish, and on what condition (None: always)."""

    event: EventDefinition
    condition: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopCharacteristics:
    """Standard loop or multi-instance marker of an activity."""

    kind: LoopKind
    cardinality: Expression | None = None
    collection: Expression | None = None
    """A variable's name, or an expression that gives a list."""
    input_item: str | None = None
    """Variable that holds an instance's item of the collection."""
    output_collection: str | None = None
    output_item: str | None = None
    """Variable of an instance whose value goes to the output collection, in the order of instances."""
    output: Expression | None = None
    """In its place an expression over an instance's variables."""
    counts_from: int = 0
    """The `loopCounter` of the first instance or round."""
    completion_condition: Expression | None = None
    """Multi-instance: stops the rest when true. Standard loop: goes on while true (`loopCondition`)."""
    test_before: bool = False
    maximum: int | None = None
    behavior: str = "All"
    calls: bool = False
    """Each item is an agent's call of a tool: its arguments are variables of the instance, and so is its result."""
    thrown: tuple[InstanceEvent, ...] = ()
    """Behavior `None` and `One`: the event; `Complex`: each with its condition."""

    @property
    def expressions(self) -> tuple[Expression | None, ...]:
        """Those that are about the instances as a whole, or what comes out of them."""
        return self.cardinality, self.collection, self.completion_condition, self.output
