"""Decisions from files, to be asked by name: the door of this package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bpmn.dmn.logic.deciding import Deciding
from bpmn.dmn.logic.library import Library
from bpmn.dmn.model import DecisionModel, Reference
from bpmn.dmn.reader.read import read_model
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.feel.semantics.evaluation import Evaluation, ProcessNames
from bpmn.expressions.feel.values.json_values import to_json_value
from bpmn.expressions.limits import DEFAULT_LIMITS, Limits
from bpmn.expressions.places import Site, Where
from bpmn.expressions.run import Run
from bpmn.findings import Finding, in_file_order
from bpmn.reader.source import Limits as FileLimits
from bpmn.reader.source import read_source


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision's value as FEEL has it and as JSON, and what went wrong on the way: FEEL's errors are null."""

    value: Any
    json: Any
    notes: tuple[ExpressionError, ...]


class Decisions:
    """The decisions of one or more `.dmn` files. Compiled when first asked; may be asked by any number of instances."""

    def __init__(self, models: Iterable[DecisionModel], findings: Iterable[Finding] = ()) -> None:
        self.library = Library(models)
        self._findings = tuple(findings)

    @classmethod
    def load(cls, sources: Mapping[str, str | os.PathLike[str] | bytes], limits: FileLimits | None = None) -> Decisions:
        """From paths or bytes, by the names that messages call them. Raises BpmnError for what is no DMN file."""
        found = [
            read_model(read_source(source, name, limits or FileLimits()), name, limits)
            for name, source in sources.items()
        ]
        return cls((each.model for each in found), (finding for each in found for finding in each.findings))

    @property
    def models(self) -> tuple[DecisionModel, ...]:
        return tuple(self.library.models.values())

    def find(self, name: str, *, file: str, element: str | None = None, among: str | None = None) -> Reference:
        """The decision or decision service of an id or name. Raises UnknownDecision, AmbiguousDecision."""
        return self.library.find(name, file=file, element=element, among=among)

    def decide(
        self,
        reference: Reference,
        variables: Mapping[str, Any],
        limits: Limits = DEFAULT_LIMITS,
        *,
        now: datetime | None = None,
    ) -> Decided:
        """Evaluate a decision over JSON variables (values of FEEL stay as they are).

        Raises ExpressionError for a limit that was reached or a text that does not read, WrongDecision for a model
        that does not fit together.
        """
        model = self.library.models[reference.namespace]
        run = Run(variables, limits, {}, now)
        evaluation = Evaluation(run)
        try:
            value = Deciding(self.library, evaluation, ProcessNames(variables, run)).value(reference)
            return Decided(value, to_json_value(value, run.charge), tuple(evaluation.notes))
        except EXPECTED as error:
            raise failure(error, Site(Where(model.file, reference.id), None, reference.id)) from None

    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the files: what could not be read, and all logic that does not compile."""
        from bpmn.dmn.checking import problems

        return in_file_order((*self._findings, *problems(self.library)))
