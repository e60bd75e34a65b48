"""A decision model: what a `.dmn` file says, frozen and free of XML (DMN 1.5, chapters 6 to 8).

Expressions are texts still. Lines are 1-based lines of the file. References are `Reference`s: a namespace and an id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

HitPolicy = Literal["UNIQUE", "FIRST", "PRIORITY", "ANY", "COLLECT", "RULE ORDER", "OUTPUT ORDER"]
Aggregation = Literal["SUM", "COUNT", "MIN", "MAX"]


class Reference(NamedTuple):
    """An element of a model: that model's namespace, and the element's id."""

    namespace: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A FEEL text, or one in a declared other language."""

    text: str
    line: int | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A name and the type of its value; None: anything."""

    name: str
    type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralExpression:
    """A literal expression."""

    text: Text
    type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A column of conditions; `values` are unary tests that its values must pass."""

    expression: Text
    type: str | None = None
    values: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A column of results; `values` in order of priority."""

    name: str | None = None
    type: str | None = None
    values: Text | None = None
    default: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A row: one text per input and output."""

    inputs: tuple[Text, ...]
    outputs: tuple[Text, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A decision table."""

    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    rules: tuple[Rule, ...]
    hit_policy: HitPolicy = "UNIQUE"
    aggregation: Aggregation | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextEntry:
    """An entry of a boxed context; without a variable it is the context's result."""

    variable: Variable | None
    value: Boxed | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxedContext:
    entries: tuple[ContextEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A function, and by parameter what it is called with."""

    function: Boxed
    bindings: tuple[tuple[str, Boxed | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxedList:
    items: tuple[Boxed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """Rows of contexts: every column names an entry."""

    columns: tuple[Variable, ...]
    rows: tuple[tuple[Boxed, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDefinition:
    parameters: tuple[Variable, ...]
    body: Boxed | None
    type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional:
    condition: Boxed
    then: Boxed
    otherwise: Boxed


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxedFilter:
    source: Boxed
    match: Boxed


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxedIterator:
    kind: Literal["for", "some", "every"]
    variable: str
    source: Boxed
    body: Boxed


Boxed = (
    LiteralExpression
    | Table
    | BoxedContext
    | Invocation
    | BoxedList
    | Relation
    | FunctionDefinition
    | Conditional
    | BoxedFilter
    | BoxedIterator
)
"""Every kind of expression."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemDefinition:
    """A type. `components` of a context; else it is as `type` says; `parameters` is set for a function's."""

    name: str
    type: str | None = None
    components: tuple[ItemDefinition, ...] = ()
    is_collection: bool = False
    allowed: Text | None = None
    """Unary tests that a value, of a collection each of its items, must pass."""
    constraint: Text | None = None
    """Unary tests that the value as a whole must pass."""
    parameters: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputData:
    id: str
    variable: Variable
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """`information` it requires are input data and decisions, `knowledge` functions."""

    id: str
    name: str
    variable: Variable
    logic: Boxed | None
    information: tuple[Reference, ...] = ()
    knowledge: tuple[Reference, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """A business knowledge model."""

    id: str
    name: str
    variable: Variable
    logic: FunctionDefinition | None
    knowledge: tuple[Reference, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A decision service: a function of its inputs that gives its output decisions."""

    id: str
    name: str
    variable: Variable
    outputs: tuple[Reference, ...]
    encapsulated: tuple[Reference, ...]
    input_decisions: tuple[Reference, ...]
    input_data: tuple[Reference, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    name: str
    namespace: str
    location: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionModel:
    """One file."""

    file: str
    source_hash: str
    """SHA-256 of the file's bytes, hex."""
    namespace: str
    name: str | None
    imports: tuple[Import, ...] = ()
    types: Mapping[str, ItemDefinition] = field(default_factory=dict)
    inputs: Mapping[str, InputData] = field(default_factory=dict)
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    knowledge: Mapping[str, Knowledge] = field(default_factory=dict)
    services: Mapping[str, Service] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    """All names that the file gives anything, for reading names with spaces."""
