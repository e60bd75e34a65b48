"""Camunda 7 and Operaton: input parameters named `gov_...`."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.policies.naming import settings
from bpmn.policies.setting import Setting
from bpmn.reader.vendors import family_children, family_elements
from bpmn.reader.xml import Xml, attribute, text_of


def read(element: Xml) -> Iterator[Setting]:
    """The settings among an element's `inputParameter`s."""
    for holder in family_elements(element, "inputOutput"):
        parameters = family_children(holder, "inputParameter")
        written = ((attribute(node, "name"), text_of(node), node) for node in parameters)
        yield from settings(written, "camunda:inputParameter")
