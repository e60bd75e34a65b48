"""Types, and making a value fit one (DMN 1.5, 10.3.2.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol

from bpmn.expressions.feel.values import kinds
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.kinds import kind_of
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import Date, DateTime, Time


class Type(Protocol):
    """What a value may be. Nothing (null) is a value of every type."""

    def accepts(self, value: Any) -> bool:
        """Whether a value that is not null is of the type."""
        ...


@dataclass(frozen=True, slots=True)
class Anything:
    def accepts(self, value: Any) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Simple:
    """A type that is known by its name alone."""

    kind: str

    def accepts(self, value: Any) -> bool:
        return kind_of(value) == self.kind


@dataclass(frozen=True, slots=True)
class ListOf:
    element: Type

    def accepts(self, value: Any) -> bool:
        return type(value) is list and all(item is None or self.element.accepts(item) for item in value)


@dataclass(frozen=True, slots=True)
class RangeOf:
    element: Type

    def accepts(self, value: Any) -> bool:
        return type(value) is Range and all(
            end is None or self.element.accepts(end) for end in (value.start, value.end)
        )


@dataclass(frozen=True, slots=True)
class ContextOf:
    """`entries` that a context must have, if it has them as null; others may be there too. One that is not `strict`
    takes an entry that is not there for null."""

    entries: Mapping[str, Type]
    strict: bool = True

    def accepts(self, value: Any) -> bool:
        if type(value) is not dict or (self.strict and not self.entries.keys() <= value.keys()):
            return False
        found = ((value.get(key), kind) for key, kind in self.entries.items())
        return all(entry is None or kind.accepts(entry) for entry, kind in found)


@dataclass(frozen=True, slots=True)
class FunctionOf:
    """Functions are told apart by how many parameters they take; their types are known when they are called."""

    parameters: int | None = None

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, FeelFunction):
            return False
        least, most = value.arity()
        return self.parameters is None or least <= self.parameters <= most


@dataclass(frozen=True, slots=True)
class Restricted:
    """A type of which only some values are allowed."""

    base: Type
    allows: Callable[[Any], bool] = field(compare=False)

    def accepts(self, value: Any) -> bool:
        return self.base.accepts(value) and self.allows(value)


ANY: Final = Anything()
SIMPLE: Final[Mapping[str, Type]] = MappingProxyType({
    "Any": ANY,
    "any": ANY,
    **{
        kind: Simple(kind)
        for kind in (
            kinds.NUMBER,
            kinds.STRING,
            kinds.BOOLEAN,
            kinds.DATE,
            kinds.TIME,
            kinds.DATE_TIME,
            kinds.DAYS,
            kinds.MONTHS,
            kinds.LIST,
            kinds.CONTEXT,
            kinds.RANGE,
        )
    },
    "function": FunctionOf(),
    "dateTime": Simple(kinds.DATE_TIME),
    "dayTimeDuration": Simple(kinds.DAYS),
    "days and time duration": Simple(kinds.DAYS),
    "yearMonthDuration": Simple(kinds.MONTHS),
})
"""Types by the names that FEEL has for them; those in one word are DMN's before 1.2."""


def fitted(value: Any, wanted: Type) -> tuple[Any, bool]:
    """A value made to fit a type, and whether it could be: a list of one for its item and the other way round, and a
    date for its midnight in UTC."""
    if value is None or wanted.accepts(value):
        return value, True
    if type(value) is list and len(value) == 1 and value[0] is not None and wanted.accepts(value[0]):
        return value[0], True
    if type(value) is not list and wanted.accepts([value]):
        return [value], True
    if type(value) is Date:
        moment = DateTime(value, Time(0, 0))
        if wanted.accepts(moment):
            return moment, True
    return None, False

