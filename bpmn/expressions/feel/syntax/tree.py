"""The tree of an expression. `start` and `end` are offsets into its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Comparator = Literal["<", "<=", ">", ">=", "=", "!="]


@dataclass(slots=True)
class Node:
    start: int
    end: int


@dataclass(slots=True)
class Constant(Node):
    value: Any


@dataclass(slots=True)
class Name(Node):
    name: str


@dataclass(slots=True)
class Group(Node):
    """An expression in brackets: operators outside are not joined to those inside."""

    inner: Node


@dataclass(slots=True)
class Path(Node):
    source: Node
    name: str


@dataclass(slots=True)
class Filter(Node):
    source: Node
    condition: Node


@dataclass(slots=True)
class Call(Node):
    """`names` has one per argument where they are passed by name."""

    function: Node
    arguments: list[Node]
    names: list[str] | None


@dataclass(slots=True)
class Chain(Node):
    """Operations of one rank, left to right: `a + b - c`."""

    rank: int
    first: Node
    rest: list[tuple[str, Node]]


@dataclass(slots=True)
class Logic(Node):
    operator: Literal["and", "or"]
    operands: list[Node]


@dataclass(slots=True)
class Negation(Node):
    operand: Node


@dataclass(slots=True)
class Comparison(Node):
    operator: Comparator
    left: Node
    right: Node


@dataclass(slots=True)
class Between(Node):
    value: Node
    low: Node
    high: Node


@dataclass(slots=True)
class In(Node):
    value: Node
    tests: list[Node]


@dataclass(slots=True)
class InstanceOf(Node):
    value: Node
    type: TypeNode


@dataclass(slots=True)
class If(Node):
    """Conditions with what follows from each, and what holds if none is true."""

    branches: list[tuple[Node, Node]]
    otherwise: Node


@dataclass(slots=True)
class Iterator(Node):
    """`variable` goes through `source`, or from it to `last`."""

    variable: str
    source: Node
    last: Node | None = None


@dataclass(slots=True)
class For(Node):
    iterators: list[Iterator]
    body: Node


@dataclass(slots=True)
class Quantified(Node):
    kind: Literal["some", "every"]
    iterators: list[Iterator]
    condition: Node


@dataclass(slots=True)
class FunctionNode(Node):
    parameters: list[tuple[str, TypeNode | None]]
    body: Node


@dataclass(slots=True)
class ContextNode(Node):
    entries: list[tuple[str, Node]]


@dataclass(slots=True)
class ListNode(Node):
    items: list[Node]


@dataclass(slots=True)
class RangeNode(Node):
    first: Node
    last: Node
    first_included: bool
    last_included: bool


@dataclass(slots=True)
class OneSided(Node):
    """A comparison without a left side: `< 10`."""

    operator: Comparator
    value: Node


@dataclass(slots=True)
class Tests(Node):
    """Unary tests; no tests at all stand for `-`. `asks` says of each whether it names the value with `?`."""

    tests: list[Node]
    negated: bool
    asks: list[bool]


@dataclass(slots=True)
class TypeNode(Node):
    """A type: its name with what is between `<` and `>`; of a context, `entries`; of a function, `result`."""

    name: str
    arguments: list[TypeNode]
    entries: list[tuple[str, TypeNode]]
    result: TypeNode | None = None
