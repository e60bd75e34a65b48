"""How JUEL makes one type of another (JSR 341, 1.23). What is an error there is one here: nothing is guessed."""

from __future__ import annotations

import re
from typing import Any, Final

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.operations import arithmetic
from bpmn.expressions.operations.rendering import to_text
from bpmn.expressions.run import Run
from bpmn.expressions.values import CONTAINERS

_WHOLE: Final = re.compile(r"[+-]?\d{1,400}", re.ASCII)
_REAL: Final = re.compile(r"[+-]?(?:\d{1,400}\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)


def to_truth(value: Any) -> bool:
    """Nothing and no text are false, text is true where it is `true` in upper or lower case. Raises TypeMismatch."""
    if value is None:
        return False
    if type(value) is bool:
        return value
    if type(value) is str:
        return value.lower() == "true"
    raise TypeMismatch("true, false, null, or text", value, reason="")


def to_whole(run: Run, value: Any, operand: int | None = None) -> int:
    """Nothing and no text are 0, a fraction is cut off, text is read. Raises TypeMismatch, LimitReached."""
    if value is None or value == "":
        return 0
    kind = type(value)
    if kind is int:
        return int(value)
    if kind is float:
        return int(value)
    if kind is str and _WHOLE.fullmatch(value):
        return int(arithmetic.number(run, int(value)))
    raise TypeMismatch("a whole number, text that is one, or null", value, operand=operand)


def to_real(run: Run, value: Any, operand: int | None = None) -> float:
    """Nothing and no text are 0, text is read. Raises TypeMismatch, InvalidValue."""
    if value is None or value == "":
        return 0.0
    kind = type(value)
    if kind is int or kind is float:
        return float(value)
    if kind is str and _REAL.fullmatch(value):
        return float(arithmetic.number(run, float(value)))
    raise TypeMismatch("a number, text that is one, or null", value, operand=operand)


def whole_text(run: Run, value: Any) -> str:
    """Nothing is no text. Lists and objects have none: what Java makes of them is for nobody to read.

    Raises TypeMismatch, LimitReached.
    """
    if value is None:
        return ""
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) in CONTAINERS:
        raise TypeMismatch("text, a number, true, false or null", value)
    return to_text(run, value)


def is_real(value: Any) -> bool:
    """Whether a value makes arithmetic one of fractions: a number with one, or text that is written so."""
    return type(value) is float or (type(value) is str and any(mark in value for mark in ".eE"))
