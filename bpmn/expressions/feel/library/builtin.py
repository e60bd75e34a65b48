"""Built-in functions: how one is declared, and how arguments find their parameters (DMN 1.5, 10.3.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bpmn.expressions.errors import ExpressionError, InvalidValue
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.values import kinds
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.kinds import kind_of
from bpmn.expressions.feel.values.temporal import Date, DateTime, Time

Body = Callable[..., Any]
"""Called with the evaluation and one value per parameter, None for those left out. Raises ExpressionError for null."""

_PARAMETER: Final = re.compile(r"([a-zA-Z0-9 ]+)(\?|\.\.\.)?: ([a-z |]+)")
ANY: Final = "any"
_SHORT: Final = {
    "duration": (kinds.DAYS, kinds.MONTHS),
    "point": (kinds.NUMBER, kinds.STRING, kinds.DATE, kinds.TIME, kinds.DATE_TIME, kinds.DAYS, kinds.MONTHS),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kinds: frozenset[str]
    """FEEL's names of the kinds it takes; none: any value, null too."""
    optional: bool
    many: bool
    """Takes all further arguments, as a list."""

    def take(self, value: Any) -> Any:
        """The argument, or it made to fit. Raises FeelMismatch."""
        if not self.kinds or (value is None and self.optional) or kind_of(value) in self.kinds:
            return value
        if type(value) is list and len(value) == 1 and kind_of(value[0]) in self.kinds:
            return value[0]
        if kinds.LIST in self.kinds and value is not None:
            return [value]
        if type(value) is Date and kinds.DATE_TIME in self.kinds:
            return DateTime(value, Time(0, 0))
        raise FeelMismatch(" or ".join(sorted(self.kinds)), value, reason=_reason(self.name, value))


def _reason(name: str, value: Any) -> str:
    return f"{name} is {kinds.phrase(value)}"


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function. `spread`: its one list may also be given as one argument per item."""

    text: str
    parameters: tuple[Parameter, ...]
    body: Body
    spread: bool

    def takes(self, count: int) -> bool:
        needed = sum(not parameter.optional and not parameter.many for parameter in self.parameters)
        many = self.spread or any(parameter.many for parameter in self.parameters)
        return needed <= count and (many or count <= len(self.parameters))

    def call(self, evaluation: Evaluation, arguments: Sequence[Any]) -> Any:
        if self.spread and (len(arguments) != 1 or type(arguments[0]) is not list):
            if len(arguments) == 1 and arguments[0] is None:
                raise FeelMismatch(kinds.LIST, None, reason=_reason(self.parameters[0].name, None))
            arguments = [list(arguments)]
        taken: list[Any] = []
        for index, parameter in enumerate(self.parameters):
            if parameter.many:
                taken.append([parameter.take(argument) for argument in arguments[index:]])
            else:
                taken.append(parameter.take(arguments[index]) if index < len(arguments) else None)
        return self.body(evaluation, *taken)

    def takes_names(self, names: Mapping[str, Any]) -> bool:
        # What is not passed by name is null (DMN 1.5, 10.3.2.13.5), which only some parameters take.
        return names.keys() <= {parameter.name for parameter in self.parameters}


class Builtin(FeelFunction):
    """A function of the standard; the first of its signatures that takes the arguments does the work."""

    __slots__ = ("signatures",)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.signatures: list[Signature] = []

    def arity(self) -> tuple[int, int]:
        counts = [len(signature.parameters) for signature in self.signatures]
        return min(counts), max(counts)

    def call(self, evaluation: Evaluation, arguments: Sequence[Any]) -> Any:
        fitting = [signature for signature in self.signatures if signature.takes(len(arguments))]
        return self._first(fitting, lambda signature: signature.call(evaluation, arguments), len(arguments))

    def call_named(self, evaluation: Evaluation, arguments: Mapping[str, Any]) -> Any:
        fitting = [signature for signature in self.signatures if signature.takes_names(arguments)]
        return self._first(
            fitting,
            lambda signature: signature.call(
                evaluation,
                [
                    arguments.get(parameter.name)
                    if not parameter.many
                    else parameter.take(arguments.get(parameter.name))
                    for parameter in signature.parameters
                ],
            ),
            ", ".join(arguments),
        )

    def _first(self, fitting: list[Signature], attempt: Callable[[Signature], Any], given: object) -> Any:
        if not fitting:
            allowed = "; ".join(signature.text for signature in self.signatures)
            raise InvalidValue(f"{self.name} does not take these arguments ({given})", allowed=allowed)
        for signature in fitting[:-1]:
            try:
                return attempt(signature)
            except FeelMismatch:
                continue
        return attempt(fitting[-1])


class Library:
    """Functions by name, filled by `define`."""

    def __init__(self) -> None:
        self.functions: dict[str, Builtin] = {}

    def define(self, text: str, *, spread: bool = False) -> Callable[[Body], Body]:
        """Declare a function by its signature: `substring(string: string, start position: number, length?: number)`."""

        def defined(body: Body) -> Body:
            name, _, rest = text.partition("(")
            function = self.functions.setdefault(name, Builtin(name))
            function.signatures.append(Signature(text, _parameters(rest), body, spread))
            return body

        return defined


def _parameters(text: str) -> tuple[Parameter, ...]:
    found = []
    for name, mark, kind in _PARAMETER.findall(text):
        names = [each.strip() for each in kind.split("|")]
        allowed = frozenset(full for each in names for full in _SHORT.get(each, (each,)) if each != ANY)
        found.append(Parameter(name.strip(), allowed, mark == "?", mark == "..."))
    return tuple(found)


def refused(reason: str) -> ExpressionError:
    """What a function raises for arguments that it has no value for: null, with this note."""
    return InvalidValue(reason)
