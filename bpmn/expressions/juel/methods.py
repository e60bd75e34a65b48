"""The Java methods that a JUEL expression may call, by what they are called on. Beans are refused by their name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.juel import operations
from bpmn.expressions.operations import comparison
from bpmn.expressions.operations.weight import TEXT_SHIFT
from bpmn.expressions.run import Run
from bpmn.expressions.values import CONTAINERS

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


def _size(run: Run, value: Any) -> int:
    if type(value) is not str and type(value) not in CONTAINERS:
        raise TypeMismatch("text, a list or an object", value, operand=0)
    return len(value)


def _contains(run: Run, value: Any, item: Any) -> bool:
    return comparison.contained(run, item, value)


def _get(run: Run, value: Any, key: Any) -> Any:
    return operations.item(run, value, key)


def _substring(run: Run, value: Any, start: Any, end: Any = None) -> str:
    if type(value) is not str or type(start) is not int or not (end is None or type(end) is int):
        raise TypeMismatch("text and whole numbers", value, operand=0)
    return value[max(start, 0) : end]


METHODS: Final[Mapping[str, tuple[int, int, Method]]] = MappingProxyType({
    "equals": (1, 1, lambda run, value, other: operations.equal(run, value, other)),
    "equalsIgnoreCase": (1, 1, _text(lambda value, other: value.lower() == other.lower())),
    "contains": (1, 1, _contains),
    "containsKey": (1, 1, _contains),
    "startsWith": (1, 1, _text(str.startswith)),
    "endsWith": (1, 1, _text(str.endswith)),
    "indexOf": (1, 1, _text(str.find)),
    "toLowerCase": (0, 0, _text(str.lower)),
    "toUpperCase": (0, 0, _text(str.upper)),
    "trim": (0, 0, _text(str.strip)),
    "substring": (1, 2, _substring),
    "toString": (0, 0, operations.whole_text),
    "isEmpty": (0, 0, lambda run, value: operations.is_empty(value)),
    "length": (0, 0, _size),
    "size": (0, 0, _size),
    "get": (1, 1, _get),
})
"""By name: the least and the most arguments, and what is called with the run, the value and the arguments."""

VARIABLES: Final = frozenset({"getVariable", "hasVariable"})
"""What `execution` and `task` may be asked for a variable, by its name in quotes."""

HOLDERS: Final = frozenset({"execution", "task", "variableContainer"})
