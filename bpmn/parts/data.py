"""Data that goes into activities and comes out of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bpmn.parts.texts import Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class DataItem:
    """A declared data input or output."""

    name: str
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the value; None: anything."""
    collection: bool = False
    optional: bool = False
    variable: str | None = None
    """Process variable that a data association names for it; None: the variable of the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataMapping:
    """A value that goes into an activity, or comes out of it, under a name of its own.

    `target` is a variable, a place inside one (`order.total`), or `*`: all variables as they are, or with any
    expression none of them. Without an `expression` the whole result of the activity is meant; in the language
    `variable` it is the name of one, which may be missing.
    """

    target: str
    expression: Expression | None = None


ResultMapping = Literal["value", "entries", "singleEntry", "singleResult", "collectEntries", "resultList"]
"""What of a decision's result is taken: all as it is; each output by its name; the one value; the one row; the values
of all rows; all rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledDecision:
    """The decision that an activity asks for: its id or name, or an expression (`=`, `${}`) that gives it.

    `result` is the variable its result goes to; None: each output is a variable of its own.
    """

    name: str
    result: str | None = None
    mapping: ResultMapping = "value"
