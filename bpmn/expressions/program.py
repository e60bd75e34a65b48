"""A compiled expression or script: what every front end makes, and all that the engine sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from bpmn.expressions.door import Door, leaves_freely
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.limits import DEFAULT_LIMITS, Limits
from bpmn.expressions.outside import NOTHING_OUTSIDE, Outside
from bpmn.expressions.places import Site, Where
from bpmn.expressions.run import NOTHING, Run
from bpmn.expressions.values import MISSING, Copier

Node = Callable[[Run], Any]
"""A compiled part: called with a run it gives its value."""

_COPIERS: Mapping[str, Copier] = MappingProxyType({})


class Changes(NamedTuple):
    """What a script did to the process's variables. A value equal to the old one, type for type, is no change."""

    set: dict[str, Any]
    """JSON values by variable. Unchanged parts are the objects that went in, for cheap comparison: change neither."""
    deleted: frozenset[str]


class Program:
    """Compiled once, run often, by any number of instances at the same time."""

    __slots__ = ("_copiers", "_node", "_truth", "language", "names", "site", "writes")

    def __init__(
        self,
        node: Node,
        *,
        site: Site,
        language: str,
        names: frozenset[str],
        writes: frozenset[str] = frozenset(),
        copiers: Mapping[str, Copier] = _COPIERS,
        truth: Callable[[Any], bool] = bool,
    ) -> None:
        self._node = node
        self._truth = truth
        self._copiers = copiers
        self.site = site
        """The text as a whole."""
        self.language = language
        self.names = names
        """Variables that it may read."""
        self.writes = writes
        """Variables that it may assign, change or delete."""

    @property
    def where(self) -> Where:
        return self.site.where

    def evaluate(
        self, variables: Mapping[str, Any], limits: Limits = DEFAULT_LIMITS, *, outside: Outside = NOTHING_OUTSIDE
    ) -> Any:
        """The value of an expression as JSON; of a script, that of its last line if that is an expression, else None.

        `variables` are never changed, and the result shares nothing changeable with them. `outside` is what the
        clock shows, and chance gives, to an expression that asks. Raises ExpressionError.
        """
        run = Run(variables, limits, self._copiers, outside, self.site)
        try:
            value = self._node(run)
            return value if leaves_freely(value) else Door(limits).settle(value, MISSING, ())
        except EXPECTED as error:
            raise failure(error, self.site) from None

    def holds(
        self, variables: Mapping[str, Any], limits: Limits = DEFAULT_LIMITS, *, outside: Outside = NOTHING_OUTSIDE
    ) -> bool:
        """Whether an expression is true, as its language sees truth for conditions. Raises ExpressionError."""
        value = self.evaluate(variables, limits, outside=outside)
        try:
            return self._truth(value)
        except EXPECTED as error:
            raise failure(error, self.site) from None

    def execute(self, variables: Mapping[str, Any], limits: Limits = DEFAULT_LIMITS) -> Changes:
        """Run a script; what it changed, as JSON. An expression changes nothing.

        `variables` are never changed; `names | writes` are enough to pass. Raises ExpressionError, and then nothing
        has happened.
        """
        run = Run(variables, limits, self._copiers)
        try:
            self._node(run)
            return _changes(run)
        except EXPECTED as error:
            raise failure(error, self.site) from None


def _changes(run: Run) -> Changes:
    changed: dict[str, Any] = {}
    door: Door | None = None
    for name, value in run.values.items():
        old = run.variables.get(name, MISSING)
        if value is old:
            continue
        if leaves_freely(value):
            if type(value) is not type(old) or value != old:
                changed[name] = value
            continue
        door = door or Door(run.limits)
        settled = door.settle(value, old, (name,))
        if settled is not old:
            changed[name] = settled
    return Changes(changed, _deleted(run) if run.deleted else NOTHING)


def _deleted(run: Run) -> frozenset[str]:
    return frozenset(name for name in run.deleted if name not in run.values and name in run.variables)
