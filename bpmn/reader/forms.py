"""The fields of a dialect's form, as the data outputs of the task that a person does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpmn.definition import DataItem
from bpmn.reader.vendors import family_children, family_elements
from bpmn.reader.xml import Xml, attribute

_TYPES: Final[Mapping[str, dict[str, Any]]] = {
    "string": {"type": "string"},
    "long": {"type": "integer"},
    "integer": {"type": "integer"},
    "double": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string"},
}


def read_form(task: Xml) -> tuple[DataItem, ...]:
    """One item for each field that can be filled in, of `camunda:formData` and of `flowable:formProperty`."""
    return tuple(item for item in map(_item, _fields(task)) if item is not None)


def _fields(task: Xml) -> Iterator[Xml]:
    for form in family_elements(task, "formData"):
        yield from family_children(form, "formField")
    yield from family_elements(task, "formProperty")


def _item(field: Xml) -> DataItem | None:
    name = attribute(field, "variable") or attribute(field, "id")
    if name is None or not name.isidentifier() or attribute(field, "writable") == "false":
        return None
    kind = attribute(field, "type") or "string"
    choices = _choices(field) if kind == "enum" else []
    schema = {"enum": choices} if choices else _TYPES.get(kind, _TYPES["string"])
    return DataItem(name=name, schema=schema, optional=not _is_required(field))


def _choices(field: Xml) -> list[str]:
    return [identifier for node in family_children(field, "value") if (identifier := attribute(node, "id")) is not None]


def _is_required(field: Xml) -> bool:
    validations = (each for holder in family_children(field, "validation") for each in holder)
    return attribute(field, "required") == "true" or any(attribute(each, "name") == "required" for each in validations)
