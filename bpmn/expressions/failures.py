"""From what went wrong inside an operation to an error that says where."""

from __future__ import annotations

import sys

from bpmn.expressions.errors import ExpressionError, InvalidValue, LimitReached, TypeMismatch
from bpmn.expressions.places import Site

EXPECTED = (ExpressionError, TypeError, ValueError, ArithmeticError, LookupError, RuntimeError)
"""What an allowed operation on allowed values can raise."""


def failure(error: Exception, site: Site) -> ExpressionError:
    """The error to raise for one of EXPECTED that an operation at `site` raised."""
    return _translated(error).at(site)


def _translated(error: Exception) -> ExpressionError:
    if isinstance(error, ExpressionError):
        return error
    if isinstance(error, RecursionError):
        return LimitReached("depth", sys.getrecursionlimit())
    if isinstance(error, TypeError):
        return TypeMismatch(None, reason=str(error))
    return InvalidValue(str(error))
