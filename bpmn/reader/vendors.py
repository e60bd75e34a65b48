"""The dialects that write the same things in the same words: Camunda 7 and its heirs, Activiti and Flowable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bpmn.definition import Expression
from bpmn.namespaces import ACTIVITI, CAMUNDA, CAMUNDA_MODELER, FLOWABLE, OPERATON, SPIFFWORKFLOW, ZEEBE, split
from bpmn.reader.extensions import extensions
from bpmn.reader.xml import Xml, attribute

FAMILY: Final[Mapping[str, str]] = {
    CAMUNDA: "camunda",
    OPERATON: "operaton",
    FLOWABLE: "flowable",
    ACTIVITI: "activiti",
}
"""Namespaces of the family, and what each is called in messages. CIB seven and others keep Camunda's."""

_ENGINES: Final = frozenset({*FAMILY, ZEEBE, SPIFFWORKFLOW, CAMUNDA_MODELER})


_HOMES: Final = ("activiti.org", "flowable.org", "camunda.org")
"""In the target namespaces that designers of engines write."""


def is_for_an_engine(root: Xml) -> bool:
    """Whether a file is written for an engine of a dialect: it declares its namespace, or is of its modeler."""
    declared = not _ENGINES.isdisjoint(root.nsmap.values())
    target = attribute(root, "targetNamespace") or ""
    at_home = any(home in target for home in _HOMES)
    return declared or at_home or (attribute(root, "exporter") or "").startswith("Camunda")


def family_attribute(node: Xml, *names: str) -> str | None:
    """An attribute of any dialect of the family, the first of `names` that is there."""
    found = (attribute(node, name, namespace) for name in names for namespace in FAMILY)
    return next((value for value in found if value is not None), None)


def family_elements(node: Xml, *names: str) -> Iterator[Xml]:
    """Extension elements of the family with one of these names, in document order."""
    for child in extensions(node):
        namespace, name = split(str(child.tag))
        if namespace in FAMILY and name in names:
            yield child


def family_children(node: Xml, *names: str) -> Iterator[Xml]:
    """Children of an extension element that are of the family and have one of these names."""
    for child in node:
        namespace, name = split(str(child.tag))
        if namespace in FAMILY and name in names:
            yield child


def is_marked(text: str) -> bool:
    """Whether a text says itself that it is to be evaluated: FEEL or JUEL."""
    return text.lstrip().startswith("=") or "${" in text or "#{" in text


def value_of(text: str, line: int | None) -> Expression:
    """A text of a dialect as an expression: evaluated if it is marked as such, else the text itself."""
    if is_marked(text):
        return Expression(text=text, line=line)
    return Expression(text=repr(text), language="python", line=line)


def unwrapped(text: str) -> str:
    """The name that `${name}`, `#{name}` or `=name` holds, alone; else the text as it is."""
    inner = text.strip()
    if inner[:2] in ("${", "#{") and inner.endswith("}"):
        inner = inner[2:-1]
    elif inner.startswith("="):
        inner = inner[1:]
    inner = inner.strip()
    return inner if inner.isidentifier() else text.strip()
