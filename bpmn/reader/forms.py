"""The fields of a dialect's form, as the data outputs of the task that a person does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpmn.definition import DataItem, FormRef
from bpmn.forms.camunda import FormError, form_of, schema_of
from bpmn.namespaces import SPIFFWORKFLOW, ZEEBE, qualified
from bpmn.reader.extensions import extension
from bpmn.reader.reading import Reading
from bpmn.reader.vendors import family_attribute, family_children, family_elements
from bpmn.reader.xml import Xml, attribute, text_of

FORMS: Final = frozenset(
    {"formData", "formDefinition", "formKey", "formProperty", "formRef", "formRefBinding", "formRefVersion"}
)
"""The vendors' names of what is read here."""
HAVE_FORMS: Final = frozenset({"userTask", "manualTask"})
_INNER: Final = "camunda-forms:bpmn:"

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


def read_inner_form(task: Xml, reading: Reading) -> Mapping[str, Any] | None:
    """JSON Schema of a Camunda form that the file holds itself (`zeebe:userTaskForm`); None if the task has none."""
    key = _zeebe(task, "formKey")
    if key is None or not key.startswith(_INNER):
        return None
    for node in reading.root.iter(qualified(ZEEBE, "userTaskForm")):
        if attribute(node, "id") == key.removeprefix(_INNER):
            try:
                return schema_of(form_of(text_of(node) or ""))
            except FormError as error:
                reading.warning("ignored", f"the form is passed over: {error}", task, found=key)
                return None
    reading.warning("ignored", "the form is not in the file", task, found=key)
    return None


def read_form_ref(task: Xml, reading: Reading) -> FormRef | None:
    """A form in another file; one that only another program can show is told."""
    schema = _property(task, "formJsonSchemaFilename")
    if schema is not None:
        return FormRef(kind="schema", name=schema)
    by_id = family_attribute(task, "formRef") or _zeebe(task, "formId")
    if by_id is not None:
        return FormRef(kind="id", name=by_id)
    key = family_attribute(task, "formKey") or _zeebe(task, "formKey") or _zeebe(task, "externalReference")
    if key is None or key.startswith(_INNER):
        return None
    if key.endswith(".form"):
        return FormRef(kind="form", name=key.rpartition(":")[2])
    reading.warning(
        "ignored", "the form is another program's: a person is asked for what the task declares", task,
        found=key, allowed=("data outputs", "fields of a form"),
    )  # fmt: skip
    return None


def _zeebe(task: Xml, name: str) -> str | None:
    node = extension(task, ZEEBE, "formDefinition")
    return None if node is None else attribute(node, name)


def _property(task: Xml, name: str) -> str | None:
    """A property of SpiffArena's."""
    holder = extension(task, SPIFFWORKFLOW, "properties")
    for node in () if holder is None else holder.iter(qualified(SPIFFWORKFLOW, "property")):
        if attribute(node, "name") == name:
            return attribute(node, "value")
    return None


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
