"""One run of a program: its variables, and what it may still use."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from bpmn.expressions.errors import LimitReached, MissingVariable
from bpmn.expressions.limits import Limits
from bpmn.expressions.outside import NOTHING_OUTSIDE, Outside
from bpmn.expressions.places import Site
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
        "_drawn",
        "_reserve",
        "_site",
        "copiers",
        "deleted",
        "left",
        "limits",
        "locals",
        "outside",
        "values",
        "variables",
    )

    def __init__(
        self,
        variables: Mapping[str, Any],
        limits: Limits,
        copiers: Mapping[str, Copier],
        outside: Outside = NOTHING_OUTSIDE,
        site: Site | None = None,
    ) -> None:
        self.variables = variables
        self.limits = limits
        self.copiers = copiers
        self.outside = outside
        """For languages that ask for the time or leave something to chance."""
        self._site = site
        self._drawn = 0
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

    def draw(self) -> bytes | None:
        """32 bytes that chance gives, others each time; the same in every run of the same place with the same seed.

        None: nothing is left to chance here.
        """
        seed = self.outside.seed
        if seed is None:
            return None
        self._drawn += 1
        site = self._site
        place = "" if site is None else f"{site.where.element}\n{site.where.line}\n{site.text}"
        return sha256(f"{seed}\n{self._drawn}\n{place}".encode("utf-8", "surrogatepass")).digest()

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
