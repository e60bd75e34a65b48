"""What is wrong with decision models before anything is decided: each part is compiled once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from bpmn.dmn.errors import WrongDecision
from bpmn.dmn.logic.library import Library
from bpmn.dmn.model import DecisionModel, Reference
from bpmn.expressions.errors import ExpressionError
from bpmn.findings import Finding


def problems(library: Library) -> Iterator[Finding]:
    """An error for each part that cannot be evaluated, and for each import that is not there; a warning for each call
    of a function that is not there.
    """
    for model in library.models.values():
        yield from _imports(library, model)
        for identifier in model.decisions:
            reference = Reference(model.namespace, identifier)
            yield from _tried(partial(library.order, reference))
            yield from _tried(partial(library.decision, reference))
        for identifier in model.knowledge:
            reference = Reference(model.namespace, identifier)
            yield from _tried(partial(library.knowledge, reference))
        yield from _unknown(library, model)
        for identifier, service in model.services.items():
            for each in (*service.outputs, *service.input_data, *service.input_decisions):
                yield from _tried(partial(library.part, each, model, identifier))


def _unknown(library: Library, model: DecisionModel) -> Iterator[Finding]:
    """A warning for each call of a function that is not there: in a decision it is null (DMN 1.5, 10.3.2.13)."""
    for error in library.unknown:
        if error.site.where.file == model.file:
            yield replace(_finding(error, rule="decision-function"), severity="warning")


def _imports(library: Library, model: DecisionModel) -> Iterator[Finding]:
    for each in model.imports:
        if each.namespace not in library.models:
            yield Finding(
                rule="decision-import",
                severity="error",
                file=model.file,
                message=f"the imported model {each.name} is not among the files",
                line=each.line,
                found=each.namespace,
                allowed=tuple(sorted(library.models)),
            )


def _tried(work: Callable[[], object]) -> Iterator[Finding]:
    try:
        work()
    except WrongDecision as error:
        yield _finding(error, rule="decision")
    except ExpressionError as error:
        yield _finding(error, rule="decision-expression")


def _finding(error: WrongDecision | ExpressionError, *, rule: str) -> Finding:
    found = error.site.text if isinstance(error, ExpressionError) else error.found
    return Finding(
        rule=rule,
        severity="error",
        file=error.file,
        message=error.reason,
        element=error.element,
        line=error.line,
        found=found,
        allowed=(error.allowed,) if error.allowed else (),
    )
