"""Decisions from files, to be asked by name: the door of this package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bpmn.dmn.logic.deciding import Deciding
from bpmn.dmn.logic.library import Library
from bpmn.dmn.model import DecisionModel, Reference, Table
from bpmn.dmn.reader.read import read_models
from bpmn.expressions.door import Door
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.feel.semantics.evaluation import Evaluation, ProcessNames
from bpmn.expressions.feel.values.json_values import to_json_value
from bpmn.expressions.limits import DEFAULT_LIMITS, Limits
from bpmn.expressions.outside import NOTHING_OUTSIDE, Outside
from bpmn.expressions.places import Site, Where
from bpmn.expressions.run import Run
from bpmn.expressions.values import MISSING
from bpmn.findings import Finding, in_file_order
from bpmn.reader.source import Limits as FileLimits
from bpmn.reader.source import read_source


def _gives_rows(table: Table) -> bool:
    return table.hit_policy in ("RULE ORDER", "OUTPUT ORDER") or (
        table.hit_policy == "COLLECT" and table.aggregation is None
    )


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision's value as FEEL has it, and what went wrong on the way: FEEL's errors are null."""

    value: Any
    notes: tuple[ExpressionError, ...]
    site: Site
    limits: Limits

    @property
    def json(self) -> Any:
        """The value as JSON. Raises NotJson for a function, LimitReached."""
        run = Run({}, self.limits, {})
        try:
            return Door(self.limits).settle(to_json_value(self.value, run.charge), MISSING, ())
        except ExpressionError as error:
            raise error.at(self.site) from None


class Decisions:
    """The decisions of one or more `.dmn` files. Compiled when first asked; may be asked by any number of instances."""

    def __init__(self, models: Iterable[DecisionModel], findings: Iterable[Finding] = ()) -> None:
        self.library = Library(models)
        self._findings = tuple(findings)

    @classmethod
    def load(cls, sources: Mapping[str, str | os.PathLike[str] | bytes], limits: FileLimits | None = None) -> Decisions:
        """From paths or bytes, by the names that messages call them. Raises BpmnError for what is no DMN file."""
        most = limits or FileLimits()
        found = read_models({name: read_source(source, name, most) for name, source in sources.items()}, most)
        return cls((each.model for each in found), (finding for each in found for finding in each.findings))

    @property
    def models(self) -> tuple[DecisionModel, ...]:
        return tuple(self.library.models.values())

    def find(self, name: str, *, file: str, element: str | None = None, among: str | None = None) -> Reference:
        """What is asked by an id or name: a decision, service or knowledge model. Raises UnknownDecision,
        AmbiguousDecision.
        """
        return self.library.find(name, file=file, element=element, among=among)

    def shape(self, reference: Reference) -> tuple[tuple[str, ...], bool]:
        """The names of a decision's outputs, and whether its result is a list with a row for each rule that matches."""
        model = self.library.models[reference.namespace]
        service = model.services.get(reference.id)
        if service is not None:
            return tuple(self.library.part(each, model, service.id).variable.name for each in service.outputs), False
        if reference.id in model.knowledge:
            return (model.knowledge[reference.id].variable.name,), False
        decision = model.decisions[reference.id]
        logic, name = decision.logic, decision.variable.name
        if not isinstance(logic, Table):
            return (name,), False
        return tuple(output.name or name for output in logic.outputs), _gives_rows(logic)

    def decide(
        self,
        reference: Reference,
        variables: Mapping[str, Any],
        limits: Limits = DEFAULT_LIMITS,
        *,
        outside: Outside = NOTHING_OUTSIDE,
    ) -> Decided:
        """Evaluate a decision over JSON variables (values of FEEL stay as they are).

        Raises ExpressionError for a limit that was reached or a text that does not read, WrongDecision for a model
        that does not fit together.
        """
        site = Site(Where(self.library.models[reference.namespace].file, reference.id), None, reference.id)
        run = Run(variables, limits, {}, outside, site)
        evaluation = Evaluation(run)
        try:
            value = Deciding(self.library, evaluation, ProcessNames(variables, run)).value(reference)
            return Decided(value, tuple(evaluation.notes), site, limits)
        except EXPECTED as error:
            raise failure(error, site) from None

    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the files: what could not be read, and all logic that does not compile."""
        from bpmn.dmn.checking import problems

        return in_file_order((*self._findings, *problems(self.library)))
