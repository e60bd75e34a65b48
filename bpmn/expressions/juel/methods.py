"""The Java methods that a JUEL expression may call, by what they are called on. Beans are refused by their name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.errors import InvalidValue, TypeMismatch
from bpmn.expressions.juel import operations
from bpmn.expressions.juel.coercion import whole_text
from bpmn.expressions.operations import arithmetic, comparison
from bpmn.expressions.operations.weight import TEXT_SHIFT, pay_text
from bpmn.expressions.run import Run

Method = Callable[..., Any]


def _text(method: Callable[..., Any]) -> Method:
    """A method of text that takes texts."""

    def call(run: Run, value: Any, *arguments: Any) -> Any:
        for number, each in enumerate((value, *arguments)):
            if type(each) is not str:
                raise TypeMismatch("text", each, operand=number)
        run.charge(len(value) >> TEXT_SHIFT)
        return method(value, *arguments)

    return call


def _of(*kinds: type[Any], what: str) -> Callable[[Method], Method]:
    """A method that values of these types have."""

    def limited(method: Method) -> Method:
        def call(run: Run, value: Any, *arguments: Any) -> Any:
            if type(value) not in kinds:
                raise TypeMismatch(what, value, operand=0)
            return method(run, value, *arguments)

        return call

    return limited


_HOLDING: Final = _of(str, list, dict, tuple, set, what="text, a list or an object")
_VALUE: Final = _of(str, bool, int, float, list, dict, tuple, set, what="a value, for null has no methods")


def _equals(run: Run, value: Any, other: Any) -> bool:
    """Java's: nothing is made to fit, so that `'5'.equals(5)` and `5.equals(5.0)` are false."""
    return type(value) is type(other) and comparison.equal(run, value, other)


def _contains(run: Run, value: Any, item: Any) -> bool:
    if type(value) is str and type(item) is not str:
        raise TypeMismatch("text", item, operand=1)
    return comparison.contained(run, item, value)


def _contains_value(run: Run, value: Any, item: Any) -> bool:
    return comparison.contained(run, item, list(value.values()))


def _get_or_default(run: Run, value: Any, key: Any, default: Any) -> Any:
    found = operations.item(run, value, key)
    return default if found is None and (type(key) is not str or key not in value) else found


def _substring(run: Run, value: Any, start: Any, end: Any = None) -> str:
    if type(value) is not str or type(start) is not int or not (end is None or type(end) is int):
        raise TypeMismatch("text and whole numbers", value, operand=0)
    last = len(value) if end is None else end
    if not 0 <= start <= last <= len(value):
        raise InvalidValue(f"there is no part from {start} to {last} in text of {len(value)} characters")
    return value[start:last]


def _replace(run: Run, value: Any, old: Any, new: Any) -> str:
    for number, each in enumerate((value, old, new)):
        if type(each) is not str:
            raise TypeMismatch("text", each, operand=number)
    pay_text(run, len(value) + value.count(old) * max(0, len(new) - len(old)))
    return str(value.replace(old, new))


def _concat(run: Run, value: Any, more: Any) -> Any:
    for number, each in enumerate((value, more)):
        if type(each) is not str:
            raise TypeMismatch("text", each, operand=number)
    return arithmetic.add(run, value, more)


METHODS: Final[Mapping[str, tuple[int, int, Method]]] = MappingProxyType({
    "equals": (1, 1, _VALUE(_equals)),
    "equalsIgnoreCase": (1, 1, _text(lambda value, other: value.lower() == other.lower())),
    "contains": (1, 1, _of(str, list, tuple, set, what="text or a list")(_contains)),
    "containsKey": (1, 1, _of(dict, what="an object")(_contains)),
    "containsValue": (1, 1, _of(dict, what="an object")(_contains_value)),
    "startsWith": (1, 1, _text(str.startswith)),
    "endsWith": (1, 1, _text(str.endswith)),
    "indexOf": (1, 1, _text(str.find)),
    "lastIndexOf": (1, 1, _text(str.rfind)),
    "toLowerCase": (0, 0, _text(str.lower)),
    "toUpperCase": (0, 0, _text(str.upper)),
    "trim": (0, 0, _text(str.strip)),
    "concat": (1, 1, _concat),
    "replace": (2, 2, _replace),
    "substring": (1, 2, _substring),
    "toString": (0, 0, _VALUE(whole_text)),
    "isEmpty": (0, 0, _HOLDING(lambda run, value: not value)),
    "isBlank": (0, 0, _text(lambda value: not value.strip())),
    "length": (0, 0, _HOLDING(lambda run, value: len(value))),
    "size": (0, 0, _HOLDING(lambda run, value: len(value))),
    "get": (1, 1, _of(list, dict, what="a list or an object")(operations.item)),
    "getOrDefault": (2, 2, _of(dict, what="an object")(_get_or_default)),
})
"""By name: the least and the most arguments, and what is called with the run, the value and the arguments."""

VARIABLES: Final = frozenset({"getVariable", "hasVariable"})
"""What `execution` and `task` may be asked for a variable, by its name in quotes."""

HOLDERS: Final = frozenset({"execution", "task", "variableContainer"})
