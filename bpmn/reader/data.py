"""Declared data inputs and outputs (`ioSpecification`) and the variables that data associations name for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bpmn.definition import DataItem, DataMapping, Expression
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.xml import Xml, attribute, children_by_name, is_true, text_of


def read_data(
    owner: Mapping[str, list[Xml]], reading: Reading, roots: Roots
) -> tuple[tuple[DataItem, ...], tuple[DataItem, ...]]:
    """Data inputs and outputs of an activity, process or event, given its children by name.

    An event has them itself, an activity in its `ioSpecification`.
    """
    inputs: list[DataItem] = []
    outputs: list[DataItem] = []
    specifications = [children_by_name(each) for each in owner.get("ioSpecification", ())]
    for parts in (*specifications, *((owner,) if "dataInput" in owner or "dataOutput" in owner else ())):
        sources = _associated(owner.get("dataInputAssociation", ()), item="targetRef", data="sourceRef")
        targets = _associated(owner.get("dataOutputAssociation", ()), item="sourceRef", data="targetRef")
        optional = _optional(parts)
        inputs += [_item(node, sources, optional, reading, roots) for node in parts.get("dataInput", ())]
        outputs += [_item(node, targets, optional, reading, roots) for node in parts.get("dataOutput", ())]
    return tuple(inputs), tuple(outputs)


def data_name(node: Xml) -> str | None:
    """What a data object, property, data input or output is called: its name, else its id."""
    return attribute(node, "name") or attribute(node, "id")


def associated(inputs: Iterable[DataItem]) -> tuple[DataMapping, ...]:
    """The data inputs that associations take from variables of other names, as mappings."""
    return tuple(
        DataMapping(target=item.name, expression=Expression(text=item.variable, language="variable"))
        for item in inputs
        if item.variable is not None and item.name.isidentifier()
    )


def outputs_schema_of(outputs: Iterable[DataItem]) -> Mapping[str, Any] | None:
    """JSON Schema of an object with the data outputs as properties; None where there are none."""
    items = list(outputs)
    if not items:
        return None
    return {
        "type": "object",
        "properties": {item.name: _value_schema(item) for item in items},
        "required": [item.name for item in items if not item.optional],
    }


def _value_schema(item: DataItem) -> dict[str, Any]:
    one = dict(item.schema or {})
    if not item.collection or one.get("type") == "array":
        return one
    return {"type": "array", "items": one}


def _item(node: Xml, associated: Mapping[str, str], optional: set[str], reading: Reading, roots: Roots) -> DataItem:
    kind = roots.types.get(
        reading.refer(node, "itemSubjectRef", attribute(node, "itemSubjectRef"), roots.types, "item definition") or ""
    )
    identifier = attribute(node, "id") or ""
    name = data_name(node) or "data"
    return DataItem(
        name=name,
        schema=kind.schema if kind else None,
        collection=is_true(node, "isCollection") or (kind is not None and kind.collection),
        optional=identifier in optional,
        variable=_variable(name, associated.get(identifier), roots),
    )


def _optional(specification: Mapping[str, list[Xml]]) -> set[str]:
    return {
        text_of(node) or ""
        for name, references in (("inputSet", "optionalInputRefs"), ("outputSet", "optionalOutputRefs"))
        for group in specification.get(name, ())
        for node in children_by_name(group).get(references, ())
    }


def _associated(associations: Iterable[Xml], *, item: str, data: str) -> dict[str, str]:
    """For each data input or output, the id of what an association connects it with."""
    found: dict[str, str] = {}
    for association in associations:
        parts = children_by_name(association)
        ends = [text_of(parts[end][0]) if end in parts else None for end in (item, data)]
        if ends[0] and ends[1]:
            found[ends[0]] = ends[1]
    return found


def _variable(name: str, reference: str | None, roots: Roots) -> str | None:
    """The variable behind an association, or None where it is the item's own name or nothing known."""
    node = roots.data.get(reference or "")
    if node is None:
        return None
    behind = roots.data.get(attribute(node, "dataObjectRef") or "", node)
    called = (data_name(behind), data_name(node), attribute(behind, "id"), attribute(node, "id"))
    return None if name in called else data_name(node)
