"""What goes into an activity and comes out of it under other names, as each dialect writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bpmn.definition import DataMapping, Expression
from bpmn.namespaces import SPIFFWORKFLOW, ZEEBE, qualified
from bpmn.reader.extensions import extension
from bpmn.reader.reading import Reading
from bpmn.reader.structures import read_value
from bpmn.reader.vendors import family_attribute, family_children, family_elements, value_of
from bpmn.reader.xml import Xml, attribute, local_name, text_of

EVERYTHING = "*"
"""The target of a mapping that takes over all variables."""

_POLICY = re.compile(r"gov[:._]")
"""How inputs begin that are settings of a policy."""

Mappings = tuple[tuple[DataMapping, ...], tuple[DataMapping, ...]]


def read_mappings(activity: Xml, reading: Reading, *, decides: bool = False) -> Mappings:
    """Input and output mappings, in the order in which they are made.

    The result variable of an activity that `decides` belongs to its decision.
    """
    inputs = [*_parameters(activity, "inputParameter", reading), *fields_of(family_elements(activity, "field"))]
    inputs += [*_of_call(activity, "Parent"), *_zeebe(activity, "input"), *_operands(activity)]
    inputs += _variables(activity, "in", reading)
    outputs = [*_parameters(activity, "outputParameter", reading), *_zeebe(activity, "output")]
    outputs += [*(() if decides else _result(activity)), *_variables(activity, "out", reading)]
    outputs += () if outputs else _of_call(activity, "Child")
    inputs = [each for each in inputs if not _POLICY.match(each.target)]
    return tuple(inputs), tuple(outputs)


def _parameters(activity: Xml, name: str, reading: Reading) -> Iterator[DataMapping]:
    """`camunda:inputOutput`, of the activity and of a connector in it: what goes in goes through the activity first,
    and what comes out through the connector.
    """
    connectors = family_elements(activity, "connector")
    inner = [holder for connector in connectors for holder in family_children(connector, "inputOutput")]
    own = [*family_elements(activity, "inputOutput")]
    for holder in (*inner, *own) if name == "outputParameter" else (*own, *inner):
        for node in family_children(holder, name):
            target = attribute(node, "name")
            if target is None:
                reading.error("mapping-value", f"{name} has no name", node, allowed=("a name",))
            elif (value := read_value(node, reading)) is not None:
                yield DataMapping(target=target, expression=value)


def fields_of(nodes: Iterable[Xml]) -> Iterator[DataMapping]:
    """`flowable:field` and its like: what is put into a handler."""
    for node in nodes:
        target = attribute(node, "name")
        inner = next(family_children(node, "string", "expression"), None)
        text = attribute(node, "stringValue") or attribute(node, "expression") or text_of(inner)
        if target is not None and text is not None:
            yield DataMapping(target=target, expression=value_of(text, node.sourceline))


def _zeebe(activity: Xml, name: str) -> Iterator[DataMapping]:
    holder = extension(activity, ZEEBE, "ioMapping")
    for node in () if holder is None else holder.iter(qualified(ZEEBE, name)):
        source, target = attribute(node, "source"), attribute(node, "target")
        if source is not None and target is not None:
            yield DataMapping(target=target, expression=value_of(source, node.sourceline))


def _of_call(activity: Xml, side: str) -> Iterator[DataMapping]:
    """All variables of whoever calls (`Parent`), or of what is called (`Child`), or none of them.

    What Camunda 8 does where nothing is written, to copy everything back, is not done here: only what is declared
    comes back.
    """
    called = extension(activity, ZEEBE, "calledElement")
    said = None if called is None else attribute(called, f"propagateAll{side}Variables")
    if side == "Parent" and family_attribute(activity, "inheritVariables") == "true":
        said = "true"
    if said is None and called is not None and side == "Parent" and any(_zeebe(activity, "input")):
        said = "true"
    if said == "true":
        yield DataMapping(target=EVERYTHING)
    elif said == "false":
        yield DataMapping(target=EVERYTHING, expression=Expression(text="", language="variable"))


def _operands(activity: Xml) -> Iterator[DataMapping]:
    """`spiffworkflow:parameter`: an expression in Python."""
    operator = extension(activity, SPIFFWORKFLOW, "serviceTaskOperator")
    for node in () if operator is None else operator.iter(qualified(SPIFFWORKFLOW, "parameter")):
        target, text = attribute(node, "id"), attribute(node, "value")
        if target is not None and text is not None:
            expression = Expression(text=text, language="python", line=node.sourceline)
            yield DataMapping(target=target, expression=expression)


def _result(activity: Xml) -> Iterator[DataMapping]:
    """The one variable that all of the result goes to; a script's own has a place in the script."""
    if local_name(activity) == "scriptTask":
        return
    operator = extension(activity, SPIFFWORKFLOW, "serviceTaskOperator")
    variable = family_attribute(activity, "resultVariable", "resultVariableName")
    if variable is None and operator is not None:
        variable = attribute(operator, "resultVariable")
    if variable is not None:
        yield DataMapping(target=variable)


def _variables(activity: Xml, name: str, reading: Reading) -> Iterator[DataMapping]:
    """`camunda:in` and `camunda:out` of call activities."""
    for node in family_elements(activity, name):
        source, target = attribute(node, "source"), attribute(node, "target")
        text = attribute(node, "sourceExpression")
        if attribute(node, "variables") == "all":
            yield DataMapping(target=EVERYTHING)
        elif target is not None and source is not None:
            yield DataMapping(target=target, expression=Expression(text=source, language="variable"))
        elif target is not None and text is not None:
            yield DataMapping(target=target, expression=value_of(text, node.sourceline))
        elif attribute(node, "businessKey") is None:
            reading.warning("ignored", f"camunda:{name} names no source and target", node)
