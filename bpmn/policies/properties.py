"""Property elements, which all vendors have: `<camunda:properties><camunda:property name="gov:..." value="..."/>`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.namespaces import SPIFFWORKFLOW, ZEEBE, split
from bpmn.policies.naming import settings, unquoted
from bpmn.policies.setting import Setting
from bpmn.reader.extensions import extensions
from bpmn.reader.vendors import FAMILY
from bpmn.reader.xml import Xml, attribute

_VENDORS: Final = {**FAMILY, ZEEBE: "zeebe", SPIFFWORKFLOW: "spiffworkflow"}


def read(element: Xml) -> Iterator[Setting]:
    """The settings among an element's properties, in groups (`properties`) and alone."""
    for child in extensions(element):
        namespace, name = split(str(child.tag))
        if namespace in _VENDORS and name in ("properties", "property"):
            nodes = [child] if name == "property" else [each for each in child if split(str(each.tag))[1] == "property"]
            written = (
                (attribute(node, "name") or attribute(node, "id"), unquoted(attribute(node, "value")), node)
                for node in nodes
            )
            yield from settings(written, f"{_VENDORS[namespace]}:property")
