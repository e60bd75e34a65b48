"""Ranges: from one value to another, or on one side of a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Operator = Literal["<", "<=", ">", ">=", "=", "!="]


@dataclass(frozen=True, slots=True)
class Range:
    """`operator` is set for a range that was written as a comparison, like `(>= 10)`; an open end is None."""

    start: Any
    end: Any
    start_included: bool = True
    end_included: bool = True
    operator: Operator | None = None


def one_sided(operator: Operator, value: Any) -> Range:
    """The range of a comparison: `< 10` ends before 10."""
    if operator in ("=", "!="):
        return Range(value, value, True, True, operator)
    if operator.startswith("<"):
        return Range(None, value, False, operator == "<=", operator)
    return Range(value, None, operator == ">=", False, operator)
