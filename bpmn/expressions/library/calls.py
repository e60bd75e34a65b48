"""Calling a function of the library, and finding out whether it can be called so."""

from __future__ import annotations

from inspect import Parameter, Signature, signature
from typing import Any

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.library.functions import Function
from bpmn.expressions.library.methods import METHODS
from bpmn.expressions.run import Run


def call_function(run: Run, name: str, function: Function, positional: list[Any], named: dict[str, Any]) -> Any:
    """Raises TypeMismatch if the function does not take these arguments, and what the function raises."""
    try:
        return function(run, *positional, **named)
    except TypeError as error:
        raise _explained(error, name, function, (run,), positional, named) from None


def call_method(run: Run, value: Any, name: str, positional: list[Any], named: dict[str, Any]) -> Any:
    """`value.name(...)`, by the tables of the exact type of `value`: no attribute is looked up."""
    methods = METHODS.get(type(value), {})
    method = methods.get(name)
    if method is None:
        allowed = ", ".join(sorted(methods)) or "none"
        raise TypeMismatch(f"its methods: {allowed}", value, operand=0)
    try:
        return method(run, value, *positional, **named)
    except TypeError as error:
        raise _explained(error, name, method, (run, value), positional, named) from None


def accepts(function: Function, count: int, names: list[str]) -> bool:
    """Whether a function can be called with so many positional arguments and these named ones."""
    try:
        signature(function).bind(None, *[None] * count, **dict.fromkeys(names))
    except TypeError:
        return False
    return True


def usage(name: str, function: Function, given: int = 1) -> str:
    """How a function is called: `round(value, digits)`; its first parameters, `given` by the call itself, left out."""
    parameters = list(signature(function).parameters.values())[given:]
    bare = [Parameter(parameter.name, parameter.kind) for parameter in parameters]
    return f"{name}{Signature(bare)}".replace(", /", "").replace("*, ", "")


def _explained(
    error: TypeError,
    name: str,
    function: Function,
    given: tuple[Any, ...],
    positional: list[Any],
    named: dict[str, Any],
) -> Exception:
    """The error for a call that raised a TypeError: a better one if the arguments did not fit."""
    try:
        signature(function).bind(*given, *positional, **named)
    except TypeError:
        return TypeMismatch(usage(name, function, len(given)), reason=f"{name} does not take these arguments")
    return error
