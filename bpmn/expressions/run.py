"""One run of a program: its variables, and what it may still use."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bpmn.expressions.errors import LimitReached, MissingVariable
from bpmn.expressions.limits import Limits
from bpmn.expressions.values import MISSING, MUTABLE, Copier

SLICE = 1024
"""Steps between two looks at the clock."""

NOTHING: frozenset[str] = frozenset()


class Run:
    """The state of one run; programs keep none themselves.

    `variables` are the caller's and only read. `values` holds what the run assigned, and its own view of what it read
    where that may be changed; `locals` the variables of comprehensions.
    """

    __slots__ = (
        "_deadline",
        "_reserve",
        "copiers",
        "deleted",
        "left",
        "limits",
        "locals",
        "now",
        "values",
        "variables",
    )

    def __init__(
        self,
        variables: Mapping[str, Any],
        limits: Limits,
        copiers: Mapping[str, Copier],
        now: datetime | None = None,
    ) -> None:
        self.variables = variables
        self.limits = limits
        self.copiers = copiers
        self.now = now
        """What the run's clock shows, for languages that ask for it; None: there is no clock."""
        self.values: dict[str, Any] = {}
        self.locals: dict[str, Any] = {}
        self.deleted = NOTHING
        self.left = SLICE if limits.steps > SLICE else limits.steps
        """Steps until `refill` is due."""
        self._reserve = limits.steps - self.left
        self._deadline: float | None = None

    def charge(self, steps: int) -> None:
        """Use steps. Raises LimitReached."""
        self.left -= steps
        if self.left < 0:
            self.refill()

    def refill(self) -> None:
        """Called when `left` is below zero: looks at the clock and hands out more steps. Raises LimitReached."""
        owed = -self.left
        if owed > self._reserve:
            raise LimitReached("steps", self.limits.steps)
        handed = min(self._reserve, owed + SLICE)
        self._reserve -= handed
        self.left += handed
        self.seconds_left()

    def seconds_left(self) -> float:
        """Looks at the clock, which begins to run at the first look. Raises LimitReached."""
        now = self.limits.clock()
        if self._deadline is None:
            self._deadline = now + self.limits.seconds
        elif now > self._deadline:
            raise LimitReached("seconds", self.limits.seconds)
        return self._deadline - now

    def read(self, name: str) -> Any:
        """A variable of the process that the run has not assigned. Raises MissingVariable, TypeMismatch."""
        value = MISSING if name in self.deleted else self.variables.get(name, MISSING)
        if value is MISSING:
            raise MissingVariable(name, self._names())
        if type(value) in MUTABLE and name in self.copiers:
            value = self.values[name] = self.copiers[name](value)
        return value

    def delete(self, name: str) -> None:
        """Forget a variable. Raises MissingVariable."""
        if name not in self.values and (name in self.deleted or name not in self.variables):
            raise MissingVariable(name, self._names())
        self.values.pop(name, None)
        self.deleted |= {name}

    def _names(self) -> list[str]:
        return [*self.values, *(name for name in self.variables if name not in self.deleted)]
