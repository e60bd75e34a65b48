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
    """`entries` that a context must have, if it has them as null; others may be there too."""

    entries: Mapping[str, Type]

    def accepts(self, value: Any) -> bool:
        if type(value) is not dict or not self.entries.keys() <= value.keys():
            return False
        found = ((value.get(key), kind) for key, kind in self.entries.items())
        return all(entry is None or kind.accepts(entry) for entry, kind in found)


@dataclass(frozen=True, slots=True)
class FunctionOf:
    """Functions of these parameters; None: any. What a function gives is known only when it is called."""

    parameters: tuple[Type, ...] | None = None

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, FeelFunction):
            return False
        if self.parameters is None:
            return True
        least, most = value.arity()
        if not least <= len(self.parameters) <= most:
            return False
        taken = value.parameter_types()
        return taken is None or all(map(conforms, self.parameters, taken))


@dataclass(frozen=True, slots=True)
class Restricted:
    """A type of which only some values are allowed."""

    base: Type
    allows: Callable[[Any], bool] = field(compare=False)

    def accepts(self, value: Any) -> bool:
        return self.base.accepts(value) and self.allows(value)


def conforms(one: Type, other: Type) -> bool:
    """Whether every value of one type is one of another (DMN 1.5, 10.3.2.9.2); False where that is not known."""
    if isinstance(other, Anything) or one == other:
        return True
    if isinstance(one, Restricted):
        return conforms(one.base, other)
    if isinstance(one, ListOf | RangeOf) and type(one) is type(other):
        return conforms(one.element, other.element)
    if isinstance(one, ContextOf) and isinstance(other, ContextOf):
        return all(key in one.entries and conforms(one.entries[key], kind) for key, kind in other.entries.items())
    if isinstance(one, FunctionOf) and isinstance(other, FunctionOf) and one.parameters and other.parameters:
        same = len(one.parameters) == len(other.parameters)
        return same and all(map(conforms, other.parameters, one.parameters))
    return False


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

