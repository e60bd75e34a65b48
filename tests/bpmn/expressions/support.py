"""What the tests of expressions share."""

from __future__ import annotations

import math
from typing import Any

from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.limits import DEFAULT_LIMITS, Limits
from bpmn.expressions.places import Where
from bpmn.expressions.program import Changes

WHERE = Where("claims.bpmn", "flow_3", 42)


def evaluate(text: str, limits: Limits = DEFAULT_LIMITS, /, **variables: Any) -> Any:
    return compile_condition(text, where=WHERE).evaluate(variables, limits)


def execute(text: str, limits: Limits = DEFAULT_LIMITS, /, **variables: Any) -> Changes:
    return compile_script(text, where=WHERE).execute(variables, limits)


def spelled(value: Any) -> str:
    """A JSON value with its types: 1, 1.0 and True differ, as they do for a process."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("no JSON")
    if isinstance(value, dict):
        if not all(type(key) is str for key in value):
            raise ValueError("no JSON")
        return "{" + ", ".join(f"{key!r}: {spelled(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(spelled, value)) + "]"
    if isinstance(value, set):
        return spelled(sorted(value))
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    raise ValueError("no JSON")
