"""Activities done by decisions: the DMN of the definition, and what of its result becomes variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bpmn.definition import CalledDecision, Definition, Element
from engine.activities.errors import MissingDecision, WrongResult
from engine.activities.outputs import problems
from engine.activities.simulate import simulate
from engine.activities.work import Outcome, Rules, Work
from engine.json_text import compact
from governance.vocabulary import Producer

if TYPE_CHECKING:
    from bpmn.dmn.decisions import Decided, Decisions
    from bpmn.dmn.model import Reference

_SHOWN = 200


def decide(work: Work) -> Outcome:
    """Ask the decision that the element names, over the process variables.

    Null is a result; why it is null stands in the record. Raises UnknownDecision, WrongDecision, ExpressionError,
    WrongResult.
    """
    called, rules = work.element.decision, work.rules
    assert called is not None
    assert rules is not None
    decisions, name = rules.decisions(), _name(called, work, rules)
    reference = decisions.find(name, file=rules.file, element=work.element.id)
    decided = decisions.decide(reference, work.variables, outside=rules.outside)
    outputs = _outputs(called, decisions, reference, decided, work)
    schema = work.element.outputs_schema
    return Outcome(
        outputs=outputs,
        decision=_told(name, decided),
        problems=() if schema is None else problems(outputs, schema),
        producer=Producer.SERVICE,
    )


def simulate_decision(work: Work) -> Outcome:
    """Decide all the same, for nobody has to do anything; placeholders where the decision is not there or fails."""
    from bpmn.errors import BpmnError

    try:
        return decide(work)
    except (BpmnError, WrongResult):
        return simulate(work)


def missing_decisions(definition: Definition, handled: Iterable[Element]) -> list[MissingDecision]:
    """The decisions that elements name and no attached file has, in the order of the elements."""
    asking = [(element, element.decision) for element in handled if element.decision is not None]
    if not asking:
        return []
    from bpmn.dmn.attaching import decisions_of, is_expression
    from bpmn.dmn.errors import UnknownDecision

    decisions, found = decisions_of(definition), []
    for element, called in asking:
        if is_expression(called.name):
            continue
        try:
            decisions.find(called.name, file=definition.file, element=element.id)
        except UnknownDecision as error:
            found.append(
                MissingDecision(definition.file, element.id, element.line, called.name, error.suggestion, error.known)
            )
    return found


def _name(called: CalledDecision, work: Work, rules: Rules) -> str:
    from bpmn.dmn.attaching import is_expression

    if not is_expression(called.name):
        return called.name
    from bpmn.expressions.compiler import compile_condition
    from bpmn.expressions.places import Where

    where = Where(file=rules.file, element=work.element.id, line=work.element.line)
    return str(compile_condition(called.name, where=where).evaluate(work.variables, outside=rules.outside))


def _outputs(
    called: CalledDecision, decisions: Decisions, reference: Reference, decided: Decided, work: Work
) -> dict[str, Any]:
    names, many = decisions.shape(reference)
    value = decided.json
    if called.mapping == "value":
        return {called.result or names[0]: value}
    if called.mapping == "entries":
        entries = value if type(value) is dict and not many else {names[0]: value}
        return entries if called.result is None else {called.result: entries}
    rows = _rows(value, names, many)
    return {called.result or names[0]: _mapped(called.mapping, rows, work)}


def _rows(value: Any, names: tuple[str, ...], many: bool) -> list[dict[str, Any]]:
    """The rows of a result: a context of outputs each."""
    if value is None:
        return []
    values = value if many and type(value) is list else [value]
    return [each if type(each) is dict and len(names) > 1 else {names[0]: each} for each in values]


def _mapped(mapping: str, rows: list[dict[str, Any]], work: Work) -> Any:
    if mapping == "resultList":
        return rows
    if mapping == "collectEntries":
        return [_entry(row, mapping, work) for row in rows]
    if len(rows) > 1:
        raise WrongResult(work.element.id, mapping, f"{len(rows)} rows")
    if not rows:
        return None
    return rows[0] if mapping == "singleResult" else _entry(rows[0], mapping, work)


def _entry(row: Mapping[str, Any], mapping: str, work: Work) -> Any:
    if len(row) != 1:
        raise WrongResult(work.element.id, mapping, f"the outputs {', '.join(row)}")
    return next(iter(row.values()))


def _told(name: str, decided: Decided) -> str:
    value = compact(decided.json)
    value = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
    because = f", because {decided.notes[0]}" if decided.json is None and decided.notes else ""
    return f"{name}: {value}{because}"
