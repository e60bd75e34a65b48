"""One evaluation: what it may still use, what it noted, and the names it sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.feel.values.json_values import from_json
from bpmn.expressions.run import Run
from bpmn.expressions.values import MISSING

NOTED: Final = 20
"""Notes that are kept; the first says why a result is null."""


class Evaluation:
    """Shared by all frames of one evaluation. FEEL's errors are null; `notes` keep what they were about."""

    __slots__ = ("charge", "notes", "run")

    def __init__(self, run: Run) -> None:
        self.run = run
        self.charge = run.charge
        self.notes: list[ExpressionError] = []

    @property
    def notes_full(self) -> bool:
        return len(self.notes) >= NOTED

    def note(self, error: ExpressionError) -> None:
        if not self.notes_full:
            self.notes.append(error)


class Frame:
    """Names on top of other names."""

    __slots__ = ("evaluation", "names", "parent")

    def __init__(self, evaluation: Evaluation, names: Mapping[str, Any], parent: Frame | None) -> None:
        self.evaluation, self.names, self.parent = evaluation, names, parent

    def inner(self, names: Mapping[str, Any]) -> Frame:
        return Frame(self.evaluation, names, self)

    def find(self, name: str, *, variables: bool = True) -> Any:
        """The value of a name, with or without process `variables`; MISSING where there is none."""
        frame: Frame | None = self
        while frame is not None:
            names = frame.names
            if name in names and (variables or type(names) is not ProcessNames):
                return names[name]
            frame = frame.parent
        return MISSING

    def known(self) -> Iterator[str]:
        """All names but those of built-in functions, nearest first."""
        frame: Frame = self
        while frame.parent is not None:
            yield from frame.names
            frame = frame.parent

    def built_in(self) -> Mapping[str, Any]:
        """The outermost names: those of built-in functions."""
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        return frame.names


class ProcessNames(Mapping[str, Any]):
    """Process variables as FEEL's values, each made when it is first read."""

    __slots__ = ("_charge", "_made", "_variables")

    def __init__(self, variables: Mapping[str, Any], run: Run) -> None:
        self._variables, self._charge = variables, run.charge
        self._made: dict[str, Any] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._variables

    def __getitem__(self, name: str) -> Any:
        value = self._made.get(name, MISSING)
        if value is MISSING:
            value = self._made[name] = from_json(self._variables[name], self._charge)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def raw(self, name: str) -> Any:
        """The variable as it is, for a path into it: only what is used is made FEEL's."""
        return self._variables[name]
